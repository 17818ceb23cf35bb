package dialect

import (
	_ "embed" // for the table of names
	"strings"
	"sync"
)

// emojiTable lists one emoji a line: its code, then its names, the preferred one first. The short names are those of
// GitHub's gemoji list (MIT licence), the last ones the Unicode CLDR names with underscores.
//
//go:embed emoji.txt
var emojiTable string

// emojiNames maps between the names of emoji and their codes.
type emojiNames struct {
	codes map[string]string // by name
	names map[string]string // the preferred name by code
}

var emojis = sync.OnceValue(func() *emojiNames {
	e := &emojiNames{codes: map[string]string{}, names: map[string]string{}}
	for line := range strings.Lines(emojiTable) {
		fields := strings.Fields(line)
		for _, name := range fields[1:] {
			e.codes[name] = fields[0]
		}
		e.names[fields[0]] = fields[1]
	}
	return e
})

// EmojiCode returns the code of an emoji name.
func EmojiCode(name string) (string, bool) {
	code, ok := emojis().codes[strings.ToLower(name)]
	return code, ok
}

// EmojiName returns the name that writes a code, or "".
func EmojiName(code string) string { return emojis().names[code] }
