package lives_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// closes holds that the server ends a connection with a status and words.
func closes(t *testing.T, l *apptest.Live, status websocket.StatusCode, says string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		_, _, err := l.Read(ctx)
		if err == nil {
			continue
		}
		if got := websocket.CloseStatus(err); got != status || !strings.Contains(err.Error(), says) {
			t.Errorf("the connection ends with %v, want %d and %q", err, status, says)
		}
		return
	}
}

// TestWhoMayNotTakePart holds that nobody gets a connection who may not edit, or whose browser is on another site.
func TestWhoMayNotTakePart(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d := newDraft(s, "Hello")
		cookie := func(b apptest.Browser) string {
			var all []string
			for _, each := range b.Jar.Cookies(b.Address()) {
				all = append(all, each.Name+"="+each.Value)
			}
			return strings.Join(all, "; ")
		}
		signedIn := cookie(s.SignedIn())
		var outsiders apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Others"}`, http.StatusCreated, &outsiders)
		reading := s.Member(org.RoleRead, "reader@example.org")
		for name, trial := range map[string]struct {
			token  string
			header http.Header
			status int
		}{
			"nobody":               {"", nil, http.StatusUnauthorized},
			"a token that is none": {"rct_nothing", nil, http.StatusUnauthorized},
			"a reader":             {reading, nil, http.StatusForbidden},
			"a commenter":          {s.Member(org.RoleComment, "commenter@example.org"), nil, http.StatusForbidden},
			"a guest":              {s.Member(org.RoleGuest, "guest@example.org"), nil, http.StatusNotFound},
			"another organization": {s.OperatorAdds("eve@example.com", outsiders.ID, "admin"), nil,
				http.StatusNotFound},
			"another site": {"", http.Header{"Cookie": {signedIn}, "Origin": {"https://evil.example"}},
				http.StatusForbidden},
			"another site, as browsers": {"", http.Header{"Cookie": {signedIn}, "Sec-Fetch-Site": {"cross-site"}},
				http.StatusForbidden},
			"another host of this site": {"", http.Header{"Cookie": {signedIn}, "Sec-Fetch-Site": {"same-site"},
				"Origin": {s.Base}},
				http.StatusForbidden},
		} {
			if _, response, err := s.DialLive(d.live, trial.token, trial.header); err == nil || response == nil ||
				response.StatusCode != trial.status {
				t.Errorf("%s: %v %v, want %d", name, response, err, trial.status)
			}
			if trial.header != nil {
				continue
			}
			// Requests that stand in for the WebSocket let nobody else in.
			hello := fmt.Sprintf(`{"client":"b","messages":[{"type":"hello","schema":%q}]}`, s.LiveSchema())
			if got := s.Raw(http.MethodPost, d.live, trial.token, hello); got.Status != trial.status {
				t.Errorf("%s, by requests: %d %.200s, want %d", name, got.Status, got.Body, trial.status)
			}
		}
		if _, _, err := s.DialLive(d.live, "", http.Header{"Cookie": {signedIn}, "Origin": {s.Base}}); err != nil {
			t.Errorf("a page of this server: %v", err)
		}
		// Everybody who reads the space sees who is there.
		s.Live(d.live, s.Token, "a").Hear("people")
		var there struct {
			Pages []struct {
				Page   string
				People []struct{ User struct{ ID string } }
			}
		}
		s.CallAs(reading, http.MethodGet, d.base()+"/live", nil, http.StatusOK, &there)
		if len(there.Pages) != 1 || there.Pages[0].Page != d.page || len(there.Pages[0].People) != 1 ||
			there.Pages[0].People[0].User.ID != s.UserOf(s.Token) {
			t.Errorf("who is there: %+v", there)
		}
	})
}

// TestMessagesThatAreNone holds that a connection ends that does not keep to the messages, and says why.
func TestMessagesThatAreNone(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	d := newDraft(s, "Hello")
	ben := s.Member(org.RoleEdit, "ben@example.org")
	s.Live(d.live, ben, "bens").Hear("state")
	for name, trial := range map[string]struct {
		message string
		status  websocket.StatusCode
		says    string
	}{
		"no JSON":   {"hello", websocket.StatusPolicyViolation, "cannot be read"},
		"not UTF-8": {"\"\xff\"", websocket.StatusPolicyViolation, "UTF-8"},
		"two at once": {`{"type":"flush"}{"type":"flush"}`,
			websocket.StatusPolicyViolation, "behind its end"},
		"an unknown field": {`{"type":"flush","now":true}`,
			websocket.StatusPolicyViolation, "now"},
		"an unknown type": {`{"type":"merge"}`,
			websocket.StatusPolicyViolation, "none of"},
		"no version": {`{"type":"steps","id":"x","steps":[{}]}`,
			websocket.StatusPolicyViolation, "version"},
		"a version below zero": {`{"type":"steps","id":"x","version":-1,"steps":[{}]}`,
			websocket.StatusPolicyViolation, "version"},
		"a version of text": {`{"type":"steps","id":"x","version":"1","steps":[{}]}`,
			websocket.StatusPolicyViolation, "cannot be read"},
		"a cursor far away": {`{"type":"cursor","version":0,"anchor":99999999999,"head":1}`,
			websocket.StatusPolicyViolation, "anchor"},
		"a cursor before all": {`{"type":"cursor","version":0,"anchor":-1,"head":1}`,
			websocket.StatusPolicyViolation, "anchor"},
		"a huge one": {`{"type":"cursor","schema":"` + strings.Repeat("x", 2<<20) + `"}`,
			websocket.StatusMessageTooBig, ""},
		"a client of the server": {`{"type":"hello","client":"server","schema":"x"}`,
			websocket.StatusPolicyViolation, "id of a client"},
		"somebody else's client": {fmt.Sprintf(`{"type":"hello","client":"bens","schema":%q}`, s.LiveSchema()),
			websocket.StatusPolicyViolation, "somebody else"},
	} {
		l := s.Live(d.live, s.Token, "a")
		l.Hear("state")
		if err := l.Write(t.Context(), websocket.MessageText, []byte(trial.message)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Log(name)
		closes(t, l, trial.status, trial.says)
	}
	silent, _, err := s.DialLive(d.live, s.Token, nil)
	if err != nil {
		t.Fatal(err)
	}
	silent.Say(map[string]any{"type": "flush"})
	closes(t, silent, websocket.StatusPolicyViolation, "hello first")
	binary := s.Live(d.live, s.Token, "a")
	if err := binary.Write(t.Context(), websocket.MessageBinary, []byte(`{"type":"flush"}`)); err != nil {
		t.Fatal(err)
	}
	closes(t, binary, websocket.StatusPolicyViolation, "not text")
	older := s.Live(d.live, s.Token, "a")
	older.Say(map[string]any{"type": "hello", "client": "old", "schema": "older"})
	if got := older.Hear("ended"); got.Reason != "schema" {
		t.Errorf("an older app: %+v", got)
	}
	missing := s.Live(strings.Replace(d.live, d.page, "page_none", 1), s.Token, "a")
	if got := missing.Hear("ended"); got.Reason != "deleted" {
		t.Errorf("a page that is not there: %+v", got)
	}
}

// TestStepsThatAreNone holds that steps which the page cannot take are refused with a reason, and the rest goes on.
func TestStepsThatAreNone(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d := newDraft(s, "Hello")
		ben := s.Member(org.RoleEdit, "ben@example.org")
		a, b := s.Live(d.live, s.Token, "a"), s.Live(d.live, ben, "b")
		a.Hear("state")
		b.Hear("state")
		text := func(text string) string {
			return `{"stepType":"replace","from":1,"to":1,"slice":{"content":[{"type":"text","text":` + text + `}]}}`
		}
		many := make([]string, 201)
		for i := range many {
			many[i] = text(`"x"`)
		}
		for name, steps := range map[string]string{
			"none":                 "",
			"no steps":             `{"stepType":"nothing"}`,
			"beyond the text":      `{"stepType":"replace","from":1000,"to":1001}`,
			"half a character":     text(`"\ud83d"`),
			"the other half":       text(`"\ude00"`),
			"too many":             strings.Join(many, ","),
			"an unknown block":     `{"stepType":"replace","from":0,"to":0,"slice":{"content":[{"type":"bomb"}]}}`,
			"a document in itself": `{"stepType":"replace","from":1,"to":1,"slice":{"content":[{"type":"doc","content":[]}]}}`,
			"deeply nested":        strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300),
		} {
			a.Say(map[string]any{"type": "steps", "id": "bad", "version": 0,
				"steps": json.RawMessage("[" + steps + "]")})
			if got := a.Hear("refused"); got.ID != "bad" || got.Message == "" {
				t.Errorf("%s: %+v", name, got)
			}
		}
		a.Say(map[string]any{"type": "steps", "id": "no good", "version": 0, "steps": []json.RawMessage{
			apptest.InsertStep(1, "x")}})
		a.Hear("refused")
		// The id of a batch is that of whoever was first.
		a.Type("mine", 0, 1, "A")
		b.Hear("steps")
		b.Type("mine", 1, 1, "B")
		if got := b.Hear("refused"); got.ID != "mine" {
			t.Errorf("an id that is taken: %+v", got)
		}
		b.Type("mine", 0, 1, "B")
		b.Hear("refused")
		// Half of a character is none, also when it was cut out of a whole one.
		a.Type("whole", 1, 1, "😀")
		b.Hear("steps")
		b.Say(map[string]any{"type": "steps", "id": "cut", "version": 2, "steps": json.RawMessage(
			`[{"stepType":"replace","from":1,"to":2}]`)})
		b.Hear("refused")
		if got := d.body(); got != "😀AHello" {
			t.Errorf("the page has %q", got)
		}
	})
}

// TestEndings holds that a session ends with what it is about, for everybody, and that nothing written before is lost.
func TestEndings(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		for name, end := range map[string]func(d *draft){
			"merged": func(d *draft) {
				s.Call(http.MethodPost, d.base()+"/merge", `{}`, http.StatusOK, nil)
				var page struct{ Markdown string }
				s.Call(http.MethodGet, "/v1/spaces/"+d.space+"/content/page/"+d.page+"?format=markdown", nil,
					http.StatusOK, &page)
				if !strings.Contains(page.Markdown, "Last words. Hello") {
					t.Errorf("main has %q", page.Markdown)
				}
			},
			"archived": func(d *draft) {
				s.Call(http.MethodPatch, d.base(), `{"status":"archived"}`, http.StatusOK, nil)
				if got := d.body(); got != "Last words. Hello" {
					t.Errorf("what is archived has %q", got)
				}
			},
			"deleted": func(d *draft) {
				s.Call(http.MethodPost, d.base()+"/content", map[string]any{"changes": []any{map[string]any{
					"operation": "delete_page", "page": d.page}}}, http.StatusOK, nil)
			},
		} {
			d := newDraft(s, "Hello")
			l := s.Live(d.live, s.Token, "a")
			l.Hear("state")
			l.Type("last", 0, 1, "Last words. ")
			l.Hear("steps")
			end(d)
			if got := l.Hear("ended"); got.Reason != name || got.Message == "" {
				t.Errorf("%s: %+v", name, got)
			}
			if got := s.Live(d.live, s.Token, "b").Hear("ended"); got.Reason != name {
				t.Errorf("%s, begun again: %+v", name, got)
			}
		}
	})
}

// TestAccessIsLost holds that who may not edit any more is sent away with their next batch.
func TestAccessIsLost(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d := newDraft(s, "Hello")
		for _, role := range []org.Role{org.RoleComment, org.RoleRead} {
			ben := s.Member(org.RoleEdit, string(role)+"@example.org")
			become := func(role org.Role) {
				s.Call(http.MethodPatch, "/v1/orgs/"+s.Organization+"/members/"+s.UserOf(ben),
					fmt.Sprintf(`{"role":%q}`, role), http.StatusOK, nil)
			}
			l := s.Live(d.live, ben, "socket-"+string(role))
			l.Hear("state")
			become(role)
			l.Type("late", 0, 1, "Not any more ")
			if got := l.Hear("ended"); got.Reason != "access" {
				t.Errorf("%s: who has lost their access hears %+v", role, got)
			}
			become(org.RoleEdit)
			d.exchange(ben, "requests-"+string(role), 0, map[string]any{"type": "hello", "schema": s.LiveSchema()})
			become(role)
			late := fmt.Sprintf(`{"client":"requests-%s","messages":[{"type":"steps","id":"so","version":0,"steps":[%s]}]}`,
				role, apptest.InsertStep(1, "Nor so "))
			if got := s.Raw(http.MethodPost, d.live, ben, late); got.Status != http.StatusForbidden {
				t.Errorf("%s, by requests: %d %.200s", role, got.Status, got.Body)
			}
			if got := d.body(); got != "Hello" {
				t.Errorf("%s: the page has %q", role, got)
			}
		}
	})
}

// TestConnectionsAreBounded holds that nobody has more than some, and that floods are read slowly.
func TestConnectionsAreBounded(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	d := newDraft(s, "Hello")
	for i := range 64 {
		s.Live(d.live, s.Token, fmt.Sprint("tab", i)).Hear("state")
	}
	if got := s.Live(d.live, s.Token, "more").Hear("ended"); got.Reason != "closed" || !strings.Contains(got.Message,
		"64") {
		t.Errorf("one too many: %+v", got)
	}
	// The same tab again is no more than before.
	s.Live(d.live, s.Token, "tab1").Hear("state")
	ben := s.Member(org.RoleEdit, "ben@example.org")
	l := s.Live(d.live, ben, "b")
	l.Hear("state")
	began := time.Now()
	for i := range 160 {
		l.Say(map[string]any{"type": "cursor", "version": 0, "anchor": i, "head": i})
	}
	l.Say(map[string]any{"type": "flush"})
	l.Hear("revision")
	if took := time.Since(began); took < 800*time.Millisecond {
		t.Errorf("a flood of 160 messages is read in %s", took)
	}
}
