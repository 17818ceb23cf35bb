package client

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTitleOf(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"my-product/docs", "my-product/user_guide", "x", "\xff-", "émile"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "owls at night.tar.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		filepath.Join(dir, "my-product/docs"):         "My product",
		filepath.Join(dir, "my-product/docs/"):        "My product",
		filepath.Join(dir, "my-product/docs/../docs"): "My product",
		filepath.Join(dir, "my-product/user_guide"):   "User guide",
		filepath.Join(dir, "x"):                       "Docs",
		filepath.Join(dir, "\xff-"):                   "Docs",
		filepath.Join(dir, "émile"):                   "Émile",
		filepath.Join(dir, "owls at night.tar.md"):    "Owls at night.tar",
		"https://www.Docs.Example.org:8443/guide/":    "docs.example.org",
		"HTTP://192.0.2.1/":                           "192.0.2.1",
	} {
		if got, err := TitleOf(source); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", source, got, err, want)
		}
	}
	for _, source := range []string{filepath.Join(dir, "nowhere"), "https://", "http://[::1"} {
		if got, err := TitleOf(source); err == nil {
			t.Errorf("%q has the title %q, want an error", source, got)
		}
	}
}
