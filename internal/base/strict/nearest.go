package strict

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// longestName is how much of a name is compared, and shown: names come from anybody.
	longestName = 40
	// mostNames is how many known names an answer lists.
	mostNames = 24
)

// Advice says in one clause that there is no such name, and which known one is nearest or, when none is near, which
// there are.
func Advice(name string, known []string) string {
	said := "there is nothing called " + quote(name) + " here"
	if near, ok := Nearest(name, known); ok {
		return said + "; did you mean " + strconv.Quote(near) + "?"
	}
	switch {
	case len(known) == 0:
		return said + "; nothing can be given"
	case len(known) > mostNames:
		return said + "; there are " + strings.Join(known[:mostNames], ", ") + " and others"
	}
	return said + "; there are " + strings.Join(known, ", ")
}

// Nearest returns the known name that a name was most likely meant to be: the one with the fewest letters typed
// wrongly, at most one in three; or the only one that begins with it. Upper and lower case are alike.
func Nearest(name string, known []string) (near string, ok bool) {
	given := []rune(strings.ToLower(name))
	if len(given) == 0 || len(given) > longestName {
		return "", false
	}
	best := max(1, (len(given)+1)/3) + 1
	for _, each := range known {
		if cost := distance(given, []rune(strings.ToLower(each))); cost < best {
			near, best = each, cost
		}
	}
	if near != "" {
		return near, true
	}
	for _, each := range known {
		if len(given) < 3 || !strings.HasPrefix(strings.ToLower(each), string(given)) {
			continue
		}
		if near != "" {
			return "", false
		}
		near = each
	}
	return near, near != ""
}

// distance counts the letters to insert, leave out or put for another, and the neighbours to swap, that make one text
// of the other (Damerau and Levenshtein, each letter moved once).
func distance(a, b []rune) int {
	if len(b) > 2*longestName {
		return len(b)
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// quote shows a name that anybody may have made up.
func quote(name string) string {
	if utf8.RuneCountInString(name) > longestName {
		name = string([]rune(name)[:longestName]) + "…"
	}
	return strconv.Quote(name)
}
