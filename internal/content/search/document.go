package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/search/terms"
	"github.com/rectodocs/recto/internal/engine/endpoint"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/language"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Field names of an indexed page.
const (
	fieldTitle    = "title"    // words of the title
	fieldHeadings = "headings" // words of description, tags and headings
	fieldText     = "text"     // all of it
	fieldPlaces   = "places"   // where in it the words are, as package places writes it; not searched
	fieldSections = "sections" // stored JSON, not searched
	fieldIncludes = "includes" // ids of reusable contents in the page
	fieldHidden   = "hidden"   // "true" when the page or an ancestor is hidden
	fieldUnlisted = "unlisted" // "true" when the page or an ancestor asks not to be indexed
	fieldVisitor  = "visitor"  // "true" when the text of the page depends on the visitor
	fieldLanguage = "language" // the code of its language
	// fieldOperations has the operations of APIs that the page describes, as endpoint.In lists them.
	fieldOperations = "operations"
)

// pageDocument is what bleve sees of one page.
type pageDocument struct {
	Title    string `json:"title"`
	Headings string `json:"headings"`
	Text     string `json:"text"`
	Sections string `json:"sections"`
	Includes string `json:"includes"`
	Hidden   string `json:"hidden"`
	Unlisted string `json:"unlisted"`
	Visitor  string `json:"visitor"`
	Language string `json:"language"`
	// Operations are those of APIs that the page describes.
	Operations []string `json:"operations"`
}

// storedSection says which bytes of the text belong to a section: those of its heading, and those below it.
type storedSection struct {
	ID      string `json:"i,omitempty"`
	Heading int    `json:"h"`
	Start   int    `json:"s"`
	End     int    `json:"e"`
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
	made, err := documentOf(e.Title, e.Slug, summaryOf(e), render.Sections(document))
	made.Includes, made.Visitor = strings.Join(slices.Compact(includes), " "), flag(visitor)
	made.setFlags(flags)
	made.Operations = endpoint.In(document)
	return made, err
}

// setFlags says whether a page, or one above it, is hidden or asks not to be indexed.
func (d *pageDocument) setFlags(flags entity.Flags) {
	d.Hidden, d.Unlisted = flag(flags.Hidden), flag(flags.NoIndex)
}

// summaryOf is what is said of a page besides its text: its description and its tags.
func summaryOf(e *entity.Entry) string {
	if len(e.Tags) == 0 {
		return e.Description
	}
	said := []string{e.Description}
	for _, tag := range e.Tags {
		said = append(said, tag.Tag)
	}
	return strings.TrimSpace(strings.Join(said, "\n"))
}

// withoutSigns takes away the signs that have a meaning in an indexed text.
var withoutSigns = strings.NewReplacer(string(terms.SectionSign), " ", string(terms.HeadingSign), " ",
	string(terms.StemMark), " ")

// documentOf makes the document of a page from its sections; nothing is known of where it may be shown. Words of its
// address are found as well: they stand beside the title, where they are not shown.
func documentOf(title, slug, summary string, sections []render.Section) (pageDocument, error) {
	var text, headings strings.Builder
	stored := make([]storedSection, 0, len(sections)+1)
	add := func(id, heading, below string) {
		if text.Len() > 0 {
			text.WriteRune(terms.SectionSign)
		}
		section := storedSection{ID: id, Heading: text.Len()}
		text.WriteString(withoutSigns.Replace(heading))
		text.WriteRune(terms.HeadingSign)
		section.Start = text.Len()
		text.WriteString(withoutSigns.Replace(below))
		section.End = text.Len()
		stored = append(stored, section)
	}
	address := wordsOf(slug)
	if strings.Contains(wordsOf(title), address) {
		address = ""
	}
	add("", strings.TrimSpace(title+" "+address), summary)
	headings.WriteString(summary + "\n" + address)
	for _, section := range sections {
		if text.Len()+len(section.Text) > maxIndexedBytes {
			break
		}
		if section.Title != "" {
			headings.WriteString("\n")
			headings.WriteString(section.Title)
		}
		add(section.ID, section.Title, section.Text)
	}
	encoded, err := json.Marshal(stored)
	if err != nil {
		return pageDocument{}, fmt.Errorf("encode sections: %w", err)
	}
	return pageDocument{
		Title: title, Headings: headings.String(), Text: text.String(), Sections: string(encoded),
		Hidden: flag(false), Unlisted: flag(false), Visitor: flag(false), Language: language.Of(text.String()),
	}, nil
}

// wordsOf is a text as the words that it is searched by.
func wordsOf(text string) string {
	isSign := func(r rune) bool { return !language.IsWord(r) }
	return strings.Join(strings.FieldsFunc(string(language.Fold([]byte(text))), isSign), " ")
}

func flag(on bool) string {
	if on {
		return "true"
	}
	return "false"
}
