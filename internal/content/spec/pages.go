package spec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/platform/db"
)

// ComputedType is the type of a computed page that stands for an OpenAPI specification.
const ComputedType = "builtin:openapi"

// Computed is a page that was made from a specification or another source.
type Computed struct {
	// Source says what the page is computed from, in the form of the contract's documents.
	Source entity.Computed
	// Seed names the page within what its computed page stands for.
	Seed string
	// Version is the id of the version of the specification that the page was made from, or names what another source
	// has made.
	Version string
	// Document is the body, without nodes for a group or a link. It is shared and must not be changed.
	Document *doc.Document
}

// Expansion is the pages of a space with its computed pages worked out.
type Expansion struct {
	// Tree is the tree of all pages. A computed page whose specification has a version is a document in it, with the
	// pages that it stands for below it; one without a title is left out, and its pages stand in its place. Others are
	// as they were.
	Tree *store.Tree
	// Places holds what stands in the place of each computed page that was worked out, by its id.
	Places map[string][]*store.TreeNode
	// Pages holds those that were made, by id.
	Pages map[string]Computed
	// Downloads names, by slug, the computed pages whose readers may download the description as it was written.
	Downloads map[string][]string
	// Models names the pages with the models of specifications: by slug, then by the model's name.
	Models map[string]map[string]string
}

// State identifies the specifications that an organization has and their latest versions, and what other sources have
// made for it: whatever is made from them stays good as long as it is the same. It is "" for an organization without
// any.
func (s *Service) State(ctx context.Context, organizationID id.Organization) (string, error) {
	own, err := s.state(ctx, `SELECT count(*), COALESCE(MAX(changed_at), 0) FROM openapi_spec
		WHERE organization_id = $1`, string(organizationID))
	if others := s.hooks.Get().State; err == nil && others != nil {
		return plus(own)(others(ctx, organizationID))
	}
	return own, err
}

// StateOfSpace is State for the organization of a space.
func (s *Service) StateOfSpace(ctx context.Context, spaceID id.Space) (string, error) {
	own, err := s.state(ctx, `SELECT count(*), COALESCE(MAX(changed_at), 0) FROM openapi_spec
		WHERE organization_id = (SELECT p.organization_id FROM space p WHERE p.id = $1)`, string(spaceID))
	if others := s.hooks.Get().StateOfSpace; err == nil && others != nil {
		return plus(own)(others(ctx, spaceID))
	}
	return own, err
}

// plus returns what adds the state of other sources to that of the specifications.
func plus(own string) func(others string, err error) (string, error) {
	return func(others string, err error) (string, error) {
		if others == "" || err != nil {
			return own, err
		}
		return own + "+" + others, nil
	}
}

func (s *Service) state(ctx context.Context, query, of string) (string, error) {
	var count, changed int64
	if err := s.deps.DB.Read().QueryRowContext(ctx, query, of).Scan(&count, &changed); err != nil {
		return "", fmt.Errorf("read state of specifications: %w", err)
	}
	if count == 0 {
		return "", nil
	}
	return fmt.Sprintf("%d-%d", count, changed), nil
}

func (s *Service) organizationOf(ctx context.Context, spaceID id.Space) (id.Organization, error) {
	var organizationID id.Organization
	err := s.deps.DB.Read().QueryRowContext(ctx, `SELECT organization_id FROM space WHERE id = $1`,
		spaceID).Scan(&organizationID)
	if errors.Is(err, db.ErrNoRows) {
		return "", errs.NotFoundf("There is no such space.")
	}
	if err != nil {
		return "", fmt.Errorf("read organization of space: %w", err)
	}
	return organizationID, nil
}

// Document returns the latest version of a specification of an organization, by slug or id; nil when there is none. It
// asks for no rights: what a space or site shows of a specification is for its readers.
func (s *Service) Document(ctx context.Context, organizationID id.Organization, name string) (*oas.Document, error) {
	_, document, err := s.latest(ctx, organizationID, name)
	return document, err
}

// Download returns the latest version of a specification and its document as it was written. It asks for no rights: it
// is for those whom Expansion.Downloads lets. errs.NotFound says that there is none.
func (s *Service) Download(ctx context.Context, organizationID id.Organization, slug string) (Version, []byte, error) {
	current, err := bySlug(ctx, s.deps.DB.Read(), organizationID, slug)
	if err != nil {
		return Version{}, nil, err
	}
	v, err := version(ctx, s.deps.DB.Read(), current, current.LastVersion)
	if err != nil {
		return Version{}, nil, err
	}
	raw, err := s.Raw(ctx, v)
	return v, raw, err
}

// Exists reports whether an organization has a specification, by slug or id. It asks for no rights.
func (s *Service) Exists(ctx context.Context, organizationID id.Organization, name string) (bool, error) {
	var found int
	err := s.deps.DB.Read().QueryRowContext(ctx,
		`SELECT count(*) FROM openapi_spec WHERE organization_id = $1 AND (slug = $2 OR id = $2) AND used_at IS NULL`,
		organizationID, name).Scan(&found)
	if err != nil {
		return false, fmt.Errorf("look for specification: %w", err)
	}
	return found > 0, nil
}

// latest returns the latest version of a specification and its document; nil when there is none.
func (s *Service) latest(ctx context.Context, organizationID id.Organization,
	name string) (Version, *oas.Document, error) {
	q := s.deps.DB.Read()
	var current Spec
	var err error
	if id.Valid("spec", name) {
		current, err = byID(ctx, q, name)
	} else {
		current, err = bySlug(ctx, q, organizationID, name)
	}
	if errs.Is(err, errs.NotFound) || err == nil && (current.Organization != organizationID ||
		current.LastVersion == "") {
		return Version{}, nil, nil
	}
	if err != nil {
		return Version{}, nil, err
	}
	v, err := version(ctx, q, current, current.LastVersion)
	if errs.Is(err, errs.NotFound) {
		return Version{}, nil, nil // deleted meanwhile
	}
	if err != nil {
		return Version{}, nil, err
	}
	document, err := s.documents.Load(ctx, v.ID, func(ctx context.Context) (*oas.Document, error) {
		bundle, err := s.Bundle(ctx, v)
		if err != nil {
			return nil, err
		}
		return oas.Open(bundle, v.address)
	})
	if err != nil {
		return Version{}, nil, fmt.Errorf("open specification: %w", err)
	}
	return v, document, nil
}

// Excerpt returns the bundle of what is shown of the latest version of a specification of an organization; nil when
// there is no such specification, or nothing of it is shown. shown is by the names that pages give specifications:
// slugs or ids. It asks for no rights.
func (s *Service) Excerpt(ctx context.Context, organizationID id.Organization, name string,
	shown map[string]*oas.Shown) ([]byte, error) {
	v, document, err := s.latest(ctx, organizationID, name)
	if err != nil || document == nil {
		return nil, err
	}
	var of oas.Shown
	of.Merge(shown[v.Slug])
	of.Merge(shown[v.Spec])
	sum := sha256.Sum256([]byte(of.String()))
	return s.excerpts.Load(ctx, v.ID+"/"+hex.EncodeToString(sum[:]), func(context.Context) ([]byte, error) {
		return document.Excerpt(&of)
	})
}

// Expand works out the computed pages of a space that stand for specifications of its organization, or for what other
// sources make. The given tree is not changed; without such pages it is the one of the expansion.
func (s *Service) Expand(ctx context.Context, spaceID id.Space, tree *store.Tree) (*Expansion, error) {
	if !slices.ContainsFunc(tree.Ordered, func(node *store.TreeNode) bool { return IsComputed(node.Entry) }) {
		return &Expansion{Tree: tree}, nil
	}
	organizationID, err := s.organizationOf(ctx, spaceID)
	if err != nil {
		return nil, err
	}
	e := &expander{service: s, organization: organizationID, sites: map[string]*expanded{}}
	if err := e.lookAt(ctx, spaceID, tree); err != nil {
		return nil, err
	}
	if len(e.sites) == 0 {
		return &Expansion{Tree: tree}, nil
	}
	e.result = &Expansion{Tree: &store.Tree{ByID: make(map[string]*store.TreeNode, len(tree.Ordered))},
		Places: map[string][]*store.TreeNode{}, Pages: map[string]Computed{}, Downloads: map[string][]string{},
		Models: map[string]map[string]string{}}
	e.result.Tree.Roots = e.copy(tree.Roots, nil)
	for _, node := range tree.Ordered {
		if made := e.sites[node.Entry.ID]; made != nil && made.download {
			e.result.Downloads[made.slug] = append(e.result.Downloads[made.slug], node.Entry.ID)
		}
	}
	return e.result, nil
}

// expanded is what a computed page stands for: a page with those below it, or without one just these.
type expanded struct {
	top   *Made
	pages []*Made
	// version names what they were made from, at is when that was, in microseconds.
	version string
	at      int64
	// download offers the specification with a slug.
	download bool
	slug     string
}

type expander struct {
	service      *Service
	organization id.Organization
	sites        map[string]*expanded // by the id of the computed page
	result       *Expansion
}

// IsComputed reports whether a page stands for pages that are made when it is read: for a specification, or for what an
// integration makes.
func IsComputed(entry *entity.Entry) bool {
	return entry.Type == entity.PageComputed && entry.Computed != nil && IsSource(entry.Computed.Type)
}

// IsSource reports whether pages can be computed from a type of source.
func IsSource(name string) bool {
	return name == ComputedType || strings.HasPrefix(name, entity.IntegrationSource)
}

// lookAt finds out what the computed pages of a tree stand for.
func (e *expander) lookAt(ctx context.Context, spaceID id.Space, tree *store.Tree) error {
	var others []*entity.Entry
	for _, node := range tree.Ordered {
		switch {
		case !IsComputed(node.Entry):
		case node.Entry.Computed.Type != ComputedType:
			others = append(others, node.Entry)
		default:
			if err := e.look(ctx, node.Entry); err != nil {
				return err
			}
		}
	}
	make := e.service.hooks.Get().Pages
	if len(others) == 0 || make == nil {
		return nil
	}
	made, err := make(ctx, spaceID, others)
	if err != nil {
		return err
	}
	for _, entry := range others {
		if of := made[entry.ID]; of != nil {
			top := of.Top
			if top == nil {
				top = &Made{Type: entity.PageGroup}
			}
			e.sites[entry.ID] = &expanded{top: top, pages: of.Pages, version: of.Version, at: of.At.UnixMicro()}
		}
	}
	return nil
}

// look finds out what an entry stands for.
func (e *expander) look(ctx context.Context, entry *entity.Entry) error {
	v, document, err := e.service.latest(ctx, e.organization, entry.Computed.Spec())
	if err != nil || document == nil {
		return err
	}
	models, _ := entry.Computed.Props["models"].(bool)
	grouping, _ := entry.Computed.Props["grouping"].(string)
	download, _ := entry.Computed.Props["downloadLink"].(bool)
	layout := oas.Layout{Spec: v.Slug, Models: models, ByOperation: grouping == "by-operation", DownloadLink: download}
	key := fmt.Sprintf("%s/%+v", v.ID, layout)
	site, err := e.service.sites.Load(ctx, key, func(context.Context) (*site, error) {
		laid := document.Pages(layout)
		return &site{madeOf(laid.Info), laid.Len()}, nil
	})
	if err != nil {
		return err
	}
	e.sites[entry.ID] = &expanded{top: site.info, pages: site.info.Pages, version: v.ID, at: v.CreatedAt.UnixMicro(),
		download: download, slug: v.Slug}
	return nil
}

// add appends a node to the tree.
func (e *expander) add(entry *entity.Entry, parent *store.TreeNode) *store.TreeNode {
	node := &store.TreeNode{Entry: entry, Parent: parent, Path: entry.Slug}
	if parent != nil {
		node.Path = parent.Path + "/" + entry.Slug
	}
	tree := e.result.Tree
	tree.ByID[entry.ID] = node
	tree.Ordered = append(tree.Ordered, node)
	if tree.Landing == nil && entry.Type == entity.PageDocument {
		tree.Landing = node
	}
	return node
}

// copy copies nodes, with computed ones worked out.
func (e *expander) copy(nodes []*store.TreeNode, parent *store.TreeNode) []*store.TreeNode {
	copied := make([]*store.TreeNode, 0, len(nodes))
	for _, node := range nodes {
		made, known := e.sites[node.Entry.ID]
		if !known {
			same := e.add(node.Entry, parent)
			same.Children = e.copy(node.Children, same)
			copied = append(copied, same)
			continue
		}
		if node.Entry.Title == "" {
			copied = append(copied, e.splice(node, nodes, parent, made)...)
			continue
		}
		entry := *node.Entry
		entry.Type, entry.Computed = made.top.Type, nil
		entry.Layout = plainLayout(entry.Layout)
		root := e.add(&entry, parent)
		e.note(node.Entry, &entry, made.top, made)
		root.Children = e.pages(node.Entry, made.pages, root, made, nil)
		e.result.Places[node.Entry.ID] = []*store.TreeNode{root}
		taken := map[string]bool{}
		for _, child := range root.Children {
			taken[child.Entry.Slug] = true
		}
		// Pages that somebody has put below the computed page stay, unless a page from the specification has their
		// place.
		own := slices.DeleteFunc(slices.Clone(node.Children), func(child *store.TreeNode) bool {
			return taken[child.Entry.Slug]
		})
		root.Children = append(root.Children, e.copy(own, root)...)
		copied = append(copied, root)
	}
	return copied
}

// splice puts the pages that a computed page stands for among its siblings.
func (e *expander) splice(node *store.TreeNode, siblings []*store.TreeNode, parent *store.TreeNode,
	made *expanded) []*store.TreeNode {
	taken := map[string]bool{}
	for _, sibling := range siblings {
		if sibling != node {
			taken[sibling.Entry.Slug] = true
		}
	}
	for _, earlier := range e.result.Places {
		for _, other := range earlier {
			if other.Parent == parent {
				taken[other.Entry.Slug] = true
			}
		}
	}
	places := e.pages(node.Entry, made.pages, parent, made, taken)
	e.result.Places[node.Entry.ID] = places
	return append(places, e.copy(node.Children, parent)...)
}

// pages makes the pages below a page. Slugs that are taken get a number.
func (e *expander) pages(computed *entity.Entry, pages []*Made, parent *store.TreeNode, of *expanded,
	taken map[string]bool) []*store.TreeNode {
	above := ""
	if parent != nil {
		above = parent.Entry.ID
	}
	nodes := make([]*store.TreeNode, 0, len(pages))
	for _, page := range pages {
		slug := page.Slug
		if taken[slug] {
			slug = entity.UniqueSlug(slug, func(s string) bool {
				return taken[s] || slices.ContainsFunc(pages, func(other *Made) bool { return other.Slug == s })
			})
		}
		entry := &entity.Entry{
			ID: pageID(computed.ID, page.Seed), Kind: entity.KindPage, Type: page.Type, Parent: above, Slug: slug,
			Title: page.Title, LinkTitle: page.LinkTitle, Description: page.Description, Emoji: page.Emoji,
			Icon: page.Icon, Cover: page.Cover, Flags: computed.Flags.Or(page.Flags), Condition: computed.Condition,
			CreatedAt: computed.CreatedAt, UpdatedAt: of.at,
		}
		if page.Target != nil {
			target := placed(*page.Target, computed.ID)
			entry.Target = &target
		}
		switch {
		case page.Type != entity.PageDocument:
		case page.Described:
			entry.Layout = plainLayout(computed.Layout)
		case page.Layout != nil:
			entry.Layout = computed.Layout.Merge(*page.Layout, page.Cover != nil)
		default:
			entry.Layout = computed.Layout
		}
		node := e.add(entry, parent)
		e.note(computed, entry, page, of)
		node.Children = e.pages(computed, page.Pages, node, of, nil)
		nodes = append(nodes, node)
	}
	return nodes
}

// plainLayout is the layout of a page whose body begins with its description: it is not shown above it once more.
func plainLayout(layout *entity.Layout) *entity.Layout {
	plain := entity.Layout{}
	if layout != nil {
		plain = *layout
	}
	plain.Description = new(false)
	return &plain
}

// pageID makes the id of a page from that of its computed page and its seed, so that it stays when titles change.
func pageID(computed, seed string) string {
	sum := sha256.Sum256([]byte(computed + "\x00" + seed))
	return "page_" + hex.EncodeToString(sum[:16])
}

// note remembers what a page was made from.
func (e *expander) note(computed, entry *entity.Entry, page *Made, of *expanded) {
	source := entity.Computed{Type: computed.Computed.Type, Props: page.Props,
		Dependencies: computed.Computed.Dependencies}
	if page.Source != nil {
		source = *page.Source
	} else if page.Props == nil {
		source.Props = computed.Computed.Props
	}
	if source.Props == nil {
		source.Props = map[string]any{}
	}
	for _, model := range page.Models {
		if e.result.Models[of.slug] == nil {
			e.result.Models[of.slug] = map[string]string{}
		}
		e.result.Models[of.slug][model] = entry.ID
	}
	e.result.Pages[entry.ID] = Computed{Source: source, Seed: page.Seed, Version: of.version,
		Document: page.document(computed.ID)}
}

// Lookup returns a specification of an organization by its slug or id, and whether there is one. It asks for no rights.
func (s *Service) Lookup(ctx context.Context, organizationID id.Organization, name string) (Spec, bool, error) {
	var found Spec
	var err error
	if id.Valid("spec", name) {
		found, err = byID(ctx, s.deps.DB.Read(), name)
	} else {
		found, err = bySlug(ctx, s.deps.DB.Read(), organizationID, name)
	}
	if errs.Is(err, errs.NotFound) {
		return Spec{}, false, nil
	}
	return found, err == nil && found.Organization == organizationID, err
}
