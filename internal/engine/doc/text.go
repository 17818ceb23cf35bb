package doc

import (
	"strconv"
	"strings"
)

type textBuilder struct{ strings.Builder }

func (b *textBuilder) node(n *Node) {
	switch n.Object {
	case ObjectText:
		for _, leaf := range n.Leaves {
			b.WriteString(leaf.Text)
		}
		return
	case ObjectInline:
		switch data := n.Data.(type) {
		case *ButtonData:
			b.WriteString(data.Label)
		case *EmojiData:
			b.WriteString(EmojiCharacters(data.Code))
		case *FormulaData:
			b.WriteString(data.Formula)
		}
	}
	for i, child := range n.Nodes {
		if i > 0 && child.Object == ObjectBlock {
			b.WriteByte('\n')
		}
		b.node(child)
	}
}

// EmojiCharacters returns the characters of an emoji code ("1f1e9-1f1ea"), or "" when it is not one.
func EmojiCharacters(code string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(code, "-") {
		r, err := strconv.ParseUint(part, 16, 32)
		if err != nil || r == 0 || r > 0x10FFFF || r >= 0xD800 && r < 0xE000 {
			return ""
		}
		b.WriteRune(rune(r))
	}
	return b.String()
}

// EmojiCode returns the code of emoji characters: their hexadecimal code points joined by "-".
func EmojiCode(characters string) string {
	var b strings.Builder
	for _, r := range characters {
		if b.Len() > 0 {
			b.WriteByte('-')
		}
		b.WriteString(strconv.FormatInt(int64(r), 16))
	}
	return b.String()
}
