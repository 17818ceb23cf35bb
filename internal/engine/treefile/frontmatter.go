package treefile

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// MaxFrontMatter is the largest front matter in bytes.
const MaxFrontMatter = 64 << 10

// FrontMatter is what the YAML at the start of a page's file says. The zero value writes nothing.
type FrontMatter struct {
	Title       string // only reusable contents have it here; a page's title is its first heading
	Description string
	Icon        string
	Emoji       string // hexadecimal code points
	LinkTitle   string
	Condition   string // the key "if": an expression
	entity.Flags
	Tags   []entity.Tag
	Layout *entity.Layout
	Cover  *PageCover
	// Variables are the key "vars": strings, float64 and bool by name.
	Variables map[string]any
	// Extra are the keys that the dialect does not know, as JSON values.
	Extra map[string]any

	original []byte       // the YAML as read
	read     *FrontMatter // what it said
	// open and end are the lines around it, as read.
	open, end []byte
}

// Source returns front matter as it was read, with the lines around it; nil when it was not read.
func (f FrontMatter) Source() []byte {
	if f.read == nil {
		return nil
	}
	return slices.Concat(f.open, f.original, f.end)
}

// Written returns front matter as WritePage writes it: as it was read, but for what has changed since.
func (f FrontMatter) Written() []byte { return f.write() }

// ParseFrontMatter reads front matter with the lines around it, as Source returns it. It is refused with errs.Invalid
// when it is none, and with errs.TooLarge when it is too large.
func ParseFrontMatter(source []byte) (FrontMatter, error) {
	page, err := ParsePage(source)
	if err == nil && (page.FrontMatter.read == nil || len(dialect.TrimBlank(page.Body)) > 0) {
		err = errs.New(errs.Invalid, "the text is no front matter")
	}
	return page.FrontMatter, err
}

// PageCover is a page's cover image: a path as written, its vertical focus, and its height in pixels.
type PageCover struct {
	Ref, RefDark string
	YPos, Height float64
}

// parseFrontMatter reads YAML. It reports false for YAML that is no mapping: such a text is no front matter.
func parseFrontMatter(source []byte) (FrontMatter, bool, error) {
	if len(source) > MaxFrontMatter {
		return FrontMatter{}, false, errs.New(errs.TooLarge, "line 1: the front matter has more than %d bytes",
			MaxFrontMatter)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(source, &root); err != nil {
		return FrontMatter{}, false,
			errs.Wrap(err, errs.Invalid, "the front matter between the --- lines is not valid YAML (%s)",
				yamlReason(err))
	}
	if len(root.Content) == 0 {
		f := FrontMatter{original: source}
		f.read = &FrontMatter{}
		return f, true, nil
	}
	if root.Content[0].Kind != yaml.MappingNode {
		return FrontMatter{}, false, nil
	}
	var f FrontMatter
	values := nodeReader{}
	mapping := root.Content[0]
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		f.set(mapping.Content[i].Value, values.value(mapping.Content[i+1], 0))
	}
	if values.refused {
		return FrontMatter{}, false,
			errs.New(errs.Invalid, "the front matter is nested too deeply or has too many aliases")
	}
	read := f
	f.original, f.read = source, &read
	return f, true, nil
}

// yamlReason returns the first line of a YAML error without the library's name.
func yamlReason(err error) string {
	reason, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimPrefix(strings.TrimPrefix(reason, "yaml: "), "go-yaml: ")
}

// set takes over one key.
func (f *FrontMatter) set(key string, value any) {
	text, isText := value.(string)
	flag, isFlag := value.(bool)
	switch {
	case key == "title" && isScalar(value):
		f.Title = scalarText(value)
	case key == "description" && isScalar(value):
		f.Description = scalarText(value)
	case key == "icon" && isText:
		f.Icon = text
	case key == "emoji" && isScalar(value):
		f.Emoji = scalarText(value)
	case key == "linkTitle" && isScalar(value):
		f.LinkTitle = scalarText(value)
	case isFlag && f.Flags.Named(key) != nil:
		*f.Flags.Named(key) = flag
	case key == "if" && isScalar(value):
		f.Condition = scalarText(value)
	case key == "tags" && f.setTags(value):
	case key == "layout" && f.setLayout(value):
	case key == "cover" && isText:
		f.cover().Ref = text
	case key == "coverDark" && isText:
		f.cover().RefDark = text
	case key == "coverY" && isNumber(value):
		f.cover().YPos = value.(float64)
	case key == "coverHeight" && isNumber(value):
		f.cover().Height = value.(float64)
	case key == "vars" && f.setVariables(value):
	default:
		if f.Extra == nil {
			f.Extra = map[string]any{}
		}
		f.Extra[key] = value
	}
}

func (f *FrontMatter) cover() *PageCover {
	if f.Cover == nil {
		f.Cover = &PageCover{}
	}
	return f.Cover
}

func (f *FrontMatter) setTags(value any) bool {
	list, ok := value.([]any)
	if !ok {
		return false
	}
	var tags []entity.Tag
	for _, entry := range list {
		switch v := entry.(type) {
		case string:
			tags = append(tags, entity.Tag{Tag: v})
		case map[string]any:
			tag, ok := v["tag"].(string)
			if !ok {
				return false
			}
			primary, _ := v["primary"].(bool)
			tags = append(tags, entity.Tag{Tag: tag, Primary: primary})
		default:
			return false
		}
	}
	f.Tags = tags
	return true
}

func (f *FrontMatter) setVariables(value any) bool {
	variables, ok := value.(map[string]any)
	if !ok {
		return false
	}
	for _, v := range variables {
		if v == nil || !isScalar(v) {
			return false
		}
	}
	f.Variables = variables
	return true
}

func (f *FrontMatter) setLayout(value any) bool {
	parts, ok := value.(map[string]any)
	if !ok {
		return false
	}
	layout := &entity.Layout{}
	for key, part := range parts {
		if key == "width" {
			layout.Width, _ = part.(string)
		}
	}
	for _, row := range entity.LayoutParts() {
		part, _ := parts[row.Name].(map[string]any)
		if visible, ok := part["visible"].(bool); ok {
			*row.At(layout) = &visible
		}
	}
	cover, _ := parts["cover"].(map[string]any)
	layout.CoverSize, _ = cover["size"].(string)
	layout.CoverMask, _ = cover["mask"].(string)
	f.Layout = layout
	return true
}

// entry is one key of front matter with its value.
type entry struct {
	key   string
	value any
}

// entries returns the keys in the order in which new front matter lists them.
func (f *FrontMatter) entries() []entry {
	var list []entry
	add := func(key string, value any, set bool) {
		if set {
			list = append(list, entry{key, value})
		}
	}
	add("title", f.Title, f.Title != "")
	add("linkTitle", f.LinkTitle, f.LinkTitle != "")
	add("description", f.Description, f.Description != "")
	add("icon", f.Icon, f.Icon != "")
	add("emoji", f.Emoji, f.Emoji != "")
	if f.Cover != nil {
		add("cover", f.Cover.Ref, f.Cover.Ref != "")
		add("coverDark", f.Cover.RefDark, f.Cover.RefDark != "")
		add("coverY", f.Cover.YPos, f.Cover.Ref != "" || f.Cover.YPos != 0)
		add("coverHeight", f.Cover.Height, f.Cover.Height != 0)
	}
	for _, flag := range entity.PageFlags() {
		add(flag.Name, true, *flag.At(&f.Flags))
	}
	add("if", f.Condition, f.Condition != "")
	add("layout", f.Layout, f.Layout != nil)
	add("tags", f.Tags, len(f.Tags) > 0)
	add("vars", f.Variables, len(f.Variables) > 0)
	for _, key := range slices.Sorted(maps.Keys(f.Extra)) {
		add(key, f.Extra[key], true)
	}
	return list
}

// unchanged reports whether the front matter still says what was read.
func (f *FrontMatter) unchanged() bool {
	if f.read == nil {
		return len(f.entries()) == 0
	}
	return reflect.DeepEqual(f.entries(), f.read.entries())
}

// write returns the front matter with its "---" lines, nothing when it says nothing. What was read keeps its bytes, but
// for the keys whose values have changed.
func (f *FrontMatter) write() []byte {
	entries := f.entries()
	if f.read != nil && f.unchanged() {
		return dialect.EnsureLineFeed(f.Source())
	}
	if edited := f.edited(entries); edited != nil {
		if len(bytes.TrimSpace(edited)) == 0 {
			return nil
		}
		return dialect.EnsureLineFeed(slices.Concat(f.open, edited, f.end))
	}
	mapping := f.mapping(entries)
	if len(mapping.Content) == 0 {
		return nil
	}
	return slices.Concat([]byte("---\n"), dumpYAML(mapping), []byte("---\n"))
}

// mapping returns the keys as YAML. What was read keeps its order, its comments and the spelling of what did not
// change.
func (f *FrontMatter) mapping(entries []entry) *yaml.Node {
	mapping := &yaml.Node{Kind: yaml.MappingNode}
	before := map[string]any{}
	if f.read != nil {
		for _, e := range f.read.entries() {
			before[e.key] = e.value
		}
		var root yaml.Node
		if err := yaml.Unmarshal(f.original, &root); err == nil && len(root.Content) > 0 {
			mapping = root.Content[0]
		}
	}
	now := map[string]any{}
	for _, e := range entries {
		now[e.key] = e.value
	}
	present := map[string]bool{}
	kept := mapping.Content[:0:0]
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key, node := mapping.Content[i], mapping.Content[i+1]
		value, wanted := now[key.Value]
		was, known := before[key.Value]
		switch {
		case !wanted && known, present[key.Value]:
			continue
		case wanted && !(known && reflect.DeepEqual(value, was)):
			node = yamlNode(value)
		}
		present[key.Value] = true
		kept = append(kept, key, node)
	}
	for _, e := range entries {
		if !present[e.key] {
			kept = append(kept, yamlNode(e.key), yamlNode(e.value))
		}
	}
	mapping.Content = kept
	return mapping
}

// yamlNode turns a value into YAML.
func yamlNode(value any) *yaml.Node {
	switch v := value.(type) {
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	case string:
		node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v}
		if len(v) > 80 && !strings.ContainsAny(v, "\n\t") && strings.TrimSpace(v) == v {
			node.Style = yaml.FoldedStyle
		}
		return node
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v)}
	case float64:
		tag := "!!float"
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			tag = "!!int"
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: strconv.FormatFloat(v, 'f', -1, 64)}
	case []any:
		node := &yaml.Node{Kind: yaml.SequenceNode}
		for _, entry := range v {
			node.Content = append(node.Content, yamlNode(entry))
		}
		return node
	case map[string]any:
		node := &yaml.Node{Kind: yaml.MappingNode}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			node.Content = append(node.Content, yamlNode(key), yamlNode(v[key]))
		}
		return node
	case []entity.Tag:
		node := &yaml.Node{Kind: yaml.SequenceNode}
		for _, tag := range v {
			if tag.Primary {
				node.Content = append(node.Content, yamlNode(map[string]any{"tag": tag.Tag, "primary": true}))
				continue
			}
			node.Content = append(node.Content, yamlNode(tag.Tag))
		}
		return node
	case *entity.Layout:
		return layoutNode(v)
	}
	return yamlNode(fmt.Sprint(value))
}

func layoutNode(l *entity.Layout) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode}
	if l.Width != "" {
		node.Content = append(node.Content, yamlNode("width"), yamlNode(l.Width))
	}
	for _, row := range entity.LayoutParts() {
		part := &yaml.Node{Kind: yaml.MappingNode}
		if shown := *row.At(l); shown != nil {
			part.Content = append(part.Content, yamlNode("visible"), yamlNode(*shown))
		}
		if row.Name == "cover" && l.CoverSize != "" {
			part.Content = append(part.Content, yamlNode("size"), yamlNode(l.CoverSize))
		}
		if row.Name == "cover" && l.CoverMask != "" {
			part.Content = append(part.Content, yamlNode("mask"), yamlNode(l.CoverMask))
		}
		if len(part.Content) > 0 {
			node.Content = append(node.Content, yamlNode(row.Name), part)
		}
	}
	return node
}
