// Package markdown owns the dialect: it reads Markdown into the document tree of package doc and writes it back.
//
// The dialect is CommonMark with tables, strikethrough, task lists, bare addresses and footnotes (goldmark reads
// those), block tags ("{% hint %} … {% endhint %}"), and a set of HTML blocks and inline elements that stand for richer
// blocks. What reading and writing share is in package dialect, reading in package reader; writing, normalising and
// editing are here. The files around a body are those of package treefile.
//
// Promises:
//   - Parse never loses anything silently: what the dialect does not know stays as doc.Raw and doc.RawInline.
//   - Parse(Write(Parse(x))) equals Parse(x), and Write(Parse(Write(d))) equals Write(d).
//   - Rewrite(x, Parse(x)) is x, byte for byte, and a change of one top-level block leaves the bytes of all others.
//   - Any input is parsed within bounded time and memory or refused with an errs.Error that names line and column.
//
// The package is pure: no database, no network, no files.
package markdown

import (
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

// MaxBody is the largest body in bytes.
const MaxBody = reader.MaxBody

// Parse reads a page body. References stay URL references holding the destination as written. Every node has its
// key, every heading, expandable, tab and API block its anchor (see doc.Finish), and every top-level block its
// source span.
//
// A body that is too large, too deep or too costly is refused with errs.TooLarge, one that is not UTF-8 with
// errs.Invalid; both name the line and column.
func Parse(body []byte) (*doc.Document, error) {
	p, err := parse(body)
	if err != nil {
		return nil, err
	}
	doc.Finish(p.Document)
	return p.Document, nil
}
