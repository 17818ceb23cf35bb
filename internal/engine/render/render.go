// Package render owns the walks over a document that readers, search and editors see: HTML, plain text, sections,
// outline, links, and the document with its expressions, conditions and reusable contents resolved.
//
// It is pure: what a reference points at, what a reusable content holds and what an icon looks like come in through
// Options. The same document and the same answers give the same bytes.
//
// HTML is safe to serve whatever the document holds, also one that no parser of ours made: every text is escaped,
// every address goes through a list of schemes, raw HTML is sanitised to plain formatting, and there is no script,
// style, event handler, frame or form in it. Documents over Limits are refused with an error of kind TooLarge.
//
// The markup is semantic and carries classes; data attributes mark what a script may upgrade. It reads without style
// sheets and without JavaScript. The golden files under testdata show every block and inline.
package render

import (
	"context"
	"io"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// Options says how to print what the document only points at. The zero value prints a document on its own.
type Options struct {
	// Resolver maps references to addresses and titles. Nil prints URLs as written and calls other kinds broken.
	Resolver Resolver
	// Context is what expressions see: {"visitor": {"claims": …}, "space": {"vars": …}, "page": {"vars": …}}.
	Context map[string]any
	// Reusable loads a reusable content; a nil document means that there is none. An error ends the walk.
	Reusable func(ctx context.Context, ref doc.Ref) (*doc.Document, error)
	// OpenAPI returns the blocks that describe what an openapi block names; nil when it is not there. Evaluate puts
	// them below the block. Nil leaves such blocks as they are. An error ends the walk.
	OpenAPI func(ctx context.Context, block doc.Type, data *doc.OpenAPIData) ([]*doc.Node, error)
	// Integration returns what a block of an integration shows, as HTML that is trusted and printed as it is; ok is
	// false where the block is to show what it holds. Nil means that all do.
	Integration func(ctx context.Context, block *doc.IntegrationData) (html string, ok bool)
	// Fence returns the block of an integration that a code block with a language stands for, nil for code. Nil means
	// that all code is code.
	Fence func(syntax, content string) *doc.IntegrationData
	// BlockProps prints the properties of blocks of integrations that show what they hold as data-props, for who draws
	// them in their place.
	BlockProps bool
	// KeepVisitor makes Evaluate leave alone what depends on the visitor. HTML does not look at it.
	KeepVisitor bool
	// BlankVisitor makes Evaluate leave out the values of expressions that depend on the visitor, and decide
	// conditions.
	BlankVisitor bool
	// Used is told of every condition and value that depends on the visitor, once for each, with what came of it: who
	// has the same outcomes gets the same document. Nil tells nobody.
	Used func(Use)
	// OnlyReusable makes Evaluate put in reusable contents and leave conditions and expressions alone. HTML does not
	// look at it.
	OnlyReusable bool
	// Discreet prints nothing of what broken references name: it may be something that is not for the reader.
	Discreet bool
	// Icon returns the drawing of a name ("github", "circle-info") as an inline SVG element, or "". It is trusted and
	// printed as it is.
	Icon func(name string) string
	// Labels are the words of the interface. Empty ones are English.
	Labels Labels
	// SearchURL is put before the escaped query of search and ask buttons, so that they work without a script
	// ("/docs/~/search?q="). Empty makes them buttons that need one.
	SearchURL string
	// NewTab opens external links in a new tab.
	NewTab bool
	// IDPrefix is put before every id and same-page fragment, for several documents on one page.
	IDPrefix string
	// Keys prints the key of a block that stands for something, such as a picture or a divider, as data-node: whoever
	// comments on it has no words to name it by. What was included has none.
	Keys bool
	// Limits bound one call. Zero fields mean their defaults.
	Limits Limits
}

// Resolver maps references to what they point at. It is asked for every reference that is printed, in reading order,
// from one goroutine.
type Resolver interface {
	// Resolve takes a reference of any kind. One of kind url holds a destination as written: "../guide.md#a",
	// "#a", "/broken/pages/x", "https://…"; one without a page or space means the current one.
	Resolve(ref doc.Ref) Target
}

// Target is what a reference points at.
type Target struct {
	// URL is the address to link to. An address of another scheme than http, https, mailto and tel is not printed.
	URL string
	// Title, Description, Icon and Emoji (characters) describe the target where the document does not.
	Title, Description, Icon, Emoji string
	// Color is the colour of a tag.
	Color string
	// Kind is what was found; an absolute URL of any kind but url (or none) counts as internal.
	Kind doc.RefKind
	// Broken says that the reference names nothing.
	Broken bool
	// Size is a file's length in bytes, MediaType its type, Width and Height an image's pixels; zero when not known.
	Size          int64
	MediaType     string
	Width, Height int
}

// Limits bound what one call may cost. A zero field means its default.
type Limits struct {
	// Nodes is the number of nodes of a document, reusable contents included. Default 200,000.
	Nodes int
	// Depth is how deep nodes nest. Default 120.
	Depth int
	// Output is the length of the HTML in bytes. Default 16 MB.
	Output int
	// Cells is the number of cells that one table prints. Default 20,000.
	Cells int
	// CodeBlock and CodePage are how many bytes of code are highlighted in one block and on one page; code past them
	// is printed plain, and so is a block with a line over 1,000 bytes. Defaults 32 KB and 160 KB.
	CodeBlock, CodePage int
	// CodeTime is how long highlighting one page may take before the rest is printed plain. It is a deadline behind
	// the byte limits, for code that makes a lexer backtrack. Default 400 ms.
	CodeTime time.Duration
	// Reusable is how deep reusable contents may include one another. Default 8.
	Reusable int
	// Includes is how many reusable contents a document shows, those within others included, and ReusedNodes how many
	// nodes they have together: contents that include one another several times multiply. What goes beyond is left out,
	// and the first place where that happens says so. Defaults 1,000 and 50,000.
	Includes, ReusedNodes int
}

func (l Limits) withDefaults() Limits {
	set := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	set(&l.Nodes, 200_000)
	set(&l.Depth, 120)
	set(&l.Output, 16<<20)
	set(&l.Cells, 20_000)
	set(&l.CodeBlock, 32<<10)
	set(&l.CodePage, 160<<10)
	set(&l.Reusable, 8)
	set(&l.Includes, 1000)
	set(&l.ReusedNodes, 50_000)
	if l.CodeTime <= 0 {
		l.CodeTime = 400 * time.Millisecond
	}
	return l
}

// HTML writes the document as HTML. Conditions, expressions and reusable contents that it still holds are resolved
// first, as by Evaluate. Nothing is written when there is an error.
func HTML(ctx context.Context, w io.Writer, d *doc.Document, options Options) error {
	options.Limits = options.Limits.withDefaults()
	if err := measure(d, options.Limits); err != nil {
		return err
	}
	if dynamic(d) {
		options.KeepVisitor, options.OnlyReusable = false, false
		resolved, err := Evaluate(ctx, d, options)
		if err != nil {
			return err
		}
		d = resolved
	}
	p := newPage(ctx, d, options)
	p.blocks(d.Nodes, blockContext{})
	p.notes()
	if p.failure != nil {
		return p.failure
	}
	_, err := w.Write(p.out.Bytes())
	return err
}

// measure refuses a document that is too large or too deep before anything recurses into it.
func measure(d *doc.Document, limits Limits) error {
	count := 0
	return measureNodes(d.Nodes, 1, &count, limits)
}

func measureNodes(nodes []*doc.Node, depth int, count *int, limits Limits) error {
	if len(nodes) > 0 && depth > limits.Depth {
		return errs.New(errs.TooLarge, "the document nests deeper than %d levels", limits.Depth)
	}
	*count += len(nodes)
	if *count > limits.Nodes {
		return errs.New(errs.TooLarge, "the document has more than %d nodes; split the page", limits.Nodes)
	}
	for _, n := range nodes {
		if n == nil {
			return errs.New(errs.Invalid, "the document holds an empty node")
		}
		if err := measureNodes(n.Nodes, depth+1, count, limits); err != nil {
			return err
		}
		if err := measureNodes(n.Fragments, depth+1, count, limits); err != nil {
			return err
		}
	}
	return nil
}

// acceptable is measure for the walks that return no error: a document that HTML refuses is empty to them.
func acceptable(d *doc.Document) bool {
	return d != nil && measure(d, Limits{}.withDefaults()) == nil
}
