// Package pdf makes a book of documents: a PDF with a cover, contents, an outline, links that work, numbered pages,
// code in colours, tables, images and all of the world's common characters.
//
// It is pure: pages, images and what references point at come in through Book and Source. It loads one page at a time
// and writes each sheet as soon as it is full, so the size of a book costs time, not memory. Whatever a document holds,
// Write returns: hostile pages cost an error that names them, unreadable images a frame with their name.
//
// Text is shaped by package shaping, which see for scripts, directions and where lines end. A page that is written from
// right to left is laid out in a mirror, but for code and pictures. Fonts are embedded with the glyphs that are used;
// text can be copied and searched.
package pdf

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
	"github.com/rectodocs/recto/internal/engine/pdf/output"
	"github.com/rectodocs/recto/internal/engine/pdf/shaping"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Book is what to make a PDF of.
type Book struct {
	// Title stands on the cover and at the foot of each sheet. Subtitle and Notes are lines of the cover.
	Title, Subtitle string
	Notes           []string
	// Author and Language (as "en") go into the file's properties. Letters have the forms that are usual in the
	// language.
	Author, Language string
	Created          time.Time
	// Pages are in the order of reading.
	Pages []Page
	// Progress is called, when it is set, before each page with the number of those done.
	Progress func(done int)
	Limits   Limits
}

// Page is a page of a book.
type Page struct {
	// ID is unique in the book; links name it.
	ID, Title, Description string
	// Level is how many pages it is below.
	Level int
	// Group says that the page has no document: it is a heading in the contents.
	Group bool
	// Address makes the page a link to somewhere else. It has no document.
	Address string
}

// Limits bound what one book may cost. A zero field means its default.
type Limits struct {
	// Sheets is the number of pages of the file. Default 5,000.
	Sheets int
	// ImageBytes is the size of one image's file, ImagePixels its width times its height. Defaults 20 MB and 16
	// million.
	ImageBytes, ImagePixels int
	// Images is how many different images are shown; further ones are frames with their names. Default 2,000.
	Images int
	// Cells is the number of cells of one table. Default 20,000.
	Cells int
	// Nodes is the number of nodes of one document, Depth how deep they nest. Defaults 200,000 and 120.
	Nodes, Depth int
	// Bytes is the size of the PDF. Default 500 MB.
	Bytes int64
}

func (l Limits) withDefaults() Limits {
	for _, each := range []struct {
		value *int
		least int
	}{
		{&l.Sheets, 5000}, {&l.ImageBytes, 20 << 20}, {&l.ImagePixels, 16_000_000}, {&l.Images, 2000},
		{&l.Cells, 20_000}, {&l.Nodes, 200_000}, {&l.Depth, 120},
	} {
		if *each.value <= 0 {
			*each.value = each.least
		}
	}
	if l.Bytes <= 0 {
		l.Bytes = 500 << 20
	}
	return l
}

// Source gives what a book's pages hold and point at. It is asked from one goroutine.
type Source interface {
	// Document returns the document of a page, with conditions, expressions and reusable contents resolved.
	Document(ctx context.Context, pageID string) (*doc.Document, error)
	// Resolve says where a reference on a page leads.
	Resolve(ctx context.Context, pageID string, ref doc.Ref) Target
	// Image opens the bytes of an image that a page refers to; an errs.NotFound error when there are none to be had.
	Image(ctx context.Context, pageID string, ref doc.Ref) (io.ReadCloser, error)
}

// Target is where a reference leads.
type Target struct {
	// Page and Anchor are a place in the book. Anchor may be empty, and may be one that the page does not have.
	Page, Anchor string
	// URL is an address outside of the book. Others than http, https, mailto and tel are no links.
	URL string
	// Title is what the target is called, Description what it says of itself.
	Title, Description string
}

// Report says what was made.
type Report struct {
	// Sheets is the number of pages of the file, cover and contents among them.
	Sheets int
	// Images is the number of different images shown, Missing of those that could not be.
	Images, Missing int
}

// Write makes a PDF. An error of kind TooLarge says which limit is in the way; what was written is of no use then.
func Write(ctx context.Context, w io.Writer, book Book, source Source) (report Report, err error) {
	b := &builder{
		ctx: ctx, book: book, source: source, limits: book.Limits.withDefaults(),
		images: map[string]*picture{}, shown: map[string]bool{},
	}
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case stop:
			err = b.wrap(caught.err)
		default:
			err = b.wrap(fmt.Errorf("lay out: %v", caught))
		}
	}()
	set := fonts.NewSet()
	b.file = output.New(w, set)
	b.text = &typesetter{shaper: shaping.New(set, book.Language), language: book.Language}
	return b.write()
}

// builder is the state of one Write.
type builder struct {
	ctx    context.Context
	book   Book
	source Source
	limits Limits
	file   *output.File
	text   *typesetter
	flow   *flow

	page   *Page // that is being laid out
	notes  []*doc.Node
	coder  *render.CodeReader
	images map[string]*picture
	report Report
	// shown are the pages that have a place in the book, entries the lines of the contents.
	shown   map[string]bool
	entries []entry
}

// wrap names the page in an error.
func (b *builder) wrap(err error) error {
	if err == nil || b.page == nil || b.ctx.Err() != nil {
		return err
	}
	if kind := errs.KindOf(err); kind != errs.Internal {
		return errs.New(kind, "page “%s”: %s", b.page.Title, err.Error())
	}
	return fmt.Errorf("make PDF of page %s “%s”: %w", b.page.ID, b.page.Title, err)
}

func (b *builder) write() (Report, error) {
	for _, page := range b.book.Pages {
		b.shown[page.ID] = page.Address == ""
	}
	b.flow = &flow{
		ctx: b.ctx, file: b.file, text: b.text, limit: b.limits.Sheets, footing: b.book.Title, label: decimal,
	}
	waiting := []Page{} // groups whose first page is still to come
	for i, page := range b.book.Pages {
		if b.book.Progress != nil {
			b.book.Progress(i)
		}
		if b.file.Size() > b.limits.Bytes {
			return b.report, errs.New(errs.TooLarge,
				"the PDF would be larger than %d MB; ask for one page of the space with “only”", b.limits.Bytes>>20)
		}
		if page.Group || page.Address != "" {
			waiting = append(waiting, page)
			continue
		}
		if err := b.document(page, waiting); err != nil {
			return b.report, b.wrap(err)
		}
		waiting = nil
	}
	b.page = nil
	b.text.turn(b.book.Title, b.book.Subtitle)
	b.trail(waiting)
	body := b.flow.sheets
	cover, contents := b.front()
	b.file.Arrange("", cover...)
	b.file.Arrange("r", contents...)
	b.file.Arrange("D", body...)
	b.report.Sheets = len(cover) + len(contents) + len(body)
	return b.report, b.file.Close(output.Info{
		Title: b.book.Title, Author: b.book.Author, Subject: b.book.Subtitle, Language: b.book.Language,
		Created: b.book.Created, RightToLeft: b.text.rightToLeft,
	})
}

// document lays out one page of the book from a new sheet on.
func (b *builder) document(page Page, waiting []Page) error {
	b.page, b.notes, b.coder = &page, nil, render.NewCodeReader(b.ctx, render.Limits{})
	document, err := b.source.Document(b.ctx, page.ID)
	if err != nil {
		return err
	}
	if err := b.measure(document.Nodes, 1, new(int)); err != nil {
		return err
	}
	b.flow.heading = page.Title
	b.text.turn(page.Title, page.Description, opening(document))
	column := &column{out: b.flow, x: marginLeft, width: textWidth, base: plain(10)}
	b.heads(column, page, waiting)
	b.blocks(column, document.Nodes)
	b.endnotes(column)
	b.flow.flush()
	return nil
}

// opening is the text that a document begins with, as far as it says how the page runs.
func opening(document *doc.Document) string {
	const enough = 1000 // bytes
	var text strings.Builder
	for _, n := range document.Nodes {
		if n.Type == doc.Code {
			continue
		}
		if text.WriteString(n.PlainText()); text.Len() > enough {
			break
		}
	}
	return text.String()
}

// heads lays out the title of a page, with its place in the outline and in the contents, and those of the groups that
// begin with it.
func (b *builder) heads(c *column, page Page, waiting []Page) {
	for _, group := range waiting {
		small := look{size: 9, bold: true, colour: accent, background: none}
		if group.Address != "" {
			b.mark(c, group)
			continue
		}
		c.text(b, []span{{text: strings.ToUpper(group.Title), look: small}}, small, true, func(s *sheet, y float64) {
			b.enter(s, y, group)
		})
	}
	title := look{size: 22, bold: true, colour: ink, background: none}
	c.text(b, []span{{text: page.Title, look: title}}, title, true, func(s *sheet, y float64) { b.enter(s, y, page) })
	if page.Description != "" {
		about := look{size: 12, colour: muted, background: none}
		c.gap(2)
		c.text(b, []span{{text: page.Description, look: about}}, about, true, nil)
	}
	c.add(piece{height: 19, keep: true, draw: func(s *sheet, y float64) { s.rule(c.x, y+8, c.width, faint) }})
}

// mark enters a page that is a link elsewhere into the contents, without a line of text.
func (b *builder) mark(c *column, page Page) {
	c.add(piece{keep: true, draw: func(*sheet, float64) {
		b.entries = append(b.entries, entry{title: page.Title, level: page.Level, url: page.Address})
	}})
}

// enter notes where a page of the book begins.
func (b *builder) enter(s *sheet, y float64, page Page) {
	s.place(pagePlace(page.ID), y)
	b.file.Outline(page.Title, page.Level, page.Group || page.Level == 0, s.page, sheetHeight-y+10)
	b.entries = append(b.entries, entry{title: page.Title, level: page.Level, place: pagePlace(page.ID),
		number: len(b.flow.sheets) + 1, bold: page.Group || page.Level == 0})
}

// trail enters what comes after the last document.
func (b *builder) trail(waiting []Page) {
	for _, page := range waiting {
		b.entries = append(b.entries, entry{title: page.Title, level: page.Level, url: page.Address, bold: page.Group})
	}
}

// measure refuses a document that is too large or too deep before anything recurses into it.
func (b *builder) measure(nodes []*doc.Node, depth int, count *int) error {
	if len(nodes) > 0 && depth > b.limits.Depth {
		return errs.New(errs.TooLarge, "the page nests deeper than %d levels", b.limits.Depth)
	}
	*count += len(nodes)
	if *count > b.limits.Nodes {
		return errs.New(errs.TooLarge, "the page has more than %d nodes; split it", b.limits.Nodes)
	}
	for _, n := range nodes {
		if n == nil {
			return errs.New(errs.Invalid, "the page holds an empty node")
		}
		if err := b.measure(n.Nodes, depth+1, count); err != nil {
			return err
		}
		if err := b.measure(n.Fragments, depth+1, count); err != nil {
			return err
		}
	}
	return nil
}
