package pub

import (
	"testing"

	"github.com/rectodocs/recto/internal/engine/entity"
)

func TestDirectionOfLanguages(t *testing.T) {
	for tag, want := range map[string]string{
		"ar": "rtl", "ar-EG": "rtl", "he": "rtl", "fa": "rtl", "ur": "rtl", "ps": "rtl", "dv": "rtl", "yi": "rtl",
		"ckb": "rtl", "ku-Arab": "rtl", "ku": "ltr", "pa": "ltr",
		"en": "ltr", "de-CH": "ltr", "ja": "ltr", "zh-Hant": "ltr", "": "ltr", "x": "ltr",
	} {
		if got := directionOf(tag); got != want {
			t.Errorf("%q runs %s, want %s", tag, got, want)
		}
	}
}

func TestDirectionOfText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "123 …": "", "Hello": "ltr", "مرحبا بكم": "rtl", "שלום": "rtl", "API مرجع الواجهة البرمجية": "rtl",
		"The word مرحبا in a sentence": "ltr", "你好": "ltr",
	} {
		if got := textDirection(text); got != want {
			t.Errorf("%q runs %q, want %q", text, got, want)
		}
	}
}

// An article runs as its text does, the page around it as the site's language.
func TestDirectionOfPages(t *testing.T) {
	f := handbook(t)
	f.put(document("arabic", "بالعربية",
		"هذا نص تجريبي مكتوب باللغة العربية.\n\n## قائمة\n\n* واحد\n\n## ثان\n\nنص.\n"),
		with(document("plain", "Plain", "Text.\n"), func(*entity.Entry) {}))
	page := parse(t, f.get("arabic"))
	if got := page.Find("html").AttrOr("dir", ""); got != "" {
		t.Errorf("the page around an Arabic article runs %q", got)
	}
	for _, part := range []string{"article", "aside.outline"} {
		if got := page.Find(part).AttrOr("dir", ""); got != "rtl" {
			t.Errorf("the Arabic %s runs %q", part, got)
		}
	}
	if got := parse(t, f.get("plain")).Find("[dir]").Length(); got != 0 {
		t.Errorf("a page in one direction has %d attributes dir", got)
	}
}
