package store

import (
	"net/url"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// AssetFolder and IncludeFolder are where a Markdown tree keeps what has no path of its own.
const (
	AssetFolder   = ".gitbook/assets/"
	IncludeFolder = ".gitbook/includes/"
)

// ReadDestination says what a destination that an author has written means: a reference outside, of the kind url; one
// that names its target; or, with the kind "", a place in the Markdown tree, "" for the page itself, with a fragment.
// It is not ok for what leads nowhere.
func ReadDestination(written string) (ref doc.Ref, place, fragment string, ok bool) {
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
	place, fragment, _ = strings.Cut(written, "#")
	place, _, _ = strings.Cut(place, "?")
	return doc.Ref{}, place, fragment, true
}

// Meaning is something that a place in the Markdown tree can be: the page or the file of that path from the root.
type Meaning struct {
	Kind entity.Kind
	Path string
}

// Meanings lists what a place, as written in the file at a path, can mean. The first that is there is meant.
func Meanings(from, place string) []Meaning {
	written := []string{place}
	if decoded, err := url.PathUnescape(place); err == nil && decoded != place {
		written = append(written, decoded)
	}
	var meanings []Meaning
	for _, place := range written {
		clean := JoinPlace(from, place)
		folder := strings.HasSuffix(place, "/")
		if !folder {
			meanings = append(meanings, Meaning{entity.KindPage, clean})
		}
		meanings = append(meanings, Meaning{entity.KindFile, clean})
		for _, name := range []string{"README.md", "index.md", "readme.md"} {
			meanings = append(meanings, Meaning{entity.KindPage, strings.TrimPrefix(clean+"/"+name, "/")})
		}
		if folder {
			meanings = append(meanings, Meaning{entity.KindPage, clean})
		}
	}
	return meanings
}

// JoinPlace is what a place in the file at a path means, from the root of the tree.
func JoinPlace(from, place string) string {
	if strings.HasPrefix(place, "/") {
		from = ""
	}
	return strings.TrimPrefix(path.Join("/", path.Dir(from), place), "/")
}

// PlaceOf is where a file or reusable content is in the Markdown tree, or would be.
func PlaceOf(e *entity.Entry) string {
	switch {
	case e.Path != "":
		return e.Path
	case e.Kind == entity.KindFile:
		return AssetFolder + e.Name
	case e.Kind == entity.KindReusable:
		return IncludeFolder + entity.Slugify(e.Title) + ".md"
	}
	return ""
}

// Place is where the page's Markdown is, or would be.
func (n *TreeNode) Place() string {
	switch {
	case n.Entry.Path != "":
		return n.Entry.Path
	case len(n.Children) > 0:
		return n.Path + "/README.md"
	}
	return n.Path + ".md"
}

// Places finds what a revision holds by where it is in the Markdown tree: the form in which content that came from
// files mentions it.
type Places struct {
	pages            map[string]*TreeNode
	files, reusables map[string]*entity.Entry
}

// NewPlaces makes the index of a tree with its files and reusable contents. Of several in one place the first counts.
func NewPlaces(tree *Tree, files, reusables []*entity.Entry) *Places {
	p := &Places{
		pages: make(map[string]*TreeNode, 2*len(tree.Ordered)), files: make(map[string]*entity.Entry, len(files)),
		reusables: make(map[string]*entity.Entry, len(reusables)),
	}
	for _, node := range tree.Ordered {
		if node.Entry.Path != "" {
			setOnce(p.pages, node.Entry.Path, node)
		}
	}
	// What pages would be called, for those that no file has that name.
	for _, node := range tree.Ordered {
		if node.Entry.Type != entity.PageLink {
			setOnce(p.pages, node.Path, node)
			setOnce(p.pages, node.Path+".md", node)
			setOnce(p.pages, node.Path+"/README.md", node)
		}
	}
	if tree.Landing != nil {
		setOnce(p.pages, "README.md", tree.Landing)
	}
	for _, file := range files {
		setOnce(p.files, PlaceOf(file), file)
	}
	for _, reusable := range reusables {
		setOnce(p.reusables, PlaceOf(reusable), reusable)
	}
	return p
}

func setOnce[V any](m map[string]V, key string, value V) {
	if _, taken := m[key]; !taken {
		m[key] = value
	}
}

// Find returns the page or the file that a place means on a page, which may be nil for the root; both are nil when
// nothing is there.
func (p *Places) Find(from *TreeNode, place string) (*TreeNode, *entity.Entry) {
	for _, meaning := range Meanings(placeOf(from), place) {
		if node := p.pages[meaning.Path]; node != nil && meaning.Kind == entity.KindPage {
			return node, nil
		}
		if file := p.files[meaning.Path]; file != nil && meaning.Kind == entity.KindFile {
			return nil, file
		}
	}
	return nil, nil
}

// Reusable returns the reusable content that a place means on a page, nil when none is there.
func (p *Places) Reusable(from *TreeNode, place string) *entity.Entry {
	return p.reusables[JoinPlace(placeOf(from), place)]
}

func placeOf(from *TreeNode) string {
	if from == nil {
		return ""
	}
	return from.Place()
}
