package script

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// connection are the headers that say something of a connection or of how a message is carried. A script sets none of
// them.
var connection = map[string]bool{
	"connection": true, "content-length": true, "expect": true, "host": true, "keep-alive": true,
	"proxy-authenticate": true, "proxy-authorization": true, "proxy-connection": true, "te": true, "trailer": true,
	"transfer-encoding": true, "upgrade": true,
}

// headersOf reads the headers that the layer gives, a list of pairs. It trusts nothing: names are tokens, values hold
// no line ends, there are not too many.
func headersOf(text string) ([][2]string, error) {
	if len(text) > 4*maxHeader {
		return nil, fmt.Errorf("TypeError: the headers have more than %d bytes", maxHeader)
	}
	var given [][]string
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return nil, fmt.Errorf("TypeError: the headers are no pairs")
	}
	if len(given) > maxHeaders {
		return nil, fmt.Errorf("TypeError: there are more than %d headers", maxHeaders)
	}
	total, headers := 0, make([][2]string, 0, len(given))
	for _, pair := range given {
		if len(pair) != 2 || !isToken(pair[0]) {
			return nil, fmt.Errorf("TypeError: that is no header")
		}
		value := bytesOfLatin(pair[1])
		if !isValue(value) {
			return nil, fmt.Errorf("TypeError: the header %.40s holds a character that it may not hold", pair[0])
		}
		if total += len(pair[0]) + len(value); total > maxHeader {
			return nil, fmt.Errorf("TypeError: the headers have more than %d bytes", maxHeader)
		}
		if name := strings.ToLower(pair[0]); !connection[name] {
			headers = append(headers, [2]string{name, value})
		}
	}
	return headers, nil
}

// isToken reports whether a text can be the name of a header or a method.
func isToken(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) || c >= utf8.RuneSelf {
			return false
		}
	}
	return text != ""
}

// isValue reports whether a text can be the value of a header.
func isValue(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// bytesOfLatin returns a text of JavaScript, each of whose characters is a byte, as those bytes. A value that holds
// other characters stays UTF-8.
func bytesOfLatin(text string) string {
	bytes := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			return text
		}
		bytes = append(bytes, byte(r))
	}
	return string(bytes)
}

// latin returns bytes as a text of which each character is one.
func latin(bytes string) string {
	var b strings.Builder
	for i := range len(bytes) {
		b.WriteRune(rune(bytes[i]))
	}
	return b.String()
}

// lookUp returns the first value of a header.
func lookUp(headers [][2]string, name string) (string, bool) {
	for _, each := range headers {
		if strings.EqualFold(each[0], name) {
			return each[1], true
		}
	}
	return "", false
}
