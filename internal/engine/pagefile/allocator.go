package pagefile

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// readmeSlug is the slug of the page whose file is README.md in the root.
const readmeSlug = "readme"

// Allocated is where an export puts a page.
type Allocated struct {
	// File is the path of its file; "" for groups at the root, whose pages are in Folder.
	File, Folder string
	// SlugLost says that the file's name does not give the slug.
	SlugLost bool
}

// Allocator hands out the paths of an export, which no two files share, on file systems without case too.
type Allocator struct {
	// files and folders are the folded paths that are taken.
	files, folders map[string]bool
}

// NewAllocator returns an Allocator that has given nothing away but what every export holds.
func NewAllocator() *Allocator {
	a := &Allocator{files: map[string]bool{}, folders: map[string]bool{}}
	for _, reserved := range []string{"SUMMARY.md", ".gitbook.yaml", ".gitbook/vars.yaml"} {
		a.files[fold(reserved)] = true
	}
	a.folders[fold(".gitbook")] = true
	return a
}

func fold(name string) string {
	return strings.Map(unicode.ToLower, strings.Map(unicode.ToUpper, norm.NFC.String(name)))
}

// Pages gives every page of a tree its path and returns them by the ids of the pages. A page is at its slug below the
// page above it. Links and computed pages have none: they are in the table of contents only. read returns the page of
// a node and the nodes below it.
func Pages[N any](a *Allocator, roots []N, read func(N) (*entity.Entry, []N)) map[string]Allocated {
	// The page of the root's README.md has its path before any other asks for it.
	for _, node := range roots {
		if page, _ := read(node); page.Slug == readmeSlug && page.Type == entity.PageDocument {
			a.files[fold(Readme)] = true
		}
	}
	pages := map[string]Allocated{}
	var below func(nodes []N, folder string, root bool)
	below = func(nodes []N, folder string, root bool) {
		for _, node := range nodes {
			page, children := read(node)
			if page.Type == entity.PageDocument || page.Type == entity.PageGroup {
				given := a.page(page, folder, root, len(children) > 0)
				pages[page.ID] = given
				below(children, given.Folder, false)
			}
		}
	}
	below(roots, "", true)
	return pages
}

// page gives a document or group in a folder its path.
func (a *Allocator) page(page *entity.Entry, folder string, root, parent bool) Allocated {
	name := SafeName(page.Slug)
	if len(folder)+len(name) > maxPath || strings.Count(folder, "/") > maxDepth {
		folder, name = "", page.ID
	}
	var given Allocated
	switch {
	case page.Type == entity.PageGroup && root:
		given.Folder = a.folder(path.Join(folder, name))
		return given
	case folder == "" && page.Slug == readmeSlug:
		given.File, given.Folder = Readme, a.folder(readmeSlug)
	case parent || strings.EqualFold(page.Slug, readmeSlug):
		given.Folder = a.folder(path.Join(folder, name))
		given.File = a.File(path.Join(given.Folder, Readme))
	default:
		given.File = a.File(path.Join(folder, name) + ".md")
	}
	given.SlugLost = slugOf(given.File) != page.Slug
	return given
}

// Bounds on the paths of an export; what would be beyond them goes to the root under its id.
const (
	maxPath  = 700
	maxDepth = 48
)

// slugOf returns the slug that an import reads from a file's path.
func slugOf(file string) string {
	if file == Readme {
		return readmeSlug
	}
	if path.Base(file) == Readme {
		return path.Base(path.Dir(file))
	}
	return strings.TrimSuffix(path.Base(file), ".md")
}

// File returns a path that is free for a file, with a number behind its name when it has to be.
func (a *Allocator) File(wanted string) string {
	extension := path.Ext(wanted)
	base := strings.TrimSuffix(wanted, extension)
	name := wanted
	for number := 1; a.files[fold(name)] || a.folders[fold(name)] || a.blocked(name); number++ {
		name = base + "-" + strconv.Itoa(number) + extension
	}
	a.files[fold(name)] = true
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		a.folders[fold(dir)] = true
	}
	return name
}

// blocked reports whether a part of a path is a file already.
func (a *Allocator) blocked(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if a.files[fold(dir)] {
			return true
		}
	}
	return false
}

// folder returns a path that is free for the pages below one page.
func (a *Allocator) folder(wanted string) string {
	name := wanted
	for number := 1; a.files[fold(name)] || a.folders[fold(name)] || a.blocked(name+"/x"); number++ {
		name = wanted + "-" + strconv.Itoa(number)
	}
	a.folders[fold(name)] = true
	return name
}

// SafeName makes a name that every file system and every import takes.
func SafeName(name string) string {
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

// SafePath reports whether an import takes a file at a path as it is.
func SafePath(file string) bool {
	if file == "" || len(file) > 1000 || strings.Count(file, "/") > maxDepth || path.Clean(file) != file {
		return false
	}
	for i, segment := range strings.Split(file, "/") {
		if segment == ".gitbook" && i == 0 {
			continue
		}
		if SafeName(segment) != segment {
			return false
		}
	}
	return !strings.HasPrefix(file, "/") && norm.NFC.IsNormalString(file)
}
