package customization

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/engine/expr"
)

// shape says what JSON is accepted in one place of a customization. check returns the value as it is to be kept,
// without what nobody knows, and notes what is wrong with it.
type shape interface {
	check(p *problems, path string, value any) any
}

// maxProblems bounds how much of a bad input is explained.
const maxProblems = 20

// problems collects what is wrong with an input.
type problems struct{ found []errs.Detail }

func (p *problems) add(path, format string, args ...any) {
	if len(p.found) < maxProblems {
		p.found = append(p.found, errs.Detail{Path: path, Message: fmt.Sprintf(format, args...)})
	}
}

// note adds an error of package field.
func (p *problems) note(path string, err error) {
	message := err.Error()
	if after, ok := strings.CutPrefix(message, path+": "); ok {
		message = after
	}
	p.add(path, "%s", message)
}

// err returns what was found as one error, nil when nothing was.
func (p *problems) err() error {
	if len(p.found) == 0 {
		return nil
	}
	messages := make([]string, len(p.found))
	for i, each := range p.found {
		messages[i] = each.Path + ": " + each.Message
	}
	return &errs.Error{Kind: errs.Invalid, Message: strings.Join(messages, "; "), Details: p.found}
}

// join makes the path of a member.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// objectShape is an object with certain members; what else it has is left out.
type objectShape struct{ members []member }

type member struct {
	name  string
	shape shape
	// needed members have to be there; nullable ones have to be there and may be null. Others may be absent or null.
	needed, nullable bool
}

func object(members ...member) *objectShape { return &objectShape{members} }

func need(name string, s shape) member   { return member{name: name, shape: s, needed: true} }
func option(name string, s shape) member { return member{name: name, shape: s} }
func nullable(name string, s shape) member {
	return member{name: name, shape: s, needed: true, nullable: true}
}

// member returns the shape of a member, nil when there is no such member.
func (o *objectShape) member(name string) shape {
	for _, m := range o.members {
		if m.name == name {
			return m.shape
		}
	}
	return nil
}

func (o *objectShape) check(p *problems, path string, value any) any {
	given, ok := value.(map[string]any)
	if !ok {
		p.add(path, "is %s; an object is accepted", kindOf(value))
		return nil
	}
	kept := make(map[string]any, len(o.members))
	for _, m := range o.members {
		at := join(path, m.name)
		v, there := given[m.name]
		switch {
		case !there && m.needed:
			p.add(at, "is missing; send it too, since the whole is replaced")
		case v == nil && m.nullable:
			kept[m.name] = nil
		case v == nil && there && m.needed:
			p.add(at, "may not be null")
		case v != nil:
			kept[m.name] = m.shape.check(p, at, v)
		}
	}
	return kept
}

// kindOf is what JSON calls a value.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case float64:
		return "a number"
	case string:
		return "a text"
	case []any:
		return "an array"
	}
	return "an object"
}

// listShape is an array of at most so many things of one shape.
type listShape struct {
	most int
	of   shape
}

func list(most int, of shape) listShape { return listShape{most, of} }

func (l listShape) check(p *problems, path string, value any) any {
	given, ok := value.([]any)
	if !ok {
		p.add(path, "is %s; an array is accepted", kindOf(value))
		return nil
	}
	if len(given) > l.most {
		p.add(path, "has %d entries; up to %d are accepted", len(given), l.most)
		return nil
	}
	kept := make([]any, len(given))
	for i, v := range given {
		kept[i] = l.of.check(p, fmt.Sprintf("%s[%d]", path, i), v)
	}
	return kept
}

// textShape is a text of so many characters.
type textShape struct {
	least, most int
	lines       bool // line breaks are accepted
}

func text(least, most int) textShape { return textShape{least, most, false} }

func (t textShape) check(p *problems, path string, value any) any {
	given, ok := value.(string)
	if !ok {
		p.add(path, "is %s; a text is accepted", kindOf(value))
		return nil
	}
	looked := given
	if t.lines {
		looked = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(given)
	}
	kept, err := field.Text(path, looked, t.least, t.most)
	if err != nil {
		p.note(path, err)
	}
	if t.lines {
		return strings.TrimSpace(given)
	}
	return kept
}

// wordShape is one of a list of words.
type wordShape []string

func words(accepted string) wordShape { return strings.Fields(accepted) }

func (w wordShape) check(p *problems, path string, value any) any {
	given, ok := value.(string)
	if !ok {
		p.add(path, "is %s; one of %s is accepted", kindOf(value), strings.Join(w, ", "))
	} else if err := field.OneOf(path, given, w...); err != nil {
		p.note(path, err)
	}
	return value
}

// flagShape is true or false.
type flagShape struct{}

func (flagShape) check(p *problems, path string, value any) any {
	if _, ok := value.(bool); !ok {
		p.add(path, "is %s; true or false is accepted", kindOf(value))
	}
	return value
}

// colourShape is #rgb or #rrggbb.
type colourShape struct{}

func (colourShape) check(p *problems, path string, value any) any {
	given, ok := value.(string)
	digits, hash := strings.CutPrefix(given, "#")
	if !ok || !hash || len(digits) != 3 && len(digits) != 6 || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		p.add(path, "is no colour; one such as #3366ff or #36f is accepted")
	}
	return value
}

// urlShape is an address of http or https.
type urlShape struct{}

func (urlShape) check(p *problems, path string, value any) any {
	given, ok := value.(string)
	if !ok {
		p.add(path, "is %s; an address that starts with https:// or http:// is accepted", kindOf(value))
		return nil
	}
	kept, err := field.URL(path, given)
	if err != nil {
		p.note(path, err)
	}
	return kept
}

// localizedShape is a text in several languages, each of so many characters.
type localizedShape struct{ most int }

func (l localizedShape) check(p *problems, path string, value any) any {
	given, ok := value.(map[string]any)
	if !ok || len(given) > 100 {
		p.add(path, "is no object of up to 100 texts by their language")
		return nil
	}
	kept := make(map[string]any, len(given))
	for tag, v := range given {
		if len(tag) < 2 || len(tag) > 35 || strings.Trim(strings.ToLower(tag),
			"abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			p.add(path, "%.40q is no language; tags such as fr and pt-br are accepted", tag)
			continue
		}
		kept[strings.ToLower(tag)] = text(0, l.most).check(p, join(path, tag), v)
	}
	return kept
}

// conditionShape is an expression that decides whether visitors see something; an empty one decides nothing.
type conditionShape struct{}

func (conditionShape) check(p *problems, path string, value any) any {
	given := text(0, 1024).check(p, path, value)
	if source, _ := given.(string); source != "" {
		if _, err := expr.ParseCondition(source); err != nil {
			p.add(path, "is no expression: %s", err)
		}
	}
	return given
}

// faviconShape is a picture, an emoji, or neither.
type faviconShape struct{}

func (faviconShape) check(p *problems, path string, value any) any {
	kept, _ := object(option("icon", themedURL), option("emoji", text(0, 50))).check(p, path, value).(map[string]any)
	if kept["emoji"] == "" {
		delete(kept, "emoji") // none, as everywhere
	}
	if kept["icon"] != nil && kept["emoji"] != nil {
		p.add(path, "has both an icon and an emoji; send one of them")
	}
	if emoji, ok := kept["emoji"].(string); ok && !emojiLike(emoji) {
		p.add(join(path, "emoji"), "is no emoji; one, or its code such as 1f680, is accepted")
	}
	return kept
}

// emojiLike reports whether a text is one of the characters that emojis are made of, or a code of them.
func emojiLike(s string) bool {
	if strings.Trim(strings.ToLower(s), "0123456789abcdef-") == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x200d || r == 0xa9 || r == 0xae || strings.ContainsRune(s, 0x20e3)
}

// fontShape is a font of a list, or the definition of one.
type fontShape struct{ names string }

var fontDefinition = object(
	need("id", text(1, 128)), need("custom", flagShape{}), need("fontFamily", text(1, 50)),
	need("fontFaces", list(30, object(
		need("weight", weightShape{}),
		need("sources", list(10, object(need("url", urlShape{}), option("format", words("woff2 woff")))))))))

func (f fontShape) check(p *problems, path string, value any) any {
	if _, named := value.(string); named {
		return words(f.names).check(p, path, value)
	}
	kept, ok := fontDefinition.check(p, path, value).(map[string]any)
	if !ok {
		return nil
	}
	if family, _ := kept["fontFamily"].(string); strings.ContainsAny(family, `"\;{}<>`) {
		p.add(join(path, "fontFamily"), "may not hold quotes, brackets, semicolons or backslashes")
	}
	faces, _ := kept["fontFaces"].([]any)
	if len(faces) == 0 && len(p.found) == 0 {
		p.add(join(path, "fontFaces"), "is empty; a font has at least one face")
	}
	for i, each := range faces {
		face, _ := each.(map[string]any)
		if sources, ok := face["sources"].([]any); ok && len(sources) == 0 {
			p.add(fmt.Sprintf("%s.fontFaces[%d].sources", path, i), "is empty; a face has at least one file")
		}
	}
	return kept
}

// weightShape is the weight of a font.
type weightShape struct{}

func (weightShape) check(p *problems, path string, value any) any {
	given, ok := value.(float64)
	if !ok || given != float64(int(given)) || given < 1 || given > 1000 {
		p.add(path, "is no weight; a whole number from 1 to 1000 is accepted")
		return nil
	}
	return int(given)
}

// referenceMembers are the members of each kind of content reference; those before the bar are needed.
var referenceMembers = map[string][2]string{
	"file": {"file", "space"}, "url": {"url", ""}, "page": {"page", "space"}, "anchor": {"anchor", "space page"},
	"user":       {"user", ""},
	"collection": {"collection", ""}, "space": {"space", ""}, "reusable-content": {"reusableContent", "space"},
	"tag":     {"tag", "space"},
	"openapi": {"spec", ""},
}

// referenceShape is a reference to content, or to an address.
type referenceShape struct{}

func (referenceShape) check(p *problems, path string, value any) any {
	given, ok := value.(map[string]any)
	if !ok {
		p.add(path,
			"is %s; a reference such as {\"kind\": \"page\", \"page\": …} or {\"kind\": \"url\", \"url\": …} is "+
				"accepted", kindOf(value))
		return nil
	}
	kind, _ := given["kind"].(string)
	known, ok := referenceMembers[kind]
	if !ok {
		kinds := make([]string, 0, len(referenceMembers))
		for each := range referenceMembers {
			kinds = append(kinds, each)
		}
		slices.Sort(kinds)
		p.add(join(path, "kind"), "%.40q is not accepted; one of %s is", kind, strings.Join(kinds, ", "))
		return nil
	}
	members := []member{need("kind", textShape{1, 20, false}), need(known[0], text(1, field.MaxURL))}
	for name := range strings.FieldsSeq(known[1]) {
		members = append(members, option(name, text(1, 200)))
	}
	kept := object(members...).check(p, path, given)
	if address, ok := given["url"].(string); ok && kind == "url" && !leads(address) {
		p.add(join(path, "url"),
			"is no address; https://…, http://…, mailto:… and paths that start with / are accepted")
	}
	return kept
}

// leads reports whether an address is one that links may have.
func leads(address string) bool {
	address = strings.TrimSpace(address)
	if strings.HasPrefix(address, "#") || strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") {
		return true
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch parsed.Scheme {
	case "http", "https":
		return parsed.Host != ""
	case "mailto":
		return parsed.Opaque != ""
	}
	return false
}
