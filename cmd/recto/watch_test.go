package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// screen keeps what a program that runs prints.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// TestDemoWatch holds that a demo follows its folder: what changes shows, what goes goes, a state that cannot be
// imported leaves the site as it was, and a page is told by its script.
func TestDemoWatch(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	dir := filepath.Join(t.TempDir(), "owls")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("README.md", "# Owls\n\nOne owl.\n")
	write("barn.md", "# Barn owl\n")

	ctx, stop := context.WithCancel(t.Context())
	printed, complained := &screen{}, &screen{}
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"demo", dir, "--watch", "--data", t.TempDir(), "--listen", address},
			func(string) string { return "" }, strings.NewReader(""), printed, complained)
	}()
	stopped := false
	end := func() {
		if stop(); !stopped {
			stopped = true
			if code := <-ended; code != 0 {
				t.Errorf("ends with %d: %s", code, complained)
			}
		}
	}
	defer end()

	get := func(path string) (int, string, http.Header) {
		answer, err := http.Get("http://" + address + path)
		if err != nil {
			return 0, "", nil
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return 0, "", nil
		}
		return answer.StatusCode, string(body), answer.Header
	}
	until := func(what, path string, holds func(status int, body string) bool) string {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			status, body, _ := get(path)
			if holds(status, body) {
				return body
			}
			if time.Now().After(deadline) {
				end()
				t.Fatalf("%s: %d %.2000s\n%s\n%s", what, status, body, printed, complained)
			}
		}
	}
	shows := func(text string) func(int, string) bool {
		return func(status int, body string) bool { return status == http.StatusOK && strings.Contains(body, text) }
	}
	const home = "/sites/recto-docs/owls/"
	page := until("the first page", home, shows("One owl."))
	_, state, _ := get("/~/demo/state")
	if !strings.Contains(page, `<script src="/~/demo/reload.js?at=`+state+`" defer></script>`) {
		t.Errorf("no script for %q in the page", state)
	}
	_, script, header := get("/~/demo/reload.js")
	if !strings.Contains(script, "location.reload()") ||
		!strings.HasPrefix(header.Get("Content-Type"), "text/javascript") {
		t.Errorf("the script: %v %s", header, script)
	}
	if _, _, header := get(home); !strings.Contains(header.Get("Content-Security-Policy"), "script-src 'self'") {
		t.Errorf("the policy of the page: %v", header)
	}
	if status, body, _ := get("/healthz"); status != http.StatusOK || strings.Contains(body, "script") {
		t.Errorf("other answers: %d %s", status, body)
	}

	write("README.md", "# Owls\n\nTwo owls.\n")
	if err := os.Remove(filepath.Join(dir, "barn.md")); err != nil {
		t.Fatal(err)
	}
	until("a change", home, shows("Two owls."))
	until("what it tells the page", "/~/demo/state", func(_ int, body string) bool { return body != state })
	until("a page that is gone", home+"barn", func(status int, _ string) bool { return status == http.StatusNotFound })

	write(`a\b.md`, "# A name that no archive may have\n")
	until("a fault that is said, while the site stays", home, func(status int, body string) bool {
		return shows("Two owls.")(status, body) && strings.Contains(printed.String(), "Not updated: the path ") &&
			strings.Contains(printed.String(), "holds a backslash")
	})
	if err := os.Remove(filepath.Join(dir, `a\b.md`)); err != nil {
		t.Fatal(err)
	}
	write("README.md", "# Owls\n\nThree owls.\n")
	until("what follows a fault", home, shows("Three owls."))
}

func TestDemoWatchRefuses(t *testing.T) {
	for _, test := range []struct{ arguments, says string }{
		{"--watch", "recto demo SOURCE --watch"},
		{"https://example.org/ --watch", "not an address"},
		{"nowhere --watch", "no folder or file"},
		{". --watch --once", "leave one of them out"},
	} {
		var complained bytes.Buffer
		arguments := append([]string{"demo", "--data", t.TempDir()}, strings.Fields(test.arguments)...)
		code := run(t.Context(), arguments, func(string) string { return "" }, strings.NewReader(""),
			io.Discard, &complained)
		if code != exitError || !strings.Contains(complained.String(), test.says) {
			t.Errorf("%s: %d %s", test.arguments, code, complained.String())
		}
	}
}
