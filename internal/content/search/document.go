package search

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Field names of an indexed page.
const (
	fieldTitle        = "title"
	fieldTitlePlain   = "titlePlain"
	fieldHeadings     = "headings"
	fieldHeadingPlain = "headingsPlain"
	fieldBody         = "body"
	fieldBodyPlain    = "bodyPlain"
	fieldSections     = "sections" // stored JSON, not searched
	fieldIncludes     = "includes" // ids of reusable contents in the page
	fieldHidden       = "hidden"   // "true" when the page or an ancestor is hidden
	fieldUnlisted     = "unlisted" // "true" when the page or an ancestor asks not to be indexed
	fieldVisitor      = "visitor"  // "true" when the text of the page depends on the visitor
)

// pageDocument is what bleve sees of one page.
type pageDocument struct {
	Title         string `json:"title"`
	TitlePlain    string `json:"titlePlain"`
	Headings      string `json:"headings"`
	HeadingsPlain string `json:"headingsPlain"`
	Body          string `json:"body"`
	BodyPlain     string `json:"bodyPlain"`
	Sections      string `json:"sections"`
	Includes      string `json:"includes"`
	Hidden        string `json:"hidden"`
	Unlisted      string `json:"unlisted"`
	Visitor       string `json:"visitor"`
}

// storedSection says which bytes of the body field belong to a section. Start and End exclude the heading.
type storedSection struct {
	ID    string `json:"i,omitempty"`
	Title string `json:"t,omitempty"`
	Start int    `json:"s"`
	End   int    `json:"e"`
}

// maxIndexedBytes bounds the text that one page adds to the index.
const maxIndexedBytes = 1 << 20

// pageText makes the document of a page. A body that cannot be parsed is indexed as its plain bytes: a page that a
// writer can open can be found.
func pageText(ctx context.Context, view *store.View, page *entity.Entry, hidden, unlisted bool) (pageDocument, error) {
	body, err := view.Body(ctx, page)
	if err != nil {
		return pageDocument{}, fmt.Errorf("read the body of %s: %w", page.ID, err)
	}
	var sections []render.Section
	var includes []string
	visitor := false
	parsed, err := markdown.Parse(body)
	switch {
	case err == nil:
		parsed, includes, visitor, err = resolve(ctx, view, page, parsed)
		if err != nil {
			return pageDocument{}, err
		}
		sections = render.Sections(parsed)
	case errs.KindOf(err) != errs.Internal:
		// What cannot be read may hold conditions that cannot be read either.
		if !bytes.Contains(body, []byte("{%")) {
			sections = []render.Section{{Text: string(body)}}
		}
	default:
		return pageDocument{}, fmt.Errorf("parse %s: %w", page.ID, err)
	}
	made, err := documentOf(page.Title, page.Description, sections)
	made.Includes, made.Hidden, made.Unlisted, made.Visitor = strings.Join(includes, " "), flag(hidden), flag(unlisted),
		flag(visitor)
	return made, err
}

// documentOf makes the document of a page from its sections; nothing is known of where it may be shown.
func documentOf(title, description string, sections []render.Section) (pageDocument, error) {
	var text, headings strings.Builder
	stored := make([]storedSection, 0, len(sections))
	if description != "" {
		text.WriteString(description)
		stored = append(stored, storedSection{Start: 0, End: text.Len()})
		text.WriteString("\n")
	}
	for _, section := range sections {
		if text.Len()+len(section.Text) > maxIndexedBytes {
			break
		}
		if section.Title != "" {
			headings.WriteString(section.Title)
			headings.WriteString("\n")
		}
		start := text.Len()
		text.WriteString(section.Text)
		stored = append(stored, storedSection{ID: section.ID, Title: section.Title, Start: start, End: text.Len()})
		text.WriteString("\n")
	}
	encoded, err := json.Marshal(stored)
	if err != nil {
		return pageDocument{}, fmt.Errorf("encode sections: %w", err)
	}
	return pageDocument{
		Title: title, TitlePlain: title,
		Headings: headings.String(), HeadingsPlain: headings.String(),
		Body: text.String(), BodyPlain: text.String(),
		Sections: string(encoded), Hidden: flag(false), Unlisted: flag(false), Visitor: flag(false),
	}, nil
}

// resolve shows a page as a reader sees it of whom nothing is known: variables have their values, conditions that do
// not hold are gone, reusable contents are in their places. It also lists the ids of the reusable contents, and says
// whether others may see another text.
func resolve(ctx context.Context, view *store.View, entry *entity.Entry,
	page *doc.Document) (resolved *doc.Document, ids []string, visitor bool, err error) {
	variables, err := view.Variables(ctx)
	if err != nil {
		return nil, nil, false, fmt.Errorf("read the variables: %w", err)
	}
	resolved, err = render.Evaluate(ctx, page, render.Options{
		Context: map[string]any{
			"space": map[string]any{"vars": variables}, "page": map[string]any{"vars": entry.Variables},
		},
		Reusable: func(ctx context.Context, ref doc.Ref) (*doc.Document, error) {
			id := reusableID(ref)
			ids = append(ids, id)
			return reusable(ctx, view, id)
		},
		Used: func(use render.Use) { visitor = visitor || use.Condition },
	})
	if errs.KindOf(err) == errs.TooLarge {
		// The page itself can be found, only what it includes cannot. What it says under conditions has to be left out.
		return unconditional(page), ids, visitor, nil
	}
	return resolved, ids, visitor, err
}

// unconditional is a document without the blocks at its top that hold conditions.
func unconditional(page *doc.Document) *doc.Document {
	left := &doc.Document{}
	for _, node := range page.Nodes {
		conditional := false
		for inner := range (&doc.Document{Nodes: []*doc.Node{node}}).All() {
			conditional = conditional || inner.Type == doc.If
		}
		if !conditional {
			left.Nodes = append(left.Nodes, node)
		}
	}
	return left
}

// reusable loads a reusable content; nil when there is none that can be read.
func reusable(ctx context.Context, view *store.View, id string) (*doc.Document, error) {
	entry, err := view.Entry(ctx, id)
	if errs.Is(err, errs.NotFound) || (err == nil && entry.Kind != entity.KindReusable) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read reusable content: %w", err)
	}
	body, err := view.Body(ctx, entry)
	if err != nil {
		return nil, fmt.Errorf("read the body of %s: %w", id, err)
	}
	document, err := markdown.Parse(body)
	if errs.KindOf(err) != errs.Internal {
		return nil, nil
	}
	return document, err
}

// reusableID returns the id of a reusable content; bodies name it by its stable destination.
func reusableID(ref doc.Ref) string {
	if ref.Kind == doc.RefURL {
		ref = doc.ParseDestination(ref.URL)
	}
	return ref.ReusableContent
}

func flag(on bool) string {
	if on {
		return "true"
	}
	return "false"
}
