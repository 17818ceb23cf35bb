package space

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestEmoji(t *testing.T) {
	tests := []struct{ in, want string }{
		{"😀", "😀"},
		{"1f600", "😀"},
		{"1F600", "😀"},
		{"U+1F600", "😀"},
		{" 📘 ", "📘"},
		{"1f468-200d-1f4bb", "👨‍💻"},
		{"1f468 200d 1f4bb", "👨‍💻"},
		{"U+1F44D-U+1F3FD", "👍🏽"},
		{"👍🏽", "👍🏽"},
		{"❤️", "❤️"},
		{"2764-fe0f", "❤️"},
		{"2764", "❤"},
		{"🇨🇭", "🇨🇭"},
		{"1f1e8-1f1ed", "🇨🇭"},
		{"1️⃣", "1️⃣"},
		{"31-fe0f-20e3", "1️⃣"},
		{"#⃣", "#⃣"},
		{"🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
			"🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"},
		{"👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"},
		{"🏳️‍🌈", "🏳️‍🌈"},
		{"©️", "©️"},
		{"™", "™"},
		{"ℹ️", "ℹ️"},
		{"⤴️", "⤴️"},
		{"〰️", "〰️"},
		{"▪️", "▪️"},
		{"🫠", "🫠"},
	}
	for _, test := range tests {
		got, err := parseEmoji("emoji", test.in)
		if err != nil || got != test.want {
			t.Errorf("parseEmoji(%q) = %q, %v, want %q", test.in, got, err, test.want)
		}
	}
	for _, bad := range []string{
		"", " ", "a", "A1", "book", "1234", "110000", "d800", "ffffffffff", "-", "😀😀", "😀 😀", "é", "中", "1", "#",
		"\u200d", "😀\u200d",
		"\u200d😀", "🇨", "🇨🇭🇨", "\ufe0f", "🏴\U000E0067", "<b>", "\x00", "\xff", "1f600-200d",
		strings.Repeat("😀\u200d", 30) + "😀",
	} {
		if got, err := parseEmoji("emoji", bad); !errs.Is(err, errs.Invalid) {
			t.Errorf("parseEmoji(%q) = %q, %v", bad, got, err)
		}
	}
}

func FuzzEmoji(f *testing.F) {
	for _, s := range []string{"😀", "1f468-200d-1f4bb", "🇨🇭", "1️⃣", "U+1F600", "a\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := parseEmoji("emoji", in)
		if err != nil {
			return
		}
		if again, err := parseEmoji("emoji", got); err != nil || again != got {
			t.Errorf("%q gives %q, which gives %q, %v", in, got, again, err)
		}
		if strings.ContainsAny(got, "<>&\"' \n\x00") || len(got) > 4*maxEmoji {
			t.Errorf("%q gives %q", in, got)
		}
	})
}
