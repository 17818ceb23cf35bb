package lives_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// exchange sends messages of a client by a request.
func (d *draft) exchange(token, client string, wait int, messages ...any) []apptest.LiveMessage {
	d.T.Helper()
	if messages == nil {
		messages = []any{}
	}
	var answer struct{ Messages []apptest.LiveMessage }
	d.CallAs(token, http.MethodPost, d.live, map[string]any{"client": client, "wait": wait, "messages": messages},
		http.StatusOK, &answer)
	return answer.Messages
}

// kinds are the types of messages.
func kinds(messages []apptest.LiveMessage) string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Type)
	}
	return strings.Join(all, " ")
}

// TestRequestsStandInForTheSocket holds that a client that comes by requests has all that a connection has.
func TestRequestsStandInForTheSocket(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d := newDraft(s, "Hello")
		ben := s.Member(org.RoleEdit, "ben@example.org")
		hello := map[string]any{"type": "hello", "schema": s.LiveSchema(), "session": nil, "version": nil}
		if got := d.exchange(ben, "b", 0); kinds(got) != "ended" || got[0].Reason != "closed" {
			t.Errorf("who has not said hello hears %+v", got)
		}
		begun := d.exchange(ben, "b", 0, hello)
		if !strings.HasPrefix(kinds(begun), "state people") {
			t.Fatalf("a hello is answered with %s", kinds(begun))
		}
		a := s.Live(d.live, s.Token, "a")
		a.Hear("state")
		typed := d.exchange(ben, "b", 0, map[string]any{"type": "steps", "id": "one", "version": 0,
			"steps": []json.RawMessage{apptest.InsertStep(1, "Ben: ")}})
		if !strings.Contains(kinds(typed), "steps") {
			t.Errorf("a batch is answered with %s", kinds(typed))
		}
		a.Hear("steps")
		// A request waits for what others do.
		heard := make(chan []apptest.LiveMessage, 1)
		go func() {
			for {
				if got := d.exchange(ben, "b", 25); strings.Contains(kinds(got), "steps") {
					heard <- got
					return
				}
			}
		}()
		a.Type("two", 1, 1, "Ada and ")
		select {
		case <-heard:
		case <-time.After(20 * time.Second):
			t.Error("a request that waits hears nothing")
		}
		// A client is whose it was first.
		d.CallAs(s.Token, http.MethodPost, d.live, map[string]any{"client": "b", "messages": []any{hello}},
			http.StatusConflict, nil)
		if got := d.exchange(ben, "b", 0, map[string]any{"type": "bye"}); kinds(got) != "" {
			t.Errorf("a bye is answered with %+v", got)
		}
		if got := d.exchange(ben, "b", 0); kinds(got) != "ended" {
			t.Errorf("who has left hears %+v", got)
		}
	})
}

// TestRequestsThatAreNone holds that requests are read as strictly as every other.
func TestRequestsThatAreNone(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	d := newDraft(s, "Hello")
	for name, trial := range map[string]struct {
		body   string
		status int
	}{
		"an unknown field": {`{"client":"a","messages":[],"more":1}`,
			http.StatusBadRequest},
		"an unknown field of a message": {`{"client":"a","messages":[{"type":"flush","now":true}]}`,
			http.StatusBadRequest},
		"an unknown message": {`{"client":"a","messages":[{"type":"merge"}]}`,
			http.StatusBadRequest},
		"a long wait": {`{"client":"a","wait":600,"messages":[]}`,
			http.StatusBadRequest},
		"no client": {`{"client":"","messages":[]}`,
			http.StatusBadRequest},
		"a client with spaces": {`{"client":"a b","messages":[{"type":"hello","schema":"x"}]}`,
			http.StatusBadRequest},
		"too many": {`{"client":"a","messages":[` + strings.Repeat(`{"type":"bye"},`, 60) + `{"type":"bye"}]}`,
			http.StatusBadRequest},
	} {
		if got := s.Raw(http.MethodPost, d.live, s.Token, trial.body); got.Status != trial.status {
			t.Errorf("%s: %d %.200s", name, got.Status, got.Body)
		}
	}
}
