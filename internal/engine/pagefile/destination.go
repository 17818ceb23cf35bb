package pagefile

import (
	"net/url"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// ReadDestination says what a destination that an author has written means: a reference outside, of the kind url; one
// that names its target; or, with the kind "", a path as written, "" for the page itself, with a fragment. It is not ok
// for what leads nowhere.
func ReadDestination(written string) (ref doc.Ref, file, fragment string, ok bool) {
	written = strings.TrimSpace(written)
	switch {
	case written == "", strings.HasPrefix(written, "/broken/"):
		return doc.Ref{}, "", "", false
	case strings.HasPrefix(written, "//"):
		return doc.URL("https:" + written), "", "", true
	case doc.URL(written).IsExternal():
		return doc.URL(written), "", "", true
	}
	// A name that is empty names the top.
	if ref := doc.ParseDestination(strings.TrimSuffix(written, "#")); ref.Kind != doc.RefURL {
		return ref, "", "", true
	}
	file, fragment, _ = strings.Cut(written, "#")
	file, _, _ = strings.Cut(file, "?")
	return doc.Ref{}, file, fragment, true
}

// Meaning is something that a written path can be: the page or the file of that path.
type Meaning struct {
	Kind entity.Kind
	Path string
}

// Meanings lists what a path, as written in the file from, can mean. The first that is there is meant.
func Meanings(from, written string) []Meaning {
	spellings := []string{written}
	if decoded, err := url.PathUnescape(written); err == nil && decoded != written {
		spellings = append(spellings, decoded)
	}
	var meanings []Meaning
	for _, spelling := range spellings {
		clean, _ := Join(from, spelling)
		folder := strings.HasSuffix(spelling, "/")
		if !folder {
			meanings = append(meanings, Meaning{entity.KindPage, clean})
		}
		meanings = append(meanings, Meaning{entity.KindFile, clean})
		for _, name := range []string{Readme, "index.md", "readme.md"} {
			meanings = append(meanings, Meaning{entity.KindPage, strings.TrimPrefix(clean+"/"+name, "/")})
		}
		if folder {
			meanings = append(meanings, Meaning{entity.KindPage, clean})
		}
	}
	return meanings
}

// Join returns what a path, as written in the file from, leads to: from the file's folder, or with a slash at its start
// from the root. Inside is false when the way leads out of the tree; the path is then what a browser would ask for.
func Join(from, written string) (file string, inside bool) {
	folder := path.Dir(from)
	if strings.HasPrefix(written, "/") {
		folder = ""
	}
	way := path.Join(folder, strings.TrimLeft(written, "/"))
	inside = way != ".." && !strings.HasPrefix(way, "../")
	return strings.TrimPrefix(path.Join("/", folder, written), "/"), inside
}

// Relative returns the way from the folder of a file to another file. Both are escaped, or neither is.
func Relative(from, to string) string {
	here, there := strings.Split(from, "/"), strings.Split(to, "/")
	common := 0
	for common < len(here)-1 && common < len(there)-1 && here[common] == there[common] {
		common++
	}
	return withoutScheme(strings.Repeat("../", len(here)-1-common) + strings.Join(there[common:], "/"))
}

// Link writes a link from a file to another, as Relative and Escape do.
func Link(from, to string) string { return Escape(Relative(from, to)) }

// LinkFolder writes a link from a file to a folder, "" or "." for the root. It ends with a slash.
func LinkFolder(from, folder string) string {
	if folder == "." {
		folder = ""
	}
	way := strings.TrimSuffix(Link(from, path.Join(folder, "x")), "x")
	if way == "" {
		return "./"
	}
	return way
}

var pathEscapes = strings.NewReplacer("%", "%25", "#", "%23", "?", "%3F")

// Escape escapes what would end the path of a link, or be taken for an escape or a scheme.
func Escape(file string) string { return withoutScheme(pathEscapes.Replace(file)) }

// withoutScheme keeps a colon in the first segment of a path from making that a scheme.
func withoutScheme(way string) string {
	if first, _, _ := strings.Cut(way, "/"); strings.Contains(first, ":") {
		return "./" + way
	}
	return way
}
