package importer_test

import (
	"bytes"
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/changes"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

var acme = git.Source{Repository: "https://github.com/acme/docs", Ref: "main", Folder: "handbook",
	Commit: strings.Repeat("a", 40)}

// book is a checkout's folder as the command line sends it. Its content root lies in a folder of its own.
var book = map[string]string{
	"guide/.gitbook.yaml": "root: ./text/\n",
	"guide/text/SUMMARY.md": "# Table of contents\n\n* [Start](README.md)\n\n## More\n\n* [B](b.md)\n" +
		"* [Elsewhere](https://example.org/)\n",
	"guide/text/README.md":                 "# Start\n\n![](img/a.png) {% include \".gitbook/includes/note.md\" %}\n",
	"guide/text/b.md":                      "\xef\xbb\xbf# B\r\n\r\nText.\r\n",
	"guide/text/img/a.png":                 "png",
	"guide/text/.gitbook/includes/note.md": "---\ntitle: Note\n---\n\nText.\n",
}

func (h *fixture) importFrom(t testing.TB, request importer.Request, files map[string]string) importer.Result {
	t.Helper()
	request.Source, request.Upload, request.Name = importer.SourceZIP, bytes.NewReader(pack(t, files)), "docs.zip"
	result, err := h.Import(t.Context(), h.admin, request, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// sourcesOf lists what the entries of a branch came from.
func (h *fixture) sourcesOf(t testing.TB, spaceID id.Space, branch id.Branch) map[string]*git.File {
	t.Helper()
	view, err := h.content.BranchHead(t.Context(), spaceID, branch)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*git.File{}
	tree, err := view.Pages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range tree.Ordered {
		found[node.Path] = node.Entry.Git
	}
	files, err := view.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reusables, err := view.ReusableContents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range append(files, reusables...) {
		found[e.Name+e.Title] = e.Git
	}
	return found
}

func (h *fixture) originOf(t testing.TB, spaceID id.Space, branch id.Branch) git.Source {
	t.Helper()
	origin, err := h.content.Origin(t.Context(), h.db.Read(), spaceID, branch)
	if err != nil {
		t.Fatal(err)
	}
	return origin.Source
}

func from(source git.Source, path, data string) *git.File {
	return &git.File{Repository: source.Repository, Ref: source.Ref, Path: path, OID: git.OID([]byte(data))}
}

func TestImportsRememberTheirRepository(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		origin := acme
		origin.Repository += ".git" // people write it as they clone it
		first := h.importFrom(t, importer.Request{Space: spaceID, Origin: &origin}, book)
		at := "handbook/guide/text/"
		want := map[string]*git.File{
			"readme": from(acme, at+"README.md", book["guide/text/README.md"]), "more": nil,
			"more/b":         from(acme, at+"b.md", book["guide/text/b.md"]),
			"more/elsewhere": nil, "a.png": from(acme, at+"img/a.png", "png"),
			"Note": from(acme, at+".gitbook/includes/note.md", book["guide/text/.gitbook/includes/note.md"]),
		}
		if diff := cmp.Diff(want, h.sourcesOf(t, spaceID, "")); diff != "" {
			t.Errorf("sources (-want +got):\n%s", diff)
		}
		if got := h.originOf(t, spaceID, ""); got != acme {
			t.Errorf("the space is from %+v", got)
		}
		revision, err := h.content.Revision(t.Context(), first.Revision)
		if err != nil || revision.Origin == nil || *revision.Origin != acme {
			t.Errorf("the revision is from %+v, %v", revision.Origin, err)
		}
		noted := first.Report.Origin
		if noted == nil || noted.Repository != acme.Repository || noted.Ref != "main" || noted.Folder != "handbook" ||
			noted.Commit != acme.Commit || noted.Pages != 2 || noted.Files != 1 || noted.ReusableContents != 1 {
			t.Errorf("the report says %+v", noted)
		}

		// Another commit with the same files is noted, and changes nothing.
		next := acme
		next.Commit = strings.Repeat("b", 40)
		if again := h.importFrom(t, importer.Request{Space: spaceID, Origin: &next},
			book); again.Revision != first.Revision {
			t.Error("a commit that changes no file makes a revision")
		}
		if got := h.originOf(t, spaceID, ""); got != next {
			t.Errorf("the space is from %+v", got)
		}

		// What people do here keeps where a page came from; what they make here came from nowhere.
		view, err := h.content.Head(t.Context(), spaceID)
		if err != nil {
			t.Fatal(err)
		}
		b, err := view.ByPath(t.Context(), "more/b")
		if err != nil {
			t.Fatal(err)
		}
		moved := b.Entry.Clone()
		moved.Parent, moved.Position, moved.Slug, moved.Title = "", "", "moved", "Another title"
		_, err = h.content.Commit(t.Context(), store.CommitRequest{Space: spaceID, Put: []store.Put{
			{Entry: moved, Body: []byte("Other text.\n")},
			{Entry: &entity.Entry{ID: "page_new", Kind: entity.KindPage, Type: entity.PageDocument, Title: "New"}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		now := h.sourcesOf(t, spaceID, "")
		if diff := cmp.Diff(want["more/b"], now["moved"]); diff != "" || now["new"] != nil {
			t.Errorf("a moved and edited page (-want +got):\n%s, a new one: %v", diff, now["new"])
		}

		// One file changes, and one page comes from somewhere else.
		changed := map[string]string{}
		maps.Copy(changed, book)
		changed["guide/text/README.md"] += "\nMore.\n"
		h.importFrom(t, importer.Request{Space: spaceID, Origin: &next}, changed)
		now = h.sourcesOf(t, spaceID, "")
		if got := now["readme"]; got == nil || got.OID != git.OID([]byte(changed["guide/text/README.md"])) {
			t.Errorf("a changed file is %+v", got)
		}
		h.importFrom(t, importer.Request{Space: spaceID}, map[string]string{"README.md": "# Start\n\nFrom elsewhere.\n",
			"x.md": "# X\n"})
		now = h.sourcesOf(t, spaceID, "")
		if now["readme"] != nil || now["x"] != nil || now["moved"] == nil {
			t.Errorf("after an import of other content: %v", now)
		}
		if got := h.originOf(t, spaceID, ""); got != (git.Source{}) {
			t.Errorf("after an import of other content the space is from %+v", got)
		}
	})
}

// TestNotingAloneIsNoChange holds that to note a repository changes no date and nothing that people are told of.
func TestNotingAloneIsNoChange(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		h.importFrom(t, importer.Request{Space: spaceID}, book)
		dates := func() map[string]int64 {
			view, err := h.content.Head(t.Context(), spaceID)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := view.Pages(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			updated := map[string]int64{}
			for _, node := range tree.Ordered {
				updated[node.Path] = node.Entry.UpdatedAt
			}
			return updated
		}
		before, older := dates(), h.head(t, spaceID)
		h.importFrom(t, importer.Request{Space: spaceID, Origin: &acme}, book)
		newer := h.head(t, spaceID)
		if told, err := changes.Between(t.Context(), older, newer, -1); err != nil || told.Total != 0 ||
			older.Revision().ID == newer.Revision().ID {
			t.Errorf("what is noted is told as %+v, %v", told.Changes, err)
		}
		if diff := cmp.Diff(before, dates()); diff != "" {
			t.Errorf("dates moved (-before +after):\n%s", diff)
		}
		if h.sourcesOf(t, spaceID, "")["readme"] == nil {
			t.Error("nothing was noted")
		}
	})
}

func TestImportsIntoAPartKeepTheSpacesRepository(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		other := git.Source{Repository: "https://gitlab.com/acme/api", Ref: "live"}
		h.importFrom(t, importer.Request{Space: spaceID, Origin: &acme}, map[string]string{"a.md": "# A\n",
			"b.md": "# B\n"})
		view, err := h.content.Head(t.Context(), spaceID)
		if err != nil {
			t.Fatal(err)
		}
		a, err := view.ByPath(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		h.importFrom(t, importer.Request{Space: spaceID, Origin: &other, TargetPage: a.Entry.ID},
			map[string]string{"c.md": "# C\n", "d.md": "# D\n"})
		// One page becomes the body of a page, which then comes from that file.
		_, err = h.Import(t.Context(), h.admin, importer.Request{
			Space: spaceID, Origin: &other, TargetPage: a.Entry.ID, Source: importer.SourceMarkdown, Name: "e.md",
			Upload: strings.NewReader("# E\n\nText.\n"),
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]*git.File{
			"a": from(other, "e.md", "# E\n\nText.\n"), "b": from(acme, "handbook/b.md", "# B\n"),
			"a/c": from(other, "c.md", "# C\n"), "a/d": from(other, "d.md", "# D\n"),
		}
		if diff := cmp.Diff(want, h.sourcesOf(t, spaceID, "")); diff != "" {
			t.Errorf("sources (-want +got):\n%s", diff)
		}
		if got := h.originOf(t, spaceID, ""); got != acme {
			t.Errorf("the space is from %+v", got)
		}
		empty := h.newSpace(t)
		_, err = h.Import(t.Context(), h.admin, importer.Request{Space: empty, Origin: &other,
			Source: importer.SourceAuto, Name: "e.md", Upload: strings.NewReader("# E\n")}, nil)
		if got := h.originOf(t, empty, ""); err != nil || got != other {
			t.Errorf("the first page of a space: %+v, %v", got, err)
		}
	})
}

func TestChangeRequestsBringTheirRepository(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		h.importFrom(t, importer.Request{Space: spaceID}, map[string]string{"a.md": "# A\n"})
		propose := func(origin git.Source) change.Request {
			request := h.newRequest(t, spaceID)
			h.importFrom(t, importer.Request{Space: spaceID, ChangeRequest: request.ID, Origin: &origin},
				map[string]string{"a.md": "# A\n"})
			if got := h.originOf(t, spaceID, request.Branch); got != origin {
				t.Errorf("the change request is from %+v", got)
			}
			return request
		}
		merge := func(request change.Request) {
			if _, err := h.changes.Merge(t.Context(), h.admin, spaceID, request.ID, "", false); err != nil {
				t.Fatal(err)
			}
		}
		earlier, later := acme, acme
		earlier.Ref, later.Ref = "earlier", "later"
		one, two := propose(earlier), propose(later)
		if got := h.originOf(t, spaceID, ""); got.Repository != "" {
			t.Errorf("a proposal changes the space to %+v", got)
		}
		// Both proposals say of one page where it came from; they do not conflict, and the later import counts.
		merge(two)
		if got := h.originOf(t, spaceID, ""); got != later {
			t.Errorf("after the merge the space is from %+v", got)
		}
		if got := h.sourcesOf(t, spaceID, "")["a"]; got == nil || got.Ref != "later" {
			t.Errorf("after the merge the page is from %+v", got)
		}
		merge(one)
		if got := h.originOf(t, spaceID, ""); got != later {
			t.Errorf("after the merge of an earlier import the space is from %+v", got)
		}
	})
}

func TestImportsInTheBackgroundRememberTheirRepository(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		started, err := h.Start(t.Context(), h.admin, importer.Request{
			Space: spaceID, Source: importer.SourceZIP,
			Upload: bytes.NewReader(pack(t, map[string]string{"a.md": "# A\n"})), Name: "docs.zip", Origin: &acme,
		})
		if err != nil {
			t.Fatal(err)
		}
		h.work(t)
		if done := h.await(t, started.ID); done.State != importer.Done || done.Report.Origin == nil ||
			done.Report.Origin.Pages != 1 {
			t.Errorf("the import is %+v", done)
		}
		if got := h.originOf(t, spaceID, ""); got != acme {
			t.Errorf("the space is from %+v", got)
		}
	})
}

func TestOriginsThatAreRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		page := func() *strings.Reader { return strings.NewReader("# A\n") }
		secret := acme
		secret.Repository = "https://ada:hunter2@github.com/acme/docs"
		for name, request := range map[string]importer.Request{
			"of a document":   {Source: importer.SourceDocx, Upload: page(), Origin: &acme},
			"of an address":   {Source: importer.SourceMarkdown, URL: "https://example.org/a.md", Origin: &acme},
			"with a password": {Source: importer.SourceMarkdown, Upload: page(), Origin: &secret},
			"of nothing":      {Source: importer.SourceMarkdown, Upload: page(), Origin: &git.Source{Ref: "main"}},
		} {
			request.Space = spaceID
			if _, err := h.Import(t.Context(), h.admin, request, nil); !errs.Is(err, errs.Invalid) ||
				strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := h.Start(t.Context(), h.admin, request); !errs.Is(err, errs.Invalid) {
				t.Errorf("%s, in the background: %v", name, err)
			}
		}
	})
}

func TestACopyComesFromTheSame(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		result := h.importFrom(t, importer.Request{Space: spaceID, Origin: &acme}, book)
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			return h.content.Duplicate(ctx, q, result.Revision, "space_copy", h.admin.User.ID, 1)
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(h.sourcesOf(t, spaceID, ""), h.sourcesOf(t, "space_copy", "")); diff != "" {
			t.Errorf("a copy (-original +copy):\n%s", diff)
		}
		if got := h.originOf(t, "space_copy", ""); got != acme {
			t.Errorf("the copy is from %+v", got)
		}
		origins, err := h.content.Origins(t.Context(), []id.Space{spaceID, "space_copy", h.newSpace(t), "space_none"})
		if err != nil || len(origins) != 2 || origins[spaceID].Source != acme || origins[spaceID].At.IsZero() {
			t.Errorf("origins are %+v, %v", origins, err)
		}
		if _, err := h.content.Origin(t.Context(), d.Read(), "space_none", ""); !errs.Is(err, errs.NotFound) {
			t.Errorf("a space that is not there: %v", err)
		}
		err = d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			return h.content.SetOrigin(ctx, q, "space_none", "", acme)
		})
		if !errs.Is(err, errs.NotFound) {
			t.Errorf("the origin of a space that is not there: %v", err)
		}
	})
}
