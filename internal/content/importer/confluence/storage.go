package confluence

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/markup"
	"github.com/rectodocs/recto/internal/content/importer/source"
)

// storage rewrites one page in the storage format to what package hypertext knows.
type storage struct {
	*xmlExport
	page *source.Page
	id   string
}

// rewrite rewrites what is below a node.
func (s *storage) rewrite(n *html.Node) {
	for _, child := range markup.Children(n) {
		if child.Type != html.ElementNode {
			continue
		}
		switch child.Data {
		case "ac:structured-macro", "ac:macro":
			markup.Replace(child, s.macro(child)...)
		case "ac:image":
			markup.Replace(child, s.image(child)...)
		case "ac:link":
			markup.Replace(child, s.linkElement(child)...)
		case "ac:task-list":
			markup.Replace(child, s.tasks(child))
		case "ac:emoticon":
			shown := cmp.Or(markup.Attr(child, "ac:emoji-fallback"), emoticon(markup.Attr(child, "ac:name")))
			markup.Replace(child, markup.Text(shown))
		case "ac:adf-extension":
			markup.Replace(child, s.panel(child)...)
		case "ac:placeholder":
			markup.Remove(child)
		case "ac:inline-comment-marker":
			s.losses.Add("left out: comment on the text")
			s.rewrite(child)
			markup.Replace(child, markup.Children(child)...)
		case "time":
			if date := markup.Attr(child, "datetime"); date != "" && child.FirstChild == nil {
				markup.Append(child, markup.Text(date))
			}
		case "h1", "h2", "h3", "h4", "h5", "h6":
			s.rewrite(child)
			if name := anchorName(markup.TextOf(child)); name != "" {
				child.InsertBefore(markup.Element("a", "id", name), child.FirstChild)
			}
		default:
			s.rewrite(child)
			if strings.HasPrefix(child.Data, "ac:") || strings.HasPrefix(child.Data, "ri:") {
				child.Data = "div" // layouts and the like: what is in them counts
			}
		}
	}
}

// child returns the first child element of a name, nil when there is none.
func child(n *html.Node, name string) *html.Node {
	for c := range n.ChildNodes() {
		if markup.Is(c, name) {
			return c
		}
	}
	return nil
}

// parameters returns the parameters of a macro as text.
func parameters(macro *html.Node) map[string]string {
	found := map[string]string{}
	for c := range macro.ChildNodes() {
		if markup.Is(c, "ac:parameter") {
			found[strings.ToLower(markup.Attr(c, "ac:name"))] = markup.TextOf(c)
		}
	}
	return found
}

// plainText returns text as it is, with its lines.
func plainText(n *html.Node) string {
	if n == nil {
		return ""
	}
	var out strings.Builder
	for below := range n.Descendants() {
		if below.Type == html.TextNode {
			out.WriteString(below.Data)
		}
	}
	return out.String()
}

// macro returns what stands for a macro.
func (s *storage) macro(n *html.Node) []*html.Node {
	name := strings.ToLower(markup.Attr(n, "ac:name"))
	options := parameters(n)
	plain := child(n, "ac:plain-text-body")
	var rich []*html.Node
	if body := child(n, "ac:rich-text-body"); body != nil {
		s.rewrite(body)
		rich = markup.Children(body)
	}
	switch name {
	case "code", "noformat":
		return []*html.Node{listing(codeLanguage(options["language"]), options["title"], plainText(plain))}
	case "info", "note", "warning", "tip", "success", "error", "panel":
		return []*html.Node{callout(name, options["title"], rich)}
	case "expand", "ui-expand":
		return []*html.Node{expandable(options["title"], rich)}
	case "status":
		return []*html.Node{strong(cmp.Or(options["title"], options["colour"]))}
	case "jira", "jiraissues":
		return s.jira(options)
	case "anchor":
		return []*html.Node{markup.Element("a", "id", anchorName(cmp.Or(options[""], options["name"])))}
	case "include", "excerpt-include":
		return s.included(n, options)
	case "widget", "iframe", "multimedia", "youtube":
		if address := s.address(n, options); address != "" {
			return []*html.Node{markup.Element("iframe", "src", address)}
		}
	case "view-file", "viewfile", "viewpdf", "viewdoc", "viewxls", "viewppt":
		if file, attached := s.attachment(markup.Find(n, isAttachment), options["name"]); file != nil {
			return []*html.Node{s.fileLink(file, attached)}
		}
	case "drawio", "gliffy", "inc-drawio":
		if file, attached := s.attachment(nil, cmp.Or(options["diagramname"], options["name"])+".png"); file != nil {
			return []*html.Node{markup.Element("img", "src", s.take(file), "alt", strings.TrimSuffix(attached, ".png"))}
		}
	case "mathblock", "latex", "mathdisplay", "easy-math-block":
		if formula := cmp.Or(plainText(plain), options["body"]); formula != "" {
			return []*html.Node{markup.Append(markup.Element("div", "class", "math"), markup.Text("$$"+formula+"$$"))}
		}
	case "mathinline", "latex-inline", "eazy-math-inline":
		if formula := cmp.Or(plainText(plain), options["body"]); formula != "" {
			return []*html.Node{markup.Append(markup.Element("span", "class", "math"), markup.Text(`\(`+formula+`\)`))}
		}
	case "toc":
		s.losses.Add("left out: table of contents")
		return nil
	}
	switch {
	case len(rich) > 0:
		// Sections, columns, excerpts, page properties and all that is not known: their content is what counts.
		if !transparent[name] {
			s.losses.Add("changed: of the macro " + name + " only its content is kept")
		}
		return rich
	case plain != nil:
		s.losses.Add("changed: the macro " + name + " is kept as text")
		return []*html.Node{listing("", "", plainText(plain))}
	}
	s.losses.Add("left out: macro " + cmp.Or(name, "without a name"))
	return nil
}

// transparent are macros that only arrange their content.
var transparent = map[string]bool{
	"section": true, "column": true, "excerpt": true, "details": true, "div": true, "span": true, "toc-zone": true,
	"align": true, "center": true, "table-filter": true,
}

// codeLanguages are the names of languages whose usual one is another.
var codeLanguages = map[string]string{"actionscript3": "actionscript", "c#": "csharp", "c++": "cpp", "js": "javascript",
	"py": "python", "none": "", "text": "", "plain": ""}

func codeLanguage(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if usual, ok := codeLanguages[name]; ok {
		return usual
	}
	return name
}

// jira returns what stands for an issue or a list of them.
func (s *storage) jira(options map[string]string) []*html.Node {
	if key := options["key"]; key != "" {
		return []*html.Node{markup.Append(markup.Element("code"), markup.Text(key))}
	}
	s.losses.Add("changed: a list of Jira issues is kept as its query")
	query := cmp.Or(options["jqlquery"], options["url"])
	return []*html.Node{markup.Append(markup.Element("p"), markup.Text("Jira: "), markup.Append(markup.Element("code"),
		markup.Text(query)))}
}

// included returns a link in the place of what is shown from another page.
func (s *storage) included(n *html.Node, options map[string]string) []*html.Node {
	s.losses.Add("changed: content that is included from another page is a link to it")
	title := options[""]
	if named := markup.Find(n, func(d *html.Node) bool { return d.Data == "ri:page" }); named != nil {
		title = markup.Attr(named, "ri:content-title")
	}
	link := markup.Append(markup.Element("a", "href", s.pageByTitle(title, "")), markup.Text(title))
	return []*html.Node{markup.Append(markup.Element("p"), link)}
}

// address returns the address that a macro shows.
func (s *storage) address(n *html.Node, options map[string]string) string {
	if named := markup.Find(n, func(d *html.Node) bool { return d.Data == "ri:url" }); named != nil {
		return markup.Attr(named, "ri:value")
	}
	return cmp.Or(options["url"], options["src"])
}

func isAttachment(n *html.Node) bool { return n.Data == "ri:attachment" }

// attachment returns the file that a reference names, or the one of this page with a name, and that name.
func (s *storage) attachment(reference *html.Node, name string) (*source.File, string) {
	page := s.id
	if reference != nil {
		name = markup.Attr(reference, "ri:filename")
		if owner := child(reference, "ri:page"); owner != nil {
			page = s.ids[s.byTitle[strings.ToLower(markup.Attr(owner, "ri:content-title"))]]
		}
	}
	return s.attached[page][name], name
}

func (s *storage) fileLink(file *source.File, text string) *html.Node {
	return markup.Append(markup.Element("a", "href", s.take(file)), markup.Text(text))
}

// image returns what stands for an image.
func (s *storage) image(n *html.Node) []*html.Node {
	alt := cmp.Or(markup.Attr(n, "ac:alt"), markup.Attr(n, "ac:title"))
	src := ""
	if reference := child(n, "ri:attachment"); reference != nil {
		file, name := s.attachment(reference, "")
		if file == nil {
			s.broken(s.page.Place, name, "the export has no such attachment")
			return []*html.Node{markup.Text(cmp.Or(alt, name))}
		}
		src = s.take(file)
	} else if reference := child(n, "ri:url"); reference != nil {
		src = markup.Attr(reference, "ri:value")
	}
	if src == "" {
		return nil
	}
	image := markup.Element("img", "src", src, "alt", alt)
	if width := markup.Attr(n, "ac:width"); width != "" {
		markup.SetAttr(image, "width", width)
	}
	caption := child(n, "ac:caption")
	if caption == nil {
		return []*html.Node{image}
	}
	s.rewrite(caption)
	figcaption := markup.Append(markup.Element("figcaption"), markup.Children(caption)...)
	return []*html.Node{markup.Append(markup.Element("figure"), image, figcaption)}
}

// linkElement returns what stands for a link.
func (s *storage) linkElement(n *html.Node) []*html.Node {
	var content []*html.Node
	if body := child(n, "ac:link-body"); body != nil {
		s.rewrite(body)
		content = markup.Children(body)
	} else if text := plainText(child(n, "ac:plain-text-link-body")); text != "" {
		content = []*html.Node{markup.Text(text)}
	}
	anchor := markup.Attr(n, "ac:anchor")
	label, href := "", ""
	switch target := reference(n); {
	case target == nil:
		label, href = anchor, "#"+anchorName(anchor)
	case target.Data == "ri:user":
		key := cmp.Or(markup.Attr(target, "ri:userkey"), markup.Attr(target, "ri:account-id"),
			markup.Attr(target, "ri:username"))
		label = cmp.Or(s.users[key], "somebody")
	case target.Data == "ri:attachment":
		file, name := s.attachment(target, "")
		if label = name; file != nil {
			href = s.take(file)
		} else {
			s.broken(s.page.Place, name, "the export has no such attachment")
		}
	case target.Data == "ri:page" || target.Data == "ri:blog-post":
		label = markup.Attr(target, "ri:content-title")
		if key := markup.Attr(target, "ri:space-key"); key != "" && !strings.EqualFold(key, s.space) {
			s.broken(s.page.Place, key+": "+label, "the page is in another space, which is not part of the export")
		} else {
			href = s.pageByTitle(label, anchor)
		}
	case target.Data == "ri:space":
		label = markup.Attr(target, "ri:space-key")
	default:
		s.broken(s.page.Place, target.Data, "links of this kind lead to what only Confluence has")
	}
	if len(content) == 0 {
		content = []*html.Node{markup.Text(label)}
	}
	if href == "" {
		return content
	}
	return []*html.Node{markup.Append(markup.Element("a", "href", href), content...)}
}

// reference returns what a link names, nil for a place on the page itself.
func reference(n *html.Node) *html.Node {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && strings.HasPrefix(c.Data, "ri:") {
			return c
		}
	}
	return nil
}

// pageByTitle returns the destination of a page of the space, "" when there is none, which is reported.
func (s *storage) pageByTitle(title, anchor string) string {
	page := s.byTitle[strings.ToLower(strings.TrimSpace(title))]
	if page == nil {
		s.broken(s.page.Place, title, "the export has no page of that title")
		return ""
	}
	return s.targets.Page(page, anchorName(anchor))
}

// anchorName is the name of an anchor without the spaces that links may or may not have in it.
func anchorName(name string) string { return strings.Join(strings.Fields(name), "") }

// link returns where a link with an address of its own leads: to a page, when it is one of the export's.
func (s *storage) link(href string) string {
	if page := s.pages[pageID(href)]; page != nil {
		_, anchor, _ := strings.Cut(href, "#")
		return s.targets.Page(page, anchor)
	}
	return href
}

// tasks returns a list of tasks.
func (s *storage) tasks(n *html.Node) *html.Node {
	list := markup.Element("ul")
	for c := range n.ChildNodes() {
		if !markup.Is(c, "ac:task") {
			continue
		}
		item := markup.Element("li")
		if body := child(c, "ac:task-body"); body != nil {
			s.rewrite(body)
			markup.Append(item, markup.Children(body)...)
		}
		task(item, markup.TextOf(child(c, "ac:task-status")) == "complete")
		markup.Append(list, item)
	}
	return list
}

// panel returns what stands for a panel of the new editor.
func (s *storage) panel(n *html.Node) []*html.Node {
	node := child(n, "ac:adf-node")
	if node == nil || markup.Attr(node, "type") != "panel" {
		if fallback := child(n, "ac:adf-fallback"); fallback != nil {
			s.rewrite(fallback)
			return markup.Children(fallback)
		}
		s.losses.Add("left out: extension of the editor")
		return nil
	}
	kind := "info"
	for c := range node.ChildNodes() {
		if markup.Is(c, "ac:adf-attribute") && markup.Attr(c, "key") == "panel-type" {
			kind = markup.TextOf(c)
		}
	}
	content := child(node, "ac:adf-content")
	if content == nil {
		return nil
	}
	s.rewrite(content)
	return []*html.Node{callout(kind, "", markup.Children(content))}
}

// emoticons are the characters for Confluence's names.
var emoticons = map[string]string{
	"smile": "🙂", "sad": "🙁", "cheeky": "😛", "laugh": "😀", "wink": "😉", "thumbs-up": "👍", "thumbs-down": "👎",
	"information": "ℹ️",
	"tick":        "✅", "cross": "❌", "warning": "⚠️", "plus": "➕", "minus": "➖", "question": "❓", "light-on": "💡",
	"light-off":   "💡",
	"yellow-star": "⭐", "red-star": "⭐", "green-star": "⭐", "blue-star": "⭐", "heart": "❤️", "broken-heart": "💔",
}

func emoticon(name string) string {
	name = strings.Trim(strings.ToLower(name), ":() ")
	if shown := emoticons[name]; shown != "" {
		return shown
	}
	if name == "" {
		return ""
	}
	return ":" + name + ":"
}
