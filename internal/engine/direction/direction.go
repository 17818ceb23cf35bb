// Package direction finds out whether text runs from left to right or from right to left: by the name of its language,
// or by its letters.
package direction

import (
	tags "golang.org/x/text/language"
	"golang.org/x/text/unicode/bidi"
)

// Directions of text, as HTML's attribute dir has them.
const (
	LeftToRight = "ltr"
	RightToLeft = "rtl"
)

// rightToLeftScripts are the scripts in use that run from right to left (ISO 15924).
var rightToLeftScripts = map[string]bool{
	"Arab": true, "Aran": true, "Hebr": true, "Thaa": true, "Syrc": true, "Nkoo": true, "Adlm": true, "Rohg": true,
	"Samr": true, "Mand": true,
}

// OfLanguage is how text in a language runs, given as a tag of BCP 47: the script counts, which a tag may name
// ("ku-Arab") or leave to what is usual.
func OfLanguage(tag string) string {
	script, _ := tags.Make(tag).Script()
	if rightToLeftScripts[script.String()] {
		return RightToLeft
	}
	return LeftToRight
}

// enough is how many letters are looked at to find out how a text runs.
const enough = 400

// OfText is how most letters of some texts run, "" when they have none.
func OfText(texts ...string) string {
	left, right := 0, 0
	for _, text := range texts {
		for _, r := range text {
			switch properties, _ := bidi.LookupRune(r); properties.Class() {
			case bidi.L:
				left++
			case bidi.R, bidi.AL:
				right++
			}
			if left+right >= enough {
				break
			}
		}
	}
	switch {
	case left+right == 0:
		return ""
	case right > left:
		return RightToLeft
	}
	return LeftToRight
}
