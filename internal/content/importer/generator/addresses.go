package generator

import (
	"path"
	"regexp"
	"strings"
)

// Page is what an address depends on.
type Page struct {
	// File is the path of the file below the folder of the pages.
	File string
	// Title is that of the page, FrontMatter what the file says above its text.
	Title       string
	FrontMatter map[string]any
}

// Rules are what a generator's configuration says of addresses.
type Rules struct {
	Name Name
	// Base is what stands before every address, without slashes around it: the base path of the pages on their site.
	Base string
	// Rewrites are folders of files and what stands for them in addresses, both without slashes around them.
	Rewrites map[string]string
	// KeepNumbers says that numbers at the start of names stay in addresses.
	KeepNumbers bool
}

// Addresses returns the paths at which a generator publishes a page, without a slash at either end and without the
// host, the generator's own first, each once. "" is the root. The path of the file is one of them: it is how readers
// of a repository know the page.
func (r Rules) Addresses(page Page) []string {
	var found []string
	seen := map[string]bool{}
	add := func(address string) {
		address = strings.Trim(path.Clean("/"+strings.TrimSpace(address)), "/")
		if !seen[address] && !strings.ContainsAny(address, "?#") {
			seen[address] = true
			found = append(found, address)
		}
	}
	plain := withoutExtension(page.File)
	for _, address := range r.own(page, plain) {
		add(path.Join(r.Base, address))
		if r.Base != "" {
			add(address)
		}
	}
	for _, alias := range texts(page.FrontMatter["aliases"], page.FrontMatter["redirect_from"]) {
		if !strings.HasPrefix(alias, "/") && !strings.Contains(alias, "://") {
			alias = path.Join(path.Dir(plain), alias)
		}
		if !strings.Contains(alias, "://") {
			add(strings.TrimSuffix(alias, ".html"))
			add(alias)
		}
	}
	if !r.bare() {
		add(plain + ".html")
	}
	add(withoutIndex(plain))
	add(plain)
	return found
}

// Slash reports whether a generator ends the addresses of pages with a slash, so that relative links lead on from the
// page and not from its folder.
func (r Rules) Slash() bool {
	switch r.Name {
	case Hugo, MkDocs, Starlight:
		return true
	}
	return false
}

// bare reports whether a generator never ends an address with .html.
func (r Rules) bare() bool {
	switch r.Name {
	case Docusaurus, Starlight, Mintlify, Nextra, GitBook, Folders:
		return true
	}
	return false
}

// own returns the addresses that the generator itself gives to a page.
func (r Rules) own(page Page, plain string) []string {
	switch r.Name {
	case Docusaurus:
		return []string{r.docusaurus(page, plain)}
	case Hugo:
		if url := text(page.FrontMatter["url"]); url != "" {
			return []string{url}
		}
		plain = withoutIndex(plain)
		if slug := text(page.FrontMatter["slug"]); slug != "" && plain != "" {
			plain = path.Join(path.Dir(plain), slug)
		}
		return []string{strings.ToLower(strings.ReplaceAll(plain, " ", "-"))}
	case Jekyll:
		if link := text(page.FrontMatter["permalink"]); strings.HasPrefix(link, "/") && !strings.Contains(link, ":") {
			return []string{link, strings.TrimSuffix(link, ".html")}
		}
		return []string{withoutIndex(plain), plain + ".html"}
	case Starlight:
		if slug := text(page.FrontMatter["slug"]); slug != "" {
			return []string{slug}
		}
		return []string{hostPath(withoutIndex(plain))}
	case VitePress:
		for from, to := range r.Rewrites {
			if page.File == from || plain == withoutExtension(from) {
				plain = withoutExtension(to)
				break
			}
		}
		return []string{withoutIndex(plain), plain + ".html"}
	case Sphinx, MdBook, Asciidoctor:
		return []string{plain + ".html", withoutIndex(plain)}
	case Mintlify, Nextra, MkDocs:
		return []string{withoutIndex(plain)}
	}
	return nil
}

// hostPath writes every folder and the name as anchors are written, as Starlight does.
func hostPath(plain string) string {
	segments := strings.Split(plain, "/")
	for i, segment := range segments {
		segments[i] = hostAnchor(segment)
	}
	return strings.Join(segments, "/")
}

var orderNumber = regexp.MustCompile(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)

// versionLike is a name that starts with a date or a version, whose number stays.
var versionLike = regexp.MustCompile(`^(?:\d{2,4}[-_.]?\d{2,4}[-_.]?\d{2,4}|\d+[-_.]\d+)`)

// withoutNumber takes the number for the order off a name, as Docusaurus does.
func withoutNumber(name string) string {
	if versionLike.MatchString(name) {
		return name
	}
	if parts := orderNumber.FindStringSubmatch(name); parts != nil {
		return parts[1]
	}
	return name
}

// WithoutNumbers takes the numbers for the order off the names in a path of Docusaurus.
func (r Rules) WithoutNumbers(plain string) string {
	if r.KeepNumbers || r.Name != Docusaurus {
		return plain
	}
	segments := strings.Split(plain, "/")
	for i, segment := range segments {
		segments[i] = withoutNumber(segment)
	}
	return strings.Join(segments, "/")
}

// docusaurus returns the address of a document of Docusaurus.
func (r Rules) docusaurus(page Page, plain string) string {
	segments := strings.Split(r.WithoutNumbers(plain), "/")
	last := len(segments) - 1
	dir, name := strings.Join(segments[:last], "/"), segments[last]
	slug := text(page.FrontMatter["slug"])
	if strings.HasPrefix(slug, "/") {
		return slug
	}
	if slug != "" {
		return path.Join("/", dir, slug)
	}
	if id := text(page.FrontMatter["id"]); id != "" {
		return path.Join(dir, id)
	}
	lower := strings.ToLower(name)
	if lower == "index" || lower == "readme" || last > 0 && lower == strings.ToLower(segments[last-1]) {
		return dir
	}
	return path.Join(dir, name)
}

// withoutExtension returns a path without what its file's kind is called.
func withoutExtension(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// withoutIndex returns the folder of a path that is its folder's own page.
func withoutIndex(plain string) string {
	switch strings.ToLower(path.Base(plain)) {
	case "index", "readme", "_index":
		if dir := path.Dir(plain); dir != "." {
			return dir
		}
		return ""
	}
	return plain
}

func text(value any) string {
	found, _ := value.(string)
	return strings.TrimSpace(found)
}

// maxAliases is how many former addresses a page may name.
const maxAliases = 100

// texts returns the texts in values that are one or a list of them.
func texts(values ...any) []string {
	var found []string
	for _, value := range values {
		switch value := value.(type) {
		case string:
			found = append(found, value)
		case []any:
			for _, each := range value {
				if one, ok := each.(string); ok {
					found = append(found, one)
				}
			}
		}
	}
	return found[:min(len(found), maxAliases)]
}
