package spec

import (
	"context"
	"encoding/base64"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Hooks is what the service asks of packages that come after it: what integrations make of computed pages, and that
// others hear of changes.
type Hooks struct {
	// State and StateOfSpace identify what sources beside specifications have made for an organization, or for that of
	// a space: it is the same while this is. "" is nothing.
	State        func(ctx context.Context, organizationID id.Organization) (string, error) `optional:"no other source"`
	StateOfSpace func(ctx context.Context, spaceID id.Space) (string, error)               `optional:"no other source"`
	// Pages returns what some computed pages of a space stand for, by their ids. What stands for nothing is not there.
	// It waits for no source.
	Pages func(ctx context.Context, spaceID id.Space,
		computed []*entity.Entry) (map[string]*MadePages, error) `optional:"no other source"`
	// Changed is called in the transaction that gives a specification a new version or removes it.
	Changed func(ctx context.Context, q db.Querier, organizationID id.Organization,
		slug string) error `optional:"nobody is told"`
}

// SetHooks gives the service what it asks of later packages.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// MadePages is what a source has made of a computed page. It is shared and must not be changed.
type MadePages struct {
	// Version names what was made, At is when that was.
	Version string
	At      time.Time
	// Top is what a computed page with a title is itself; nil means a group.
	Top   *Made
	Pages []*Made
}

// Made is a page that a computed page stands for.
type Made struct {
	// Type is a document, a group or a link.
	Type entity.PageType
	// Seed names the page within what its computed page stands for; it stays when titles change.
	Seed string
	// Title, Slug and the others are those of a page of a space: Slug is unique among siblings.
	Title, Slug, Description, Icon string
	LinkTitle, Emoji               string
	// Flags of the computed page count, too. Layout changes what the computed page says; nil is that.
	Flags  entity.Flags
	Layout *entity.Layout
	Cover  *entity.Cover
	// Described says that the body begins with the description, which is not shown above it once more.
	Described bool
	// Target is where a link leads.
	Target *doc.Ref
	// Props say what the page is made from, as its computed page says it. Source says it in their place.
	Props  map[string]any
	Source *entity.Computed
	// Models are the names of the models of a specification that the page shows.
	Models []string
	// Nodes is the body. It must not be changed. Linked says that it has references that MadeRef has made.
	Nodes  []*doc.Node
	Linked bool
	Pages  []*Made
}

// site is a specification as pages, with their number.
type site struct {
	info  *Made
	pages int
}

// madeOf makes a page of a page of a specification.
func madeOf(page *oas.Page) *Made {
	made := &Made{Type: entity.PageDocument, Seed: page.Seed, Title: page.Title, Slug: page.Slug,
		Description: page.Description, Icon: page.Icon, Models: page.Models, Nodes: page.Nodes, Described: true}
	for _, below := range page.Pages {
		made.Pages = append(made.Pages, madeOf(below))
	}
	made.Props = map[string]any{"doc": string(page.Kind)}
	switch page.Kind {
	case oas.InfoPage:
		made.Props["page"] = "info"
	case oas.OperationsPage, oas.TagPage:
		made.Props["page"] = page.Tag
	case oas.OperationPage:
		made.Props["page"], made.Props["method"] = page.Operation.Path, page.Operation.Method
		if page.Operation.Webhook {
			made.Props["method"] = "hook"
		}
		if page.Operation.Deprecated {
			made.Props["deprecated"] = true
		}
	}
	return made
}

// madePrefix begins what references have in place of the id of a page whose computed page is not known yet.
const madePrefix = "made_"

// MadeRef is a reference to a page that the same computed page stands for, by its seed.
func MadeRef(seed, anchor string) doc.Ref {
	page := madePrefix + base64.RawURLEncoding.EncodeToString([]byte(seed))
	if anchor != "" {
		return doc.Ref{Kind: doc.RefAnchor, Page: page, Anchor: anchor}
	}
	return doc.Ref{Kind: doc.RefPage, Page: page}
}

// IsMadeRef reports whether MadeRef has made a reference.
func IsMadeRef(ref doc.Ref) bool { return ref.Space == "" && strings.HasPrefix(ref.Page, madePrefix) }

// placed returns a reference with the page that MadeRef means, as it stands below a computed page.
func placed(ref doc.Ref, computed string) doc.Ref {
	if !IsMadeRef(ref) {
		return ref
	}
	if seed, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(ref.Page, madePrefix)); err == nil {
		ref.Page = pageID(computed, string(seed))
	}
	return ref
}

// document is the body of the page as it stands below a computed page.
func (m *Made) document(computed string) *doc.Document {
	document := &doc.Document{Nodes: m.Nodes}
	if !m.Linked {
		return document
	}
	document = document.Clone()
	document.MapRefs(func(ref doc.Ref) doc.Ref { return placed(ref, computed) })
	return document
}
