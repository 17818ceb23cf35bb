package client

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestServersThatLeadElsewhere: what a server says of itself must not make the program send anything to another one.
func TestServersThatLeadElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		change map[string]string
		says   string
	}{
		"another token endpoint": {map[string]string{"token_endpoint": "https://evil.example/token"}, "elsewhere"},
		"a longer host":          {map[string]string{"registration_endpoint": "BASE.evil.example/r"}, "elsewhere"},
		"no revocation":          {map[string]string{"revocation_endpoint": ""}, "elsewhere"},
		"another issuer": {map[string]string{"issuer": "https://evil.example",
			"authorization_endpoint": "https://evil.example/a", "token_endpoint": "https://evil.example/t",
			"registration_endpoint": "https://evil.example/r", "revocation_endpoint": "https://evil.example/v"},
			"calls itself"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			var server *httptest.Server
			server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				about := map[string]string{"issuer": server.URL, "authorization_endpoint": server.URL + "/a",
					"token_endpoint": server.URL + "/t", "registration_endpoint": server.URL + "/r",
					"revocation_endpoint": server.URL + "/v"}
				for field, value := range c.change {
					about[field] = strings.Replace(value, "BASE", server.URL, 1)
				}
				_ = json.NewEncoder(w).Encode(about)
			}))
			defer server.Close()
			_, err := SignIn(t.Context(), server.URL, func(string) { t.Error("a browser opens") })
			if err == nil || !strings.Contains(err.Error(), c.says) || asked.Load() != 1 {
				t.Errorf("%v after %d requests", err, asked.Load())
			}
		})
	}
}

// TestCallback: pages that the browser shows beside do not get in an answer of their own.
func TestCallback(t *testing.T) {
	answers := make(chan url.Values, 1)
	handler := callback("/callback", "right", answers)
	for _, path := range []string{"/", "/callback", "/callback?code=x", "/callback?code=x&state=wrong",
		"/callback/?code=x&state=right"} {
		got := httptest.NewRecorder()
		handler.ServeHTTP(got, httptest.NewRequest(http.MethodGet, path, nil))
		if got.Code != http.StatusNotFound || len(answers) != 0 {
			t.Errorf("%s: %d", path, got.Code)
		}
	}
	for _, code := range []string{"first", "second"} {
		got := httptest.NewRecorder()
		handler.ServeHTTP(got, httptest.NewRequest(http.MethodGet, "/callback?state=right&code="+code, nil))
		if got.Code != http.StatusOK {
			t.Error(got.Code)
		}
	}
	if answer := <-answers; answer.Get("code") != "first" {
		t.Error(answer)
	}
}

// TestALockThatWasLeftBehind is taken away after a while, and kept before.
func TestALockThatWasLeftBehind(t *testing.T) {
	logins := NewLogins(t.TempDir())
	if err := logins.Set("http://localhost", Login{Token: "x"}); err != nil {
		t.Fatal(err)
	}
	name := logins.Path() + ".lock"
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	unlock, err := logins.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Error(err)
	}
}
