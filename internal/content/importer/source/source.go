// Package source owns the form that content has between being read from somewhere and becoming a revision: a Tree of
// pages, files and reusable contents with everything that is known about them but without ids, and the Report of what
// was not understood.
//
// Whatever reads a source (a folder, an archive, a website) makes a Tree and writes nothing; package importer turns a
// Tree into one revision. Links in bodies stay as the source wrote them; Tree.Resolve says where they lead.
package source

import (
	"io"

	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
)

// Tree is everything that was read.
type Tree struct {
	// Pages are the pages at the root in order.
	Pages []*Page
	// Single says that the source is one document: its only page can be the body of a page that is there.
	Single bool
	Files  []*File
	// Reusables are the reusable contents, which bodies include.
	Reusables []*Reusable
	// Variables of the whole.
	Variables map[string]any
	Redirects []Redirect
	// Origin is the state of a Git repository that all of it was read from, nil for none. The places of files, and
	// those of pages and reusable contents that have an OID, are then paths below the origin's folder.
	Origin *git.Source
	Report Report
	// Texts keeps the bodies. They can be read until it is closed, by whoever made it.
	Texts *Texts
	// Resolve says where a destination leads that is written in a body whose Base is base, or in the link target,
	// cover or redirect of a page with that Base. It is not called for destinations with a scheme unless the source
	// gives pages addresses.
	Resolve func(base, destination string) Resolution
	// Close releases what Files read from. It may be nil.
	Close func() error
}

// Page is one page.
type Page struct {
	// Place says where the page comes from, for the report: a file's path, a URL.
	Place string
	// OID is the name that Git gives to the file at Place when that is the page's own; "" for pages that are no files.
	OID string
	// Base is what destinations in the page are relative to; only Tree.Resolve reads it.
	Base string
	// Entry holds the fields that the source knows: Type and Title always, Slug when the source decides it, never ID,
	// Parent, Position, Body or references to pages and files.
	Entry entity.Entry
	// Target is the destination of a link page.
	Target string
	// Cover and CoverDark are the destinations of the cover image; Entry.Cover has its measures.
	Cover, CoverDark string
	// Body is Markdown without front matter and title.
	Body Text
	// FirstLine is the line of the file that Body starts at, from 1; 0 means that lines mean nothing.
	FirstLine int
	// Anchors maps names that links use to anchors of the body; "" is the top of the page.
	Anchors map[string]string
	// Addresses are paths at which the page was published before, without slashes at their ends, the best first. Those
	// that are not its path lead to it.
	Addresses []string
	Children  []*Page
}

// File is an image or a download.
type File struct {
	Place string
	// Name is the file's own name.
	Name string
	// Path is where an export puts the file, "" for the assets folder under its name.
	Path string
	// ContentType is the media type when the source knows it.
	ContentType string
	Size        int64
	Open        func() (io.ReadCloser, error)
}

// Reusable is a reusable content.
type Reusable struct {
	Place, Base string
	// OID is that of the file at Place.
	OID       string
	Entry     entity.Entry
	Body      Text
	FirstLine int
}

// Redirect leads from a path to a destination that is written relative to Base.
type Redirect struct {
	Place, Base string
	From        string
	Destination string
}

// Kind says what a destination leads to.
type Kind int

// Kinds of destinations.
const (
	// External is left as it is: another site, a mail address, another space, an anchor of the page itself.
	External Kind = iota
	ToPage
	ToFile
	ToReusable
	// Broken leads nowhere. The destination stays as it is and is reported.
	Broken
)

// Resolution is where a destination leads.
type Resolution struct {
	Kind     Kind
	Page     *Page
	File     *File
	Reusable *Reusable
	// Anchor is the part behind "#", decoded.
	Anchor string
	// URL replaces the destination of kind External or Broken when it is not empty.
	URL string
	// Reason says why a destination is broken.
	Reason string
}

// Walk calls visit for every page, a page before its children.
func (t *Tree) Walk(visit func(page, parent *Page)) { walk(t.Pages, nil, visit) }

func walk(pages []*Page, parent *Page, visit func(page, parent *Page)) {
	for _, page := range pages {
		visit(page, parent)
		walk(page.Children, page, visit)
	}
}

// Count returns the number of pages of all types.
func (t *Tree) Count() int {
	count := 0
	t.Walk(func(_, _ *Page) { count++ })
	return count
}
