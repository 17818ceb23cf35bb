package field_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
)

func TestText(t *testing.T) {
	tests := []struct {
		name, in, want string
		refused        string
	}{
		{name: "plain", in: "Rust", want: "Rust"},
		{name: "white space around", in: "  a b\u3000", want: "a b"},
		{name: "too short", in: " a ", refused: "has 1 characters; from 2 to 5 are accepted"},
		{name: "longest", in: "日本語文書", want: "日本語文書"},
		{name: "too long", in: "abcdef", refused: "has 6 characters"},
		{name: "line break", in: "a\nb", refused: "control characters"},
		{name: "zero byte", in: "a\x00b", refused: "control characters"},
		{name: "not UTF-8", in: "a\xffb", refused: "valid UTF-8"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := field.Text("title", test.in, 2, 5)
			check(t, err, test.refused)
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestURL(t *testing.T) {
	tests := []struct{ in, refused string }{
		{in: "https://example.org/a.png?b=c#d"},
		{in: " http://127.0.0.1:8080/ "},
		{in: "https://example.org/" + strings.Repeat("a", field.MaxURL-20)},
		{in: "https://example.org/" + strings.Repeat("a", field.MaxURL-19), refused: "has 2049 characters"},
		{in: "", refused: "has 0 characters"},
		{in: "example.org", refused: "is not an address"},
		{in: "//example.org", refused: "is not an address"},
		{in: "javascript:alert(1)", refused: "is not an address"},
		{in: "data:text/html,x", refused: "is not an address"},
		{in: "https:///path", refused: "is not an address"},
		{in: "https://exa mple.org", refused: "is not an address"},
		{in: `https://example.org/"onload`, refused: "is not an address"},
		{in: "https://me:secret@example.org", refused: "user name or password"},
	}
	for _, test := range tests {
		got, err := field.URL("icon", test.in)
		check(t, err, test.refused)
		if err == nil && got != strings.TrimSpace(test.in) {
			t.Errorf("URL(%q) = %q", test.in, got)
		}
	}
}

func TestOneOf(t *testing.T) {
	check(t, field.OneOf("mode", "live", "live", "locked"), "")
	check(t, field.OneOf("mode", "", "live", "locked"), `"" is not accepted; one of live, locked is`)
	check(t, field.OneOf("mode", strings.Repeat("x", 1000), "live"), strings.Repeat("x", 40)+"…")
}

func TestStorable(t *testing.T) {
	for s, want := range map[string]bool{"": true, "a\n": true, "a\x00": false, "\xc3": false} {
		if field.Storable(s) != want {
			t.Errorf("Storable(%q) = %v", s, !want)
		}
	}
}

// check holds that err is nil, or an Invalid error about a field whose message has the text.
func check(t *testing.T, err error, refused string) {
	t.Helper()
	if refused == "" {
		if err != nil {
			t.Errorf("refused: %v", err)
		}
		return
	}
	if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), refused) {
		t.Errorf("got %v, want a refusal with %q", err, refused)
	}
}
