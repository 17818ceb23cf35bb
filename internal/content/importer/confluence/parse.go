package confluence

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/markup"
	"github.com/rectodocs/recto/internal/content/importer/xmlstream"
)

// parseStorage parses a text in Confluence's storage format: XHTML with elements of its own and HTML's entities,
// without a root. Elements keep their prefixes: "ac:link". A text that is not well-formed is read as far as its meaning
// is plain.
func parseStorage(body, place string) (*html.Node, error) {
	decoder := xml.NewDecoder(strings.NewReader(body))
	decoder.Strict = false
	decoder.Entity = xml.HTMLEntity
	root := markup.Element("div")
	open := []*html.Node{root}
	for {
		token, err := decoder.RawToken()
		if err == io.EOF {
			return root, nil
		}
		if err != nil {
			return nil, errs.Wrap(err, errs.Invalid, "%s is not well-formed: %s", place, err.Error())
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) > xmlstream.MaxDepth {
				return nil, errs.New(errs.Invalid, "%s has elements more than %d levels deep", place,
					xmlstream.MaxDepth)
			}
			made := markup.Element(fullName(token.Name))
			for _, attribute := range token.Attr {
				made.Attr = append(made.Attr, html.Attribute{Key: fullName(attribute.Name), Val: attribute.Value})
			}
			markup.Append(open[len(open)-1], made)
			open = append(open, made)
		case xml.EndElement:
			name := fullName(token.Name)
			at := -1
			for i, n := range slices.Backward(open) {
				if i > 0 && n.Data == name {
					at = i
					break
				}
			}
			if at > 0 {
				open = open[:at]
			}
		case xml.CharData:
			markup.Append(open[len(open)-1], markup.Text(string(token)))
		}
	}
}

// fullName is a name as written, in lower case.
func fullName(name xml.Name) string {
	if name.Space == "" {
		return strings.ToLower(name.Local)
	}
	return strings.ToLower(name.Space + ":" + name.Local)
}
