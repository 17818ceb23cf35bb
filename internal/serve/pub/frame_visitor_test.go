package pub_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// framed is a script whose block shows a web frame.
const framed = `export default { async fetch() {
	return Response.json({ type: "element", state: {}, props: {}, element: { type: "block", children: [
		{ type: "webframe", source: { url: "https://frames.example.org/" } } ] } });
} };`

// TestFramesKnowVisitorsWhereTheyMay shows what web frames of blocks are told of a page and its visitor: the claims
// that the site accepts, to integrations with the scope for it, and to nobody by what is kept of a page.
func TestFramesKnowVisitorsWhereTheyMay(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Handbook", "public", `{"operation":"insert_page","title":"Start","document":{"markdown":`+
			`"{% @knower/frame %}\n\n{% @stranger/frame %}\n"}}`)
		site.Adapt(doorsSchema)
		for name, scopes := range map[string][]string{"knower": {"site:visitor:claims"}, "stranger": {}} {
			s.Publish(name, map[string]any{"script": framed, "runtime": "v2", "scopes": scopes,
				"blocks": json.RawMessage(`[{"id":"frame","title":"Frame"}]`)})
			s.Call(http.MethodPatch, "/v1/integrations/"+name+"/installations/"+s.Install(name).ID,
				`{"space_selection":"all"}`, http.StatusOK, nil)
		}
		ada, bob := apptest.NewVisitor(t), apptest.NewVisitor(t)
		token := apptest.SignClaims(t, site.Key(), map[string]any{"plan": "pro", "secret": "x"})
		_, page, _ := ada.Open(site.Home + "?jwt_token=" + token)
		if _, other, _ := bob.Open(site.Home); strings.Contains(page, `:"pro"`) || strings.Contains(other, `:"pro"`) {
			t.Error("a page holds the claims of a visitor")
		}
		for _, want := range []string{`&#34;path&#34;:&#34;start&#34;`, `&#34;title&#34;:&#34;Start&#34;`,
			`&#34;integration&#34;:&#34;knower&#34;`, `&#34;visitor&#34;:true`} {
			if !strings.Contains(page, want) {
				t.Errorf("the page has no %s:\n%s", want, page)
			}
		}
		if n := strings.Count(page, `&#34;visitor&#34;:true`); n != 1 {
			t.Errorf("%d blocks may know of visitors; want that of knower alone", n)
		}
		ask := func(v *apptest.Visitor, name, from string) (int, string) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, site.Home+"~/block",
				strings.NewReader(`{"integration":"`+name+`","visitor":true}`))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Sec-Fetch-Site", from)
			answer, err := v.Client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if kept := answer.Header.Get("Cache-Control"); kept != "no-store" {
				t.Errorf("the answer may be kept: %q", kept)
			}
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			return answer.StatusCode, strings.TrimSpace(string(body))
		}
		for _, c := range []struct {
			who        *apptest.Visitor
			name, from string
			status     int
			want       string
		}{
			{ada, "knower", "same-origin", 200, `{"type":"visitor","claims":{"member":{},"plan":"pro","unsigned":{}}}`},
			{bob, "knower", "same-origin", 200, `{"type":"visitor","claims":{"member":{},"unsigned":{}}}`},
			{ada, "stranger", "same-origin", 404, "No integration of that name may know of visitors here."},
			{ada, "nobody", "same-origin", 404, "No integration of that name may know of visitors here."},
			{ada, "knower", "cross-site", 403, "A block is used on the page itself."},
		} {
			if status, got := ask(c.who, c.name, c.from); status != c.status || got != c.want {
				t.Errorf("%s from %s: %d %s, want %d %s", c.name, c.from, status, got, c.status, c.want)
			}
		}
	})
}
