// Package xmlstream owns reading XML that somebody else wrote: element by element, without ever holding a part as a
// whole, and within limits.
//
// Document type declarations are refused, so that there are no entities but those of XML itself; the nesting of
// elements is limited; and the reading ends soon after its context does. Errors are errs errors that name the place.
package xmlstream

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/rectodocs/recto/internal/base/errs"
)

// MaxDepth is how many elements may stand inside each other.
const MaxDepth = 200

// Reader reads one XML document. It is not safe for concurrent use.
type Reader struct {
	ctx     context.Context
	decoder *xml.Decoder
	place   string
	depth   int
	tokens  int
}

// Element is the start of an element. Prefixes differ from producer to producer, so names are local ones.
type Element struct {
	// Name is the local name.
	Name       string
	attributes []xml.Attr
}

// Attr returns the value of an attribute by its local name, "" when it is absent.
func (e Element) Attr(name string) string {
	for _, attribute := range e.attributes {
		if attribute.Name.Local == name {
			return attribute.Value
		}
	}
	return ""
}

// Has reports whether an attribute is there.
func (e Element) Has(name string) bool {
	for _, attribute := range e.attributes {
		if attribute.Name.Local == name {
			return true
		}
	}
	return false
}

// On reads a property of word processors that is on by being there, unless its value says otherwise.
func (e Element) On() bool {
	switch strings.ToLower(e.Attr("val")) {
	case "0", "false", "off", "none":
		return false
	}
	return true
}

// New returns a reader of content. place names it in errors.
func New(ctx context.Context, content io.Reader, place string) *Reader {
	decoder := xml.NewDecoder(content)
	decoder.CharsetReader = charset.NewReaderLabel
	return &Reader{ctx: ctx, decoder: decoder, place: place}
}

// checkEvery is after how many tokens it is asked whether the import was cancelled.
const checkEvery = 1 << 12

// next returns the next start or end of an element or text; nil at the end of the part.
func (r *Reader) next() (xml.Token, error) {
	for {
		if r.tokens++; r.tokens%checkEvery == 0 && r.ctx.Err() != nil {
			return nil, fmt.Errorf("read XML: %w", context.Cause(r.ctx))
		}
		token, err := r.decoder.RawToken()
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			if errs.KindOf(err) != errs.Internal {
				return nil, err
			}
			return nil, errs.Wrap(err, errs.Invalid, "%s is not well-formed XML; the file is damaged", r.place)
		}
		switch token.(type) {
		case xml.StartElement, xml.EndElement, xml.CharData:
			return token, nil
		case xml.Directive:
			return nil, errs.New(errs.Invalid,
				"%s holds a document type declaration, which could hide anything; take it out", r.place)
		}
	}
}

// Root visits the children of the part's root element.
func (r *Reader) Root(visit func(e Element) error) error {
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		if token == nil {
			return errs.New(errs.Invalid, "%s is empty; the file is damaged", r.place)
		}
		if _, ok := token.(xml.StartElement); ok {
			return r.Children(visit)
		}
	}
}

// Children visits the child elements of the element whose start was read last, up to its end. visit consumes each.
func (r *Reader) Children(visit func(e Element) error) error {
	return r.each(visit, nil)
}

func (r *Reader) each(visit func(e Element) error, text func(string)) error {
	if r.depth++; r.depth > MaxDepth {
		return errs.New(errs.Invalid, "%s has elements more than %d levels deep", r.place, MaxDepth)
	}
	defer func() { r.depth-- }()
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case nil:
			return errs.New(errs.Invalid, "%s ends in the middle; the file is damaged", r.place)
		case xml.StartElement:
			if err := visit(Element{Name: token.Name.Local, attributes: token.Attr}); err != nil {
				return err
			}
		case xml.CharData:
			if text != nil {
				text(string(token))
			}
		case xml.EndElement:
			return nil
		}
	}
}

// Skip reads over the element whose start was read last.
func (r *Reader) Skip() error {
	return r.Children(func(Element) error { return r.Skip() })
}

// Text returns the text of the element whose start was read last, with that of elements inside it.
func (r *Reader) Text() (string, error) {
	var out strings.Builder
	add := func(text string) { out.WriteString(text) }
	var visit func(Element) error
	visit = func(Element) error { return r.each(visit, add) }
	err := r.each(visit, add)
	return out.String(), err
}
