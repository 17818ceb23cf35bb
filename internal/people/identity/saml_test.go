package identity_test

import (
	"crypto"
	"encoding/base64"
	"encoding/xml"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beevik/etree"
	"github.com/russellhaering/gosaml2/types"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// forgery is an answer that must not let anybody in.
type forgery struct {
	name string
	make func(p *idp, request string) string
	says string
}

// evil says that somebody else has signed in than whom the provider let in.
func (p *idp) evil(request string) *etree.Element {
	return p.assertion(says{inResponseTo: request, nameID: "ada", email: "ada@example.org"})
}

// signatureOf takes the signature out of an element.
func signatureOf(el *etree.Element) *etree.Element {
	for _, child := range el.ChildElements() {
		if child.Tag == "Signature" {
			el.RemoveChild(child)
			return child
		}
	}
	return nil
}

// wrapped are the ways in which signatures have been wrapped (Somorovsky and others, "On Breaking SAML", 2012): what is
// signed stays in the document, and what is not is where a careless reader looks.
var wrapped = []forgery{
	{"XSW1: the signed response within the signature of another", func(p *idp, request string) string {
		signed := p.sign(p.good(says{inResponseTo: request}), p.keys, crypto.SHA256)
		forged := p.response(says{inResponseTo: request}, p.evil(request))
		signature := signatureOf(signed)
		signature.AddChild(signed)
		forged.InsertChildAt(1, signature)
		return p.encode(forged)
	}, "its signature has an element"},
	{"XSW2: the signed response beside its signature", func(p *idp, request string) string {
		signed := p.sign(p.good(says{inResponseTo: request}), p.keys, crypto.SHA256)
		forged := p.response(says{inResponseTo: request}, p.evil(request))
		signature := signatureOf(signed)
		forged.InsertChildAt(1, signed)
		forged.InsertChildAt(2, signature)
		return p.encode(forged)
	}, "about something else"},
	{"XSW3: another assertion before the signed one", func(p *idp, request string) string {
		good := p.sign(p.assertion(says{inResponseTo: request}), p.keys, crypto.SHA256)
		return p.encode(p.response(says{inResponseTo: request}, p.evil(request), good))
	}, "exactly one"},
	{"another assertion after the signed one", func(p *idp, request string) string {
		good := p.sign(p.assertion(says{inResponseTo: request}), p.keys, crypto.SHA256)
		return p.encode(p.response(says{inResponseTo: request}, good, p.evil(request)))
	}, "exactly one"},
	{"XSW4: the signed assertion within another", func(p *idp, request string) string {
		evil := p.evil(request)
		evil.AddChild(p.sign(p.assertion(says{inResponseTo: request}), p.keys, crypto.SHA256))
		return p.encode(p.response(says{inResponseTo: request}, evil))
	}, "exactly one"},
	{"XSW5: the signature in another assertion, the signed one behind", func(p *idp, request string) string {
		good := p.sign(p.assertion(says{inResponseTo: request}), p.keys, crypto.SHA256)
		evil := p.evil(request)
		evil.InsertChildAt(1, signatureOf(good))
		return p.encode(p.response(says{inResponseTo: request}, evil, good))
	}, "exactly one"},
	{"XSW6: the signed assertion within its own signature in another", func(p *idp, request string) string {
		good := p.sign(p.assertion(says{inResponseTo: request}), p.keys, crypto.SHA256)
		evil, signature := p.evil(request), signatureOf(good)
		signature.AddChild(good)
		evil.InsertChildAt(1, signature)
		return p.encode(p.response(says{inResponseTo: request}, evil))
	}, "exactly one"},
	{"XSW7: the other assertion among the extensions", func(p *idp, request string) string {
		response := p.good(says{inResponseTo: request})
		extensions := etree.NewElement("samlp:Extensions")
		extensions.AddChild(p.evil(request))
		response.InsertChildAt(1, extensions)
		return p.encode(response)
	}, "exactly one"},
	{"XSW8: the signed assertion in an object of the signature of another", func(p *idp, request string) string {
		good := p.sign(p.assertion(says{inResponseTo: request}), p.keys, crypto.SHA256)
		evil, signature := p.evil(request), signatureOf(good)
		signature.CreateElement("ds:Object").AddChild(good)
		evil.InsertChildAt(1, signature)
		return p.encode(p.response(says{inResponseTo: request}, evil))
	}, "exactly one"},
	{"one id for two assertions", func(p *idp, request string) string {
		good := p.sign(p.assertion(says{id: "_same", inResponseTo: request}), p.keys, crypto.SHA256)
		evil := p.assertion(says{id: "_same", inResponseTo: request, nameID: "ada", email: "ada@example.org"})
		return p.encode(p.response(says{inResponseTo: request}, evil, good))
	}, "one id"},
	{"an encrypted assertion beside the signed one", func(p *idp, request string) string {
		good := p.sign(p.assertion(says{inResponseTo: request}), p.keys, crypto.SHA256)
		hidden := etree.NewElement("saml:EncryptedAssertion")
		hidden.AddChild(p.evil(request))
		return p.encode(p.response(says{inResponseTo: request}, hidden, good))
	}, "exactly one"},
	{"another assertion in another namespace", func(p *idp, request string) string {
		evil := p.evil(request)
		evil.CreateAttr("xmlns:saml", "urn:something:else")
		good := p.sign(p.assertion(says{inResponseTo: request}), p.keys, crypto.SHA256)
		return p.encode(p.response(says{inResponseTo: request}, evil, good))
	}, "exactly one"},
	{"an id disguised by a prefix", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{id: "_signed", inResponseTo: request})), `ID="_signed"`,
			`ID="_other" xmlns:x="urn:x" x:ID="_signed"`)
	}, "id with a namespace prefix"},
	{"the signature of another assertion", func(p *idp, request string) string {
		good := p.sign(p.assertion(says{inResponseTo: request}), p.keys, crypto.SHA256)
		evil := p.evil(request)
		evil.InsertChildAt(1, signatureOf(good))
		return p.encode(p.response(says{inResponseTo: request}, evil))
	}, "about something else"},
	{"the signature of an assertion with the same id", func(p *idp, request string) string {
		good := p.sign(p.assertion(says{id: "_same", inResponseTo: request}), p.keys, crypto.SHA256)
		evil := p.assertion(says{id: "_same", inResponseTo: request, nameID: "ada", email: "ada@example.org"})
		evil.InsertChildAt(1, signatureOf(good))
		return p.encode(p.response(says{inResponseTo: request}, evil))
	}, "not signed by a certificate"},
}

// unsigned are answers whose signature is missing, of somebody else, or does not fit.
var unsigned = []forgery{
	{"no signature at all", func(p *idp, request string) string {
		return p.encode(p.response(says{inResponseTo: request}, p.assertion(says{inResponseTo: request})))
	}, "is not signed"},
	{"the response alone is signed", func(p *idp, request string) string {
		return p.encode(p.sign(p.response(says{inResponseTo: request}, p.assertion(says{inResponseTo: request})),
			p.keys, crypto.SHA256))
	}, "is not signed"},
	{"the signature was taken away", func(p *idp, request string) string {
		response := p.good(says{inResponseTo: request})
		signatureOf(response.ChildElements()[2])
		return p.encode(response)
	}, "is not signed"},
	{"signed with another key", func(p *idp, request string) string {
		other := newKeyPair(p.t, 1, p.now.Add(-time.Hour), p.now.Add(time.Hour))
		return p.encode(p.response(says{inResponseTo: request}, p.sign(p.assertion(says{inResponseTo: request}), other,
			crypto.SHA256)))
	}, "not signed by a certificate"},
	{"signed with another key under the provider's certificate", func(p *idp, request string) string {
		other := keyPair{keys()[1], p.keys.certificate}
		return p.encode(p.response(says{inResponseTo: request}, p.sign(p.assertion(says{inResponseTo: request}), other,
			crypto.SHA256)))
	}, "not signed by a certificate"},
	{"changed after it was signed", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), "grace@example.org", "ada@example.org")
	}, "not signed by a certificate"},
	{"a response that was changed after it was signed", func(p *idp, request string) string {
		signed := p.sign(p.good(says{inResponseTo: request}), p.keys, crypto.SHA256)
		return edit(p.t, p.encode(signed), `Version="2.0"`, `Version="2.0" Consent="urn:x"`)
	}, "its Response is not signed by a certificate"},
	{"signed with SHA-1", func(p *idp, request string) string {
		return p.encode(p.response(says{inResponseTo: request}, p.sign(p.assertion(says{inResponseTo: request}), p.keys,
			crypto.SHA1)))
	}, "not accepted"},
	{"a digest of SHA-1", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), "http://www.w3.org/2001/04/xmlenc#sha256",
			"http://www.w3.org/2000/09/xmldsig#sha1")
	}, "not accepted"},
	{"canonicalisation that keeps comments", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), `xml-exc-c14n#"`, `xml-exc-c14n#WithComments"`)
	}, "not accepted"},
	{"another transform", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), "xmldsig#enveloped-signature", "xmldsig#base64")
	}, "not accepted"},
	{"a signature of the whole document", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{id: "_signed", inResponseTo: request})), `URI="#_signed"`, `URI=""`)
	}, "about something else"},
	{"two references", func(p *idp, request string) string {
		response := p.good(says{inResponseTo: request})
		info := response.FindElement("//SignedInfo")
		info.AddChild(info.FindElement("./Reference").Copy())
		return p.encode(response)
	}, "has 2 elements Reference"},
	{"two signed infos", func(p *idp, request string) string {
		response := p.good(says{inResponseTo: request})
		signature := response.FindElement("//Signature")
		signature.AddChild(response.FindElement("//SignedInfo").Copy())
		return p.encode(response)
	}, "has 2 elements SignedInfo"},
	{"an HMAC with the public certificate", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), "xmldsig-more#rsa-sha256",
			"xmldsig-more#hmac-sha256")
	}, "not accepted"},
	{"one transform more", func(p *idp, request string) string {
		response := p.good(says{inResponseTo: request})
		response.FindElement("//Transforms").CreateElement("ds:Transform").CreateAttr("Algorithm",
			"http://www.w3.org/TR/1999/REC-xslt-19991116")
		return p.encode(response)
	}, "has 3 transforms"},
	{"a key that the answer brings along", func(p *idp, request string) string {
		other := newKeyPair(p.t, 1, p.now.Add(-time.Hour), p.now.Add(time.Hour))
		response := p.response(says{inResponseTo: request}, p.sign(p.evil(request), other, crypto.SHA256))
		if response.FindElement("//KeyInfo/X509Data/X509Certificate") == nil {
			p.t.Fatal("the answer brings no key along")
		}
		return p.encode(response)
	}, "not signed by a certificate"},
	{"two signatures", func(p *idp, request string) string {
		response := p.good(says{inResponseTo: request})
		assertion := response.FindElement("./Assertion")
		assertion.AddChild(assertion.FindElement("./Signature").Copy())
		return p.encode(response)
	}, "signature"},
}

// misdirected are right answers about something else, at another time, or from somebody else.
var misdirected = []forgery{
	say("another audience", says{audience: "https://elsewhere.example/metadata"}, "another audience"),
	say("no audience", says{noAudience: true}, "for whom"),
	say("no conditions", says{noConditions: true}, "Conditions"),
	say("another recipient", says{recipient: "https://elsewhere.example/acs"}, "recipient"),
	say("another destination", says{destination: "https://elsewhere.example/acs"}, "is meant for"),
	say("another issuer", says{issuer: "https://evil.example"}, "issued by"),
	say("another issuer of the response", says{responseIssuer: "https://evil.example"}, "issued by"),
	say("holder of a key", says{method: "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"}, "bearer"),
	say("a failed sign-in", says{status: "urn:oasis:names:tc:SAML:2.0:status:Responder"}, "Responder"),
	say("nobody signed in", says{noAuthn: true}, "anybody has signed in"),
	say("a name that is another one each time", says{format: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"},
		"lasting name"),
	say("no name", says{noNameID: true}, "lasting name"),
	say("another request in the response", says{responseInResponseTo: "_other"}, "answers the request"),
	say("no request in the response", says{responseInResponseTo: "none"}, "answers the request"),
	{"expired", func(p *idp, request string) string {
		return p.encode(p.good(says{inResponseTo: request, notOnOrAfter: p.now.Add(-2 * time.Minute)}))
	}, "expired at"},
	{"expired confirmation", func(p *idp, request string) string {
		return p.encode(p.good(says{inResponseTo: request, confirmedUntil: p.now.Add(-2 * time.Minute)}))
	}, "expired at"},
	{"not yet valid", func(p *idp, request string) string {
		return p.encode(p.good(says{inResponseTo: request, notBefore: p.now.Add(2 * time.Minute)}))
	}, "not valid before"},
	changed("no recipient", "//SubjectConfirmationData", func(el *etree.Element) {
		el.RemoveAttr("Recipient")
	}, "for the recipient"),
	changed("no end of the confirmation", "//SubjectConfirmationData", func(el *etree.Element) {
		el.RemoveAttr("NotOnOrAfter")
	}, "until when"),
	changed("a time that is none", "//Conditions", func(el *etree.Element) { el.CreateAttr("NotBefore", "yesterday") },
		"has the time"),
	changed("a condition that nobody knows", "//Conditions", func(el *etree.Element) {
		el.CreateElement("saml:Condition")
	}, "does not know"),
	changed("a second subject", "//Subject", func(el *etree.Element) { el.Parent().AddChild(el.Copy()) },
		"2 elements Subject"),
	changed("a second name", "//NameID", func(el *etree.Element) { el.Parent().AddChild(el.Copy()) },
		"2 elements NameID"),
	changed("no issuer", "/Issuer", func(el *etree.Element) { el.Parent().RemoveChild(el) }, "has 0 issuers"),
	{"a session that is over", func(p *idp, request string) string {
		return p.encode(p.good(says{inResponseTo: request, sessionUntil: p.now.Add(-2 * time.Minute)}))
	}, "session"},
}

func say(name string, s says, want string) forgery {
	return forgery{name, func(p *idp, request string) string {
		s := s
		s.inResponseTo = request
		return p.encode(p.good(s))
	}, want}
}

// changed is an answer whose assertion was changed before the provider signed it.
func changed(name, path string, change func(*etree.Element), want string) forgery {
	return forgery{name, func(p *idp, request string) string {
		assertion := p.assertion(says{inResponseTo: request})
		el := assertion.FindElement("." + path)
		if el == nil {
			p.t.Fatalf("the assertion has no %s", path)
		}
		change(el)
		return p.encode(p.response(says{inResponseTo: request}, p.sign(assertion, p.keys, crypto.SHA256)))
	}, want}
}

// malformed are documents that attack the parser, or what different parsers make of them.
var malformed = []forgery{
	{"a comment in the name", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request, nameID: "ada.evil"})), ">ada.evil<",
			">ada<!---->.evil<")
	}, "comment"},
	{"a comment in the address", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request, email: "ada@example.org.evil.example"})),
			"ada@example.org.evil.example", "ada@example.org<!-- -->.evil.example")
	}, "comment"},
	{"a processing instruction", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), ">grace<", "><?x y?>grace<")
	}, "processing instruction"},
	{"an element in the name", func(p *idp, request string) string {
		assertion := p.assertion(says{inResponseTo: request})
		name := assertion.FindElement("//NameID")
		name.CreateElement("saml:b").SetText(".evil")
		return p.encode(p.response(says{inResponseTo: request}, p.sign(assertion, p.keys, crypto.SHA256)))
	}, "more in it than a text"},
	{"a document type", func(p *idp, request string) string { return p.with(request, `<!DOCTYPE x>`) },
		"document type"},
	{"an external entity", func(p *idp, request string) string {
		return p.with(request, `<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>`)
	}, "document type"},
	{"an entity bomb", func(p *idp, request string) string {
		return p.with(request, `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`)
	}, "document type"},
	{"an entity that nobody knows", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), ">grace<", ">&xxe;<")
	}, "well-formed"},
	{"an attribute twice", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), `Version="2.0"`, `Version="2.0" Version="2.0"`)
	}, "twice"},
	{"another encoding", func(p *idp, request string) string {
		return p.with(request, `<?xml version="1.0" encoding="UTF-7"?>`)
	}, "well-formed"},
	{"bytes that are no UTF-8", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), ">grace<", ">gr\xffce<")
	}, "UTF-8"},
	{"huge", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), ">grace<", ">"+strings.Repeat("grace", 120_000)+
			"<")
	}, "larger than"},
	{"more than huge", func(*idp, string) string { return strings.Repeat("AAAA", 1<<20) }, "larger than"},
	{"very many parts", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), "</samlp:Response>",
			strings.Repeat("<a/>", 30_000)+"</samlp:Response>")
	}, "parts"},
	{"nested deeply", func(p *idp, request string) string {
		return edit(p.t, p.encode(p.good(says{inResponseTo: request})), "</samlp:Response>",
			strings.Repeat("<a>", 1000)+strings.Repeat("</a>", 1000)+"</samlp:Response>")
	}, "deep"},
	{"no base64", func(*idp, string) string { return "<Response/>" }, "base64"},
	{"no XML", func(*idp, string) string { return base64.StdEncoding.EncodeToString([]byte("hello")) }, "well-formed"},
	{"nothing", func(*idp, string) string { return "" }, "well-formed"},
	{"another document", func(*idp, string) string {
		return base64.StdEncoding.EncodeToString(
			[]byte(`<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>`))
	}, "no SAML 2.0 response"},
	{"a response without an assertion", func(p *idp, request string) string {
		return p.encode(p.response(says{inResponseTo: request}))
	}, "exactly one"},
}

// with puts something before the document.
func (p *idp) with(request, prolog string) string {
	return base64.StdEncoding.EncodeToString([]byte(prolog + p.text(p.good(says{inResponseTo: request}))))
}

func TestForgedAnswersAreRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		before := h.state()
		for group, forgeries := range map[string][]forgery{"wrapped": wrapped, "unsigned": unsigned,
			"misdirected": misdirected, "malformed": malformed} {
			for _, forged := range forgeries {
				t.Run(group+"/"+forged.name, func(t *testing.T) {
					request := h.begin(newBrowser(), h.idp, "")
					ticket, err := h.receive(h.idp, forged.make(h.idp, request))
					if ticket != "" {
						t.Error("there is a ticket")
					}
					refuse(t, err, errs.Forbidden, forged.says)
				})
			}
		}
		if after := h.state(); after != before {
			t.Errorf("something has changed:\n%s\n%s", before, after)
		}
	})
}

func TestGoodAnswersAreAccepted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		metadata, err := h.service.Metadata(t.Context(), h.idp.provider.ID)
		if err != nil {
			t.Fatal(err)
		}
		for name, answer := range map[string]func(s says) *etree.Element{
			"signed assertion": h.idp.good,
			"signed assertion and response": func(s says) *etree.Element {
				return h.idp.sign(h.idp.good(s), h.idp.keys, crypto.SHA256)
			},
			"SHA-512": func(s says) *etree.Element {
				return h.idp.response(s, h.idp.sign(h.idp.assertion(s), h.idp.keys, crypto.SHA512))
			},
			"encrypted": func(s says) *etree.Element {
				return h.idp.response(s, h.idp.encrypt(h.idp.sign(h.idp.assertion(s), h.idp.keys, crypto.SHA256),
					metadata, false))
			},
			"encrypted with CBC": func(s says) *etree.Element {
				return h.idp.response(s, h.idp.encrypt(h.idp.sign(h.idp.assertion(s), h.idp.keys, crypto.SHA256),
					metadata, true))
			},
			"encrypted in a signed response": func(s says) *etree.Element {
				encrypted := h.idp.encrypt(h.idp.sign(h.idp.assertion(s), h.idp.keys, crypto.SHA256), metadata, false)
				return h.idp.sign(h.idp.response(s, encrypted), h.idp.keys, crypto.SHA256)
			},
		} {
			t.Run(name, func(t *testing.T) {
				b := newBrowser()
				s := says{inResponseTo: h.begin(b, h.idp, "/account?tab=1")}
				ticket, err := h.receive(h.idp, h.idp.encode(answer(s)))
				if err != nil {
					t.Fatal(err)
				}
				outcome, err := h.finish(b, ticket, "")
				if err != nil || outcome.User.Email != "grace@example.org" ||
					outcome.User.DisplayName != "Grace Hopper" || outcome.ReturnTo != "/account?tab=1" {
					t.Fatalf("%+v, %v", outcome, err)
				}
				if _, err := h.finish(b, ticket, ""); !errs.Is(err, errs.Forbidden) {
					t.Errorf("the ticket worked twice: %v", err)
				}
			})
		}
		if users := h.count("account_user"); users != 2 {
			t.Errorf("there are %d users", users)
		}
	})
}

func TestEncryptedForgeriesLookAlike(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	metadata, err := h.service.Metadata(t.Context(), h.idp.provider.ID)
	if err != nil {
		t.Fatal(err)
	}
	s := says{inResponseTo: h.begin(newBrowser(), h.idp, "")}
	other := newKeyPair(t, 1, h.now.Add(-time.Hour), h.now.Add(time.Hour))
	commented := h.idp.sign(h.idp.assertion(s), h.idp.keys, crypto.SHA256)
	commented.CreateComment("x")
	nested := h.idp.assertion(s)
	nested.CreateElement("saml:Advice").AddChild(h.idp.evil(s.inResponseTo))
	messages := map[string]bool{}
	for name, assertion := range map[string]*etree.Element{
		"unsigned":    h.idp.assertion(s),
		"another key": h.idp.sign(h.idp.assertion(s), other, crypto.SHA256),
		"a comment":   commented,
		"nested":      h.idp.sign(nested, h.idp.keys, crypto.SHA256),
		"no XML":      etree.NewElement("x"),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := h.receive(h.idp, h.idp.encode(h.idp.response(s, h.idp.encrypt(assertion, metadata, true))))
			refuse(t, err, errs.Forbidden, "cannot be decrypted")
			messages[err.Error()] = true
		})
	}
	t.Run("broken cipher text", func(t *testing.T) {
		response := h.idp.response(s, h.idp.encrypt(h.idp.sign(h.idp.assertion(s), h.idp.keys, crypto.SHA256), metadata,
			true))
		value := response.FindElement("//EncryptedData/CipherData/CipherValue")
		text := []byte(value.Text())
		text[len(text)-8] ^= 1
		value.SetText(string(text))
		_, err := h.receive(h.idp, h.idp.encode(response))
		refuse(t, err, errs.Forbidden, "cannot be decrypted")
		messages[err.Error()] = true
	})
	if len(messages) != 1 {
		t.Errorf("the refusals can be told apart: %v", messages)
	}
}

func TestAnswersAreUsedOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		answer := h.idp.encode(h.idp.good(says{inResponseTo: h.begin(newBrowser(), h.idp, "")}))
		// Several processes on one database, at the same time.
		var group sync.WaitGroup
		var lock sync.Mutex
		accepted := 0
		for range 4 {
			group.Go(func() {
				_, err := identity.New(h.deps).ReceiveSAML(t.Context(), h.idp.provider.ID, answer, "")
				lock.Lock()
				defer lock.Unlock()
				if err == nil {
					accepted++
				} else {
					refuse(t, err, errs.Forbidden, "used before")
				}
			})
		}
		group.Wait()
		if accepted != 1 {
			t.Errorf("accepted %d times", accepted)
		}
		// As long as it could be used it is remembered, and no longer.
		h.now = h.now.Add(5*time.Minute + 59*time.Second)
		if err := h.service.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err := h.receive(h.idp, answer)
		refuse(t, err, errs.Forbidden, "used before")
		h.now = h.now.Add(10 * time.Minute)
		if err := h.service.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if count := h.count("identity_assertion") + h.count("identity_arrival"); count != 0 {
			t.Errorf("%d rows are left", count)
		}
	})
}

func TestCertificatesRotate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		next := newKeyPair(t, 2, h.now.Add(-time.Hour), h.now.Add(2*365*24*time.Hour))
		answer := func(with keyPair) error {
			_, err := h.receive(h.idp,
				h.idp.encode(h.idp.response(says{}, h.idp.sign(h.idp.assertion(says{}), with, crypto.SHA256))))
			return err
		}
		refuse(t, answer(next), errs.Forbidden, "not signed by a certificate")
		change := func(certificate string) {
			t.Helper()
			changed, err := h.service.Update(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID,
				identity.Change{Certificate: optional.Of(certificate)})
			if err != nil || changed.Certificate != certificate || changed.Status != identity.Active {
				t.Fatalf("%+v, %v", changed, err)
			}
		}
		bare := func(k keyPair) string { return base64.StdEncoding.EncodeToString(k.certificate) }
		for name, both := range map[string]string{"PEM": h.idp.keys.pem() + next.pem(), "base64": bare(h.idp.keys) +
			"\n\n" + bare(next)} {
			change(both)
			if err := answer(h.idp.keys); err != nil {
				t.Errorf("%s, the old one: %v", name, err)
			}
			if err := answer(next); err != nil {
				t.Errorf("%s, the new one: %v", name, err)
			}
		}
		// The old one expires, the new one goes on.
		h.now = h.now.Add(366 * 24 * time.Hour)
		h.idp.now = h.now
		refuse(t, answer(h.idp.keys), errs.Forbidden, "not signed by a certificate")
		if err := answer(next); err != nil {
			t.Error(err)
		}
		h.now = h.now.Add(366 * 24 * time.Hour)
		h.idp.now = h.now
		refuse(t, answer(next), errs.Forbidden, "certificates have expired")
		found, err := h.service.Get(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID)
		if err != nil || found.Status != identity.Pending {
			t.Errorf("%s, %v", found.Status, err)
		}
		// An expired certificate keeps nothing else from being changed.
		if _, err := h.service.Update(t.Context(), h.admin, h.org, identity.SAML, h.idp.provider.ID,
			identity.Change{Label: optional.Of("Other")}); err != nil {
			t.Error(err)
		}
	})
}

func TestAnswersBelongToTheBrowserThatAsked(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	b := newBrowser()
	before := h.count("account_user")
	request := h.begin(b, h.idp, "/account")
	ticket, err := h.receive(h.idp, h.idp.encode(h.idp.good(says{inResponseTo: request})))
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.finish(newBrowser(), ticket, "")
	refuse(t, err, errs.Forbidden, "not begun in this browser")
	// What a browser has kept of another attempt, or under another name, is none of this one.
	other := newBrowser()
	other.attempts[request] = b.attempts[h.begin(b, h.idp, "")]
	_, err = h.finish(other, ticket, "")
	refuse(t, err, errs.Forbidden, "not begun in this browser")
	other.attempts[request] = b.attempts[request] + "x"
	_, err = h.finish(other, ticket, "")
	refuse(t, err, errs.Forbidden, "not begun in this browser")

	unknown, err := h.receive(h.idp, h.idp.encode(h.idp.good(says{inResponseTo: "_never-asked"})))
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.finish(b, unknown, "")
	refuse(t, err, errs.Forbidden, "not begun in this browser")
	if h.count("account_user") != before || h.count("identity_link") != 0 {
		t.Error("something has changed")
	}

	h.now = h.now.Add(identity.AttemptLifetime)
	_, err = h.finish(b, ticket, "")
	refuse(t, err, errs.Forbidden, "took too long")
}

func TestProvidersMayBegin(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	for relay, want := range map[string]string{
		"": "", "/account/sessions": "/account/sessions", "https://evil.example/": "", "//evil.example": "",
		`/\evil.example`: "", "/a\tb": "",
		"javascript:alert(1)": "", "/" + strings.Repeat("x", 3000): "",
	} {
		ticket, err := h.service.ReceiveSAML(t.Context(), h.idp.provider.ID, h.idp.encode(h.idp.good(says{})), relay)
		if err != nil {
			t.Fatal(err)
		}
		asked, err := h.finish(newBrowser(), ticket, "")
		if err != nil || asked.Ask != identity.Continue || asked.User.ID != "" || asked.Email != "grace@example.org" ||
			asked.Organization != "Example" {
			t.Fatalf("%+v, %v", asked, err)
		}
		outcome, err := h.finish(newBrowser(), ticket, identity.Continue)
		if err != nil || outcome.User.Email != "grace@example.org" || outcome.ReturnTo != want {
			t.Errorf("%q: %+v, %v", relay, outcome, err)
		}
	}
}

// TestSessionsLastAsLongAsTheProviderSays holds that the end which an assertion gives to the session comes with the
// person.
func TestSessionsLastAsLongAsTheProviderSays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		signIn := func(s says) identity.Outcome {
			t.Helper()
			b := newBrowser()
			s.inResponseTo = h.begin(b, h.idp, "")
			ticket, err := h.receive(h.idp, h.idp.encode(h.idp.good(s)))
			if err != nil {
				t.Fatal(err)
			}
			outcome, err := h.finish(b, ticket, "")
			if err != nil {
				t.Fatal(err)
			}
			return outcome
		}
		if outcome := signIn(says{}); !outcome.Until.IsZero() {
			t.Errorf("until %s, though the provider does not say", outcome.Until)
		}
		end := h.now.Add(8 * time.Hour).Truncate(time.Second)
		if outcome := signIn(says{sessionUntil: end}); !outcome.Until.Equal(end.Add(time.Minute)) {
			t.Errorf("until %s, want a minute after %s", outcome.Until, end)
		}
	})
}

func TestMetadata(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	first, err := h.service.Metadata(t.Context(), h.idp.provider.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`entityID="` + h.idp.provider.Service.EntityID + `"`, `Location="` + h.idp.provider.Service.ACS + `"`,
		`WantAssertionsSigned="true"`, `AuthnRequestsSigned="true"`, "nameid-format:persistent",
	} {
		if !strings.Contains(string(first), want) {
			t.Errorf("%s is not in\n%s", want, first)
		}
	}
	// Providers keep a copy for years.
	var described types.EntityDescriptor
	if err := xml.Unmarshal(first, &described); err != nil {
		t.Fatal(err)
	}
	if described.ValidUntil.Before(h.now.AddDate(10, 0, 0)) {
		t.Errorf("the metadata is good until %s only", described.ValidUntil)
	}
	// Another process has the same key.
	second, err := identity.New(h.deps).Metadata(t.Context(), h.idp.provider.ID)
	if err != nil || string(second) != string(first) {
		t.Errorf("another process says something else: %v\n%s", err, second)
	}
	if _, err := h.service.Metadata(t.Context(), "saml_nobody"); !errs.Is(err, errs.NotFound) {
		t.Error(err)
	}
}

// TestAnswersStayWithTheirProvider holds that two providers with one key and one name are still two.
func TestAnswersStayWithTheirProvider(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	otherOrg, otherAdmin := h.otherOrganization("eve@evil.example")
	other := h.newIDP(otherAdmin, otherOrg, 0)
	answer := h.idp.encode(h.idp.good(says{}))
	_, err := h.receive(other, answer)
	refuse(t, err, errs.Forbidden, "is meant for")
	if _, err := h.receive(h.idp, answer); err != nil {
		t.Error(err)
	}
	if _, err := h.service.Begin(t.Context(), identity.OIDC, h.idp.provider.ID, ""); !errs.Is(err, errs.NotFound) {
		t.Error(err)
	}
	if _, err := h.service.Update(t.Context(), otherAdmin, otherOrg, identity.SAML, h.idp.provider.ID,
		identity.Change{DefaultRole: optional.Of(org.RoleAdmin)}); !errs.Is(err, errs.NotFound) {
		t.Error(err)
	}
}
