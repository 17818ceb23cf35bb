package apptest

import (
	"strings"
	"unicode/utf16"
)

// Compressed is a text as lz-string writes it for an address, without making it shorter: each character stands for
// itself.
func Compressed(text string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$"
	var bits []byte
	put := func(number, size int) {
		for i := range size {
			bits = append(bits, byte(number>>i&1))
		}
	}
	width, left := 2, 2
	for _, unit := range utf16.Encode([]rune(text)) {
		if unit < 256 {
			put(0, width)
			put(int(unit), 8)
		} else {
			put(1, width)
			put(int(unit), 16)
		}
		// The first character makes one entry, and each other one two: its own, and one with the character before.
		for range 2 {
			if left--; left == 0 {
				left = 1 << width
				width++
			}
		}
	}
	put(2, width)
	for len(bits)%6 != 0 {
		bits = append(bits, 0)
	}
	var written strings.Builder
	for i := 0; i < len(bits); i += 6 {
		value := 0
		for _, bit := range bits[i : i+6] {
			value = value<<1 | int(bit)
		}
		written.WriteByte(alphabet[value])
	}
	return written.String()
}
