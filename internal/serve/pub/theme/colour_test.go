package theme

import (
	"math/rand/v2"
	"testing"
)

func TestColours(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 4000 {
		c := colour{random.Float64(), random.Float64(), random.Float64()}
		if i < 8 { // the corners of the cube
			c = colour{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2 & 1)}
		}
		for paper, soft := range map[colour]float64{paperLight: softLight, paperDark: softDark} {
			got, ok := parseColour(readable(c, paper).String())
			if !ok {
				t.Fatalf("%v makes no colour", c)
			}
			if ratio := contrast(got, paper); ratio < 4.5 {
				t.Errorf("%s on %s becomes %s: contrast %.2f", c, paper, got, ratio)
			}
			if ratio := contrast(got, mix(got, paper, soft)); ratio < 4.5 {
				t.Errorf("%s on the soft background of %s: contrast %.2f", got, paper, ratio)
			}
		}
		background, text := fill(c)
		rounded, _ := parseColour(background.String())
		if ratio := contrast(rounded, text); ratio < 4.5 {
			t.Errorf("%s filled is %s with %s: contrast %.2f", c, background, text, ratio)
		}
	}
	if got := readable(defaultPrimary, paperLight); got != defaultPrimary.oklab().colour() {
		t.Errorf("a colour that is readable is changed to %s", got)
	}
}

func TestParseColour(t *testing.T) {
	for s, want := range map[string]string{"#fff": "#ffffff", "#1a2B3c": "#1a2b3c", "#000000": "#000000", "": "",
		"fff": "", "#ff": "", "#gggggg": "", "#12345": "", "#1234567": "", "red": "", "#+12345": ""} {
		c, ok := parseColour(s)
		if ok != (want != "") || ok && c.String() != want {
			t.Errorf("parseColour(%q) = %s, %v", s, c, ok)
		}
	}
}
