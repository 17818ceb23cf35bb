package client

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md", "a")
	watcher, err := Watch(dir)
	if err != nil {
		t.Fatal(err)
	}
	next := func(what string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := watcher.Next(ctx); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	write("a.md", "longer")
	next("a file that changed")
	write("below/b.md", "b")
	next("a file that is new")
	if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	next("a file that is gone")
	write(".git/index", "x")
	ctx, cancel := context.WithTimeout(t.Context(), 3*watchInterval)
	defer cancel()
	if err := watcher.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("what an import does not take: %v", err)
	}
	for _, source := range []string{"https://example.org/", filepath.Join(dir, "nowhere")} {
		if _, err := Watch(source); err == nil {
			t.Errorf("%s is watched", source)
		}
	}
}
