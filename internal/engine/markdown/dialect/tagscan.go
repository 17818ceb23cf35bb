package dialect

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/util"
)

// CutTag splits "{% name arguments %}…" after the name.
func CutTag(line []byte) (name string, arguments []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte("{%"))
	if !ok {
		return "", nil, false
	}
	rest = bytes.TrimLeft(rest, " \t")
	i := 0
	for i < len(rest) && IsTagNameByte(rest[i], i) {
		i++
	}
	if i == 0 || rest[i-1] == '@' {
		return "", nil, false
	}
	name, rest = string(rest[:i]), rest[i:]
	if len(rest) > 0 && !util.IsSpace(rest[0]) && !bytes.HasPrefix(rest, []byte("%}")) {
		return "", nil, false
	}
	return name, rest, true
}

// IsTagNameByte reports whether a tag's name may have a byte at an offset.
func IsTagNameByte(c byte, at int) bool {
	switch {
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		return true
	case at == 0:
		return c == '@'
	}
	return '0' <= c && c <= '9' || c == '-' || c == '_' || c == '/' || c == '.'
}

// TagEnd returns where "%}" ends the arguments of a tag on one line, or -1. Quotes hide it; an integration's last one
// counts, because its values may hold quotes that are not escaped.
func TagEnd(name string, arguments []byte) int {
	trimmed := bytes.TrimRight(arguments, " \t\n")
	if strings.HasPrefix(name, "@") {
		if bytes.HasSuffix(trimmed, []byte("%}")) {
			return len(trimmed) - 2
		}
		return -1
	}
	quote := byte(0)
	for i := range trimmed {
		switch c := trimmed[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' && name == "if":
			quote = c
		case c == '%' && i+1 < len(trimmed) && trimmed[i+1] == '}':
			return i
		}
	}
	return bytes.Index(trimmed, []byte("%}"))
}
