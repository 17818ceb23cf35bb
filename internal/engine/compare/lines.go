package compare

import (
	"strings"

	"github.com/rectodocs/recto/internal/engine/hunk"
)

// LineRun is a stretch of lines that are the same, deleted or added.
type LineRun struct {
	Change Change
	Lines  []string
}

// Lines compares two versions of a Markdown body line by line, by way of its blocks. Lines have no line breaks; whether
// the last has one is not compared.
func Lines(before, after []byte) []LineRun {
	older, newer := linesOf(before), linesOf(after)
	var runs []LineRun
	add := func(change Change, lines []string) {
		if len(lines) > 0 {
			runs = append(runs, LineRun{change, lines})
		}
	}
	at := 0
	for _, h := range hunk.NewBudget().Lines(older, newer) {
		add(Same, older[at:h.Before.Start])
		add(Deleted, older[h.Before.Start:h.Before.End])
		add(Added, newer[h.After.Start:h.After.End])
		at = h.Before.End
	}
	add(Same, older[at:])
	return runs
}

func linesOf(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
