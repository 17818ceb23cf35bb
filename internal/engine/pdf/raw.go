package pdf

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
)

// rawPart is a part of raw HTML or of a tag that is printed: an image with its description, text, or the tag as it is
// written.
type rawPart struct {
	image, text, tag string
	width            *doc.Length
}

// maxRaw is how much raw HTML is looked through for images, in bytes.
const maxRaw = 256 << 10

// readRaw returns what raw HTML or an unknown tag prints: its images, and its text behind them.
func readRaw(n *doc.Node) []rawPart {
	data := dataOf[doc.RawData](n)
	if tag := strings.TrimSpace(data.Source); data.Syntax != "html" && tag != "" {
		return []rawPart{{tag: tag}}
	}
	var parts []rawPart
	if data.Syntax == "html" && len(data.Source) <= maxRaw && strings.Contains(strings.ToLower(data.Source), "<img") {
		tokens := html.NewTokenizer(strings.NewReader(data.Source))
		for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
			if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
				continue
			}
			token := tokens.Token()
			if token.Data != "img" {
				continue
			}
			part := rawPart{}
			for _, attribute := range token.Attr {
				switch attribute.Key {
				case "src":
					part.image = strings.TrimSpace(attribute.Val)
				case "width", "style":
					if width := rawWidth(attribute.Key, attribute.Val); width != nil {
						part.width = width
					}
				case "alt":
					part.text = strings.Join(strings.Fields(attribute.Val), " ")
				}
			}
			if part.image != "" {
				parts = append(parts, part)
			}
		}
	}
	if text := strings.TrimSpace(render.Text(&doc.Document{Nodes: []*doc.Node{n}})); text != "" {
		parts = append(parts, rawPart{text: text})
	}
	return parts
}

// raw lays out raw HTML.
func (b *builder) raw(c *column, n *doc.Node) {
	for i, part := range readRaw(n) {
		if i > 0 {
			c.gap(6)
		}
		if part.tag != "" {
			b.verbatim(c, part.tag, "")
			continue
		}
		if part.image != "" {
			b.imageBlock(c, doc.URL(part.image), part.width, part.text, "", false)
			continue
		}
		c.text(b, []span{{text: part.text, look: c.base}}, c.base, false, nil)
	}
}

var styledWidth = regexp.MustCompile(`(?:^|[;\s])width:\s*(\d{1,5}(?:\.\d{1,3})?)(%|px)`)

// rawWidth reads the width that an attribute gives an image; nil for none.
func rawWidth(attribute, value string) *doc.Length {
	if attribute == "style" {
		match := styledWidth.FindStringSubmatch(value)
		if match == nil {
			return nil
		}
		value = match[1] + match[2]
	}
	unit := ""
	if percent, ok := strings.CutSuffix(strings.TrimSpace(value), "%"); ok {
		value, unit = percent, "%"
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), "px"), 64)
	if err != nil || !(n > 0) || n > 100_000 {
		return nil
	}
	return &doc.Length{Unit: unit, Value: n}
}
