package page_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// fixture is a space whose head pages are read from.
type fixture struct {
	*testing.T
	content *store.Service
	pages   *page.Revision
	view    *store.View
}

// newFixture makes a space with some entries and their bodies.
func newFixture(t *testing.T, d *db.DB, content *store.Service, space id.Space, puts ...store.Put) fixture {
	t.Helper()
	storetest.NewSpace(t.Context(), t, content, d, space)
	if len(puts) > 0 {
		if _, err := content.Commit(t.Context(), store.CommitRequest{Space: space, Author: "user_test",
			Put: puts}); err != nil {
			t.Fatal(err)
		}
	}
	f := fixture{T: t, content: content}
	f.open(space)
	return f
}

func (f *fixture) open(space id.Space) {
	f.Helper()
	var err error
	if f.view, err = f.content.Head(f.Context(), space); err != nil {
		f.Fatal(err)
	}
	if f.pages, err = page.Open(f.Context(), f.view); err != nil {
		f.Fatal(err)
	}
}

// read returns the text of a page.
func (f *fixture) read(id string, reader page.Reader) (string, error) {
	f.Helper()
	e, err := f.view.Entry(f.Context(), id)
	if err != nil {
		f.Fatal(err)
	}
	reading := f.pages.Read(e, reader)
	document, err := reading.Document(f.Context(), reading.Options(render.Options{}))
	if err != nil {
		return "", err
	}
	return render.Text(document), nil
}

func document(id, position, body string) store.Put {
	return store.Put{Body: []byte(body), Entry: &entity.Entry{ID: id, Kind: entity.KindPage, Type: entity.PageDocument,
		Title: id, Slug: strings.TrimPrefix(id, "page_"), Position: position}}
}

func reusable(id, title, body string) store.Put {
	return store.Put{Body: []byte(body), Entry: &entity.Entry{ID: id, Kind: entity.KindReusable, Title: title}}
}

func TestReadings(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		content := storetest.NewService(t, d, store.Deps{})
		f := newFixture(t, d, content, "space_own")
		storetest.ReadPages(t.Context(), t, content, "space_own")
		f.open("space_own")
		storetest.CheckReadings(t, false, func(id string) (string, error) { return f.read(id, page.Reader{}) })
	})
}

// TestVisitors holds that a page says to each visitor what it says to them alone.
func TestVisitors(t *testing.T) {
	d := dbtest.SQLite(t)
	f := newFixture(t, d, storetest.NewService(t, d, store.Deps{}), "space_own",
		document("page_a", entity.Positions(1)[0], "{% if visitor.claims.pro %}\nfor pros\n{% endif %}\n\n"+
			"{% if !visitor.claims.pro %}\nfor others\n{% endif %}\n\nHello <code class=\"expression\">"+
			"visitor.claims.name</code>\n"))
	for _, test := range []struct {
		visitor map[string]any
		want    string
	}{
		{nil, "for others Hello"},
		{page.Visitor(map[string]any{"pro": true, "name": "Ada"}), "for pros Hello Ada"},
		{page.Visitor(map[string]any{"unsigned": map[string]any{"pro": true}}), "for others Hello"},
	} {
		got, err := f.read("page_a", page.Reader{Visitor: test.visitor})
		if err != nil || strings.Join(strings.Fields(got), " ") != test.want {
			t.Errorf("%v gets %q, %v; want %q", test.visitor, got, err, test.want)
		}
	}
}

// TestHolds holds what decides about whole pages.
func TestHolds(t *testing.T) {
	d := dbtest.SQLite(t)
	f := newFixture(t, d, storetest.NewService(t, d, store.Deps{}), "space_own", store.Put{Entry: &entity.Entry{
		ID: entity.VariablesID, Kind: entity.KindVariables, Variables: map[string]any{"open": true}}})
	pro := page.Visitor(map[string]any{"pro": true})
	for _, test := range []struct {
		condition   string
		nobody, pro bool
	}{
		{"", true, true}, {"  ", true, true}, {"space.vars.open", true, true}, {"page.vars.own == 1", true, true},
		{"visitor.claims.pro", false, true}, {"!visitor.claims.pro", true, false},
		{"visitor.claims.none.x != 1", false, false}, {"unfinished (", false, false},
	} {
		e := &entity.Entry{Condition: test.condition, Variables: map[string]any{"own": 1}}
		if got := f.pages.Holds(t.Context(), e, nil); got != test.nobody {
			t.Errorf("%q holds for nobody: %t", test.condition, got)
		}
		if got := f.pages.Holds(t.Context(), e, pro); got != test.pro {
			t.Errorf("%q holds for a pro: %t", test.condition, got)
		}
	}
}

// TestOtherSpaces holds that a page shows what another space has if its reader sees that, and nothing of it otherwise;
// and that what a body of the other space includes is of that space.
func TestOtherSpaces(t *testing.T) {
	d := dbtest.SQLite(t)
	content := storetest.NewService(t, d, store.Deps{})
	other := newFixture(t, d, content, "space_other",
		reusable("content_shared", "Shared", "theirs\n\n{% include \"/reusable-content/content_inner\" %}\n\n"+
			"{% include \"inner.md\" %}\n"),
		reusable("content_inner", "Inner", "their inner\n"))
	f := newFixture(t, d, content, "space_own",
		document("page_a", entity.Positions(1)[0],
			"A\n\n{% include \"/spaces/space_other/reusable-content/content_shared\" %}\n\n"+
				"{% include \"/spaces/space_own/reusable-content/content_inner\" %}\n\nZ\n"),
		reusable("content_shared", "Shared", "ours\n"), reusable("content_inner", "Inner", "our inner\n"))
	asked := map[id.Space]int{}
	sees := func(seen bool) func(context.Context, id.Space) (*page.Revision, error) {
		return func(_ context.Context, space id.Space) (*page.Revision, error) {
			if asked[space]++; seen && space == "space_other" {
				return other.pages, nil
			}
			return nil, nil
		}
	}
	for _, test := range []struct {
		reader page.Reader
		want   string
	}{
		{page.Reader{}, "A our inner Z"},
		{page.Reader{Space: sees(false)}, "A our inner Z"},
		{page.Reader{Space: sees(true)}, "A theirs their inner their inner our inner Z"},
	} {
		got, err := f.read("page_a", test.reader)
		if err != nil || strings.Join(strings.Fields(got), " ") != test.want {
			t.Errorf("the page is %q, %v; want %q", got, err, test.want)
		}
	}
	if len(asked) != 1 || asked["space_other"] == 0 {
		t.Errorf("asked for the spaces %v", asked)
	}
}

// TestIncluded holds that what a page includes is told, however it is written.
func TestIncluded(t *testing.T) {
	d := dbtest.SQLite(t)
	f := newFixture(t, d, storetest.NewService(t, d, store.Deps{}), "space_own",
		document("page_a", entity.Positions(1)[0], "{% include \"/reusable-content/content_a\" %}\n\n"+
			"{% include \"none.md\" %}\n\n{% include \"/reusable-content/content_none\" %}\n"),
		reusable("content_a", "A", "a\n\n{% include \"b.md\" %}\n"), reusable("content_b", "B", "b\n"))
	told := map[string]bool{}
	_, err := f.read("page_a", page.Reader{Included: func(id string, path bool) {
		if path {
			id += " by path"
		}
		told[id] = true
	}})
	for _, want := range []string{"content_a", "content_b by path", " by path", "content_none"} {
		if !told[want] {
			t.Errorf("%q was not told: %v", want, told)
		}
	}
	if len(told) != 4 || err != nil {
		t.Errorf("told %v, %v", told, err)
	}
}

// TestParseRefuses holds that what is written back is never a stand-in for what could not be read.
func TestParseRefuses(t *testing.T) {
	d := dbtest.SQLite(t)
	content := storetest.NewService(t, d, store.Deps{})
	f := newFixture(t, d, content, "space_own")
	storetest.ReadPages(t.Context(), t, content, "space_own")
	f.open("space_own")
	for _, reading := range storetest.Readings {
		e, err := f.view.Entry(t.Context(), reading.Page())
		if err != nil {
			t.Fatal(err)
		}
		_, body, err := f.pages.Parse(t.Context(), e)
		if refused := err != nil; refused != (reading.API == storetest.Refused) || string(body) != reading.Body {
			t.Errorf("%s: %v, %d bytes of %d", reading.Slug, err, len(body), len(reading.Body))
		}
	}
}
