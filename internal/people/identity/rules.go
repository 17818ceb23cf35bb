package identity

import (
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
)

// Limits of the fields, in characters.
const (
	maxLabel       = 30
	maxEntityID    = 1024
	maxCertificate = 10_000
	maxURL         = 2048
	maxClientID    = 255
	maxSecret      = 1024
	maxReturnTo    = 2048
)

// check refuses fields that are wrong by themselves and brings them into the form that is kept. Certificates that were
// accepted before are not looked at again: that they have expired since must not keep other fields from being changed.
func (p *Provider) check(now time.Time, certificates bool) error {
	var err error
	if p.Label, err = field.Text("label", p.Label, 1, maxLabel); err != nil {
		return err
	}
	if p.EntityID = strings.TrimSpace(p.EntityID); p.EntityID != "" {
		if p.EntityID, err = field.Text("entityID", p.EntityID, 1, maxEntityID); err != nil {
			return err
		}
	}
	if p.SSOURL, err = checkAddress("ssoURL", p.SSOURL); err != nil {
		return err
	}
	if p.Issuer, err = checkAddress("issuer", p.Issuer); err != nil {
		return err
	}
	if strings.ContainsAny(p.Issuer, "?#") {
		return errs.Invalidf("issuer",
			"has a query or a fragment; an issuer is an address like https://login.example.org")
	}
	if p.ClientID = strings.TrimSpace(p.ClientID); p.ClientID != "" {
		if p.ClientID, err = field.Text("clientID", p.ClientID, 1, maxClientID); err != nil {
			return err
		}
	}
	if !certificates {
		return nil
	}
	if len(p.Certificate) > maxCertificate {
		return errs.Invalidf("certificate", "has more than %d characters", maxCertificate)
	}
	// The text stays as it was given, so that who wrote it gets back what they wrote.
	_, err = parseCertificates(p.Certificate, now)
	return err
}

// checkAddress accepts "" and web addresses. They are where a browser is sent or keys come from, so plain http is for
// tests and closed networks; the operator decides by what is allowed to be fetched.
func checkAddress(path, address string) (string, error) {
	address = strings.TrimSpace(address)
	if address == "" {
		return "", nil
	}
	if len(address) > maxURL {
		return "", errs.Invalidf(path, "has more than %d characters", maxURL)
	}
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "https" && parsed.Scheme != "http") || parsed.Hostname() == "" ||
		parsed.User != nil || !field.Storable(address) {
		return "", errs.Invalidf(path, "%.60q is not a web address; one like https://login.example.org/sso is accepted",
			address)
	}
	return address, nil
}

// status is what the fields make of a provider.
func (p Provider) status(now time.Time) Status {
	switch p.Kind {
	case OIDC:
		if p.Issuer != "" && p.ClientID != "" && p.clientSecret != "" {
			return Active
		}
	case SAML:
		if p.SSOURL != "" && p.EntityID != "" && len(p.trusted(now)) > 0 {
			return Active
		}
	}
	return Pending
}

// endpoints are the server's addresses for the provider.
func (p Provider) endpoints(base string) Endpoints {
	start := base + "/signin/" + string(p.Kind) + "/" + string(p.ID)
	if p.Kind == OIDC {
		return Endpoints{Start: start, ACS: start + "/callback"}
	}
	return Endpoints{Start: start, ACS: start + "/acs", EntityID: start + "/metadata"}
}

// LocalPath returns where people go after they have signed in: a path of this server with its query, or "" for anything
// else. What a browser could take for another host is refused: a second slash, backslashes, and control characters that
// browsers drop.
func LocalPath(path string) string {
	if len(path) > maxReturnTo || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") ||
		strings.Contains(path, `\`) {
		return ""
	}
	for _, r := range path {
		if r <= ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == '\ufffd' {
			return ""
		}
	}
	parsed, err := url.Parse(path)
	if err != nil || parsed.IsAbs() || parsed.Host != "" || parsed.User != nil {
		return ""
	}
	return path
}

func validProvider(kind Kind, providerID id.Provider) bool { return id.Valid(string(kind), providerID) }

func noProvider(kind Kind) error {
	if kind == OIDC {
		return errs.NotFoundf("The organization has no such OpenID Connect provider.")
	}
	return errs.NotFoundf("The organization has no such SAML provider.")
}
