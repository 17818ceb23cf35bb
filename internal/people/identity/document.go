package identity

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/beevik/etree"
	roundtrip "github.com/mattermost/xml-roundtrip-validator"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Limits of XML that comes from outside. An answer has 5 to 20 kB and some hundred tokens; large ones list hundreds of
// groups.
const (
	maxDocument = 512 << 10
	maxTokens   = 20_000
	maxDepth    = 40
	maxAttrs    = 64
)

// Namespaces of the elements that answers are made of.
const (
	protocolSpace  = "urn:oasis:names:tc:SAML:2.0:protocol"
	assertionSpace = "urn:oasis:names:tc:SAML:2.0:assertion"
	signatureSpace = "http://www.w3.org/2000/09/xmldsig#"
)

// refused is the error for an answer that is not accepted. The reason is for the person who tries to sign in and for
// the admin who has to mend it; it holds nothing secret.
func refused(format string, args ...any) error {
	return errs.New(errs.Forbidden, "The answer of the identity provider is refused: "+format, args...)
}

// readDocument parses XML from outside. It refuses everything that parsers have been known to see differently, whether
// it does harm here or not: document types and with them entities, comments, processing instructions, attributes that
// appear twice, ids that appear twice or are disguised by a prefix, other encodings than UTF-8, and great size or
// depth.
func readDocument(raw []byte) (*etree.Element, error) {
	if len(raw) > maxDocument {
		return nil, refused("it is larger than %d kB.", maxDocument>>10)
	}
	if !utf8.Valid(raw) {
		return nil, refused("it is not UTF-8.")
	}
	if err := scan(raw); err != nil {
		return nil, err
	}
	if err := roundtrip.Validate(bytes.NewReader(raw)); err != nil {
		return nil, refused("its XML can be read in more than one way.")
	}
	document := etree.NewDocument()
	if err := document.ReadFromBytes(raw); err != nil || document.Root() == nil {
		return nil, refused("it is not well-formed XML.")
	}
	return document.Root(), nil
}

// scan goes through the tokens once and refuses what readDocument says.
func scan(raw []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(raw))
	ids := map[string]bool{}
	depth, roots := 0, 0
	for tokens := 0; ; tokens++ {
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) && depth == 0 && roots == 1 {
			return nil
		}
		if err != nil {
			return refused("it is not well-formed XML.")
		}
		if tokens > maxTokens {
			return refused("it has more than %d parts.", maxTokens)
		}
		switch token := token.(type) {
		case xml.Directive:
			return refused("it has a document type declaration or entities, which are never accepted.")
		case xml.Comment:
			return refused("it has a comment, which could make one name look like another.")
		case xml.ProcInst:
			if tokens > 0 || token.Target != "xml" {
				return refused("it has a processing instruction.")
			}
		case xml.StartElement:
			if depth == 0 {
				roots++
			}
			if depth++; depth > maxDepth {
				return refused("it is nested more than %d levels deep.", maxDepth)
			}
			if err := scanAttributes(token.Attr, ids); err != nil {
				return err
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 0 && len(bytes.TrimSpace(token)) > 0 {
				return refused("it is not well-formed XML.")
			}
		}
	}
}

func scanAttributes(attributes []xml.Attr, ids map[string]bool) error {
	if len(attributes) > maxAttrs {
		return refused("one of its elements has more than %d attributes.", maxAttrs)
	}
	names := map[xml.Name]bool{}
	for _, attribute := range attributes {
		if names[attribute.Name] {
			return refused("one of its elements has an attribute twice.")
		}
		names[attribute.Name] = true
		if !strings.EqualFold(attribute.Name.Local, "id") {
			continue
		}
		if attribute.Name.Space != "" && attribute.Name.Space != "xmlns" {
			return refused("it has an id with a namespace prefix.")
		}
		if attribute.Name.Space == "" {
			if ids[attribute.Value] {
				return refused("two of its elements have one id.")
			}
			ids[attribute.Value] = true
		}
	}
	return nil
}

// is reports whether an element has a name in a namespace.
func is(el *etree.Element, space, tag string) bool {
	return el.Tag == tag && el.NamespaceURI() == space
}

// children returns the children of an element with a name.
func children(el *etree.Element, space, tag string) []*etree.Element {
	var found []*etree.Element
	for _, child := range el.ChildElements() {
		if is(child, space, tag) {
			found = append(found, child)
		}
	}
	return found
}

// single returns the one child of an element with a name.
func single(el *etree.Element, space, tag string) (*etree.Element, error) {
	found := children(el, space, tag)
	if len(found) != 1 {
		return nil, refused("its %s has %d elements %s, where there has to be one.", el.Tag, len(found), tag)
	}
	return found[0], nil
}

// named returns the elements of a tree with a name in whatever namespace, the root too.
func named(root *etree.Element, tags ...string) []*etree.Element {
	var found []*etree.Element
	for _, tag := range tags {
		if root.Tag == tag {
			found = append(found, root)
		}
	}
	for _, child := range root.ChildElements() {
		found = append(found, named(child, tags...)...)
	}
	return found
}

// attribute returns an attribute without a prefix, "" when there is none.
func attribute(el *etree.Element, name string) string {
	for _, each := range el.Attr {
		if each.Space == "" && each.Key == name {
			return each.Value
		}
	}
	return ""
}

// text returns the text of an element without the white space around it. An element with anything but text in it is
// refused: what a reader makes of the pieces is where names are forged.
func text(el *etree.Element) (string, error) {
	var value strings.Builder
	for _, child := range el.Child {
		data, ok := child.(*etree.CharData)
		if !ok {
			return "", refused("its %s has more in it than a text.", el.Tag)
		}
		value.WriteString(data.Data)
	}
	return strings.TrimSpace(value.String()), nil
}
