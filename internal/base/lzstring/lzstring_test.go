package lzstring

import (
	"errors"
	"strings"
	"testing"
)

// written holds texts with both forms that lz-string 1.5.0 gives them.
var written = []struct{ text, inAddress, base64 string }{
	{"", "Q", "Q==="},
	{"a", "IZA", "IZA="},
	{strings.Repeat("a", 31), "IY18ZpA", "IY18ZpA="},
	{`{"componentId":"diagram","props":{"content":"graph TD\n A-->B\n A-->B\n A-->C"},"context":{"type":"document",` +
		`"spaceId":"space_x","editable":false,"theme":"light"}}`,
		"N4Igxg9gtgDhB2BTeAXAkgExALhBglgIYDmAToVCADQgykQwDOOokqyKOIZhMAFgAIAKgBEAOvAEBBALQyAfACEJ0uUpWyFAYRABfGmxSIA" +
			"Hp2ygUATxiIuGCGACuUDtRCMYhMIkxcPXxAB9YzdEAhRCACMAG1tsADNCaMZEGhQ+RBcuaPxiPk5dXSA", ""},
	{"Grüße 世界 🌍 \x00ÿ", "OIJwPw+wpgBIaHKBlXGgeDcLD7MAAB-oA", "OIJwPw+wpgBIaHKBlXGgeDcLD7MAAB/oA==="},
}

func TestDecompress(t *testing.T) {
	for _, each := range written {
		forms := []string{each.inAddress, strings.ReplaceAll(each.inAddress, "+", " ")}
		if each.base64 != "" {
			forms = append(forms, each.base64)
		}
		for _, form := range forms {
			if got, err := Decompress(form, 1000); err != nil || got != each.text {
				t.Errorf("Decompress(%q) = %q, %v; want %q", form, got, err, each.text)
			}
		}
	}
}

func TestDecompressStopsAtItsLimit(t *testing.T) {
	if got, err := Decompress("IY18ZpA", 31); err != nil || len(got) != 31 {
		t.Errorf("at the limit: %q, %v", got, err)
	}
	for limit := range 31 {
		if got, err := Decompress("IY18ZpA", limit); !errors.Is(err, ErrTooLong) {
			t.Errorf("a limit of %d: %q, %v", limit, got, err)
		}
	}
}

func TestDecompressRefusesWhatIsBroken(t *testing.T) {
	for _, text := range []string{"", "I", "IY18", "!!!!", "w", "////////", "IY18Zp%", "\x00\x00", "ÿÿÿÿ"} {
		if got, err := Decompress(text, 1000); !errors.Is(err, ErrBroken) {
			t.Errorf("Decompress(%q) = %q, %v", text, got, err)
		}
	}
}

func FuzzDecompress(f *testing.F) {
	for _, each := range written {
		f.Add(each.inAddress)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const limit = 1 << 12
		got, err := Decompress(text, limit)
		if err == nil && len([]rune(got)) > limit {
			t.Errorf("%d characters", len([]rune(got)))
		}
	})
}
