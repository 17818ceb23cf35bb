package entity

import "strings"

// Positions of siblings are fractional indexes: strings, compared byte by byte, between any two of which there is
// another, so that a page moves without touching its siblings. The scheme is the one of D. Greenspan, "Implementing
// Fractional Indexing" (2020): a position is a number in base 62 with an integer part and a fraction. The first
// character of the integer part says how many digits follow in it: 'a' to 'z' for 1 to 26 digits, 'Z' down to 'A'
// for 1 to 26 digits of a number below zero; the fraction does not end in the lowest digit. Appending and prepending
// count the integer part up and down, so n of them grow a position to about log62(n) characters; inserting again
// and again at one place grows it by a character for every five times.
//
// Two people who insert at the same place at the same time get equal positions. Compare breaks the tie by id.

const (
	digits      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	lowestDigit = '0'
	topDigit    = 'z'

	// MaxPositionLength is the largest length of a position in bytes that Validate accepts.
	MaxPositionLength = 4096
)

// first is the position of the only sibling, lowest the smallest integer part, which is no position by itself.
const first = "a0"

var lowest = "A" + strings.Repeat("0", 26)

// Between returns a position after a and before b; "" stands for no neighbour on that side. An a or b that is not a
// position counts as "", and so does a b that is not after a: then the result is after a.
func Between(a, b string) string {
	if !ValidPosition(a) {
		a = ""
	}
	if !ValidPosition(b) || a >= b {
		b = ""
	}
	switch {
	case a == "" && b == "":
		return first
	case a == "":
		whole, fraction := splitPosition(b)
		if whole == lowest {
			return whole + midpoint("", fraction)
		}
		if fraction != "" {
			return whole
		}
		if below := decrement(whole); below != lowest {
			return below
		}
		return lowest + midpoint("", "")
	case b == "":
		whole, fraction := splitPosition(a)
		if above := increment(whole); above != "" {
			return above
		}
		return whole + midpoint(fraction, "")
	}
	wholeA, fractionA := splitPosition(a)
	wholeB, fractionB := splitPosition(b)
	if wholeA == wholeB {
		return wholeA + midpoint(fractionA, fractionB)
	}
	if above := increment(wholeA); above != "" && above < b {
		return above
	}
	return wholeA + midpoint(fractionA, "")
}

// Positions returns n positions in order, evenly spaced and short: for a list that is made at once.
func Positions(n int) []string { return Spread("", "", n) }

// Spread returns n positions in order after a and before b, as n calls of Between would but as short as they can be.
// It treats a and b as Between does.
func Spread(a, b string, n int) []string {
	if !ValidPosition(a) {
		a = ""
	}
	if !ValidPosition(b) || a >= b {
		b = ""
	}
	positions := make([]string, max(n, 0))
	switch {
	case b == "":
		for i := range positions {
			a = Between(a, "")
			positions[i] = a
		}
	case a == "":
		for i := len(positions) - 1; i >= 0; i-- {
			b = Between("", b)
			positions[i] = b
		}
	default:
		spread(positions, a, b)
	}
	return positions
}

// spread fills positions from the middle, so that their length grows with the logarithm of their number.
func spread(positions []string, a, b string) {
	if len(positions) == 0 {
		return
	}
	middle := len(positions) / 2
	positions[middle] = Between(a, b)
	spread(positions[:middle], a, positions[middle])
	spread(positions[middle+1:], positions[middle], b)
}

// ValidPosition reports whether s has the form of a position. It sets no limit to the length.
func ValidPosition(s string) bool {
	size := wholeSize(s)
	if size == 0 || len(s) < size || s == lowest {
		return false
	}
	for i := 1; i < len(s); i++ {
		if strings.IndexByte(digits, s[i]) < 0 {
			return false
		}
	}
	return len(s) == size || s[len(s)-1] != lowestDigit
}

// Compare orders siblings: by position, then by id. It returns a number below, at or above zero.
func Compare(a, b *Entry) int {
	if c := strings.Compare(a.Position, b.Position); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

// wholeSize returns the length of the integer part of a position, with its first character; 0 when there is none.
func wholeSize(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] >= 'a' && s[0] <= 'z':
		return int(s[0]-'a') + 2
	case s[0] >= 'A' && s[0] <= 'Z':
		return int('Z'-s[0]) + 2
	}
	return 0
}

func splitPosition(s string) (whole, fraction string) {
	size := wholeSize(s)
	return s[:size], s[size:]
}

// increment returns the integer part after whole, "" after the last.
func increment(whole string) string {
	next := []byte(whole)
	for i := len(next) - 1; i > 0; i-- {
		if next[i] != topDigit {
			next[i] = digits[strings.IndexByte(digits, next[i])+1]
			return string(next)
		}
		next[i] = lowestDigit
	}
	switch head := next[0]; head {
	case 'z':
		return ""
	case 'Z':
		return first
	default:
		head++
		if head > 'a' {
			return string(head) + strings.Repeat(string(rune(lowestDigit)), len(next))
		}
		return string(head) + strings.Repeat(string(rune(lowestDigit)), len(next)-2)
	}
}

// decrement returns the integer part before whole, which is not lowest.
func decrement(whole string) string {
	next := []byte(whole)
	for i := len(next) - 1; i > 0; i-- {
		if next[i] != lowestDigit {
			next[i] = digits[strings.IndexByte(digits, next[i])-1]
			return string(next)
		}
		next[i] = topDigit
	}
	switch head := next[0]; head {
	case 'a':
		return "Zz"
	default:
		head--
		if head < 'Z' {
			return string(head) + strings.Repeat(string(rune(topDigit)), len(next))
		}
		return string(head) + strings.Repeat(string(rune(topDigit)), len(next)-2)
	}
}

// midpoint returns a fraction between two fractions, a below b; a b of "" is one. It is short rather than exactly
// in the middle, and does not end in the lowest digit.
func midpoint(a, b string) string {
	var out []byte
	bounded := b != ""
	for i := 0; ; i++ {
		low := 0
		if i < len(a) {
			low = strings.IndexByte(digits, a[i])
		}
		high := len(digits)
		if bounded {
			high = strings.IndexByte(digits, b[i])
		}
		switch {
		case low == high:
			out = append(out, digits[low])
		case high-low > 1:
			return string(append(out, digits[(low+high)/2]))
		case bounded && len(b) > i+1:
			return string(append(out, digits[high]))
		default:
			// From here on anything above the rest of a will do.
			out = append(out, digits[low])
			bounded = false
		}
	}
}
