package doc

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Finish gives every node its key and every heading, expandable, tab and API block its anchor. Parsing does it; who
// changes a document (evaluates conditions, includes reusable contents, decodes an edit) does it again.
func Finish(d *Document) {
	AssignKeys(d)
	AssignIDs(d)
}

// AssignKeys numbers every node in the order of Walk. Keys are unique within the document, and the same tree gives
// the same keys.
func AssignKeys(d *Document) {
	next := 0
	d.Walk(func(n *Node) bool {
		next++
		n.Key = "n" + strconv.FormatInt(int64(next), 36)
		return true
	})
}

// AssignIDs sets meta.id of every node that has an anchor (see HasAnchor), unique within the document. An explicit
// anchor of a heading wins over a derived one, wherever it stands; what collides gets "-1", "-2" and so on.
func AssignIDs(d *Document) {
	var nodes []*Node
	wanted := map[*Node]string{}
	taken := map[string]bool{}
	d.Walk(func(n *Node) bool {
		if !HasAnchor(n.Type) {
			return true
		}
		nodes = append(nodes, n)
		n.ID = ""
		if data, ok := n.Data.(*HeadingData); ok && data.ID != "" {
			if !taken[data.ID] {
				taken[data.ID] = true
				n.ID = data.ID
			}
			wanted[n] = data.ID
		}
		return true
	})
	last := map[string]int{}
	for _, n := range nodes {
		if n.ID != "" {
			continue
		}
		base := wanted[n]
		if base == "" {
			base = derivedAnchor(n)
		}
		id := base
		for number := last[base]; taken[id]; {
			number++
			last[base] = number
			id = base + "-" + strconv.Itoa(number)
		}
		taken[id] = true
		n.ID = id
	}
}

// derivedAnchor returns the anchor that a node's own words make.
func derivedAnchor(n *Node) string {
	text := ""
	switch data := n.Data.(type) {
	case *HeadingData:
		text = n.PlainText()
	case *ExpandableData:
		if title := n.FragmentNamed(FragmentExpandableTitle); title != nil {
			text = title.PlainText()
		}
	case *TabsItemData:
		text = data.Slug
		if text == "" {
			text = data.Title
		}
	case *OpenAPIData:
		switch n.Type {
		case OpenAPISchemas:
			text = strings.Join(data.Schemas, " ")
		case OpenAPIWebhook:
			text = data.Method + " " + data.Name
		default:
			text = data.Method + " " + data.Path
		}
	}
	if id := Anchor(text); id != "" {
		return id
	}
	switch n.Type {
	case Expandable:
		return "expandable"
	case TabsItem:
		return "tab"
	case Heading1, Heading2, Heading3:
		return "section"
	}
	return string(n.Type)
}

// maxAnchor is the longest derived anchor, in bytes.
const maxAnchor = 100

// Anchor returns the URL fragment of a heading's words: lower case, "&" as "and", an ellipsis as "...", letters
// (accents folded), digits, ".", "_" and "+" kept, quotes and other light punctuation dropped, runs of anything else as
// one "-", and "id-" in front of a leading digit. Invisible characters do not count. It is "" for words without any
// letter or digit.
func Anchor(words string) string {
	words = strings.ReplaceAll(strings.ReplaceAll(words, "…", "..."), "&", " and ")
	var b strings.Builder
	gap, solid := false, false
	for _, r := range words {
		switch {
		case unicode.Is(unicode.Variation_Selector, r):
			continue // it only says how the character before it looks
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			solid = true
		case r == '.' || r == '_' || r == '+':
		case strings.ContainsRune("?!:,;*'\"`‘’“”", r), unicode.Is(unicode.Cf, r):
			continue
		default:
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteString(foldAccents(unicode.ToLower(r)))
		if b.Len() >= maxAnchor {
			break
		}
	}
	if !solid {
		return ""
	}
	id := b.String()
	if first := id[0]; '0' <= first && first <= '9' {
		id = "id-" + id
	}
	return id
}

// foldAccents returns the base letter of an accented Latin letter, and any other character as it is.
func foldAccents(r rune) string {
	if r < 0xC0 {
		return string(r)
	}
	decomposed := norm.NFD.String(string(r))
	if decomposed[0] < 0x80 {
		return decomposed[:1]
	}
	return string(r)
}

// AppendText appends characters with marks to a list of texts and inlines, joining them with what is there when the
// marks are the same. It keeps the list in the form that Normalize gives.
func AppendText(nodes []*Node, text string, marks []Mark) []*Node {
	if text == "" {
		return nodes
	}
	if last := len(nodes) - 1; last >= 0 && nodes[last].Object == ObjectText {
		n := nodes[last]
		if end := len(n.Leaves) - 1; end >= 0 && slices.Equal(n.Leaves[end].Marks, marks) {
			n.Leaves[end].Text += text
		} else {
			n.Leaves = append(n.Leaves, Leaf{Text: text, Marks: marks})
		}
		return nodes
	}
	return append(nodes, NewText(text, marks...))
}
