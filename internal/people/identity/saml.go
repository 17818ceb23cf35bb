package identity

import (
	"context"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/beevik/etree"
	saml2 "github.com/russellhaering/gosaml2"
	dsig "github.com/russellhaering/goxmldsig"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// statusSuccess is the status of an answer that says who somebody is.
const statusSuccess = "urn:oasis:names:tc:SAML:2.0:status:Success"

// serviceProvider is this server towards one provider.
func (s *Service) serviceProvider(ctx context.Context, p Provider) (*saml2.SAMLServiceProvider, error) {
	key, err := s.serviceKey(ctx)
	if err != nil {
		return nil, err
	}
	here := p.endpoints(s.deps.BaseURL)
	return &saml2.SAMLServiceProvider{
		IdentityProviderSSOURL: p.SSOURL, IdentityProviderIssuer: p.EntityID,
		ServiceProviderIssuer: here.EntityID, AudienceURI: here.EntityID, AssertionConsumerServiceURL: here.ACS,
		SignAuthnRequests: true, SPKeyStore: dsig.TLSCertKeyStore(key.pair), Clock: clockAt(s.clock()),
	}, nil
}

// Metadata returns what a SAML provider has to know of this server, as XML; errs.NotFound for a provider that is not
// there.
func (s *Service) Metadata(ctx context.Context, providerID id.Provider) ([]byte, error) {
	p, err := providerByID(ctx, s.deps.DB.Read(), SAML, providerID)
	if err != nil {
		return nil, err
	}
	service, err := s.serviceProvider(ctx, p)
	if err != nil {
		return nil, err
	}
	metadata, err := service.Metadata()
	if err != nil {
		return nil, fmt.Errorf("make metadata: %w", err)
	}
	metadata.SPSSODescriptor.NameIDFormats = []string{formatPersistent, formatEmail}
	// Most providers are given a copy and never ask again. The library's week would end every sign-in with it.
	key, err := s.serviceKey(ctx)
	if err != nil {
		return nil, err
	}
	metadata.ValidUntil = key.pair.Leaf.NotAfter
	encoded, err := xml.MarshalIndent(metadata, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode metadata: %w", err)
	}
	return append([]byte(xml.Header), append(encoded, '\n')...), nil
}

// request is the address at the provider to send somebody to, and the id of the request in it.
func (s *Service) request(ctx context.Context, p Provider) (address, id string, err error) {
	service, err := s.serviceProvider(ctx, p)
	if err != nil {
		return "", "", err
	}
	document, err := service.BuildAuthRequestDocumentNoSig() // the signature is in the address
	if err != nil {
		return "", "", fmt.Errorf("make a SAML request: %w", err)
	}
	address, err = service.BuildAuthURLRedirect("", document)
	if err != nil {
		return "", "", fmt.Errorf("make the address of a SAML request: %w", err)
	}
	return address, document.Root().SelectAttrValue("ID", ""), nil
}

// ReceiveSAML checks the answer that a browser brings from a SAML provider, in base64, and returns the ticket with
// which Finish lets the person in. relayState is where they go then when the provider began; anything but a path of
// this server is passed over. An answer is accepted once.
func (s *Service) ReceiveSAML(ctx context.Context, providerID id.Provider, response,
	relayState string) (ticket string, err error) {
	p, err := providerByID(ctx, s.deps.DB.Read(), SAML, providerID)
	if err != nil {
		return "", err
	}
	if p.status(s.clock()) != Active {
		return "", pending(p)
	}
	said, err := s.verifyResponse(ctx, p, response)
	if err != nil {
		return "", err
	}
	a := said.arrival(p, s.clock())
	if a.attempt == "" {
		a.returnTo = LocalPath(relayState)
	}
	var hash []byte
	ticket, hash = newTicket()
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		fresh, err := use(ctx, q, p.ID, said.id, said.until.Add(2*skew))
		if err != nil {
			return err
		}
		if !fresh {
			return refused("it was used before. Begin to sign in again.")
		}
		return insertArrival(ctx, q, hash, a)
	})
	if err != nil {
		return "", err
	}
	return ticket, nil
}

// verifyResponse returns what a response says of somebody, when everything about it is right.
func (s *Service) verifyResponse(ctx context.Context, p Provider, encoded string) (statement, error) {
	if len(encoded) > base64.StdEncoding.EncodedLen(maxDocument)+maxDocument/32 {
		return statement{}, refused("it is larger than %d kB.", maxDocument>>10)
	}
	raw, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\r", "", "\n", "", " ", "").Replace(encoded))
	if err != nil {
		return statement{}, refused("it is not base64.")
	}
	response, err := readDocument(raw)
	if err != nil {
		return statement{}, err
	}
	here := p.endpoints(s.deps.BaseURL)
	assertion, err := s.assertionIn(ctx, response, p, here)
	if err != nil {
		return statement{}, err
	}
	return read(assertion, response, p, here, s.clock())
}

// assertionIn returns the verified assertion of a response.
func (s *Service) assertionIn(ctx context.Context, response *etree.Element, p Provider,
	here Endpoints) (*etree.Element, error) {
	if err := checkResponse(response, p, here); err != nil {
		return nil, err
	}
	now, certificates := s.clock(), p.trusted(s.clock())
	// The signature of the response is not asked for and does not make up for one of the assertion, but it has to be
	// right.
	if len(children(response, signatureSpace, dsig.SignatureTag)) > 0 {
		if _, err := verify(response, certificates, now); err != nil {
			return nil, err
		}
	}
	// One assertion, as a child of the response, and none anywhere else: what is signed and what is read cannot be two
	// things.
	candidates := named(response, "Assertion", "EncryptedAssertion")
	if len(candidates) != 1 || candidates[0].Parent() != response || candidates[0].NamespaceURI() != assertionSpace {
		return nil, refused("it has %d assertions, or one in a place where none belongs; there has to be exactly one.",
			len(candidates))
	}
	assertion, encrypted := candidates[0], candidates[0].Tag == "EncryptedAssertion"
	if encrypted {
		key, err := s.serviceKey(ctx)
		if err != nil {
			return nil, err
		}
		if assertion, err = decrypt(assertion, key.pair); err != nil {
			return nil, err
		}
	}
	verified, err := verifyAssertion(assertion, func(el *etree.Element) (*etree.Element, error) {
		return verify(el, certificates, now)
	})
	if err != nil && encrypted {
		return nil, errUnreadable
	}
	return verified, err
}

// verifyAssertion verifies an assertion in which no other one and no other signature hides.
func verifyAssertion(assertion *etree.Element,
	verify func(*etree.Element) (*etree.Element, error)) (*etree.Element, error) {
	if !is(assertion, assertionSpace, "Assertion") || len(named(assertion, "Assertion", "EncryptedAssertion")) != 1 {
		return nil, refused("it has assertions within assertions.")
	}
	if signatures := named(assertion, dsig.SignatureTag); len(signatures) > 1 ||
		(len(signatures) == 1 && signatures[0].Parent() != assertion) {
		return nil, refused("its signature is in a place where none belongs.")
	}
	return verify(assertion)
}

// checkResponse refuses what is no answer for this server, or one that says no. Nothing of the response but its
// assertion is signed for certain, so that nothing here lets anybody in.
func checkResponse(response *etree.Element, p Provider, here Endpoints) error {
	if !is(response, protocolSpace, "Response") {
		return refused("it is no SAML 2.0 response.")
	}
	if version := attribute(response, "Version"); version != "2.0" {
		return refused("it is of SAML %.10q; 2.0 is accepted.", version)
	}
	if destination := attribute(response, "Destination"); destination != "" && destination != here.ACS {
		return refused("it is meant for %.200q, and this is %s.", destination, here.ACS)
	}
	if issuers := children(response, assertionSpace, "Issuer"); len(issuers) > 0 {
		if err := checkIssuer(issuers, p); err != nil {
			return err
		}
	}
	status, err := single(response, protocolSpace, "Status")
	if err != nil {
		return err
	}
	code, err := single(status, protocolSpace, "StatusCode")
	if err != nil {
		return err
	}
	if value := attribute(code, "Value"); value != statusSuccess {
		detail := ""
		for _, inner := range children(code, protocolSpace, "StatusCode") {
			detail = attribute(inner, "Value")
		}
		return refused("it says that the sign-in failed (%.100s %.100s).", lastPart(value), lastPart(detail))
	}
	return nil
}

func checkIssuer(issuers []*etree.Element, p Provider) error {
	if len(issuers) != 1 {
		return refused("it has %d issuers.", len(issuers))
	}
	issuer, err := text(issuers[0])
	if err != nil {
		return err
	}
	if issuer != p.EntityID {
		return refused("it is issued by %.200q; the provider's entity id here is %.200q.", issuer, p.EntityID)
	}
	return nil
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }
