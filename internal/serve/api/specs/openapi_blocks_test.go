package specs_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// inlineOperation is a block that describes its operation itself.
const inlineOperation = `{% swagger method="post" path="anchors" baseUrl="https://api.example" summary="Notarise a hash" %}
{% swagger-description %}
Writes it to [the chain](address.md).
{% endswagger-description %}

{% swagger-parameter in="body" name="digest" type="string" required="true" %}
Kept for ever <b>
{% endswagger-parameter %}

{% swagger-response status="200: OK" description="Written." %}
{% endswagger-response %}
{% endswagger %}
`

// TestOpenAPIBlocks holds that blocks which name a description by its address or as a file of the space show it.
func TestOpenAPIBlocks(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/pets.yaml" {
				http.NotFound(w, r)
				return
			}
			_, _ = w.Write([]byte(apptest.PetsSpec))
		}))
		t.Cleanup(web.Close)
		block := func(tag, src, method string) string {
			return "{% " + tag + ` src="` + src + `" path="/pets" method="` + method + `" %}` + "\n[pets](" + src +
				")\n{% end" + tag + " %}\n\n"
		}
		space := s.Space("Guide")
		s.Upload(space, "book.zip", apptest.Zipped(t, map[string]string{
			".gitbook.yaml":            "root: ./\n",
			".gitbook/assets/pets.yml": strings.ReplaceAll(apptest.PetsSpec, "How many.", "From the file."),
			".gitbook/assets/text.yml": "just: text\n",
			"README.md":                "# Welcome\n\n" + block("openapi", ".gitbook/assets/pets.yml", "get"),
			"address.md":               "# Address\n\n" + block("swagger", web.URL+"/pets.yaml", "get"),
			"broken.md": "# Broken\n\n" + block("openapi", ".gitbook/assets/text.yml", "get") + block("openapi",
				".gitbook/assets/none.yml", "get") +
				block("openapi", web.URL+"/none.yaml", "get") + block("openapi", "http://127.0.0.2/pets.yaml", "get"),
			"inline.md": "# Inline\n\n" + inlineOperation,
			"SUMMARY.md": "# Table of contents\n\n* [Welcome](README.md)\n* [Inline](inline.md)\n* " +
				"[Address](address.md)\n* [Broken](broken.md)\n",
		}))
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", map[string]any{"title": "Docs",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, &site)
		read := func(path string) string {
			t.Helper()
			got := s.Raw(http.MethodGet, site.URLs.Published+path, "", nil)
			if got.Status != http.StatusOK {
				t.Fatalf("%s: %d", path, got.Status)
			}
			return string(got.Body)
		}
		if page := read(""); !strings.Contains(page, "From the file.") || !strings.Contains(page, "is-described") {
			t.Errorf("the file is not shown:\n%s", page)
		}
		if page := read("broken"); strings.Contains(page, "is-described") || strings.Count(page, "openapi-note") != 4 {
			t.Errorf("something is shown that is not there:\n%s", page)
		}
		for _, part := range []string{`is-described`, `method-post`, `https://api.example/anchors`,
			`<code>digest</code>`, "Kept for ever", `/address"`} {
			if page := read("inline"); !strings.Contains(page, part) {
				t.Errorf("the operation in the page is shown without %q:\n%s", part, page)
			}
		}
		// What is not edited keeps its bytes, also where the page is written in document form.
		var page struct {
			ID       string
			Markdown string
			Document json.RawMessage
		}
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/path/inline?format=document", nil, http.StatusOK, &page)
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", map[string]any{"changes": []any{map[string]any{
			"operation": "update_page", "page": page.ID, "document": map[string]any{"document": page.Document},
		}}}, http.StatusOK, nil)
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/path/inline?format=markdown", nil, http.StatusOK, &page)
		if !strings.Contains(page.Markdown, inlineOperation) {
			t.Errorf("the operation has become %s", page.Markdown)
		}
		var found struct{ Items []struct{ Title string } }
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/search?query=notarise", nil, http.StatusOK, &found)
		if len(found.Items) != 1 || found.Items[0].Title != "Inline" {
			t.Errorf("search finds %v", found.Items)
		}
		read("address")
		for deadline := time.Now().Add(20 * time.Second); !strings.Contains(read("address"), "How many."); time.Sleep(
			20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("the address is not shown:\n%s", read("address"))
			}
		}
		// What is kept for an address is no specification of the organization.
		var list struct{ Count int }
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/openapi", nil, http.StatusOK, &list)
		if list.Count != 0 {
			t.Errorf("%d specifications are listed", list.Count)
		}
		if got := apptest.Sheets(s.FetchPDF(s.Order("/v1/spaces/" + space + "/pdf"))); got < 5 {
			t.Errorf("the PDF has %d pages", got)
		}
		// A specification of the organization from the same address takes its place.
		s.Call(http.MethodPut, "/v1/orgs/"+s.Organization+"/openapi/pets",
			map[string]any{"source": map[string]any{"url": web.URL + "/pets.yaml"}}, http.StatusCreated, nil)
		s.Processed("pets")
		if !strings.Contains(read("address"), "How many.") {
			t.Error("the specification is not shown")
		}
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/openapi", nil, http.StatusOK, &list)
		if list.Count != 1 {
			t.Errorf("%d specifications are listed", list.Count)
		}
	})
}
