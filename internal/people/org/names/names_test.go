package names

import (
	"strings"
	"testing"
)

func TestHostnameFrom(t *testing.T) {
	tests := []struct{ title, want string }{
		{"Acme", "acme"},
		{"Acme Corp.", "acme-corp"},
		{"  The  Écoles & Ångström's ", "the-ecoles-angstroms"},
		{"Ｆｕｌｌ width", "full-width"},
		{"日本語", "organization"},
		{"", "organization"},
		{"!!", "organization"},
		{"X", "x-docs"},
		{"ab", "ab-docs"},
		{"API", "api-docs"},
		{"Administrator", "administrator-docs"},
		{strings.Repeat("long word ", 20), "long-word-long-word-long-word-lo"},
		{"abcdefghijklmnopqrstuvwxyz01234 -x", "abcdefghijklmnopqrstuvwxyz01234"},
		{"a\x00b\xffc", "a-b-c"},
	}
	for _, test := range tests {
		if got := HostnameFrom(test.title); got != test.want {
			t.Errorf("HostnameFrom(%q) = %q, want %q", test.title, got, test.want)
		}
	}
}

func TestReservedWordsCouldBeAskedFor(t *testing.T) {
	for word := range reserved {
		if !IsHostname(word) {
			t.Errorf("%q is refused anyway", word)
		}
	}
}
