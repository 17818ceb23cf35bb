package importer_test

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// newRequest makes a change request.
func (h *fixture) newRequest(t *testing.T, spaceID id.Space) change.Request {
	t.Helper()
	made, err := h.changes.Create(t.Context(), h.admin, spaceID, change.New{Subject: "Imports"})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (h *fixture) branchHead(t *testing.T, request change.Request) *store.View {
	t.Helper()
	view, err := h.content.BranchHead(t.Context(), request.Space, request.Branch)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// at returns the page at a path.
func at(t *testing.T, tree *store.Tree, path string) *entity.Entry {
	t.Helper()
	for _, node := range tree.Ordered {
		if node.Path == path {
			return node.Entry
		}
	}
	t.Fatalf("there is no page at %q", path)
	return nil
}

func (h *fixture) setStatus(t *testing.T, request change.Request, status change.Status) {
	t.Helper()
	err := h.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `UPDATE change_request SET status = $1 WHERE id = $2`, string(status), request.ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImportIntoAChangeRequest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		locked, err := h.spaces.Create(t.Context(), h.admin, h.organization,
			space.NewSpace{Title: "L", EditMode: space.EditModeLocked})
		if err != nil {
			t.Fatal(err)
		}
		request := h.newRequest(t, locked.ID)
		main := h.head(t, locked.ID).Revision().ID
		into := func(name string) importer.Request {
			return importer.Request{Space: locked.ID, ChangeRequest: id.ChangeRequest(name),
				Upload: bytes.NewReader(pack(t, map[string]string{"README.md": "# A\n", "b.md": "# B\n"})),
				Name:   "docs.zip"}
		}
		result, err := h.Import(t.Context(), h.admin, into("1"), nil)
		if err != nil {
			t.Fatal(err)
		}
		view := h.branchHead(t, request)
		if view.Revision().ID != result.Revision || result.ImportedResources != 2 || h.head(t, locked.ID).Revision().
			ID != main {
			t.Errorf("revision %s of %+v; main went from %s to %s", view.Revision().ID, result, main,
				h.head(t, locked.ID).Revision().ID)
		}
		if diff := cmp.Diff("d readme: A\nd b: B\n", outline(t, view)); diff != "" {
			t.Error(diff)
		}
		record, err := h.Get(t.Context(), h.admin, h.organization, result.Import)
		if err != nil || record.ChangeRequest != request.ID || record.State != importer.Done {
			t.Errorf("record %+v, %v", record, err)
		}
		// The same again changes nothing.
		again, err := h.Import(t.Context(), h.admin, into(string(request.ID)), nil)
		if err != nil || again.Revision != result.Revision {
			t.Errorf("again: %+v, %v", again, err)
		}
		if _, err := h.Import(t.Context(), h.admin, into(""), nil); !errs.Is(err, errs.Conflict) {
			t.Errorf("into main of a locked space: %v", err)
		}
		if _, err := h.Import(t.Context(), h.reader, into("1"), nil); !errs.Is(err, errs.Forbidden) {
			t.Errorf("a reader: %v", err)
		}
		for _, name := range []string{"2", "change_00000000000000000000000000", "x"} {
			if _, err := h.Import(t.Context(), h.admin, into(name), nil); !errs.Is(err, errs.NotFound) {
				t.Errorf("change request %q: %v", name, err)
			}
		}
		for _, status := range []change.Status{change.Merged, change.Archived} {
			h.setStatus(t, request, status)
			if _, err := h.Import(t.Context(), h.admin, into("1"), nil); !errs.Is(err, errs.Conflict) {
				t.Errorf("status %s: %v", status, err)
			}
		}
	})
}

func TestBackgroundImportIntoAChangeRequest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		request := h.newRequest(t, spaceID)
		archived := h.newRequest(t, spaceID)
		start := func(name string) importer.Import {
			t.Helper()
			started,
				err := h.Start(t.Context(), h.admin,
				importer.Request{Space: spaceID, ChangeRequest: id.ChangeRequest(name),
					Upload: bytes.NewReader(pack(t, map[string]string{"a.md": "# A\n"}))})
			if err != nil {
				t.Fatal(err)
			}
			return started
		}
		first, second, third := start(string(request.ID)), start(string(archived.ID)), start(string(request.ID))
		h.setStatus(t, archived, change.Archived)
		if err := h.Cancel(t.Context(), h.admin, h.organization, third.ID); err != nil {
			t.Fatal(err)
		}
		h.work(t)
		if record := h.await(t, first.ID); record.State != importer.Done || record.Revision != h.branchHead(t,
			request).Revision().ID || record.ChangeRequest != request.ID {
			t.Errorf("first: %+v", record)
		}
		if record := h.await(t, second.ID); record.State != importer.Failed || !strings.Contains(record.Message,
			"archived") {
			t.Errorf("into one that was archived meanwhile: %+v", record)
		}
		if record := h.await(t, third.ID); record.State != importer.Cancelled {
			t.Errorf("cancelled: %+v", record)
		}
		imports, err := h.List(t.Context(), h.admin, h.organization, page(10))
		if err != nil || imports.Count != 3 || !slices.ContainsFunc(imports.Items, func(i importer.Import) bool {
			return i.ChangeRequest == request.ID
		}) {
			t.Errorf("list: %+v, %d, %v", imports.Items, imports.Count, err)
		}
	})
}

func TestSingleDocumentBecomesThePage(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		h.importFiles(t, spaceID, map[string]string{"README.md": "# A\n", "b.md": "# B\n\nOld text.\n",
			"c.md": "# C\n\n[to b](b.md)\n"})
		tree, err := h.head(t, spaceID).Pages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		target := at(t, tree, "b")
		result, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, TargetPage: target.ID,
			Upload: strings.NewReader("# New title\n\nNew text, [own](#part).\n\n## Part\n"), Name: "new.md"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("d readme: A\nd b: B\nd c: C\n", outline(t, h.head(t, spaceID))); diff != "" {
			t.Error(diff)
		}
		if body := described(t, h.head(t,
			spaceID))["body of page:b(document)"]; body != "New text, [own](#part).\n\n## Part\n" {
			t.Errorf("body %q", body)
		}
		after, err := h.head(t, spaceID).Entry(t.Context(), target.ID)
		if err != nil || after.Position != target.Position || after.Slug != "b" {
			t.Errorf("the page is now %+v, %v", after, err)
		}
		if items := result.Report.NotUnderstood.Items; len(items) != 1 || !strings.Contains(items[0].Message,
			"New title") {
			t.Errorf("report: %v", items)
		}
		// Several pages go below.
		_, err = h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, TargetPage: target.ID,
			Upload: bytes.NewReader(pack(t, map[string]string{"x.md": "# X\n", "y.md": "# Y\n"}))}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("d readme: A\nd b: B\n  d x: X\n  d y: Y\nd c: C\n",
			outline(t, h.head(t, spaceID))); diff != "" {
			t.Error(diff)
		}
	})
}

// TestEverySourceIsRead holds that each kind of file is found out by itself, and that an upload can say what it is.
func TestEverySourceIsRead(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	word := map[string]string{
		"[Content_Types].xml": `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"word/document.xml":   `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Hello.</w:t></w:r></w:p></w:body></w:document>`,
	}
	space := map[string]string{
		"entities.xml": `<hibernate-generic><object class="Page"><id name="id">1</id><property name="title">One</property></object></hibernate-generic>`,
	}
	pages := map[string]string{
		"One 0123456789abcdef0123456789abcdef.md":    "# One\n\n![x](One%200123456789abcdef0123456789abcdef/x.png)\n",
		"One 0123456789abcdef0123456789abcdef/x.png": "png",
	}
	tests := []struct {
		name   string
		source importer.Source
		files  map[string]string
		want   string
	}{
		{"guide.docx", importer.SourceAuto, word, "d guide: guide\n"},
		{"guide.docx", importer.SourceDocx, word, "d guide: guide\n"},
		{"export.zip", importer.SourceAuto, space, "d one: One\n"},
		{"export.zip", importer.SourceConfluence, space, "d one: One\n"},
		{"export.zip", importer.SourceAuto, pages, "d one: One\n"},
		{"export.zip", importer.SourceNotion, pages, "d one: One\n"},
		{"plain.zip", importer.SourceAuto, map[string]string{"one.md": "# One\n"}, "d one: One\n"},
	}
	for _, test := range tests {
		spaceID := h.newSpace(t)
		result, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Source: test.source,
			Name: test.name, Upload: bytes.NewReader(pack(t, test.files))}, nil)
		if err != nil {
			t.Errorf("%s as %q: %v", test.name, test.source, err)
			continue
		}
		if diff := cmp.Diff(test.want, outline(t, h.head(t, spaceID))); diff != "" {
			t.Errorf("%s as %q:\n%s", test.name, test.source, diff)
		}
		if result.ImportedResources != result.Report.Pages+result.Report.Files ||
			result.TotalResources < result.ImportedResources {
			t.Errorf("%s as %q: counts %+v", test.name, test.source, result)
		}
	}
	spaceID := h.newSpace(t)
	before := h.head(t, spaceID).Revision().ID
	for name, test := range map[string]struct {
		source importer.Source
		upload string
		kind   errs.Kind
	}{
		"Word that is text": {importer.SourceDocx, "hello", errs.Invalid},
		"Word of old":       {importer.SourceAuto, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 rest", errs.Unsupported},
		"Confluence of pages": {importer.SourceConfluence, string(pack(t, map[string]string{"a.md": "# A"})),
			errs.Invalid},
		"Notion without pages": {importer.SourceNotion, string(pack(t, map[string]string{"a.png": "x"})), errs.Invalid},
		"wiki as an upload":    {importer.SourceWiki, "x", errs.Invalid},
		"document as a file":   {importer.SourceGoogleDocs, "x", errs.Invalid},
	} {
		if _, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Source: test.source, Name: "x.bin",
			Upload: strings.NewReader(test.upload)}, nil); !errs.Is(err, test.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := h.head(t, spaceID).Revision().ID; after != before {
		t.Error("an import that failed changed the space")
	}
}

// TestBodiesHoldNothingOfTheImport holds that the destinations that stand for pages and files are all settled.
func TestBodiesHoldNothingOfTheImport(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	export := map[string]string{
		"index.html":           `<html><body><p>Document generated by Confluence</p><ul><li><a href="One_1.html">One</a></li><li><a href="Two_2.html">Two</a></li></ul></body></html>`,
		"One_1.html":           `<html><body><div id="main-content"><p><a href="Two_2.html#Two-Part">two</a> <img src="attachments/1/3.png"></p></div></body></html>`,
		"Two_2.html":           `<html><body><div id="main-content"><h2 id="Two-Part">Part</h2></div></body></html>`,
		"attachments/1/3.png":  "png",
		"attachments/1/9.json": "{}",
	}
	result, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID,
		Upload: bytes.NewReader(pack(t, export))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	body := described(t, h.head(t, spaceID))["body of page:one(document)"]
	if want :=
		"[two](/pages/{page:two(document)}#part) <img src=\"/files/{file:.gitbook/assets/3.png}\" " +
			"alt=\"\">\n"; body != want {
		t.Errorf("body %q, want %q", body, want)
	}
	if result.ImportedResources != 3 || result.TotalResources != 4 {
		t.Errorf("counts %+v", result)
	}
}

func TestDocumentOfGoogleDocs(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	h.google = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(
			[]byte(
				`<html><head><title>Plan</title></head><body><div id="contents"><div class="doc-content"><p>Text.</p></div></div></body></html>`))
	}
	spaceID := h.newSpace(t)
	_, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Source: importer.SourceGoogleDocs,
		URL: "https://docs.google.com/document/d/e/2PACX-1vABCDEFGHIJ/pub"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("d plan: Plan\n", outline(t, h.head(t, spaceID))); diff != "" {
		t.Error(diff)
	}
	if _, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Source: importer.SourceGoogleDocs,
		URL: "https://example.org/document/d/e/2PACX-1vABCDEFGHIJ/pub"}, nil); !errs.Is(err, errs.Invalid) {
		t.Errorf("an address elsewhere: %v", err)
	}
}

// TestFieldsOfExportsAreStored holds that what exports say of a page fits an entry, whatever they say.
func TestFieldsOfExportsAreStored(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		const one, two, three = "0123456789abcdef0123456789abcd01", "0123456789abcdef0123456789abcd02",
			"0123456789abcdef0123456789abcd03"
		article := func(cover, icon, title string) string {
			return `<html><body><article class="page sans"><header><img class="page-cover-image" src="` + cover +
				`"/><div class="page-header-icon"><span class="icon">` + icon +
				`</span></div><h1 class="page-title">` + title + `</h1><p class="page-description">` +
				strings.Repeat("long ", 200) +
				`</p></header><div class="page-body"><p>x</p></div></article></body></html>`
		}
		_, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID,
			Upload: bytes.NewReader(pack(t, map[string]string{
				"One " + one + ".html": article("One%20"+one+"/cover.jpg", "🌹",
					strings.Repeat("title ", 100)),
				"One " + one + "/cover.jpg": "jpg",
				"Two " + two + ".html": article("https://example.org/cover.jpg", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
					"Two"),
				"Group/Deep/Three " + three + ".html": article("data:image/png;base64,AAAA", "é", ""),
			}))}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := h.head(t, spaceID).Pages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if page := at(t, tree, "two"); page.Emoji != "" || page.Cover == nil ||
			page.Cover.Ref.URL != "https://example.org/cover.jpg" {
			t.Errorf("two: %+v", page)
		}
		if page := at(t, tree, "group/deep/three"); page.Cover != nil || page.Title != "Three" {
			t.Errorf("three: %+v", page)
		}
		found := false
		for _, node := range tree.Ordered {
			found = found || node.Entry.Emoji == "1f339" && node.Entry.Cover != nil && node.Entry.Cover.Ref.File != ""
		}
		if !found {
			t.Error("the first page has no icon or no cover")
		}
		// A group below a page is a page like others.
		target := at(t, tree, "two").ID
		_, err = h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, TargetPage: target,
			Upload: bytes.NewReader(pack(t, map[string]string{
				"README.md":  "# R\n",
				"SUMMARY.md": "# Table of contents\n\n* [R](README.md)\n\n## Group\n\n* [G](g.md)\n",
				"g.md":       "# G\n",
			}))}, nil)
		if err != nil {
			t.Errorf("groups below a page: %v", err)
		}
	})
}
