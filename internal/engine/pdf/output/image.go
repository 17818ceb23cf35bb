package output

import (
	"fmt"
	"image"
)

// Image names an image that was written.
type Image struct {
	Width, Height int
	index         int
}

// Name is what content operators call the image.
func (i Image) Name() string { return fmt.Sprintf("I%d", i.index) }

// JPEG writes an image that is a JPEG already. Components is 1 for grey, 3 for colour.
func (f *File) JPEG(data []byte, width, height, components int) Image {
	space := "/DeviceRGB"
	if components == 1 {
		space = "/DeviceGray"
	}
	number := f.reserve()
	f.stream(number, fmt.Sprintf(
		"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s /BitsPerComponent 8 /Filter /DCTDecode",
		width, height, space), data)
	f.images = append(f.images, number)
	return Image{width, height, len(f.images) - 1}
}

// Pixels writes an image of pixels, with a mask when some are transparent.
func (f *File) Pixels(pixels *image.NRGBA) Image {
	width, height := pixels.Rect.Dx(), pixels.Rect.Dy()
	colours, alpha := make([]byte, 0, 3*width*height), make([]byte, 0, width*height)
	grey, opaque := true, true
	for y := range height {
		row := pixels.Pix[y*pixels.Stride : y*pixels.Stride+4*width]
		for ; len(row) > 0; row = row[4:] {
			colours = append(colours, row[0], row[1], row[2])
			alpha = append(alpha, row[3])
			grey = grey && row[0] == row[1] && row[1] == row[2]
			opaque = opaque && row[3] == 0xFF
		}
	}
	space, mask := "/DeviceRGB", ""
	if grey {
		space = "/DeviceGray"
		for i := range alpha {
			colours[i] = colours[3*i]
		}
		colours = colours[:len(alpha)]
	}
	if !opaque {
		number := f.reserve()
		f.stream(number, fmt.Sprintf(
			"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8", width,
			height), alpha)
		mask = fmt.Sprintf(" /SMask %d 0 R", number)
	}
	number := f.reserve()
	f.stream(number, fmt.Sprintf(
		"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s /BitsPerComponent 8%s", width, height,
		space, mask), colours)
	f.images = append(f.images, number)
	return Image{width, height, len(f.images) - 1}
}

// Drawing writes operators that draw something of a width and a height, from its lower left corner. It is shown as an
// image is.
func (f *File) Drawing(content []byte, width, height float64) Image {
	number := f.reserve()
	f.stream(number, fmt.Sprintf(
		"/Type /XObject /Subtype /Form /BBox [0 0 %.3f %.3f] /Matrix [%.9f 0 0 %.9f 0 0] /Resources %d 0 R",
		width, height, 1/width, 1/height, f.resources), content)
	f.images = append(f.images, number)
	return Image{int(width), int(height), len(f.images) - 1}
}
