package pdf

import (
	"fmt"

	"github.com/rectodocs/recto/internal/engine/pdf/output"
)

// entry is a line of the contents.
type entry struct {
	title  string
	level  int
	place  string
	url    string
	number int // of the sheet; 0 for none
	bold   bool
}

// front lays out the cover and the contents, now that the numbers of all sheets are known.
func (b *builder) front() (cover, contents []output.Page) {
	return []output.Page{b.cover()}, b.contents()
}

func (b *builder) cover() output.Page {
	s := &sheet{page: b.file.NewPage(), file: b.file, rightToLeft: b.text.rightToLeft}
	s.fill(0, 0, 14, sheetHeight, accent)
	const left = marginLeft + 10
	c := &column{x: left, width: sheetWidth - left - marginRight, base: plain(12)}
	pieces := &stack{}
	c.out = pieces
	title := look{size: 36, bold: true, colour: ink, background: none}
	c.text(b, []span{{text: b.book.Title, look: title}}, title, false, nil)
	if b.book.Subtitle != "" {
		c.gap(8)
		about := look{size: 15, colour: muted, background: none}
		c.text(b, []span{{text: b.book.Subtitle, look: about}}, about, false, nil)
	}
	y := 230.0
	for _, p := range pieces.pieces {
		if y+p.height > sheetHeight-170 {
			break // a title of many pages is cut
		}
		if p.draw != nil {
			p.draw(s, y)
		}
		y += p.height
	}
	s.fill(left, y+22, 64, 3, accent)
	note := look{size: 10, colour: muted, background: none}
	notes := b.book.Notes[:min(len(b.book.Notes), 6)]
	y = sheetHeight - 70 - 16*float64(len(notes))
	for _, text := range notes {
		s.text(left, y, b.text.fit(text, note, c.width), note)
		y += 16
	}
	b.file.WritePage(s.page, sheetWidth, sheetHeight, s.body.Bytes(), s.links)
	return s.page
}

// contents lays out the list of pages; nothing when there is but one line.
func (b *builder) contents() []output.Page {
	if len(b.entries) < 2 {
		return nil
	}
	f := &flow{ctx: b.ctx, file: b.file, text: b.text, limit: b.limits.Sheets, footing: b.book.Title, label: roman}
	title := look{size: 22, bold: true, colour: ink, background: none}
	c := &column{out: f, x: marginLeft, width: textWidth, base: plain(10)}
	c.text(b, []span{{text: "Contents", look: title}}, title, true, nil)
	c.gap(10)
	for i, each := range b.entries {
		if each.bold && i > 0 {
			c.gap(5)
		}
		c.add(b.contentsLine(each))
	}
	f.flush()
	return f.sheets
}

func (b *builder) contentsLine(e entry) piece {
	text := plain(10)
	text.bold = e.bold
	x := marginLeft + 14*float64(min(e.level, 8))
	right := sheetWidth - marginRight
	number := ""
	if e.number > 0 {
		number = fmt.Sprint(e.number)
	}
	return piece{height: 17, draw: func(s *sheet, y float64) {
		label := b.text.shape(number, plain(10))
		start := right - label.width
		end := s.text(x, y+12, b.text.fit(e.title, text, start-x-16), text)
		s.text(start, y+12, label, plain(10))
		if number != "" {
			s.dots(end+7, start-7, y+12)
		}
		s.link(x, y, right-x, 17, &target{place: e.place, url: safe(e.url)})
	}}
}

func safe(address string) string {
	if webAddress(address) {
		return address
	}
	return ""
}
