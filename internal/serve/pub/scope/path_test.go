package scope

import (
	"strings"
	"testing"
)

func TestReadPath(t *testing.T) {
	tests := []struct {
		escaped, path string
		tidy, ok      bool
	}{
		{"", "", true, true},
		{"a/b", "a/b", true, true},
		{"a%20b", "a b", true, true},
		{"%E4%BD%A0", "你", true, true},
		{"a/", "a", false, true},
		{"/a", "a", false, true},
		{"a//b", "a/b", false, true},
		{"/", "", false, true},
		{"a/../b", "", false, false},
		{"a/%2E%2e/b", "", false, false},
		{"./a", "", false, false},
		{"a%2Fb", "", false, false},
		{"a%5Cb", "", false, false},
		{"a%00", "", false, false},
		{"%ff", "", false, false},
		{"%", "", false, false},
		{"%zz", "", false, false},
	}
	for _, tt := range tests {
		got, tidy, ok := ReadPath(tt.escaped)
		if got != tt.path || tidy != tt.tidy || ok != tt.ok {
			t.Errorf("readPath(%q) = %q, %v, %v; want %q, %v, %v", tt.escaped, got, tidy, ok, tt.path, tt.tidy, tt.ok)
		}
	}
}

func FuzzReadPath(f *testing.F) {
	for _, seed := range []string{"", "a/b", "a%20b", "..", "%2e%2e/x", "a//b/", "%ff%00", "~/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, escaped string) {
		decoded, _, ok := ReadPath(escaped)
		if !ok {
			return
		}
		again, tidy, ok := ReadPath(EscapePath(decoded))
		if !ok || !tidy || again != decoded {
			t.Errorf("readPath(%q) = %q, which read again is %q, %v, %v", escaped, decoded, again, tidy, ok)
		}
		for segment := range strings.SplitSeq(decoded, "/") {
			if segment == ".." || segment == "." {
				t.Errorf("readPath(%q) = %q", escaped, decoded)
			}
		}
	})
}
