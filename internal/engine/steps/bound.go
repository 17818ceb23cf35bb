package steps

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Limits of what a client sends in a batch.
const (
	// MaxSteps is the largest number of steps.
	MaxSteps = 200
	// MaxBytes is the largest size of all steps.
	MaxBytes = 1 << 20
	// stepDepth is how deep the values of a step may be nested.
	stepDepth = 200
)

// Limits of input, before the script sees it.
const (
	// maxSteps is the largest number of steps that Change may make.
	maxSteps = doc.MaxNodes
	// documentDepth is how deep those of a document may be, whose nodes are values in lists of values.
	documentDepth = 1000
	// maxSnapshot is the largest snapshot, whose nodes take a little more than those of the API's documents.
	maxSnapshot = 2 * doc.MaxJSON
)

// Bound checks what can be told of a client's batch without a document. Its error is a *Refused.
func Bound(steps []json.RawMessage) error { return bound(steps, MaxSteps, MaxBytes, stepDepth) }

func bound(steps []json.RawMessage, count, size, depth int) error {
	switch {
	case len(steps) == 0:
		return &Refused{-1, "there is no step"}
	case len(steps) > count:
		return &Refused{-1, fmt.Sprintf("there are %d steps; a batch has at most %d", len(steps), count)}
	}
	total := 0
	for i, step := range steps {
		if total += len(step); total > size {
			return &Refused{-1, fmt.Sprintf("the steps have more than %d bytes", size)}
		}
		if err := wellFormed(step, size, depth); err != nil {
			return &Refused{i, err.Error()}
		}
	}
	return nil
}

// wellFormed checks that a text is JSON in UTF-8, not too large and not nested too deep, and that its strings are text:
// no half of a surrogate pair is in them, be it as an escape.
func wellFormed(text []byte, size, depth int) error {
	switch {
	case len(text) > size:
		return fmt.Errorf("the JSON has %d bytes; it may have at most %d", len(text), size)
	case !utf8.Valid(text):
		return errors.New("the JSON is not UTF-8")
	}
	level, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			if whole, width := escape(text[i:]); !whole {
				return errors.New("the JSON has half of a character in it")
			} else {
				i += width - 1
			}
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if level++; level > depth {
				return fmt.Errorf("the JSON is nested deeper than %d levels", depth)
			}
		case c == '}' || c == ']':
			level--
		}
	}
	// The depth is known, so this needs no more of the stack.
	if !json.Valid(text) {
		return errors.New("the JSON is broken")
	}
	return nil
}

// escape looks at an escape in a string of JSON. It returns its width, that of both when it is a pair of surrogates,
// and false when it is one that stands alone. What is no JSON at all is found elsewhere.
func escape(text []byte) (whole bool, width int) {
	high, ok := unit(text)
	switch {
	case !ok:
		return true, 2
	case high < 0xd800 || high > 0xdfff:
		return true, 6
	case high >= 0xdc00:
		return false, 6
	}
	low, ok := unit(text[6:])
	return ok && low >= 0xdc00 && low <= 0xdfff, 12
}

// unit reads an escape like \u00e4.
func unit(text []byte) (value rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		switch {
		case c >= '0' && c <= '9':
			value = value<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			value = value<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			value = value<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return value, true
}
