package wire

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Revision is the whole content of a space at one moment, without the bodies of its pages.
type Revision struct {
	Object           string            `json:"object" enum:"revision"`
	ID               id.Revision       `json:"id"`
	Type             string            `json:"type" enum:"edits,merge,rollback,update,computed"`
	Parents          []id.Revision     `json:"parents"`
	Pages            []*Page           `json:"pages"`
	Files            []File            `json:"files"`
	ReusableContents []ReusableContent `json:"reusableContents"`
	Variables        map[string]any    `json:"variables,omitempty"`
	Tags             []PageTag         `json:"tags" doc:"Those that pages may have; there are none of a revision's own."`
	CreatedAt        string            `json:"createdAt" format:"date-time"`
	// Git is the commit that the revision was imported from; absent for all other revisions.
	Git  *GitCommit  `json:"git,omitempty"`
	URLs ContentURLs `json:"urls"`
	// MergedFrom is the change request that a revision of type merge brought in.
	MergedFrom *ChangeRequest `json:"mergedFrom,omitempty"`
}

// ContentURLs are the addresses at which a revision is to be read. The last two are there for the revision that is
// live: Published is that of a published site which shows the space, Public that of one for those who need no account.
type ContentURLs struct {
	App       string `json:"app" format:"uri"`
	Published string `json:"published,omitempty" format:"uri"`
	Public    string `json:"public,omitempty" format:"uri"`
}

// AppURLs hold the address of a thing in the app.
type AppURLs struct {
	App string `json:"app" format:"uri"`
}

// Page is a page of a revision. Type says which of the fields are there: documents have a layout, pages below them and
// a body, groups have pages, links have a target, computed pages have a source.
type Page struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	LinkTitle string `json:"linkTitle,omitempty"`
	Emoji     string `json:"emoji,omitempty"`
	Icon      string `json:"icon,omitempty"`
	CreatedAt string `json:"createdAt,omitempty" format:"date-time"`
	UpdatedAt string `json:"updatedAt,omitempty" format:"date-time"`
	// Kind is the older name of Type.
	Kind          string         `json:"kind,omitempty" enum:"sheet,group,link" deprecated:"true"`
	Type          string         `json:"type" enum:"document,group,link,computed"`
	URLs          *AppURLs       `json:"urls,omitempty"`
	Slug          string         `json:"slug,omitempty"`
	Path          string         `json:"path"`
	Description   string         `json:"description,omitempty"`
	Pages         []*Page        `json:"pages,omitzero"`
	Layout        *PageLayout    `json:"layout,omitempty"`
	Cover         *PageCover     `json:"cover,omitempty"`
	Tags          []PageTag      `json:"tags,omitzero"`
	Variables     map[string]any `json:"variables,omitempty"`
	Condition     string         `json:"condition,omitempty"`
	Owner         id.User        `json:"owner,omitempty" doc:"Who is asked about the page."`
	Hidden        bool           `json:"hidden,omitempty"`
	NoIndex       bool           `json:"noIndex,omitempty"`
	NoRobotsIndex bool           `json:"noRobotsIndex,omitempty"`
	DocumentID    string         `json:"documentId,omitempty"`
	Target        *Reference     `json:"target,omitempty"`
	Href          string         `json:"href,omitempty"`
	Computed      *Computed      `json:"computed,omitempty"`
	// ComputedSeed names a page within the computed page that it was made for.
	ComputedSeed string `json:"computedSeed,omitempty"`
	// Git is the file that the page was imported from; absent for pages that did not come from a repository.
	Git *GitFile `json:"git,omitempty"`
	// Markdown is the body with its title as the first line, when format is markdown.
	Markdown *string `json:"markdown,omitempty"`
	// HTML is the body for reading, when format is html.
	HTML *string `json:"html,omitempty"`
	// Document is the body as document JSON, when format is document.
	Document json.RawMessage `json:"document,omitempty"`
}

// PageLayout says what a page shows around its body.
type PageLayout struct {
	Width           string `json:"width" enum:"default,wide"`
	Cover           bool   `json:"cover"`
	CoverSize       string `json:"coverSize" enum:"hero,full,background"`
	CoverMask       string `json:"coverMask" enum:"none,radial"`
	Title           bool   `json:"title"`
	Description     bool   `json:"description"`
	TableOfContents bool   `json:"tableOfContents"`
	Outline         bool   `json:"outline"`
	Pagination      bool   `json:"pagination"`
	Metadata        bool   `json:"metadata"`
	Tags            bool   `json:"tags"`
	Actions         bool   `json:"actions"`
	Anchors         bool   `json:"anchors"`
}

// PageCover is the picture above a page.
type PageCover struct {
	Ref     *Reference `json:"ref,omitempty"`
	RefDark *Reference `json:"refDark,omitempty"`
	YPos    float64    `json:"yPos"`
	Height  float64    `json:"height,omitempty"`
}

// PageTag is a tag of a page.
type PageTag struct {
	Tag     Reference `json:"tag"`
	Primary bool      `json:"primary,omitempty"`
}

// Reference points at a page, a file, an address or another thing; Kind says which of the fields are there.
type Reference struct {
	Kind            doc.RefKind `json:"kind" enum:"url,file,page,anchor,user,collection,space,reusable-content,tag,openapi"`
	URL             string      `json:"url,omitempty"`
	File            string      `json:"file,omitempty"`
	Page            string      `json:"page,omitempty"`
	Anchor          string      `json:"anchor,omitempty"`
	User            string      `json:"user,omitempty"`
	Collection      string      `json:"collection,omitempty"`
	Space           string      `json:"space,omitempty"`
	ReusableContent string      `json:"reusableContent,omitempty"`
	Tag             string      `json:"tag,omitempty"`
	Spec            string      `json:"spec,omitempty"`
}

// Computed says what a computed page is made from.
type Computed struct {
	Type         string         `json:"type"`
	Props        map[string]any `json:"props"`
	Dependencies map[string]any `json:"dependencies,omitempty"`
}

// File is an image or a download of a revision.
type File struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	// DownloadURL needs no token and works for at least a day.
	DownloadURL string          `json:"downloadURL" format:"uri"`
	Size        int64           `json:"size"`
	Dimensions  *FileDimensions `json:"dimensions,omitempty"`
	Git         *GitFile        `json:"git,omitempty"`
}

// FileDimensions is the size of an image in pixels.
type FileDimensions struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// ReusableContent is a body that pages include.
type ReusableContent struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Document string   `json:"document,omitempty"`
	Git      *GitFile `json:"git,omitempty"`
}

// Tree turns the pages of a revision into their wire form, without bodies.
func (w Writer) Tree(space id.Space, nodes []*store.TreeNode) []*Page {
	pages := make([]*Page, 0, len(nodes))
	for _, node := range nodes {
		page := w.Page(space, node.Entry, node.Path)
		if node.Entry.Type == entity.PageDocument || node.Entry.Type == entity.PageGroup {
			page.Pages = w.Tree(space, node.Children)
		}
		pages = append(pages, page)
	}
	return pages
}

// Page turns one page into its wire form, without the pages below it and without its body.
func (w Writer) Page(space id.Space, e *entity.Entry, path string) *Page {
	page := &Page{
		ID: e.ID, Title: e.Title, LinkTitle: e.LinkTitle, Emoji: e.Emoji, Icon: e.Icon,
		CreatedAt: MicroTimestamp(e.CreatedAt), UpdatedAt: MicroTimestamp(e.UpdatedAt),
		Type: string(e.Type), Slug: e.Slug, Path: path, Condition: e.Condition, Owner: id.User(e.Owner),
		Git: GitFileOf(e.Git),
	}
	members := reflect.ValueOf(page).Elem()
	for _, flag := range entity.PageFlags() {
		members.FieldByIndex(pageMembers[flag.Name]).SetBool(*flag.At(&e.Flags))
	}
	switch e.Type {
	case entity.PageDocument:
		page.Kind = "sheet"
		page.URLs = &AppURLs{App: w.BaseURL + "/app/spaces/" + string(space) + "/pages/" + e.ID}
		page.Description, page.Variables = e.Description, e.Variables
		page.DocumentID = e.ID
		page.Layout, page.Cover = LayoutOf(e.Layout, e.Cover != nil), CoverOf(e.Cover)
		page.Tags = make([]PageTag, 0, len(e.Tags))
		for _, tag := range e.Tags {
			page.Tags = append(page.Tags, PageTag{Tag: Reference{Kind: "tag", Tag: tag.Tag}, Primary: tag.Primary})
		}
	case entity.PageGroup:
		page.Kind = "group"
	case entity.PageLink:
		page.Kind = "link"
		page.Target = ReferenceOf(e.Target)
		if e.Target != nil {
			page.Href = e.Target.URL
		}
	case entity.PageComputed:
		if e.Computed != nil {
			page.Computed = &Computed{Type: e.Computed.Type, Props: e.Computed.Props,
				Dependencies: e.Computed.Dependencies}
			if page.Computed.Props == nil {
				page.Computed.Props = map[string]any{}
			}
		}
	}
	return page
}

// LayoutOf is a layout with its defaults.
func LayoutOf(layout *entity.Layout, hasCover bool) *PageLayout {
	full := layout.Complete(hasCover)
	wire := &PageLayout{Width: full.Width, CoverSize: full.CoverSize, CoverMask: full.CoverMask}
	members := reflect.ValueOf(wire).Elem()
	for _, part := range entity.LayoutParts() {
		members.FieldByIndex(layoutMembers[part.Name]).SetBool(**part.At(&full))
	}
	return wire
}

// What of these types is a row of a table of package entity, by its name on the wire.
var (
	pageMembers   = MembersOf[Page]()
	layoutMembers = MembersOf[PageLayout]()
)

// MembersOf returns where the fields of a type are, by their names in JSON.
func MembersOf[T any]() map[string][]int {
	members := map[string][]int{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		members[name] = field.Index
	}
	return members
}

// CoverOf turns a cover into its wire form; nil for none.
func CoverOf(cover *entity.Cover) *PageCover {
	if cover == nil {
		return nil
	}
	return &PageCover{Ref: ReferenceOf(cover.Ref), RefDark: ReferenceOf(cover.RefDark), YPos: cover.YPos,
		Height: cover.Height}
}

// ReferenceOf turns what something leads to into its wire form; nil for nothing.
func ReferenceOf(target *doc.Ref) *Reference {
	if target == nil {
		return nil
	}
	reference := Reference(*target)
	return &reference
}

// File gives a file with a download address that works without a token for a day or two; see download.Signer.
func (w Writer) File(space id.Space, e *entity.Entry) File {
	file := File{ID: e.ID, Name: e.Name, ContentType: e.ContentType, Size: e.Size,
		DownloadURL: w.Downloads.URL(string(space),
			e),
		Git: GitFileOf(e.Git)}
	if e.Width > 0 && e.Height > 0 {
		file.Dimensions = &FileDimensions{Width: e.Width, Height: e.Height}
	}
	return file
}

// RevisionAlone is a revision without its content.
func (w Writer) RevisionAlone(view *store.View) *Revision {
	revision := view.Revision()
	wire := &Revision{
		Object: "revision", ID: revision.ID, Type: string(revision.Type), Parents: revision.Parents,
		Pages: []*Page{}, Files: []File{}, ReusableContents: []ReusableContent{}, Tags: []PageTag{},
		CreatedAt: Timestamp(revision.CreatedAt), Git: gitCommitOf(revision.Origin),
		URLs: ContentURLs{
			App: w.BaseURL + "/app/spaces/" + string(revision.Space) + "/revisions/" + string(revision.ID),
		},
	}
	if wire.Parents == nil {
		wire.Parents = []id.Revision{}
	}
	return wire
}

// PageEntry returns a page of a revision by its id.
func PageEntry(ctx context.Context, view *store.View, pageID string) (*entity.Entry, error) {
	entry, err := view.Entry(ctx, pageID)
	if errs.Is(err, errs.NotFound) || (err == nil && entry.Kind != entity.KindPage) {
		return nil, errs.NotFoundf("There is no page %q in this space. List its pages to see their ids.", pageID)
	}
	return entry, err
}
