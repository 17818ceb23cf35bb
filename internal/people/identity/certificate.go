package identity

import (
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
)

// maxCertificates is how many a provider may have: the one in use, the next, and some to spare.
const maxCertificates = 5

// minRSABits is the shortest RSA key that is accepted to sign assertions.
const minRSABits = 2048

// parseCertificates reads certificates as people paste them: PEM blocks, or the bare base64 of metadata, one or several
// with empty lines between them. It refuses keys that are too weak, and certificates of which none can be used any
// more.
func parseCertificates(text string, now time.Time) ([]*x509.Certificate, error) {
	const path = "certificate"
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if text == "" {
		return nil, nil
	}
	encoded, err := certificateBytes(path, text)
	if err != nil {
		return nil, err
	}
	if len(encoded) > maxCertificates {
		return nil, errs.Invalidf(path, "has %d certificates; up to %d are accepted", len(encoded), maxCertificates)
	}
	var certificates []*x509.Certificate
	var newest time.Time
	for i, der := range encoded {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, errs.Invalidf(path, "certificate %d of %d is not an X.509 certificate; paste the signing "+
				"certificate of the identity provider as PEM or base64", i+1, len(encoded))
		}
		if weakness := weakness(certificate); weakness != "" {
			return nil, errs.Invalidf(path, "certificate %d of %d has %s", i+1, len(encoded), weakness)
		}
		if certificate.NotAfter.After(newest) {
			newest = certificate.NotAfter
		}
		certificates = append(certificates, certificate)
	}
	if !now.Before(newest) {
		return nil, errs.Invalidf(path, "expired at %s; paste the identity provider's current signing certificate",
			newest.UTC().Format(time.RFC3339))
	}
	return certificates, nil
}

func certificateBytes(path, text string) ([][]byte, error) {
	var found [][]byte
	if strings.Contains(text, "-----BEGIN") {
		rest := []byte(text)
		for len(strings.TrimSpace(string(rest))) > 0 {
			var block *pem.Block
			if block, rest = pem.Decode(rest); block == nil {
				return nil, errs.Invalidf(path,
					"is not PEM throughout; it has to be -----BEGIN CERTIFICATE----- blocks and nothing else")
			}
			if block.Type != "CERTIFICATE" {
				return nil, errs.Invalidf(path, "has a block %q; only CERTIFICATE is accepted, and never a private key",
					block.Type)
			}
			found = append(found, block.Bytes)
		}
		return found, nil
	}
	for part := range strings.SplitSeq(text, "\n\n") {
		bare := strings.Join(strings.Fields(part), "")
		if bare == "" {
			continue
		}
		der, err := base64.StdEncoding.DecodeString(bare)
		if err != nil {
			return nil, errs.Invalidf(path,
				"is neither PEM nor base64; paste the signing certificate of the identity provider as it gives it")
		}
		found = append(found, der)
	}
	return found, nil
}

// weakness says what is wrong with a certificate's key, "" when nothing is.
func weakness(certificate *x509.Certificate) string {
	switch key := certificate.PublicKey.(type) {
	case *rsa.PublicKey:
		if key.N.BitLen() < minRSABits {
			return "an RSA key that is too short; 2048 bits or more are accepted"
		}
	case *ecdsa.PublicKey:
		if key.Curve.Params().BitSize < 256 {
			return "a key on a curve that is too small; P-256, P-384 and P-521 are accepted"
		}
	default:
		return "a key of a kind that XML signatures do not use here; RSA and ECDSA are accepted"
	}
	return ""
}

// trusted are the certificates of the provider that may have signed at a time.
func (p Provider) trusted(now time.Time) []*x509.Certificate {
	certificates, err := parseCertificates(p.Certificate, now)
	if err != nil {
		return nil // all have expired since
	}
	return slices.DeleteFunc(certificates, func(c *x509.Certificate) bool {
		return now.Before(c.NotBefore) || !now.Before(c.NotAfter)
	})
}
