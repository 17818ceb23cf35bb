// Package docx owns reading a word processor's document (Office Open XML, .docx) into a source.Tree of one page.
//
// The document's parts are read as streams and become an HTML tree, which package hypertext converts: headings by
// their styles, lists with their levels, tables with merged cells, images, links, bookmarks, footnotes, code by its
// styles or fonts, bold, italic and struck text. What a page does not have (comments, tables of contents, deleted text
// under change tracking, headers and footers) is left out and counted in the report.
//
// Input is hostile until shown otherwise: the archive is held to package filetree's promises, document type
// declarations are refused, and the size of parts, the nesting of elements and the number of nodes are limited. A
// document over a limit is refused as a whole with an errs error. Nothing is written.
package docx

import (
	"context"
	"io"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/markup"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/importer/xmlstream"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Limits of one document.
const (
	maxPart  = 64 << 20  // bytes of one XML part
	maxNodes = 1_000_000 // elements and texts of the page
)

// contentTypes is the part that every package of the format has.
const contentTypes = "[Content_Types].xml"

// Is reports whether an archive is a document of the format.
func Is(files *filetree.Tree) bool {
	if !files.Has(contentTypes) {
		return false
	}
	for _, file := range files.Files() {
		if strings.HasPrefix(file.Path, "word/") && strings.HasSuffix(file.Path, ".xml") {
			return true
		}
	}
	return false
}

// Read reads a document. name is its file name, which gives the title when the document has none. The files stay open:
// images are read when the import takes them.
func Read(ctx context.Context, files *filetree.Tree, name string, texts *source.Texts) (*source.Tree, error) {
	if !Is(files) {
		return nil, errs.New(errs.Invalid,
			"%s is not a Word document (.docx): it lacks the parts of one; save it as .docx", name)
	}
	d := &document{ctx: ctx, files: files, name: name, targets: markup.NewTargets(), notes: map[string]*noteBody{},
		media: map[string]*source.File{}}
	tree := &source.Tree{Resolve: d.targets.Resolve, Texts: texts}
	d.report = &tree.Report
	main, err := d.mainPart()
	if err != nil {
		return nil, err
	}
	if err := d.readAround(main); err != nil {
		return nil, err
	}
	content := markup.Element("div")
	if err := d.readBody(main, content); err != nil {
		return nil, err
	}
	page := &source.Page{Place: name}
	page.Entry.Type, page.Entry.Title = entity.PageDocument, d.title
	d.losses.Report(name, &d.report.NotUnderstood)
	markup.Fill(page, content, hypertext.Options{}, tree)
	for _, title := range []string{d.propertyTitle(), markup.FileTitle(name)} {
		if page.Entry.Title == "" {
			page.Entry.Title = title
		}
	}
	tree.Pages = []*source.Page{page}
	tree.Files = d.targets.Files()
	return tree, nil
}

// element is the start of an XML element.
type element = xmlstream.Element

// document is what is known of a document while it is read.
type document struct {
	ctx     context.Context
	files   *filetree.Tree
	name    string
	targets *markup.Targets
	report  *source.Report
	losses  markup.Losses

	styles  map[string]*style
	lists   *numbering
	notes   map[string]*noteBody // by kind and id
	media   map[string]*source.File
	title   string
	started bool // a heading or text was seen: what is styled as a title from here on is a heading
	nodes   int
}

// relationship is what an id in a part stands for.
type relationship struct {
	target   string
	external bool
}

// part is an XML part that is read, with its relationships.
type part struct {
	*document
	*xmlstream.Reader
	path      string
	relations map[string]relationship
	fields    []*field
	boxes     []*paragraphs // text boxes that wait for the end of their paragraph
}

// open opens a part. close releases it.
func (d *document) open(name string) (opened *part, close func() error, err error) {
	if size, _ := d.files.Size(name); size > maxPart {
		return nil, nil, errs.New(errs.TooLarge,
			"%s: the part %s has %d bytes, at most %d are read; split the document", d.name, name, size, maxPart)
	}
	content, err := d.files.Open(name)
	if err != nil {
		return nil, nil, err
	}
	return &part{document: d, path: name, Reader: xmlstream.New(d.ctx, content, d.name+": "+name)}, content.Close, nil
}

// mainPart returns the path of the part that holds the text.
func (d *document) mainPart() (string, error) {
	main := ""
	err := d.walkPart(contentTypes, func(p *part, e element) error {
		if e.Name == "Override" && strings.HasSuffix(e.Attr("ContentType"), "document.main+xml") && main == "" {
			main = strings.TrimPrefix(e.Attr("PartName"), "/")
		}
		return p.Skip()
	})
	if err != nil {
		return "", err
	}
	for _, candidate := range []string{main, "word/document.xml", "word/document2.xml"} {
		if candidate != "" && d.files.Has(candidate) {
			return candidate, nil
		}
	}
	return "", errs.New(errs.Invalid, "%s has no text part; it is damaged, or not a Word document", d.name)
}

// walkPart visits the children of a part's root. visit consumes each element.
func (d *document) walkPart(name string, visit func(p *part, e element) error) error {
	p, closePart, err := d.open(name)
	if err != nil {
		return err
	}
	defer closePart()
	return p.Root(func(e element) error { return visit(p, e) })
}

// readAround reads what the text refers to: relationships, styles, lists and notes.
func (d *document) readAround(main string) error {
	folder := path.Dir(main)
	var err error
	if d.styles, err = d.readStyles(path.Join(folder, "styles.xml")); err != nil {
		return err
	}
	if d.lists, err = d.readNumbering(path.Join(folder, "numbering.xml")); err != nil {
		return err
	}
	for _, kind := range []string{"footnote", "endnote"} {
		if err := d.readNotes(kind, path.Join(folder, kind+"s.xml")); err != nil {
			return err
		}
	}
	for _, file := range d.files.Files() {
		if base := path.Base(file.Path); path.Dir(file.Path) == folder && (strings.HasPrefix(base, "header") ||
			strings.HasPrefix(base, "footer")) {
			d.losses.Add("left out: header or footer of the printed page")
		}
	}
	return nil
}

// readRelations reads the relationships of a part.
func (d *document) readRelations(name string) (map[string]relationship, error) {
	relations := map[string]relationship{}
	file := path.Join(path.Dir(name), "_rels", path.Base(name)+".rels")
	if !d.files.Has(file) {
		return relations, nil
	}
	err := d.walkPart(file, func(p *part, e element) error {
		if e.Name == "Relationship" {
			relations[e.Attr("Id")] = relationship{target: e.Attr("Target"),
				external: e.Attr("TargetMode") == "External"}
		}
		return p.Skip()
	})
	return relations, err
}

// propertyTitle returns the title in the document's properties, "" when there is none or it cannot be read.
func (d *document) propertyTitle() string {
	title := ""
	if !d.files.Has("docProps/core.xml") {
		return ""
	}
	err := d.walkPart("docProps/core.xml", func(p *part, e element) error {
		if e.Name != "title" {
			return p.Skip()
		}
		text, err := p.Text()
		title = strings.Join(strings.Fields(text), " ")
		return err
	})
	if err != nil {
		return "" // a title is not worth the import
	}
	return title
}

// file returns the file behind a relationship, nil when there is none.
func (p *part) file(id string) *source.File {
	relation, ok := p.relations[id]
	if !ok || relation.external {
		return nil
	}
	target := relation.target
	if !strings.HasPrefix(target, "/") {
		target = path.Join("/", path.Dir(p.path), target)
	}
	target = strings.TrimPrefix(path.Clean(target), "/")
	if known := p.media[target]; known != nil {
		return known
	}
	size, ok := p.files.Size(target)
	if !ok {
		return nil
	}
	made := &source.File{
		Place: p.name + ": " + target, Name: path.Base(target), Size: size,
		Open: func() (io.ReadCloser, error) { return p.files.Open(target) },
	}
	p.media[target] = made
	return made
}
