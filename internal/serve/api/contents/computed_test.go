package contents_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// outline lists pages by path and title.
func outline(pages []apptest.PageNode) []string {
	var lines []string
	for _, page := range pages {
		lines = append(lines, page.Type+" "+page.Path+" "+page.Title)
		lines = append(lines, outline(page.Pages)...)
	}
	return lines
}

func TestComputedPages(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "book.zip", apptest.ComputedBook(t, "  title: Reference\n", "    models: true\n"))
		content := "/v1/spaces/" + space + "/content"
		pages := func(query string) []apptest.PageNode {
			t.Helper()
			var tree struct{ Pages []apptest.PageNode }
			s.Call(http.MethodGet, content+"/pages"+query, nil, http.StatusOK, &tree)
			return tree.Pages
		}
		before := strings.Join(outline(pages("")), "\n")
		if !strings.Contains(before, "computed api/") {
			t.Fatalf("without the specification:\n%s", before)
		}
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", map[string]any{"title": "Docs",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, &site)
		read := func(path string) string {
			t.Helper()
			got := s.Raw(http.MethodGet, strings.TrimSuffix(site.URLs.Published, "/")+path, "", nil)
			if got.Status != http.StatusOK {
				t.Fatalf("GET %s: %d %.300s", path, got.Status, got.Body)
			}
			return string(got.Body)
		}
		if landing := read("/"); strings.Contains(landing, "List pets") || !strings.Contains(landing, "openapi-path") {
			t.Error("the site knows a specification that is not there")
		}

		s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		tree := pages("")
		reference := tree[1].Pages[0]
		root := reference.Path
		// A page that is made has a document and links as one that is stored.
		var head struct{ ID string }
		s.Call(http.MethodGet, content, nil, http.StatusOK, &head)
		made := "/v1/spaces/" + space + "/revisions/" + head.ID + "/page/" + reference.Pages[0].ID
		var whole struct{ Nodes []any }
		s.Call(http.MethodGet, made+"/document", nil, http.StatusOK, &whole)
		if len(whole.Nodes) == 0 {
			t.Error("the document of a page that is made is empty")
		}
		for _, path := range []string{made, content + "/page/" + reference.Pages[0].ID,
			content + "/page/" + tree[0].ID} {
			if got := s.Call(http.MethodGet, path+"/meta-links", nil, http.StatusOK, nil); string(got.Body) !=
				`{"alternates":[]}` {
				t.Errorf("%s: %s", path, got.Body)
			}
		}
		s.Refused(http.MethodGet, content+"/page/none/meta-links", nil, http.StatusNotFound, "none")
		want := []string{
			"document " + root + " " + reference.Title, "document " + root + "/pets pets",
			"document " + root + "/models Models",
		}
		if got := outline(tree[1].Pages); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		pets := reference.Pages[0]
		if pets.ComputedSeed != "tag/pets" || pets.DocumentID != "" || pets.Computed.Type != "builtin:openapi" ||
			pets.Computed.Props["doc"] != "operations" || pets.Computed.Props["page"] != "pets" {
			t.Errorf("a computed page: %+v", pets)
		}
		if stored := strings.Join(outline(pages("?computed=false")), "\n"); stored != before {
			t.Errorf("stored pages:\n%s", stored)
		}
		var revision struct{ Pages []apptest.PageNode }
		s.Call(http.MethodGet, content, nil, http.StatusOK, &revision)
		if len(revision.Pages[1].Pages[0].Pages) != 2 {
			t.Errorf("the revision: %v", outline(revision.Pages))
		}
		var page apptest.PageNode
		s.Call(http.MethodGet, content+"/page/"+pets.ID+"?format=markdown", nil, http.StatusOK, &page)
		if page.Path != pets.Path || !strings.Contains(page.Markdown, "# pets") || !strings.Contains(page.Markdown,
			`{% openapi-operation spec="pets" path="/pets" method="post" headless="true" %}`) {
			t.Errorf("markdown: %q", page.Markdown)
		}
		s.Call(http.MethodGet, content+"/path/"+pets.Path, nil, http.StatusOK, &page)
		if page.ID != pets.ID || page.Document["object"] != "document" {
			t.Errorf("by path: %+v", page)
		}
		s.Call(http.MethodGet, content+"/page/"+pets.ID+"?computed=false", nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, content+"/page/"+reference.ID+"?computed=false", nil, http.StatusOK, &page)
		if page.Type != "computed" {
			t.Errorf("the stored page is a %s", page.Type)
		}
		var group apptest.PageNode
		s.Call(http.MethodGet, content+"/page/"+tree[1].ID, nil, http.StatusOK, &group)
		if len(group.Pages) != 1 || len(group.Pages[0].Pages) != 2 {
			t.Errorf("below the group: %v", outline(group.Pages))
		}

		shown := read("/" + pets.Path)
		for _, part := range []string{
			"List pets", "Add a pet", `method-post`, `<code class="openapi-path">/pets</code>`, "Query parameters",
			"limit", "How many.",
			"At most 100", "Request body", "Responses", "201 Created", "curl ", "https://pets.example.com/v1/pets",
			"import requests", "await fetch", "http.NewRequestWithContext",
			"What it is called.", "Rex", `id="listpets"`,
		} {
			if !strings.Contains(strings.ReplaceAll(shown, "&#39;", "'"), part) && !strings.Contains(stripTags(shown),
				part) {
				t.Errorf("the page does not show %q", part)
			}
		}
		if strings.Contains(shown, "is not shown here yet") || strings.Contains(shown, "<script>") {
			t.Error("the page is not whole")
		}
		if landing := read("/"); !strings.Contains(landing, "Query parameters") || !strings.Contains(landing,
			root+"/models") {
			t.Error("the landing page lacks the operation or the navigation")
		}
		if text := read("/" + pets.Path + ".md"); !strings.Contains(text, "`GET /pets`") || !strings.Contains(text,
			"How many.") {
			t.Errorf("as Markdown: %s", text)
		}
		if list := read("/llms-full.txt"); !strings.Contains(list, "`POST /pets`") {
			t.Error("llms-full.txt lacks the reference")
		}
		if models := read("/" + root + "/models"); !strings.Contains(models, "Pet") || !strings.Contains(models,
			"openapi-schemas") {
			t.Error("the models are not shown")
		}

		// What a description says cannot do more than be read.
		s.PutSpec("pets", strings.ReplaceAll(apptest.PetsSpec, "All about pets.",
			`'<script>alert(1)</script><img src=x onerror=alert(2)> [a](javascript:alert(3)) {% include "/x" %} <b>All</b>'`), http.StatusOK)
		hostile := read("/" + pets.Path)
		for _, part := range []string{"alert(1)</script>", "onerror", `href="javascript:`} {
			if strings.Contains(hostile, part) {
				t.Errorf("the page holds %q", part)
			}
		}
		if !strings.Contains(stripTags(hostile), "All") {
			t.Error("the description is not there")
		}

		// A new version shows at once, under the same ids.
		s.PutSpec("pets", strings.ReplaceAll(apptest.PetsSpec, "List pets", "List all pets"), http.StatusOK)
		if changed := read("/" + pets.Path); !strings.Contains(changed, "List all pets") {
			t.Error("a new version does not show")
		}
		s.PutSpec("pets", strings.ReplaceAll(apptest.PetsSpec, "/pets:", "/toys:"), http.StatusOK)
		if again := pages("")[1].Pages[0].Pages[0]; again.ID != pets.ID || again.Path != pets.Path {
			t.Errorf("the ids changed: %+v", again)
		}
		s.Call(http.MethodDelete, "/v1/orgs/"+s.Organization+"/openapi/pets", nil, http.StatusResetContent, nil)
		if after := strings.Join(outline(pages("")), "\n"); after != before {
			t.Errorf("after deleting:\n%s", after)
		}
		if got := s.Raw(http.MethodGet, strings.TrimSuffix(site.URLs.Published, "/")+"/"+pets.Path, "",
			nil); got.Status != http.StatusNotFound {
			t.Errorf("a page of a deleted specification: %d", got.Status)
		}
	})
}

// stripTags is a page's text, roughly.
func stripTags(page string) string {
	var b strings.Builder
	inside := false
	for _, r := range page {
		switch {
		case r == '<':
			inside = true
		case r == '>':
			inside = false
		case !inside:
			b.WriteRune(r)
		}
	}
	return strings.NewReplacer("&#39;", "'", "&quot;", `"`, "&#34;", `"`, "&amp;", "&").Replace(b.String())
}

func TestComputedPagesByOperation(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	space := s.Space("Guide")
	s.Upload(space, "book.zip", apptest.ComputedBook(t, "", "    models: false\n    grouping: by-operation\n"))
	s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
	var tree struct{ Pages []apptest.PageNode }
	s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, http.StatusOK, &tree)
	// Without a title the pages stand in the place of the computed page.
	tag := tree.Pages[1].Pages[0]
	if tag.Computed.Props["doc"] != "tag" || len(tag.Pages) != 2 || len(tree.Pages[1].Pages) != 1 ||
		tag.Path != "api/pets" {
		t.Fatalf("got %v", outline(tree.Pages))
	}
	if first := tag.Pages[0]; first.Path != tag.Path+"/listpets" || first.Computed.Props["method"] != "get" ||
		first.Computed.Props["page"] != "/pets" || first.ComputedSeed != "operation/get /pets" {
		t.Errorf("an operation: %+v", first)
	}
}
