// Package menu reads what sites say beside their pages about the titles and the order of these: Nextra's files "_meta",
// and the menus of Hugo.
//
// What it reads is data of strangers. What has another form than expected says nothing, and programs run in the engine
// of package script.
package menu

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/script"
)

// Entry is what is said of a page or a folder.
type Entry struct {
	// Title is what navigation calls it, "" for what it calls itself.
	Title string
	// Weight is its place among its like, 0 when nothing is said.
	Weight float64
	// Unlisted says that navigation does not show it.
	Unlisted bool
	// Link is where an entry leads that is no page.
	Link string
}

// Menu is what is said of the pages of a folder, by the names of their files without extension. Ignored is what has no
// counterpart here.
type Menu struct {
	Entries map[string]Entry
	Ignored []string
}

// maxFile is the largest file that is read, in bytes.
const maxFile = 1 << 20

var nextraFiles = []string{"_meta.json", "_meta.js", "_meta.ts", "_meta.mjs", "_meta.jsx", "_meta.tsx"}

// NextraFile returns the file in which Nextra is told of the pages of a folder, "" for none.
func NextraFile(files *filetree.Tree, dir string) string {
	for _, name := range nextraFiles {
		if file := path.Join(dir, name); files.Has(file) {
			return file
		}
	}
	return ""
}

// Nextra reads the file that NextraFile has found.
func Nextra(files *filetree.Tree, file string) (Menu, error) {
	data, err := files.Read(file, maxFile)
	if err != nil {
		return Menu{}, err
	}
	if !strings.HasSuffix(file, ".json") {
		if data, err = script.Export(string(data)); err != nil {
			return Menu{}, err
		}
	}
	names, values, err := ordered(data)
	if err != nil {
		return Menu{}, err
	}
	made := Menu{Entries: map[string]Entry{}}
	for i, name := range names {
		entry := Entry{Weight: float64(i + 1)}
		var said struct {
			Title, Type, Display, Href string
			Theme                      struct{ Layout string }
		}
		switch {
		case json.Unmarshal(values[name], &entry.Title) == nil:
		case name == "*":
			continue // about all pages, and not about one
		default:
			_ = json.Unmarshal(values[name], &said) // what is left of another form
			entry.Title, entry.Link, entry.Unlisted = said.Title, said.Href, said.Display == "hidden"
			if said.Type == "separator" || said.Type == "menu" && said.Href == "" {
				if said.Title != "" {
					made.Ignored = append(made.Ignored, fmt.Sprintf("%s %q", said.Type, said.Title))
				}
				continue
			}
		}
		made.Entries[name] = entry
	}
	return made, nil
}

// ordered reads an object of JSON with the order of its names.
func ordered(data []byte) (names []string, values map[string]json.RawMessage, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, nil, errors.Join(errors.New("it is no object"), err)
	}
	values = map[string]json.RawMessage{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, nil, err
		}
		name, _ := token.(string)
		if _, twice := values[name]; !twice {
			names = append(names, name)
		}
		values[name] = value
	}
	return names, values, nil
}

// hugoMenus are where Hugo is told of menus: under a name in the first, as a whole in the others.
var (
	hugoConfigs = []string{"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml",
		"config.yml", "config.json"}
	hugoMenus = []string{"menus.toml", "menus.yaml", "menus.en.toml", "menus.en.yaml", "menu.toml", "menu.yaml",
		"menu.en.toml", "menu.en.yaml"}
)

// Hugo reads the menus in the configuration of a site: by the paths of pages below the content, without extension.
func Hugo(site *filetree.Tree) map[string]Entry {
	found := map[string]Entry{}
	add := func(menus any) {
		all, _ := menus.(map[string]any)
		for _, name := range slices.Backward(preferred(all)) {
			list, _ := all[name].([]any)
			if tables, ok := all[name].([]map[string]any); ok {
				for _, each := range tables {
					list = append(list, each)
				}
			}
			for _, each := range list {
				one, _ := each.(map[string]any)
				page := text(one, "pageref")
				if page == "" {
					page = text(one, "url")
				}
				if page == "" || strings.Contains(page, "://") || strings.HasPrefix(page, "//") {
					continue
				}
				page, _, _ = strings.Cut(page, "#")
				if at := strings.Trim(path.Clean("/"+page), "/"); at != "" {
					found[at] = entryOf(one)
				}
			}
		}
	}
	for _, folder := range []string{"config/_default", ""} {
		for _, name := range hugoConfigs {
			config := read(site, path.Join(folder, name))
			add(config["menu"])
			add(config["menus"])
		}
	}
	for _, name := range hugoMenus {
		add(map[string]any(read(site, path.Join("config/_default", name))))
	}
	return found
}

// Front is what the front matter of a page says of its place in Hugo's menus; ok is false when it says nothing.
func Front(values map[string]any) (entry Entry, ok bool) {
	for _, key := range []string{"menus", "menu"} {
		menus, _ := values[key].(map[string]any)
		for _, name := range preferred(menus) {
			if one, is := menus[name].(map[string]any); is {
				return entryOf(one), true
			}
		}
	}
	return Entry{}, false
}

// preferred are the names of menus, the one first that is most likely the navigation of pages.
func preferred(menus map[string]any) []string {
	likely := []string{"main", "sidebar", "docs"}
	names := make([]string, 0, len(menus))
	for name := range menus {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := slices.Index(likely, a), slices.Index(likely, b); x != y {
			return y - x
		}
		return strings.Compare(a, b)
	})
	return names
}

func entryOf(one map[string]any) Entry {
	made := Entry{Title: text(one, "name")}
	for key, value := range one {
		if !strings.EqualFold(key, "weight") {
			continue
		}
		switch weight := value.(type) {
		case int:
			made.Weight = float64(weight)
		case int64:
			made.Weight = float64(weight)
		case uint64:
			made.Weight = float64(weight)
		case float64:
			made.Weight = weight
		}
	}
	return made
}

// text is the text under a name, however its letters are written.
func text(one map[string]any, name string) string {
	for key, value := range one {
		if found, ok := value.(string); ok && strings.EqualFold(key, name) {
			return found
		}
	}
	return ""
}

// read reads a file of TOML, YAML or JSON; one that is not there or no such file has nothing.
func read(site *filetree.Tree, file string) map[string]any {
	if !site.Has(file) {
		return nil
	}
	data, err := site.Read(file, maxFile)
	if err != nil {
		return nil
	}
	values := map[string]any{}
	if strings.HasSuffix(file, ".toml") {
		err = toml.Unmarshal(data, &values)
	} else {
		err = yaml.Unmarshal(data, &values) // JSON is YAML
	}
	if err != nil {
		return nil
	}
	return values
}
