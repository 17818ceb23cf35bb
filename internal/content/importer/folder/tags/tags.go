// Package tags owns the file in which a tree in the dialect says what its tags are called. Tags here are the words that
// readers see, so pages get the labels of their tags; colours and icons have no counterpart.
package tags

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

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
func (l Labels) of(tag string) string {
	if label := l[tag]; label != "" {
		return label
	}
	return tag
}

var (
	updateTags = regexp.MustCompile(`(\{%[ \t]*update[ \t][^%\n]*?\btags=")([^"\n]*)"`)
	// listedTags and inlineTags are the tags of a page in its front matter, tagLine is one of a list of lines.
	listedTags = regexp.MustCompile(`(?m)^tags:[ \t]*\n(?:[ \t]*-[ \t].*\n|[ \t]+.*\n)*`)
	inlineTags = regexp.MustCompile(`(?m)^(tags:[ \t]*\[)([^\]\n]*)\]`)
	tagLine    = regexp.MustCompile(
		`(?m)^([ \t]*(?:-[ \t]+(?:tag:[ \t]*)?|tag:[ \t]*))["']?([^"':\n]*?)["']?[ \t]*$`)
	plainYAML = regexp.MustCompile(`^[\pL][\pL\pN ._-]*$`)
)

// written returns what a tag is called as YAML, and the tag as it is written when the file does not say, or when
// another tag of the page is called so.
func (l Labels) written(tag string, used map[string]bool) string {
	label := l[strings.Trim(tag, `"' `)]
	if label == "" || used[label] {
		return tag
	}
	used[label] = true
	switch {
	case plainYAML.MatchString(label):
		return label
	}
	return strconv.Quote(label)
}

// Text returns the text of a page whose front matter and updates have the labels of their tags.
func (l Labels) Text(text string) string {
	if len(l) == 0 || !strings.Contains(text, "tag") {
		return text
	}
	front, used := "", map[string]bool{}
	if strings.HasPrefix(text, "---\n") {
		if at := strings.Index(text[4:], "\n---"); at >= 0 {
			front, text = text[:4+at+1], text[4+at+1:]
		}
	}
	front = inlineTags.ReplaceAllStringFunc(front, func(whole string) string {
		m := inlineTags.FindStringSubmatch(whole)
		var labelled []string
		for tag := range strings.SplitSeq(m[2], ",") {
			labelled = append(labelled, l.written(strings.TrimSpace(tag), used))
		}
		return m[1] + strings.Join(labelled, ", ") + "]"
	})
	front = listedTags.ReplaceAllStringFunc(front, func(list string) string {
		return tagLine.ReplaceAllStringFunc(list, func(line string) string {
			m := tagLine.FindStringSubmatch(line)
			if written := l.written(m[2], used); written != m[2] {
				return m[1] + written
			}
			return line
		})
	})
	return front + updateTags.ReplaceAllStringFunc(text, func(whole string) string {
		m := updateTags.FindStringSubmatch(whole)
		var labelled []string
		for tag := range strings.SplitSeq(m[2], ",") {
			tag = l.of(strings.TrimSpace(tag))
			labelled = append(labelled, strings.NewReplacer("&", "&amp;", `"`, "&quot;", "%}", "%").Replace(tag))
		}
		return m[1] + strings.Join(labelled, ",") + `"`
	})
}
