package render

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// page is the state of one HTML call.
type page struct {
	ctx     context.Context
	options Options
	labels  Labels
	out     bytes.Buffer
	// failure is the first error; everything after it is a no-op.
	failure error
	anchors anchors
	// annotations are the bodies of notes in the order of their references.
	annotations []annotation
	// linked counts the anchors around the current place: links do not nest.
	linked int
	// codeLeft and codeUntil are what remains of the highlighting budget.
	codeLeft  int
	codeUntil time.Time
	// key is what the next start tag says of the block that it begins; see Options.Keys.
	key string
}

// annotation is a note that is printed at the end.
type annotation struct {
	number, id, refID string
	body              []*doc.Node
}

// blockContext is what a block needs to know about where it stands.
type blockContext struct {
	// ordered is the number of ordered lists around it.
	ordered int
	// described says that it is in the description of an API.
	described bool
}

func newPage(ctx context.Context, d *doc.Document, options Options) *page {
	return &page{
		ctx: ctx, options: options, labels: options.Labels.withDefaults(), anchors: anchorsOf(d),
		codeLeft: options.Limits.CodePage, codeUntil: time.Now().Add(options.Limits.CodeTime),
	}
}

func (p *page) fail(err error) {
	if p.failure == nil {
		p.failure = err
	}
}

// raw appends markup of our own.
func (p *page) raw(parts ...string) {
	if p.failure != nil {
		return
	}
	for _, part := range parts {
		p.out.WriteString(part)
	}
	if p.out.Len() > p.options.Limits.Output {
		p.fail(errs.New(errs.TooLarge, "the page's HTML is larger than %d bytes; split the page",
			p.options.Limits.Output))
	}
}

// text appends text from the document, escaped.
func (p *page) text(s string) {
	if p.failure == nil {
		escape(&p.out, s)
		p.raw()
	}
}

// open appends a start tag. Attributes come as name and value; a pair with an empty value is left out, and a name
// alone is written with present.
func (p *page) open(tag string, attributes ...string) {
	p.raw("<", tag)
	for i := 0; i+1 < len(attributes); i += 2 {
		if attributes[i+1] != "" {
			p.attribute(attributes[i], attributes[i+1])
		}
	}
	if p.key != "" {
		p.attribute("data-node", p.key)
		p.key = ""
	}
	p.raw(">")
}

// present is the value of an attribute that is there without a value when the condition holds.
func present(condition bool) string {
	if condition {
		return bare
	}
	return ""
}

// bare marks an attribute without a value; no document text can hold it, because escaping drops control characters.
const bare = "\x00"

func (p *page) attribute(name, value string) {
	p.raw(" ", name)
	if value != bare {
		p.raw(`="`)
		p.text(value)
		p.raw(`"`)
	}
}

// required appends an attribute even when its value is empty.
func (p *page) required(name, value string) {
	p.raw(" ", name, `="`)
	p.text(value)
	p.raw(`"`)
}

func (p *page) close(tag string) { p.raw("</", tag, ">") }

// escape writes text with the characters that mean something in markup replaced. Control characters that HTML does not
// allow are dropped and bytes that are not UTF-8 become U+FFFD.
func escape(out *bytes.Buffer, s string) {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		replacement := ""
		width := 1
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			width = size
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			replacement = "\ufffd"
		case c == '&':
			replacement = "&amp;"
		case c == '<':
			replacement = "&lt;"
		case c == '>':
			replacement = "&gt;"
		case c == '"':
			replacement = "&#34;"
		case c == '\'':
			replacement = "&#39;"
		case c < 0x20 && c != '\n' && c != '\t' || c == 0x7f:
		default:
			i++
			continue
		}
		out.WriteString(s[start:i])
		out.WriteString(replacement)
		i += width
		start = i
	}
	out.WriteString(s[start:])
}

// classes joins class names; empty ones are left out.
func classes(names ...string) string {
	kept := names[:0:0]
	for _, name := range names {
		if name != "" {
			kept = append(kept, name)
		}
	}
	return strings.Join(kept, " ")
}

// when returns the name if the condition holds.
func when(condition bool, name string) string {
	if condition {
		return name
	}
	return ""
}

// oneOf returns prefix+value if the value is one of those allowed, else "".
func oneOf(prefix, value string, allowed ...string) string {
	if slices.Contains(allowed, value) {
		return prefix + value
	}
	return ""
}

// isSet reports whether an optional flag is there and true.
func isSet(b *bool) bool { return b != nil && *b }

// dataOf returns the attributes of a node as type T, and empty ones when the node holds others: documents are not
// always made by a parser.
func dataOf[T any](n *doc.Node) *T {
	if data, ok := n.Data.(*T); ok && data != nil {
		return data
	}
	return new(T)
}

// safeName reduces an icon's or language's name to letters, digits, dashes and a few marks, at most 50 of them.
func safeName(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_', c == '+', c == '#', c == '.':
			b.WriteByte(c)
		case c >= 'A' && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		}
		if b.Len() == 50 {
			break
		}
	}
	return b.String()
}

// icon appends an icon: the drawing that Options gives, in a span that style sheets and scripts can find by name.
func (p *page) icon(name string, class ...string) {
	name = safeName(strings.TrimPrefix(name, "fa-"))
	if name == "" {
		return
	}
	p.open("span", "class", classes(append([]string{"icon"}, class...)...), "data-icon", name, "aria-hidden", "true")
	if p.options.Icon != nil {
		p.raw(p.options.Icon(name))
	}
	p.close("span")
}

// label fills the %s of a label in order.
func label(format string, values ...string) string {
	for _, value := range values {
		format = strings.Replace(format, "%s", value, 1)
	}
	return format
}
