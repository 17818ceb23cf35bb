package docx

import (
	"regexp"
	"strconv"
	"strings"
)

// style is a named style of paragraphs or runs.
type style struct {
	name, basedOn string
	// outline is the level of headings from 0, -1 for none.
	outline int
	number  listPlace
	run     runLook
}

// maxInheritance bounds how many styles are based on each other: broken documents go in circles.
const maxInheritance = 20

func (d *document) readStyles(file string) (map[string]*style, error) {
	styles := map[string]*style{}
	if !d.files.Has(file) {
		return styles, nil
	}
	err := d.walkPart(file, func(p *part, e element) error {
		if e.Name != "style" {
			return p.Skip()
		}
		made := &style{outline: -1}
		styles[e.Attr("styleId")] = made
		return p.Children(func(e element) error {
			switch e.Name {
			case "name":
				made.name = strings.ToLower(e.Attr("val"))
			case "basedOn":
				made.basedOn = e.Attr("val")
			case "pPr":
				var look paragraphLook
				look.outline = -1
				err := p.paragraphLook(&look)
				made.outline, made.number = look.outline, look.number
				return err
			case "rPr":
				return p.runLook(&made.run)
			}
			return p.Skip()
		})
	})
	return styles, err
}

// lineage calls visit for a style and those it is based on, until visit returns false.
func (d *document) lineage(id string, visit func(*style) bool) {
	for range maxInheritance {
		found := d.styles[id]
		if found == nil || !visit(found) {
			return
		}
		id = found.basedOn
	}
}

var headingName = regexp.MustCompile(`^heading ([1-9])$`)

// headingLevel returns the level of the headings of a style from 1, 0 for none.
func (d *document) headingLevel(id string) int {
	level := 0
	d.lineage(id, func(s *style) bool {
		if found := headingName.FindStringSubmatch(s.name); found != nil {
			level, _ = strconv.Atoi(found[1])
		} else if s.outline >= 0 && s.outline < 9 {
			level = s.outline + 1
		}
		return level == 0
	})
	if level == 0 && d.styles[id] == nil {
		// Some producers name styles that they do not define.
		if rest, ok := strings.CutPrefix(strings.ToLower(id), "heading"); ok {
			level, _ = strconv.Atoi(rest)
		}
	}
	return min(level, 9)
}

// role says what a paragraph style stands for beside headings and lists.
type role int

const (
	plain role = iota
	titleRole
	codeRole
	quoteRole
	captionRole
	contentsRole
	continueRole
)

// roleOf returns what a style stands for by its name or that of a style it is based on.
func (d *document) roleOf(id string) role {
	found := roleByName(strings.ToLower(id))
	d.lineage(id, func(s *style) bool {
		found = roleByName(s.name)
		return found == plain
	})
	return found
}

func roleByName(name string) role {
	switch {
	case name == "title":
		return titleRole
	case name == "caption", strings.HasSuffix(name, " caption"):
		return captionRole
	case strings.HasPrefix(name, "toc ") || name == "toc heading" || name == "table of figures":
		return contentsRole
	case name == "quote", name == "intense quote", name == "block text", name == "quotations":
		return quoteRole
	case name == "list paragraph", strings.HasPrefix(name, "list continue"):
		return continueRole
	case isCodeName(name):
		return codeRole
	}
	return plain
}

// isCodeName reports whether a style's name is that of code.
func isCodeName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"source code", "code", "html preformatted", "preformatted", "verbatim", "listing",
		"macro text", "plain text"} {
		if name == word || strings.HasPrefix(name, word+" ") || strings.HasSuffix(name, " "+word) || name == "html "+
			word {
			return true
		}
	}
	return strings.HasSuffix(name, "code") && !strings.ContainsAny(name, " ")
}

// codeFonts are fonts with letters of one width, in lower case.
var codeFonts = []string{"courier", "consolas", "menlo", "monaco", "lucida console", "mono", "source code", "fira code",
	"cascadia code", "inconsolata"}

func isCodeFont(name string) bool {
	name = strings.ToLower(name)
	for _, font := range codeFonts {
		if strings.Contains(name, font) {
			return true
		}
	}
	return false
}

// switched is a property that may be unsaid.
type switched int

const (
	unsaid switched = iota
	on
	off
)

func switchOf(value bool) switched {
	if value {
		return on
	}
	return off
}

// runLook is how a run of text looks, as far as it means something.
type runLook struct {
	style                              string
	bold, italic, strike, hidden, code switched
	raised                             string // "superscript", "subscript" or ""
}

// runLook reads the properties of a run, whose element was read last.
func (p *part) runLook(look *runLook) error {
	return p.Children(func(e element) error {
		switch e.Name {
		case "rStyle":
			look.style = e.Attr("val")
		case "b":
			look.bold = switchOf(e.On())
		case "i":
			look.italic = switchOf(e.On())
		case "strike", "dstrike":
			look.strike = switchOf(e.On())
		case "vanish":
			look.hidden = switchOf(e.On())
		case "vertAlign":
			look.raised = e.Attr("val")
		case "rFonts":
			if font := e.Attr("ascii") + " " + e.Attr("hAnsi"); font != " " {
				look.code = switchOf(isCodeFont(font))
			}
		}
		return p.Skip()
	})
}

// inherit adds what a look leaves unsaid.
func (l *runLook) inherit(from runLook) {
	for _, pair := range []struct{ own, other *switched }{
		{&l.bold, &from.bold}, {&l.italic, &from.italic}, {&l.strike, &from.strike}, {&l.hidden, &from.hidden},
		{&l.code, &from.code},
	} {
		if *pair.own == unsaid {
			*pair.own = *pair.other
		}
	}
	if l.raised == "" {
		l.raised = from.raised
	}
}

// settle adds what the look's own style says.
func (d *document) settle(look *runLook) {
	id := look.style
	d.lineage(id, func(s *style) bool {
		look.inherit(s.run)
		if look.code == unsaid && isCodeName(strings.TrimSuffix(s.name, " char")) {
			look.code = on
		}
		return true
	})
}
