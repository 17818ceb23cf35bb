package httpx_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/platform/httpx"
)

func TestSessionCookie(t *testing.T) {
	for secure, name := range map[bool]string{true: "__Host-recto_session", false: "recto_session"} {
		cookie := httpx.SessionCookie{Secure: secure}
		w := httptest.NewRecorder()
		cookie.Set(w, "rcs_abc", time.Now().Add(time.Hour))
		header := w.Header().Get("Set-Cookie")
		for _, want := range []string{name + "=rcs_abc", "Path=/", "HttpOnly", "SameSite=Lax", "Expires="} {
			if !strings.Contains(header, want) {
				t.Errorf("%s lacks %s", header, want)
			}
		}
		if strings.Contains(header, "Domain") || strings.Contains(header, "Secure") != secure {
			t.Error(header)
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		if cookie.Read(r) != "" {
			t.Error("a request without a cookie has a secret")
		}
		r.Header.Set("Cookie", header[:strings.Index(header, ";")])
		if got := cookie.Read(r); got != "rcs_abc" {
			t.Errorf("read %q", got)
		}
		w = httptest.NewRecorder()
		cookie.Clear(w)
		if header := w.Header().Get("Set-Cookie"); !strings.Contains(header, name+"=;") || !strings.Contains(header,
			"Max-Age=0") {
			t.Error(header)
		}
	}
}

func TestSameOrigin(t *testing.T) {
	tests := []struct {
		method, site, origin string
		want                 bool
	}{
		{"GET", "same-origin", "", true},
		{"POST", "same-origin", "https://docs.example.org", true},
		{"GET", "none", "", true},
		{"POST", "none", "", false},
		{"GET", "same-site", "", false},
		{"POST", "same-site", "https://docs.example.org", false},
		{"GET", "cross-site", "", false},
		{"GET", "", "", true},
		{"POST", "", "", false},
		{"POST", "", "https://docs.example.org", true},
		{"DELETE", "", "https://evil.example.org", false},
		{"POST", "", "null", false},
		{"GET", "", "https://evil.example.org", false},
	}
	for _, test := range tests {
		r := httptest.NewRequest(test.method, "https://docs.example.org/v1/user", nil)
		if test.site != "" {
			r.Header.Set("Sec-Fetch-Site", test.site)
		}
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		if got := httpx.SameOrigin(r); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
