package vector_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/pdf/vector"
)

// set sets every character as wide as half its size.
func set(text string, t vector.Type) (float64, []vector.Run) {
	width := t.Size / 2 * float64(len([]rune(text)))
	return width, []vector.Run{{Font: "F0", Operators: fmt.Sprintf("<%X> Tj", text), Width: width}}
}

func draw(inside string) (vector.Drawing, error) {
	return vector.Draw([]byte(
		`<?xml version="1.0"?><!-- c --><svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 100 50">`+inside+`</svg>`), set)
}

func TestDraw(t *testing.T) {
	for name, test := range map[string]struct{ inside, want string }{
		"size":      {``, "q 2 0 0 -2 0 100 cm\nQ\n"},
		"rectangle": {`<rect x="1" y="2" width="3" height="4"/>`, "0 0 0 rg 1 2 3 4 re f\n"},
		"stroke": {`<line x1="0" y1="0" x2="5" y2="5" stroke="red" stroke-width="2" stroke-dasharray="1 2"/>`,
			"1 0 0 RG 2 w [1 2] 0 d   0 0 m 5 5 l S\n"},
		"polygon": {`<polygon fill="none" stroke="#00f" points="0,0 1,0 1,1"/>`,
			"0 0 1 RG 1 w    0 0 m 1 0 l 1 1 l h S\n"},
		"both": {`<path fill="#0f0" stroke="rgb(255,0,0)" fill-rule="evenodd" d="M0 0h1v1z"/>`,
			"0 0 m 1 0 l 1 1 l h B*\n"},
		"relative":     {`<path d="m1 1 2 2l1-1"/>`, "1 1 m 3 3 l 4 2 l f\n"},
		"curve":        {`<path d="M0 0C1 1 2 2 3 3S5 5 6 6"/>`, "1 1 2 2 3 3 c 4 4 5 5 6 6 c f\n"},
		"quadratic":    {`<path d="M0 0Q3 3 6 0"/>`, "2 2 4 2 6 0 c f\n"},
		"arc":          {`<path d="M10 0A10 10 0 0 1 0 10"/>`, "10 0 m 10 5.523 5.523 10 0 10 c f\n"},
		"packed flags": {`<path d="M10 0A10 10 0 010 10"/>`, "10 5.523 5.523 10 0 10 c f\n"},
		"circle":       {`<circle cx="5" cy="5" r="5"/>`, "10 5 m 10 7.761 7.761 10 5 10 c"},
		"transform": {`<g transform="translate(1 2) scale(3)"><rect width="1" height="1"/></g>`,
			"q 3 0 0 3 1 2 cm\n"},
		"rotation": {`<g transform="rotate(90)"/>`, "q 0 1 -1 0 0 0 cm\n"},
		"style":    {`<rect style="fill: #ff0000; opacity: .5" width="1" height="1"/>`, "1 0.5 0.5 rg"},
		"class":    {`<style>.a, .b { fill: blue }</style><rect class="x a" width="1" height="1"/>`, "0 0 1 rg"},
		"gradient": {
			`<rect fill="url(#g)" width="1" height="1"/><defs><linearGradient id="g"><stop stop-color="#000"/><stop stop-color="#fe0000"/></linearGradient></defs>`, "0.498 0 0 rg"},
		"text": {`<text x="10" y="20" font-size="10">Hi</text>`,
			"BT /F0 10 Tf 0 0 0 rg 1 0 0 -1 10 20 Tm <4869> Tj ET\n"},
		"text in middle": {`<text x="10" y="20" font-size="10" text-anchor="middle">Hi</text>`, "1 0 0 -1 5 20 Tm"},
		"spans": {`<text x="10" y="20" font-size="10"><tspan>a</tspan><tspan x="30">b</tspan></text>`,
			"1 0 0 -1 30 20 Tm <62> Tj"},
	} {
		got, err := draw(test.inside)
		if err != nil || !strings.Contains(string(got.Content), test.want) || got.Width != 200 || got.Height != 100 {
			t.Errorf("%s: %v, %vx%v\n got %s\nwant %s", name, err, got.Width, got.Height, got.Content, test.want)
		}
	}
	for name, inside := range map[string]string{
		"hidden":      `<rect display="none" width="1" height="1"/>`,
		"invisible":   `<g visibility="hidden"><rect width="1" height="1"/></g>`,
		"definitions": `<defs><rect width="1" height="1"/></defs>`, "script": `<script>alert(1)</script>`,
		"no colour": `<rect fill="none" width="1" height="1"/>`,
	} {
		if got, err := draw(inside); err != nil || strings.Contains(string(got.Content), "re f") {
			t.Errorf("%s: %v %s", name, err, got.Content)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, inside := range map[string]string{
		"image": `<image href="http://169.254.169.254/"/>`, "HTML": `<foreignObject><p>x</p></foreignObject>`,
		"use":  `<use href="#a"/>`,
		"mask": `<rect mask="url(#m)" width="1" height="1"/>`, "filter": `<g filter="url(#f)"/>`,
		"deep": strings.Repeat("<g>", 500) + strings.Repeat("</g>", 500),
		"many": strings.Repeat("<g/>", 60_000),
	} {
		if _, err := draw(inside); !errors.Is(err, vector.ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string]string{
		"empty": "", "text": "hello", "HTML": "<html></html>", "cut": "<svg><g>",
		"huge":     `<svg width="1e9" height="1e9"/>`,
		"entities": `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg><text>&b;</text>`,
	} {
		if _, err := vector.Draw([]byte(data), set); err == nil {
			t.Errorf("%s is drawn", name)
		}
	}
}

// TestBroken holds that no change of a drawing's bytes makes it panic or write what PDF does not read as numbers.
func TestBroken(t *testing.T) {
	whole :=
		`<svg width="10" viewBox="0 0 10 10"><style>.a{fill:#123}</style><g transform="matrix(1 2 3 4 5 6)"><path class="a" stroke="#fff" stroke-dasharray="1,2" d="M1 2a3 4 5 0 1 6 7q1 2 3 4t5 6s1 2 3 4z"/><text x="1" dy="1em">x<tspan>y</tspan></text></g></svg>`
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		data := []byte(whole)
		for range 1 + random.IntN(5) {
			data[random.IntN(len(data))] = []byte("09.-eE,;:#<>/\"MLAZ()naif")[random.IntN(24)]
		}
		got, err := vector.Draw(data, set)
		if err == nil && (strings.Contains(string(got.Content), "NaN") || strings.Contains(string(got.Content),
			"Inf")) {
			t.Fatalf("%s\n%s", data, got.Content)
		}
	}
}
