package app_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// refusedParts returns the paths of the details of an error.
func refusedParts(t *testing.T, got apptest.Answer) (paths []string, message string) {
	t.Helper()
	var refusal struct {
		Error struct {
			Message string
			Details []struct{ Path string }
		}
	}
	if err := json.Unmarshal(got.Body, &refusal); err != nil {
		t.Errorf("%d %.200s: %v", got.Status, got.Body, err)
	}
	for _, detail := range refusal.Error.Details {
		paths = append(paths, detail.Path)
	}
	return paths, refusal.Error.Message
}

// freeBodies are operations whose whole body is an object with members of any name.
var freeBodies = map[string]bool{"updateSiteCustomizationById": true, "overrideSiteSpaceCustomizationById": true}

// TestNoOperationTakesWhatItDoesNotKnow goes through all operations of the document: each refuses a parameter and a
// field that it does not have, and names it.
func TestNoOperationTakesWhatItDoesNotKnow(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	queries, bodies := 0, 0
	for _, operation := range operations(s) {
		path := parameter.ReplaceAllString(operation.pattern, "x")
		paths, message := refusedParts(t, s.Raw(operation.method, path+"?wrongName=1", s.Token, nil))
		if !slices.Contains(paths, "query.wrongName") || !strings.Contains(message, `"wrongName"`) {
			t.Errorf("%s: a parameter that it does not have: %v %s", operation.id, paths, message)
		}
		queries++
		operations := s.Document["paths"].(map[string]any)[operation.pattern].(map[string]any)
		described := operations[strings.ToLower(operation.method)].(map[string]any)
		request, _ := described["requestBody"].(map[string]any)
		content, _ := request["content"].(map[string]any)
		if operation.method == http.MethodGet || freeBodies[operation.id] || request != nil &&
			content["application/json"] == nil {
			continue
		}
		got := s.Raw(operation.method, path, s.Token, `{"wrongName":1}`)
		paths, message = refusedParts(t, got)
		field := "body.wrongName"
		if request == nil {
			field = "body"
		}
		if got.Status != http.StatusBadRequest || !slices.Contains(paths, field) {
			t.Errorf("%s: a field that it does not have: %d %v %s", operation.id, got.Status, paths, message)
		}
		bodies++
	}
	if queries < 280 || bodies < 120 {
		t.Errorf("only %d operations with parameters and %d with bodies were tried", queries, bodies)
	}
}

// TestMistypedFieldsChangeNothing holds requests in which a slip did the opposite of what was asked.
func TestMistypedFieldsChangeNothing(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		var written struct {
			Changes []struct{ Page struct{ ID string } }
		}
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content",
			`{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"Words.\n"}}]}`,
			http.StatusOK, &written)
		page := written.Changes[0].Page.ID
		at := "/v1/spaces/" + space + "/content/page/" + page
		site, siteSpace := s.PublishedSite("Docs", space)
		sites := "/v1/orgs/" + s.Organization + "/sites"
		paragraph := func(text string) string {
			return `{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","nodes":[` + text +
				`]}]}`
		}
		update := func(document string) string {
			return `{"changes":[{"operation":"update_page","page":"` + page + `","document":{"document":` + document +
				`}}]}`
		}
		const inDocument = "body.changes[0].document.document."
		for name, c := range map[string]struct{ method, path, body, part, near string }{
			"site": {http.MethodPost, sites, `{"title":"Mine","visiblity":"share-link"}`, "body.visiblity",
				`"visibility"`},
			"site, changed": {http.MethodPatch, sites + "/" + site, `{"visiblity":"share-link"}`, "body.visiblity",
				`"visibility"`},
			"structure": {http.MethodPatch, sites + "/" + site + "/site-spaces/" + siteSpace, `{"pth":"there"}`,
				"body.pth", `"path"`},
			"comments": {http.MethodGet, "/v1/spaces/" + space + "/comments?authors[]=user_x", "",
				"query.authors[]", "authors=one&authors=two"},
			"comments, one": {http.MethodGet, "/v1/spaces/" + space + "/comments?author=user_x", "", "query.author",
				`"authors"`},
			"no list": {http.MethodGet, "/v1/orgs/" + s.Organization + "/members?role=read&role=admin", "",
				"query.role", "one value"},
			"a copy": {http.MethodPost, "/v1/spaces/" + space + "/duplicate", `{"title":"Copy"}`, "body",
				"takes no body"},
			"a change": {http.MethodPost, "/v1/spaces/" + space + "/content",
				`{"changes":[{"operation":"update_page","page":"` + page + `","tilte":"X"}]}`, "body.changes[0].tilte",
				`"title"`},
			"layout": {http.MethodPost, "/v1/spaces/" + space + "/content",
				`{"changes":[{"operation":"update_page","page":"` + page + `","layout":{"outlin":false}}]}`,
				"body.changes[0].layout.outlin", `"outline"`},
			"body": {http.MethodPost, "/v1/spaces/" + space + "/content",
				`{"changes":[{"operation":"update_page","page":"` + page + `","document":{"markdwon":"X"}}]}`,
				"body.changes[0].document.markdwon", `"markdown"`},
			"document, nodes": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(`{"object":"document","data":{},"node":[]}`), inDocument + "node", `"nodes"`},
			"document, none": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(`{"object":"document","data":{}}`), inDocument + "nodes", "is missing"},
			"document, block": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(`{"object":"document","nodes":[{"object":"block","type":"paragraph","children":[]}]}`),
				inDocument + "nodes[0].children", "there are data,"},
			"document, leaves": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(paragraph(`{"object":"text","leafs":[]}`)), inDocument + "nodes[0].nodes[0].leafs", `"leaves"`},
			"document, no leaf": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(paragraph(`{"object":"text"}`)), inDocument + "nodes[0].nodes[0].leaves", "is missing"},
			"document, text": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(paragraph(`{"object":"text","leaves":[{"object":"leaf","txt":"x"}]}`)),
				inDocument + "nodes[0].nodes[0].leaves[0].txt", `"text"`},
			"document, marks": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(paragraph(`{"object":"text","leaves":[{"object":"leaf","text":"x","mark":[]}]}`)),
				inDocument + "nodes[0].nodes[0].leaves[0].mark", `"marks"`},
			"document, data": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(
					`{"object":"document","nodes":[{"object":"block","type":"hint","data":{"stlye":"danger"},"nodes":[]}]}`), inDocument + "nodes[0].data.stlye", `"style"`},
			"document, ref": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(
					`{"object":"document","nodes":[{"object":"block","type":"file","data":{"ref":{"kind":"url","url":"https://example.com/","titel":"x"}}}]}`), inDocument + "nodes[0].data.ref.titel", "there are"},
			"document, place": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(
					`{"object":"document","nodes":[{"object":"block","type":"paragraph","leaves":[{"object":"leaf","text":"x"}]}]}`), inDocument + "nodes[0].leaves", "has no leaves"},
			"document, void": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(
					`{"object":"document","nodes":[{"object":"block","type":"divider","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"x"}]}]}]}`), inDocument + "nodes[0].nodes", "has no nodes"},
			"document, row": {http.MethodPost, "/v1/spaces/" + space + "/content",
				update(
					`{"object":"document","nodes":[{"object":"block","type":"table","data":{"records":{"r":{"valeus":{}}}}}]}`), inDocument + "nodes[0].data", `"values"`},
			"a comment": {http.MethodPost, "/v1/spaces/" + space + "/comments",
				`{"body":{"document":` + paragraph(`{"object":"text","leafs":[]}`) + `}}`,
				"body.body.document.nodes[0].nodes[0].leafs", `"leaves"`},
			"change request": {http.MethodPost, "/v1/spaces/" + space + "/change-requests",
				`{"subject":"x","description":{"markdown":"x","documnet":{}}}`, "body.description.documnet",
				`"document"`},
		} {
			var body any
			if c.body != "" {
				body = c.body
			}
			got := s.Raw(c.method, c.path, s.Token, body)
			paths, message := refusedParts(t, got)
			if got.Status != http.StatusBadRequest || !slices.Contains(paths, c.part) || !strings.Contains(message,
				c.near) {
				t.Errorf("%s: %d %v %s, want 400 for %s with %s", name, got.Status, paths, message, c.part, c.near)
			}
		}
		var kept struct{ Markdown string }
		s.Call(http.MethodGet, at+"?format=markdown", nil, http.StatusOK, &kept)
		if !strings.Contains(kept.Markdown, "Words.") {
			t.Errorf("the page is now %q", kept.Markdown)
		}
		var shown struct{ Visibility string }
		s.Call(http.MethodGet, sites+"/"+site, nil, http.StatusOK, &shown)
		if shown.Visibility != "public" {
			t.Errorf("the site is now %s", shown.Visibility)
		}
		var all, requests struct{ Count int }
		s.Call(http.MethodGet, sites, nil, http.StatusOK, &all)
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/change-requests", nil, http.StatusOK, &requests)
		if all.Count != 1 || requests.Count != 0 {
			t.Errorf("there are %d sites and %d change requests now", all.Count, requests.Count)
		}
	})
}

// TestWhatTheFamilysClientSendsIsPassedOver goes through the fields that are ignored: the request does what it does
// without them.
func TestWhatTheFamilysClientSendsIsPassedOver(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", nil, http.StatusCreated, nil)
		links := "/v1/spaces/" + space + "/change-requests/1/links"
		requests := map[string]struct {
			method, path, body string
			status             int
		}{
			"createSpace body.template": {http.MethodPost, "/v1/orgs/" + s.Organization + "/spaces",
				`{"title":"New","template":{"id":"x"}}`, http.StatusCreated},
			"createSpace body.computedSource": {http.MethodPost, "/v1/orgs/" + s.Organization + "/spaces",
				`{"title":"New","computedSource":{"type":"x"}}`, http.StatusCreated},
			"listChangeRequestLinks query.brokenContext": {http.MethodGet, links + "?brokenContext=space", "",
				http.StatusOK},
		}
		for pattern, item := range s.Document["paths"].(map[string]any) {
			for method, described := range item.(map[string]any) {
				operation, _ := described.(map[string]any)
				fields, _ := operation["x-ignored"].([]any)
				for _, each := range fields {
					field := each.(map[string]any)["field"].(string)
					name := operation["operationId"].(string) + " " + field
					request, ok := requests[name]
					if !ok {
						t.Errorf("%s %s ignores %s, and no request here has it", method, pattern, field)
						continue
					}
					delete(requests, name)
					var body any
					if request.body != "" {
						body = request.body
					}
					s.Call(request.method, request.path, body, request.status, nil)
				}
			}
		}
		for name := range requests {
			t.Errorf("%s is not ignored", name)
		}
	})
}

// TestOpenAPIClosesRequests holds that the document says what is refused, and leaves answers open.
func TestOpenAPIClosesRequests(t *testing.T) {
	schemas := apptest.Document(t)["components"].(map[string]any)["schemas"].(map[string]any)
	inputs := 0
	for name, each := range schemas {
		schema := each.(map[string]any)
		if regexp.MustCompile(`InputBody$`).MatchString(name) && schema["properties"] != nil {
			inputs++
			if schema["additionalProperties"] != false {
				t.Errorf("%s is open", name)
			}
		}
	}
	if inputs < 50 {
		t.Errorf("only %d bodies of requests", inputs)
	}
	for _, name := range []string{"Space", "Site", "Page", "ErrorBody"} {
		if schemas[name].(map[string]any)["additionalProperties"] == false {
			t.Errorf("%s is closed", name)
		}
	}
}
