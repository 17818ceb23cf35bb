package search_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// world is a content store with a search service over it.
type world struct {
	t       testing.TB
	db      *db.DB
	content *store.Service
	search  *search.Service
	dir     string
}

func newWorld(t testing.TB, d *db.DB) *world {
	t.Helper()
	blobs, err := blob.OpenStore("dir:" + t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, db: d, content: requiredtest.Wire(store.New(store.Deps{DB: d, Blobs: blobs}), store.Hooks{}),
		dir: t.TempDir()}
	w.search = w.open()
	return w
}

func (w *world) open() *search.Service {
	w.t.Helper()
	service, err := search.New(search.Deps{
		Content: w.content, Dir: w.dir, Log: slog.New(slog.DiscardHandler), FirstBuildWait: 30 * time.Second,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	service.SetHooks(requiredtest.Fill(search.Hooks{}))
	w.t.Cleanup(func() {
		if err := service.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return service
}

func (w *world) space() id.Space {
	w.t.Helper()
	space := id.New("space")
	err := w.db.Tx(w.t.Context(), func(ctx context.Context, q db.Querier) error {
		return w.content.Init(ctx, q, id.Space(space), id.User(id.New("user")), time.Now().UnixMicro())
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return id.Space(space)
}

// page returns a document page at the end of its siblings.
func page(pageID, parent, position, title string) *entity.Entry {
	return &entity.Entry{ID: pageID, Kind: entity.KindPage, Type: entity.PageDocument, Parent: parent,
		Position: position, Title: title}
}

func (w *world) put(space id.Space, puts ...store.Put) {
	w.t.Helper()
	_,
		err := w.content.Commit(w.t.Context(),
		store.CommitRequest{Space: space, Author: id.User(id.New("user")), Put: puts,
			FixSlugs: true})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) find(text string, spaces ...id.Space) search.Result {
	w.t.Helper()
	result, err := w.search.Search(w.t.Context(), search.Query{Spaces: spaces, Text: text, Limit: 20})
	if err != nil {
		w.t.Fatalf("search %q: %v", text, err)
	}
	return result
}

// titles lists the titles of the pages found, best first.
func titles(result search.Result) []string {
	out := []string{}
	for _, hit := range result.Pages {
		out = append(out, hit.Title)
	}
	return out
}

func TestFindsPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		space := w.space()
		positions := entity.Positions(8)
		bodies := []struct{ title, body string }{
			{"Installing", "How to set up the server.\n\n## Requirements\n\nYou need a machine with two cores.\n\n## " +
				"Windows\n\nRun the installer."},
			{"Ownership",
				"Every value has an owner.\n\n## Rules of ownership\n\nThere can only be one owner at a time."},
			{"Crème brûlée", "A dessert with naïve charm."},
			{"所有権とは", "所有権は最も独特な機能です。メモリ安全性を保証します。"},
			{"소유권", "소유권이란 무엇인가요? 문서는 여기에 있습니다."},
			{"API", "Call `read_line` on io::stdin and handle io::Error."},
			{"Guessing", "A game where you guess. The owner of the game mentions ownership once."},
			{"Upgrading", "Configuration options changed between versions."},
		}
		var puts []store.Put
		for i, b := range bodies {
			puts = append(puts, store.Put{Entry: page(id.New("page"), "", positions[i], b.title), Body: []byte(b.body)})
		}
		w.put(space, puts...)

		tests := []struct {
			name, query string
			want        []string
		}{
			{"another form of the word", "install", []string{"Installing"}},
			{"the stem of a longer query", "installation requirements", []string{"Installing"}},
			{"a title beats a body", "ownership", []string{"Ownership", "Guessing"}},
			{"as you type", "owne", []string{"Ownership", "Guessing"}},
			{"all words come first", "owner game", []string{"Guessing", "Ownership"}},
			{"one typo in a word of four letters", "gam3 guess", []string{"Guessing"}},
			{"two typos in a long word", "configuratoin", []string{"Upgrading"}},
			{"no typo in short words", "apx", []string{}},
			{"accents do not matter", "creme brulee", []string{"Crème brûlée"}},
			{"accents typed where there are none", "Ôwnership", []string{"Ownership", "Guessing"}},
			{"Japanese", "所有権", []string{"所有権とは"}},
			{"Japanese, one character", "権", []string{"所有権とは"}},
			{"katakana", "メモリ", []string{"所有権とは"}},
			{"Korean without its ending", "문서", []string{"소유권"}},
			{"identifiers", "read_line", []string{"API"}},
			{"paths", "io::Error", []string{"API"}},
			{"upper case", "OWNER GAME", []string{"Guessing", "Ownership"}},
			{"nothing", "zzzzzz", []string{}},
			{"only punctuation", "… ?! ()", []string{}},
			{"query syntax is text", "title:ownership +x -y \"", []string{"Ownership", "Guessing"}},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				result := w.find(test.query, space)
				if diff := cmp.Diff(test.want, titles(result)); diff != "" {
					t.Errorf("search %q (-want +got):\n%s", test.query, diff)
				}
				if result.Total != len(test.want) {
					t.Errorf("total = %d, want %d", result.Total, len(test.want))
				}
			})
		}

		t.Run("sections", func(t *testing.T) {
			hit := w.find("rules of ownership", space).Pages[0]
			section := hit.Sections[0]
			if section.ID != "rules-of-ownership" || section.Path != "ownership#rules-of-ownership" ||
				section.Title != "Rules of ownership" {
				t.Errorf("best section = %+v", section)
			}
		})
		t.Run("marks are the words", func(t *testing.T) {
			for _, query := range []string{"owner", "cores machine", "naive", "所有権", "options config"} {
				for _, hit := range w.find(query, space).Pages {
					for _, section := range hit.Sections {
						for _, mark := range section.Marks {
							word := section.Body[mark[0]:mark[1]]
							if strings.ContainsAny(word, " …\n") || word == "" {
								t.Errorf("search %q marks %q in %q", query, word, section.Body)
							}
						}
					}
				}
			}
			if hit := w.find("cores", space).Pages[0]; hit.Sections[0].Body[hit.Sections[0].Marks[0][0]:hit.Sections[0].
				Marks[0][1]] != "cores" {
				t.Errorf("marks = %+v", hit.Sections[0])
			}
		})
	})
}

// Names of code are looked for as they are written: their words by themselves are everywhere.
func TestNamesOfCode(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		space := w.space()
		positions := entity.Positions(4)
		var puts []store.Put
		for i, b := range []struct{ title, body string }{
			{"Closures", "Call `unwrap_or_else` with a closure, or else nothing is unwrapped."},
			{"Errors", "Either unwrap the value or handle what else there is. You don't have to."},
			{"Vectors", "A `Vec<T>` holds values."},
			{"Talk", "That is what the vec of things is about, though not the type T."},
		} {
			puts = append(puts, store.Put{Entry: page(id.New("page"), "", positions[i], b.title), Body: []byte(b.body)})
		}
		w.put(space, puts...)
		for query, want := range map[string][]string{
			"unwrap_or_else": {"Closures"}, "unwrap_or": {"Closures"}, "Vec<T>": {"Vectors"}, "vec<t": {"Vectors"},
			"call unwrap_or_else": {"Closures"},
			"don't":               {"Errors"}, "unwrap_or_el": {"Closures"},
			"unwrap else": {"Closures", "Errors"},
			"unwrap/else": {"Closures", "Errors"},
		} {
			got := titles(w.find(query, space))
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("search %q (-want +got):\n%s", query, diff)
			}
		}
		section := w.find("unwrap_or_else", space).Pages[0].Sections[0]
		var marked []string
		for _, mark := range section.Marks {
			marked = append(marked, section.Body[mark[0]:mark[1]])
		}
		if diff := cmp.Diff([]string{"unwrap_or_else"}, marked); diff != "" {
			t.Errorf("marks in %q (-want +got):\n%s", section.Body, diff)
		}
	})
}

// TestHitsSayWhereTheyAre holds what a hit tells of its page besides the words.
func TestHitsSayWhereTheyAre(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		space := w.space()
		positions := entity.Positions(3)
		top, middle, leaf := id.New("page"), id.New("page"), id.New("page")
		described := page(leaf, middle, positions[2], "Leaf")
		described.Description = "What it is about"
		w.put(space, store.Put{Entry: page(top, "", positions[0], "Top"), Body: []byte("Nothing.")},
			store.Put{Entry: page(middle, top, positions[1], "Middle"), Body: []byte("Nothing.")},
			store.Put{Entry: described, Body: []byte("A needle.")})
		hit := w.find("needle", space).Pages[0]
		if hit.Path != "top/middle/leaf" || !slices.Equal(hit.Ancestors, []string{"Top", "Middle"}) ||
			hit.Description != "What it is about" || hit.Score <= 0 {
			t.Errorf("%+v", hit)
		}
	})
}

func TestFollowsTheHead(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		space := w.space()
		positions := entity.Positions(3)
		first := page(id.New("page"), "", positions[0], "Apples")
		second := page(id.New("page"), first.ID, positions[0], "Pears")
		w.put(space, store.Put{Entry: first, Body: []byte("Round fruit.")},
			store.Put{Entry: second, Body: []byte("Green fruit.")})
		if got := titles(w.find("fruit", space)); len(got) != 2 {
			t.Fatalf("fruit = %v", got)
		}

		w.put(space, store.Put{Entry: first, Body: []byte("Vegetables now.")})
		if got := titles(w.find("vegetables", space)); !slices.Equal(got, []string{"Apples"}) {
			t.Errorf("the new words find %v", got)
		}
		if got := titles(w.find("round", space)); len(got) != 0 {
			t.Errorf("the old words still find %v", got)
		}

		renamed := *first
		renamed.Title, renamed.Slug = "Quinces", "quinces"
		w.put(space, store.Put{Entry: &renamed})
		hit := w.find("pears", space).Pages[0]
		if hit.Path != "quinces/pears" {
			t.Errorf("path after the parent was renamed = %q", hit.Path)
		}

		// Another process has its own index and sees the same.
		other, err := search.New(search.Deps{Content: w.content, Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler),
			FirstBuildWait: 30 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		other.SetHooks(requiredtest.Fill(search.Hooks{}))
		defer other.Close()
		result, err := other.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: "quinces", Limit: 5})
		if err != nil || len(result.Pages) != 1 {
			t.Errorf("the other process finds %v, %v", titles(result), err)
		}

		if _, err := w.content.Commit(t.Context(), store.CommitRequest{Space: space, Author: id.User(id.New("user")),
			Delete: []string{first.ID}}); err != nil {
			t.Fatal(err)
		}
		if got := titles(w.find("fruit", space)); len(got) != 0 {
			t.Errorf("deleted pages are found: %v", got)
		}
	})
}

// TestFirstBuildIsTold holds that a search which could not wait for the first build of an index says so, until all is
// found.
func TestFirstBuildIsTold(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	const pages = 300
	var puts []store.Put
	for _, position := range entity.Positions(pages) {
		puts = append(puts, store.Put{Entry: page(id.New("page"), "", position, "Pear"), Body: []byte("A pear.")})
	}
	w.put(space, puts...)
	hasty, err := search.New(search.Deps{Content: w.content, Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler),
		FirstBuildWait: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	hasty.SetHooks(requiredtest.Fill(search.Hooks{}))
	defer hasty.Close()
	for tries := 0; ; tries++ {
		result, err := hasty.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: "pear", Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !result.Incomplete {
			if tries == 0 || result.Total != pages {
				t.Errorf("after %d incomplete answers %d of %d pages are found", tries, result.Total, pages)
			}
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestHiddenPages(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	positions := entity.Positions(2)
	parent := page(id.New("page"), "", positions[0], "Secret garden")
	parent.Hidden = true
	child := page(id.New("page"), parent.ID, positions[0], "Garden gate")
	w.put(space, store.Put{Entry: parent, Body: []byte("a")}, store.Put{Entry: child, Body: []byte("b")})

	published := func() []string {
		result, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: "garden", Limit: 10,
			Published: true})
		if err != nil {
			t.Fatal(err)
		}
		return titles(result)
	}
	if got := titles(w.find("garden", space)); len(got) != 2 {
		t.Errorf("members find %v", got)
	}
	if got := published(); len(got) != 0 {
		t.Errorf("readers find hidden pages: %v", got)
	}
	shown := *parent
	shown.Hidden = false
	w.put(space, store.Put{Entry: &shown})
	if got := published(); len(got) != 2 {
		t.Errorf("after the parent is shown readers find %v", got)
	}
}

func TestReusableContentIsFoundOnItsPages(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	reusable := &entity.Entry{ID: id.New("content"), Kind: entity.KindReusable, Title: "Warning"}
	including := page(id.New("page"), "", entity.Positions(1)[0], "Deploy")
	w.put(space,
		store.Put{Entry: reusable, Body: []byte("Beware of alligators.")},
		store.Put{Entry: including, Body: []byte("Text.\n\n{% include \"/reusable-content/" + reusable.ID + "\" %}\n")})
	if got := titles(w.find("alligators", space)); !slices.Equal(got, []string{"Deploy"}) {
		t.Fatalf("included words find %v", got)
	}
	w.put(space, store.Put{Entry: reusable, Body: []byte("Beware of crocodiles.")})
	if got := titles(w.find("crocodiles", space)); !slices.Equal(got, []string{"Deploy"}) {
		t.Errorf("changed included words find %v", got)
	}
}

// TestReusableContentAtAPathIsFoundOnItsPages holds that the index follows what is at the path that a page includes.
func TestReusableContentAtAPathIsFoundOnItsPages(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	positions := entity.Positions(2)
	including := page(id.New("page"), "", positions[0], "Deploy")
	including.Slug = "deploy"
	w.put(space, store.Put{Entry: including, Body: []byte("{% include \"../.gitbook/includes/warning.md\" %}\n")})
	holds := func(word string, want ...string) {
		t.Helper()
		if got := titles(w.find(word, space)); !slices.Equal(got, want) {
			t.Errorf("%s is found on %v, want %v", word, got, want)
		}
	}
	holds("alligators")
	reusable := &entity.Entry{ID: id.New("content"), Kind: entity.KindReusable, Title: "Warning"}
	w.put(space, store.Put{Entry: reusable, Body: []byte("Beware of alligators.")})
	holds("alligators", "Deploy")
	elsewhere := *reusable
	elsewhere.Path = "parts/warning.md"
	w.put(space, store.Put{Entry: &elsewhere, Body: []byte("Beware of alligators.")})
	holds("alligators")
	near := *reusable
	near.Path = "warning.md"
	w.put(space, store.Put{Entry: &near, Body: []byte("Beware of crocodiles.")},
		store.Put{Entry: including, Body: []byte("{% include \"warning.md\" %}\n")})
	holds("crocodiles", "Deploy")
	// With a page below it, the page's file is in a folder, and the path leads to another place.
	child := page(id.New("page"), including.ID, positions[1], "Child")
	w.put(space, store.Put{Entry: child, Body: []byte("Text.")})
	holds("crocodiles")
	near.Path = "deploy/warning.md"
	w.put(space, store.Put{Entry: &near, Body: []byte("Beware of crocodiles.")})
	holds("crocodiles", "Deploy")
}

func TestSeveralSpacesAndPaging(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	var spaces []id.Space
	for s := range 3 {
		space := w.space()
		spaces = append(spaces, space)
		var puts []store.Put
		for i, position := range entity.Positions(10) {
			puts = append(puts, store.Put{Entry: page(id.New("page"), "", position, fmt.Sprintf("Chapter %d of book %d",
				i, s)), Body: []byte("needle")})
		}
		w.put(space, puts...)
	}
	seen := map[string]bool{}
	for offset := 0; ; offset += 7 {
		result, err := w.search.Search(t.Context(), search.Query{Spaces: spaces, Text: "needle", Limit: 7,
			Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		if result.Total != 30 {
			t.Fatalf("total = %d", result.Total)
		}
		for _, hit := range result.Pages {
			if seen[hit.ID] {
				t.Errorf("%s appears twice", hit.Title)
			}
			seen[hit.ID] = true
		}
		if offset > 30 {
			break
		}
	}
	if len(seen) != 30 {
		t.Errorf("paging gives %d pages", len(seen))
	}
	if got := w.find("needle", spaces[1]); got.Total != 10 {
		t.Errorf("one space has %d", got.Total)
	}
	if _, err := w.search.Search(t.Context(), search.Query{Spaces: spaces, Text: "needle", Limit: 1,
		Offset: 1 << 30}); !errs.Is(err, errs.Invalid) {
		t.Errorf("deep paging: %v", err)
	}
	if _, err := w.search.Search(t.Context(), search.Query{Spaces: spaces, Text: strings.Repeat("a", 5000),
		Limit: 1}); !errs.Is(err, errs.Invalid) {
		t.Errorf("long text: %v", err)
	}
}

func TestDamagedIndexIsBuiltAgain(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	w.put(space, store.Put{Entry: page(id.New("page"), "", entity.Positions(1)[0], "Lighthouse"),
		Body: []byte("A lamp.")})
	if got := titles(w.find("lamp", space)); len(got) != 1 {
		t.Fatalf("lamp = %v", got)
	}
	if err := w.search.Close(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(w.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return os.WriteFile(path, []byte("garbage"), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.search = w.open()
	if got := titles(w.find("lamp", space)); !slices.Equal(got, []string{"Lighthouse"}) {
		t.Errorf("after the damage: %v", got)
	}
}

func TestHostileQueries(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	w.put(space, store.Put{Entry: page(id.New("page"), "", entity.Positions(1)[0], "Page"),
		Body: []byte(strings.Repeat("aaaa bbbb cccc ", 5000))})
	for _, text := range []string{
		strings.Repeat("a ", 1000), strings.Repeat("*", 2000), "\x00\xff\xfe", strings.Repeat("́", 900),
		strings.Repeat("所", 600), "aaaa~9 bbbb^100", "/.*/", `"\"`, "a:b:c", strings.Repeat("x", 2048),
	} {
		start := time.Now()
		if _, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: text,
			Limit: 50}); err != nil {
			t.Errorf("search %.20q: %v", text, err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("search %.20q took %v", text, took)
		}
	}
}

// TestPagesThatDependOnTheVisitor has a page with a condition, and one that is not for this visitor at all.
func TestPagesThatDependOnTheVisitor(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space, positions := w.space(), entity.Positions(3)
	plain, mixed, secret := id.New("page"), id.New("page"), id.New("page")
	w.put(space,
		store.Put{Entry: page(plain, "", positions[0], "Plain"), Body: []byte("Apples for all.")},
		store.Put{Entry: page(mixed, "", positions[1], "Mixed"), Body: []byte("Apples too.\n\n{% if " +
			"visitor.claims.isPro %}\nPears for some.\n{% endif %}\n\n{% if !visitor.claims.isPro %}\nPlums for " +
			"others.\n{% endif %}\n")},
		store.Put{Entry: page(secret, "", positions[2], "Secret"), Body: []byte("Apples and pears, but not for you.")})
	find := func(text string, own func(context.Context, id.Space, []string) (*search.Own, error)) search.Result {
		t.Helper()
		found, err := w.search.Search(t.Context(), search.Query{
			Spaces: []id.Space{space}, Text: text, Limit: 10, Published: true,
			Without: map[id.Space][]string{space: {secret}}, Own: own,
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := find("apples", nil); found.Total != 1 || found.Pages[0].ID != plain {
		t.Errorf("nobody: %+v", found)
	}
	for _, word := range []string{"pears", "plums", "pea", "some"} {
		if found := find(word, nil); found.Total != 0 {
			t.Errorf("%s: %+v", word, found)
		}
	}
	document, err := markdown.Parse([]byte("Apples too.\n\nPears for some.\n"))
	if err != nil {
		t.Fatal(err)
	}
	pro := func(_ context.Context, asked id.Space, pages []string) (*search.Own, error) {
		if asked != space || !slices.Equal(pages, []string{mixed}) {
			t.Errorf("asked for %v of %s", pages, asked)
		}
		return search.NewOwn(space, []search.OwnPage{{Entry: &entity.Entry{ID: mixed, Title: "Mixed"},
			Document: document}})
	}
	if found := find("apples", pro); found.Total != 2 {
		t.Errorf("apples: %+v", found)
	}
	if found := find("pears", pro); found.Total != 1 || found.Pages[0].ID != mixed ||
		!strings.Contains(found.Pages[0].Sections[0].Body, "Pears for some") {
		t.Errorf("pears: %+v", found)
	}
	if found := find("plums", pro); found.Total != 0 {
		t.Errorf("plums: %+v", found)
	}
}
