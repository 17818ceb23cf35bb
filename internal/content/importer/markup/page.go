package markup

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Fill converts the content of a page and gives the page its body, its anchors and, when it has none yet, its title,
// which is then the main heading. What was left out is noted in the report of the tree that the page is for. It changes
// the content that it is given.
func Fill(page *source.Page, content *html.Node, options hypertext.Options, tree *source.Tree) {
	options.Titled = page.Entry.Title != ""
	converted := hypertext.Convert(content, options)
	if page.Entry.Title == "" {
		page.Entry.Title = converted.Title
	}
	page.Body = tree.Texts.Keep(markdown.Write(converted.Document))
	page.Anchors = map[string]string{}
	for name, node := range converted.Anchors {
		page.Anchors[name] = ""
		if node != nil {
			page.Anchors[name] = node.ID
		}
	}
	for _, what := range slices.Sorted(maps.Keys(converted.Lost)) {
		tree.Report.NotUnderstood.Addf(page.Place, "left out: %s (%d)", what, converted.Lost[what])
	}
}

// Losses counts what a reader leaves out or changes, so that a report says each thing once with its number.
type Losses struct{ counts map[string]int }

// Add counts one more of a thing; the text says what became of it: "left out: comment".
func (l *Losses) Add(what string) {
	if l.counts == nil {
		l.counts = map[string]int{}
	}
	l.counts[what]++
}

// Report adds a note for every thing that was counted and starts over.
func (l *Losses) Report(place string, notes *source.Notes) {
	for _, what := range slices.Sorted(maps.Keys(l.counts)) {
		if count := l.counts[what]; count > 1 {
			notes.Addf(place, "%s (%d times)", what, count)
			continue
		}
		notes.Addf(place, "%s", what)
	}
	l.counts = nil
}

// FileTitle makes a title of a file name: without its extension, and with spaces for what stands for them.
func FileTitle(name string) string {
	if at := strings.LastIndexByte(name, '.'); at > 0 {
		name = name[:at]
	}
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == ' ' || r == '+' }), " ")
	if name == "" {
		return "Untitled"
	}
	return name
}
