package integrations_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// drawer is a script that draws what it is asked for.
const drawer = `export default { async fetch(request) {
	const event = JSON.parse((await request.formData()).get("event"));
	if (event.type !== "ui_render" || event.componentId !== "block") return new Response("none", {status: 404});
	const {status, error} = event.props.refuses ?? {};
	if (status) return Response.json(error ? {error} : {}, {status});
	return Response.json({type: "element", props: event.props, state: event.state ?? {},
		element: {type: "block", children: [{type: "text", children: [event.props.text ?? "none"]}]}},
		{headers: {"cache-control": "max-age=30"}});
} };`

// drawing publishes an integration with a block and installs it on a new space.
func drawing(s *apptest.Server) (space string) {
	var made apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", `{"title":"Docs"}`, http.StatusCreated, &made)
	s.Publish("drawer", map[string]any{"visibility": "private", "runtime": "v2", "target": "space", "script": drawer,
		"blocks": []any{map[string]any{"id": "block", "title": "Drawing",
			"urlUnfurl": []string{"https://draw.example.com/files/**"}}}})
	installed := s.Install("drawer")
	s.Call(http.MethodPost, "/v1/integrations/drawer/installations/"+installed.ID+"/spaces",
		map[string]any{"space": made.ID}, http.StatusCreated, nil)
	return made.ID
}

func TestDrawingByAddress(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := drawing(s)
		ask := `{"componentId":"block","props":{"text":"Grüße"},"context":{"type":"document","spaceId":"` + space +
			`","editable":false,"theme":"light"}}`
		const render = "/v1/integrations/drawer/render"
		posted := s.Call(http.MethodPost, render, ask, http.StatusOK, nil)
		got := s.Call(http.MethodGet, render+"?request="+url.QueryEscape(apptest.Compressed(ask)), nil, http.StatusOK,
			nil)
		if string(got.Body) != string(posted.Body) || !strings.Contains(string(got.Body), "Grüße") {
			t.Errorf("by address %s, by body %s", got.Body, posted.Body)
		}
		if cache := got.Header.Get("Cache-Control"); cache != "max-age=30" {
			t.Errorf("Cache-Control is %q", cache)
		}
		for text, says := range map[string]string{
			`[]`: "does not unfold to a request", `{}`: "componentId",
			`{"componentId":"block"}`:                                   "props",
			`{"componentId":"block","props":1,"context":{}}`:            "props",
			`{"componentId":"block","props":{},"context":{},"state":1}`: "state",
			strings.Repeat("x", 300<<10)[:1<<12]:                        "does not unfold to a request",
		} {
			s.Refused(http.MethodGet, render+"?request="+url.QueryEscape(apptest.Compressed(text)), nil,
				http.StatusBadRequest, says)
		}
		s.Refused(http.MethodGet, render+"?request=%21%21", nil, http.StatusBadRequest, "lz-string")
		// 5,651 characters that unfold to 5 MB of one letter; the first 5,000 of them are enough to be too much
		s.Refused(http.MethodGet, render+"?request="+bomb(), nil, http.StatusBadRequest, "unfolds to more than 256 KB")
	})
}

// TestWhatAScriptRefuses: what it says to whoever has filled something in stands alone, and a fault of its own does not.
func TestWhatAScriptRefuses(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := drawing(s)
		for refuses, says := range map[string]string{
			`{"status":400,"error":"A  URL\n is needed."}`:  "A URL is needed.",
			`{"status":422,"error":{"message":"Too long"}}`: "Too long.",
			`{"status":400}`:                                      "The integration answered 400: nothing more is said.",
			`{"status":403,"error":"."}`:                          "The integration answered 403: nothing more is said.",
			`{"status":500,"error":"Internal server error"}`:      "The integration answered 500: Internal server error.",
			`{"status":502,"error":{"message":"It is far away"}}`: "The integration answered 502: It is far away.",
		} {
			var got struct{ Error struct{ Message string } }
			s.Call(http.MethodPost, "/v1/integrations/drawer/render", `{"componentId":"block","props":{"refuses":`+
				refuses+`},"context":{"type":"document","spaceId":"`+space+`","editable":false,"theme":"light"}}`,
				http.StatusBadRequest, &got)
			if got.Error.Message != says {
				t.Errorf("%s: it says %q, want %q", refuses, got.Error.Message, says)
			}
		}
	})
}

// bomb is a text that grows with the square of its length: each code stands for the entry that it makes.
func bomb() string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$"
	var bits []byte
	put := func(number, size int) {
		for i := range size {
			bits = append(bits, byte(number>>i&1))
		}
	}
	put(0, 2)
	put('x', 8)
	width, left := 3, 4
	for code := 4; len(bits) < 6*10_000; code++ {
		put(code, width)
		if left--; left == 0 {
			left = 1 << width
			width++
		}
	}
	var written strings.Builder
	for i := 0; i+6 <= len(bits); i += 6 {
		value := 0
		for _, bit := range bits[i : i+6] {
			value = value<<1 | int(bit)
		}
		written.WriteByte(alphabet[value])
	}
	return url.QueryEscape(written.String())
}

func TestWhatALinkCanBeShownAs(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := drawing(s)
		type embed struct {
			Type, Title, Site, HTML, Integration string
			Block                                struct{ ID string }
		}
		ask := func(path, link string) (got embed) {
			s.Call(http.MethodGet, path+"?url="+url.QueryEscape(link), nil, http.StatusOK, &got)
			return got
		}
		inSpace := "/v1/spaces/" + space + "/embed"
		if got := ask(inSpace, "https://draw.example.com/files/one?a=1"); got.Type != "integration" ||
			got.Integration != "drawer" || got.Block.ID != "block" || got.Title != "Drawing" {
			t.Errorf("a link of an integration: %+v", got)
		}
		for _, path := range []string{inSpace, "/v1/urls/embed"} {
			if got := ask(path, "http://127.0.0.1:1/admin"); got.Type != "link" || got.Site != "127.0.0.1" {
				t.Errorf("%s: a link to a private place: %+v", path, got)
			}
			if got := ask(path, `https://www.youtube.com/watch?v=abc&x="><script>`); got.Type != "rich" ||
				!strings.Contains(got.HTML, `src="https://www.youtube-nocookie.com/embed/abc"`) ||
				strings.Contains(got.HTML, "<script") {
				t.Errorf("%s: a video: %+v", path, got)
			}
			for _, wrong := range []string{"javascript:alert(1)", "nothing", "file:///etc/passwd", "https://"} {
				s.Refused(http.MethodGet, path+"?url="+url.QueryEscape(wrong), nil, http.StatusBadRequest, "no link")
			}
		}
		if got := ask("/v1/urls/embed", "https://draw.example.com/files/one"); got.Type != "link" {
			t.Errorf("without a space: %+v", got)
		}
	})
}
