package script

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"github.com/rectodocs/recto/internal/base/propertytest"
)

// pieces are what broken texts are made of: whole characters of every length, begins of some, and bytes that begin
// none.
var pieces = []string{"a", "é", "€", "😀", "\ufeff", "\ufffd", "\x80", "\xbf", "\xc0", "\xc2", "\xe0", "\xe0\x9f",
	"\xe2\x82", "\xed\xa0", "\xed\xa0\x80", "\xef",
	"\xf0\x9f", "\xf0\x9f\x98", "\xf0\x8f", "\xf4\x90", "\xf5", "\xff", "\x00"}

// TestDecodersAgree tries texts that are broken in every way, whole and in parts: they become what another decoder that
// follows the Encoding standard makes of them, the parts together what the whole is, and who wants no faults is told.
func TestDecodersAgree(t *testing.T) {
	cases := propertytest.Cases(t, 3000, 1)
	random := rand.New(rand.NewPCG(1, 2))
	type decoder func(bytes []byte, fatal, more bool) (string, int, error)
	for name, each := range map[string]struct {
		own   decoder
		other encoding.Encoding
		wide  interface {
			binary.ByteOrder
			binary.AppendByteOrder
		}
	}{
		"utf-8": {decodeUTF8, unicode.UTF8, nil},
		"utf-16le": {func(b []byte, fatal, more bool) (string, int, error) {
			return decodeUTF16(b, binary.LittleEndian, fatal, more)
		}, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), binary.LittleEndian},
		"utf-16be": {func(b []byte, fatal, more bool) (string, int, error) {
			return decodeUTF16(b, binary.BigEndian, fatal, more)
		}, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), binary.BigEndian},
	} {
		t.Run(name, func(t *testing.T) {
			for range cases {
				var bytes []byte
				for range random.IntN(6) {
					if each.wide == nil {
						bytes = append(bytes, pieces[random.IntN(len(pieces))]...)
						continue
					}
					units := utf16.Encode([]rune(pieces[random.IntN(6)]))
					if random.IntN(2) == 0 { // halves of pairs
						units = append(units, uint16(0xd800+random.IntN(0x800)))
					}
					for _, unit := range units {
						bytes = each.wide.AppendUint16(bytes, unit)
					}
				}
				// The half of a pair with the half of a unit behind it is one fault of the standard's, and two of the
				// other's.
				last := uint16(0)
				if n := len(bytes); each.wide != nil && n > 0 {
					last = each.wide.Uint16(bytes[n-2:])
				}
				if each.wide != nil && random.IntN(4) == 0 && (last < 0xd800 || last >= 0xdc00) {
					bytes = append(bytes, 'x')
				}
				whole, left, err := each.own(bytes, false, false)
				want, otherErr := each.other.NewDecoder().Bytes(bytes)
				if err != nil || left != 0 || otherErr != nil || whole != string(want) {
					t.Fatalf("%x is %q, %d left, %v; the other says %q, %v", bytes, whole, left, err, want, otherErr)
				}
				var parts strings.Builder
				var pending []byte
				for rest := bytes; len(rest) > 0; {
					cut := 1 + random.IntN(len(rest))
					pending, rest = append(pending, rest[:cut]...), rest[cut:]
					text, left, err := each.own(pending, false, true)
					if err != nil {
						t.Fatalf("a part of %x: %v", bytes, err)
					}
					parts.WriteString(text)
					pending = append([]byte(nil), pending[len(pending)-left:]...)
				}
				text, _, err := each.own(pending, false, false)
				if parts.WriteString(text); err != nil || parts.String() != whole {
					t.Fatalf("%x in parts is %q, %v, not %q", bytes, parts.String(), err, whole)
				}
				valid := utf8.Valid(bytes)
				if each.wide != nil {
					valid = len(bytes)%2 == 0
					var units []uint16
					for i := 0; i+1 < len(bytes); i += 2 {
						units = append(units, each.wide.Uint16(bytes[i:]))
					}
					valid = valid && string(utf16.Decode(units)) != "" && sound(units) || len(bytes) == 0
				}
				if _, _, err := each.own(bytes, true, false); (err == nil) != valid {
					t.Fatalf("%x without faults: %v", bytes, err)
				}
			}
		})
	}
}

// sound reports whether halves of surrogate pairs stand together.
func sound(units []uint16) bool {
	again := utf16.Encode(utf16.Decode(units))
	if len(again) != len(units) {
		return false
	}
	for i := range units {
		if again[i] != units[i] {
			return false
		}
	}
	return true
}
