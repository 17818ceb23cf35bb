// Package pagefile owns the files of a space's Markdown tree: where the file of a page, a reusable content or an image
// is, how a link in one file is written relative to it, and what a written link means. The packages below it own what a
// page's file says: frontmatter its fields, links its destinations.
//
// A page has up to three paths. They are the same for most pages, and each has its use:
//
//   - Path makes one of the page's address. It costs one page, and Address leads back. The API writes the links of a
//     page this way and reads them back when the page is sent.
//   - OfPage is the path of the file that the page was imported from, and Path for the others. Links that are stored as
//     they were written are relative to it, so it is the one that readers, the link index and PDFs resolve them by.
//   - An Allocator gives a path that no other file has, on file systems without case, too, and that every file system
//     takes. It needs the whole tree. An export writes its files and their links this way.
//
// A link that names a page with others below it names its file ("guides/README.md") where the API writes it, and its
// folder ("guides/") in an export. Address and Meanings read both.
//
// What is read is wider than what is written. Meanings lists everything that an author may have meant, and a way that
// leads out of the tree ends at its root, as in a browser. Address takes the written form alone: what the API stores as
// a reference is what it would have written itself.
//
// Paths are relative to the root of the tree, with slashes and without escapes: "guides/install.md".
package pagefile

import (
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// Readme is the file of a page with others below it, in the folder of those.
const Readme = "README.md"

// AssetFolder and IncludeFolder are where a tree keeps the files and the reusable contents that have no path of their
// own.
const (
	AssetFolder   = ".gitbook/assets/"
	IncludeFolder = ".gitbook/includes/"
)

// Path returns where the file of a page is by its address: "guides/install.md", and "guides/README.md" for one with
// pages below it.
func Path(address string, parent bool) string {
	if parent {
		return address + "/" + Readme
	}
	return address + ".md"
}

// Address returns the address of the page that Path gives a file, or the folder that a page's pages are in; "" when it
// gives none.
func Address(file string) string {
	switch {
	case strings.HasSuffix(file, "/"):
		return strings.TrimRight(file, "/")
	case path.Base(file) == Readme && path.Dir(file) != ".":
		return path.Dir(file)
	case strings.HasSuffix(file, ".md"):
		return strings.TrimSuffix(file, ".md")
	}
	return ""
}

// Paths returns the paths that lead to a page by its address: the address itself, and its file with pages below the
// page and without.
func Paths(address string) []string {
	return []string{address, Path(address, false), Path(address, true)}
}

// Addresses returns the addresses of the pages that a path leads to by their addresses: Paths the other way round.
func Addresses(file string) []string {
	addresses := []string{file}
	if short, ok := strings.CutSuffix(file, ".md"); ok {
		addresses = append(addresses, short)
	}
	if short, ok := strings.CutSuffix(file, "/"+Readme); ok {
		addresses = append(addresses, short)
	}
	return addresses
}

// OfPage returns the path of the file that a page was imported from, and Path for one that was made here.
func OfPage(page *entity.Entry, address string, parent bool) string {
	if page.Path != "" {
		return page.Path
	}
	return Path(address, parent)
}

// Of returns where a file or reusable content is: at its own path, or in the folder for its kind. It returns "" for a
// page that was made here, whose path OfPage knows, and for what has no file.
func Of(e *entity.Entry) string {
	switch {
	case e.Path != "":
		return e.Path
	case e.Kind == entity.KindFile:
		return AssetFolder + e.Name
	case e.Kind == entity.KindReusable:
		return IncludeFolder + IncludeName(e) + ".md"
	}
	return ""
}

// IncludeName returns the name of a reusable content's file without its extension: that of the file that it was
// imported from, or one made of its title.
func IncludeName(e *entity.Entry) string {
	if e.Name != "" {
		return e.Name
	}
	return entity.Slugify(e.Title)
}
