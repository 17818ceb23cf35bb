package script

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encodings are the names under which the Encoding standard knows those that are here.
var encodings = map[string]string{}

func init() {
	for name, labels := range map[string]string{
		"utf-8":    "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
		"utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
		"utf-16be": "unicodefffe utf-16be",
		"windows-1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 " +
			"iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
	} {
		for label := range strings.FieldsSeq(labels) {
			encodings[label] = name
		}
	}
}

// encodingName returns the name of the encoding that a label means.
func encodingName(_ *Instance, v values) (any, error) {
	label, err := v.text(0)
	if err != nil {
		return nil, err
	}
	name, ok := encodings[strings.ToLower(strings.Trim(label, "\t\n\f\r "))]
	if !ok {
		return nil, fmt.Errorf("RangeError: there is no encoding %.40q here", label)
	}
	return name, nil
}

// encodeText returns a text as UTF-8. It has come as that, with U+FFFD for halves of surrogate pairs.
func encodeText(_ *Instance, v values) (any, error) {
	text, err := v.text(0)
	return base64.StdEncoding.EncodeToString([]byte(text)), err
}

// errFatal is of bytes that are no text of their encoding.
var errFatal = errors.New("TypeError: the bytes are no text of their encoding")

// decodeText returns bytes as a text.
func decodeText(_ *Instance, v values) (any, error) {
	text, _, err := decode(v)
	return text, err
}

// decodePart is decodeText, and says how many bytes at the end are the begin of a character.
func decodePart(_ *Instance, v values) (any, error) {
	text, left, err := decode(v)
	if err != nil {
		return nil, err
	}
	answer, err := json.Marshal(map[string]any{"text": text, "left": left})
	return string(answer), err
}

func decode(v values) (text string, left int, err error) {
	name, err := v.text(0)
	if err != nil {
		return "", 0, err
	}
	bytes, err := v.bytes(1)
	if err != nil {
		return "", 0, err
	}
	fatal, more := v.yes(2), v.yes(3)
	switch name {
	case "utf-8":
		return decodeUTF8(bytes, fatal, more)
	case "utf-16le":
		return decodeUTF16(bytes, binary.LittleEndian, fatal, more)
	case "utf-16be":
		return decodeUTF16(bytes, binary.BigEndian, fatal, more)
	case "windows-1252":
		var b strings.Builder
		for _, each := range bytes {
			if each >= 0x80 && each < 0xa0 {
				b.WriteRune(windows1252[each-0x80])
			} else {
				b.WriteRune(rune(each))
			}
		}
		return b.String(), 0, nil
	}
	return "", 0, fmt.Errorf("RangeError: there is no encoding %.40q here", name)
}

// windows1252 are the characters in which it is not Latin-1.
var windows1252 = []rune("\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d" +
	"\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178")

// decodeUTF8 decodes as the Encoding standard does: the longest begin of a character that does not go on becomes one
// U+FFFD. With more to come, the begin of a character at the end is left.
func decodeUTF8(bytes []byte, fatal, more bool) (text string, left int, err error) {
	if utf8.Valid(bytes) {
		return string(bytes), 0, nil
	}
	var b strings.Builder
	for i := 0; i < len(bytes); {
		r, size := utf8.DecodeRune(bytes[i:])
		if r != utf8.RuneError || size > 1 {
			b.WriteRune(r)
			i += size
			continue
		}
		length, open := broken(bytes[i:])
		if open && more {
			return b.String(), length, nil
		}
		if fatal {
			return "", 0, errFatal
		}
		b.WriteRune(utf8.RuneError)
		i += length
	}
	return b.String(), 0, nil
}

// broken returns how long the begin of a character is that does not go on, and whether it could with bytes behind it.
func broken(bytes []byte) (length int, open bool) {
	first, need, low, high := bytes[0], 0, byte(0x80), byte(0xbf)
	switch {
	case first >= 0xc2 && first <= 0xdf:
		need = 1
	case first >= 0xe0 && first <= 0xef:
		need = 2
		switch first {
		case 0xe0:
			low = 0xa0
		case 0xed:
			high = 0x9f
		}
	case first >= 0xf0 && first <= 0xf4:
		need = 3
		switch first {
		case 0xf0:
			low = 0x90
		case 0xf4:
			high = 0x8f
		}
	default:
		return 1, false
	}
	for n := 1; n <= need; n++ {
		if n == len(bytes) {
			return n, true
		}
		if bytes[n] < low || bytes[n] > high {
			return n, false
		}
		low, high = 0x80, 0xbf
	}
	return need + 1, false
}

// decodeUTF16 decodes UTF-16 in the order of bytes given.
func decodeUTF16(bytes []byte, order binary.ByteOrder, fatal, more bool) (text string, left int, err error) {
	units := make([]uint16, 0, len(bytes)/2+1)
	whole := len(bytes) &^ 1
	for i := 0; i < whole; i += 2 {
		units = append(units, order.Uint16(bytes[i:]))
	}
	left = len(bytes) - whole
	n := len(units)
	leads := n > 0 && units[n-1] >= 0xd800 && units[n-1] < 0xdc00
	if more && leads {
		units, left = units[:n-1], left+2
	}
	if !more && left > 0 {
		left = 0
		if !leads { // else the half of a pair and the half of a unit are one fault, as the standard says
			units = append(units, 0xdfff)
		}
	}
	if fatal {
		for i := 0; i < len(units); i++ {
			if !utf16.IsSurrogate(rune(units[i])) {
				continue
			}
			if i+1 == len(units) || utf16.DecodeRune(rune(units[i]), rune(units[i+1])) == utf8.RuneError {
				return "", 0, errFatal
			}
			i++
		}
	}
	return string(utf16.Decode(units)), left, nil
}

// atob decodes base64 as the Web forgives it.
func atob(_ *Instance, v values) (any, error) {
	text, err := v.text(0)
	if err != nil {
		return nil, err
	}
	text = strings.NewReplacer(" ", "", "\t", "", "\n", "", "\f", "", "\r", "").Replace(text)
	if len(text)%4 == 0 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	}
	bytes, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("InvalidCharacterError: the text is no base64")
	}
	return latin(string(bytes)), nil
}
