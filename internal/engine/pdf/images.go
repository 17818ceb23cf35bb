package pdf

import (
	"bytes"
	"image"
	"image/color"
	_ "image/gif" // formats that image.Decode knows
	"image/jpeg"
	_ "image/png"
	"io"
	"math"
	"path"
	"runtime"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/pdf/output"
	"github.com/rectodocs/recto/internal/engine/pdf/vector"
)

// picture is an image of the book, or that it could not be had.
type picture struct {
	image output.Image
	// width and height are the pixels of the original: what is written may have fewer.
	width, height int
	name          string
	missing       bool
}

const (
	// pixelsPerInch is the resolution from which an image as wide as the text gains nothing on paper.
	pixelsPerInch = 190
	widest        = 1240 // pixels: textWidth at that resolution
	// points is what a pixel measures when nothing says how large an image is to be.
	points = 0.75
	// largeImage is the number of pixels from which memory is given back at once.
	largeImage = 2_000_000
)

// fit returns the size to show a picture in, in points: its own or the one asked for, within what there is.
func (p *picture) fit(width, height float64, asked *doc.Length) (float64, float64) {
	shown := float64(p.width) * points
	if asked != nil && asked.Value > 0 {
		shown = asked.Value * points
		if asked.Unit == "%" {
			shown = width * min(asked.Value, 100) / 100
		}
	}
	ratio := float64(p.height) / float64(p.width)
	shown = min(shown, width, height/ratio)
	return max(shown, 1), max(shown*ratio, 1)
}

// picture writes the image of a reference when it is first met. One that cannot be shown is missing.
func (b *builder) picture(ref doc.Ref) *picture {
	key := ref.Destination()
	if ref.Kind == doc.RefURL && !ref.IsExternal() {
		key = b.page.ID + " " + key // means another file on another page
	}
	if known := b.images[key]; known != nil {
		return known
	}
	p := &picture{missing: true, name: b.imageName(ref)}
	b.images[key] = p
	if b.report.Images >= b.limits.Images {
		b.report.Missing++
		return p
	}
	if data := b.imageBytes(ref); data != nil {
		b.embed(p, data)
		if len(data) > largeImage/4 || p.width*p.height > largeImage {
			// Its pixels are garbage now, which the collector would let stand until the heap has doubled.
			runtime.GC()
		}
	}
	if p.missing {
		b.report.Missing++
	} else {
		b.report.Images++
	}
	return p
}

func (b *builder) imageName(ref doc.Ref) string {
	if found := b.source.Resolve(b.ctx, b.page.ID, ref); found.Title != "" {
		return found.Title
	}
	name, _, _ := strings.Cut(ref.Destination(), "?")
	return path.Base(name)
}

// imageBytes reads an image's file; nil when it is not there or too large.
func (b *builder) imageBytes(ref doc.Ref) []byte {
	reader, err := b.source.Image(b.ctx, b.page.ID, ref)
	if err != nil {
		if b.ctx.Err() != nil {
			panic(stop{b.ctx.Err()})
		}
		return nil
	}
	defer reader.Close()
	data, err := io.ReadAll(io.LimitReader(reader, int64(b.limits.ImageBytes)+1))
	if err != nil || len(data) > b.limits.ImageBytes {
		return nil
	}
	return data
}

// embed writes an image that it can decode: a JPEG of a sensible size as it is, others as pixels, no finer than paper
// needs.
func (b *builder) embed(p *picture, data []byte) {
	defer func() {
		if caught := recover(); caught != nil {
			if ended, ok := caught.(stop); ok {
				panic(ended)
			}
			p.missing = true // a decoder that fails costs its image
		}
	}()
	if isSVG(data) {
		b.embedDrawing(p, data)
		return
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width > 30_000 || config.Height > 30_000 ||
		config.Width*config.Height > b.limits.ImagePixels {
		return
	}
	p.width, p.height = config.Width, config.Height
	if components := jpegComponents(config); format == "jpeg" && components > 0 && config.Width <= widest*3/2 {
		// Decoding finds out whether readers can show it.
		if _, err := jpeg.Decode(bytes.NewReader(data)); err == nil {
			p.image, p.missing = b.file.JPEG(data, config.Width, config.Height, components), false
		}
		return
	}
	decoded, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return
	}
	scaled := shrink(decoded)
	if format == "jpeg" {
		var packed bytes.Buffer
		if jpeg.Encode(&packed, scaled, &jpeg.Options{Quality: 85}) == nil {
			p.image, p.missing = b.file.JPEG(packed.Bytes(), scaled.Rect.Dx(), scaled.Rect.Dy(), 3), false
		}
		return
	}
	p.image, p.missing = b.file.Pixels(scaled), false
}

// isSVG reports whether data is an SVG drawing: its element is near the beginning, behind comments at most.
func isSVG(data []byte) bool {
	head := bytes.TrimSpace(bytes.TrimPrefix(data[:min(len(data), 4096)], []byte("\xef\xbb\xbf")))
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head, []byte("<svg"))
}

// maxDrawing is the largest SVG drawing, in bytes.
const maxDrawing = 4 << 20

// embedDrawing writes an SVG drawing, when it is one that can be drawn as it is meant.
func (b *builder) embedDrawing(p *picture, data []byte) {
	if len(data) > maxDrawing {
		return
	}
	drawing, err := vector.Draw(data, func(text string, t vector.Type) (float64, []vector.Run) {
		l := plain(t.Size)
		l.bold, l.italic, l.mono = t.Bold, t.Italic, t.Mono
		var runs []vector.Run
		words := b.text.shape(text, l)
		for _, part := range words.faces(l.size) {
			name, operators := b.file.Show(l.size, part.runs...)
			runs = append(runs, vector.Run{Font: name, Operators: operators, Width: part.width})
		}
		return words.width, runs
	})
	if err != nil || drawing.Width < 1 || drawing.Height < 1 {
		return
	}
	p.width, p.height = int(drawing.Width), int(drawing.Height)
	p.image, p.missing = b.file.Drawing(drawing.Content, drawing.Width, drawing.Height), false
}

// jpegComponents is the number of colours of a JPEG that PDF shows as it is, 0 for another.
func jpegComponents(config image.Config) int {
	switch config.ColorModel {
	case color.GrayModel:
		return 1
	case color.YCbCrModel:
		return 3
	}
	return 0
}

// shrink returns an image as straight pixels, at most as wide as the text needs.
func shrink(source image.Image) *image.NRGBA {
	bounds := source.Bounds()
	width, height := bounds.Dx(), bounds.Dy()
	if straight, ok := source.(*image.NRGBA); ok && width <= widest*5/4 && bounds.Min == (image.Point{}) {
		return straight
	}
	if width > widest*5/4 {
		height = max(1, int(math.Round(float64(height)*float64(widest)/float64(width))))
		width = widest
	}
	scaled := image.NewNRGBA(image.Rect(0, 0, width, height))
	if width == bounds.Dx() {
		draw.Copy(scaled, image.Point{}, source, bounds, draw.Src, nil)
	} else {
		draw.ApproxBiLinear.Scale(scaled, scaled.Bounds(), source, bounds, draw.Src, nil)
	}
	return scaled
}
