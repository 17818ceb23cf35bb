package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxProseColumns is the limit on the width of a line of prose.
const maxProseColumns = 100

// root is the folder of the module, seen from this package.
const root = "../.."

// TestProseIsNarrow holds that documents fit beside a review.
func TestProseIsNarrow(t *testing.T) {
	for _, path := range documents(t) {
		for _, line := range wideProse(read(t, path)) {
			t.Errorf("%s:%d has more than %d columns", path, line, maxProseColumns)
		}
	}
}

// TestDocumentsNameWhatThereIs holds that the paths below internal which documents for developers name exist.
func TestDocumentsNameWhatThereIs(t *testing.T) {
	named := 0
	for _, path := range documents(t) {
		if strings.HasPrefix(path, "docs/manual/") || path == "CHANGELOG.md" {
			continue
		}
		for _, each := range namedPaths(read(t, path)) {
			named++
			if _, err := os.Stat(filepath.Join(root, each)); err != nil {
				t.Errorf("%s names %s, which is not there", path, each)
			}
		}
	}
	if named < 10 {
		t.Errorf("only %d paths are named: they are not found any more", named)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// documents returns the paths of all Markdown that is written for people.
func documents(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"docs", "e2e", "bench"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if entry != nil && entry.IsDir() && entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			if err == nil && filepath.Ext(path) == ".md" {
				found = append(found, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, path := range found {
		if found[i], err = filepath.Rel(root, path); err != nil {
			t.Fatal(err)
		}
	}
	if len(found) < 20 {
		t.Fatalf("only %d documents were found", len(found))
	}
	return found
}

// unbroken matches lines that a break would change: tables, HTML, tags of the dialect, pictures, definitions of links,
// indented code.
var unbroken = regexp.MustCompile(`^(\s*[|<]|\s*\{%|\s*!\[|\[[^\]]+\]: |    |\t)`)

// wideProse returns the numbers of the lines of prose with too many columns. Code, tables and front matter are none,
// nor is a word that is too long by itself.
func wideProse(text string) []int {
	var wide []int
	fence, inFront := "", strings.HasPrefix(text, "---\n")
	for number, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case inFront:
			inFront = number == 0 || line != "---"
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case unbroken.MatchString(line), utf8.RuneCountInString(line) <= maxProseColumns:
		case strings.Contains(strings.TrimLeft(trimmed, "-*> "), " "):
			wide = append(wide, number+1)
		}
	}
	return wide
}

// below matches the path of a file or folder below internal.
var below = regexp.MustCompile(`\binternal/[a-z0-9_/.-]*[a-z0-9_]`)

// namedPaths returns the paths below internal that a document names.
func namedPaths(text string) []string {
	return slices.Compact(slices.Sorted(slices.Values(below.FindAllString(text, -1))))
}

// TestWideProseIsFound shows that the checks can fail.
func TestWideProseIsFound(t *testing.T) {
	long := strings.Repeat("long ", 30)
	for name, test := range map[string]struct {
		text string
		want []int
	}{
		"paragraph":        {"# A\n\n" + long + "\n", []int{3}},
		"item":             {"- " + long + "\n", []int{1}},
		"continued item":   {"- a\n  " + long + "\n", []int{2}},
		"table":            {"| " + long + " |\n", nil},
		"code":             {"```\n" + long + "\n```\n" + long + "\n", []int{4}},
		"indented code":    {"    " + long + "\n", nil},
		"front matter":     {"---\ndescription: " + long + "\n---\n\n" + long + "\n", []int{5}},
		"long word":        {"- https://example.com/" + strings.Repeat("a", 120) + "\n", nil},
		"other alphabets":  {strings.Repeat("é", 60) + " " + strings.Repeat("é", 35) + "\n", nil},
		"columns, not not": {strings.Repeat("é ", 51) + "\n", []int{1}},
	} {
		if got := wideProse(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
	want := []string{"internal/app", "internal/platform/db/sqlite.go"}
	if got := namedPaths("`internal/platform/db/sqlite.go`, internal/app, and internal/app."); !slices.Equal(got,
		want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
