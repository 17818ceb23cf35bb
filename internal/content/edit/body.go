package edit

import (
	"bytes"
	"context"
	"reflect"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// setBody sets the body of a page or reusable content, and the fields that its Markdown holds.
func (w *work) setBody(ctx context.Context, e *entity.Entry, change Change) error {
	var body []byte
	var err error
	switch {
	case change.Body.Markdown != nil && change.Body.Document != nil:
		return errs.Invalidf("document", "holds both Markdown and a document; send one of them")
	case change.Body.Markdown != nil:
		body, err = w.fromMarkdown(ctx, e, change.Body, change.Fields)
	default:
		body, err = w.fromDocument(ctx, e, change.Body.Document)
	}
	if err != nil {
		return err
	}
	if len(body) > store.MaxBodySize {
		return errs.New(errs.TooLarge,
			"document: the body has %d bytes as Markdown, at most %d are allowed; split the page.", len(body),
			store.MaxBodySize)
	}
	parsed, err := markdown.Parse(body)
	if err != nil {
		return prefixed("document", err)
	}
	if err := w.checkConditions(ctx, e, parsed); err != nil {
		return err
	}
	// Blank lines above the first block mean nothing, and a page's file cannot tell them from those below its title.
	if present, err := w.body(ctx, e); err == nil && !bytes.Equal(present, body) &&
		bytes.Equal(withoutBlankLines(present), withoutBlankLines(body)) {
		body = append([]byte{}, present...)
	}
	w.bodies[e.ID] = body
	return nil
}

// withoutBlankLines returns a text from its first line that is not blank.
func withoutBlankLines(text []byte) []byte {
	for {
		line, rest, more := bytes.Cut(text, []byte("\n"))
		if !more || len(bytes.TrimSpace(line)) > 0 {
			return text
		}
		text = rest
	}
}

// fromMarkdown reads the file of a page: it sets the fields that its front matter and first heading hold, as far as the
// change does not name them itself, and returns the rest with stable references. A complete file empties what its front
// matter leaves out.
func (w *work) fromMarkdown(ctx context.Context, e *entity.Entry, given Body, fields Fields) ([]byte, error) {
	text := *given.Markdown
	if len(text) > store.MaxBodySize+treefile.MaxFrontMatter {
		return nil, errs.New(errs.TooLarge,
			"document: the Markdown has %d bytes, at most %d are allowed; split the page.",
			len(text), store.MaxBodySize)
	}
	page, err := treefile.ParsePage([]byte(text))
	if err != nil {
		return nil, prefixed("document.markdown", err)
	}
	from, err := w.folder(ctx, e)
	if err != nil {
		return nil, err
	}
	present, err := w.find(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	front := frontMatterOf{FrontMatter: page.FrontMatter, complete: given.Complete}
	if err := w.setFrontMatter(ctx, e, present, front, fields, from); err != nil {
		return nil, err
	}
	body := page.Body
	switch title, given := fields.Title.Get(); {
	case e.Kind == entity.KindReusable:
		// A reusable content is shown in the middle of pages: its title is in the front matter alone.
		if named := page.FrontMatter.Title; named != "" && !given {
			e.Title = named
		}
		if page.Title != "" {
			body = page.Untitled()
		}
	case page.Title == "", present != nil && page.Title == writtenTitle(present.Title):
		// No heading, or the one that the page was read with.
	case !given && len([]rune(page.Title)) > entity.MaxTitleLength:
		return nil, errs.Invalidf("document.markdown",
			"its first heading is the title of the page, which has at most %d characters", entity.MaxTitleLength)
	case !given:
		e.Title = page.Title
	case page.Title != writtenTitle(title):
		// The change gives the page another title, so the heading belongs to the text.
		body = page.Untitled()
	}
	kept, err := w.destinations(ctx, e)
	if err != nil {
		return nil, err
	}
	linked, err := w.stableLinks(ctx, from, body, kept)
	// A body that is not nil replaces the one that is there, also when it is empty.
	return append([]byte{}, linked...), err
}

// writtenTitle is a title as the heading of a page's file gives it back: with one space between words, for example.
func writtenTitle(title string) string {
	page, err := treefile.ParsePage(treefile.WritePage(treefile.Page{Title: title}))
	if err != nil {
		return title
	}
	return page.Title
}

// frontMatterFields are the fields that front matter sets, with whether a change sets them itself.
func frontMatterFields(fields Fields) map[string]bool {
	names := map[string]bool{
		"linkTitle": fields.LinkTitle.IsSet(), "emoji": fields.Emoji.IsSet(), "icon": fields.Icon.IsSet(),
		"description": fields.Description.IsSet(),
		"condition":   fields.Condition.IsSet(),
		"variables":   fields.Variables.IsSet(),
		"tags":        fields.Tags.IsSet(),
		"layout":      fields.Layout.IsSet(), "extra": false,
	}
	for _, flag := range entity.PageFlags() {
		_, names[flag.Name] = fields.Flags[flag.Name]
	}
	return names
}

// frontMatterOf is the front matter of a file, which may be complete.
type frontMatterOf struct {
	treefile.FrontMatter
	complete bool
}

// setFrontMatter sets the fields that front matter names and the change does not. What it says as the file of the
// present page says it stays as it is: not all that a page can have is written to front matter and read again without
// loss. What a complete file leaves out and the file of the present page has is emptied.
func (w *work) setFrontMatter(ctx context.Context, e, present *entity.Entry, f frontMatterOf, fields Fields,
	from folder) error {
	read, found := readFrontMatter(f.FrontMatter, e)
	was, written := &entity.Entry{}, frontmatter.Fields{}
	if present != nil {
		if file, err := treefile.ParsePage(
			treefile.WritePage(treefile.Page{FrontMatter: frontmatter.Write(present)})); err == nil {
			was, written = readFrontMatter(file.FrontMatter, e)
		}
	}
	if found.Refused != nil && (present == nil || read.Condition != present.Condition) {
		return errs.Invalidf("document.markdown", "%s", found.Refused.Error())
	}
	if len(found.Problems) > 0 && !slices.Equal(found.Problems, written.Problems) {
		return errs.Invalidf("document.markdown", "its front matter cannot be used: %s", found.Problems[0])
	}
	given := frontMatterFields(fields)
	for _, field := range entity.Fields() {
		itself, held := given[field.Name]
		if !held || itself || field.Get(read) == nil && !f.complete || field.Equal(read, was) {
			continue
		}
		if err := field.Set(e, field.Get(read)); err != nil {
			return err
		}
	}
	sameCover := found.Cover == written.Cover && found.CoverDark == written.CoverDark && reflect.DeepEqual(read.Cover,
		was.Cover)
	if sameCover || fields.Cover.IsSet() {
		return nil
	}
	if found.Cover == "" {
		if f.complete {
			e.Cover = nil
		}
		return nil
	}
	cover := *read.Cover
	var err error
	if cover.Ref, err = w.image(ctx, from, found.Cover); err != nil {
		return err
	}
	if found.CoverDark != "" {
		if cover.RefDark, err = w.image(ctx, from, found.CoverDark); err != nil {
			return err
		}
	}
	return prefixed("document.markdown", w.setCover(ctx, e, cover))
}

func readFrontMatter(f treefile.FrontMatter, of *entity.Entry) (*entity.Entry, frontmatter.Fields) {
	read := &entity.Entry{Kind: of.Kind, Type: of.Type}
	return read, frontmatter.Read(f, read)
}

// image returns the reference of a cover that is written as a destination.
func (w *work) image(ctx context.Context, from folder, destination string) (*doc.Ref, error) {
	stable, ok, err := w.stable(ctx, from, destination)
	if err != nil {
		return nil, err
	}
	if !ok {
		stable = destination
	}
	ref := doc.ParseDestination(stable)
	return &ref, nil
}

// fromDocument writes a document as Markdown. Blocks that the present body has keep their bytes.
func (w *work) fromDocument(ctx context.Context, e *entity.Entry, document *doc.Document) ([]byte, error) {
	original, err := w.body(ctx, e)
	if err != nil {
		return nil, err
	}
	named := document.Clone()
	named.MapRefs(func(ref doc.Ref) doc.Ref {
		if ref.Kind == doc.RefURL {
			ref = doc.ParseDestination(ref.URL)
		}
		return w.names.reference(ref)
	})
	if err := w.callMentions(ctx, named); err != nil {
		return nil, err
	}
	return append([]byte{}, markdown.Rewrite(original, named)...), nil
}

// callMentions has people, and pages and files of the space, stand in the Markdown by what they are called: people read
// it, too, and their ids say nothing.
func (w *work) callMentions(ctx context.Context, document *doc.Document) error {
	var failure error
	document.Walk(func(n *doc.Node) bool {
		data, ok := n.Data.(*doc.ContentRefData)
		if !ok || n.Type != doc.Mention || data.Ref.Space != "" || failure != nil {
			return failure == nil
		}
		var title string
		if title, failure = w.titleOf(ctx, data.Ref); title != "" {
			data.Title = title
		}
		return failure == nil
	})
	return failure
}

// titleOf returns what a reference within the space, or one to a person, leads to is called; "" where that is unknown.
func (w *work) titleOf(ctx context.Context, ref doc.Ref) (string, error) {
	target := ref.Page
	switch ref.Kind {
	case doc.RefUser:
		return w.nameOf(ctx, id.User(ref.User))
	case doc.RefFile:
		target = ref.File
	}
	if target == "" {
		return "", nil
	}
	e, err := w.find(ctx, target)
	if err != nil || e == nil {
		return "", err
	}
	return e.Title, nil
}

// body returns the body of a page as it is now.
func (w *work) body(ctx context.Context, e *entity.Entry) ([]byte, error) {
	if body, changed := w.bodies[e.ID]; changed {
		return body, nil
	}
	return w.view.Body(ctx, e)
}
