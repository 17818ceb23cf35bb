package archtest

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxAppLines is the limit on the length of a file of the app in TypeScript, in lines.
const maxAppLines = 400

// browserFolders hold what is written for browsers, scripts of integrations, and tests of them.
var browserFolders = []string{"ui", "e2e", "examples", "bench", "internal"}

// notWritten are names of folders and files that hold what others have written or a program has made.
var notWritten = []string{"node_modules", "dist", "testdata", "katex", "schema.d.ts"}

// TestBrowserLinesAreNarrow holds for TypeScript, JavaScript and CSS what TestLinesAreNarrow does for Go. Literals may
// be longer.
func TestBrowserLinesAreNarrow(t *testing.T) {
	files := browserFiles(t)
	if len(files) < 500 {
		t.Errorf("only %d files were found", len(files))
	}
	for _, path := range files {
		for _, line := range wideBrowserLines(read(t, path)) {
			t.Errorf("%s:%d has more than %d columns", path, line, maxColumns)
		}
	}
}

// TestFilesOfTheAppAreShort holds the app's own limit.
func TestFilesOfTheAppAreShort(t *testing.T) {
	for _, path := range browserFiles(t) {
		lines := strings.Count(read(t, path), "\n")
		if ofApp(path) && lines > maxAppLines {
			t.Errorf("%s has %d lines, more than %d", path, lines, maxAppLines)
		}
	}
}

// ofApp tells whether a file is one of the app or of its tests in TypeScript.
func ofApp(path string) bool {
	return (strings.HasPrefix(path, "ui/src/") || strings.HasPrefix(path, "ui/test/")) && filepath.Ext(path) != ".css"
}

// browserFiles returns the paths of TypeScript, JavaScript and CSS that is written for this project.
func browserFiles(t *testing.T) (paths []string) {
	t.Helper()
	for _, folder := range browserFolders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case slices.Contains(notWritten, entry.Name()):
				if entry.IsDir() {
					return fs.SkipDir
				}
			case slices.Contains([]string{".ts", ".tsx", ".js", ".mjs", ".css"}, filepath.Ext(path)):
				relative, err := filepath.Rel(root, path)
				paths = append(paths, filepath.ToSlash(relative))
				return err
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// wideBrowserLines returns the numbers of the lines with too many columns, but those on which a literal lies across the
// limit.
func wideBrowserLines(source string) []int {
	var wide []int
	literals := browserLiterals(source)
	offset := 0
	for number, line := range strings.Split(source, "\n") {
		if at := columnOffset(line, maxColumns); at >= 0 && !within(literals, offset+at) {
			wide = append(wide, number+1)
		}
		offset += len(line) + 1
	}
	return wide
}

// browserLiterals returns where the strings, templates and regular expressions of a source are, as far as that can be
// told without a grammar.
func browserLiterals(source string) []span {
	var spans []span
	last := byte('\n') // the last character that is no space
	for at := 0; at < len(source); {
		switch c := source[at]; {
		case strings.HasPrefix(source[at:], "//"):
			at += lineLength(source[at:])
		case strings.HasPrefix(source[at:], "/*"):
			length := strings.Index(source[at:], "*/")
			if length < 0 {
				return spans
			}
			at += length + 2
		case c == '"', c == '\'', c == '`', c == '/' && strings.IndexByte("\n(,=:[!&|?;>", last) >= 0:
			length := literalLength(source[at:])
			spans = append(spans, span{at, at + length})
			at, last = at+length, '"'
		default:
			if c != ' ' && c != '\t' {
				last = c
			}
			at++
		}
	}
	return spans
}

func lineLength(source string) int {
	if end := strings.IndexByte(source, '\n'); end >= 0 {
		return end
	}
	return len(source)
}

// literalLength returns the length of the literal that a source begins with. All but templates end with their line.
func literalLength(source string) int {
	quote, class := source[0], false
	for at := 1; at < len(source); at++ {
		switch c := source[at]; {
		case c == '\\':
			at++
		case c == '\n' && quote != '`':
			return at
		case quote == '/' && (c == '[' || c == ']'):
			class = c == '['
		case c == quote && !class:
			return at + 1
		case quote == '`' && strings.HasPrefix(source[at:], "${"):
			at += holeLength(source[at:]) - 1
		}
	}
	return len(source)
}

// holeLength returns the length of a template's "${…}", with the literals in it.
func holeLength(source string) int {
	depth := 0
	for at := 1; at < len(source); at++ {
		switch source[at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return at + 1
			}
		case '"', '\'', '`':
			at += literalLength(source[at:]) - 1
		}
	}
	return len(source)
}

// TestWideBrowserLinesFindsThem shows that the check can fail.
func TestWideBrowserLinesFindsThem(t *testing.T) {
	long := strings.Repeat("long ", 30)
	if utf8.RuneCountInString(long) <= maxColumns {
		t.Fatal("it is not long")
	}
	for _, test := range []struct {
		name, source string
		want         []int
	}{
		{"short", "const a = 1;\n", nil},
		{"comment", "// " + long + "\n", []int{1}},
		{"comment of a style", ".a { color: red; }\n/* " + long + " */\n", []int{2}},
		{"string", "const a = \"" + long + "\";\n", nil},
		{"behind a string", "const a = \"a\" + " + long + ";\n", []int{1}},
		{"template", "const a = `a\n" + long + "`;\n", nil},
		{"behind a template", "const a = `a ${b(\"}\", `c`)}` + " + long + ";\n", []int{1}},
		{"regular expression", "const a = /[/]" + long + "/;\n", nil},
		{"division", "const a = b / " + long + "/ 2;\n", []int{1}},
		{"apostrophe", "<p>It's</p>\n<p>" + long + "</p>\n", []int{2}},
	} {
		if got := wideBrowserLines(test.source); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
