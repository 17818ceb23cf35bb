// Package identitytest owns identity providers for tests of the whole program: they say of people whatever a test
// wants, as the provider of an organization can whose admins mean no good.
package identitytest

import (
	"compress/flate"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

// EntityID is what SAML calls itself, SSOURL where it lets people in; nothing is there.
const (
	EntityID = "https://idp.example/metadata"
	SSOURL   = "https://idp.example/sso"
)

// key is made once: it takes long.
var key = sync.OnceValue(func() *rsa.PrivateKey {
	made, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return made
})

// SAML is a provider of SAML 2.0.
type SAML struct {
	t           *testing.T
	certificate []byte
}

// NewSAML returns a provider.
func NewSAML(t *testing.T) *SAML {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "provider"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(24 * time.Hour),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key().PublicKey, key())
	if err != nil {
		t.Fatal(err)
	}
	return &SAML{t: t, certificate: certificate}
}

// Certificate is what it signs with, as PEM.
func (p *SAML) Certificate() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.certificate}))
}

// Answer returns the SAMLResponse to the request in the address that a browser was sent to: it says that somebody is
// the subject, with an address. acs and audience are what the server calls itself.
func (p *SAML) Answer(address, acs, audience, subject, email string) string {
	p.t.Helper()
	request, now := p.requestID(address), time.Now().UTC()
	moment := func(d time.Duration) string { return now.Add(d).Format(time.RFC3339) }
	assertion := p.parse(fmt.Sprintf(
		`<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_%s" Version="2.0" IssueInstant="%s">
<saml:Issuer>%s</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">%s</saml:NameID>
<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="%s" Recipient="%s" InResponseTo="%s"/></saml:SubjectConfirmation></saml:Subject>
<saml:Conditions NotBefore="%s" NotOnOrAfter="%[5]s"><saml:AudienceRestriction><saml:Audience>%[9]s</saml:Audience></saml:AudienceRestriction></saml:Conditions>
<saml:AuthnStatement AuthnInstant="%[2]s"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
<saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue>%[10]s</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>`,
		rand.Text(), moment(0), EntityID, subject, moment(5*time.Minute), acs, request, moment(-time.Minute), audience,
		email))
	signing, err := dsig.NewSigningContext(key(), [][]byte{p.certificate})
	if err != nil {
		p.t.Fatal(err)
	}
	signing.Hash = crypto.SHA256
	signing.Canonicalizer = dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("")
	signature, err := signing.ConstructSignature(assertion, true)
	if err != nil {
		p.t.Fatal(err)
	}
	assertion.InsertChildAt(1, signature)
	response := p.parse(fmt.Sprintf(
		`<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_%s" Version="2.0" IssueInstant="%s" Destination="%s" InResponseTo="%s"><saml:Issuer>%s</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status></samlp:Response>`,
		rand.Text(), moment(0), acs, request, EntityID))
	response.AddChild(assertion)
	document := etree.NewDocument()
	document.SetRoot(response)
	text, err := document.WriteToString()
	if err != nil {
		p.t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString([]byte(text))
}

func (p *SAML) parse(text string) *etree.Element {
	p.t.Helper()
	document := etree.NewDocument()
	if err := document.ReadFromString(text); err != nil {
		p.t.Fatal(err)
	}
	return document.Root()
}

// requestID reads the id of the request in an address.
func (p *SAML) requestID(address string) string {
	p.t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	packed, err := base64.StdEncoding.DecodeString(parsed.Query().Get("SAMLRequest"))
	if err != nil {
		p.t.Fatal(err)
	}
	text, err := io.ReadAll(flate.NewReader(strings.NewReader(string(packed))))
	if err != nil {
		p.t.Fatal(err)
	}
	return p.parse(string(text)).SelectAttrValue("ID", "")
}

// OIDC is a provider of OpenID Connect on loopback.
type OIDC struct {
	*httptest.Server
	mu     sync.Mutex
	claims map[string]map[string]any // by code
}

// NewOIDC starts a provider.
func NewOIDC(t *testing.T) *OIDC {
	t.Helper()
	p := &OIDC{claims: map[string]map[string]any{}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

// Answer returns the query with which a browser comes back that was sent to an address: it says that somebody is the
// subject, with an address that the provider calls verified.
func (p *OIDC) Answer(address, subject, email string) url.Values {
	parsed, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	code, query := rand.Text(), parsed.Query()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claims[code] = map[string]any{
		"iss": p.URL, "sub": subject, "aud": query.Get("client_id"), "nonce": query.Get("nonce"),
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
		"email": email, "email_verified": true,
	}
	return url.Values{"state": {query.Get("state")}, "code": {code}}
}

func (p *OIDC) serve(w http.ResponseWriter, r *http.Request) {
	answer := map[string]any{}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer = map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"jwks_uri":                              p.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"},
		}
	case "/keys":
		public := key().PublicKey
		answer["keys"] = []any{map[string]any{
			"kty": "RSA", "use": "sig", "kid": "1", "alg": "RS256",
			"n": base64.RawURLEncoding.EncodeToString(public.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(public.E)).Bytes()),
		}}
	case "/token":
		p.mu.Lock()
		claims := p.claims[r.PostFormValue("code")]
		p.mu.Unlock()
		answer = map[string]any{"access_token": "access", "token_type": "Bearer", "expires_in": 60,
			"id_token": signed(claims)}
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// signed is an id token.
func signed(claims map[string]any) string {
	part := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		return base64.RawURLEncoding.EncodeToString(text)
	}
	text := part(map[string]any{"alg": "RS256", "kid": "1"}) + "." + part(claims)
	hash := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key(), crypto.SHA256, hash[:])
	if err != nil {
		panic(err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}
