package storetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Reading is a page that ReadPages makes, and its words as a reader gets them of whom nothing is known.
type Reading struct {
	Slug, Body, Want string
	// API says what the API gives when that differs on purpose: it refuses what cannot be read, because what is read
	// there is written back.
	API string
}

// Page is the id of the page.
func (r Reading) Page() string { return "page_" + strings.ReplaceAll(r.Slug, "-", "") }

// Refused is what a difference says of what is refused.
const Refused = "refused"

// tooDeep is a body that the parser refuses, tooMany one with more blocks than it takes.
var (
	tooDeep = strings.Repeat("> ", 4000) + "deep\n"
	tooMany = strings.Repeat("a\n\n", 110_000)
)

func include(path string) string { return "A\n\n{% include \"" + path + "\" %}\n\nZ\n" }

func value(expression string) string { return "<code class=\"expression\">" + expression + "</code>" }

func condition(expression, text string) string {
	return "{% if " + expression + " %}\n" + text + "\n{% endif %}\n\n"
}

// Readings has pages of all kinds that are hard to read.
var Readings = []Reading{
	{Slug: "empty"},
	{Slug: "plain", Body: "Plain\n", Want: "Plain"},

	{Slug: "unreadable", Body: tooDeep, Want: strings.TrimSpace(tooDeep), API: Refused},
	{Slug: "unreadable-with-tags", Body: tooDeep + "\n" + condition("false", "secret"), API: Refused},
	{Slug: "too-many-blocks", Body: condition("false", "secret") + tooMany, API: Refused},

	{Slug: "include", Body: include("/reusable-content/content_plain"), Want: "A piece Z"},
	{Slug: "include-twice", Body: include("/reusable-content/content_plain") +
		include("/reusable-content/content_plain"), Want: "A piece Z A piece Z"},
	{Slug: "include-missing", Body: include("/reusable-content/content_missing"), Want: "A Z"},
	{Slug: "include-page", Body: include("/reusable-content/page_plain"), Want: "A Z"},
	{Slug: "include-unreadable", Body: include("/reusable-content/content_deep"), Want: "A Z"},
	{Slug: "include-too-many-blocks", Body: include("/reusable-content/content_many"), Want: "A Z"},
	// Another space that has a content of the same id, which nobody has said that the reader may see.
	{Slug: "include-elsewhere", Body: include("/spaces/space_elsewhere/reusable-content/content_plain"), Want: "A Z"},
	{Slug: "include-path", Body: include(".gitbook/includes/plain.md"), Want: "A piece Z"},
	{Slug: "include-path-of-name", Body: include(".gitbook/includes/NAMED.md"), Want: "A named Z"},
	{Slug: "include-path-of-file", Body: include("parts/placed.md"), Want: "A placed Z"},
	{Slug: "include-path-missing", Body: include(".gitbook/includes/missing.md"), Want: "A Z"},
	{Slug: "nested", Body: include("/reusable-content/content_nested"), Want: "A outer piece Z"},
	// A path is relative to the file that it stands in.
	{Slug: "nested-path", Body: include("/reusable-content/content_nestedpath"), Want: "A outer piece Z"},
	{Slug: "cyclic", Body: include("/reusable-content/content_cyclic"), Want: "A round Z"},
	{Slug: "cyclic-path", Body: include(".gitbook/includes/cyclic-path.md"), Want: "A round Z"},

	{Slug: "values", Body: "S " + value("space.vars.name") + " P " + value("page.vars.own") + " N " +
		value("space.vars.none") + " X " + value("page.vars.none.x") + " Z\n", Want: "S Acme P mine N X Z"},
	{Slug: "values-of-include", Body: include("/reusable-content/content_values"), Want: "A Acme mine Z"},
	{Slug: "values-of-visitor", Body: "V " + value("visitor.claims.name") + " D " +
		value("visitor.claims.name || 'you'") + " U " + value("visitor.claims.unsigned.x") + " Z\n",
		Want: "V D you U Z"},
	{Slug: "conditions", Body: condition("space.vars.name == 'Acme'", "in") + condition("space.vars.none", "out") +
		condition("unfinished (", "secret") + condition("page.vars.none.x", "secret"), Want: "in"},
	{Slug: "conditions-on-visitor", Body: condition("visitor.claims.pro", "secret") +
		condition("!visitor.claims.pro", "others") + condition("visitor.claims.unsigned.beta", "secret") +
		condition("visitor.claims.unsigned.beta != true", "stable") +
		condition("visitor.claims.none.x != true", "secret"), Want: "others stable"},
	{Slug: "condition-of-include", Body: condition("visitor.claims.pro",
		"{% include \"/reusable-content/content_plain\" %}") + "Z\n", Want: "Z"},
}

// ReadPages fills a space with the pages of Readings.
func ReadPages(ctx context.Context, t testing.TB, s *store.Service, space id.Space) {
	t.Helper()
	puts := []store.Put{{Entry: &entity.Entry{ID: entity.VariablesID, Kind: entity.KindVariables,
		Variables: map[string]any{"name": "Acme"}}}}
	positions := entity.Positions(len(Readings))
	for i, reading := range Readings {
		e := &entity.Entry{ID: reading.Page(), Kind: entity.KindPage, Type: entity.PageDocument,
			Title: reading.Slug, Slug: reading.Slug, Position: positions[i]}
		if strings.HasPrefix(reading.Slug, "values") {
			e.Variables = map[string]any{"own": "mine"}
		}
		puts = append(puts, store.Put{Entry: e, Body: []byte(reading.Body)})
	}
	for _, content := range []struct{ id, title, name, path, body string }{
		{id: "plain", title: "Plain", body: "piece\n"},
		{id: "named", title: "Title", name: "NAMED", body: "named\n"},
		{id: "placed", title: "Placed", path: "parts/placed.md", body: "placed\n"},
		{id: "nested", title: "Nested", body: "outer\n\n{% include \"/reusable-content/content_plain\" %}\n"},
		{id: "nestedpath", title: "Nested path", body: "outer\n\n{% include \"plain.md\" %}\n\n" +
			"{% include \".gitbook/includes/plain.md\" %}\n"},
		{id: "cyclic", title: "Cyclic", body: "round\n\n{% include \"/reusable-content/content_cyclic\" %}\n"},
		{id: "cyclicpath", title: "Cyclic path", body: "round\n\n{% include \"./cyclic-path.md\" %}\n"},
		{id: "values", title: "Values", body: value("space.vars.name") + " " + value("page.vars.own") + "\n"},
		{id: "deep", title: "Deep", body: tooDeep},
		{id: "many", title: "Many", body: tooMany},
	} {
		puts = append(puts, store.Put{Entry: &entity.Entry{ID: "content_" + content.id, Kind: entity.KindReusable,
			Title: content.title, Name: content.name, Path: content.path}, Body: []byte(content.body)})
	}
	if _, err := s.Commit(ctx, store.CommitRequest{Space: space, Author: "user_test", Put: puts}); err != nil {
		t.Fatal(err)
	}
}

// CheckReadings holds that a reader of the pages that ReadPages made gets the words that they want. read returns the
// text of a page by its id. api says that the reader is the API.
func CheckReadings(t *testing.T, api bool, read func(page string) (string, error)) {
	t.Helper()
	for _, reading := range Readings {
		want := reading.Want
		if api && reading.API != "" {
			want = reading.API
		}
		text, err := read(reading.Page())
		switch {
		case err != nil && want != Refused:
			t.Errorf("%s: %v", reading.Slug, err)
		case err == nil && !slices.Equal(strings.Fields(text), strings.Fields(want)):
			t.Errorf("%s: %.200q, want %.200q", reading.Slug, text, want)
		}
	}
}
