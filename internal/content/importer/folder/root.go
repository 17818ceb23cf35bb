package folder

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
)

// layout says how a tree of files is organised.
type layout struct {
	// files is the tree from the content root on, prefix the root's path in what was given, with a final slash.
	files  *filetree.Tree
	prefix string
	// config is the bytes of .gitbook.yaml, nil when there is none; configRoot is where it lies.
	config []byte
	// book says that chapters are in the form of mdBook.
	book bool
	// summary is the path of the table of contents, "" when folders make the tree.
	summary string
	// nav is the navigation that a tool's configuration writes out, nil when there is none; navPlace is where it lies.
	nav      []*item
	navPlace string
	// readme is the path of the first page, "" when nothing names one.
	readme string
}

// maxConfig is the largest configuration file, in bytes.
const maxConfig = 1 << 20

// findLayout finds where the content of a tree starts and how it is organised.
func findLayout(files *filetree.Tree) (layout, error) {
	prefix := ""
	for range 8 {
		found, ok, err := layoutAt(files, prefix)
		if err != nil || ok {
			return found, err
		}
		only := onlyFolder(files)
		if only == "" {
			break
		}
		files, prefix = files.Sub(only), prefix+only+"/"
	}
	for _, dir := range []string{"src", "docs", "doc", "documentation"} {
		if sub := files.Sub(dir); sub.Has("SUMMARY.md") || sub.Has(".gitbook.yaml") {
			found, ok, err := layoutAt(sub, prefix+dir+"/")
			if err != nil || ok {
				return found, err
			}
		}
	}
	if dir := onlySummary(files); dir != "" {
		found, ok, err := layoutAt(files.Sub(dir), prefix+dir+"/")
		if err != nil || ok {
			return found, err
		}
	}
	if files.Has("mkdocs.yml") || files.Has("mkdocs.yaml") {
		if found, ok := mkdocsLayout(files, prefix); ok {
			return found, nil
		}
	}
	if sub := files.Sub("docs"); len(sub.Files()) > 0 && isToolRoot(files) {
		return layout{files: sub, prefix: prefix + "docs/"}, nil
	}
	return layout{files: files, prefix: prefix}, nil
}

// layoutAt reports whether a folder says that it is a content root.
func layoutAt(files *filetree.Tree, prefix string) (layout, bool, error) {
	switch {
	case files.Has(".gitbook.yaml"):
		config, err := files.Read(".gitbook.yaml", maxConfig)
		if err != nil {
			return layout{}, false, err
		}
		if config == nil {
			config = []byte{}
		}
		return layout{files: files, prefix: prefix, config: config}, true, nil
	case files.Has("book.toml"):
		book, err := files.Read("book.toml", maxConfig)
		if err != nil {
			return layout{}, false, err
		}
		src := bookSource(string(book))
		if sub := files.Sub(src); sub.Has("SUMMARY.md") {
			// Includes reach out of src into the rest of the book, so the root stays and chapters keep their folder.
			return layout{files: files, prefix: prefix, book: true, summary: path.Join(src, "SUMMARY.md")}, true, nil
		}
	case files.Has("SUMMARY.md"):
		hasAssets := false
		for _, file := range files.Files() {
			hasAssets = hasAssets || strings.HasPrefix(file.Path, ".gitbook/")
		}
		return layout{files: files, prefix: prefix, book: !hasAssets, summary: "SUMMARY.md"}, true, nil
	}
	return layout{}, false, nil
}

// onlyFolder returns the folder that holds everything, "" when there is none: archives of repositories have one.
func onlyFolder(files *filetree.Tree) string {
	only := ""
	for _, file := range files.Files() {
		dir, _, found := strings.Cut(file.Path, "/")
		if !found || only != "" && dir != only {
			return ""
		}
		only = dir
	}
	return only
}

// onlySummary returns the folder of the one SUMMARY.md in a tree, "" when there is none or more than one.
func onlySummary(files *filetree.Tree) string {
	found := ""
	for _, file := range files.Files() {
		if path.Base(file.Path) == "SUMMARY.md" {
			if found != "" {
				return ""
			}
			found = path.Dir(file.Path)
		}
	}
	return strings.TrimPrefix(found, ".")
}

// isToolRoot reports whether the configuration of a documentation tool lies in the root of a tree: its pages are in
// docs then.
func isToolRoot(files *filetree.Tree) bool {
	return slices.ContainsFunc([]string{"mkdocs.yml", "mkdocs.yaml", "docusaurus.config.js", "docusaurus.config.ts",
		"docusaurus.config.mjs"}, files.Has)
}

var bookSourceLine = regexp.MustCompile(`(?m)^\s*src\s*=\s*"([^"]*)"`)

// bookSource returns the folder of a book's chapters as book.toml names it.
func bookSource(toml string) string {
	if found := bookSourceLine.FindStringSubmatch(toml); found != nil && found[1] != "" {
		return found[1]
	}
	return "src"
}
