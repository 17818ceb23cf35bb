// Package lzstring reads texts that were compressed with the JavaScript library lz-string of Pieroxy (MIT,
// https://github.com/pieroxy/lz-string), in the form that stands in addresses: compressToEncodedURIComponent, or
// compressToBase64. Readers of sites ask for blocks that way.
//
// It promises to stop at a length: what unfolds to more is refused as soon as it does, and takes no memory beyond that.
package lzstring

import (
	"errors"
	"strings"
	"unicode/utf16"
)

// Errors.
var (
	// ErrBroken says that a text was not written by the library, or is cut off.
	ErrBroken = errors.New("is not compressed with lz-string")
	// ErrTooLong says that a text unfolds to more than is allowed.
	ErrTooLong = errors.New("unfolds to too much")
)

// Codes that stand for no entry of the dictionary.
const (
	codeByte = 0 // a character of 8 bits follows
	codeUnit = 1 // one of 16 bits follows
	codeEnd  = 2
	reserved = 3 // the first entry has the number 3
)

// piece is an entry of the dictionary: a stretch of what is unfolded already. Each entry is the one that was read
// before with the character behind it, and so they stand beside each other there.
type piece struct{ start, length int }

// Decompress returns the text that was compressed, of at most limit UTF-16 units.
func Decompress(text string, limit int) (string, error) {
	bits := reader{text: strings.TrimRight(text, "=$")}
	var units []uint16
	dictionary := make([]piece, reserved)
	// literal reads a character that has no entry yet and gives it one.
	literal := func(code int) error {
		size := 8
		if code == codeUnit {
			size = 16
		}
		unit, err := bits.take(size)
		if err != nil {
			return err
		}
		if len(units) >= limit {
			return ErrTooLong
		}
		dictionary = append(dictionary, piece{len(units), 1})
		units = append(units, uint16(unit))
		return nil
	}
	code, err := bits.take(2)
	if err != nil || code == codeEnd {
		return "", err
	}
	if code == reserved {
		return "", ErrBroken
	}
	if err := literal(code); err != nil {
		return "", err
	}
	last := dictionary[reserved]
	width, left := 3, 4 // the bits of a code, and how many entries are to come before it has one more
	widen := func() {
		if left--; left == 0 {
			left = 1 << width
			width++
		}
	}
	for {
		code, err := bits.take(width)
		switch {
		case err != nil:
			return "", err
		case code == codeEnd:
			return string(utf16.Decode(units)), nil
		case width > 30:
			return "", ErrBroken
		}
		begin := len(units)
		entry := piece{begin, 1}
		switch {
		case code == codeByte || code == codeUnit:
			if err := literal(code); err != nil {
				return "", err
			}
			widen()
		case code < len(dictionary):
			entry.length = dictionary[code].length
			if begin+entry.length > limit {
				return "", ErrTooLong
			}
			from := dictionary[code].start
			units = append(units, units[from:from+entry.length]...)
		case code == len(dictionary): // the one that is about to be made: the last one and its own first character
			entry.length = last.length + 1
			if begin+entry.length > limit {
				return "", ErrTooLong
			}
			units = append(units, units[last.start:last.start+last.length]...)
			units = append(units, units[last.start])
		default:
			return "", ErrBroken
		}
		dictionary = append(dictionary, piece{last.start, last.length + 1})
		last = entry
		widen()
	}
}

// reader takes bits out of a text whose characters hold six each, the highest first.
type reader struct {
	text string
	at   int // in bits
}

// take returns a number of some bits, of which the lowest comes first.
func (r *reader) take(size int) (int, error) {
	if r.at+size > 6*len(r.text) {
		return 0, ErrBroken
	}
	number := 0
	for i := range size {
		value, ok := valueOf(r.text[r.at/6])
		if !ok {
			return 0, ErrBroken
		}
		number |= value >> (5 - r.at%6) & 1 << i
		r.at++
	}
	return number, nil
}

// valueOf returns what a character stands for. A plus becomes a space on its way through the query of an address.
func valueOf(character byte) (int, bool) {
	switch {
	case character >= 'A' && character <= 'Z':
		return int(character - 'A'), true
	case character >= 'a' && character <= 'z':
		return int(character-'a') + 26, true
	case character >= '0' && character <= '9':
		return int(character-'0') + 52, true
	case character == '+' || character == ' ':
		return 62, true
	case character == '-' || character == '/':
		return 63, true
	}
	return 0, false
}
