package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

func TestMarked(t *testing.T) {
	tests := []struct {
		text  string
		marks [][2]int
		want  []string
	}{
		{"abc", nil, []string{"abc"}},
		{"abcdef", [][2]int{{1, 2}, {4, 6}}, []string{"a", "b", "cd", "ef", ""}},
		{"abc", [][2]int{{2, 9}, {-1, 1}, {2, 1}}, []string{"abc"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, marked(tt.text, tt.marks)); diff != "" {
			t.Errorf("marked(%q, %v) (-want +got):\n%s", tt.text, tt.marks, diff)
		}
	}
	if diff := cmp.Diff([]string{"", "Own", "ership and ", "own", "ers"}, highlight("Ownership and owners",
		"own")); diff != "" {
		t.Errorf("highlight (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"The type ", "Vec", "<", "T", "> and others"}, highlight("The type Vec<T> and others",
		"Vec<T>")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"İstanbul"}, highlight("İstanbul", "i")); diff != "" {
		t.Errorf("highlight (-want +got):\n%s", diff)
	}
}

func TestTitles(t *testing.T) {
	for written, want := range map[string]string{
		"Plain": "Plain", "The `match` form": "The <code>match</code> form", "Odd ` quote": "Odd ` quote",
		"a < b & `c<d>`": "a &lt; b &amp; <code>c&lt;d&gt;</code>",
	} {
		if got := string(inlineTitle(written)); got != want {
			t.Errorf("inlineTitle(%q) = %q, want %q", written, got, want)
		}
	}
	if got := edition.EmojiText("1f468-200d-1f469"); got != "👨\u200d👩" {
		t.Errorf("emojiText joins to %q", got)
	}
	if got := edition.EmojiText("🚀"); got != "🚀" {
		t.Errorf("emojiText of characters is %q", got)
	}
}
