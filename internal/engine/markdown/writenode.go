package markdown

import (
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// node writes one inline; marks are those open around it, previous is the leaf right before it.
func (i *inlineWriter) node(n *doc.Node, marks []doc.Mark, previous *doc.Leaf) {
	switch data := n.Data.(type) {
	case *doc.ContentRefData:
		if n.Type == doc.Mention {
			i.mention(data)
			return
		}
		i.link(n, data, marks)
	case *doc.EmptyData:
		i.annotation(n, marks, previous)
	case *doc.EmojiData:
		name := dialect.EmojiName(data.Code)
		if name == "" || i.style.html || i.style.tags || dialect.IsWordRune(i.before()) || i.before() == ':' {
			characters := doc.EmojiCharacters(data.Code)
			i.write(`<span data-gb-custom-inline data-tag="emoji" data-code="` + data.Code + `">` + characters +
				`</span>`)
			return
		}
		i.write(":" + strings.ReplaceAll(name, "_", `\_`) + ":")
	case *doc.IconData:
		style := ""
		if data.Color != "" {
			style = ` style="color:` + data.Color + `;"`
		}
		i.write(`<i class="fa-` + data.Icon + `"` + style + `>`)
		if strings.Trim(data.Icon, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" {
			i.write(":" + data.Icon + ":")
		} else {
			i.words(":" + data.Icon + ":")
		}
		i.write(`</i>`)
	case *doc.ExpressionData:
		i.write(`<code class="expression">` + escapeLiteral(data.Expression, i.style.cell) + `</code>`)
	case *doc.FormulaData:
		i.formula(data.Formula)
	case *doc.InlineImageData:
		i.image(data)
	case *doc.ButtonData:
		i.button(data)
	case *doc.RawData:
		i.write(data.Source)
	}
}

func (i *inlineWriter) attribute(name, value string) string {
	return " " + name + `="` + escapeAttribute(value, i.style.cell) + `"`
}

func (i *inlineWriter) link(n *doc.Node, data *doc.ContentRefData, marks []doc.Mark) {
	if i.style.html || i.style.tags {
		title := ""
		if data.Title != "" {
			title = i.attribute("title", data.Title)
		}
		i.write("<a" + i.attribute("href", data.Ref.URL) + title + ">")
		i.nodes(n.Nodes, marks)
		i.write("</a>")
		return
	}
	i.bracketed(n.Nodes, marks)
	i.write("(" + i.destination(data.Ref.URL, data.Title) + ")")
}

// bracketed writes the words of a link.
func (i *inlineWriter) bracketed(nodes []*doc.Node, marks []doc.Mark) {
	i.links++
	i.write("[")
	i.nodes(nodes, marks)
	i.write("]")
	i.links--
}

// destination writes the part of a link between its parentheses.
func (i *inlineWriter) destination(url, title string) string {
	text := dialect.LinkDestination(url)
	if title != "" {
		text += ` "` + dialect.EscapeTitle(title) + `"`
	}
	if i.style.cell {
		text = strings.ReplaceAll(text, "|", `\|`)
	}
	return text
}

func (i *inlineWriter) mention(data *doc.ContentRefData) {
	name := data.Title
	if name == "" {
		name = lastSegment(data.Ref.URL)
	}
	if i.style.html || i.style.tags {
		i.write("<a data-mention" + i.attribute("href", data.Ref.URL) + ">")
		i.words(name)
		i.write("</a>")
		return
	}
	i.bracketed([]*doc.Node{doc.NewText(name)}, nil)
	i.write("(" + i.destination(data.Ref.URL, "mention") + ")")
}

// lastSegment returns what stands for a destination where nothing else is known: the last part of its path.
func lastSegment(destination string) string {
	path := strings.TrimRight(destination, "/")
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		path = path[at+1:]
	}
	if path = dialect.SingleSpaced(path); path == "" {
		return "."
	}
	return path
}

func (i *inlineWriter) annotation(n *doc.Node, marks []doc.Mark, previous *doc.Leaf) {
	label := i.writer.note(n)
	if i.style.html || i.style.tags {
		i.write("<a data-footnote-ref" + i.attribute("href", dialect.FootnoteHref+label) + ">")
		i.nodes(n.Nodes, marks)
		i.write("</a>")
		return
	}
	if isOneWord(n, previous) {
		i.nodes(n.Nodes, marks)
		i.write("[^" + label + "]")
		return
	}
	i.bracketed(n.Nodes, marks)
	i.write("(" + dialect.FootnoteHref + label + ")[^" + label + "]")
}

// isOneWord reports whether an annotation is on the word that its reference would find by itself.
func isOneWord(n *doc.Node, previous *doc.Leaf) bool {
	if len(n.Nodes) == 0 {
		return previous != nil && strings.HasSuffix(previous.Text, " ")
	}
	if len(n.Nodes) != 1 || len(n.Nodes[0].Leaves) != 1 {
		return false
	}
	leaf := n.Nodes[0].Leaves[0]
	if strings.ContainsAny(leaf.Text, " \t\n") {
		return false
	}
	return previous == nil || strings.HasSuffix(previous.Text, " ") && len(leaf.Marks) == 0 && len(previous.Marks) == 0
}

func (i *inlineWriter) formula(formula string) {
	plain := strings.TrimSpace(formula) != "" && !strings.ContainsAny(formula, "\n|") && !strings.Contains(formula,
		"$$") &&
		!strings.HasSuffix(formula, "$") && !strings.HasPrefix(formula, "$")
	if plain && !i.style.html && !i.style.tags && i.before() != '$' {
		i.write("$$" + formula + "$$")
		return
	}
	i.write(`<span data-gb-custom-inline data-tag="math"` + i.attribute("data-formula", formula) + `></span>`)
}

func (i *inlineWriter) image(data *doc.InlineImageData) {
	image := "<img" + i.attribute("src", data.Ref.URL) + i.attribute("alt", data.Alt)
	if data.Caption != "" {
		image += i.attribute("title", data.Caption)
	}
	if data.Size != "" {
		image += i.attribute("data-size", data.Size)
	}
	image += ">"
	if data.RefDark != nil {
		image = "<picture><source" + i.attribute("srcset", data.RefDark.URL) +
			` media="(prefers-color-scheme: dark)">` + image + "</picture>"
	}
	i.write(image)
}

func (i *inlineWriter) button(data *doc.ButtonData) {
	class := "button " + data.Kind
	if data.Size != "" {
		class += " " + data.Size
	}
	name := "a"
	attributes := ""
	switch {
	case data.Action != nil:
		name = "button"
		attributes = ` type="button"` + i.attribute("class", class) + i.attribute("data-action", data.Action.Action)
		if data.Action.Query != "" {
			attributes += i.attribute("data-query", data.Action.Query)
		}
		if data.Action.Slug != "" {
			attributes += i.attribute("data-slug", data.Action.Slug)
		}
	case data.Ref != nil:
		attributes = i.attribute("href", data.Ref.URL) + i.attribute("class", class)
	default:
		attributes = i.attribute("class", class)
	}
	if data.Icon != "" {
		attributes += i.attribute("data-icon", data.Icon)
	}
	i.write("<" + name + attributes + ">")
	i.words(data.Label)
	i.write("</" + name + ">")
}
