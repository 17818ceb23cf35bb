package importer

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// readmeName is the file of a page with others below it.
const readmeName = "README.md"

// readmeSlug is the slug of the page whose file is README.md in the root.
const readmeSlug = "readme"

// place is where a page goes.
type place struct {
	// file is the path of its file; "" for groups, whose pages are in folder.
	file, folder string
	// slugLost says that the file's name does not give the slug.
	slugLost bool
}

// places hands out paths that no two files share, on file systems without case too.
type places struct {
	pages map[string]place
	// taken are folded paths of files and folders.
	files, folders map[string]bool
}

func newPlaces() *places {
	p := &places{pages: map[string]place{}, files: map[string]bool{}, folders: map[string]bool{}}
	for _, reserved := range []string{"SUMMARY.md", ".gitbook.yaml", ".gitbook/vars.yaml"} {
		p.files[fold(reserved)] = true
	}
	p.folders[fold(".gitbook")] = true
	return p
}

func fold(name string) string {
	return strings.Map(unicode.ToLower, strings.Map(unicode.ToUpper, norm.NFC.String(name)))
}

// takePages gives every page of a tree its place.
func (p *places) takePages(tree *store.Tree) {
	// The page of the root's README.md has its place before any other asks for it.
	for _, node := range tree.Roots {
		if node.Entry.Slug == readmeSlug && node.Entry.Type == entity.PageDocument {
			p.files[fold(readmeName)] = true
		}
	}
	p.takeBelow(tree.Roots, "")
}

func (p *places) takeBelow(nodes []*store.TreeNode, folder string) {
	for _, node := range nodes {
		entry := node.Entry
		isDocument := entry.Type == entity.PageDocument || entry.Type == entity.PageGroup && node.Parent != nil
		if !isDocument && entry.Type != entity.PageGroup {
			continue // links and computed pages are in the table of contents only
		}
		name := safeSegment(entry.Slug)
		if len(folder)+len(name) > maxExportPath || strings.Count(folder, "/") > maxExportDepth {
			folder, name = "", entry.ID
		}
		made := place{}
		switch {
		case !isDocument:
			made.folder = p.folder(path.Join(folder, name))
		case folder == "" && entry.Slug == readmeSlug:
			made.file, made.folder = readmeName, p.folder(readmeSlug)
		case len(node.Children) > 0 || strings.EqualFold(entry.Slug, readmeSlug):
			made.folder = p.folder(path.Join(folder, name))
			made.file = p.file(path.Join(made.folder, readmeName))
		default:
			made.file = p.file(path.Join(folder, name) + ".md")
		}
		if isDocument {
			made.slugLost = slugOf(made.file) != entry.Slug
		}
		p.pages[entry.ID] = made
		p.takeBelow(node.Children, made.folder)
	}
}

// Bounds on the paths of an export; what would be beyond them goes to the root under its id.
const (
	maxExportPath  = 700
	maxExportDepth = 48
)

// slugOf returns the slug that an import reads from a file's path.
func slugOf(file string) string {
	if file == readmeName {
		return readmeSlug
	}
	if path.Base(file) == readmeName {
		return path.Base(path.Dir(file))
	}
	return strings.TrimSuffix(path.Base(file), ".md")
}

// file returns a path that is free for a file, with a number behind its name when it has to be.
func (p *places) file(wanted string) string {
	extension := path.Ext(wanted)
	base := strings.TrimSuffix(wanted, extension)
	name := wanted
	for number := 1; p.files[fold(name)] || p.folders[fold(name)] || p.blocked(name); number++ {
		name = base + "-" + strconv.Itoa(number) + extension
	}
	p.files[fold(name)] = true
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		p.folders[fold(dir)] = true
	}
	return name
}

// blocked reports whether a part of a path is a file already.
func (p *places) blocked(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if p.files[fold(dir)] {
			return true
		}
	}
	return false
}

// folder returns a path that is free for the pages below one page.
func (p *places) folder(wanted string) string {
	name := wanted
	for number := 1; p.files[fold(name)] || p.folders[fold(name)] || p.blocked(name+"/x"); number++ {
		name = wanted + "-" + strconv.Itoa(number)
	}
	p.folders[fold(name)] = true
	return name
}

// safeSegment makes a name that every file system and every import takes.
func safeSegment(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(name, "-"))
	name = strings.TrimRight(name, ". ")
	if strings.HasPrefix(name, ".") {
		name = "-" + strings.TrimLeft(name, ".")
	}
	for len(name) > 200 {
		_, size := utf8.DecodeLastRuneInString(strings.TrimSuffix(name, path.Ext(name)))
		extension := path.Ext(name)
		if len(extension) > 20 {
			extension = ""
		}
		stem := strings.TrimSuffix(name, extension)
		name = stem[:len(stem)-max(size, 1)] + extension
	}
	switch {
	case name == "" || name == "-":
		return "page"
	case name == "node_modules" || name == "__MACOSX":
		return name + "-1"
	}
	return name
}

// safePath reports whether an import takes a file at a path as it is.
func safePath(p string) bool {
	if p == "" || len(p) > 1000 || strings.Count(p, "/") > maxExportDepth || path.Clean(p) != p {
		return false
	}
	for i, segment := range strings.Split(p, "/") {
		if segment == ".gitbook" && i == 0 {
			continue
		}
		if safeSegment(segment) != segment {
			return false
		}
	}
	return !strings.HasPrefix(p, "/") && norm.NFC.IsNormalString(p)
}
