package integration

import (
	"strings"
	"testing"
)

func TestLinksThatBecomeBlocks(t *testing.T) {
	for _, each := range []struct {
		pattern, link string
		want          bool
	}{
		{"https://www.example.com/files/**", "https://www.example.com/files/a/b?c=1#d", true},
		{"https://www.example.com/files/**", "https://WWW.Example.com/files/", true},
		{"https://www.example.com/files/**", "https://www.example.com/Files/a", false},
		{"https://www.example.com/files/**", "https://www.example.com.evil.example/files/a", false},
		{"https://www.example.com/files/**", "https://evil.example/?https://www.example.com/files/a", false},
		{"https://*.example.com/**", "https://a.example.com/x", true},
		{"https://*.example.com/**", "https://evil.example/a.example.com/x", false},
		{"https://example.com/*/edit", "https://example.com/one/edit", true},
		{"https://example.com/*/edit", "https://example.com/one/two/edit", false},
		{"https://example.com/a+b", "https://example.com/aab", false},
		{"https://example.com", "https://example.com", true},
		{"https://example.com/file/", "https://example.com/file/a/b?c", true},
		{"https://example.com/file/", "https://example.com/files", false},
		{"https://example.com/file/", "https://evil.example/?https://example.com/file/", false},
		{"https://example.com/**", "http://example.com/", false},
		{"https://example.com/**", "https://example.com/a\nb", true},
		{"https://example.com/" + strings.Repeat("**a", 60), "https://example.com/" + strings.Repeat("a", 2000) + "b",
			false},
	} {
		block := Block{URLUnfurl: []string{"https://none.example/**", each.pattern}}
		if got := block.Unfurls(each.link); got != each.want {
			t.Errorf("%q unfurls %q: %t", each.pattern, each.link, got)
		}
	}
	if (&Block{}).Unfurls("https://example.com/") {
		t.Error("a block without patterns takes a link")
	}
}
