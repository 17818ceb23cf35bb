package archtest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the figures into docs/ARCHITECTURE.md")

// figure is something that a law limits.
type figure struct {
	what, limit, measured string
}

const (
	figuresBegin = "<!-- figures -->\n"
	figuresEnd   = "<!-- /figures -->\n"
)

// TestFigures holds that docs/ARCHITECTURE.md shows every figure that a law limits. With -update it measures them anew.
func TestFigures(t *testing.T) {
	path := filepath.Join(root, "docs/ARCHITECTURE.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), figuresBegin)
	shown, after, ends := strings.Cut(rest, figuresEnd)
	if !begins || !ends {
		t.Fatalf("%s has no place for the figures", path)
	}
	measured := figures(t)
	if *update {
		shown = table(measured)
		if err := os.WriteFile(path, []byte(before+figuresBegin+shown+figuresEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, each := range measured {
		row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(each.what) + ` \| ` + regexp.QuoteMeta(each.limit) +
			` \| \S.* \|$`)
		if !row.MatchString(shown) {
			t.Errorf("%s does not say %q: run make laws", path, each.what)
		}
	}
}

func table(measured []figure) string {
	var b strings.Builder
	b.WriteString("| law | limit | measured |\n|---|---|---|\n")
	for _, each := range measured {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", each.what, each.limit, each.measured)
	}
	return b.String()
}

// figures measures what the laws limit.
func figures(t *testing.T) []figure {
	t.Helper()
	type sized struct {
		name string
		size int
	}
	var longest, largest, longestTest sized
	var circles []string
	keep := func(best *sized, name string, size int) {
		if size > best.size {
			*best = sized{name, size}
		}
	}
	packages := 0
	for _, each := range loadTypes(t) {
		packages++
		lines := 0
		for _, file := range each.Syntax {
			count := each.Fset.File(file.FileStart).LineCount()
			lines += count
			keep(&longest, filepath.Base(each.Fset.File(file.FileStart).Name()), count)
		}
		keep(&largest, shortName(each.PkgPath), lines)
		if len(each.Syntax) > manyFiles {
			circle := largestCircle(each.Fset, checkedOf(each))
			circles = append(circles, fmt.Sprintf("%s %d of %d", strings.TrimPrefix(shortName(each.PkgPath),
				"internal/"),
				len(circle), len(each.Syntax)))
		}
	}
	wide, wideText := 0, 0
	for _, each := range listPackages(t) {
		for _, file := range slices.Concat(each.GoFiles, each.CgoFiles, each.TestGoFiles, each.XTestGoFiles) {
			source, err := os.ReadFile(filepath.Join(each.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			wide += len(wideLines(source))
			if strings.HasSuffix(file, "_test.go") {
				keep(&longestTest, file, bytes.Count(source, []byte("\n")))
			}
		}
	}
	wideBrowser := 0
	var longestOfApp sized
	for _, path := range browserFiles(t) {
		source := read(t, path)
		wideBrowser += len(wideBrowserLines(source))
		if ofApp(path) {
			keep(&longestOfApp, filepath.Base(path), strings.Count(source, "\n"))
		}
	}
	for _, path := range documents(t) {
		wideText += len(wideProse(read(t, path)))
	}
	slices.Sort(circles)
	return []figure{
		{"lines of a package", fmt.Sprint(maxPackageLines), fmt.Sprintf("%d (%s), of %d packages", largest.size,
			strings.TrimPrefix(largest.name, "internal/"), packages)},
		{fmt.Sprintf("files in one circle, of packages with more than %d", manyFiles), "half",
			strings.Join(circles, ", ")},
		{"lines of a file", fmt.Sprint(maxLines), fmt.Sprintf("%d (%s)", longest.size, longest.name)},
		{"lines of a test file", fmt.Sprint(maxTestLines), fmt.Sprintf("%d (%s)", longestTest.size, longestTest.name)},
		{"lines of a file of the app", fmt.Sprint(maxAppLines), fmt.Sprintf("%d (%s)", longestOfApp.size,
			longestOfApp.name)},
		{fmt.Sprintf("lines of Go over %d columns", maxColumns), "0", fmt.Sprint(wide)},
		{fmt.Sprintf("lines of TypeScript, JavaScript and CSS over %d columns", maxColumns), "0",
			fmt.Sprint(wideBrowser)},
		{fmt.Sprintf("lines of prose over %d columns", maxProseColumns), "0", fmt.Sprint(wideText)},
		{"names and function fields without a caller", "0",
			fmt.Sprintf("0, and %d that tests call, each with its reason",
				len(withoutCaller))},
	}
}
