package fences

import (
	"testing"
)

// TestEachLine holds which lines stand in a block of code: those behind what opens one up to what closes it, which has
// as many marks of the same kind and nothing else.
func TestEachLine(t *testing.T) {
	marked := EachLine("a\n````go\nb\n```\nc\n````\nd\n> ~~~\n> e\n> ```\n> ~~~\nf\r\n``\ng", func(line string,
		fenced bool) string {
		if fenced {
			return "=" + line
		}
		return line
	})
	want := "a\n````go\n=b\n=```\n=c\n=````\nd\n> ~~~\n=> e\n=> ```\n=> ~~~\nf\r\n``\ng"
	if marked != want {
		t.Errorf("%q, want\n%q", marked, want)
	}
}
