// Package places owns how the places of the words of a text are kept: in few bytes, a text beside the other, so that
// some words are found in one of them without reading the rest of an index.
//
// What is kept of a term is a hash of two bytes. Two terms of one text that have the same are written with eight, so
// that whoever knows that a text has a term finds its places and no others.
package places

import (
	"encoding/binary"
	"errors"

	"github.com/blevesearch/bleve/v2/analysis"
)

// A word is a byte that says how long it is, how far behind the word before, and how many further terms stand for it,
// then the hashes of these. What does not fit is spelt out behind an opening: its place, its start and its length.
const (
	lengthMask   = 0x0f // a length of lengthMask is written behind the byte
	gapShift     = 4
	gapMask      = 0x03 // 0 for an opening
	furtherShift = 6
	maxFurther   = 3

	// openWord is a word at any place, from which the next ones count. openAside is one that they do not count from.
	openWord  = 0
	openAside = 1
)

// gaps are how many bytes lie between two words, by the code of the gap. A negative one is that of two pairs of Chinese
// characters that share one.
var gaps = [...]int{1: 1, 2: 2, 3: -3}

// spelt says that a hash of eight bytes follows instead of one of two.
const spelt = 0xffff

// Hash is what is kept of a term.
type Hash uint64

// HashOf returns the hash of a term.
func HashOf[T string | []byte](term T) Hash {
	// FNV-1a, with the upper bits mixed into the lower ones, of which two bytes are kept.
	h := uint64(14695981039346656037)
	for i := range len(term) {
		h = (h ^ uint64(term[i])) * 1099511628211
	}
	return Hash(h ^ h>>29 ^ h>>47)
}

func (h Hash) short() uint16 { return uint16(h) }

// Encode returns where the tokens of a text are, for Find.
func Encode(tokens analysis.TokenStream) []byte {
	e := encoder{hashes: make([]Hash, len(tokens)), known: make(map[uint16]Hash, len(tokens)/2),
		out: make([]byte, 0, 4*len(tokens))}
	for i, token := range tokens {
		h := HashOf(token.Term)
		e.hashes[i] = h
		switch known, ok := e.known[h.short()]; {
		case !ok:
			e.known[h.short()] = h
		case known != h:
			if e.shared == nil {
				e.shared = map[uint16]bool{}
			}
			e.shared[h.short()] = true
		}
	}
	for i := 0; i < len(tokens); {
		i += e.add(tokens[i:], e.hashes[i:])
	}
	return e.out
}

// encoder is the state of one Encode.
type encoder struct {
	hashes []Hash
	known  map[uint16]Hash
	shared map[uint16]bool // short hashes that two terms have
	place  int
	end    int // of the word before
	out    []byte
}

// add writes the first of some tokens with those that stand for the same word, and returns how many these are.
func (e *encoder) add(tokens analysis.TokenStream, hashes []Hash) int {
	first := tokens[0]
	length, gap := first.End-first.Start, first.Start-e.end
	if first.Position == e.place+1 && length >= 0 {
		for code := 1; code < len(gaps); code++ {
			if gaps[code] != gap {
				continue
			}
			further := 0
			for further < maxFurther && further+1 < len(tokens) && sameWord(first, tokens[further+1]) {
				further++
			}
			e.out = append(e.out, byte(min(length, lengthMask)|code<<gapShift|further<<furtherShift))
			if length >= lengthMask {
				e.out = binary.AppendUvarint(e.out, uint64(length))
			}
			for _, h := range hashes[:further+1] {
				e.hash(h)
			}
			e.place, e.end = first.Position, first.End
			return further + 1
		}
	}
	opening := byte(openAside)
	if first.Position > e.place {
		opening = openWord
	}
	e.out = append(e.out, opening)
	e.out = binary.AppendVarint(e.out, int64(first.Position-e.place))
	e.out = binary.AppendVarint(e.out, int64(gap))
	e.out = binary.AppendVarint(e.out, int64(length))
	e.hash(hashes[0])
	if opening == openWord {
		e.place, e.end = first.Position, first.End
	}
	return 1
}

func sameWord(a, b *analysis.Token) bool {
	return a.Position == b.Position && a.Start == b.Start && a.End == b.End
}

func (e *encoder) hash(h Hash) {
	if h.short() == spelt || e.shared[h.short()] {
		e.out = binary.LittleEndian.AppendUint16(e.out, spelt)
		e.out = binary.LittleEndian.AppendUint64(e.out, uint64(h))
		return
	}
	e.out = binary.LittleEndian.AppendUint16(e.out, h.short())
}

// Place is where a term of a text is: as the token says, and its bytes.
type Place struct{ Place, Start, End int }

// Wanted are terms that are looked for in a text, each under a number of the caller's. It is reused from one text to
// the next, and is for one goroutine.
type Wanted struct {
	terms []wantedTerm
	marks [1 << 16 / 64]uint64 // short hashes of the terms, as bits
}

type wantedTerm struct {
	hash   Hash
	number int
}

// Reset forgets all terms.
func (w *Wanted) Reset() {
	for _, each := range w.terms {
		w.marks[each.hash.short()/64] = 0
	}
	w.terms = w.terms[:0]
}

// Add adds a term that the text has. Another one may be found in its place.
func (w *Wanted) Add(hash Hash, number int) {
	w.terms = append(w.terms, wantedTerm{hash, number})
	w.marks[hash.short()/64] |= 1 << (hash.short() % 64)
}

var errCut = errors.New("the places of a text are cut short")

// Find calls a function with each place of the terms that are wanted in a text, in the order of the text. What it is
// given is what Encode returned.
func (w *Wanted) Find(encoded []byte, found func(number int, at Place)) error {
	r := reader{rest: encoded}
	place, end := 0, 0
	for len(r.rest) > 0 {
		control := r.rest[0]
		r.rest = r.rest[1:]
		code := control >> gapShift & gapMask
		if code == 0 {
			at := Place{Place: place + r.varint()}
			at.Start = end + r.varint()
			at.End = at.Start + r.varint()
			w.match(&r, at, found)
			if control == openWord {
				place, end = at.Place, at.End
			}
		} else {
			length := int(control & lengthMask)
			if length == lengthMask {
				length = r.uvarint()
			}
			place++
			at := Place{place, end + gaps[code], end + gaps[code] + length}
			for range control>>furtherShift + 1 {
				w.match(&r, at, found)
			}
			end = at.End
		}
		if r.cut {
			return errCut
		}
	}
	return nil
}

// match reads a hash and calls a function for the terms that it stands for.
func (w *Wanted) match(r *reader, at Place, found func(number int, at Place)) {
	short := r.short()
	if short == spelt {
		whole := r.whole()
		for _, each := range w.terms {
			if each.hash == whole {
				found(each.number, at)
			}
		}
		return
	}
	if w.marks[short/64]>>(short%64)&1 == 0 {
		return
	}
	for _, each := range w.terms {
		if each.hash.short() == short {
			found(each.number, at)
		}
	}
}

// reader reads what is left of encoded places. What is cut short reads as zero.
type reader struct {
	rest []byte
	cut  bool
}

func (r *reader) short() uint16 {
	if len(r.rest) < 2 {
		r.rest, r.cut = nil, true
		return 0
	}
	short := binary.LittleEndian.Uint16(r.rest)
	r.rest = r.rest[2:]
	return short
}

func (r *reader) whole() Hash {
	if len(r.rest) < 8 {
		r.rest, r.cut = nil, true
		return 0
	}
	whole := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return Hash(whole)
}

func (r *reader) uvarint() int {
	value, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.rest, r.cut = nil, true
		return 0
	}
	r.rest = r.rest[size:]
	return int(value)
}

func (r *reader) varint() int {
	value, size := binary.Varint(r.rest)
	if size <= 0 {
		r.rest, r.cut = nil, true
		return 0
	}
	r.rest = r.rest[size:]
	return int(value)
}
