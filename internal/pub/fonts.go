package pub

import "io/fs"

// Fonts returns the font files of published sites by their names, for other pages of the product that look alike.
func Fonts() fs.FS {
	fonts, err := fs.Sub(embedded, "assets/fonts")
	if err != nil {
		panic(err) // the name is a constant and valid
	}
	return fonts
}
