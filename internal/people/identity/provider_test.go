package identity_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func lower(text string) string { return strings.ToLower(text) }

// actions counts entries of the audit log.
func (h *fixture) actions(action string) int {
	h.t.Helper()
	var count int
	if err := h.db.Read().QueryRowContext(h.t.Context(), `SELECT count(*) FROM audit_entry WHERE action = $1`,
		action).Scan(&count); err != nil {
		h.t.Fatal(err)
	}
	return count
}

func TestCertificatesAreChecked(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	good := h.idp.keys
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: h.now.Add(-time.Hour),
		NotAfter: h.now.Add(time.Hour)}
	weak, err := x509.CreateCertificate(rand.Reader, template, template, &short.PublicKey, short)
	if err != nil {
		t.Fatal(err)
	}
	elliptical, err := x509.CreateCertificate(rand.Reader, template, template, &curve.PublicKey, curve)
	if err != nil {
		t.Fatal(err)
	}
	expired := newKeyPair(t, 1, h.now.Add(-2*time.Hour), h.now.Add(-time.Hour))
	later := newKeyPair(t, 2, h.now.Add(time.Hour), h.now.Add(2*time.Hour))
	bare := base64.StdEncoding.EncodeToString(good.certificate)
	var wide strings.Builder
	for i := 0; i < len(bare); i += 64 {
		wide.WriteString(bare[i:min(i+64, len(bare))] + "\r\n")
	}
	for name, test := range map[string]struct {
		certificate string
		status      identity.Status
		refused     string
	}{
		"PEM":                    {certificate: good.pem(), status: identity.Active},
		"PEM with Windows lines": {certificate: strings.ReplaceAll(good.pem(), "\n", "\r\n"), status: identity.Active},
		"bare base64":            {certificate: bare, status: identity.Active},
		"base64 in lines":        {certificate: wide.String(), status: identity.Active},
		"two":                    {certificate: good.pem() + "\n" + later.pem(), status: identity.Active},
		"elliptic": {certificate: base64.StdEncoding.EncodeToString(elliptical),
			status: identity.Active},
		"one expired":         {certificate: expired.pem() + good.pem(), status: identity.Active},
		"not valid yet":       {certificate: later.pem(), status: identity.Pending},
		"none":                {certificate: "", status: identity.Pending},
		"white space":         {certificate: " \n", status: identity.Pending},
		"expired":             {certificate: expired.pem(), refused: "expired at 2026-11-22T09:00:00Z"},
		"text":                {certificate: "my certificate!", refused: "neither PEM nor base64"},
		"base64 of something": {certificate: "aGVsbG8=", refused: "is not an X.509 certificate"},
		"a short key":         {certificate: base64.StdEncoding.EncodeToString(weak), refused: "too short"},
		"a private key": {
			certificate: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")})),
			refused:     "never a private key"},
		"text behind":             {certificate: good.pem() + "and more", refused: "not PEM throughout"},
		"too many":                {certificate: strings.Repeat(good.pem(), 6), refused: "up to 5"},
		"longer than the longest": {certificate: strings.Repeat("A", 10_001), refused: "more than 10000"},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := h.service.Create(t.Context(), h.admin, h.org, identity.NewProvider{
				Kind: identity.SAML, Label: "X", SSOURL: "https://idp.example/sso", EntityID: "https://idp.example",
				Certificate: test.certificate,
			})
			if test.refused != "" {
				refuse(t, err, errs.Invalid, test.refused)
				return
			}
			if err != nil || made.Status != test.status || made.Certificate != test.certificate {
				t.Errorf("%+v, %v", made, err)
			}
		})
	}
}

func TestProviders(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		otherOrg, otherAdmin := h.otherOrganization("eve@other.example")
		foreign, err := h.orgs.CreateTeam(t.Context(), otherAdmin, otherOrg, "Theirs")
		if err != nil {
			t.Fatal(err)
		}
		create := func(in identity.NewProvider) (identity.Provider, error) {
			return h.service.Create(t.Context(), h.admin, h.org, in)
		}
		for name, in := range map[string]identity.NewProvider{
			"label: ":       {Kind: identity.SAML},
			"30 characters": {Kind: identity.SAML, Label: strings.Repeat("é", 31)},
			"ssoURL: ":      {Kind: identity.SAML, Label: "X", SSOURL: "javascript:alert(1)"},
			"ssoURL":        {Kind: identity.SAML, Label: "X", SSOURL: "https://me:secret@idp.example/"},
			"entityID":      {Kind: identity.SAML, Label: "X", EntityID: strings.Repeat("x", 1025)},
			"issuer: ":      {Kind: identity.OIDC, Label: "X", Issuer: "login.example"},
			"issuer":        {Kind: identity.OIDC, Label: "X", Issuer: "https://login.example/?tenant=1"},
			"defaultTeam":   {Kind: identity.SAML, Label: "X", DefaultTeam: string(foreign.ID)},
			"clientSecret":  {Kind: identity.OIDC, Label: "X", ClientSecret: strings.Repeat("x", 1025)},
		} {
			_, err := create(in)
			refuse(t, err, errs.Invalid, strings.Fields(name)[0])
		}
		made, err := create(identity.NewProvider{Kind: identity.OIDC, Label: " Login ", Issuer: "https://login.example",
			ClientID: "recto", ClientSecret: "s3cret"})
		if err != nil || made.Status != identity.Active || !made.HasSecret || made.Label != "Login" ||
			made.DefaultRole != org.RoleRead {
			t.Fatalf("%+v, %v", made, err)
		}
		var kept string
		if err := d.Read().QueryRowContext(t.Context(), `SELECT client_secret FROM identity_provider WHERE id = $1`,
			made.ID).Scan(&kept); err != nil || strings.Contains(kept, "s3cret") {
			t.Errorf("%q, %v", kept, err)
		}
		changed, err := h.service.Update(t.Context(), h.admin, h.org, identity.OIDC, made.ID,
			identity.Change{ClientSecret: optional.Null[string]()})
		if err != nil || changed.Status != identity.Pending || changed.HasSecret {
			t.Errorf("%+v, %v", changed, err)
		}
		if _, err := h.service.Begin(t.Context(), identity.OIDC, made.ID, ""); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
		for range 3 {
			if _, err := create(identity.NewProvider{Kind: identity.SAML, Label: "More"}); err != nil {
				t.Fatal(err)
			}
		}
		listed, err := h.service.List(t.Context(), h.admin, h.org, identity.SAML, paging.Request{Limit: 3})
		if err != nil || listed.Count != 4 || len(listed.Items) != 3 || listed.Items[0].ID != h.idp.provider.ID ||
			listed.Next == nil {
			t.Fatalf("%d of %d, %v, %v", len(listed.Items), listed.Count, listed.Next, err)
		}
		listed, err = h.service.List(t.Context(), h.admin, h.org, identity.SAML,
			paging.Request{Limit: 3, After: listed.Next})
		if err != nil || len(listed.Items) != 1 || listed.Next != nil {
			t.Errorf("%d, %v, %v", len(listed.Items), listed.Next, err)
		}
		logins, err := h.service.Logins(t.Context(), h.admin, h.org)
		if err != nil || len(logins) != 1 || logins[0].StartURL != base+"/signin/saml/"+string(h.idp.provider.ID) {
			t.Errorf("%+v, %v", logins, err)
		}
		if created := h.actions("saml-provider.create"); created != 4 {
			t.Errorf("%d entries", created)
		}
		if only, several, err := h.service.OnlyLogins(t.Context()); err != nil || several || len(only) != 1 {
			t.Errorf("%+v, %v, %v", only, several, err)
		}
		h.newIDP(otherAdmin, otherOrg, 1)
		if only, several, err := h.service.OnlyLogins(t.Context()); err != nil || !several || len(only) != 0 {
			t.Errorf("%+v, %v, %v", only, several, err)
		}
		for range 46 {
			if _, err := create(identity.NewProvider{Kind: identity.SAML, Label: "More"}); err != nil {
				t.Fatal(err)
			}
		}
		_, err = create(identity.NewProvider{Kind: identity.SAML, Label: "Too many"})
		refuse(t, err, errs.Conflict, "which is the most")
	})
}

func TestLocalPath(t *testing.T) {
	for _, good := range []string{"/", "/account", "/a/b?c=d&e=/f#g", "/%2F", "/ä"} {
		if identity.LocalPath(good) != good {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{"", "a", "//x", "/\\x", "\\x", "https://x", "javascript:x", "/\nx", "/\tx", "/ x",
		"/x\x00", "/\u0085x", "/\xff", "/" + strings.Repeat("x", 2048)} {
		if got := identity.LocalPath(bad); got != "" {
			t.Errorf("%q gives %q", bad, got)
		}
	}
}
