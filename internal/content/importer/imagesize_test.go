package importer

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestImageSizeOfDrawings(t *testing.T) {
	type size struct{ width, height int }
	for text, want := range map[string]size{
		`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"/>`: {640, 480},
		"\ufeff<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" " +
			"\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n<!-- drawn -->\n<svg width='300pt' " +
			"height='150.5pt' viewBox='0 0 300 150.5'>": {400, 201},
		`<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="2in" height="1CM">`: {192, 38},
		`<svg viewBox="0 0 24 24">`:               {},
		`<svg width="100%" height="20">`:          {},
		`<svg width="20">`:                        {},
		`<svg width="2em" height="2em">`:          {},
		`<svg width="-4" height="4">`:             {},
		`<svg width="NaN" height="Inf">`:          {},
		`<svg width="1e9" height="1">`:            {},
		`<svg x:width="3" x:height="4">`:          {},
		`<html><svg width="3" height="4"></html>`: {},
		``:     {},
		`<svg`: {},
		strings.Repeat("<!-- -->", maxProlog) + `<svg width="3" height="4">`: {},
	} {
		width, height := imageSize("image/svg+xml", []byte(text))
		if (size{width, height}) != want {
			t.Errorf("%.80q is %d by %d, want %v", text, width, height, want)
		}
	}
}

func TestImageSizeOfWebP(t *testing.T) {
	picture, err := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
	if err != nil {
		t.Fatal(err)
	}
	if width, height := imageSize("image/webp", picture); width != 1 || height != 1 {
		t.Errorf("the picture is %d by %d", width, height)
	}
}
