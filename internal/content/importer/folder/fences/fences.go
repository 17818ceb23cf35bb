// Package fences owns telling blocks of code from what is written around them, line by line, in texts that are not
// parsed yet.
package fences

import "strings"

// EachLine rewrites the lines of a text, each with what ends it, and says of each whether it stands in a block of code.
func EachLine(text string, rewrite func(line string, fenced bool) string) string {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, " \t>")
		mark := bare[:len(bare)-len(strings.TrimLeft(bare, "`~"))]
		inside := fence != ""
		switch {
		case !inside && len(mark) >= 3:
			fence = mark
		case inside && strings.HasPrefix(mark, fence) && strings.TrimSpace(bare) == mark:
			fence = ""
		}
		out.WriteString(rewrite(line, inside))
	}
	return out.String()
}
