package folder

import (
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
)

// maxHome is how many buttons and features of a home page are taken.
const maxHome = 100

// home returns what the front matter of a home page shows, which VitePress and Starlight have there: its name, and as
// Markdown what it says, its buttons and its features. It is empty for other pages.
func (r *reader) home(front map[string]any) (title string, shown []byte) {
	if r.layout.generator != generator.VitePress && r.layout.generator != generator.Starlight {
		return "", nil
	}
	hero, _ := front["hero"].(map[string]any)
	features, _ := front["features"].([]any)
	var out strings.Builder
	block := func(text string) {
		if text != "" {
			out.WriteString(text + "\n\n")
		}
	}
	title = textIn(hero, "name")
	if title == "" {
		title = textIn(hero, "title")
	}
	if says := textIn(hero, "text"); title == "" {
		title = says
	} else {
		block(says)
	}
	block(textIn(hero, "tagline"))
	actions, _ := hero["actions"].([]any)
	var links []string
	for _, each := range actions[:min(len(actions), maxHome)] {
		action, _ := each.(map[string]any)
		if text, to := textIn(action, "text"), textIn(action, "link"); text != "" && to != "" {
			links = append(links, "["+text+"]("+to+")")
		}
	}
	block(strings.Join(links, " · "))
	for _, each := range features[:min(len(features), maxHome)] {
		feature, _ := each.(map[string]any)
		name := textIn(feature, "title")
		if to := textIn(feature, "link"); to != "" && name != "" {
			name = "[" + name + "](" + to + ")"
		}
		if name != "" {
			block("## " + name)
		}
		block(textIn(feature, "details"))
	}
	return title, []byte(out.String())
}

// textIn returns the text of a key on one line, "" when there is none.
func textIn(values map[string]any, key string) string {
	text, _ := values[key].(string)
	return strings.Join(strings.Fields(text), " ")
}
