package contentkit

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/markdown"
)

var update = flag.Bool("update", false, "write the golden files")

// example are options as a site has them.
var example = Options{
	Icon:     func(name string) string { return `<svg data-name="` + name + `"></svg>` },
	IDPrefix: "b1-", Shared: func(host string) bool { return strings.HasPrefix(host, "shared.") },
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no answers to read: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out, err := Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			printed, err := HTML(t.Context(), out, example)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".html", strings.ReplaceAll(printed, "><", ">\n<")+"\n")
			golden(t, name+".md", string(markdown.Write(Document(out))))
			safe(t, printed)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./internal/engine/contentkit -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// unsafe is markup that an output must never have, whatever the answer is.
var unsafe = regexp.MustCompile(`(?i)<(script|style|object|embed|link|base|form|meta)\b|` +
	`<[^<>"]*("[^"]*"[^<>"]*)*\s(on\w+|style)=|(href|src)="\s*(javascript:|vbscript:|data:text)`)

func safe(t *testing.T, printed string) {
	t.Helper()
	if found := unsafe.FindString(printed); found != "" {
		t.Errorf("unsafe markup %q in %s", found, printed)
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		out, err := Parse(raw)
		if err != nil {
			return
		}
		printed, err := HTML(t.Context(), out, example)
		if err != nil {
			return // the code or Markdown inside is over the limits of rendering
		}
		safe(t, printed)
		document := Document(out)
		if _, err := markdown.Parse(markdown.Write(document)); err != nil && len(raw) < 1000 {
			t.Errorf("the document of an output cannot be read again: %v", err)
		}
		out.Frames()
	})
}
