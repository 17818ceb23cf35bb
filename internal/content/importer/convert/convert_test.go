package convert

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
)

// install puts a program of ours on the path, so that the test needs none of the machine.
func install(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

func TestHTML(t *testing.T) {
	install(t, "pandoc", `echo "<p>$*</p>"; cat; env | grep -c SECRET`)
	t.Setenv("SECRET", "x")
	got, err := HTML(t.Context(), "a.rst", []byte("Title\n=====\n"))
	if err == nil || !strings.Contains(err.Error(), "pandoc cannot read a.rst") {
		t.Errorf("a program that fails: %q, %v", got, err) // grep finds no SECRET, and fails
	}
	install(t, "pandoc", `echo "<p>$*</p>"; cat`)
	got, err = HTML(t.Context(), "a.rst", []byte("Title\n"))
	if err != nil || !strings.Contains(string(got), "--sandbox") || !strings.HasSuffix(string(got), "Title\n") {
		t.Errorf("%q, %v", got, err)
	}
	const code = `<pre class="python x" data-y="1"><code>a</code></pre><pre id="b" class="c++"><code>` + "\n"
	for _, test := range []struct{ program, file, want string }{
		{"pandoc", "a.rst", `<pre data-lang="python" class="python x" data-y="1"><code>a</code></pre>` +
			`<pre id="b" data-lang="c++" class="c++"><code>` + "\n"},
		{"asciidoctor", "a.adoc", code},
	} {
		install(t, test.program, "cat")
		if got, err := HTML(t.Context(), test.file, []byte(code)); err != nil || string(got) != test.want {
			t.Errorf("the languages of code of %s: %s, %v", test.program, got, err)
		}
	}
	install(t, "asciidoctor", `yes`)
	if _, err := HTML(t.Context(), "a.adoc", nil); !errs.Is(err, errs.TooLarge) {
		t.Errorf("a program that writes for ever: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := HTML(t.Context(), "a.rst", nil); !errs.Is(err, errs.Unsupported) {
		t.Errorf("no program: %v", err)
	}
	if _, err := HTML(t.Context(), "a.md", nil); !errs.Is(err, errs.Unsupported) {
		t.Errorf("Markdown: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	install(t, "pandoc", `sleep 30`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := HTML(ctx, "a.rst", nil); err == nil {
		t.Error("a conversion goes on after its import was cancelled")
	}
}
