package script

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The engine says "not a function" of what it was to call, and not of what. Its place is the bracket of the call, so
// the source says what stands before that.

// notFunction is such an error in the text of a stack. With a function of the engine below it, it is about a value that
// was given to that.
var notFunction = regexp.MustCompile(`not a function(\n|\\n) *at [^\n\\]*\((?:<eval>|script):(\d+):(\d+)\)`)

// noFunction is the message of the engine.
const noFunction = "not a function"

// maxNamed is how many errors of a call are looked up, since each reads the source up to its place.
const maxNamed = 20

// nameCalled writes into a text with stacks what was no function. It leaves what the source does not tell.
func (i *Instance) nameCalled(text string) string {
	if i.host.Source == nil || !strings.Contains(text, noFunction) {
		return text
	}
	return notFunction.ReplaceAllStringFunc(text, func(found string) string {
		if i.call.named++; i.call.named > maxNamed {
			return found
		}
		parts := notFunction.FindStringSubmatch(found)
		line, err := strconv.Atoi(parts[2])
		if err != nil || line >= layerLine {
			return found
		}
		column, err := strconv.Atoi(parts[3])
		if err != nil {
			return found
		}
		if i.call.source == nil {
			source, _ := i.host.Source() // without which nothing is named
			i.call.source = &source
		}
		if called := calledAt(*i.call.source, line, column); called != "" {
			return called + " is " + found
		}
		return found
	})
}

// nameThrown is nameCalled for a message and the stack that belongs to it.
func (i *Instance) nameThrown(message, stack string) string {
	if message != noFunction {
		return message
	}
	stack = strings.TrimPrefix(stack, "TypeError: "+noFunction+"\n")
	named, _, _ := strings.Cut(i.nameCalled(noFunction+"\n"+stack), "\n")
	return named
}

// maxCalled is the most bytes of a source that are looked at before a bracket, and maxName of what was called.
const maxCalled, maxName = 400, 80

// calledAt returns what stands before the bracket of a call at a line and a column of a source, which count from 1; ""
// when there is no such bracket, or nothing that names what is called.
func calledAt(source string, line, column int) string {
	for ; line > 1; line-- {
		_, rest, found := strings.Cut(source, "\n")
		if !found {
			return ""
		}
		source = rest
	}
	at := 0
	for ; column > 1 && at < len(source) && source[at] != '\n'; column-- {
		_, size := utf8.DecodeRuneInString(source[at:])
		at += size
	}
	if at >= len(source) || source[at] != '(' && source[at] != '`' {
		return ""
	}
	text := source[max(0, at-maxCalled):at]
	text = text[strings.LastIndexByte(text, '\n')+1:]
	text = strings.TrimSuffix(strings.TrimRight(text, " \t"), "?.")
	start := nameStart(text)
	name := text[start:]
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[len(name)-maxName:], "")
		name = "…" + strings.TrimLeft(name, ".?")
	}
	return name
}

// nameStart returns where the names and members begin that a text ends with, such as a.b[0]?.c.
func nameStart(text string) int {
	at := len(text)
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		switch {
		case r == ')' || r == ']':
			open := opening(text[:at])
			if open < 0 {
				return at
			}
			at = open
		case r == '?' && at < len(text) && text[at] == '.', r == '.', r == '$', r == '_', r == '#',
			unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			at -= size
		default:
			return at
		}
	}
	return at
}

// opening returns where the bracket is that the last one of a text closes, -1 when it is not there.
func opening(text string) int {
	depth := 0
	for at := len(text) - 1; at >= 0; at-- {
		switch text[at] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return -1
}
