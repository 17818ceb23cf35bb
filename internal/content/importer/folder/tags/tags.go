// Package tags owns the file in which a tree in the dialect says what its tags are called. Tags here are the words that
// readers see, so pages get the labels of their tags; colours and icons have no counterpart.
package tags

import (
	"cmp"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/content/importer/folder/fences"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Labels are what tags are called, by their names.
type Labels map[string]string

// Read reads the file. others is how many tags have a colour or an icon.
func Read(data []byte) (labels Labels, others int, err error) {
	var tags []struct{ Tag, Label, Color, Icon string }
	if err := yaml.Unmarshal(data, &tags); err != nil {
		return nil, 0, err
	}
	labels = Labels{}
	for _, each := range tags {
		label := strings.Join(strings.Fields(strings.ReplaceAll(each.Label, ",", " ")), " ")
		if each.Tag != "" && label != "" && len(label) <= entity.MaxTagLength {
			labels[each.Tag] = label
		}
		if each.Color != "" || each.Icon != "" {
			others++
		}
	}
	return labels, others, nil
}

// of returns what a tag is called: its name when the file does not say.
func (l Labels) of(tag string) string { return cmp.Or(l[tag], tag) }

// Rename returns the tags of a page as the file calls them, but for those whose label another one of them has, and
// whether one is called otherwise.
func (l Labels) Rename(tags []entity.Tag) (renamed []entity.Tag, changed bool) {
	used := map[string]bool{}
	for _, each := range tags {
		used[each.Tag] = true
	}
	for _, each := range tags {
		if label := l.of(each.Tag); !used[label] {
			each.Tag, used[label], changed = label, true, true
		}
		renamed = append(renamed, each)
	}
	return renamed, changed
}

var updateTags = regexp.MustCompile(`(\{%[ \t]*update[ \t][^%\n]*?\btags=")([^"\n]*)"`)

// Updates returns the text of a page whose updates have the labels of their tags.
func (l Labels) Updates(text []byte) []byte {
	if len(l) == 0 || !updateTags.Match(text) {
		return text
	}
	return []byte(fences.EachLine(string(text), func(line string, fenced bool) string {
		if fenced {
			return line
		}
		return updateTags.ReplaceAllStringFunc(line, func(whole string) string {
			m := updateTags.FindStringSubmatch(whole)
			var labelled []string
			for tag := range strings.SplitSeq(m[2], ",") {
				label := l.of(strings.TrimSpace(tag))
				labelled = append(labelled, strings.NewReplacer("&", "&amp;", `"`, "&quot;", "%}", "%").Replace(label))
			}
			return m[1] + strings.Join(labelled, ",") + `"`
		})
	}))
}
