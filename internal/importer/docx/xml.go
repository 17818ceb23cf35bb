package docx

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/rectodocs/recto/internal/errs"
)

// reader reads a part as a stream of elements, within limits.
type reader struct {
	ctx     context.Context
	decoder *xml.Decoder
	place   string
	depth   int
	tokens  int
}

// element is the start of an element: its local name and attributes. Prefixes differ from producer to producer and
// local names do not collide where we look.
type element struct {
	name       string
	attributes []xml.Attr
}

// attr returns the value of an attribute by its local name.
func (e element) attr(name string) string {
	for _, attribute := range e.attributes {
		if attribute.Name.Local == name {
			return attribute.Value
		}
	}
	return ""
}

// has reports whether an attribute is there.
func (e element) has(name string) bool {
	for _, attribute := range e.attributes {
		if attribute.Name.Local == name {
			return true
		}
	}
	return false
}

// on reads a property that is on by being there, unless its value says otherwise.
func (e element) on() bool {
	switch strings.ToLower(e.attr("val")) {
	case "0", "false", "off", "none":
		return false
	}
	return true
}

func newReader(ctx context.Context, content io.Reader, place string) *reader {
	decoder := xml.NewDecoder(content)
	decoder.CharsetReader = charset.NewReaderLabel
	return &reader{ctx: ctx, decoder: decoder, place: place}
}

// checkEvery is after how many tokens it is asked whether the import was cancelled.
const checkEvery = 1 << 12

// next returns the next start or end of an element or text; nil at the end of the part.
func (r *reader) next() (xml.Token, error) {
	for {
		if r.tokens++; r.tokens%checkEvery == 0 && r.ctx.Err() != nil {
			return nil, fmt.Errorf("read document: %w", context.Cause(r.ctx))
		}
		token, err := r.decoder.RawToken()
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			if errs.KindOf(err) != errs.Internal {
				return nil, err
			}
			return nil, errs.Wrap(err, errs.Invalid, "%s is not well-formed XML; the document is damaged", r.place)
		}
		switch token.(type) {
		case xml.StartElement, xml.EndElement, xml.CharData:
			return token, nil
		case xml.Directive:
			return nil, errs.New(errs.Invalid, "%s holds a document type declaration, which no Word document has; it was not read", r.place)
		}
	}
}

// root visits the children of the part's root element.
func (r *reader) root(visit func(e element) error) error {
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		if token == nil {
			return errs.New(errs.Invalid, "%s is empty; the document is damaged", r.place)
		}
		if _, ok := token.(xml.StartElement); ok {
			return r.children(visit)
		}
	}
}

// children visits the child elements of the element whose start was read last, up to its end. visit consumes each.
func (r *reader) children(visit func(e element) error) error {
	return r.each(visit, nil)
}

func (r *reader) each(visit func(e element) error, text func(string)) error {
	if r.depth++; r.depth > maxDepth {
		return errs.New(errs.Invalid, "%s has elements more than %d levels deep", r.place, maxDepth)
	}
	defer func() { r.depth-- }()
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case nil:
			return errs.New(errs.Invalid, "%s ends in the middle; the document is damaged", r.place)
		case xml.StartElement:
			if err := visit(element{name: token.Name.Local, attributes: token.Attr}); err != nil {
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

// skip reads over the element whose start was read last.
func (r *reader) skip() error {
	return r.children(func(element) error { return r.skip() })
}

// text returns the text of the element whose start was read last, with that of elements inside it.
func (r *reader) text() (string, error) {
	var out strings.Builder
	add := func(text string) { out.WriteString(text) }
	var visit func(element) error
	visit = func(element) error { return r.each(visit, add) }
	err := r.each(visit, add)
	return out.String(), err
}
