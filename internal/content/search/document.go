package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/engine/entity"
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

// includedByPath stands among the includes of a page that has one written as a path: what that leads to depends on
// where the page and the reusable contents are.
const includedByPath = "includedbypath"

// pageText makes the document of a page as a reader gets it of whom nothing is known. It lists the reusable contents
// in it, and says whether others may see another text.
func pageText(ctx context.Context, pages *page.Revision, e *entity.Entry, flags entity.Flags) (pageDocument, error) {
	var includes []string
	visitor := false
	reading := pages.Read(e, page.Reader{Included: func(id string, path bool) {
		if path {
			includes = append(includes, includedByPath)
		}
		includes = append(includes, id)
	}})
	document, err := reading.Document(ctx, reading.Options(render.Options{
		Used: func(use render.Use) { visitor = visitor || use.Condition },
	}))
	if err != nil {
		return pageDocument{}, err
	}
	slices.Sort(includes)
	made, err := documentOf(e.Title, e.Description, render.Sections(document))
	made.Includes, made.Visitor = strings.Join(slices.Compact(includes), " "), flag(visitor)
	made.setFlags(flags)
	return made, err
}

// setFlags says whether a page, or one above it, is hidden or asks not to be indexed.
func (d *pageDocument) setFlags(flags entity.Flags) {
	d.Hidden, d.Unlisted = flag(flags.Hidden), flag(flags.NoIndex)
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

func flag(on bool) string {
	if on {
		return "true"
	}
	return "false"
}
