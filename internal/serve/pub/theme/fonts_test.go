package theme

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// TestHostileFonts holds that no font ends a text of a style sheet.
func TestHostileFonts(t *testing.T) {
	// Fonts that cannot come through the checks of package customization could come from a database that others have
	// written.
	hostile := &customization.Font{Family: `x"};body{display:none`,
		Faces: []customization.FontFace{
			{Weight: 400, Sources: []customization.FontSource{{URL: "https://a.example/f"}}}}}
	if rules := (&Fonts{}).define(hostile); rules != "" {
		t.Error(rules)
	}
	hostile.Family, hostile.Faces[0].Sources[0].URL = "x", `https://a.example/f") ;} body{`
	if rules := (&Fonts{}).define(hostile); rules != "" {
		t.Error(rules)
	}
}

func TestEveryFontOfTheListIsThere(t *testing.T) {
	set, err := loadAssets()
	if err != nil {
		t.Fatal(err)
	}
	for name, face := range typefaces {
		if face.file == "" {
			continue
		}
		if sheet := set.byName["font-"+face.file+".css"]; sheet == nil || strings.Count(string(sheet.body()),
			"@font-face") < 2 {
			t.Errorf("%s has no style sheet, or none of its files", name)
		}
		if firstFile(set, face.file) == "" {
			t.Errorf("%s has no file for the letters of most pages", name)
		}
	}
}
