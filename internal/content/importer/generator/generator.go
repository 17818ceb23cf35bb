// Package generator owns what is known of the programs that make sites of trees of Markdown: their names, the addresses
// that they give to files, and the anchors that they give to headings.
//
// An import leads these addresses and anchors to where the pages are here, so that links from elsewhere go on. The
// package knows rules and reads no files.
package generator

import (
	"slices"
	"strings"
)

// Name is the name of a generator, as people write it after --from.
type Name string

// Generators.
const (
	// Folders is a tree of Markdown that no generator is known of.
	Folders    Name = "folders"
	GitBook    Name = "gitbook"
	MdBook     Name = "mdbook"
	MkDocs     Name = "mkdocs"
	Docusaurus Name = "docusaurus"
	VitePress  Name = "vitepress"
	Hugo       Name = "hugo"
	Starlight  Name = "starlight"
	Mintlify   Name = "mintlify"
	Nextra     Name = "nextra"
	Sphinx     Name = "sphinx"
	Jekyll     Name = "jekyll"
	// Asciidoctor is a tree of AsciiDoc whose pages Asciidoctor makes one by one.
	Asciidoctor Name = "asciidoctor"
)

// Names returns all names, in the order of the manual.
func Names() []Name {
	return []Name{Folders, GitBook, MdBook, MkDocs, Docusaurus, VitePress, Hugo, Starlight, Mintlify, Nextra, Sphinx,
		Jekyll, Asciidoctor}
}

// Known reports whether there is a generator of that name.
func Known(name Name) bool { return slices.Contains(Names(), name) }

// List returns the names as a sentence has them.
func List() string {
	names := Names()
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = string(name)
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
