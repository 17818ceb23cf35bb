package httpx_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/platform/httpx/httpxtest"
)

func TestLocalLocation(t *testing.T) {
	for path, want := range map[string]string{
		"/docs/start?x=1#there": "/docs/start?x=1#there", "": "/", "docs": "/docs", "//evil.example": "/evil.example",
		`/\evil.example`:   "/evil.example",
		"\t//evil.example": "/evil.example", "/\t/evil.example": "/evil.example", "/\r\n/evil.example": "/evil.example",
		"https://evil.example": "/https://evil.example",
		"/a\\b":                "/a%5Cb", "/a\r\nSet-Cookie: x=1": "/a%0D%0ASet-Cookie:%20x=1",
		"/größe":            "/gr%C3%B6%C3%9Fe",
		"/..//evil.example": "/..//evil.example", "javascript:alert(1)": "/javascript:alert(1)",
	} {
		if got := httpx.LocalLocation(path).String(); got != want {
			t.Errorf("%q leads to %q, not %q", path, got, want)
		}
	}
}

func TestChosenLocation(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/a?b#c": "https://example.com/a?b#c", "mailto:a@example.com": "mailto:a@example.com",
		"/page":         "/page",
		"//example.com": "/example.com", "javascript:alert(1)": "/javascript:alert(1)",
		"https:example.com": "/https:example.com", "https://example.com/\r\nX: y": "/https://example.com/%0D%0AX:%20y",
	} {
		if got := httpx.ChosenLocation(address).String(); got != want {
			t.Errorf("%q leads to %q, not %q", address, got, want)
		}
	}
}

func TestLocationWithQuery(t *testing.T) {
	for _, each := range [][3]string{
		{"/a", "x=1", "/a?x=1"}, {"/a#b", "x=1", "/a?x=1#b"}, {"/a?y=2", "x=1", "/a?y=2"}, {"/a", "", "/a"},
		{"/a", "x=\r\n#", "/a?x=%0D%0A%23"},
	} {
		if got := httpx.LocalLocation(each[0]).WithQuery(each[1]).String(); got != each[2] {
			t.Errorf("%s with %q is %q, not %q", each[0], each[1], got, each[2])
		}
	}
}

// checkLocal wants every location that is made of a text to be on the origin that was asked.
func checkLocal(t *testing.T, text string) {
	t.Helper()
	const origin = "https://docs.example.com"
	for name, to := range map[string]httpx.Location{
		"path": httpx.LocalLocation(text), "below a root": httpx.LocalLocation("/" + text),
		"query": httpx.LocalLocation("/a").WithQuery(text),
		"both":  httpx.LocalLocation(text).WithQuery(text),
	} {
		if got, ok := httpxtest.Origin(origin, to.String()); !ok || got != origin {
			t.Errorf("%s: %q leads to %q by %q", name, text, got, to)
		}
		if strings.ContainsAny(to.String(), "\r\n\t\\") {
			t.Errorf("%s: %q leads to %q, which a header cannot hold", name, text, to)
		}
	}
}

func TestLocalLocationsStay(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		checkLocal(t, httpxtest.HostilePath(random))
	}
}

func FuzzLocalLocation(f *testing.F) {
	for _, seed := range httpxtest.HostilePaths {
		f.Add(seed)
	}
	f.Fuzz(checkLocal)
}
