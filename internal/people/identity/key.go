package identity

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/jonboulle/clockwork"
	dsig "github.com/russellhaering/goxmldsig"

	"github.com/rectodocs/recto/internal/platform/db"
)

// serviceKey is the server's key pair towards SAML providers: it signs requests and decrypts assertions.
type serviceKey struct{ pair tls.Certificate }

// keyLifetime is how long the certificate says that it is good. Providers pin it, so that it has to last.
const keyLifetime = 20 * 365 * 24 * time.Hour

const keyPurpose = "identity.saml-key"

// serviceKey returns the key pair that all processes of the server share. It is made when it is first needed.
func (s *Service) serviceKey(ctx context.Context) (*serviceKey, error) {
	s.keyOnce.Lock()
	defer s.keyOnce.Unlock()
	if s.key != nil {
		return s.key, nil
	}
	kept, err := db.FindSecret(ctx, s.deps.DB, keyPurpose)
	if errors.Is(err, db.ErrNoRows) {
		kept, err = s.makeKey(ctx)
	}
	if err != nil {
		return nil, err
	}
	text, err := s.deps.Secrets.Open(string(kept), keyPurpose)
	if err != nil {
		return nil, fmt.Errorf("open the key of SAML: %w", err)
	}
	pair, err := tls.X509KeyPair([]byte(text), []byte(text))
	if err != nil {
		return nil, fmt.Errorf("read the key of SAML: %w", err)
	}
	s.key = &serviceKey{pair: pair}
	return s.key, nil
}

// makeKey makes a key pair and keeps it, unless another process was faster, and returns what is kept.
func (s *Service) makeKey(ctx context.Context) ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, fmt.Errorf("make the key of SAML: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, fmt.Errorf("make the key of SAML: %w", err)
	}
	now := s.clock()
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Recto SAML service provider"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(keyLifetime),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("make the certificate of SAML: %w", err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode the key of SAML: %w", err)
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	sealed, err := s.deps.Secrets.Seal(string(text), keyPurpose)
	if err != nil {
		return nil, err
	}
	return db.KeepSecret(ctx, s.deps.DB, keyPurpose, []byte(sealed))
}

// clockAt is a clock of the signature library that stands still.
func clockAt(now time.Time) *dsig.Clock { return dsig.NewFakeClock(clockwork.NewFakeClockAt(now)) }
