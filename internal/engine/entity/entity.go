// Package entity owns what a space's content is made of: pages, files, reusable contents, variables and redirects,
// each one entry under an id, and the canonical bytes of an entry.
//
// An entry's encoding is canonical: equal entries have equal bytes, so equal content has equal hashes (see package
// trie). The package is pure and knows nothing of storage, merging or Markdown.
package entity

import (
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/git"
)

// Kind says what an entry is.
type Kind string

// Kinds of entries.
const (
	KindPage      Kind = "page"
	KindFile      Kind = "file"
	KindReusable  Kind = "reusable-content"
	KindVariables Kind = "variables" // one per space, under VariablesID
	KindRedirect  Kind = "redirect"
)

// PageType says what a page entry is.
type PageType string

// Types of pages.
const (
	PageDocument PageType = "document"
	PageGroup    PageType = "group"
	PageLink     PageType = "link"
	PageComputed PageType = "computed"
)

// VariablesID is the id of the one variables entry of a space.
const VariablesID = "variables"

// Entry is one entity of a space. Which fields may be set depends on Kind; Validate says so.
type Entry struct {
	ID   string `json:"-"`
	Kind Kind   `json:"kind"`

	// Pages. Parent is the id of the parent page, "" at the root. Position orders siblings as a string
	// (fractional index). Slug is unique among siblings that have one; link and computed pages have one too,
	// though a link never answers at it.
	Type        PageType `json:"type,omitempty"`
	Parent      string   `json:"parent,omitempty"`
	Position    string   `json:"position,omitempty"`
	Slug        string   `json:"slug,omitempty"`
	Title       string   `json:"title,omitempty"` // reusable contents have one too
	LinkTitle   string   `json:"linkTitle,omitempty"`
	Emoji       string   `json:"emoji,omitempty"`
	Icon        string   `json:"icon,omitempty"`
	Description string   `json:"description,omitempty"`
	Layout      *Layout  `json:"layout,omitempty"`
	Cover       *Cover   `json:"cover,omitempty"`
	Tags        []Tag    `json:"tags,omitempty"`
	Condition   string   `json:"condition,omitempty"`
	Owner       string   `json:"owner,omitempty"` // the id of the user who is asked about the page
	Flags
	Target   *doc.Ref       `json:"target,omitempty"`   // link pages, redirects
	Computed *Computed      `json:"computed,omitempty"` // computed pages
	Extra    map[string]any `json:"extra,omitempty"`    // front matter keys that the dialect does not know

	// Variables of a page, or of the space in the variables entry. Values are string, float64 or bool.
	Variables map[string]any `json:"variables,omitempty"`

	// FrontMatter is the front matter of the file that a page or reusable content was imported from, with the lines
	// around it, where an export would spell the fields otherwise. It decides about spelling alone: what is true is in
	// the fields.
	FrontMatter string `json:"frontMatter,omitempty"`

	// Body is the hex SHA-256 of the Markdown body of a document page or reusable content; "" is an empty body.
	Body string `json:"body,omitempty"`

	// Files. Blob is the hex SHA-256 of the bytes. Path is where a Markdown export puts the file, relative to the
	// content root ("" means the default asset folder and Name).
	Name        string `json:"name,omitempty"`
	Path        string `json:"path,omitempty"` // also: a redirect's source path or the file a page was imported from
	ContentType string `json:"contentType,omitempty"`
	Size        int64  `json:"size,omitempty"`
	Width       int    `json:"width,omitempty"`
	Height      int    `json:"height,omitempty"`
	Blob        string `json:"blob,omitempty"`

	// Git is the file of a Git repository that a page, file or reusable content was imported from, nil for none. It
	// stays with the entry whatever is edited; a merge never conflicts about it, and it counts as no change of what
	// people wrote.
	Git *git.File `json:"git,omitempty"`

	// Microseconds since 1970 UTC. A merge takes the earlier creation and the later update.
	CreatedAt int64 `json:"createdAt,omitempty"`
	UpdatedAt int64 `json:"updatedAt,omitempty"`
}

// Cover is a page's cover image. Height is in pixels, 0 for the default; YPos is the vertical focus.
type Cover struct {
	Ref     *doc.Ref `json:"ref,omitempty"`
	RefDark *doc.Ref `json:"refDark,omitempty"`
	YPos    float64  `json:"yPos,omitempty"`
	Height  float64  `json:"height,omitempty"`
}

// Tag marks a page.
type Tag struct {
	Tag     string `json:"tag"`
	Primary bool   `json:"primary,omitempty"`
}

// Computed says what a computed page is computed from. Props and Dependencies are JSON objects.
type Computed struct {
	Type         string         `json:"type"`
	Props        map[string]any `json:"props,omitempty"`
	Dependencies map[string]any `json:"dependencies,omitempty"`
}

// IntegrationSource is what the type of a source begins with that is an integration's: "integration:name:source".
const IntegrationSource = "integration:"

// Spec returns the API specification that the page is made from, by slug or id; "" when it is made from none, or c is
// nil.
func (c *Computed) Spec() string {
	if c == nil {
		return ""
	}
	dependency, _ := c.Dependencies["spec"].(map[string]any)
	ref, _ := dependency["ref"].(map[string]any)
	if ref["kind"] != "openapi" {
		return ""
	}
	name, _ := ref["spec"].(string)
	return name
}
