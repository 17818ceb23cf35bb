package identity_test

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"encoding/xml"
	"math/big"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beevik/etree"
	saml2 "github.com/russellhaering/gosaml2"
	"github.com/russellhaering/gosaml2/types"
	dsig "github.com/russellhaering/goxmldsig"

	"github.com/rectodocs/recto/internal/people/identity"
)

// keyPair is a key of an identity provider with its certificate.
type keyPair struct {
	key         *rsa.PrivateKey
	certificate []byte
}

func (k keyPair) pem() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: k.certificate}))
}

// keys are made once: they take long.
var keys = sync.OnceValue(func() [3]*rsa.PrivateKey {
	var made [3]*rsa.PrivateKey
	for i := range made {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		made[i] = key
	}
	return made
})

func newKeyPair(t *testing.T, n int, from, until time.Time) keyPair {
	t.Helper()
	key := keys()[n]
	template := &x509.Certificate{SerialNumber: big.NewInt(int64(n + 1)), Subject: pkix.Name{CommonName: "provider"},
		NotBefore: from, NotAfter: until}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return keyPair{key, certificate}
}

// idp is an identity provider that says whatever a test wants.
type idp struct {
	t        *testing.T
	entityID string
	keys     keyPair
	provider identity.Provider
	now      time.Time
}

// says is what an answer says; the zero values are what is right.
type says struct {
	issuer, responseIssuer, audience, recipient, destination, status string
	inResponseTo, responseInResponseTo                               string
	id, nameID, format, email                                        string
	notBefore, notOnOrAfter, confirmedUntil, sessionUntil            time.Time
	noAudience, noConditions, noNameID, noAuthn, noEmail             bool
	method                                                           string
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func moment(t, otherwise time.Time) string {
	if t.IsZero() {
		t = otherwise
	}
	return t.UTC().Format(time.RFC3339)
}

// assertion builds an unsigned assertion.
func (p *idp) assertion(s says) *etree.Element {
	a := etree.NewElement("saml:Assertion")
	a.CreateAttr("xmlns:saml", "urn:oasis:names:tc:SAML:2.0:assertion")
	a.CreateAttr("ID", or(s.id, "_"+rand.Text()))
	a.CreateAttr("Version", "2.0")
	a.CreateAttr("IssueInstant", moment(time.Time{}, p.now))
	a.CreateElement("saml:Issuer").SetText(or(s.issuer, p.entityID))
	subject := a.CreateElement("saml:Subject")
	if !s.noNameID {
		name := subject.CreateElement("saml:NameID")
		name.CreateAttr("Format", or(s.format, "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"))
		name.SetText(or(s.nameID, "grace"))
	}
	confirmation := subject.CreateElement("saml:SubjectConfirmation")
	confirmation.CreateAttr("Method", or(s.method, saml2.SubjMethodBearer))
	data := confirmation.CreateElement("saml:SubjectConfirmationData")
	data.CreateAttr("NotOnOrAfter", moment(s.confirmedUntil, p.now.Add(5*time.Minute)))
	data.CreateAttr("Recipient", or(s.recipient, p.provider.Service.ACS))
	if s.inResponseTo != "" {
		data.CreateAttr("InResponseTo", s.inResponseTo)
	}
	if !s.noConditions {
		conditions := a.CreateElement("saml:Conditions")
		conditions.CreateAttr("NotBefore", moment(s.notBefore, p.now.Add(-time.Minute)))
		conditions.CreateAttr("NotOnOrAfter", moment(s.notOnOrAfter, p.now.Add(5*time.Minute)))
		if !s.noAudience {
			conditions.CreateElement("saml:AudienceRestriction").CreateElement("saml:Audience").SetText(
				or(s.audience, p.provider.Service.EntityID))
		}
	}
	if !s.noAuthn {
		authn := a.CreateElement("saml:AuthnStatement")
		authn.CreateAttr("AuthnInstant", moment(time.Time{}, p.now))
		if !s.sessionUntil.IsZero() {
			authn.CreateAttr("SessionNotOnOrAfter", moment(s.sessionUntil, p.now))
		}
		authn.CreateElement("saml:AuthnContext").CreateElement("saml:AuthnContextClassRef").SetText(
			"urn:oasis:names:tc:SAML:2.0:ac:classes:Password")
	}
	attributes := a.CreateElement("saml:AttributeStatement")
	for name, value := range map[string]string{"mail": or(s.email, "grace@example.org"),
		"displayName": "Grace Hopper"} {
		if name == "mail" && s.noEmail {
			continue
		}
		attribute := attributes.CreateElement("saml:Attribute")
		attribute.CreateAttr("Name", name)
		attribute.CreateElement("saml:AttributeValue").SetText(value)
	}
	return a
}

// response puts assertions into a response.
func (p *idp) response(s says, assertions ...*etree.Element) *etree.Element {
	r := etree.NewElement("samlp:Response")
	r.CreateAttr("xmlns:samlp", "urn:oasis:names:tc:SAML:2.0:protocol")
	r.CreateAttr("xmlns:saml", "urn:oasis:names:tc:SAML:2.0:assertion")
	r.CreateAttr("ID", "_"+rand.Text())
	r.CreateAttr("Version", "2.0")
	r.CreateAttr("IssueInstant", moment(time.Time{}, p.now))
	r.CreateAttr("Destination", or(s.destination, p.provider.Service.ACS))
	if answered := or(s.responseInResponseTo, s.inResponseTo); answered != "" && answered != "none" {
		r.CreateAttr("InResponseTo", answered)
	}
	r.CreateElement("saml:Issuer").SetText(or(s.responseIssuer, p.entityID))
	r.CreateElement("samlp:Status").CreateElement("samlp:StatusCode").CreateAttr("Value",
		or(s.status, "urn:oasis:names:tc:SAML:2.0:status:Success"))
	for _, assertion := range assertions {
		r.AddChild(assertion)
	}
	return r
}

// sign signs an element with a key, in the place that the schema has for signatures.
func (p *idp) sign(el *etree.Element, with keyPair, hash crypto.Hash) *etree.Element {
	p.t.Helper()
	signing, err := dsig.NewSigningContext(with.key, [][]byte{with.certificate})
	if err != nil {
		p.t.Fatal(err)
	}
	signing.Hash = hash
	signing.Canonicalizer = dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("")
	signature, err := signing.ConstructSignature(el, true)
	if err != nil {
		p.t.Fatal(err)
	}
	signed := el.Copy()
	signed.InsertChildAt(1, signature)
	return signed
}

// good is a right answer with a signed assertion.
func (p *idp) good(s says) *etree.Element {
	return p.response(s, p.sign(p.assertion(s), p.keys, crypto.SHA256))
}

// encode writes a response as the form has it.
func (p *idp) encode(response *etree.Element) string {
	return base64.StdEncoding.EncodeToString([]byte(p.text(response)))
}

func (p *idp) text(el *etree.Element) string {
	p.t.Helper()
	document := etree.NewDocument()
	document.SetRoot(el.Copy())
	text, err := document.WriteToString()
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// encrypt encrypts an assertion with the certificate of the server's metadata.
func (p *idp) encrypt(assertion *etree.Element, metadata []byte, cbc bool) *etree.Element {
	t := p.t
	t.Helper()
	var described types.EntityDescriptor
	if err := xml.Unmarshal(metadata, &described); err != nil {
		t.Fatal(err)
	}
	var der []byte
	for _, each := range described.SPSSODescriptor.KeyDescriptors {
		if each.Use == "encryption" {
			var err error
			if der, err = base64.StdEncoding.DecodeString(each.KeyInfo.X509Data.X509Certificates[0].Data); err != nil {
				t.Fatal(err)
			}
		}
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	key, plain := make([]byte, 16), []byte(p.text(assertion))
	_, _ = rand.Read(key)
	wrapped, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, certificate.PublicKey.(*rsa.PublicKey), key, nil)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	algorithm, data := types.MethodAES128GCM, []byte(nil)
	if cbc {
		algorithm = types.MethodAES128CBC
		padding := aes.BlockSize - len(plain)%aes.BlockSize
		plain = append(plain, make([]byte, padding)...)
		plain[len(plain)-1] = byte(padding)
		data = make([]byte, aes.BlockSize+len(plain))
		_, _ = rand.Read(data[:aes.BlockSize])
		cipher.NewCBCEncrypter(block, data[:aes.BlockSize]).CryptBlocks(data[aes.BlockSize:], plain)
	} else {
		sealer, err := cipher.NewGCM(block)
		if err != nil {
			t.Fatal(err)
		}
		nonce := make([]byte, sealer.NonceSize())
		_, _ = rand.Read(nonce)
		data = sealer.Seal(nonce, nonce, plain, nil)
	}
	document := etree.NewDocument()
	text :=
		`<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#">` +
			`<xenc:EncryptionMethod Algorithm="` + algorithm +
			`"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey>` +
			`<xenc:EncryptionMethod Algorithm="` + types.MethodRSAOAEP + `"/><xenc:CipherData><xenc:CipherValue>` +
			base64.StdEncoding.EncodeToString(wrapped) +
			`</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo>` +
			`<xenc:CipherData><xenc:CipherValue>` +
			base64.StdEncoding.EncodeToString(data) +
			`</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>`
	if err := document.ReadFromString(text); err != nil {
		t.Fatal(err)
	}
	return document.Root()
}

// edit changes the text of an encoded response.
func edit(t *testing.T, encoded, from, to string) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(raw), from, to, 1)
	if changed == string(raw) {
		t.Fatalf("%q is not in %s", from, raw)
	}
	return base64.StdEncoding.EncodeToString([]byte(changed))
}

// requestID reads the id of the request in the address that a sign-in begins with.
func requestID(t *testing.T, address string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return readRequest(t, parsed.Query().Get("SAMLRequest"))
}
