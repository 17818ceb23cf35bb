package app_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"strings"
	"testing"
)

// computedBook is a space whose API reference is computed.
func computedBook(t *testing.T, title, props string) []byte {
	t.Helper()
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for name, text := range map[string]string{
		".gitbook.yaml": "root: ./\n",
		"README.md": "# Welcome\n\nHello.\n\n{% openapi-operation spec=\"pets\" path=\"/pets\" method=\"get\" " +
			"%}\n[pets](/openapi/pets)\n{% endopenapi-operation %}\n",
		"SUMMARY.md": "# Table of contents\n\n* [Welcome](README.md)\n\n## API\n\n* ```yaml\n" + title +
			"  type: builtin:openapi\n  props:\n" + props +
			"  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: pets\n  ```\n",
	} {
		file, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// apiPage is what the tests look at of a page.
type apiPage struct {
	ID, Title, Type, Path, DocumentID, ComputedSeed, Markdown string
	Computed                                                  struct {
		Type  string
		Props map[string]any
	}
	Pages    []apiPage
	Document map[string]any
}

// outline lists pages by path and title.
func outline(pages []apiPage) []string {
	var lines []string
	for _, page := range pages {
		lines = append(lines, page.Type+" "+page.Path+" "+page.Title)
		lines = append(lines, outline(page.Pages)...)
	}
	return lines
}

func TestComputedPages(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		s.upload(space, "book.zip", computedBook(t, "  title: Reference\n", "    models: true\n"))
		content := "/v1/spaces/" + space + "/content"
		pages := func(query string) []apiPage {
			t.Helper()
			var tree struct{ Pages []apiPage }
			s.call(http.MethodGet, content+"/pages"+query, nil, http.StatusOK, &tree)
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
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites", map[string]any{"title": "Docs",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, &site)
		read := func(path string) string {
			t.Helper()
			got := s.raw(http.MethodGet, strings.TrimSuffix(site.URLs.Published, "/")+path, "", nil)
			if got.status != http.StatusOK {
				t.Fatalf("GET %s: %d %.300s", path, got.status, got.body)
			}
			return string(got.body)
		}
		if landing := read("/"); strings.Contains(landing, "List pets") || !strings.Contains(landing, "openapi-path") {
			t.Error("the site knows a specification that is not there")
		}

		s.putSpec("pets", petsSpec, http.StatusCreated)
		tree := pages("")
		reference := tree[1].Pages[0]
		root := reference.Path
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
		var revision struct{ Pages []apiPage }
		s.call(http.MethodGet, content, nil, http.StatusOK, &revision)
		if len(revision.Pages[1].Pages[0].Pages) != 2 {
			t.Errorf("the revision: %v", outline(revision.Pages))
		}
		var page apiPage
		s.call(http.MethodGet, content+"/page/"+pets.ID+"?format=markdown", nil, http.StatusOK, &page)
		if page.Path != pets.Path || !strings.Contains(page.Markdown, "# pets") || !strings.Contains(page.Markdown,
			`{% openapi-operation spec="pets" path="/pets" method="post" headless="true" %}`) {
			t.Errorf("markdown: %q", page.Markdown)
		}
		s.call(http.MethodGet, content+"/path/"+pets.Path, nil, http.StatusOK, &page)
		if page.ID != pets.ID || page.Document["object"] != "document" {
			t.Errorf("by path: %+v", page)
		}
		s.call(http.MethodGet, content+"/page/"+pets.ID+"?computed=false", nil, http.StatusNotFound, nil)
		s.call(http.MethodGet, content+"/page/"+reference.ID+"?computed=false", nil, http.StatusOK, &page)
		if page.Type != "computed" {
			t.Errorf("the stored page is a %s", page.Type)
		}
		var group apiPage
		s.call(http.MethodGet, content+"/page/"+tree[1].ID, nil, http.StatusOK, &group)
		if len(group.Pages) != 1 || len(group.Pages[0].Pages) != 2 {
			t.Errorf("below the group: %v", outline(group.Pages))
		}

		shown := read("/" + pets.Path)
		for _, part := range []string{
			"List pets", "Add a pet", `method-post`, `<code class="openapi-path">/pets</code>`, "Query parameters",
			"limit", "How many.",
			"At most 100", "Request body", "Responses", "201 Created", "curl ", "https://pets.example.com/v1/pets",
			"requests.request", "await fetch", "http.NewRequestWithContext",
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
		s.putSpec("pets", strings.ReplaceAll(petsSpec, "All about pets.",
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
		s.putSpec("pets", strings.ReplaceAll(petsSpec, "List pets", "List all pets"), http.StatusOK)
		if changed := read("/" + pets.Path); !strings.Contains(changed, "List all pets") {
			t.Error("a new version does not show")
		}
		s.putSpec("pets", strings.ReplaceAll(petsSpec, "/pets:", "/toys:"), http.StatusOK)
		if again := pages("")[1].Pages[0].Pages[0]; again.ID != pets.ID || again.Path != pets.Path {
			t.Errorf("the ids changed: %+v", again)
		}
		s.call(http.MethodDelete, "/v1/orgs/"+s.organization+"/openapi/pets", nil, http.StatusResetContent, nil)
		if after := strings.Join(outline(pages("")), "\n"); after != before {
			t.Errorf("after deleting:\n%s", after)
		}
		if got := s.raw(http.MethodGet, strings.TrimSuffix(site.URLs.Published, "/")+"/"+pets.Path, "",
			nil); got.status != http.StatusNotFound {
			t.Errorf("a page of a deleted specification: %d", got.status)
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
	s := onSQLite(t, nil)
	space := s.space("Guide")
	s.upload(space, "book.zip", computedBook(t, "", "    models: false\n    grouping: by-operation\n"))
	s.putSpec("pets", petsSpec, http.StatusCreated)
	var tree struct{ Pages []apiPage }
	s.call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, http.StatusOK, &tree)
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
