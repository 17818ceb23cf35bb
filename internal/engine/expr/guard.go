package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Caps that hold before the parser sees a byte. The parser recurses per nesting level without a limit of its own, and
// goes back to read the parameters of an arrow function (and the operand of a yield) a second time, so nested ones
// cost it two to the power of their number.
const (
	maxNesting = 64
	maxArrows  = 8
)

// guard refuses sources that could hurt the parser. It counts bytes without regard to strings and comments: cheap, and
// wrong only for expressions that nobody writes.
func guard(source string) error {
	switch {
	case len(source) > MaxSource:
		return errs.New(errs.TooLarge, "an expression may have %d bytes; this one has %d", MaxSource, len(source))
	case !utf8.ValidString(source):
		return errs.New(errs.Invalid, "the expression is not valid UTF-8")
	case strings.Count(source, "=>") > maxArrows:
		return errs.New(errs.TooLarge, "an expression may hold %d arrow functions", maxArrows)
	case strings.Count(source, "yield") > maxArrows:
		return errs.New(errs.Invalid, "yield cannot be used in an expression")
	}
	return guardNesting(source)
}

// guardNesting counts open brackets, and the prefix operators and conditionals that nest without them.
func guardNesting(source string) error {
	depth, prefixes := 0, 0
	for i := range len(source) {
		switch source[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '!', '~', '-', '+', '?', '*':
			prefixes++
		case ' ', '\t', '\n', '\r':
		default:
			prefixes = max(prefixes-1, 0)
		}
		if depth > maxNesting || prefixes > 4*maxNesting {
			return errs.New(errs.TooLarge, "the expression nests deeper than %d levels", maxNesting)
		}
	}
	return nil
}
