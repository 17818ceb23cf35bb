package theme

import (
	"strings"
	"testing"
)

func TestIcons(t *testing.T) {
	icons, err := loadIcons()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "circle-info", "circle-check", "triangle-exclamation", "circle-exclamation",
		"file", "file-arrow-down", "play", "arrow-right", "arrow-up-right", "chevron-right", "sparkles", "plug", "code",
		"user", "tag", "page", "check", "github", "books", "fa-rocket", "fa-solid fa-gear"} {
		if svg := icons.SVG(name); !strings.HasPrefix(svg, "<svg ") || !strings.HasSuffix(svg, "</svg>") {
			t.Errorf("the icon %q is %q", name, svg)
		}
	}
	for _, name := range []string{"", "no-such-icon", "../x", "brand:github\n", "fa-"} {
		if svg := icons.SVG(name); svg != "" {
			t.Errorf("the icon %q is %q", name, svg)
		}
	}
	for name, drawing := range icons.drawings {
		if strings.Contains(drawing, "<script") || strings.Contains(drawing, " on") || strings.Contains(drawing,
			"href") {
			t.Errorf("the icon %q does more than draw: %s", name, drawing)
		}
	}
}
