package pub

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/publish/blocks"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// cards are the answers of a script that shows a card, by the block's property "say".
const card = `{"state":{"count":1},"props":{"say":"kept"},"element":{"type":"block","children":[
	{"type":"card","title":"Hello <there>","children":[{"type":"text","children":["from the script"]}],
	"buttons":[{"type":"button","label":"More","onPress":{"action":"more"}}]}]}}`

// blockFixture is a site whose space has the integration "drawer", which maps the language "draw".
func blockFixture(t *testing.T) (f *fixture, calls *atomic.Int64) {
	t.Helper()
	f, calls = sqliteFixture(t), new(atomic.Int64)
	f.render = func(_ context.Context, ask blocks.Ask) (blocks.Answer, error) {
		calls.Add(1)
		return blocks.Answer{Status: 200, CacheControl: "max-age=60", Body: []byte(card)}, nil
	}
	_, err := f.integrations.Publish(t.Context(), f.caller, "drawer", integration.Publication{Organization: f.org.ID,
		Title: "Drawer", Description: "Draws.", Script: "addEventListener('fetch', () => {});",
		Visibility: integration.Private,
		Blocks: []integration.Block{{ID: "drawing", Title: "Drawing",
			URLUnfurl: []string{"https://draw.example.org/**"},
			Markdown:  &integration.BlockMarkdown{Codeblock: "draw", Body: "content"}}}})
	if err != nil {
		t.Fatal(err)
	}
	installed, err := f.integrations.Install(t.Context(), f.caller, "drawer", f.org.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.integrations.UpdateInstallation(t.Context(), f.caller, "drawer", installed.ID,
		integration.Change{SpaceSelection: optional.Of(integration.SelectAll)}); err != nil {
		t.Fatal(err)
	}
	return f, calls
}

const blockTag = "{% @drawer/drawing say=\"hello\" %}\n"

func TestBlocksOnAPage(t *testing.T) {
	f, calls := blockFixture(t)
	f.put(document("one", "One", blockTag), document("two", "Two", "```draw\na -> b\n```\n\n```go\nx := 1\n```\n"),
		document("other", "Other", "{% @stranger/thing say=\"hello\" %}\n"))
	page := f.html("one")
	if got := texts(page, ".kit .kit-card-title"); len(got) != 1 || got[0] != "Hello <there>" {
		t.Errorf("titles of cards: %q", got)
	}
	var state struct {
		Integration, Component string
		Props, State           map[string]any
	}
	if err := json.Unmarshal([]byte(attribute(page, ".kit", "data-kit")), &state); err != nil ||
		state.Integration != "drawer" || state.Component != "drawing" || state.Props["say"] != "kept" ||
		state.State["count"] != 1.0 {
		t.Errorf("data-kit = %+v, %v", state, err)
	}
	if page.Find(`script[src*="kit."]`).Length() != 1 {
		t.Error("the page has no script for its block")
	}
	f.html("one")
	f.html("one")
	if n := calls.Load(); n != 1 {
		t.Errorf("the script ran %d times for three views within its max-age; want 1", n)
	}
	two := f.html("two")
	if two.Find(".kit").Length() != 1 || two.Find(".block-code").Length() != 1 {
		t.Errorf("a mapped fence and code: %s", texts(two, ".prose"))
	}
	if other := f.html("other"); other.Find(".kit").Length() != 0 || other.Find(".block-integration").Length() != 1 ||
		other.Find(`script[src*="kit."]`).Length() != 0 {
		t.Error("a block of an integration that is not installed does not show what it holds")
	}
}

func TestBlocksAsMarkdown(t *testing.T) {
	f, _ := blockFixture(t)
	f.put(document("one", "One", "Before.\n\n"+blockTag+"\n```draw\nx\n```\n"))
	text := f.get("one.md").Body.String()
	if strings.Count(text, "**Hello &#x3C;there>**\n\nfrom the script") != 2 || strings.Contains(text, "{%") ||
		!strings.Contains(text, "Before.") {
		t.Errorf("the page as Markdown:\n%s", text)
	}
}

func answered(status int, body string) blocks.Answer {
	return blocks.Answer{Status: status, Body: []byte(body)}
}

func TestWhatABlockSays(t *testing.T) {
	f, _ := blockFixture(t)
	for name, each := range map[string]struct {
		answer     blocks.Answer
		err        error
		has, hides string
	}{
		"hidden":    {answer: answered(404, "no"), hides: ".kit, .kit-failure, .block-integration"},
		"complete":  {answer: answered(200, `{"type":"complete"}`), hides: ".kit, .kit-failure"},
		"refused":   {answer: answered(422, `{"error":"No <b>such</b> drawing"}`), has: "No <b>such</b> drawing"},
		"bad":       {answer: answered(400, `plain words`), has: "plain words"},
		"gateway":   {answer: answered(502, `{"error":{"message":"It is away"}}`), has: "It is away"},
		"broken":    {answer: answered(500, `{"error":"secret trace"}`), has: "could not show"},
		"no JSON":   {answer: answered(200, `<html>`), has: "no block"},
		"not there": {err: errs.NotFoundf("No such component."), hides: ".kit, .kit-failure"},
		"stopped":   {err: context.DeadlineExceeded, has: "could not show"},
	} {
		f.render = func(context.Context, blocks.Ask) (blocks.Answer, error) { return each.answer, each.err }
		at := strings.ReplaceAll(name, " ", "-")
		f.put(document(at, name, "{% @drawer/drawing say=\""+name+"\" %}\n"))
		page := f.html(at)
		said := strings.Join(texts(page, ".kit-failure"), "")
		if !strings.Contains(said, each.has) || strings.Contains(said, "secret") {
			t.Errorf("%s: the page says %q, want %q", name, said, each.has)
		}
		if each.hides != "" && page.Find(each.hides).Length() != 0 {
			t.Errorf("%s: %s is on the page", name, each.hides)
		}
	}
}

func TestASlowBlockDoesNotHoldThePage(t *testing.T) {
	f, calls := blockFixture(t)
	release := make(chan struct{})
	f.render = func(context.Context, blocks.Ask) (blocks.Answer, error) {
		calls.Add(1)
		<-release
		return blocks.Answer{Status: 200, CacheControl: "max-age=60", Body: []byte(card)}, nil
	}
	f.put(document("slow", "Slow", blockTag+"\nText.\n"))
	begun := time.Now()
	page := f.html("slow")
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("the page took %v", took)
	}
	if page.Find("[data-kit-waiting] .kit-waiting").Length() != 1 || page.Find(`script[src*="kit."]`).Length() != 1 {
		t.Errorf("no placeholder that loads itself: %q", texts(page, ".prose"))
	}
	close(release)
	// The script went on, and the next reader has its answer.
	deadline := time.Now().Add(30 * time.Second)
	for f.html("slow").Find(".kit-card").Length() != 1 {
		if time.Now().After(deadline) {
			t.Fatal("the block never shows")
		}
	}
	if n := calls.Load(); n != 1 {
		t.Errorf("the script ran %d times; want 1", n)
	}
}

func TestABlockThatMustNotBeKept(t *testing.T) {
	f, calls := blockFixture(t)
	f.render = func(context.Context, blocks.Ask) (blocks.Answer, error) {
		calls.Add(1)
		return blocks.Answer{Status: 200, CacheControl: "no-store", Body: []byte(card)}, nil
	}
	f.put(document("one", "One", blockTag))
	for range 3 {
		page := f.html("one")
		if page.Find("[data-kit-waiting]").Length() != 1 || page.Find(".kit-card").Length() != 0 {
			t.Error("the page that all readers share has the answer in it")
		}
	}
	if n := calls.Load(); n > 2 {
		t.Errorf("the script ran %d times for three views of the page", n)
	}
	if answer := f.send(`{"integration":"drawer","component":"drawing","props":{"say":"hello"}}`); answer.Code != 200 ||
		!strings.Contains(answer.Body.String(), "kit-card") {
		t.Errorf("loaded by the page: %d %s", answer.Code, answer.Body)
	}
}

func TestFramesWidenThePolicyExactly(t *testing.T) {
	f, _ := blockFixture(t)
	f.render = func(context.Context, blocks.Ask) (blocks.Answer, error) {
		return blocks.Answer{Status: 200, Body: []byte(`{"element":{"type":"block","children":[
			{"type":"webframe","source":{"url":"https://frames.example.net/x?y=1"}},
			{"type":"webframe","source":{"url":"` + testBase + `/integrations/drawer/frame"}}]}}`)}, nil
	}
	f.put(document("framed", "Framed", blockTag), document("plain", "Plain", "Text.\n"))
	policy := f.get("framed").Header().Get("Content-Security-Policy")
	_, frames, _ := strings.Cut(policy, "frame-src ")
	frames, _, _ = strings.Cut(frames, ";")
	for _, origin := range []string{" https://frames.example.net", " " + testBase} {
		if !strings.Contains(frames, origin) {
			t.Errorf("frame-src %s does not have%s", frames, origin)
		}
	}
	if other := f.get("plain").Header().Get("Content-Security-Policy"); strings.Contains(other, "frames.example.net") {
		t.Errorf("a page without the block has the policy %s", other)
	}
	page := f.html("framed")
	sandboxes := page.Find("iframe").Map(func(_ int, s *goquery.Selection) string {
		return s.AttrOr("sandbox", "none")
	})
	if len(sandboxes) != 2 || !strings.Contains(sandboxes[0], "allow-same-origin") ||
		strings.Contains(sandboxes[1], "allow-same-origin") || strings.Contains(sandboxes[0], "top-navigation") {
		t.Errorf("sandboxes: %q", sandboxes)
	}
}

// What a modal frames is not known before it is open.
func TestModalsMayFrame(t *testing.T) {
	f, _ := blockFixture(t)
	children := `{"type":"button","label":"Look","onPress":{"action":"%s","componentId":"film","url":"https://a.example"}}`
	f.render = func(_ context.Context, ask blocks.Ask) (blocks.Answer, error) {
		action := "@ui.url.open"
		if ask.Props["say"] != nil {
			action = "@ui.modal.open"
		}
		return blocks.Answer{Status: 200, Body: []byte(`{"element":{"type":"block","children":[` +
			strings.Replace(children, "%s", action, 1) + `]}}`)}, nil
	}
	f.put(document("opens", "Opens", `{% @drawer/drawing say="x" %}`), document("leads", "Leads",
		`{% @drawer/drawing %}`))
	for page, want := range map[string]bool{"opens": true, "leads": false} {
		_, frames, _ := strings.Cut(f.get(page).Header().Get("Content-Security-Policy"), "frame-src ")
		frames, _, _ = strings.Cut(frames, ";")
		if slices.Contains(strings.Fields(frames), "https:") != want {
			t.Errorf("%s: frame-src %s", page, frames)
		}
	}
}

// send posts to the address at which blocks are used.
func (f *fixture) send(body string, headers ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodPost, testBase+f.home()+"~/block", strings.NewReader(body))
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	f.server.ServeHTTP(answer, request)
	return answer
}

func TestUsingABlock(t *testing.T) {
	f, _ := blockFixture(t)
	f.put(document("one", "One", blockTag))
	var asked blocks.Ask
	f.render = func(_ context.Context, ask blocks.Ask) (blocks.Answer, error) {
		asked = ask
		return blocks.Answer{Status: 200, CacheControl: "max-age=60", Body: []byte(card)}, nil
	}
	const use = `{"integration":"drawer","component":"drawing","props":{"say":"x"},"state":{"count":2},` +
		`"action":{"action":"more"},"theme":"dark","prefix":"b1-"}`
	answer := f.send(use)
	if answer.Code != 200 || !strings.Contains(answer.Body.String(), `"type":"block"`) ||
		!strings.Contains(answer.Body.String(), "kit-card") || answer.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the answer: %d %v %s", answer.Code, answer.Header(), answer.Body)
	}
	if asked.Theme != "dark" || asked.State["count"] != 2.0 || string(asked.Action) != `{"action":"more"}` ||
		asked.Space != f.space.ID || asked.Installation == "" || asked.Editable {
		t.Errorf("the script was asked %+v", asked)
	}
	for name, each := range map[string]struct {
		body    string
		headers []string
		want    int
	}{
		"another integration": {`{"integration":"other","component":"x"}`, nil, 404},
		"no component":        {`{"integration":"drawer"}`, nil, 404},
		"no JSON":             {`x`, nil, 400},
		"too large":           {`{"props":{"x":"` + strings.Repeat("x", 300<<10) + `"}}`, nil, 400},
		"another site":        {use, []string{"Sec-Fetch-Site", "cross-site"}, 403},
	} {
		if answer := f.send(each.body, each.headers...); answer.Code != each.want {
			t.Errorf("%s: %d %s, want %d", name, answer.Code, answer.Body, each.want)
		}
	}
	if answer := f.get("~/block"); answer.Code != 404 {
		t.Errorf("GET: %d, want 404", answer.Code)
	}
	limited := false
	for range 100 {
		limited = limited || f.send(use).Code == http.StatusTooManyRequests
	}
	if !limited {
		t.Error("a hundred calls at once were all let through")
	}
}

// TestAnIntegrationThatComesAndGoes shows that pages that are kept follow what is installed.
func TestAnIntegrationThatComesAndGoes(t *testing.T) {
	f, _ := blockFixture(t)
	f.put(document("two", "Two", "```draw\na\n```\n"))
	if f.html("two").Find(".kit").Length() != 1 {
		t.Fatal("the fence shows no block")
	}
	if err := f.integrations.Unpublish(t.Context(), f.caller, "drawer"); err != nil {
		t.Fatal(err)
	}
	if page := f.html("two"); page.Find(".kit").Length() != 0 || page.Find(".block-code").Length() != 1 {
		t.Error("the block shows although its integration is gone")
	}
}
