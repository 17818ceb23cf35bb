package front

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/content/importer/generator"
)

// TestFrontMatterOfHugo holds what becomes of front matter in TOML and JSON.
func TestFrontMatterOfHugo(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"TOML", "+++\ntitle = 'A'\nweight = 2\ndate = 2024-05-01\n+++\nb\n",
			"---\ndate: 2024-05-01\ntitle: A\nweight: 2\n---\nb\n"},
		{"TOML with carriage returns", "+++\r\ntitle = \"A\"\r\n+++\r\nb\n", "---\ntitle: A\n---\nb\n"},
		{"JSON", "{\n  \"title\": \"A\",\n  \"weight\": 3\n}\n\nb\n", "---\ntitle: A\nweight: 3\n---\n\nb\n"},
		{"nothing", "+++\n+++\nb\n", "---\n---\nb\n"},
		{"no end", "+++\ntitle = 'A'\nb\n", "+++\ntitle = 'A'\nb\n"},
		{"no TOML", "+++\ntitle: A\n+++\nb\n", "+++\ntitle: A\n+++\nb\n"},
		{"no JSON", "{{< note >}}\n", "{{< note >}}\n"},
		{"JSON in a line", "{\"a\": 1} is JSON\n", "{\"a\": 1} is JSON\n"},
		{"too deep", "+++\na = " + strings.Repeat("[", 100_000) + "\n+++\n", "+++\na = " + strings.Repeat("[",
			100_000) + "\n+++\n"},
	} {
		got, moved := AsYAML(test.in, generator.Hugo)
		if diff := cmp.Diff(strings.NewReplacer("\"2024-05-01\"", "2024-05-01", "2024-05-01T00:00:00Z", "2024-05-01").
			Replace(got), test.want); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		if strings.Count(test.in, "\n")-strings.Count(got, "\n") != moved {
			t.Errorf("%s: moved by %d", test.name, moved)
		}
	}
	if got, _ := AsYAML("{\"a\": 1}\n", generator.VitePress); got != "{\"a\": 1}\n" {
		t.Errorf("only Hugo has JSON: %q", got)
	}
}
