package endpoints_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// press is a script that makes pages as its properties and its configuration say.
const press = `
const text = (words) => ({ object: "document", nodes: [{ object: "block", type: "paragraph", nodes: [{ object: "text",
	leaves: [{ object: "leaf", text: words, marks: [] }] }] }] });
const answer = (value, status = 200) => new Response(typeof value === "string" ? value : JSON.stringify(value),
	{ status });
export default { async fetch(request) {
	const form = await request.formData();
	const event = JSON.parse(form.get("event")), environment = JSON.parse(form.get("environment"));
	const mood = environment.spaceInstallation.configuration.mood;
	const own = (props) => ({ type: "integration:press:sheet", props });
	if (mood === "broken" && event.type === "content_compute_revision") throw new Error("out of ink");
	if (event.type === "content_compute_document") {
		if (mood === "torn" && event.props.name === "beta") throw new Error("paper jam");
		return answer({ document: text("Sheet " + event.props.name + " " + mood + " for " + event.spaceId + " " +
			JSON.stringify(event.dependencies)) });
	}
	switch (event.props.kind) {
	case "hostile": return answer({ pages: [
		{ type: "document", title: "Evil\u0000\u0007", slug: "../../etc", document: { markdown: [
			"[x](javascript:alert(1)) <script>alert(2)</script>", "{% openapi-schemas spec=\"pets\" %}", "Pet",
			"{% endopenapi-schemas %}", "{% if visitor.claims.x %}\nsecret\n{% endif %}", "Left."].join("\n\n") } },
		{ type: "document", title: "Evil", document: "Twin." },
		{ type: "link", title: "Away", target: { kind: "url", url: "https://example.org/" } } ] });
	case "script link": return answer({ pages: [{ type: "link", title: "X", href: "javascript:alert(1)" }] });
	case "deep": { let pages = []; for (let i = 0; i < 50; i++) pages = [{ type: "group", title: "g", pages }];
		return answer({ pages }); }
	case "many": return answer({ pages: Array.from({ length: 2000 }, () => ({ type: "group", title: "g" })) });
	case "large": return answer({ pages: [{ type: "document", title: "L", document: "word ".repeat(200000) }] });
	case "nonsense": return answer("<html>");
	case "other": return answer({ pages: [{ type: "document", title: "O", computed: { type: "integration:other:x" } }] });
	case "loop": for (;;) {}
	}
	return answer({ pages: [
		{ type: "document", id: "a", title: "Alpha", computed: own({ name: "alpha" }) },
		{ type: "group", id: "g", title: "More", pages: [
			{ type: "document", id: "b", title: "Beta", computed: own({ name: "beta" }) }] } ] });
} };`

// presses publishes the script, installs it on a space, and returns where the installation on the space is.
func presses(s *apptest.Server, space string) (at string) {
	s.Publish("press", map[string]any{"script": press, "runtime": "v2", "scopes": []string{"space:content:read"},
		"contentSources": json.RawMessage(`[{"id":"sheet","title":"Sheets","configuration":{"componentId":"c"}}]`),
		"configurations": json.RawMessage(`{"space":{"properties":{"mood":{"type":"string","default":"calm"}}}}`)})
	at = "/v1/integrations/press/installations/" + s.Install("press").ID + "/spaces"
	s.Call(http.MethodPost, at, map[string]any{"space": space}, http.StatusCreated, nil)
	return at + "/" + space
}

// insert puts a computed page into a space.
func insertSource(s *apptest.Server, space, title, props, dependencies string) {
	s.T.Helper()
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[{"operation":"insert_page","type":"computed",
		"title":"`+title+`","computed":{"type":"integration:press:sheet","props":`+props+`,"dependencies":`+
		dependencies+`}}]}`, http.StatusOK, nil)
}

// eventually reads something until it says what it should.
func eventually(t *testing.T, read func() string, wants ...string) string {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got, missing := read(), ""
		for _, want := range wants {
			if !strings.Contains(got, want) {
				missing = want
			}
		}
		if missing == "" {
			return got
		}
		if time.Now().After(end) {
			t.Fatalf("it never says %q: %s", missing, got)
		}
	}
}

// reads returns what reads an address of the API as text.
func reads(s *apptest.Server, token, path string) func() string {
	return func() string {
		got := s.Try(http.MethodGet, path, token, "")
		return strings.TrimSpace(string(got.Body))
	}
}

// visits returns what reads a published page.
func visits(t *testing.T, address string) func() string {
	return func() string {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		body, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
}

// TestIntegrationsMakePages walks a source of content from its installation to what readers get everywhere, through
// failures and other configurations, to its removal.
func TestIntegrationsMakePages(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Guide", map[string]string{"Start": "Hello."})
		library, _ := s.Documented("Library", map[string]string{"Shelf": "Books."})
		at := presses(s, space)
		site, _ := s.PublishedSite("Docs", space)
		var published struct{ URLs struct{ Published string } }
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/sites/"+site, nil, 200, &published)
		home := published.URLs.Published
		insertSource(s, space, "Press", `{"n":1}`, `{"lib":{"ref":{"kind":"space","space":"`+library+`"}}}`)

		pages := reads(s, s.Token, "/v1/spaces/"+space+"/content/pages")
		tree := eventually(t, pages, `"title":"Alpha"`, `"title":"Beta"`, `"title":"More"`,
			`"type":"integration:press:sheet"`, `"computedSeed":"a"`)
		stored := reads(s, s.Token, "/v1/spaces/"+space+"/content/pages?computed=false")()
		if strings.Contains(stored, "Alpha") || !strings.Contains(stored, `"type":"computed"`) {
			t.Errorf("without computed pages the tree is %s", stored)
		}
		// The page is there by its path, its id, in every form, and on the site.
		byPath := reads(s, s.Token, "/v1/spaces/"+space+"/content/path/press%2Falpha?format=markdown")
		eventually(t, byPath, "Sheet alpha calm for "+space)
		// It learns nothing of a space that it is not installed on.
		if strings.Contains(byPath(), "revision_") {
			t.Errorf("a dependency tells of another space: %s", byPath())
		}
		eventually(t, visits(t, home+"press/alpha"), "Sheet alpha calm", "Beta")
		eventually(t, visits(t, home+"press/more/beta.md"), "Sheet beta calm")
		eventually(t, reads(s, s.Token, "/v1/spaces/"+space+"/search?query=beta+calm"), `"title":"Beta"`)
		if !strings.Contains(tree, `"slug":"alpha"`) {
			t.Errorf("the tree is %s", tree)
		}

		// Installed there, it is told of the other space, and again when that changes.
		s.Call(http.MethodPost, strings.TrimSuffix(at, "/"+space), map[string]any{"space": library}, http.StatusCreated,
			nil)
		first := eventually(t, byPath, `"revision`)
		s.Call(http.MethodPost, "/v1/spaces/"+library+"/content", `{"changes":[{"operation":"insert_page",
			"title":"More"}]}`, 200, nil)
		eventually(t, func() string {
			if now := byPath(); now != first {
				return "changed"
			}
			return "same"
		}, "changed")

		// What is configured shows; one page that fails keeps what it said, and so does the whole.
		configure := func(mood string) {
			s.Call(http.MethodPatch, at, `{"configuration":{"mood":"`+mood+`"}}`, 200, nil)
		}
		sources := reads(s, s.Token, "/v1/spaces/"+space+"/content-sources")
		configure("torn")
		eventually(t, byPath, "Sheet alpha torn")
		eventually(t, visits(t, home+"press/more/beta"), "Sheet beta calm")
		eventually(t, sources, `"title":"Sheets"`, "paper jam")
		configure("broken")
		byPath()
		eventually(t, func() string { byPath(); return sources() }, "out of ink")
		eventually(t, visits(t, home+"press/alpha"), "Sheet alpha torn")
		reader := s.Member(org.RoleRead, "reader@example.org")
		if seen := reads(s, reader, "/v1/spaces/"+space+"/content-sources")(); strings.Contains(seen, "out of ink") {
			t.Errorf("a reader sees why pages fail: %s", seen)
		}
		// A new page that cannot be made says so, and no more.
		insertSource(s, space, "Second", `{"n":2}`, `{}`)
		eventually(t, visits(t, home+"second"), "This page cannot be shown right now.")
		if got := visits(t, home+"second")(); strings.Contains(got, "out of ink") {
			t.Errorf("a visitor sees why a page fails: %s", got)
		}
		configure("well")
		eventually(t, byPath, "Sheet alpha well")

		// Where it is not installed any more, there is nothing.
		s.Call(http.MethodDelete, at, nil, http.StatusResetContent, nil)
		eventually(t, func() string {
			if strings.Contains(pages(), "Alpha") {
				return "there"
			}
			return "gone"
		}, "gone")
		if got := visits(t, home+"press/alpha")(); strings.Contains(got, "Sheet alpha") {
			t.Errorf("the site still shows %s", got)
		}
	})
}

// TestHostileSourcesDoNoHarm lets sources answer what no space should show.
func TestHostileSourcesDoNoHarm(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Guide", map[string]string{"Start": "Hello."})
		s.PutSpec("pets", `{"openapi":"3.0.0","info":{"title":"Pets","version":"1"},"paths":{},"components":{"schemas":
			{"Pet":{"type":"object","description":"Inner matters."}}}}`, http.StatusCreated)
		s.Processed("pets")
		presses(s, space)
		site, _ := s.PublishedSite("Docs", space)
		var published struct{ URLs struct{ Published string } }
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/sites/"+site, nil, 200, &published)
		home := published.URLs.Published
		sources := reads(s, s.Token, "/v1/spaces/"+space+"/content-sources")
		pages := reads(s, s.Token, "/v1/spaces/"+space+"/content/pages")
		for kind, says := range map[string]string{
			"script link": "http or https", "deep": "nested", "many": "more than 500", "large": "bytes",
			"nonsense": "{pages", "other": "no source of press", "loop": "stopped",
		} {
			insertSource(s, space, "Trap "+kind, `{"kind":"`+kind+`"}`, `{}`)
			eventually(t, func() string { pages(); return sources() }, says)
		}
		insertSource(s, space, "Trap", `{"kind":"hostile"}`, `{}`)
		eventually(t, pages, `"title":"Evil"`, `"slug":"etc"`, `"title":"Away"`)
		var tree struct {
			Pages []struct {
				Title string
				Pages []struct{ Title, Slug, Path, ID string }
			}
		}
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, 200, &tree)
		for _, page := range tree.Pages {
			if page.Title != "Trap" {
				continue
			}
			shown := visits(t, home+page.Pages[0].Path)()
			api := reads(s, s.Token, "/v1/spaces/"+space+"/content/page/"+page.Pages[0].ID+"?format=html")()
			for _, text := range []string{shown, api} {
				if !strings.Contains(text, "Left.") {
					t.Errorf("the page lacks its text: %s", text)
				}
				for _, bad := range []string{`href="javascript`, "alert(2)</script>", "Inner matters", "secret"} {
					if strings.Contains(text, bad) {
						t.Errorf("the page shows %q", bad)
					}
				}
			}
		}
		eventually(t, visits(t, home+"trap-loop"), "This page cannot be shown right now.")
		eventually(t, visits(t, home+"start"), "Hello.")
	})
}

// TestSourcesAreOfOneOrganization holds that an integration makes pages only where it is installed.
func TestSourcesAreOfOneOrganization(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Guide", map[string]string{"Start": "Hello."})
		other, _ := s.Documented("Plain", map[string]string{"Start": "Hello."})
		presses(s, space)
		insertSource(s, space, "Press", `{}`, `{}`)
		insertSource(s, other, "Press", `{}`, `{}`)
		eventually(t, reads(s, s.Token, "/v1/spaces/"+space+"/content/pages"), "Alpha")
		if got := reads(s, s.Token, "/v1/spaces/"+other+"/content/pages")(); strings.Contains(got, "Alpha") {
			t.Errorf("a space without the integration has %s", got)
		}
		_, eve := s.Elsewhere()
		for _, path := range []string{"/content/pages", "/content-sources", "/content/path/press%2Falpha"} {
			if got := s.Try(http.MethodGet, "/v1/spaces/"+space+path, eve, ""); got.Status != http.StatusNotFound {
				t.Errorf("%s answers another organization %d", path, got.Status)
			}
		}
		refused := func(computed, says string) {
			t.Helper()
			s.Refused(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[{"operation":"insert_page",
				"type":"computed","title":"X","computed":`+computed+`}]}`, http.StatusBadRequest, says)
		}
		refused(`{"type":"integration:press"}`, "is not known")
		refused(`{"type":"integration:press:sheet","dependencies":{"x":{"ref":{"kind":"page","page":"p"}}}}`,
			"has to name")
	})
}
