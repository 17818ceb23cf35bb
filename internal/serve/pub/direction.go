package pub

import (
	tags "golang.org/x/text/language"
	"golang.org/x/text/unicode/bidi"
)

// Directions of text, as the attribute dir has them.
const (
	leftToRight = "ltr"
	rightToLeft = "rtl"
)

// rightToLeftScripts are the scripts in use that run from right to left (ISO 15924).
var rightToLeftScripts = map[string]bool{
	"Arab": true, "Aran": true, "Hebr": true, "Thaa": true, "Syrc": true, "Nkoo": true, "Adlm": true, "Rohg": true,
	"Samr": true, "Mand": true,
}

// directionOf is how text in a language runs: the script counts, which a tag may name ("ku-Arab") or leave to what is
// usual.
func directionOf(tag string) string {
	script, _ := tags.Make(tag).Script()
	if rightToLeftScripts[script.String()] {
		return rightToLeft
	}
	return leftToRight
}

// directionLetters is how many letters are looked at to find out how a text runs.
const directionLetters = 400

// textDirection is how most letters of some texts run, "" when they have none.
func textDirection(texts ...string) string {
	left, right := 0, 0
	for _, text := range texts {
		for _, r := range text {
			switch properties, _ := bidi.LookupRune(r); properties.Class() {
			case bidi.L:
				left++
			case bidi.R, bidi.AL:
				right++
			}
			if left+right >= directionLetters {
				break
			}
		}
	}
	switch {
	case left+right == 0:
		return ""
	case right > left:
		return rightToLeft
	}
	return leftToRight
}
