package folder

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/flavor"
	"github.com/rectodocs/recto/internal/content/importer/folder/menu"
	"github.com/rectodocs/recto/internal/content/importer/generator"
)

// sign is a file that says that a folder is a generator's.
type sign struct {
	name  generator.Name
	files []string
}

// signs are what generators keep in the root of a site, the surest first. A file of Jekyll, Sphinx, Hugo or Next is in
// repositories of other things, too: those come last and need something more.
var signs = []sign{
	{generator.MkDocs, []string{"mkdocs.yml", "mkdocs.yaml"}},
	{generator.Docusaurus, []string{"docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs",
		"docusaurus.config.mts", "docusaurus.config.cjs"}},
	{generator.VitePress, []string{".vitepress/config.ts", ".vitepress/config.js", ".vitepress/config.mts",
		".vitepress/config.mjs", ".vitepress/config/index.ts", ".vitepress/config/index.mts",
		".vitepress/config/index.js"}},
	{generator.Starlight, []string{"astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts"}},
	{generator.Mintlify, []string{"docs.json", "mint.json"}},
	{generator.Hugo, []string{"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml",
		"config/_default/hugo.toml", "config/_default/hugo.yaml", "config/_default/config.toml"}},
	{generator.Sphinx, []string{"conf.py"}},
	{generator.Jekyll, []string{"_config.yml", "_config.yaml"}},
	{generator.Nextra, []string{"theme.config.tsx", "theme.config.jsx", "theme.config.js", "next.config.mjs",
		"next.config.js", "next.config.ts"}},
}

// siteFolders are where repositories keep the site of their documentation, the root first.
var siteFolders = []string{"", "docs", "website", "documentation", "doc", "site", "www", "docs/source", "doc/source",
	"source", "apps/docs", "packages/docs", "docs-site", "web"}

// in returns the file that says that a folder is a generator's, "" for none.
func (s sign) in(files *filetree.Tree, dir string) string {
	for _, name := range s.files {
		if files.Has(path.Join(dir, name)) {
			return name
		}
	}
	return ""
}

// generatorLayout returns the layout of a generator whose configuration is found in a tree, and whether there is one.
// wanted is the only one that counts, "" for all of them.
func generatorLayout(files *filetree.Tree, prefix string, wanted generator.Name) (layout, bool) {
	for _, each := range signs {
		if wanted != "" && wanted != each.name {
			continue
		}
		for _, dir := range siteFolders {
			config := each.in(files, dir)
			if config == "" {
				continue
			}
			site := files.Sub(dir)
			found, ok := siteLayout(each.name, site, config)
			if !ok {
				continue
			}
			below := ""
			if dir != "" {
				below = dir + "/"
			}
			found.outer, found.inner, found.site = files, path.Join(dir, found.inner), dir
			for i := range found.publics {
				found.publics[i] = path.Join(dir, found.publics[i])
			}
			found.generator, found.because = each.name, prefix+below+config
			found.files, found.prefix = files.Sub(found.inner), prefix
			if found.inner != "" {
				found.prefix += found.inner + "/"
			}
			if found.navPlace != "" {
				found.navPlace = prefix + below + found.navPlace
			}
			return found, true
		}
	}
	return layout{}, false
}

// siteLayout returns where a generator whose configuration is in the root of a site has its pages (inner) and its files
// (publics), both below that root.
func siteLayout(name generator.Name, site *filetree.Tree, config string) (layout, bool) {
	found := layout{rules: generator.Rules{Name: name}}
	switch name {
	case generator.MkDocs:
		return mkdocsLayout(site, config)
	case generator.Docusaurus:
		found.docusaurus(site, config)
	case generator.VitePress:
		found.vitePress(site, config)
	case generator.Starlight:
		found.inner, found.publics = "src/content/docs", []string{"public"}
		found.starlight(site, config)
	case generator.Mintlify:
		if !found.mintlify(site, config) {
			return layout{}, false
		}
	case generator.Hugo:
		found.inner, found.publics = "content", []string{"static", "assets"}
		found.menus = menu.Hugo(site)
		if dir := onlyLanguage(site.Sub("content")); dir != "" {
			found.inner = "content/" + dir
		}
	case generator.Jekyll:
		found.publics = []string{""}
		if !hasPages(site, "_docs") && hasPages(site, "docs") && !hasPages(site, "_pages") && !site.Has("index.md") {
			found.inner = "docs"
			found.rules.Base = "docs"
		}
	case generator.Nextra:
		found.publics = []string{"public"}
		for _, dir := range []string{"content", "src/content", "pages", "src/pages"} {
			if hasPages(site, dir) {
				found.inner = dir
				break
			}
		}
		if found.inner == "" {
			return layout{}, false
		}
		if data, err := site.Read(config, maxConfig); err == nil && nextraFormulas.Match(data) {
			found.extensions = []string{flavor.Formulas}
		}
	}
	return found, hasPages(site, found.inner)
}

// nextraFormulas is how a configuration of Nextra says that signs of money enclose formulas.
var nextraFormulas = regexp.MustCompile(`\blatex:\s*(?:true|\{)`)

// hasPages reports whether there is a page below a folder.
func hasPages(files *filetree.Tree, dir string) bool {
	if dir == "." {
		dir = ""
	}
	return slices.ContainsFunc(files.Sub(dir).Files(), func(file filetree.File) bool {
		return IsPage(file.Path, ".md") || isOther(file.Path)
	})
}

// isMostlyAsciiDoc reports whether more pages are in AsciiDoc than in all else.
func isMostlyAsciiDoc(files *filetree.Tree) bool {
	balance := 0
	for _, file := range files.Files() {
		switch {
		case isAsciiDoc(file.Path):
			balance++
		case IsPage(file.Path, ".md"), IsPage(file.Path, ".html"), isOther(file.Path):
			balance--
		}
	}
	return balance > 0
}

var languageName = regexp.MustCompile(`^[a-z]{2}(?:-[a-zA-Z]{2,4})?$`)

// onlyLanguage returns the folder of the first language when the content is in folders of languages, "" when it is not.
func onlyLanguage(files *filetree.Tree) string {
	first := ""
	for _, file := range files.Files() {
		dir, _, found := strings.Cut(file.Path, "/")
		if !found {
			if IsPage(file.Path, ".md") {
				return ""
			}
			continue
		}
		if !languageName.MatchString(dir) {
			return ""
		}
		if first == "" || dir == "en" {
			first = dir
		}
	}
	return first
}

// maxSampled is how many pages are looked at to tell dialects apart.
const maxSampled = 400

// A mark is what pages of some tool have: a text, and behind it what an expression finds that begins there. Looking for
// texts first keeps the expressions off nearly all of a page.
type mark struct {
	text   string
	behind *regexp.Regexp
	// starts says that it counts at the start of a line alone.
	starts bool
}

var (
	dialectMarks = []mark{
		{text: "{%", behind: regexp.MustCompile(`^\s*(?:hint|tabs?|code|embed|content-ref|stepper|step|columns?|file|` +
			`include|page-ref|swagger|openapi)\b[^%]*%\}`)},
		{text: ".gitbook/assets"}, {text: `data-view="cards"`}, {text: `class="gitbook-`},
	}
	bookMarks = []mark{
		{text: "{{", behind: regexp.MustCompile(`^\s*#(?:rustdoc_)?(?:include|playground|playpen|title)\b`)},
		{text: "<Listing", behind: regexp.MustCompile(`^(?:\W|$)`)},
		{text: "```rust,", starts: true,
			behind: regexp.MustCompile(`^(?:ignore|no_run|noplayground|should_panic|editable|does_not_compile)`)},
	}
	otherMarks = []mark{
		{text: "!!! ", starts: true}, {text: "??? ", starts: true}, {text: "???+ ", starts: true},
		{text: ":::", starts: true, behind: regexp.MustCompile(`^\s*(?:note|tip|info|warning|danger|details)`)},
		{text: "import ", starts: true, behind: regexp.MustCompile(`^\w+ from `)},
		{text: "<Tabs", starts: true}, {text: "<Card", starts: true}, {text: "<Aside", starts: true},
		{text: "{{< ", starts: true}, {text: "{{% ", starts: true},
	}
)

// maxMarks is how many marks of a kind one page may have: a long one shall not outvote all others.
const maxMarks = 50

// countMarks returns how many marks a page has, at most maxMarks.
func countMarks(page []byte, marks []mark) int {
	count := 0
	for _, each := range marks {
		for at := 0; count < maxMarks; {
			next := bytes.Index(page[at:], []byte(each.text))
			if next < 0 {
				break
			}
			start := at + next
			at = start + len(each.text)
			if each.starts && start > 0 && page[start-1] != '\n' {
				continue
			}
			if each.behind == nil || each.behind.Match(page[at:]) {
				count++
			}
		}
	}
	return count
}

// marks counts what the pages of a tree have of the dialect, of mdBook and of other tools.
func marks(files *filetree.Tree) (dialect, book, other int) {
	sampled := 0
	for _, file := range files.Files() {
		if !IsPage(file.Path, ".md") || file.Size > maxConfig {
			continue
		}
		data, err := files.Read(file.Path, maxConfig)
		if err != nil {
			continue
		}
		dialect += countMarks(data, dialectMarks)
		book += countMarks(data, bookMarks)
		other += countMarks(data, otherMarks)
		if sampled++; sampled == maxSampled {
			break
		}
	}
	return dialect, book, other
}

var (
	draftItem  = regexp.MustCompile(`(?m)^\s*[-*+] \[[^\]]*\]\(\s*\)`)
	groupItem  = regexp.MustCompile(`(?m)^##\s+\S`)
	bookPart   = regexp.MustCompile(`(?m)^#\s+\S`)
	bareItem   = regexp.MustCompile(`(?m)^\[[^\]]+\]\([^)]*\)`)
	starItem   = regexp.MustCompile(`(?m)^\s*\* \[`)
	linkTitled = regexp.MustCompile(`(?m)^\s*\* \[[^\]]*\]\(\S+ "`)
)

// isBook reports whether a tree with a table of contents is an mdBook rather than in the dialect, and what says so.
func isBook(files *filetree.Tree, summary string) (bool, string) {
	if hasFolder(files, ".gitbook") {
		return false, "the folder .gitbook"
	}
	dialect, book, _ := marks(files)
	if dialect > book {
		return false, "the tags in its pages"
	}
	if book > dialect {
		return true, "the includes in its chapters"
	}
	if files.Has("book.json") {
		return false, "book.json"
	}
	data, err := files.Read(summary, maxSummary)
	if err != nil {
		return true, summary
	}
	text := string(data)
	switch {
	case draftItem.MatchString(text), bareItem.MatchString(text), len(bookPart.FindAllString(text, 2)) > 1:
		return true, summary
	case strings.Contains(text, "# Table of contents"), groupItem.MatchString(text), linkTitled.MatchString(text):
		return false, summary
	}
	return !starItem.MatchString(text) || !files.Has("README.md"), summary
}
