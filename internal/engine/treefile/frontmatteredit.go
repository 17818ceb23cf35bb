package treefile

import (
	"bytes"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"
)

// edited returns the YAML that was read with the keys that have changed, and no other bytes, written anew. Keys that
// are gone go with their lines; new ones come last. It is nil when that cannot be done, because keys share lines, for
// example.
func (f *FrontMatter) edited(entries []entry) []byte {
	if f.read == nil {
		return nil
	}
	was, now := values(f.read.entries()), values(entries)
	sections, ok := keySections(f.original)
	if !ok {
		return nil
	}
	var out bytes.Buffer
	present := map[string]bool{}
	for _, section := range sections {
		value, wanted := now[section.key]
		before, known := was[section.key]
		present[section.key] = section.key != ""
		switch {
		case section.key == "", !wanted && !known, wanted && known && reflect.DeepEqual(value, before):
			out.WriteString(section.text)
		case wanted:
			out.WriteString(f.line(section.key, value))
		default:
			out.Truncate(withoutComment(out.Bytes())) // the one right above is about it
		}
		out.WriteString(section.behind) // it may be about what comes next
	}
	for _, e := range entries {
		if !present[e.key] {
			if out.Len() > 0 && !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
				out.WriteString(f.lineFeed())
			}
			out.WriteString(f.line(e.key, e.value))
		}
	}
	read, isMapping, err := parseFrontMatter(out.Bytes())
	if err != nil || !isMapping || !reflect.DeepEqual(values(read.entries()), now) {
		return nil
	}
	return out.Bytes()
}

// withoutComment returns the length of a text without the lines of comment at its end.
func withoutComment(text []byte) int {
	for len(text) > 0 {
		start := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
		if text[start] != '#' {
			break
		}
		text = text[:start]
	}
	return len(text)
}

func values(entries []entry) map[string]any {
	byKey := make(map[string]any, len(entries))
	for _, e := range entries {
		byKey[e.key] = e.value
	}
	return byKey
}

// line writes one key as new front matter has it, with the line ends of what was read.
func (f *FrontMatter) line(key string, value any) string {
	written := string(dumpYAML(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{yamlNode(key),
		yamlNode(value)}}))
	return strings.ReplaceAll(written, "\n", f.lineFeed())
}

// lineFeed is what the lines of the front matter that was read end in.
func (f *FrontMatter) lineFeed() string {
	if bytes.Contains(f.open, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// keySection is the lines of one key, and the blank lines and comments behind them; or what is before the first key,
// which has none.
type keySection struct{ key, text, behind string }

// keySections cuts YAML into the lines of its keys. It reports false for YAML whose keys do not begin lines of their
// own.
func keySections(source []byte) ([]keySection, bool) {
	lines := strings.SplitAfter(string(source), "\n")
	var root yaml.Node
	if err := yaml.Unmarshal(source, &root); err != nil {
		return nil, false
	}
	if len(root.Content) == 0 {
		return []keySection{{text: string(source)}}, true
	}
	mapping := root.Content[0]
	if mapping.Kind != yaml.MappingNode || mapping.Style&yaml.FlowStyle != 0 {
		return nil, false
	}
	var sections []keySection
	at := 0 // the first line that is in no section
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		start, end := key.Line-1, len(lines)
		if i+2 < len(mapping.Content) {
			end = mapping.Content[i+2].Line - 1
		}
		if key.Column != 1 || key.Kind != yaml.ScalarNode || start < at || end <= start {
			return nil, false
		}
		if i == 0 && start > 0 {
			sections = append(sections, keySection{text: strings.Join(lines[:start], "")})
		}
		last := end
		for last > start+1 && (strings.TrimSpace(lines[last-1]) == "" || strings.HasPrefix(lines[last-1], "#")) {
			last--
		}
		sections = append(sections, keySection{key.Value, strings.Join(lines[start:last], ""),
			strings.Join(lines[last:end], "")})
		at = end
	}
	return sections, true
}
