package markup

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/source"
)

// Schemes of the destinations that Targets hands out. They are in bodies only until the import has settled its links.
const (
	pageScheme = "recto-import-page:"
	fileScheme = "recto-import-file:"
)

// Targets hands out destinations that stand for pages and files, and resolves them: a reader writes them into its
// trees as soon as it knows what a link means, however the format has said it.
type Targets struct {
	pages   []*source.Page
	pageIDs map[*source.Page]int
	files   []*source.File
	fileIDs map[*source.File]int
}

// NewTargets returns an empty set.
func NewTargets() *Targets {
	return &Targets{pageIDs: map[*source.Page]int{}, fileIDs: map[*source.File]int{}}
}

// Page returns the destination of a place in a page; anchor may be "".
func (t *Targets) Page(page *source.Page, anchor string) string {
	number, known := t.pageIDs[page]
	if !known {
		number = len(t.pages)
		t.pageIDs[page] = number
		t.pages = append(t.pages, page)
	}
	destination := pageScheme + strconv.Itoa(number)
	if anchor != "" {
		destination += "#" + url.PathEscape(anchor)
	}
	return destination
}

// File returns the destination of a file.
func (t *Targets) File(file *source.File) string {
	number, known := t.fileIDs[file]
	if !known {
		number = len(t.files)
		t.fileIDs[file] = number
		t.files = append(t.files, file)
	}
	return fileScheme + strconv.Itoa(number)
}

// Files returns the files that have a destination, in the order in which they were first asked for.
func (t *Targets) Files() []*source.File { return t.files }

// Has reports whether a file has a destination.
func (t *Targets) Has(file *source.File) bool {
	_, known := t.fileIDs[file]
	return known
}

// Resolve is a source.Tree's Resolve: everything that Targets has not handed out is external.
func (t *Targets) Resolve(_, destination string) source.Resolution {
	if rest, ok := strings.CutPrefix(destination, pageScheme); ok {
		number, anchor, _ := strings.Cut(rest, "#")
		if decoded, err := url.PathUnescape(anchor); err == nil {
			anchor = decoded
		}
		if at, err := strconv.Atoi(number); err == nil && at >= 0 && at < len(t.pages) {
			return source.Resolution{Kind: source.ToPage, Page: t.pages[at], Anchor: anchor}
		}
		return source.Resolution{Kind: source.Broken, Reason: "there is no such page"}
	}
	if rest, ok := strings.CutPrefix(destination, fileScheme); ok {
		if at, err := strconv.Atoi(rest); err == nil && at >= 0 && at < len(t.files) {
			return source.Resolution{Kind: source.ToFile, File: t.files[at]}
		}
		return source.Resolution{Kind: source.Broken, Reason: "there is no such file"}
	}
	return source.Resolution{Kind: source.External}
}
