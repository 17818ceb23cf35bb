package account

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestCheckEmail(t *testing.T) {
	tests := []struct{ in, key string }{
		{"ada@example.org", "ada@example.org"},
		{" Ada.Lovelace+docs@Example.ORG ", "ada.lovelace+docs@example.org"},
		{"admin@localhost", "admin@localhost"},
		{"JÜRGEN@bücher.example", "jürgen@bücher.example"},
		{"ju\u0308rgen@b.example", "jürgen@b.example"},
		{strings.Repeat("a", 64) + "@example.org", strings.Repeat("a", 64) + "@example.org"},
	}
	for _, test := range tests {
		address, key, err := checkEmail("email", test.in)
		if err != nil || key != test.key || address != strings.TrimSpace(test.in) {
			t.Errorf("checkEmail(%q) = %q, %q, %v", test.in, address, key, err)
		}
	}
	for _, bad := range []string{
		"", "a", "ada", "@example.org", "ada@", "ada@@example.org", "ada example.org", "Ada <ada@example.org>",
		"<ada@example.org>",
		`"ada b"@example.org`, "ada@example.org, bob@example.org", "ada@example.org (work)", "a\x00b@example.org",
		"a\nb@example.org",
		"\xff@example.org", strings.Repeat("a", 250) + "@example.org",
	} {
		if _, _, err := checkEmail("email", bad); !errs.Is(err, errs.Invalid) {
			t.Errorf("checkEmail(%q): %v", bad, err)
		}
	}
}

func TestNewTokenCheck(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name    string
		in      NewToken
		refused string
	}{
		{name: "plain", in: NewToken{Name: "laptop"}},
		{name: "expiry to come", in: NewToken{Name: "laptop", ExpiresAt: now.Add(time.Second)}},
		{name: "expiry now", in: NewToken{Name: "laptop", ExpiresAt: now}, refused: "expiresAt"},
		{name: "no name", in: NewToken{}, refused: "name"},
		{name: "long name", in: NewToken{Name: strings.Repeat("n", 101)}, refused: "name"},
		{name: "scopes", in: NewToken{Name: "n", Scopes: []string{"space:content:read", "read"}}},
		{name: "bad scope", in: NewToken{Name: "n", Scopes: []string{"space content"}}, refused: "scopes"},
		{name: "empty scope", in: NewToken{Name: "n", Scopes: []string{""}}, refused: "scopes"},
		{name: "many scopes", in: NewToken{Name: "n", Scopes: make([]string, 51)}, refused: "up to 50"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.in.check(now, []string{"space:content:read", "read"})
			if test.refused == "" && err != nil {
				t.Error(err)
			}
			if test.refused != "" && (!errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), test.refused)) {
				t.Errorf("got %v, want a refusal of %s", err, test.refused)
			}
		})
	}
}

func TestScopesAreSortedOnce(t *testing.T) {
	in, err := NewToken{Name: "n", Scopes: []string{"b", "a", "b"}}.check(time.Now(), []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b"}, in.Scopes); diff != "" {
		t.Error(diff)
	}
}

func TestTokenAllows(t *testing.T) {
	all, some := Token{}, Token{Scopes: []string{"space:content:read"}}
	if !all.Allows("org:admin") || !some.Allows("space:content:read") || !some.Allows("") ||
		some.Allows("space:content:write") {
		t.Error("a token allows other scopes than it has")
	}
}

func FuzzCheckEmail(f *testing.F) {
	f.Add("ada@example.org")
	f.Add("Ada <a@b>")
	f.Fuzz(func(t *testing.T, in string) {
		address, key, err := checkEmail("email", in)
		if err != nil {
			return
		}
		if again, sameKey, err := checkEmail("email", address); err != nil || again != address || sameKey != key {
			t.Errorf("%q gives %q, which gives %q, %v", in, address, again, err)
		}
		if strings.ContainsAny(address, "\r\n\x00") {
			t.Errorf("control characters in %q", address)
		}
	})
}
