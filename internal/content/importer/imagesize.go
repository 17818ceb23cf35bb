package importer

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/webp"
)

// imageSize returns the size of an image in pixels from its first bytes; zeros when they do not say. Pages keep room of
// that size until the image is there.
func imageSize(contentType string, start []byte) (width, height int) {
	var config image.Config
	var err error
	switch contentType {
	case "image/png":
		config, err = png.DecodeConfig(bytes.NewReader(start))
	case "image/jpeg":
		config, err = jpeg.DecodeConfig(bytes.NewReader(start))
	case "image/gif":
		config, err = gif.DecodeConfig(bytes.NewReader(start))
	case "image/webp":
		config, err = webp.DecodeConfig(bytes.NewReader(start))
	case "image/svg+xml":
		return drawingSize(start)
	}
	if err != nil {
		return 0, 0
	}
	return config.Width, config.Height
}

const (
	// maxDrawing bounds the size that a drawing may say it has, in pixels.
	maxDrawing = 20_000
	// maxProlog bounds what may stand before a drawing's first element: its declaration, its type and comments.
	maxProlog = 64
)

// drawingSize is what the first element of an SVG says. One that says how wide or high it is in parts of what is around
// it, or not at all, is as large as its place.
func drawingSize(start []byte) (width, height int) {
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(start, []byte("\ufeff"))))
	decoder.Strict = false
	// Names and numbers are ASCII, whatever the encoding of the text.
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	for range maxProlog {
		token, err := decoder.RawToken()
		if err != nil {
			return 0, 0
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if element.Name.Local != "svg" {
			return 0, 0
		}
		for _, a := range element.Attr {
			switch {
			case a.Name.Space != "":
			case a.Name.Local == "width":
				width = pixels(a.Value)
			case a.Name.Local == "height":
				height = pixels(a.Value)
			}
		}
		if width == 0 || height == 0 {
			return 0, 0
		}
		return width, height
	}
	return 0, 0
}

// pixelsOf are the absolute units of CSS, in pixels.
var pixelsOf = map[string]float64{"": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4}

// pixels reads a length, 0 for one that is not absolute or not sensible.
func pixels(length string) int {
	length = strings.ToLower(strings.TrimSpace(length))
	number := strings.TrimRight(length, "abcdefghijklmnopqrstuvwxyz%")
	each, known := pixelsOf[length[len(number):]]
	value, err := strconv.ParseFloat(number, 64)
	if !known || err != nil || !(value > 0) || value*each > maxDrawing {
		return 0
	}
	return max(1, int(math.Round(value*each)))
}
