package merge_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/merge"
)

func TestBody(t *testing.T) {
	for name, test := range map[string]struct {
		base, ours, theirs, want string
		conflicts                []merge.BodyConflict
	}{
		"nothing":            {"a\n", "a\n", "a\n", "a\n", nil},
		"ours only":          {"a\n", "b\n", "a\n", "b\n", nil},
		"theirs only":        {"a\n", "a\n", "b\n", "b\n", nil},
		"both the same":      {"a\n", "b\n", "b\n", "b\n", nil},
		"from nothing":       {"", "", "b", "b", nil},
		"to nothing":         {"a\n\nb\n", "", "a\n\nb\n", "", nil},
		"two paragraphs":     {"a\n\nb\n\nc\n", "A\n\nb\n\nc\n", "a\n\nb\n\nC\n", "A\n\nb\n\nC\n", nil},
		"neighbour blocks":   {"a\n\nb\n", "A\n\nb\n", "a\n\nB\n", "A\n\nB\n", nil},
		"insert and edit":    {"a\n\nb\n\nc\n", "new\n\na\n\nb\n\nc\n", "a\n\nb\n\nC\n", "new\n\na\n\nb\n\nC\n", nil},
		"delete and edit":    {"a\n\nb\n\nc\n", "b\n\nc\n", "a\n\nb\n\nc\n\nd\n", "b\n\nc\n\nd\n", nil},
		"lines of one block": {"1\n2\n3\n4\n5\n", "1!\n2\n3\n4\n5\n", "1\n2\n3\n4\n5!\n", "1!\n2\n3\n4\n5!\n", nil},
		"fence": {
			"```\none\n\ntwo\n```\n", "```\nONE\n\ntwo\n```\n", "```\none\n\nTWO\n```\n", "```\nONE\n\nTWO\n```\n", nil,
		},
		"same insertion twice": {"a\n\nc\n", "a\n\nb\n\nc\n", "a\n\nb\n\nC\n", "a\n\nb\n\nc\n", []merge.BodyConflict{{
			Base: "c\n", Ours: "b\n\nc\n", Theirs: "b\n\nC\n",
			BaseLines: merge.Lines{Start: 2, End: 3}, OursLines: merge.Lines{Start: 2, End: 5},
			TheirsLines: merge.Lines{Start: 2, End: 5}, MergedLines: merge.Lines{Start: 2, End: 5},
		}}},
		"final newline added":       {"a\n\nb", "a\n\nb\n", "A\n\nb", "A\n\nb\n", nil},
		"final newline removed":     {"a\n\nb\n", "a\n\nb", "A\n\nb\n", "A\n\nb", nil},
		"final newline and text":    {"a\n\nb", "a\n\nb\n\nc\n", "A\n\nb", "A\n\nb\n\nc\n", nil},
		"blank line at the end":     {"a\n", "a\n\n", "b\na\n", "b\na\n\n", nil},
		"to CRLF":                   {"a\n\nb\n", "a\r\n\r\nb\r\n", "A\n\nb\n", "A\r\n\r\nb\r\n", nil},
		"from CRLF":                 {"a\r\n\r\nb\r\n", "a\n\nb\n", "A\r\n\r\nb\r\n", "A\n\nb\n", nil},
		"CRLF throughout":           {"a\r\n\r\nb", "a\r\n\r\nb\r\nc", "A\r\n\r\nb", "A\r\n\r\nb\r\nc", nil},
		"CRLF from one line":        {"a", "a\r\nb\r\n", "c\nd\na", "c\nd\na\nb\n", nil},
		"mixed stays":               {"a\r\nx\n\nb\n", "A\r\nx\n\nb\n", "a\r\nx\n\nB\n", "A\r\nx\n\nB\n", nil},
		"lone carriage return":      {"a\rb\n\nc\n", "a\rB\n\nc\n", "a\rb\n\nC\n", "a\rB\n\nC\n", nil},
		"not UTF-8":                 {"\xff\n\nc\n", "\xfe\n\nc\n", "\xff\n\nC\n", "\xfe\n\nC\n", nil},
		"blocks moved and appended": {"a\n\nb\n", "b\n", "a\n\nb\n\nc\n", "b\n\nc\n", nil},
		"conflict": {
			"title\n\ntext\n\nend\n", "title\n\nours\n\nend\n", "TITLE\n\ntheirs\n\nend\n", "TITLE\n\nours\n\nend\n",
			[]merge.BodyConflict{{
				Base: "text\n", Ours: "ours\n", Theirs: "theirs\n",
				BaseLines: merge.Lines{Start: 2, End: 3}, OursLines: merge.Lines{Start: 2, End: 3},
				TheirsLines: merge.Lines{Start: 2, End: 3}, MergedLines: merge.Lines{Start: 2, End: 3},
			}},
		},
		"insertions at one place": {
			"", "a\n", "b\n", "a\n",
			[]merge.BodyConflict{{Ours: "a\n", Theirs: "b\n", OursLines: merge.Lines{End: 1},
				TheirsLines: merge.Lines{End: 1}, MergedLines: merge.Lines{End: 1}}},
		},
		"deletion against edit": {
			"a\n\nb\n", "a\n\n", "a\n\nB\n", "a\n\n",
			[]merge.BodyConflict{{
				Base: "b\n", Theirs: "B\n", BaseLines: merge.Lines{Start: 2, End: 3}, OursLines: merge.Lines{Start: 2,
					End: 2},
				TheirsLines: merge.Lines{Start: 2, End: 3}, MergedLines: merge.Lines{Start: 2, End: 2},
			}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, conflicts := merge.Body([]byte(test.base), []byte(test.ours), []byte(test.theirs))
			if string(got) != test.want {
				t.Errorf("merged %q, want %q", got, test.want)
			}
			if diff := cmp.Diff(test.conflicts, conflicts); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSettleBody(t *testing.T) {
	base, ours, theirs := "a\n\nx\n\nb\n", "a1\n\nx\n\nb1\n", "a2\n\nx\n\nb2\n"
	for _, test := range []struct {
		choices []merge.Side
		want    string
	}{
		{[]merge.Side{merge.Ours, merge.Theirs}, "a1\n\nx\n\nb2\n"},
		{[]merge.Side{merge.Base, merge.Both}, "a\n\nx\n\nb1\n\nb2\n"},
	} {
		got, err := merge.SettleBody([]byte(base), []byte(ours), []byte(theirs), test.choices)
		if err != nil || string(got) != test.want {
			t.Errorf("settled with %v to %q, %v; want %q", test.choices, got, err, test.want)
		}
	}
	for _, choices := range [][]merge.Side{{}, {merge.Ours}, {merge.Ours, merge.Ours, merge.Ours},
		{merge.Ours, "other"}, {merge.Ours, merge.Value}} {
		if _, err := merge.SettleBody([]byte(base), []byte(ours), []byte(theirs), choices); !errs.Is(err,
			errs.Invalid) {
			t.Errorf("settling with %v returns %v, want an invalid choice", choices, err)
		}
	}
}

// randomBody returns lines from a small alphabet, so that the same line is in many places.
func randomBody(r *rand.Rand) []string {
	lines := make([]string, r.IntN(10))
	for i := range lines {
		lines[i] = pick(r, "", "", "a", "b", "- item", "```")
	}
	return lines
}

func randomEdit(r *rand.Rand, lines []string, fresh func() string) []string {
	for range r.IntN(3) {
		at := r.IntN(len(lines) + 1)
		end := min(len(lines), at+r.IntN(3))
		var inserted []string
		for range r.IntN(3) {
			inserted = append(inserted, pick(r, "", "a", fresh()))
		}
		lines = slices.Concat(lines[:at], inserted, lines[end:])
	}
	return lines
}

func joined(r *rand.Rand, lines []string) []byte {
	return []byte(strings.Join(lines, pick(r, "\n", "\n", "\n", "\r\n")) + pick(r, "", "\n"))
}

// TestBodyProperties merges random texts of repeated lines, which are what aligning gets wrong.
func TestBodyProperties(t *testing.T) {
	clean := 0
	r := rand.New(rand.NewPCG(5, 5))
	for i := range cases(t) {
		n := 0
		fresh := func() string { n++; return fmt.Sprint("new ", n) }
		lines := randomBody(r)
		base := joined(r, lines)
		ours, theirs := joined(r, randomEdit(r, lines, fresh)), joined(r, randomEdit(r, lines, fresh))
		clean += checkBodyProperties(t, fmt.Sprint("case ", i), base, ours, theirs)
	}
	if clean < cases(t)/10 {
		t.Errorf("only %d merges of %d are clean", clean, cases(t))
	}
}

// checkBodyProperties returns 1 when the merge is clean.
func checkBodyProperties(t *testing.T, name string, base, ours, theirs []byte) int {
	t.Helper()
	merged, conflicts := merge.Body(base, ours, theirs)
	mirrored, back := merge.Body(base, theirs, ours)
	if len(conflicts) != len(back) || len(conflicts) == 0 && !bytes.Equal(merged, mirrored) {
		t.Fatalf("%s: merged %q and mirrored %q, conflicts %v and %v, of base %q, ours %q, theirs %q",
			name, merged, mirrored, conflicts, back, base, ours, theirs)
	}
	for i, c := range conflicts {
		if m := back[i]; c.Ours != m.Theirs || c.Theirs != m.Ours || c.Base != m.Base ||
			c.OursLines != m.TheirsLines || c.TheirsLines != m.OursLines || c.BaseLines != m.BaseLines {
			t.Fatalf("%s: conflict %+v is mirrored as %+v", name, c, m)
		}
		if c.Ours == c.Theirs {
			t.Fatalf("%s: both sides of the conflict %+v agree", name, c)
		}
		checkPlaceOfConflict(t, name, ours, c.OursLines, c.Ours)
		checkPlaceOfConflict(t, name, theirs, c.TheirsLines, c.Theirs)
		checkPlaceOfConflict(t, name, base, c.BaseLines, c.Base)
		checkPlaceOfConflict(t, name, merged, c.MergedLines, c.Ours)
	}
	for _, same := range [][3][]byte{{ours, base, ours}, {base, theirs, theirs}, {ours, ours, ours}} {
		if got, conflicts := merge.Body(base, same[0], same[1]); !bytes.Equal(got, same[2]) || len(conflicts) > 0 {
			t.Fatalf("%s: merge of %q and %q since %q is %q", name, same[0], same[1], base, got)
		}
	}
	// What one side added, and numbered, is there.
	for _, side := range [][]byte{ours, theirs} {
		for line := range strings.Lines(string(side)) {
			line = strings.TrimRight(line, "\r\n")
			if strings.HasPrefix(line, "new ") && len(conflicts) == 0 && !slices.Contains(plainLines(merged), line) {
				t.Fatalf("%s: the added line %q is lost in %q", name, line, merged)
			}
		}
	}
	if len(conflicts) == 0 {
		return 1
	}
	return 0
}

func plainLines(text []byte) []string {
	return strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
}

// checkPlaceOfConflict holds that a text of a conflict is what the lines of its text are.
func checkPlaceOfConflict(t *testing.T, name string, text []byte, at merge.Lines, want string) {
	t.Helper()
	if bytes.Contains(text, []byte("\r")) {
		return // mixed line endings stay in the text of a conflict, others do not
	}
	lines := plainLines(text)
	if at.Start > at.End || at.End > len(lines) {
		t.Fatalf("%s: lines %v of %q", name, at, text)
	}
	var got strings.Builder
	for _, line := range lines[at.Start:at.End] {
		got.WriteString(line + "\n")
	}
	if got.String() != want {
		t.Fatalf("%s: lines %v of %q are %q, the conflict has %q", name, at, text, got.String(), want)
	}
}

// TestBodyHostile merges bodies of 1 MB that make naive algorithms quadratic.
func TestBodyHostile(t *testing.T) {
	const size = 1 << 20
	r := rand.New(rand.NewPCG(9, 9))
	random := func(alphabet int) []byte {
		var b bytes.Buffer
		for b.Len() < size-16 {
			fmt.Fprintln(&b, r.IntN(alphabet))
		}
		return b.Bytes()
	}
	spaced := func(alphabet int) []byte { return bytes.ReplaceAll(random(alphabet), []byte("\n"), []byte("\n\n")) }
	for name, texts := range map[string][3][]byte{
		"blank lines": {bytes.Repeat([]byte("\n"), size), bytes.Repeat([]byte("\n"), size/2),
			bytes.Repeat([]byte("\n"), size/3)},
		"two lines":      {random(2), random(2), random(2)},
		"many lines":     {random(1 << 30), random(1 << 30), random(1 << 30)},
		"some lines":     {random(1000), random(1000), random(1000)},
		"blocks of two":  {spaced(2), spaced(2), spaced(2)},
		"blocks of some": {spaced(1000), spaced(1000), spaced(1000)},
		"one line": {bytes.Repeat([]byte("x"), size), bytes.Repeat([]byte("y"), size),
			bytes.Repeat([]byte("z"), size)},
		"carriage returns": {bytes.Repeat([]byte("\r"), size), bytes.Repeat([]byte("\r\n"), size/2),
			bytes.Repeat([]byte("\n\r"), size/2)},
	} {
		start := time.Now()
		if _, conflicts := merge.Body(texts[0], texts[1], texts[2]); len(conflicts) == 0 {
			t.Errorf("%s: there is no conflict", name)
		}
		if spent := time.Since(start); spent > 20*time.Second {
			t.Errorf("%s: merging took %v", name, spent)
		}
	}
}

// FuzzBody holds the properties of TestBodyProperties for any texts.
func FuzzBody(f *testing.F) {
	f.Add([]byte("a\n\nb\n"), []byte("A\n\nb\n"), []byte("a\n\nB\n"))
	f.Add([]byte("a"), []byte("a\r\nb\r\n"), []byte("c\nd\na"))
	f.Add([]byte("```\none\n\ntwo\n```\n"), []byte("```\none\n```\n"), []byte(""))
	f.Add([]byte("\n\n\n"), []byte("\n"), []byte("\r\n"))
	f.Add([]byte("x\ny\nx\ny\n"), []byte("y\nx\ny\n"), []byte("x\ny\nx\nx\n"))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		if len(base)+len(ours)+len(theirs) > 3000 {
			return
		}
		checkBodyProperties(t, "fuzz", base, ours, theirs)
	})
}

func BenchmarkBody(b *testing.B) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "Paragraph %d has some words in it.\nAnd a second line.\n\n", i)
	}
	base := text.String()
	ours := strings.Replace(base, "Paragraph 10 ", "Chapter 10 ", 1)
	theirs := strings.Replace(base, "Paragraph 150 ", "Chapter 150 ", 1)
	for b.Loop() {
		if _, conflicts := merge.Body([]byte(base), []byte(ours), []byte(theirs)); len(conflicts) > 0 {
			b.Fatal(conflicts)
		}
	}
}
