// Package notion owns reading an export of Notion pages into a source.Tree: "Markdown & CSV" and "HTML", as unpacked
// ZIP archives, also those that hold several archives as their parts.
//
// The ids that the export puts behind names are stripped; folders make the tree; pages stand in the order in which
// their parent links to them. A database becomes a page with a table, its rows' pages below it. Call-outs, toggles,
// tasks, formulas and images become what the dialect has for them, and links between pages lead to the imported pages,
// those with Notion's own addresses too. What has no counterpart is counted in the report. Nothing is written outside
// the temporary folder.
package notion

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/markup"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

// maxPageBytes is the largest file that is read as a page or a database, in bytes.
const maxPageBytes = 16 << 20

// Parts are archives inside the export: how many there may be, and how large each.
const (
	maxParts     = 50
	maxPartBytes = 2 << 30
)

var (
	withID    = regexp.MustCompile(`^(.*?)[ _-]?([0-9a-f]{32})$`)
	addressID = regexp.MustCompile(`([0-9a-f]{32})(?:[?#].*)?$`)
)

// Is reports whether an archive is an export of Notion.
func Is(files *filetree.Tree) bool {
	if len(partsOf(files)) > 0 {
		return true
	}
	named, others := 0, 0
	for _, file := range files.Files() {
		if !isPage(file.Path) || path.Base(file.Path) == "index.html" {
			continue
		}
		if _, id := cutID(stem(file.Path)); id != "" {
			named++
		} else {
			others++
		}
	}
	return named > others
}

// partsOf returns the archives that an export consists of, when it holds nothing else to read.
func partsOf(files *filetree.Tree) []string {
	var parts []string
	for _, file := range files.Files() {
		base := path.Base(file.Path)
		switch {
		case strings.EqualFold(path.Ext(base), ".zip") && (strings.Contains(base, "Export-") || strings.Contains(base,
			"Part-")):
			parts = append(parts, file.Path)
		case isPage(file.Path) && base != "index.html":
			return nil
		}
	}
	return parts
}

// isPage reports whether a file is a page or a database.
func isPage(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".html", ".csv":
		return true
	}
	return false
}

// stem returns a path without its extension.
func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// cutID takes the id off the last name of a path, "" when there is none.
func cutID(name string) (rest, id string) {
	dir, base := path.Split(name)
	if found := withID.FindStringSubmatch(base); found != nil {
		return dir + found[1], found[2]
	}
	return name, ""
}

// Read reads an export. Bodies go to texts, and parts are unpacked to files in its
// folder. The caller closes the tree.
func Read(ctx context.Context, files *filetree.Tree, texts *source.Texts) (*source.Tree, error) {
	opened, err := openParts(ctx, files, texts.Dir)
	if err != nil {
		return nil, err
	}
	e := &export{
		ctx: ctx, files: opened, tree: &source.Tree{Close: opened.Close, Texts: texts},
		pages: map[string]*source.Page{}, byID: map[string]*source.Page{},
		assets: map[string]*source.File{}, folders: map[string][]string{},
	}
	e.tree.Resolve = e.resolve
	if err := e.read(); err != nil {
		opened.Close()
		return nil, err
	}
	return e.tree, nil
}

// openParts returns the files of an export, which may be those of the archives in it.
func openParts(ctx context.Context, files *filetree.Tree, tempDir string) (*filetree.Tree, error) {
	parts := partsOf(files)
	if len(parts) == 0 {
		return files.Sub(""), nil
	}
	if len(parts) > maxParts {
		return nil, errs.New(errs.TooLarge, "the export has more than %d parts", maxParts)
	}
	var trees []*filetree.Tree
	closeAll := func() {
		for _, tree := range trees {
			tree.Close()
		}
	}
	for _, part := range parts {
		tree, err := openPart(ctx, files, part, tempDir)
		if err != nil {
			closeAll()
			return nil, err
		}
		trees = append(trees, tree)
	}
	joined, err := filetree.Join(filetree.DefaultLimits, trees...)
	if err != nil {
		closeAll()
		return nil, err
	}
	return joined, nil
}

// openPart unpacks one part to a file, because archives are read from their ends.
func openPart(ctx context.Context, files *filetree.Tree, name, tempDir string) (*filetree.Tree, error) {
	content, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	file, err := os.CreateTemp(tempDir, "recto-import-*")
	if err != nil {
		return nil, fmt.Errorf("make file for a part: %w", err)
	}
	remove := func() error {
		err := file.Close()
		if removeErr := os.Remove(file.Name()); err == nil {
			err = removeErr
		}
		return err
	}
	size, err := io.Copy(file, io.LimitReader(content, maxPartBytes))
	if err == nil && ctx.Err() != nil {
		err = fmt.Errorf("read export: %w", context.Cause(ctx))
	}
	if err != nil {
		remove()
		return nil, err
	}
	tree, err := filetree.Zip(file, size, filetree.DefaultLimits)
	if err != nil {
		remove()
		return nil, err
	}
	return tree.OnClose(remove), nil
}

// export is what is known of an export while it is read.
type export struct {
	ctx    context.Context
	files  *filetree.Tree
	tree   *source.Tree
	losses markup.Losses
	// pages are by the path of their file; byID by Notion's id.
	pages  map[string]*source.Page
	byID   map[string]*source.Page
	assets map[string]*source.File
	// groups are folders that are pages; folders lists the pages' files by the folder that they lie in.
	groups  []string
	folders map[string][]string
}

// check ends the reading when the import was cancelled.
func (e *export) check() error {
	if e.ctx.Err() != nil {
		return fmt.Errorf("read export: %w", context.Cause(e.ctx))
	}
	return nil
}

// resolve says where a destination leads that is written in the file base.
func (e *export) resolve(base, destination string) source.Resolution {
	u, err := url.Parse(destination)
	if err != nil {
		return source.Resolution{Kind: source.External}
	}
	if u.Scheme != "" || u.Host != "" {
		if host := strings.TrimPrefix(u.Hostname(), "www."); host == "notion.so" || strings.HasSuffix(host,
			".notion.site") {
			if found := addressID.FindStringSubmatch(u.Path); found != nil && e.byID[found[1]] != nil {
				return source.Resolution{Kind: source.ToPage, Page: e.byID[found[1]]}
			}
		}
		return source.Resolution{Kind: source.External}
	}
	if u.Path == "" {
		return source.Resolution{Kind: source.External}
	}
	target := path.Join("/", path.Dir(base), u.Path)
	if strings.HasPrefix(u.Path, "/") {
		target = path.Clean(u.Path)
	}
	target = strings.TrimPrefix(target, "/")
	for _, candidate := range []string{target, stem(target) + "_all.csv", strings.TrimSuffix(target, "_all.csv") +
		".csv", stem(target) + ".html", stem(target) + ".md"} {
		if page := e.pages[candidate]; page != nil {
			return source.Resolution{Kind: source.ToPage, Page: page, Anchor: u.Fragment}
		}
	}
	if file := e.asset(target); file != nil {
		return source.Resolution{Kind: source.ToFile, File: file}
	}
	if _, id := cutID(stem(target)); id != "" && e.byID[id] != nil {
		return source.Resolution{Kind: source.ToPage, Page: e.byID[id]}
	}
	return source.Resolution{Kind: source.Broken, Reason: "the export has no such page or file"}
}

// asset takes a file along, nil when there is none.
func (e *export) asset(name string) *source.File {
	if known := e.assets[name]; known != nil {
		return known
	}
	size, ok := e.files.Size(name)
	if !ok {
		return nil
	}
	made := &source.File{
		Place: name, Name: path.Base(name), Size: size,
		Open: func() (io.ReadCloser, error) { return e.files.Open(name) },
	}
	e.assets[name] = made
	e.tree.Files = append(e.tree.Files, made)
	return made
}

// takeAssets takes the files that pages name, and reports the others.
func (e *export) takeAssets() error {
	var failure error
	e.tree.Walk(func(page, _ *source.Page) {
		text, err := page.Body.Bytes()
		if err != nil {
			failure = err
		}
		for _, use := range links.All(text) {
			e.resolve(page.Base, use.Destination)
		}
		if page.Cover != "" {
			e.resolve(page.Base, page.Cover)
		}
	})
	for _, file := range e.files.Files() {
		if !isPage(file.Path) && e.assets[file.Path] == nil {
			e.tree.Report.Skipped.Addf(file.Path, "no page names this file")
		}
	}
	return failure
}
