package folder

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/folder/menu"
	"github.com/rectodocs/recto/internal/content/importer/folder/reference"
	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// layout says how a tree of files is organised.
type layout struct {
	// files is the tree from the content root on, prefix the root's path in what was given, with a final slash.
	files  *filetree.Tree
	prefix string
	// generator made a site of it, which because says: the file or the marks that tell.
	generator generator.Name
	because   string
	rules     generator.Rules
	// outer are the files around the content root, whose path in them is inner. publics are the folders in them whose
	// files a site has at its root.
	outer   *filetree.Tree
	inner   string
	publics []string
	// site is the path of the root of the generator's site in outer.
	site string
	// config is the bytes of .gitbook.yaml, nil when there is none.
	config []byte
	// book says that chapters are in the form of mdBook.
	book bool
	// summary is the path of the table of contents, "" when folders make the tree.
	summary string
	// nav is the navigation that a tool's configuration writes out, nil when there is none; navPlace is where it lies.
	nav      []*item
	navPlace string
	// menus are those in the configuration of Hugo, by the paths of pages without extension.
	menus map[string]menu.Entry
	// readme is the path of the first page, "" when nothing names one.
	readme string
	// redirects are former addresses that the configuration names, with where they lead.
	redirects [][2]string
	// extensions are those of Python-Markdown that the site has; snippetFolders and appended are what its snippets say:
	// where files to include lie, and those that stand below every page.
	extensions, snippetFolders, appended []string
	// references are the descriptions of APIs that the configuration names, nil for none.
	references *reference.Set
	// notes are what is to be said of the configuration.
	notes []string
}

// maxConfig is the largest configuration file, in bytes.
const maxConfig = 1 << 20

// findLayout finds where the content of a tree starts and how it is organised. wanted is the generator that it is said
// to be of, "" when that is to be found out.
func findLayout(files *filetree.Tree, wanted generator.Name) (layout, error) {
	prefix := ""
	for range 8 {
		found, ok, err := layoutAt(files, prefix, wanted)
		if err != nil || ok {
			return found, err
		}
		only := onlyFolder(files)
		if only == "" || hasSite(files, wanted) {
			break
		}
		files, prefix = files.Sub(only), prefix+only+"/"
	}
	if found, ok := generatorLayout(files, prefix, wanted); ok && (wanted != "" || !weak[found.generator]) {
		return found, nil
	}
	for _, dir := range []string{"src", "docs", "doc", "documentation"} {
		if sub := files.Sub(dir); sub.Has("SUMMARY.md") || sub.Has(".gitbook.yaml") {
			found, ok, err := layoutAt(sub, prefix+dir+"/", wanted)
			if err != nil || ok {
				return found, err
			}
		}
	}
	if dir := onlySummary(files); dir != "" {
		found, ok, err := layoutAt(files.Sub(dir), prefix+dir+"/", wanted)
		if err != nil || ok {
			return found, err
		}
	}
	if found, ok := generatorLayout(files, prefix, wanted); ok {
		return found, nil
	}
	found := layout{files: files, prefix: prefix, generator: generator.Folders, because: "its folders", outer: files}
	if isMostlyAsciiDoc(files) {
		found.generator, found.because = generator.Asciidoctor, "pages in AsciiDoc"
	}
	if wanted != "" {
		found.generator, found.because = wanted, "what was asked for"
	}
	found.rules.Name = found.generator
	if files.Has(".gitbook.yaml") && (wanted == "" || wanted == generator.GitBook) {
		found.config = config(files)
	}
	return found, nil
}

// bookRedirects returns what the configuration of a book redirects: former addresses, from the root of the book, with
// the files of chapters below src, or addresses elsewhere.
func bookRedirects(config, src string) [][2]string {
	var read struct {
		Output struct {
			HTML struct{ Redirect map[string]string }
		}
	}
	if toml.Unmarshal([]byte(config), &read) != nil {
		return nil
	}
	var found [][2]string
	for _, from := range slices.Sorted(maps.Keys(read.Output.HTML.Redirect)) {
		to := read.Output.HTML.Redirect[from]
		if !withScheme.MatchString(to) {
			target, anchor, anchored := strings.Cut(to, "#")
			if !strings.HasPrefix(target, "/") {
				target = path.Join("/", path.Dir(from), target)
			}
			to = path.Join(src, strings.TrimSuffix(target, ".html")+".md")
			if anchored {
				to += "#" + anchor
			}
		}
		if len(found) < maxRedirects {
			found = append(found, [2]string{from, to})
		}
	}
	return found
}

// weak are the generators whose configuration lies in repositories of other things, too.
var weak = map[generator.Name]bool{generator.Hugo: true, generator.Sphinx: true, generator.Jekyll: true,
	generator.Nextra: true}

// hasSite reports whether the configuration of a generator lies in the root of a tree.
func hasSite(files *filetree.Tree, wanted generator.Name) bool {
	_, found := generatorLayout(files, "", wanted)
	return found
}

// config returns the bytes of .gitbook.yaml; those of one that cannot be read are none.
func config(files *filetree.Tree) []byte {
	data, err := files.Read(".gitbook.yaml", maxConfig)
	if err != nil || data == nil {
		return []byte{}
	}
	return data
}

// layoutAt reports whether a folder says that it is a content root of the dialect or of mdBook.
func layoutAt(files *filetree.Tree, prefix string, wanted generator.Name) (layout, bool, error) {
	if wanted != "" && wanted != generator.GitBook && wanted != generator.MdBook {
		return layout{}, false, nil
	}
	dialect, book := wanted != generator.MdBook, wanted != generator.GitBook
	if dialect && files.Has(".gitbook.yaml") && (wanted != "" || !isStale(files)) {
		return layout{files: files, prefix: prefix, config: config(files), generator: generator.GitBook,
			because: prefix + ".gitbook.yaml"}, true, nil
	}
	if book && files.Has("book.toml") {
		config, err := files.Read("book.toml", maxConfig)
		if err != nil {
			return layout{}, false, err
		}
		src := bookSource(string(config))
		if sub := files.Sub(src); sub.Has("SUMMARY.md") {
			// Includes reach out of src into the rest of the book, so the root stays and chapters keep their folder.
			return layout{files: files, prefix: prefix, book: true, summary: path.Join(src, "SUMMARY.md"),
				generator: generator.MdBook, because: prefix + "book.toml", navPlace: prefix + "book.toml",
				redirects: bookRedirects(string(config), src),
				rules:     generator.Rules{Name: generator.MdBook}}, true, nil
		}
	}
	if !files.Has("SUMMARY.md") || wanted == "" && hasSite(files, "") && !hasFolder(files, ".gitbook") {
		return layout{}, false, nil
	}
	found := layout{files: files, prefix: prefix, summary: "SUMMARY.md", generator: generator.GitBook}
	found.book, found.because = isBook(files, "SUMMARY.md")
	if wanted != "" {
		found.book, found.because = wanted == generator.MdBook, "what was asked for"
	}
	if found.book {
		found.generator = generator.MdBook
	}
	found.rules.Name = found.generator
	return found, true, nil
}

// isStale reports whether .gitbook.yaml is left from former times, or says nothing: it names no table of contents that
// is there, and the tree is another generator's or its pages are in the words of other tools.
func isStale(files *filetree.Tree) bool {
	parsed, err := treefile.ParseConfig(config(files))
	root := files
	summary := "SUMMARY.md"
	if err == nil {
		root = files.Sub(parsed.Root)
		summary = parsed.Summary
	}
	if len(root.Files()) == 0 {
		return true
	}
	if hasFolder(root, ".gitbook") {
		return false
	}
	if !hasSite(files, "") && !files.Has("book.toml") {
		if root.Has(summary) {
			return false
		}
		dialect, _, other := marks(root)
		return other > dialect
	}
	dialect, book, other := marks(root)
	return dialect <= book+other || !root.Has(summary)
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

var bookSourceLine = regexp.MustCompile(`(?m)^\s*src\s*=\s*"([^"]*)"`)

// bookSource returns the folder of a book's chapters as book.toml names it.
func bookSource(toml string) string {
	if found := bookSourceLine.FindStringSubmatch(toml); found != nil && found[1] != "" {
		return found[1]
	}
	return "src"
}
