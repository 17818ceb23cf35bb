package pdf

import (
	"context"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/pdf/output"
)

// piece is a part of a column that is not broken: a line, a picture, a row.
type piece struct {
	height float64
	draw   func(s *sheet, y float64)
	// keep holds it together with the next; gap is blank space that is dropped at the top of a sheet.
	keep, gap bool
	// tail is blank space at the end of a block: it may hang over the foot of a sheet, but begins no other.
	tail bool
}

// sink takes pieces from top to bottom.
type sink interface{ add(p piece) }

// stack is a sink that only collects.
type stack struct{ pieces []piece }

func (s *stack) add(p piece) { s.pieces = append(s.pieces, p) }

func (s *stack) height() float64 {
	height := 0.0
	for _, p := range s.pieces {
		height += p.height
	}
	return height
}

// stop carries an error up through the layout; Write catches it.
type stop struct{ err error }

// flow is a sink that places pieces on sheets, one after the other, and writes each sheet when it is full.
type flow struct {
	ctx     context.Context
	file    *output.File
	text    *typesetter
	limit   int
	sheets  []output.Page
	current *sheet
	y       float64
	pending []piece
	// heading stands at the top of a sheet, footing at the foot with the number that label gives the sheet.
	heading, footing string
	label            func(number int) string
	// again is drawn at the top of a sheet on which something goes on: the head of a table.
	again *piece
}

func (f *flow) add(p piece) {
	f.pending = append(f.pending, p)
	if p.keep && len(f.pending) < 40 || p.gap {
		return
	}
	f.place()
}

// place puts what is pending on the sheet, on a new one when it does not fit.
func (f *flow) place() {
	height := 0.0
	for _, p := range f.pending {
		if !p.tail {
			height += p.height
		}
	}
	if f.current != nil && f.y+height > sheetHeight-marginBottom && !f.current.empty {
		f.finish()
	}
	pending := f.pending
	f.pending = nil
	for _, p := range pending {
		if f.current != nil && !p.tail && f.y+p.height > sheetHeight-marginBottom && !f.current.empty {
			f.finish()
		}
		if f.current == nil {
			f.begin()
		}
		if (p.gap || p.tail) && f.current.empty {
			continue
		}
		if p.draw != nil {
			p.draw(f.current, f.y)
		}
		f.current.empty = f.current.empty && p.gap
		f.y += p.height
	}
}

// room is what is left of the sheet.
func (f *flow) room() float64 {
	height := 0.0
	for _, p := range f.pending {
		height += p.height
	}
	if f.current == nil {
		return textHeight - height
	}
	return sheetHeight - marginBottom - f.y - height
}

func (f *flow) begin() {
	if err := f.ctx.Err(); err != nil {
		panic(stop{err})
	}
	if f.file.Err() != nil {
		panic(stop{f.file.Err()})
	}
	if len(f.sheets) >= f.limit {
		panic(stop{errs.New(errs.TooLarge,
			"the PDF would have more than %d pages; ask for one page of the space with “only”", f.limit)})
	}
	f.current = &sheet{page: f.file.NewPage(), file: f.file, rightToLeft: f.text.rightToLeft, empty: true}
	f.y = marginTop
	if f.again != nil {
		f.again.draw(f.current, f.y)
		f.y += f.again.height
	}
}

// finish writes the sheet. The next piece begins a new one.
func (f *flow) finish() {
	if f.current == nil {
		return
	}
	s := f.current
	number := len(f.sheets) + 1
	small := plain(8)
	small.colour = muted
	if f.heading != "" {
		s.text(marginLeft, 44, f.text.fit(f.heading, small, textWidth), small)
		s.rule(marginLeft, 52, textWidth, faint)
	}
	label := f.text.shape(f.label(number), small)
	s.text(marginLeft, sheetHeight-38, f.text.fit(f.footing, small, textWidth-60), small)
	s.text(sheetWidth-marginRight-label.width, sheetHeight-38, label, small)
	f.file.WritePage(s.page, sheetWidth, sheetHeight, s.body.Bytes(), s.links)
	f.sheets = append(f.sheets, s.page)
	f.current = nil
}

// flush places what waits for a next piece and ends the sheet.
func (f *flow) flush() {
	for len(f.pending) > 0 && f.pending[len(f.pending)-1].gap {
		f.pending = f.pending[:len(f.pending)-1]
	}
	if len(f.pending) > 0 {
		f.place()
	}
	f.finish()
}

// roman is a number as i, ii, iii.
func roman(number int) string {
	var b strings.Builder
	for _, digit := range []struct {
		value int
		text  string
	}{{100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for number >= digit.value {
			b.WriteString(digit.text)
			number -= digit.value
		}
	}
	return b.String()
}

func decimal(number int) string { return fmt.Sprint(number) }
