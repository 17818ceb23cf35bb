package httpxtest

import "testing"

// TestOrigin holds the reading of addresses against what browsers make of them.
func TestOrigin(t *testing.T) {
	const here = "https://docs.example.com"
	for location, want := range map[string]string{
		"/a": here, "": here, "a": here, "?x": here, "#x": here, "/.//evil.example": here, "/..//evil.example": here,
		"https:a": here, "https:/a": here, `https:\a`: here, "HTTPS:a": here,
		"//evil.example": "https://evil.example", `/\evil.example/a`: "https://evil.example",
		`\\evil.example`: "https://evil.example", "/\t/evil.example": "https://evil.example",
		" //evil.example": "https://evil.example", "https://evil.example": "https://evil.example",
		"http:evil.example": "http://evil.example", "http:///evil.example": "http://evil.example",
		"//a@evil.example:8080/x": "https://evil.example:8080", "//EVIL.example": "https://evil.example",
		"///evil.example": "https://evil.example", "//[::1]/": "https://::1",
		"ftp://evil.example": "ftp://evil.example",
		"/%2fevil.example":   here, "1:2": here, "javascript:alert(1)": "", "//": "", "mailto:a@b": "",
	} {
		got, ok := Origin(here, location)
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q leads to %q, not %q", location, got, want)
		}
	}
}
