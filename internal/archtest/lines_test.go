package archtest

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Limits on the width of a line of Go, in columns.
const (
	maxColumns = 120
	tabColumns = 4
)

// TestLinesAreNarrow holds that code fits beside a review. Raw strings and the tags of fields may be longer, since a
// break in them would be part of them.
func TestLinesAreNarrow(t *testing.T) {
	for _, each := range listPackages(t) {
		for _, file := range slices.Concat(each.GoFiles, each.CgoFiles, each.TestGoFiles, each.XTestGoFiles) {
			source, err := os.ReadFile(filepath.Join(each.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range wideLines(source) {
				t.Errorf("%s/%s:%d has more than %d columns", each.ImportPath, file, line, maxColumns)
			}
		}
	}
}

// wideLines returns the numbers of the lines with too many columns, but those on which a raw string lies across the
// limit or is the key of a value, and a word that fills a comment's line alone.
func wideLines(source []byte) []int {
	var wide []int
	raw := rawStrings(source)
	offset := 0
	for number, line := range strings.Split(string(source), "\n") {
		text := strings.TrimSpace(line)
		word, comment := strings.CutPrefix(text, "// ")
		alone := comment && !strings.Contains(word, " ") || strings.HasPrefix(text, "`")
		if at := columnOffset(line, maxColumns); at >= 0 && !alone && !within(raw, offset+at) {
			wide = append(wide, number+1)
		}
		offset += len(line) + 1
	}
	return wide
}

// columnOffset returns the offset of the first byte of a line behind so many columns, -1 when the line is no wider.
func columnOffset(line string, columns int) int {
	column := 0
	for at, r := range line {
		if column >= columns {
			return at
		}
		if r == '\t' {
			column += tabColumns - column%tabColumns
		} else {
			column++
		}
	}
	return -1
}

// span is a range of bytes.
type span struct{ from, to int }

func within(spans []span, offset int) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.from <= offset && offset <= s.to })
}

// rawStrings returns where the raw strings of a file are.
func rawStrings(source []byte) []span {
	var spans []span
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	for {
		position, kind, literal := s.Scan()
		if kind == token.EOF {
			return spans
		}
		if kind == token.STRING && literal[0] == '`' {
			from := file.Offset(position)
			spans = append(spans, span{from, from + len(literal)})
		}
	}
}

// TestWideLinesFindsThem shows that the check can fail.
func TestWideLinesFindsThem(t *testing.T) {
	long := strings.Repeat("long ", 30)
	tests := []struct {
		name, source string
		want         []int
	}{
		{"narrow", "package x\n\nvar a = 1\n", nil},
		{"comment", "package x\n\n// " + long + "\nvar a = 1\n", []int{3}},
		{"address", "package x\n\n// https://example.com/" + strings.Repeat("a", 130) + "\n", nil},
		{"string", "package x\n\nvar a = \"" + long + "\"\n", []int{3}},
		{"raw string", "package x\n\nvar a = `" + long + "`\n", nil},
		{"behind a raw string", "package x\n\nvar a = `a` + \"" + long + "\"\n", []int{3}},
		{"key", "package x\n\nvar a = map[string]string{\n\t`a`: \"" + long + "\",\n}\n", nil},
		{"tabs count four", "package x\n\n" + strings.Repeat("\t", 29) + "var a = 1\n", []int{3}},
	}
	for _, test := range tests {
		if got := wideLines([]byte(test.source)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
