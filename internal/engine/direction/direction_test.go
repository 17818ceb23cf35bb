package direction_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/engine/direction"
)

func TestDirectionOfLanguages(t *testing.T) {
	for tag, want := range map[string]string{
		"ar": "rtl", "ar-EG": "rtl", "he": "rtl", "fa": "rtl", "ur": "rtl", "ps": "rtl", "dv": "rtl", "yi": "rtl",
		"ckb": "rtl", "ku-Arab": "rtl", "ku": "ltr", "pa": "ltr",
		"en": "ltr", "de-CH": "ltr", "ja": "ltr", "zh-Hant": "ltr", "": "ltr", "x": "ltr",
	} {
		if got := direction.OfLanguage(tag); got != want {
			t.Errorf("%q runs %s, want %s", tag, got, want)
		}
	}
}

func TestDirectionOfText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "123 …": "", "Hello": "ltr", "مرحبا بكم": "rtl", "שלום": "rtl", "API مرجع الواجهة البرمجية": "rtl",
		"The word مرحبا in a sentence": "ltr", "你好": "ltr",
	} {
		if got := direction.OfText(text); got != want {
			t.Errorf("%q runs %q, want %q", text, got, want)
		}
	}
}
