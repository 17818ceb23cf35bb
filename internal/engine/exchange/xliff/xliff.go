// Package xliff owns the exchange format of translators' tools, XLIFF 2.0 (OASIS): writing documents of the core and
// reading what tools make of them.
//
// Texts are those of package segment: numbered placeholders become <pc> and <ph> elements with what they stand for in
// <originalData>. Documents that are read may be hostile: they are bounded in size, depth and number of units, have no
// document type, and refer to nothing outside themselves. Errors name the line.
package xliff

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/engine/segment"
)

// Namespace is that of the elements.
const Namespace = "urn:oasis:names:tc:xliff:document:2.0"

// State is how far a translation is.
type State string

// States of the standard, in their order.
const (
	Initial    State = "initial"
	Translated State = "translated"
	Reviewed   State = "reviewed"
	Final      State = "final"
)

// Document is one exchange in one pair of languages.
type Document struct {
	Source, Target string
	Files          []File
}

// File is a page.
type File struct {
	// ID is unique in the document, Original says where the page is.
	ID, Original string
	Units        []Unit
}

// Unit is one text.
type Unit struct {
	// ID is unique in its file, Name is for people.
	ID, Name string
	Notes    []string
	State    State
	// SubState is a word of our own behind "recto:", "" for none.
	SubState string
	// Source and Target are texts of package segment. HasTarget tells an empty target from none.
	Source, Target string
	HasTarget      bool
	// Codes are what the placeholders stand for.
	Codes []Code
	// Line is where the unit was read.
	Line int
}

// Code is what a placeholder stands for: After closes a pair.
type Code struct {
	Pair          bool
	Before, After string
}

// Write writes a document.
func Write(w io.Writer, d Document) error {
	b := &writer{out: bufio.NewWriter(w)}
	b.line(0, `<?xml version="1.0" encoding="UTF-8"?>`)
	b.line(0, `<xliff xmlns="`+Namespace+`" version="2.0" srcLang="`+attribute(d.Source)+`" trgLang="`+
		attribute(d.Target)+`">`)
	for _, f := range d.Files {
		b.line(1, `<file id="`+attribute(f.ID)+`" original="`+attribute(f.Original)+`" xml:space="preserve">`)
		for _, u := range f.Units {
			b.unit(u)
		}
		b.line(1, `</file>`)
	}
	b.line(0, `</xliff>`)
	if b.err != nil {
		return fmt.Errorf("write XLIFF: %w", b.err)
	}
	return b.out.Flush()
}

type writer struct {
	out *bufio.Writer
	err error
}

func (b *writer) line(depth int, text string) {
	if b.err == nil {
		_, b.err = b.out.WriteString(strings.Repeat("  ", depth) + text + "\n")
	}
}

func (b *writer) unit(u Unit) {
	name := ""
	if u.Name != "" {
		name = ` name="` + attribute(u.Name) + `"`
	}
	b.line(2, `<unit id="`+attribute(u.ID)+`"`+name+`>`)
	if len(u.Notes) > 0 {
		b.line(3, `<notes>`)
		for _, note := range u.Notes {
			b.line(4, `<note>`+attribute(note)+`</note>`)
		}
		b.line(3, `</notes>`)
	}
	if len(u.Codes) > 0 {
		b.line(3, `<originalData>`)
		for i, code := range u.Codes {
			number := strconv.Itoa(i + 1)
			b.line(4, `<data id="d`+number+`">`+characters(code.Before)+`</data>`)
			if code.Pair {
				b.line(4, `<data id="e`+number+`">`+characters(code.After)+`</data>`)
			}
		}
		b.line(3, `</originalData>`)
	}
	state := ` state="` + string(u.State) + `"`
	if u.SubState != "" {
		state += ` subState="recto:` + attribute(u.SubState) + `"`
	}
	b.line(3, `<segment`+state+`>`)
	b.line(4, `<source>`+inlines(u.Source, len(u.Codes))+`</source>`)
	if u.HasTarget {
		b.line(4, `<target>`+inlines(u.Target, len(u.Codes))+`</target>`)
	}
	b.line(3, `</segment>`)
	b.line(2, `</unit>`)
}

// inlines writes a text with its placeholders as elements. Those that the unit has no data for stand for themselves.
func inlines(text string, codes int) string {
	var b strings.Builder
	for _, r := range segment.Split(text) {
		number := strconv.Itoa(r.Code)
		known := r.Code <= codes
		switch r.Kind {
		case segment.RunText:
			b.WriteString(characters(r.Text))
		case segment.RunSingle:
			b.WriteString(`<ph id="` + number + `" canCopy="no" canDelete="no"` + reference(known, "dataRef",
				"d"+number) + `/>`)
		case segment.RunOpen:
			b.WriteString(`<pc id="` + number + `" canCopy="no" canDelete="no"` + reference(known, "dataRefStart",
				"d"+number) + reference(known, "dataRefEnd", "e"+number) + `>`)
		case segment.RunClose:
			b.WriteString(`</pc>`)
		}
	}
	return b.String()
}

func reference(known bool, name, id string) string {
	if !known {
		return ""
	}
	return ` ` + name + `="` + id + `"`
}

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\r", "&#13;")

// attribute is a text where no <cp> may stand: what XML cannot hold is left out.
func attribute(text string) string {
	return markup.Replace(strings.Map(func(r rune) rune {
		if !legal(r) {
			return -1
		}
		return r
	}, text))
}

// characters writes a text, with <cp> for what XML cannot hold.
func characters(text string) string {
	var b strings.Builder
	for _, r := range text {
		if !legal(r) {
			fmt.Fprintf(&b, `<cp hex="%04X"/>`, r)
			continue
		}
		b.WriteString(markup.Replace(string(r)))
	}
	return b.String()
}

// legal reports whether XML 1.0 has a character.
func legal(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return true
	case r < 0x20, r >= 0xD800 && r < 0xE000, r == 0xFFFE, r == 0xFFFF, r > utf8.MaxRune:
		return false
	}
	return true
}
