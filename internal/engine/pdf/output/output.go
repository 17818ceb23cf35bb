// Package output writes PDF files: objects, pages, fonts with the glyphs that were used, images, links, the outline.
//
// It writes everything as early as it can, so a file of any number of pages needs the memory of one page, plus a few
// numbers for each page, link target and outline entry. It knows nothing of layout: coordinates are points from the
// page's lower left corner, as PDF has them.
package output

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
)

// File is a PDF that is being written. It is for one goroutine. The first error of the writer is kept, and Close
// returns it.
type File struct {
	w       *bufio.Writer
	offset  int64
	offsets []int64
	err     error

	set       *fonts.Set
	faces     map[fonts.Face]*face
	faceOrder []fonts.Face
	images    []int

	pages     []Page
	labels    []pageLabel
	places    map[string]place
	wanted    map[string]string
	outline   []*outlineEntry
	packed    bytes.Buffer
	tree      int
	resources int
}

// Page names a page that was written.
type Page struct{ object int }

type pageLabel struct {
	at    int
	style string
}

type place struct {
	page Page
	y    float64
}

type outlineEntry struct {
	title string
	level int
	place place
	bold  bool
}

// Info is what the file says about itself.
type Info struct {
	Title, Author, Subject, Language string
	Created                          time.Time
	// RightToLeft says that pages are turned, and stand side by side, from right to left.
	RightToLeft bool
}

// New begins a file.
func New(w io.Writer, set *fonts.Set) *File {
	f := &File{
		w: bufio.NewWriterSize(w, 64<<10), set: set, offsets: []int64{0},
		faces: map[fonts.Face]*face{}, places: map[string]place{}, wanted: map[string]string{},
	}
	f.write("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	f.tree, f.resources = f.reserve(), f.reserve()
	return f
}

// Err returns the first error of the writer.
func (f *File) Err() error { return f.err }

// Size returns the number of bytes written so far.
func (f *File) Size() int64 { return f.offset }

func (f *File) write(text string) {
	if f.err != nil {
		return
	}
	n, err := f.w.WriteString(text)
	f.offset += int64(n)
	f.err = err
}

func (f *File) reserve() int {
	f.offsets = append(f.offsets, 0)
	return len(f.offsets) - 1
}

func (f *File) object(number int, body string) {
	f.offsets[number] = f.offset
	f.write(fmt.Sprintf("%d 0 obj\n%s\nendobj\n", number, body))
}

// stream writes a stream object; entries go into its dictionary. It compresses data unless a filter is among them.
func (f *File) stream(number int, entries string, data []byte) {
	if !strings.Contains(entries, "/Filter") {
		f.packed.Reset()
		z := zlib.NewWriter(&f.packed)
		_, _ = z.Write(data) // a buffer takes everything
		_ = z.Close()
		data = f.packed.Bytes()
		entries += " /Filter /FlateDecode"
	}
	f.offsets[number] = f.offset
	f.write(fmt.Sprintf("%d 0 obj\n<< %s /Length %d >>\nstream\n", number, entries, len(data)))
	if f.err == nil {
		n, err := f.w.Write(data)
		f.offset += int64(n)
		f.err = err
	}
	f.write("\nendstream\nendobj\n")
}

// Link is an area of a page that leads somewhere: to a named place in the file, or to an address.
type Link struct {
	Left, Bottom, Right, Top float64
	// Place is a name given to File.Place, earlier or later; "" takes URL.
	Place string
	// Otherwise is the name to take when nothing has that name.
	Otherwise string
	URL       string
}

// NewPage takes a number for a page, so that places on it can be named before it is written.
func (f *File) NewPage() Page { return Page{f.reserve()} }

// WritePage writes a page with its content operators. Pages are in the order of Arrange.
func (f *File) WritePage(page Page, width, height float64, content []byte, links []Link) {
	body := f.reserve()
	f.stream(body, "", content)
	var annotations strings.Builder
	for _, link := range links {
		rect := fmt.Sprintf("[%.2f %.2f %.2f %.2f]", link.Left, link.Bottom, link.Right, link.Top)
		if link.Place != "" {
			f.wanted[link.Place] = link.Otherwise
			fmt.Fprintf(&annotations, "<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect %s /Dest %s >>\n", rect,
				bytesText(link.Place))
		} else {
			fmt.Fprintf(&annotations,
				"<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect %s /A << /S /URI /URI %s >> >>\n", rect,
				bytesText(link.URL))
		}
	}
	f.object(page.object, fmt.Sprintf(
		"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %.2f %.2f] /Resources %d 0 R /Contents %d 0 R /Annots [%s] >>",
		f.tree, width, height, f.resources, body, annotations.String()))
}

// Place names a height on a page for links. The first of a name counts.
func (f *File) Place(name string, page Page, y float64) {
	if _, taken := f.places[name]; !taken {
		f.places[name] = place{page, y}
	}
}

// Outline adds an entry to the outline. Levels begin at 0; one that is left out is taken as the next.
func (f *File) Outline(title string, level int, bold bool, page Page, y float64) {
	f.outline = append(f.outline, &outlineEntry{title, level, place{page, y}, bold})
}

// Arrange appends pages to the file's order. Readers show their numbers from 1: in the style "D" as 1, 2, 3, in "r" as
// i, ii, iii, and with "" not at all.
func (f *File) Arrange(style string, pages ...Page) {
	if len(pages) == 0 {
		return
	}
	f.labels = append(f.labels, pageLabel{len(f.pages), style})
	f.pages = append(f.pages, pages...)
}

// Close writes fonts, the outline and what ties the file together.
func (f *File) Close(info Info) error {
	var resources strings.Builder
	resources.WriteString("<< /ProcSet [/PDF /Text /ImageB /ImageC] /Font <<")
	for i, id := range f.faceOrder {
		number, err := f.writeFace(id)
		if err != nil {
			return err
		}
		fmt.Fprintf(&resources, " /F%d %d 0 R", i, number)
	}
	resources.WriteString(" >> /XObject <<")
	for i, number := range f.images {
		fmt.Fprintf(&resources, " /I%d %d 0 R", i, number)
	}
	resources.WriteString(" >> >>")
	f.object(f.resources, resources.String())

	var kids strings.Builder
	for _, page := range f.pages {
		fmt.Fprintf(&kids, "%d 0 R ", page.object)
	}
	f.object(f.tree, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(f.pages), kids.String()))
	direction := ""
	if info.RightToLeft {
		direction = " /Direction /R2L"
	}
	catalog := fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /ViewerPreferences << /DisplayDocTitle true%s >>",
		f.tree, direction)
	if info.Language != "" {
		catalog += " /Lang " + bytesText(info.Language)
	}
	if len(f.outline) > 0 {
		catalog += fmt.Sprintf(" /Outlines %d 0 R /PageMode /UseOutlines", f.writeOutline())
	}
	if names := f.writePlaces(); names != 0 {
		catalog += fmt.Sprintf(" /Names << /Dests %d 0 R >>", names)
	}
	root, about := f.reserve(), f.reserve()
	f.object(root, catalog+f.pageLabels()+" >>")
	f.object(about, fmt.Sprintf("<< /Title %s /Author %s /Subject %s /Producer %s /CreationDate (D:%s) >>",
		textString(info.Title), textString(info.Author), textString(info.Subject), textString("Recto"),
		info.Created.UTC().Format("20060102150405Z")))
	f.finish(root, about)
	return f.err
}

// pageLabels says how readers number the pages.
func (f *File) pageLabels() string {
	var b strings.Builder
	b.WriteString(" /PageLabels << /Nums [")
	for _, label := range f.labels {
		if label.style == "" {
			fmt.Fprintf(&b, " %d << >>", label.at)
			continue
		}
		fmt.Fprintf(&b, " %d << /S /%s >>", label.at, label.style)
	}
	b.WriteString(" ] >>")
	return b.String()
}

// finish writes the table of objects.
func (f *File) finish(root, about int) {
	start := f.offset
	f.write(fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(f.offsets)))
	for _, offset := range f.offsets[1:] {
		f.write(fmt.Sprintf("%010d 00000 n \n", offset))
	}
	f.write(fmt.Sprintf("trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(f.offsets),
		root, about, start))
	if f.err == nil {
		f.err = f.w.Flush()
	}
}

// writePlaces writes the places that links lead to, as a name tree of one node. A link whose place is nowhere leads to
// its second choice; when that is nowhere either, readers do nothing.
func (f *File) writePlaces() int {
	found := map[string]place{}
	for name, otherwise := range f.wanted {
		at, ok := f.places[name]
		if !ok {
			at, ok = f.places[otherwise]
		}
		if ok {
			found[name] = at
		}
	}
	if len(found) == 0 {
		return 0
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	var tree strings.Builder
	tree.WriteString("<< /Names [")
	for _, name := range names {
		fmt.Fprintf(&tree, "%s %s\n", bytesText(name), found[name].destination())
	}
	tree.WriteString("] >>")
	number := f.reserve()
	f.object(number, tree.String())
	return number
}

func (p place) destination() string {
	return fmt.Sprintf("[%d 0 R /XYZ null %.2f null]", p.page.object, p.y)
}

// writeOutline writes the outline as the linked lists that PDF wants.
func (f *File) writeOutline() int {
	type node struct {
		number, parent, previous, next, first, last, count int
		youngest                                           *node // the last child
	}
	root := &node{number: f.reserve()}
	nodes := make([]*node, len(f.outline))
	around := []*node{root}
	for i, entry := range f.outline {
		level := min(max(entry.level, 0), len(around)-1)
		around = around[:level+1]
		parent := around[level]
		n := &node{number: f.reserve(), parent: parent.number, previous: parent.last}
		if parent.first == 0 {
			parent.first = n.number
		}
		if parent.youngest != nil {
			parent.youngest.next = n.number
		}
		parent.last, parent.youngest = n.number, n
		parent.count++
		nodes[i] = n
		around = append(around, n)
	}
	for i, entry := range f.outline {
		n := nodes[i]
		var body strings.Builder
		fmt.Fprintf(&body, "<< /Title %s /Parent %d 0 R /Dest %s",
			textString(entry.title), n.parent, entry.place.destination())
		for _, each := range []struct {
			name   string
			number int
		}{{"Prev", n.previous}, {"Next", n.next}, {"First", n.first}, {"Last", n.last}} {
			if each.number != 0 {
				fmt.Fprintf(&body, " /%s %d 0 R", each.name, each.number)
			}
		}
		if n.count > 0 {
			fmt.Fprintf(&body, " /Count %d", -n.count) // closed at first
		}
		if entry.bold {
			body.WriteString(" /F 2")
		}
		f.object(n.number, body.String()+" >>")
	}
	f.object(root.number, fmt.Sprintf("<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>", root.first,
		root.last, root.count))
	return root.number
}

// textString is a text as PDF has it in dictionaries.
func textString(s string) string { return "<FEFF" + units(s)[1:] }

// units is a text in UTF-16, as PDF has it in maps of characters.
func units(s string) string {
	var b strings.Builder
	b.WriteByte('<')
	for _, unit := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", unit)
	}
	b.WriteByte('>')
	return b.String()
}

// bytesText is bytes as PDF has them in dictionaries: for addresses and names.
func bytesText(s string) string { return fmt.Sprintf("<%X>", s) }
