// Package front owns what the front matter of other tools says in words of theirs.
package front

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// AsYAML writes front matter that is TOML between lines of "+++", or an object of JSON, both of which Hugo takes,
// as the YAML that pages have here. moved is how many lines further up the text behind it stands. A text that starts
// otherwise, and one that cannot be read, stays.
func AsYAML(text string, of generator.Name) (rewritten string, moved int) {
	var values map[string]any
	var rest string
	switch {
	case strings.HasPrefix(text, "+++\n"), strings.HasPrefix(text, "+++\r\n"):
		front, after, found := cutTOML(text)
		if !found || len(front) > treefile.MaxFrontMatter || toml.Unmarshal([]byte(front), &values) != nil {
			return text, 0
		}
		rest = after
	case of == generator.Hugo && strings.HasPrefix(text, "{"):
		decoder := json.NewDecoder(strings.NewReader(text[:min(len(text), treefile.MaxFrontMatter)]))
		decoder.UseNumber()
		if decoder.Decode(&values) != nil {
			return text, 0
		}
		if rest = text[decoder.InputOffset():]; rest != "" && rest[0] != '\n' && rest[0] != '\r' {
			return text, 0
		}
		_, rest, _ = strings.Cut(rest, "\n")
		values = plainNumbers(values).(map[string]any)
	default:
		return text, 0
	}
	var front bytes.Buffer
	if len(values) > 0 {
		written, err := yaml.Marshal(values)
		if err != nil {
			return text, 0
		}
		front.Write(written)
	}
	rewritten = "---\n" + front.String() + "---\n"
	moved = strings.Count(text[:len(text)-len(rest)], "\n") - strings.Count(rewritten, "\n")
	return rewritten + rest, moved
}

// cutTOML returns what stands between the lines of "+++" that a text starts with, and what follows them.
func cutTOML(text string) (front, rest string, found bool) {
	_, text, _ = strings.Cut(text, "\n")
	for at := 0; at < len(text); {
		line, _, more := strings.Cut(text[at:], "\n")
		if strings.TrimRight(line, " \t\r") == "+++" {
			return text[:at], text[min(at+len(line)+1, len(text)):], true
		}
		if !more {
			break
		}
		at += len(line) + 1
	}
	return "", "", false
}

// plainNumbers makes whole numbers of those that are: weights are numbers, and one with a point would not be one.
func plainNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, each := range value {
			value[key] = plainNumbers(each)
		}
	case []any:
		for i, each := range value {
			value[i] = plainNumbers(each)
		}
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		number, _ := value.Float64()
		return number
	}
	return value
}

// IsDraft reports whether front matter says that a page is not published, by the words of a generator.
func IsDraft(front map[string]any, of generator.Name) bool {
	switch of {
	case generator.Hugo, generator.Docusaurus, generator.Starlight:
		return front["draft"] == true
	case generator.Jekyll:
		return front["published"] == false
	}
	return false
}

// IsUnlisted reports whether front matter says that navigation does not show a page, by the words of a generator.
func IsUnlisted(front map[string]any, of generator.Name) bool {
	switch of {
	case generator.Docusaurus:
		return front["unlisted"] == true
	case generator.Starlight:
		sidebar, _ := front["sidebar"].(map[string]any)
		return sidebar["hidden"] == true
	case generator.Jekyll:
		return front["nav_exclude"] == true
	}
	return false
}

// maxHome is how many buttons and features of a home page are taken.
const maxHome = 100

// Home returns what the front matter of a home page shows, which VitePress and Starlight have there: its name, and as
// Markdown what it says, its buttons and its features. It is empty for other pages.
func Home(front map[string]any, of generator.Name) (title string, shown []byte) {
	if of != generator.VitePress && of != generator.Starlight {
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
	title = cmp.Or(Text(hero, "name"), Text(hero, "title"))
	if says := Text(hero, "text"); title == "" {
		title = says
	} else {
		block(says)
	}
	block(Text(hero, "tagline"))
	picture, _ := hero["image"].(map[string]any)
	src := cmp.Or(Text(hero, "image"), Text(picture, "src"), Text(picture, "file"), Text(picture, "light"))
	if src != "" {
		block("![" + strings.NewReplacer("[", "", "]", "").Replace(Text(picture, "alt")) + "](<" + src + ">)")
	}
	actions, _ := hero["actions"].([]any)
	var links []string
	for _, each := range actions[:min(len(actions), maxHome)] {
		action, _ := each.(map[string]any)
		if text, to := Text(action, "text"), Text(action, "link"); text != "" && to != "" {
			links = append(links, "["+text+"]("+to+")")
		}
	}
	block(strings.Join(links, " · "))
	for _, each := range features[:min(len(features), maxHome)] {
		feature, _ := each.(map[string]any)
		name := Text(feature, "title")
		if to := Text(feature, "link"); to != "" && name != "" {
			name = "[" + name + "](" + to + ")"
		}
		if name != "" {
			block("## " + name)
		}
		block(Text(feature, "details"))
	}
	return title, []byte(out.String())
}

// Text returns the text of a key on one line, "" when there is none.
func Text(values map[string]any, key string) string {
	text, _ := values[key].(string)
	return strings.Join(strings.Fields(text), " ")
}
