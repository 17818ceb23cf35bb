package dialect

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
)

// Argument is one attribute of a tag as it is written: key="text", or key=JSON for an integration.
type Argument struct {
	Key   string
	Value any // a string, or what the JSON holds
}

// ParseArguments reads the attributes of a tag of the dialect: key="value", key='value', key=value and a bare key.
// Where values hold quotes, with a backslash or without, they end as those of integrations do. What is no attribute is
// passed over.
func ParseArguments(s string) []Argument {
	arguments, ok := readArguments(s, true)
	if !ok {
		arguments, _ = readArguments(s, false)
	}
	return arguments
}

// readArguments reads attributes. When strict, it gives up at anything that is no attribute, and otherwise lets values
// hold quotes.
func readArguments(s string, strict bool) (arguments []Argument, ok bool) {
	quotes := !strict
	for {
		s = strings.TrimLeft(s, " \t\n")
		if s == "" {
			return arguments, true
		}
		size := KeyLength(s)
		if size == 0 {
			if strict {
				return nil, false
			}
			s = s[1:]
			continue
		}
		key := s[:size]
		s = s[size:]
		if !strings.HasPrefix(s, "=") {
			arguments = append(arguments, Argument{Key: key, Value: ""})
			continue
		}
		s = s[1:]
		end := -1
		if quotes && strings.HasPrefix(s, `"`) {
			end = closingQuote(s[1:])
			quotes = end >= 0 // where no quote ends this value, none ends a later one
		}
		var value string
		switch {
		case end >= 0:
			value, s = strings.ReplaceAll(s[1:end+1], `\"`, `"`), s[end+2:]
		case s != "" && (s[0] == '"' || s[0] == '\''):
			var closed bool
			value, s, closed = strings.Cut(s[1:], s[:1])
			if strict && (!closed || s != "" && strings.IndexByte(" \t\n", s[0]) < 0) {
				return nil, false
			}
		default:
			end := strings.IndexAny(s, " \t\n")
			if end < 0 {
				end = len(s)
			}
			value, s = s[:end], s[end:]
		}
		arguments = append(arguments, Argument{Key: key, Value: CleanText(html.UnescapeString(value))})
	}
}

// IncludedPath returns the path of an include tag as it can be written between quotes in front of the end of the tag.
func IncludedPath(path string) string {
	path = strings.TrimSpace(strings.ReplaceAll(path, "\n", " "))
	return strings.NewReplacer("%}", "%25}", `"`, "%22").Replace(path)
}

// KeyLength returns the length of the attribute name that s starts with.
func KeyLength(s string) int {
	i := 0
	for i < len(s) && (IsASCIILetter(s[i]) || s[i] == '_' || i > 0 && ('0' <= s[i] && s[i] <= '9' || s[i] == '-' ||
		s[i] == '.' || s[i] == ':')) {
		i++
	}
	return i
}

// ParseProps reads the attributes of an integration's tag. Quotes inside a value are not escaped: a value ends at the
// quote that another attribute or nothing follows. A value without quotes is JSON. It reports false for anything else.
func ParseProps(s string) ([]Argument, bool) {
	var arguments []Argument
	for {
		s = strings.TrimLeft(s, " \t\n")
		if s == "" {
			return arguments, true
		}
		size := KeyLength(s)
		if size == 0 || !strings.HasPrefix(s[size:], "=") {
			return nil, false
		}
		key := s[:size]
		s = s[size+1:]
		if rest, ok := strings.CutPrefix(s, `"`); ok {
			end := closingQuote(rest)
			if end < 0 {
				return nil, false
			}
			arguments = append(arguments, Argument{Key: key, Value: CleanText(unescapeProp(rest[:end]))})
			s = rest[end+1:]
			continue
		}
		decoder := json.NewDecoder(strings.NewReader(s))
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, false
		}
		arguments = append(arguments, Argument{Key: key, Value: CleanValue(value)})
		s = s[decoder.InputOffset():]
		if s != "" && !strings.ContainsAny(s[:1], " \t\n") {
			return nil, false
		}
	}
}

// closingQuote returns the index of the quote that ends a value, or -1.
func closingQuote(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		rest := strings.TrimLeft(s[i+1:], " \t\n")
		if rest == "" {
			return i
		}
		if size := KeyLength(rest); size > 0 && len(rest) < len(s)-i-1 && strings.HasPrefix(rest[size:], "=") {
			return i
		}
	}
	return -1
}

// propEscapes are the only character references that an integration's values know, because their own text often has
// references of its own.
var propEscapes = []string{"&#x22;", `"`, "&#x25;", "%", "&#xA;", "\n", "&#x26;", "&", "&#x9;", "\t", "&#x20;", " "}

func unescapeProp(s string) string {
	if !strings.Contains(s, "&#x") {
		return s
	}
	return strings.NewReplacer(propEscapes...).Replace(s)
}

// CleanValue cleans the texts inside a JSON value.
func CleanValue(value any) any {
	switch v := value.(type) {
	case string:
		return CleanText(v)
	case []any:
		for i := range v {
			v[i] = CleanValue(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = CleanValue(v[key])
		}
	}
	return value
}

// formatArgument writes key="value" for a tag of the dialect.
func formatArgument(key, value string) string {
	if html.UnescapeString(value) != value {
		value = strings.ReplaceAll(value, "&", "&#x26;")
	}
	value = strings.NewReplacer(`"`, "&#x22;", "\n", "&#xA;", "%}", "&#x25;}").Replace(value)
	return key + `="` + value + `"`
}

// FormatProp writes key="value" or key=JSON for an integration's tag. A text is written as it is where that reads back
// the same, and with references otherwise.
func FormatProp(key string, value any) string {
	text, ok := value.(string)
	if !ok {
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			return key + `=null`
		}
		// A tag ends at "%}", also inside JSON.
		return key + "=" + strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "%", `\u0025`)
	}
	if isPlainProp(text) {
		return key + `="` + text + `"`
	}
	escaped := strings.NewReplacer("&#x", "&#x26;#x", `"`, "&#x22;", "%", "&#x25;", "\n", "&#xA;", "\t",
		"&#x9;").Replace(text)
	return key + `="` + escaped + `"`
}

// isPlainProp reports whether a value can stand between quotes, over several lines too, and read back the same in any
// container.
func isPlainProp(text string) bool {
	if unescapeProp(text) != text || closingQuote(text+`"`) != len(text) || strings.Contains(text, "\t") {
		return false
	}
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "{%") || strings.HasSuffix(trimmed, "%}") || strings.TrimRight(line,
			" ") != line {
			return false
		}
		if i > 0 && trimmed != line {
			return false
		}
	}
	return true
}
