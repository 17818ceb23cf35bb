package importer_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// mirror imports files so that the space is the same as they are, or says what it would do.
func (h *fixture) mirror(t testing.TB, spaceID id.Space, files map[string]string, page string,
	dryRun bool) (importer.Result, error) {
	t.Helper()
	return h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Source: importer.SourceZIP, TargetPage: page,
		Mirror: true, DryRun: dryRun, Upload: bytes.NewReader(pack(t, files)), Name: "docs.zip"}, nil)
}

// idsByPath returns the ids of a space's pages.
func (h *fixture) idsByPath(t testing.TB, spaceID id.Space) map[string]string {
	t.Helper()
	tree, err := h.head(t, spaceID).Pages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for _, node := range tree.Ordered {
		ids[node.Path] = node.Entry.ID
	}
	return ids
}

// told writes what a report says of pages.
func told(changes *source.Changes) string {
	var out strings.Builder
	for _, part := range []struct {
		name  string
		notes source.Notes
	}{{"added", changes.Added}, {"updated", changes.Updated}, {"moved", changes.Moved}, {"removed", changes.Removed}} {
		for _, note := range part.notes.Items {
			fmt.Fprintf(&out, "%s %s %s\n", part.name, note.Place, note.Target)
		}
	}
	return out.String()
}

func TestMirrorRemovesWhatIsGoneAndFollowsRenames(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		text := "One line.\n\nAnother line, [home](README.md).\n\nA third.\n"
		h.importFiles(t, spaceID, map[string]string{"README.md": "# Home\n", "setup.md": "# Setup\n\n" + text,
			"guide/README.md": "# Guide\n", "guide/use.md": "# Use\n\nHow to use it.\n\nWith care.\n\nEach day.\n",
			"old/README.md": "# Old\n", "old/gone.md": "# Gone\n\nNobody needs this.\n",
			"stays.md": "# Stays\n\nAs it is.\n"})
		before := h.idsByPath(t, spaceID)
		outlineBefore := outline(t, h.head(t, spaceID))
		files := map[string]string{"README.md": "# Home\n", "stays.md": "# Stays\n\nAs it is, now.\n",
			// The same text under another path and title, and the same title with most of its text.
			"start/README.md":     "# Start\n",
			"start/installing.md": "# Installing\n\n" + strings.ReplaceAll(text, "README.md", "../README.md"),
			"use.md":              "# Use\n\nHow to use it.\n\nWith care.\n\nEach week.\n",
			"new.md":              "# New\n\nNothing of old.\n"}

		planned, err := h.mirror(t, spaceID, files, "", true)
		if err != nil {
			t.Fatal(err)
		}
		if got := outline(t, h.head(t, spaceID)); got != outlineBefore {
			t.Errorf("what only says what it would do has changed the space:\n%s", got)
		}
		done, err := h.mirror(t, spaceID, files, "", false)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(told(planned.Report.Changes), told(done.Report.Changes)); diff != "" {
			t.Errorf("it did something else than it said:\n%s", diff)
		}
		fresh := h.newSpace(t)
		h.importFiles(t, fresh, files)
		if diff := cmp.Diff(outline(t, h.head(t, fresh)), outline(t, h.head(t, spaceID))); diff != "" {
			t.Errorf("the space is not what the files are:\n%s", diff)
		}
		after := h.idsByPath(t, spaceID)
		for was, is := range map[string]string{"stays": "stays", "setup": "start/installing", "guide/use": "use"} {
			if before[was] == "" || before[was] != after[is] {
				t.Errorf("%s was %s and is another page now", is, was)
			}
		}
		for _, each := range []string{"removed old ", "removed old/gone ", "removed guide ", "moved use.md guide/use",
			"moved start/installing.md setup", "added new.md ", "updated stays.md "} {
			if !strings.Contains(told(done.Report.Changes), each) {
				t.Errorf("the report does not say %q:\n%s", each, told(done.Report.Changes))
			}
		}
		// Who has the old address still gets there.
		redirects, err := h.head(t, spaceID).Redirects(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var paths strings.Builder
		for _, each := range redirects {
			paths.WriteString(each.Path + " ")
		}
		if !strings.Contains(paths.String(), "setup") || !strings.Contains(paths.String(), "use") {
			t.Errorf("the redirects are %q", paths.String())
		}
		again, err := h.mirror(t, spaceID, files, "", false)
		if err != nil {
			t.Fatal(err)
		}
		if again.Revision != done.Revision || told(again.Report.Changes) != "" {
			t.Errorf("the same again does something: %s", told(again.Report.Changes))
		}
	})
}

// TestMirrorKeepsToItsPage mirrors below one page: what is beside it stays.
func TestMirrorKeepsToItsPage(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	h.importFiles(t, spaceID, map[string]string{"README.md": "# Home\n", "a/README.md": "# A\n", "a/old.md": "# Old\n",
		"b.md": "# B\n"})
	page := h.idsByPath(t, spaceID)["a"]
	if _, err := h.mirror(t, spaceID, map[string]string{"one.md": "# One\n", "two.md": "# Two\n"}, page,
		false); err != nil {
		t.Fatal(err)
	}
	want := "d readme: Home\nd a: A\n  d one: One\n  d two: Two\nd b: B\n"
	if diff := cmp.Diff(want, outline(t, h.head(t, spaceID))); diff != "" {
		t.Error(diff)
	}
}

// TestMirrorIsRefusedWhereItWouldEmptyASpace asks for what says nothing of the pages that are not in it.
func TestMirrorIsRefusedWhereItWouldEmptyASpace(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	h.importFiles(t, spaceID, map[string]string{"README.md": "# Home\n", "b.md": "# B\n"})
	before := outline(t, h.head(t, spaceID))
	for name, request := range map[string]importer.Request{
		"a website": {Source: importer.SourceWebsite, URL: "https://example.org/"},
		"a page":    {Source: importer.SourceMarkdown, Upload: strings.NewReader("# One\n"), Name: "one.md"},
		"a file":    {Source: importer.SourceAuto, Upload: strings.NewReader("# One\n"), Name: "one.md"},
	} {
		request.Space, request.Mirror = spaceID, true
		if _, err := h.Import(t.Context(), h.admin, request, nil); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := h.mirror(t, spaceID, map[string]string{"notes.txt": "no page"}, "", false); err == nil {
		t.Error("an archive without pages has emptied the space")
	}
	if got := outline(t, h.head(t, spaceID)); got != before {
		t.Errorf("the space has changed:\n%s", got)
	}
}

// TestMirrorsOfRandomTrees mirrors one random tree after another into a space: it is each time what a fresh space would
// be, and a page whose path or text stays keeps its id.
func TestMirrorsOfRandomTrees(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "b", "c", "d"}
	tree := func() map[string]string {
		files := map[string]string{"README.md": "# Home\n"}
		for range 1 + random.IntN(8) {
			path := names[random.IntN(4)]
			for random.IntN(2) == 0 && strings.Count(path, "/") < 2 {
				path += "/" + names[random.IntN(4)]
			}
			text := random.IntN(6)
			files[path+".md"] = fmt.Sprintf("# Title %d\n\nText %d.\n\nMore.\n", text, text)
		}
		return files
	}
	spaceID := h.newSpace(t)
	for n := range 25 {
		files := tree()
		before := h.idsByPath(t, spaceID)
		if _, err := h.mirror(t, spaceID, files, "", false); err != nil {
			t.Fatalf("%d: %v\n%v", n, err, files)
		}
		fresh := h.newSpace(t)
		h.importFiles(t, fresh, files)
		if diff := cmp.Diff(outline(t, h.head(t, fresh)), outline(t, h.head(t, spaceID))); diff != "" {
			t.Fatalf("%d: the space is not what the files are:\n%s\n%v", n, diff, files)
		}
		after, kept := h.idsByPath(t, spaceID), 0
		for path, pageID := range before {
			if after[path] == pageID {
				kept++
			}
		}
		if len(before) > 0 && kept == 0 {
			t.Errorf("%d: no page kept its id", n)
		}
	}
}
