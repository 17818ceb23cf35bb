package entity_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/engine/entity"
)

func TestSlugify(t *testing.T) {
	for title, want := range map[string]string{
		"Getting started":               "getting-started",
		"Math & TeX":                    "math-and-tex",
		"Q&A":                           "q-and-a",
		"&":                             "and",
		"What’s new in 'Recto'?":        "whats-new-in-recto",
		"2025 product updates":          "2025-product-updates",
		"  --Trim me!--  ":              "trim-me",
		"v1.0.2_beta":                   "v1-0-2-beta",
		"Über Größe, naïve Æsop & Łódź": "uber-grosse-naive-aesop-and-lodz",
		"İstanbul ısı":                  "istanbul-isi",
		"漢字 テスト":                        "漢字-テスト",
		"か\u3099":                       "が",
		"Привет, мир":                   "привет-мир",
		"йод":                           "йод",
		"हिन्दी":                        "हिन्दी",
		"한국어 문서":                        "한국어-문서",
		"Ｆｕｌｌ　ｗｉｄｔｈ":                    "full-width",
		"zero\u200bwidth\ufeff":         "zerowidth",
		"C++ and C#":                    "c-and-c",
		"🚀":                             "page",
		"":                              "page",
		"!!!":                           "page",
		"1️⃣ First":                     "1-first",
		"\u0301combining first":         "combining-first",
		"bad \xff bytes":                "bad-bytes",
		strings.Repeat("word ", 40):     strings.TrimSuffix(strings.Repeat("word-", 20), "-"),
		strings.Repeat("x", 200):        strings.Repeat("x", 100),
		strings.Repeat("한", 200):        strings.Repeat("한", 67),
	} {
		if got := entity.Slugify(title); got != want {
			t.Errorf("Slugify(%q) is %q, want %q", title, got, want)
		}
	}
}

func TestUniqueSlug(t *testing.T) {
	taken := map[string]bool{}
	asked := 0
	ask := func(slug string) bool {
		asked++
		return taken[slug]
	}
	for i := range 1000 {
		slug := entity.UniqueSlug("Same", ask)
		if taken[slug] {
			t.Fatalf("UniqueSlug gives %q twice", slug)
		}
		if want := "same-" + strconv.Itoa(i); i > 0 && slug != want {
			t.Fatalf("slug %d is %q, want %q", i, slug, want)
		}
		taken[slug] = true
	}
	if asked > 1000*25 {
		t.Errorf("1000 slugs took %d questions", asked)
	}
	long := strings.Repeat("x", 100)
	if got := entity.UniqueSlug(long, func(s string) bool { return s == long }); got != strings.Repeat("x", 98)+"-1" {
		t.Errorf("a numbered long slug is %q", got)
	}
}

func TestValidSlug(t *testing.T) {
	for _, good := range []string{"a", "README", "ch01-00-getting-started", "v1.0", "c++", "漢字", "हिन्दी",
		"under_score", strings.Repeat("한", 100)} {
		if !entity.ValidSlug(good) {
			t.Errorf("ValidSlug(%q) is false", good)
		}
	}
	for _, bad := range []string{"", ".", "..", "a/b", "a b", "~", "a\x00", "a?b", "a#b", "a%20b", "\xff", "e\u0301",
		"a\u200b", strings.Repeat("x", 101)} {
		if entity.ValidSlug(bad) {
			t.Errorf("ValidSlug(%q) is true", bad)
		}
	}
}

// FuzzSlugify holds that every title has a valid slug, which is its own slug.
func FuzzSlugify(f *testing.F) {
	for _, seed := range []string{"Getting started", "Q&A", "Über", "漢字", "हिन्दी", "İ", "ŉ", "ǅ", "ﬁ", "\u0345α", "ΐ",
		"가\u11a8"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, title string) {
		slug := entity.Slugify(title)
		if !entity.ValidSlug(slug) {
			t.Errorf("Slugify(%q) is %q, which is not valid", title, slug)
		}
		if again := entity.Slugify(slug); again != slug {
			t.Errorf("Slugify(%q) is %q, whose slug is %q", title, slug, again)
		}
		if n := utf8.RuneCountInString(slug); n == 0 || n > entity.MaxSlugLength {
			t.Errorf("Slugify(%q) has %d characters", title, n)
		}
	})
}
