// Package folder owns reading a tree of Markdown files into a source.Tree.
//
// It knows three ways to organise one: the dialect's (SUMMARY.md with .gitbook.yaml, assets, includes and variables),
// mdBook's (SUMMARY.md, includes, listings), and none, where folders make the tree. A single page is a tree of one
// file. HTML files among the Markdown become pages too. The package reads files and writes nothing; a file that is not
// text where text is needed, and a table of contents that goes out of bounds, end the reading with an errs error that
// names the place.
package folder

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/folder/tags"
	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/git"
)

// maxPageBytes is the largest file that is read as a page, in bytes; its body may be smaller only.
const maxPageBytes = 16 << 20

// reader reads one tree.
type reader struct {
	files  *filetree.Tree
	layout layout
	// dialect says that the tree has the dialect's configuration: README.md alone is the page of a folder.
	dialect bool
	tree    *source.Tree
	book    *bookReader
	// pages, assets and reusables are what was taken, by path. groups are by the path of their folder.
	pages     map[string]*source.Page
	assets    map[string]*source.File
	reusables map[string]*source.Reusable
	groups    map[string]*source.Page
	// unlisted are Markdown files that the table of contents does not name.
	unlisted map[string]bool
	// endings are pages by the ends of their paths, nil where several have it; made when a link needs them.
	endings map[string]*source.Page
	// byAddress are pages by the addresses that the generator gave them; made when a link needs them.
	byAddress map[string]*source.Page
	// oids are the names that Git gives to the files that were read as text, by path.
	oids map[string]string
	// ids are files by the ids that Docusaurus gives to them; made when a sidebar needs them.
	ids     map[string]string
	options Options
	// sphinx are the labels and titles of documents; read when a role needs them.
	sphinx *sphinxNames
	// whole is everything that was given; failure is why the first page that was left out could not be read.
	whole   *filetree.Tree
	failure error
	// left are files that cannot be read as pages.
	left  map[string]bool
	menus menus
	// labels are what tags are called.
	labels tags.Labels
}

// Options say how a tree is read.
type Options struct {
	// Name is what a single page without a title is called.
	Name string
	// From is the generator that the tree is of, "" when that is to be found out.
	From generator.Name
	// Convert makes HTML of a page that is neither Markdown nor HTML; nil for a machine that has no program for it.
	Convert func(ctx context.Context, name string, text []byte) ([]byte, error)
}

// Read reads a tree of files. Bodies go to texts. The tree's files stay open: they are read when the import takes them.
func Read(ctx context.Context, files *filetree.Tree, options Options, texts *source.Texts) (*source.Tree, error) {
	found, err := findLayout(files, options.From)
	if err != nil {
		return nil, err
	}
	name := options.Name
	r := &reader{
		files: found.files, layout: found, dialect: found.generator == generator.GitBook || hasFolder(found.files,
			".gitbook"),
		tree: &source.Tree{Texts: texts}, pages: map[string]*source.Page{}, assets: map[string]*source.File{},
		reusables: map[string]*source.Reusable{}, groups: map[string]*source.Page{}, unlisted: map[string]bool{},
		oids: map[string]string{}, left: map[string]bool{}, options: options, whole: files,
	}
	r.tree.Resolve = r.resolve
	r.tree.Report.Detected = &source.Detected{Generator: string(found.generator), Because: found.because}
	for _, note := range found.notes {
		r.tree.Report.NotUnderstood.Addf(r.place(""), "%s", note)
	}
	if err := r.readConfig(); err != nil {
		return nil, err
	}
	if r.layout.book {
		r.book = &bookReader{files: r.files, report: &r.tree.Report, place: r.place}
	}
	if err := r.readAround(); err != nil {
		return nil, err
	}
	if r.layout.generator == generator.Sphinx {
		r.startSphinx()
	}
	switch {
	case r.layout.summary != "":
		err = r.readSummary(ctx)
	case len(r.layout.nav) > 0:
		err = r.readNav(ctx)
	default:
		err = r.readFolders(ctx, name)
	}
	if err != nil {
		return nil, err
	}
	if len(r.tree.Pages) == 0 {
		if r.failure != nil {
			return nil, r.failure
		}
		return nil, errs.New(errs.Invalid, "there is no page in it: no Markdown or HTML file")
	}
	if err := r.takeAssets(); err != nil {
		return nil, err
	}
	r.addRedirects()
	return r.tree, nil
}

func hasFolder(files *filetree.Tree, dir string) bool {
	for _, file := range files.Files() {
		if strings.HasPrefix(file.Path, dir+"/") {
			return true
		}
	}
	return false
}

// IsPage reports whether a file name is that of a page of a kind: ".md" stands for all spellings of Markdown, ".html"
// for all of HTML.
func IsPage(name, kind string) bool {
	extension := strings.ToLower(path.Ext(name))
	if kind == ".md" {
		return extension == ".md" || extension == ".markdown" || extension == ".mdx"
	}
	return extension == ".html" || extension == ".htm" || extension == ".xhtml"
}

// stem returns a file name without its extension.
func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// place names a file for the report: its path in what was given.
func (r *reader) place(file string) string { return r.layout.prefix + file }

// text reads a file as text.
func (r *reader) text(file string) (string, error) {
	data, err := r.files.Read(file, maxPageBytes)
	if err != nil {
		return "", err
	}
	r.oids[file] = git.OID(data)
	return decode(r.place(file), data)
}

// addAsset takes a file along.
func (r *reader) addAsset(file string) *source.File {
	if known := r.assets[file]; known != nil {
		return known
	}
	size, ok := r.files.Size(file)
	if !ok {
		return nil
	}
	made := &source.File{
		Place: r.place(file), Name: path.Base(file), Path: file, Size: size,
		Open: func() (io.ReadCloser, error) { return r.files.Open(file) },
	}
	r.assets[file] = made
	r.tree.Files = append(r.tree.Files, made)
	return made
}

// addFrom takes a file along that lies outside the content root. It is kept below the assets under its own name.
func (r *reader) addFrom(files *filetree.Tree, file string) *source.File {
	key := "\x00" + file // no path of a file in the content
	if known := r.assets[key]; known != nil {
		return known
	}
	size, _ := files.Size(file)
	made := &source.File{Place: file, Name: path.Base(file), Size: size,
		Open: func() (io.ReadCloser, error) { return files.Open(file) }}
	r.assets[key] = made
	r.tree.Files = append(r.tree.Files, made)
	return made
}

// imageExtensions are of files that are taken along wherever they lie: pages may name them in ways that we do not see.
var imageExtensions = map[string]bool{
	".png": true, ".jpg": true, ".jpeg": true, ".gif": true, ".svg": true, ".webp": true, ".avif": true,
}

// IsImage reports whether a file is taken along by its name alone.
func IsImage(name string) bool { return imageExtensions[strings.ToLower(path.Ext(name))] }

// takeAssets takes the files that belong to the content: those of the assets folder, images, and whatever a page
// links to (resolve has taken those already, in walkLinks).
func (r *reader) takeAssets() error {
	if err := r.walkLinks(); err != nil {
		return err
	}
	if r.layout.prefix != "" && !r.dialect {
		isPage := func(file string) bool { return IsPage(file, ".md") || isOther(file) }
		outside := r.whole.Outside(r.layout.prefix, isPage)
		for _, top := range slices.Sorted(maps.Keys(outside)) {
			r.tree.Report.Skipped.Addf(top, "what lies outside of %s becomes no page: %d in it",
				strings.Trim(r.layout.prefix, "/"), outside[top])
		}
	}
	for _, file := range r.files.Files() {
		switch {
		case r.pages[file.Path] != nil, r.reusables[file.Path] != nil, r.assets[file.Path] != nil, r.left[file.Path]:
		case strings.HasPrefix(file.Path, ".gitbook/"):
			if file.Path != varsFile {
				r.addAsset(file.Path)
			}
		case r.unlisted[file.Path]:
			r.tree.Report.Skipped.Addf(r.place(file.Path), "the table of contents does not name it")
		case IsImage(file.Path) && r.inContent(file.Path):
			r.addAsset(file.Path)
		case !r.layout.book && !r.dialect && (IsPage(file.Path, ".md") || isOther(file.Path)) && r.isPartial(file.Path):
			r.tree.Report.Skipped.Addf(r.place(file.Path), "it is a fragment, which pages include")
		}
	}
	return nil
}

// inContent reports whether a file lies where chapters do: a book has more in its root than they.
func (r *reader) inContent(file string) bool {
	if !r.layout.book {
		return true
	}
	dir := path.Dir(r.layout.summary)
	return dir == "." || strings.HasPrefix(file, dir+"/")
}

// checkContext ends the reading when the import was cancelled.
func checkContext(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read folder: %w", context.Cause(ctx))
	}
	return nil
}
