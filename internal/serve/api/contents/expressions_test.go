package contents_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
)

func TestEvaluate(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, map[string]string{
			"README.md":          "---\nvars:\n  size: 3\n---\n\n# Start\n",
			".gitbook/vars.yaml": "version: \"1.2\"\n",
		}))
		base := "/v1/spaces/" + space
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, base+"/content/pages", nil, 200, &tree)
		s.Call(http.MethodPost, base+"/change-requests", `{}`, http.StatusCreated, nil)
		testEvaluate(t, s, base+"/content/page/", tree.Pages[0].ID)
		testEvaluate(t, s, base+"/change-requests/1/content/page/", tree.Pages[0].ID)
	})
}

// testEvaluate asks for values on a page of one content.
func testEvaluate(t *testing.T, s *apptest.Server, pages, page string) {
	t.Helper()
	address := pages + page + "/value?expression="
	type value struct {
		Value          string
		Holds, Visitor bool
		Fault          string
	}
	for source, want := range map[string]value{
		`space.vars.version`:                   {Value: "1.2", Holds: true},
		`"v" + space.vars.version`:             {Value: "v1.2", Holds: true},
		`page.vars.size > 3`:                   {Value: "false"},
		`space.vars.none`:                      {},
		`visitor.claims.unsigned.plan === "a"`: {Value: "false", Visitor: true},
		`visitor.claims.plan.kind`:             {Visitor: true},
	} {
		var got value
		s.Call(http.MethodGet, address+url.QueryEscape(source), nil, 200, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", source, diff)
		}
	}
	for _, source := range []string{"space.", "while (true) {}", "a?.b", "1;2"} {
		var got value
		s.Call(http.MethodGet, address+url.QueryEscape(source), nil, 200, &got)
		if got.Fault == "" || got.Value != "" || got.Holds {
			t.Errorf("%s: %+v", source, got)
		}
	}
	s.Call(http.MethodGet, address+strings.Repeat("a", 4097), nil, 400, nil)
	s.Call(http.MethodGet, address, nil, 400, nil)
	s.Call(http.MethodGet, strings.Replace(address, page, "page_none", 1)+"1", nil, 404, nil)
}
