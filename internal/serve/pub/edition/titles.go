package edition

import (
	"strings"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Label is what navigation calls a page.
func Label(e *entity.Entry) string {
	if title := strings.TrimSpace(e.LinkTitle); title != "" {
		return title
	}
	return Title(e)
}

// Title is what a page calls itself.
func Title(e *entity.Entry) string {
	if t := strings.TrimSpace(e.Title); t != "" {
		return t
	}
	return "Untitled"
}

// Ancestors returns the pages above a page, the highest first.
func Ancestors(node *store.TreeNode) []*store.TreeNode {
	var above []*store.TreeNode
	for n := node.Parent; n != nil; n = n.Parent {
		above = append(above, n)
	}
	for i, j := 0, len(above)-1; i < j; i, j = i+1, j-1 {
		above[i], above[j] = above[j], above[i]
	}
	return above
}

// PlainTitle is a title as text: without the backquotes that mark code.
func PlainTitle(title string) string {
	if strings.Count(title, "`")%2 == 1 {
		return title
	}
	return strings.ReplaceAll(title, "`", "")
}

// EmojiText turns the code of an emoji ("1f680", "1f1e9-1f1ea") into its characters. Characters stay.
func EmojiText(code string) string {
	if characters := doc.EmojiCharacters(code); characters != "" {
		return characters
	}
	return code
}
