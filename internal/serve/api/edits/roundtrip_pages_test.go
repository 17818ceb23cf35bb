package edits_test

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/docs/manual"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/doc/doctest"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// sentBack reads all pages of a place in all forms and sends each back as it was read. base is the address of the
// content of a space or change request. Nothing may change: no revision is made.
type sentBack struct {
	s    *apptest.Server
	base string
}

// readForms are the ways to read a page; what they give can be sent back.
var readForms = []string{
	"?format=markdown", "?format=markdown&format.markdown.refs=stable", "?format=document",
}

// all is the law for every page.
func (b sentBack) all(t *testing.T) {
	t.Helper()
	var tree struct{ Pages []apptest.Page }
	b.s.Call(http.MethodGet, b.base+"/pages?computed=false", nil, http.StatusOK, &tree)
	var ids, resolved []string
	paths := map[string]string{}
	var walk func([]apptest.Page)
	walk = func(pages []apptest.Page) {
		for _, each := range pages {
			ids = append(ids, each.ID)
			if each.Type == "document" {
				resolved = append(resolved, each.ID)
				paths[each.ID] = each.Path
			}
			walk(each.Pages)
		}
	}
	walk(tree.Pages)
	for _, form := range readForms {
		b.form(t, form, ids, func(id string) string { return b.base + "/page/" + id })
		b.form(t, form, resolved, func(id string) string { return b.base + "/path/" + escapedPath(paths[id]) })
	}
}

func escapedPath(path string) string {
	parts := strings.Split(path, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// form is the law for one way to read.
func (b sentBack) form(t *testing.T, form string, ids []string, address func(id string) string) {
	t.Helper()
	read := map[string]json.RawMessage{}
	var changes []any
	for _, id := range ids {
		got := b.s.Call(http.MethodGet, address(id)+form, nil, http.StatusOK, nil)
		read[id] = got.Body
		changes = append(changes, updateFrom(t, id, got.Body))
	}
	before := b.revision()
	for batch := range slices.Chunk(changes, 50) {
		b.send(t, batch)
		if b.revision() == before {
			continue
		}
		// Which one was it? Those that change something once more say so.
		for _, change := range batch {
			id := change.(map[string]any)["page"].(string)
			now := b.s.Call(http.MethodGet, address(id)+form, nil, http.StatusOK, nil)
			if diff := cmp.Diff(withoutTimes(t, read[id]), withoutTimes(t, now.Body)); diff != "" {
				t.Errorf("%s%s sent back has changed the page:\n%s", address(id), form, diff)
			}
		}
		var list changeList
		b.s.Call(http.MethodGet, spaceOf(b.base)+"/revisions/"+b.revision()+"/changes", nil, http.StatusOK, &list)
		t.Errorf("pages read with %q and sent back make a revision: %s", form, list)
		before = b.revision()
	}
}

// spaceOf is the address of the space whose content is at an address.
func spaceOf(base string) string {
	parts := strings.Split(base, "/")
	return strings.Join(parts[:4], "/")
}

// withoutTimes is a page as values, without what says when it was changed.
func withoutTimes(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	delete(value, "updatedAt")
	delete(value, "pages")
	return value
}

// updateFrom makes the change that gives a page all that was read of it.
func updateFrom(t *testing.T, id string, raw json.RawMessage) map[string]any {
	t.Helper()
	var read map[string]json.RawMessage
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	change := map[string]any{"operation": "update_page", "page": id}
	for _, field := range []string{"title", "slug", "linkTitle", "emoji", "icon", "description", "condition", "hidden",
		"noIndex", "noRobotsIndex",
		"layout", "cover", "tags", "variables", "target"} {
		if value, ok := read[field]; ok {
			change[field] = value
		}
	}
	for _, form := range []string{"markdown", "document"} {
		if value, ok := read[form]; ok {
			change["document"] = map[string]any{form: value}
		}
	}
	return change
}

// send sends changes and wants them taken.
func (b sentBack) send(t *testing.T, changes []any) {
	t.Helper()
	b.s.Call(http.MethodPost, b.base, map[string]any{"changes": changes}, http.StatusOK, nil)
}

// revision is the one that the content is at.
func (b sentBack) revision() string {
	var now apptest.Identified
	b.s.Call(http.MethodGet, b.base+"?computed=false", nil, http.StatusOK, &now)
	return now.ID
}

// oddTree is a space with pages, files and front matter that are hard to write back.
var oddTree = map[string]string{
	".gitbook.yaml": "root: ./\n",
	"README.md": "---\ndescription: >-\n  A description that is folded over\n  several " +
		"lines.\ncover: .gitbook/assets/a b.png\ncoverY: 12.5\ncoverHeight: 900\nlayout:\n  title:\n    visible: " +
		"false\nforeign: {key: [1, two]}\n---\n\n# Welcome *all* \\<b>\n\nSee [one](guides/one.md#windows), " +
		"[itself](README.md), [folder](guides/), ![p](<.gitbook/assets/a b.png>), " +
		"![h](.gitbook/assets/50%25%23x.png) and [no](nowhere.md).\n",
	"guides/README.md": "# Guides\n\n[Up](../README.md), [down](one.md), [later](later.md).\n",
	"guides/one.md": "---\nvars:\n  level: 2\n  name: \"x\"\n  on: true\ntags:\n  - new\n  - " +
		"tag: big\n    primary: true\nif: visitor.claims.x\nhidden: true\nnoIndex: true\nicon: gear\nemoji: 1f680\n" +
		"---\n\n# 1. One\n\n{% include \"../.gitbook/includes/note.md\" %}\n\n{% file src=\"../.gitbook/assets/a " +
		"b.png\" %}\n\n[r]: ../README.md \"title\"\n\n[words][r] and `[code](../README.md)`\n\n<img " +
		"src=\"../.gitbook/assets/a b.png\" alt=\"\">\n",
	"guides/two words_And.more+1.md": "# Two\n\n* [one](one.md)\n\n{% openapi " +
		"src=\"../.gitbook/assets/pets.yaml\" path=\"/pets\" method=\"get\" %}\n" +
		"[pets](../.gitbook/assets/pets.yaml)\n{% endopenapi %}\n",
	"SUMMARY.md": "# Table of contents\n\n* [Welcome](README.md \"Short\")\n* " +
		"[Guides](guides/README.md)\n  * [One](guides/one.md)\n  * [Two](<guides/two words_And.more+1.md>)\n\n## " +
		"Elsewhere\n\n* [Go](https://go.dev)\n* [One again](guides/one.md#windows)\n",
	".gitbook/vars.yaml":                "version: 1.4.2\n",
	".gitbook/includes/note.md":         "---\ntitle: A note\n---\n\nA **note** with [a link](../../guides/one.md).\n",
	".gitbook/assets/a b.png":           apptest.Pixel,
	".gitbook/assets/50%#x.png":         apptest.Pixel,
	".gitbook/assets/pets.yaml":         apptest.PetsSpec,
	".gitbook/assets/question?.png":     apptest.Pixel,
	".gitbook/assets/sub/a b.png":       apptest.Pixel,
	".gitbook/assets/un\u0308mlaut.png": apptest.Pixel,
}

// contentOf is the current content of a space.
type contentOf struct {
	ID               string
	Pages            []apptest.Page
	Files            []struct{ ID, Name string }
	ReusableContents []struct{ ID, Title string }
}

// TestPagesComeBackAsTheyWent holds that what is read of a page, as Markdown or as document JSON, by id or by path, of
// a space or of a change request, can be sent back and changes nothing: for every block, inline, mark and attribute, in
// all places.
func TestPagesComeBackAsTheyWent(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "book.zip", apptest.Zipped(t, oddTree))
		base := "/v1/spaces/" + space + "/content"
		var tree contentOf
		s.Call(http.MethodGet, base, nil, http.StatusOK, &tree)
		if len(tree.Files) < 6 || len(tree.ReusableContents) != 1 {
			t.Fatalf("the tree was not taken whole: %+v", tree)
		}
		targets := targetsIn(tree)
		var pages []any
		for _, sample := range doctest.Samples(targets) {
			pages = append(pages, map[string]any{
				"operation": "insert_page", "title": sample.Name,
				"document": map[string]any{"markdown": string(markdown.Write(sample.Document))},
			})
		}
		for batch := range slices.Chunk(pages, 50) {
			s.Call(http.MethodPost, base, map[string]any{"changes": batch}, http.StatusOK, nil)
		}
		sentBack{s, base}.all(t)
		// Reusable contents are read as documents.
		for i, sample := range doctest.Samples(targets) {
			reusable := tree.ReusableContents[0].ID
			if i%5 > 0 || sample.Name == "block reusable-content" {
				continue
			}
			send := func(form string, body any) {
				t.Helper()
				s.Call(http.MethodPost, base, map[string]any{"changes": []any{map[string]any{
					"operation": "update_reusable_content", "reusableContent": reusable,
					"document": map[string]any{form: body}}}}, http.StatusOK, nil)
			}
			send("markdown", string(markdown.Write(sample.Document)))
			before := sentBack{s, base}.revision()
			send("document", json.RawMessage(s.Call(http.MethodGet, "/v1/spaces/"+space+"/documents/"+reusable, nil,
				http.StatusOK, nil).Body))
			if (sentBack{s, base}).revision() != before {
				t.Errorf("the document of a reusable content sent back changes it: %s", sample.Name)
			}
		}
		var request struct {
			ID     string
			Number int
		}
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", `{"subject":"Nothing"}`, http.StatusCreated,
			&request)
		sentBack{s, "/v1/spaces/" + space + "/change-requests/" + request.ID + "/content"}.all(t)
	})
}

// targetsIn are references of all kinds to what a space has.
func targetsIn(tree contentOf) doctest.Targets {
	var pages []apptest.Page
	var walk func([]apptest.Page)
	walk = func(list []apptest.Page) {
		for _, each := range list {
			pages = append(pages, each)
			walk(each.Pages)
		}
	}
	walk(tree.Pages)
	targets := doctest.Targets{Reusable: doc.Ref{Kind: doc.RefReusableContent,
		ReusableContent: tree.ReusableContents[0].ID}}
	for _, each := range pages {
		targets.Links = append(targets.Links, doc.Ref{Kind: doc.RefPage, Page: each.ID},
			doc.Ref{Kind: doc.RefAnchor, Page: each.ID, Anchor: "a-b"})
	}
	for _, file := range tree.Files {
		targets.Files = append(targets.Files, doc.Ref{Kind: doc.RefFile, File: file.ID})
	}
	targets.Links = append(targets.Links, targets.Files[0],
		doc.URL("https://example.org/a?b=1&c=2#d"), doc.URL("mailto:ada@example.org"),
		doc.Ref{Kind: doc.RefAnchor, Anchor: "here"},
		doc.Ref{Kind: doc.RefSpace, Space: "space_x"}, doc.Ref{Kind: doc.RefPage, Space: "space_x", Page: "page_y"},
		doc.Ref{Kind: doc.RefUser, User: "user_x"},
		doc.URL("later.md"), doc.URL("guides/one.md"), doc.URL("a (b).md"), doc.URL(""))
	targets.Files = append(targets.Files, doc.URL("https://example.org/a.png"), doc.URL("missing.png"))
	return targets
}

// TestManualComesBackAsItWent holds the same for the pages of the manual, and for a book that was written elsewhere.
// What a database does to pages is what TestPagesComeBackAsTheyWent holds, of which these are more.
func TestManualComesBackAsItWent(t *testing.T) {
	files := map[string]string{}
	err := fs.WalkDir(manual.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := manual.Files.ReadFile(name)
		files[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	book, err := os.ReadFile("../../../content/importer/testdata/rust-book.zip")
	if err != nil {
		t.Fatal(err)
	}
	s := apptest.OnSQLite(t, nil)
	for name, archive := range map[string][]byte{"manual.zip": apptest.Zipped(t, files), "rust-book.zip": book} {
		space := s.Space(name)
		s.Upload(space, name, archive)
		sentBack{s, "/v1/spaces/" + space + "/content"}.all(t)
	}
}
