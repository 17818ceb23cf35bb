package web

import (
	"testing"
	"time"
)

func TestLocalPath(t *testing.T) {
	for next, want := range map[string]string{
		"/account/tokens": "/account/tokens", "/sites/a/b/?q=1#x": "/sites/a/b/?q=1#x", "/": "/",
		"/v1/docs": "/v1/docs",
		"":         "/app", "account": "/app", "//evil.example": "/app", "/\\evil.example": "/app",
		"\\\\evil.example":     "/app",
		"https://evil.example": "/app", "javascript:alert(1)": "/app", "/\t/evil.example": "/app",
		"/\n/evil.example":  "/app",
		"/%2f/evil.example": "/app", "/%09/evil": "/%09/evil", "///evil.example": "/app",
		"/..//evil.example": "/..//evil.example",
		"/signin":           "/app", "/signin/sso?x": "/app", "/signout": "/app", "/signings": "/signings",
		"/%zz": "/app",
	} {
		if got := LocalPath(next); got != want {
			t.Errorf("LocalPath(%q) = %q, want %q", next, got, want)
		}
	}
}

func FuzzLocalPath(f *testing.F) {
	f.Add("/a")
	f.Add("//a")
	f.Fuzz(func(t *testing.T, next string) {
		got := LocalPath(next)
		if got == "" || got[0] != '/' || len(got) > 1 && (got[1] == '/' || got[1] == '\\') {
			t.Errorf("LocalPath(%q) = %q", next, got)
		}
		if again := LocalPath(got); again != got {
			t.Errorf("%q becomes %q, which becomes %q", next, got, again)
		}
	})
}

func TestDevice(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 " +
			"Safari/605.1.15": "Safari on macOS",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 " +
			"Safari/537.36 Edg/140.0.0.0": "Edge on Windows",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"CriOS/140.0.0.0 Mobile/15E148 Safari/604.1": "Chrome on iPhone",
		"Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 " +
			"Mobile Safari/537.36": "Samsung Internet on Android",
		"curl/8.9": "curl", "": "Unknown browser", "something": "Unknown browser",
	} {
		if got := device(agent); got != want {
			t.Errorf("device(%q) = %q, want %q", agent, got, want)
		}
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for passed, want := range map[time.Duration]string{
		-time.Hour: "just now", 0: "just now", 119 * time.Second: "just now", 2 * time.Minute: "2 minutes ago",
		time.Hour:      "1 hour ago",
		23 * time.Hour: "23 hours ago", 24 * time.Hour: "1 day ago", 13 * 24 * time.Hour: "13 days ago",
		14 * 24 * time.Hour: "on 7 November 2026",
	} {
		if got := ago(now, now.Add(-passed)); got != want {
			t.Errorf("%v: %q, want %q", passed, got, want)
		}
	}
}
