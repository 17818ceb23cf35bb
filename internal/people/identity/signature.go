package identity

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/xml"
	"slices"
	"time"

	"github.com/beevik/etree"
	"github.com/russellhaering/gosaml2/types"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

// Algorithms that are accepted. SHA-1 is broken for signatures, RSA with PKCS #1 v1.5 padding for encryption.
var (
	signatureMethods = []string{
		dsig.RSASHA256SignatureMethod, dsig.RSASHA384SignatureMethod, dsig.RSASHA512SignatureMethod,
		dsig.ECDSASHA256SignatureMethod, dsig.ECDSASHA384SignatureMethod, dsig.ECDSASHA512SignatureMethod,
	}
	digestMethods = []string{
		"http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmldsig-more#sha384",
		"http://www.w3.org/2001/04/xmlenc#sha512",
	}
	transforms = []string{string(dsig.EnvelopedSignatureAltorithmId),
		string(dsig.CanonicalXML10ExclusiveAlgorithmId)}
	keyEncryptions = []string{types.MethodRSAOAEP, types.MethodRSAOAEP2}
	encryptions    = []string{types.MethodAES128GCM, types.MethodAES192GCM, types.MethodAES256GCM,
		types.MethodAES128CBC, types.MethodAES256CBC}
)

// verify returns what a certificate has signed of an element: the element as it is read from the very bytes that the
// signature covers. Nothing of the element that was given may be used any more. The element has to carry exactly one
// signature, about itself and nothing else, in the one form that the SAML profile allows.
func verify(el *etree.Element, certificates []*x509.Certificate, now time.Time) (*etree.Element, error) {
	if err := checkSignature(el); err != nil {
		return nil, err
	}
	detached, err := detach(el)
	if err != nil {
		return nil, err
	}
	// Which key signed is for us to say: what the answer says of keys is dropped, and each trusted one is tried.
	signature := children(detached, signatureSpace, dsig.SignatureTag)[0]
	for _, info := range children(signature, signatureSpace, dsig.KeyInfoTag) {
		signature.RemoveChild(info)
	}
	for _, certificate := range certificates {
		validation := dsig.NewDefaultValidationContext(&dsig.MemoryX509CertificateStore{
			Roots: []*x509.Certificate{certificate}})
		validation.Clock = clockAt(now)
		verified, err := validation.Validate(detached)
		if err != nil {
			continue
		}
		if verified.Tag != el.Tag || verified.NamespaceURI() != el.NamespaceURI() ||
			attribute(verified, "ID") != attribute(el, "ID") {
			return nil, refused("its signature is about something else.")
		}
		return verified, nil
	}
	return nil,
		refused("its %s is not signed by a certificate that the provider has here, or was changed after it was signed.",
			el.Tag)
}

// checkSignature refuses an element without a signature, and signatures of forms in which others have been deceived.
func checkSignature(el *etree.Element) error {
	id := attribute(el, "ID")
	own := children(el, signatureSpace, dsig.SignatureTag)
	switch {
	case len(own) == 0:
		return refused("its %s is not signed; the identity provider has to sign assertions.", el.Tag)
	case len(own) > 1:
		return refused("its %s has %d signatures.", el.Tag, len(own))
	case id == "":
		return refused("its %s has no ID.", el.Tag)
	}
	for _, child := range own[0].ChildElements() {
		if child.NamespaceURI() != signatureSpace ||
			!slices.Contains([]string{dsig.SignedInfoTag, dsig.SignatureValueTag, dsig.KeyInfoTag}, child.Tag) {
			return refused("its signature has an element %.40q.", child.Tag)
		}
	}
	info, err := single(own[0], signatureSpace, dsig.SignedInfoTag)
	if err != nil {
		return err
	}
	reference, err := single(info, signatureSpace, dsig.ReferenceTag)
	if err != nil {
		return err
	}
	if attribute(reference, "URI") != "#"+id {
		return refused("its signature is about something else than its %s.", el.Tag)
	}
	if err := checkAlgorithm(info, dsig.CanonicalizationMethodTag,
		string(dsig.CanonicalXML10ExclusiveAlgorithmId)); err != nil {
		return err
	}
	if err := checkAlgorithm(info, dsig.SignatureMethodTag, signatureMethods...); err != nil {
		return err
	}
	if err := checkAlgorithm(reference, dsig.DigestMethodTag, digestMethods...); err != nil {
		return err
	}
	list, err := single(reference, signatureSpace, dsig.TransformsTag)
	if err != nil {
		return err
	}
	steps := list.ChildElements()
	if len(steps) != len(transforms) {
		return refused("its signature has %d transforms, where there have to be the two of the SAML profile.",
			len(steps))
	}
	for i, step := range steps {
		if !is(step, signatureSpace, dsig.TransformTag) || attribute(step, dsig.AlgorithmAttr) != transforms[i] {
			return refused("its signature has the transform %.100q, which is not accepted.",
				attribute(step, dsig.AlgorithmAttr))
		}
	}
	return nil
}

func checkAlgorithm(el *etree.Element, tag string, accepted ...string) error {
	method, err := single(el, signatureSpace, tag)
	if err != nil {
		return err
	}
	if algorithm := attribute(method, dsig.AlgorithmAttr); !slices.Contains(accepted, algorithm) {
		return refused("its signature uses %.100q, which is not accepted; SHA-256 with exclusive canonicalisation is.",
			algorithm)
	}
	return nil
}

// detach copies an element out of its document, with the namespaces that it has from above.
func detach(el *etree.Element) (*etree.Element, error) {
	above, err := etreeutils.NSBuildParentContext(el)
	if err != nil {
		return nil, refused("its namespaces cannot be followed.")
	}
	own, err := above.SubContext(el)
	if err != nil {
		return nil, refused("its namespaces cannot be followed.")
	}
	detached, err := etreeutils.NSDetatch(own, el)
	if err != nil {
		return nil, refused("its namespaces cannot be followed.")
	}
	return detached, nil
}

// decrypt returns the assertion in an encrypted one. All failures look alike, and like one of the signature: who could
// tell them apart could read what is encrypted, by asking often.
func decrypt(encrypted *etree.Element, key tls.Certificate) (*etree.Element, error) {
	detached, err := detach(encrypted)
	if err != nil {
		return nil, err
	}
	document := etree.NewDocument()
	document.SetRoot(detached)
	raw, err := document.WriteToBytes()
	if err != nil {
		return nil, errUnreadable
	}
	var assertion types.EncryptedAssertion
	if err := xml.Unmarshal(raw, &assertion); err != nil {
		return nil, refused("its encrypted assertion is malformed.")
	}
	keyMethod := assertion.EncryptedKey.EncryptionMethod.Algorithm
	if assertion.EncryptedKey.CipherValue == "" {
		keyMethod = assertion.DetEncryptedKey.EncryptionMethod.Algorithm
	}
	if !slices.Contains(keyEncryptions, keyMethod) || !slices.Contains(encryptions,
		assertion.EncryptionMethod.Algorithm) {
		return nil, refused("its assertion is encrypted with %.80q and %.80q; RSA-OAEP and AES are accepted.",
			keyMethod, assertion.EncryptionMethod.Algorithm)
	}
	plain, err := assertion.DecryptBytes(&key)
	if err != nil {
		return nil, errUnreadable
	}
	root, err := readDocument(plain)
	if err != nil {
		return nil, errUnreadable
	}
	return root, nil
}

var errUnreadable = refused("its encrypted assertion cannot be decrypted with this server's key, or is not signed by " +
	"a certificate that the provider has here.")
