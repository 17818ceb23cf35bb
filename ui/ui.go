// Package ui owns the app that people work in: TypeScript, built into files that a browser loads, which are embedded so
// that the program needs nothing else. The sources and how to build them are in README.md beside this file.
package ui

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Files returns what the build made: index.html, and below assets the files that it loads, whose names hold hashes of
// their contents.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant that is a valid path
	}
	return files
}
