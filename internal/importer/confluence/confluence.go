// Package confluence owns reading an export of a Confluence space into a source.Tree: the HTML export and the XML
// export, both as unpacked ZIP archives.
//
// Pages keep the hierarchy, titles and order of the space. Attachments become files. Links between pages and to
// attachments are resolved by file, page id or title; what Confluence builds with macros becomes blocks of the
// dialect: code, call-outs, expandables, tasks, statuses. A macro that shows something that only Confluence knows
// (a table of contents, a list of recent changes) is left out and counted in the report, never silently.
//
// The XML export holds history, drafts and deleted pages too: only what is current is taken. Input is held to package
// filetree's and package xmlstream's limits. Nothing is written.
package confluence

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/importer/filetree"
	"github.com/rectodocs/recto/internal/importer/markup"
	"github.com/rectodocs/recto/internal/importer/source"
)

// Limits of one export.
const (
	maxPageBytes = 16 << 20
	maxIndex     = 16 << 20
)

// entities is the file of an XML export that holds everything but attachments.
const entities = "entities.xml"

// Is reports whether an archive is an export of Confluence.
func Is(files *filetree.Tree) bool {
	if root, ok := folderOf(files, entities); ok {
		return files.Has(path.Join(root, "exportDescriptor.properties")) || mentions(files, path.Join(root, entities), "hibernate-generic")
	}
	root, ok := folderOf(files, "index.html")
	return ok && mentions(files, path.Join(root, "index.html"), "confluence")
}

// folderOf returns the folder of a file that lies in the root or in one folder in it, the root first.
func folderOf(files *filetree.Tree, name string) (string, bool) {
	if files.Has(name) {
		return "", true
	}
	for _, file := range files.Files() {
		if folder, base := path.Split(file.Path); base == name && strings.Count(folder, "/") == 1 {
			return strings.TrimSuffix(folder, "/"), true
		}
	}
	return "", false
}

// mentions reports whether a word stands in the first part of a file, in any case.
func mentions(files *filetree.Tree, name, word string) bool {
	content, err := files.Open(name)
	if err != nil {
		return false
	}
	defer content.Close()
	start, err := io.ReadAll(io.LimitReader(content, 64<<10))
	return err == nil && bytes.Contains(bytes.ToLower(start), []byte(word))
}

// Read reads an export. The files stay open: attachments are read when the import takes them.
func Read(ctx context.Context, files *filetree.Tree) (*source.Tree, error) {
	e := &export{ctx: ctx, targets: markup.NewTargets(), tree: &source.Tree{}, files: map[string]*source.File{}}
	e.tree.Resolve = e.targets.Resolve
	var err error
	if root, ok := folderOf(files, entities); ok {
		e.archive = files.Sub(root)
		err = e.readXML()
	} else if root, ok := folderOf(files, "index.html"); ok {
		e.archive = files.Sub(root)
		err = e.readHTML()
	} else {
		return nil, errs.New(errs.Invalid, "this is no export of a Confluence space: it has neither index.html nor entities.xml; export the space as HTML or XML")
	}
	if err != nil {
		return nil, err
	}
	if len(e.tree.Pages) == 0 {
		return nil, errs.New(errs.Invalid, "there is no page in the export")
	}
	e.skipFiles()
	return e.tree, nil
}

// export is what is known of an export while it is read.
type export struct {
	ctx     context.Context
	archive *filetree.Tree
	tree    *source.Tree
	targets *markup.Targets
	files   map[string]*source.File // by path
	losses  markup.Losses
}

// check ends the reading when the import was cancelled.
func (e *export) check() error {
	if e.ctx.Err() != nil {
		return fmt.Errorf("read export: %w", context.Cause(e.ctx))
	}
	return nil
}

// file returns the file at a path of the archive, nil when there is none.
func (e *export) file(name string) *source.File {
	if known := e.files[name]; known != nil {
		return known
	}
	size, ok := e.archive.Size(name)
	if !ok {
		return nil
	}
	made := &source.File{
		Place: name, Name: path.Base(name), Size: size,
		Open: func() (io.ReadCloser, error) { return e.archive.Open(name) },
	}
	e.files[name] = made
	return made
}

// take makes a file part of the import.
func (e *export) take(file *source.File) string {
	if !e.targets.Has(file) {
		e.tree.Files = append(e.tree.Files, file)
	}
	return e.targets.File(file)
}

// skipFiles reports the attachments that no current page has.
func (e *export) skipFiles() {
	for _, file := range e.archive.Files() {
		if !strings.HasPrefix(file.Path, "attachments/") {
			continue
		}
		if known := e.files[file.Path]; known == nil || !e.targets.Has(known) {
			e.tree.Report.Skipped.Addf(file.Path, "no current page has this attachment, or it is an older version of one")
		}
	}
}

// broken reports a link that leads nowhere.
func (e *export) broken(place, target, reason string) {
	e.tree.Report.Broken.Add(source.Note{Place: place, Target: target, Message: reason})
}

var (
	pageIDInPath  = regexp.MustCompile(`/pages/(\d+)(?:/|$)`)
	pageIDInQuery = regexp.MustCompile(`[?&]pageId=(\d+)`)
	pageIDInFile  = regexp.MustCompile(`(?:^|_)(\d+)\.html$`)
)

// pageID returns the id of a page that an address in Confluence names, "" for none.
func pageID(address string) string {
	for _, pattern := range []*regexp.Regexp{pageIDInPath, pageIDInQuery} {
		if found := pattern.FindStringSubmatch(address); found != nil {
			return found[1]
		}
	}
	return ""
}
