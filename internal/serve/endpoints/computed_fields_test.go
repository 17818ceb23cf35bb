package endpoints_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// binder is a script whose pages have all that pages of integrations may have, or what they may not have.
const binder = `
const answer = (value) => new Response(JSON.stringify(value));
const own = (props) => ({ type: "integration:press:sheet", props });
const file = (id) => ({ kind: "file", file: id });
export default { async fetch(request) {
	const form = await request.formData(), { type, props } = JSON.parse(form.get("event"));
	if (type === "content_compute_document") return answer({ document: "From [here](/pages/a#top) to [Beta](/pages/b)." });
	switch (props.kind) {
	case "chapter": return answer({ pages: [{ type: "document", id: "a", title: "Verse",
		document: "Up to [Alpha](/pages/z) or [me](/pages/a)." }] });
	case "circle": return answer({ pages: [{ type: "computed", id: "c", title: "Circle",
		computed: own({ kind: "circle" }) }] });
	case "crowd": return answer({ pages: Array.from({ length: 30 }, (_, i) => ({ type: "computed", title: "C" + i,
		computed: own({ kind: "chapter" }) })) });
	case "bad file": return answer({ files: [{ id: "f", downloadURL: "javascript:alert(1)" }], pages: [] });
	case "lost link": return answer({ pages: [{ type: "link", title: "Lost",
		target: { kind: "page", page: "nowhere" } }] });
	}
	return answer({
		files: [{ id: "plan", name: "plan.png", contentType: "image/png", size: 1,
			downloadURL: "https://files.example.org/plan.png" }],
		pages: [
			{ type: "document", id: "z", title: "Alpha", linkTitle: "A", emoji: "1f4d6", description: "All about it.",
				layout: { width: "wide", outline: false, pagination: true },
				cover: { ref: file("plan"), refDark: file("none"), yPos: 10 },
				document: "![The plan](/files/plan)\n\nSee [Beta](/pages/b#more), [not there](/pages/q) and " +
					"![](/files/other)." },
			{ kind: "sheet", computedSeed: "b", title: "Beta", hidden: true, noIndex: true, noRobotsIndex: true,
				computed: own({ name: "beta" }),
				emoji: "no emoji at all, but words", layout: { width: "enormous" },
				cover: { ref: { kind: "url", url: "javascript:alert(1)" } } },
			{ type: "link", title: "To Beta", target: { kind: "page", page: "b" } },
			{ type: "link", title: "Away", target: { url: "https://example.org/" } },
			{ type: "computed", id: "c", title: "Chapter", computed: own({ kind: "chapter" }) },
		] });
} };`

// binding publishes the script as the integration that the helpers know.
func binding(s *apptest.Server, space string) {
	s.Publish("press", map[string]any{"script": binder, "runtime": "v2", "scopes": []string{"space:content:read"},
		"contentSources": json.RawMessage(`[{"id":"sheet","title":"Sheets","configuration":{"componentId":"c"}}]`)})
	at := "/v1/integrations/press/installations/" + s.Install("press").ID + "/spaces"
	s.Call(http.MethodPost, at, map[string]any{"space": space}, http.StatusCreated, nil)
}

// TestPagesThatIntegrationsMakeHaveAllFields holds what of an answer pages have: what is around their text, files,
// links among them, and computed pages among computed ones.
func TestPagesThatIntegrationsMakeHaveAllFields(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Guide", map[string]string{"Start": "Hello."})
		binding(s, space)
		site, _ := s.PublishedSite("Docs", space)
		var published struct{ URLs struct{ Published string } }
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/sites/"+site, nil, 200, &published)
		home := published.URLs.Published
		insertSource(s, space, "Press", `{}`, `{}`)
		eventually(t, reads(s, s.Token, "/v1/spaces/"+space+"/content/pages"), `"title":"Verse"`)

		type page struct {
			ID, Type, Title, LinkTitle, Emoji, Description, Path string
			Hidden, NoIndex, NoRobotsIndex                       bool
			Layout                                               struct {
				Width                            string
				Outline, Pagination, Description bool
			}
			Cover  *struct{ Ref, RefDark *struct{ Kind, URL string } }
			Target *struct{ Kind, Page, URL string }
			Pages  []page
		}
		var tree struct{ Pages []page }
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, 200, &tree)
		made := map[string]page{}
		var note func(pages []page)
		note = func(pages []page) {
			for _, each := range pages {
				made[each.Title] = each
				note(each.Pages)
			}
		}
		note(tree.Pages)
		alpha, beta := made["Alpha"], made["Beta"]
		if alpha.Emoji != "1f4d6" || alpha.LinkTitle != "A" || alpha.Layout.Width != "wide" || alpha.Layout.Outline ||
			!alpha.Layout.Pagination || !alpha.Layout.Description || alpha.Cover == nil ||
			alpha.Cover.Ref.URL != "https://files.example.org/plan.png" || alpha.Cover.RefDark != nil || alpha.Hidden {
			t.Errorf("the first page is %+v, its cover %+v", alpha, alpha.Cover)
		}
		if beta.Type != "document" || !beta.Hidden || !beta.NoIndex || !beta.NoRobotsIndex || beta.Emoji != "" ||
			beta.Layout.Width != "default" || beta.Cover != nil {
			t.Errorf("the second page is %+v", beta)
		}
		if to := made["To Beta"].Target; to == nil || to.Kind != "page" || to.Page != beta.ID {
			t.Errorf("the link leads to %+v, not to %s", to, beta.ID)
		}
		if to := made["Away"].Target; to == nil || to.URL != "https://example.org/" {
			t.Errorf("the link away leads to %+v", to)
		}
		chapter := made["Chapter"]
		if chapter.Type != "group" || len(chapter.Pages) != 1 || chapter.Pages[0].Title != "Verse" {
			t.Errorf("the chapter is %+v", chapter)
		}
		body := eventually(t, visits(t, home+"press/alpha"), `src="https://files.example.org/plan.png"`,
			`press/beta#more"`, "All about it.")
		if strings.Contains(body, "made_") {
			t.Errorf("a reference is left: %s", body)
		}
		eventually(t, visits(t, home+"press/beta"), `press/alpha"`) // the tree
		// "a" is the page of the chapter, and not known outside of it; "z" is known in it.
		verse := eventually(t, visits(t, home+"press/chapter/verse"), "Verse", `press/alpha"`, `press/chapter/verse"`)
		if strings.Contains(verse, "made_") {
			t.Errorf("a reference is left: %s", verse)
		}
		eventually(t, visits(t, home+"press/alpha.md"), "https://files.example.org/plan.png", "[Beta](beta.md#more)")
	})
}

// TestWhatAnAnswerMayNotHold holds what is refused, with a word to the author.
func TestWhatAnAnswerMayNotHold(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Guide", map[string]string{"Start": "Hello."})
		binding(s, space)
		for kind, want := range map[string]string{
			"circle": "nested more than 8 deep", "crowd": "more than 20 computed pages",
			"bad file":  `the file \"f\" is at \"javascript:alert(1)\"`,
			"lost link": "and pages that are given with it",
		} {
			insertSource(s, space, kind, `{"kind":"`+kind+`"}`, `{}`)
			eventually(t, func() string {
				reads(s, s.Token, "/v1/spaces/"+space+"/content/pages")()
				return reads(s, s.Token, "/v1/spaces/"+space+"/content-sources")()
			}, want)
		}
	})
}

// forms is a script that gives what stands on its pages in each form that a document may have.
const forms = `
const text = (words) => ({ object: "document", data: { schemaVersion: 2 }, nodes: [{ object: "block", type: "paragraph",
	nodes: [{ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] }] }] });
const given = { bare: text("It is bare."), held: { document: text("It is held.") }, markdown: { markdown: "It is *written*." },
	plain: "It is plain.", empty: {}, deep: { document: { document: text("It is too deep.") } } };
export default { async fetch(request) {
	const form = await request.formData(), { type, props } = JSON.parse(form.get("event"));
	if (type === "content_compute_document") return Response.json({ document: given[props.name] });
	return Response.json({ pages: Object.keys(given).flatMap((name) => [
		{ type: "document", id: name, title: name, computed: { integration: "press", source: "sheet", props: { name } } },
		...(name === "deep" ? [] : [{ type: "document", title: name + " at once", document: given[name] }])]) });
} };`

// TestDocumentsAreGivenInEachForm holds that what stands on a page may be a document, Markdown, an object that holds
// one of them, or nothing.
func TestDocumentsAreGivenInEachForm(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Guide", map[string]string{"Start": "Hello."})
		s.Publish("press", map[string]any{"script": forms, "runtime": "v2", "scopes": []string{"space:content:read"},
			"contentSources": json.RawMessage(`[{"id":"sheet","title":"Sheets","configuration":{"componentId":"c"}}]`)})
		at := "/v1/integrations/press/installations/" + s.Install("press").ID + "/spaces"
		s.Call(http.MethodPost, at, map[string]any{"space": space}, http.StatusCreated, nil)
		insertSource(s, space, "Press", `{}`, `{}`)
		eventually(t, reads(s, s.Token, "/v1/spaces/"+space+"/content/pages"), `"title":"bare"`)
		eventually(t, reads(s, s.Token, "/v1/spaces/"+space+"/content-sources"), `the page \"deep\"`)
		for name, want := range map[string]string{"bare": "It is bare.", "held": "It is held.",
			"markdown": "It is *written*.", "plain": "It is plain.", "empty": ""} {
			for _, path := range []string{name, name + "-at-once"} {
				var page struct{ Markdown string }
				s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/path/press%2F"+path+"?format=markdown", nil, 200,
					&page)
				_, body, _ := strings.Cut(page.Markdown, "\n")
				if strings.TrimSpace(strings.ReplaceAll(body, "_", "*")) != want {
					t.Errorf("%s says %q, want %q", path, page.Markdown, want)
				}
			}
		}
	})
}
