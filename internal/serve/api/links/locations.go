package links

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// locations turns places of content into their wire form, for one answer: what several of them share is read once.
type locations struct {
	handlers *Handlers
	scope    link.Scope
	context  *VersionContext

	organization *wire.Organization
	spaces       map[id.Space]*readableSpace
	pages        map[string]*wire.Page
	// others are specifications and collections by their destination; nil for those that the caller may not see.
	others map[string]*ContentLocation
}

// readableSpace is a space that the caller may read, with the revision that is meant; nil where they may not.
type readableSpace struct {
	wire *wire.Space
	view *store.View
	// expansion is its computed pages worked out; nil before somebody asks.
	expansion *spec.Expansion
	// version is the wire form of the revision; nil before it is needed.
	version *VersionContext
}

func (h *Handlers) newLocations(scope link.Scope) *locations {
	return &locations{handlers: h, scope: scope, spaces: map[id.Space]*readableSpace{}, pages: map[string]*wire.Page{},
		others: map[string]*ContentLocation{}}
}

// usage is the wire form of a link.
func (l *locations) usage(ctx context.Context, item link.Link) (LinkUsage, error) {
	usage := LinkUsage{
		Status: string(item.Status), Relation: string(item.Relation), Reason: item.Reason, Written: item.Written,
		Places: item.Places,
	}
	keys := item.Keys
	if len(keys) == 0 {
		keys = []string{""}
	}
	for _, key := range keys {
		location, err := l.source(ctx, item.Source, key)
		if err != nil {
			return LinkUsage{}, err
		}
		usage.LocationReferences = append(usage.LocationReferences, location)
	}
	target, err := l.target(ctx, item)
	usage.TargetReference = target
	return usage, err
}

// source is the place of a link: a node of a page, or a reusable content.
func (l *locations) source(ctx context.Context, id, key string) (ContentLocation, error) {
	own, err := l.space(ctx, l.scope.View.Revision().Space)
	if err != nil {
		return ContentLocation{}, err
	}
	if own == nil {
		return ContentLocation{}, errs.NotFoundf("There is no such space any more, or you may not see it.")
	}
	location, err := l.sourceIn(ctx, own, id, key)
	if errs.Is(err, errs.NotFound) && l.context != nil {
		// A change request can break links of pages that only the main content has.
		main, err := l.handlers.Content.Head(ctx, own.wire.ID)
		if err != nil {
			return ContentLocation{}, err
		}
		return l.sourceIn(ctx, &readableSpace{wire: own.wire, view: main}, id, key)
	}
	return location, err
}

// backlink is the place of a link that leads here from some space that the caller may read.
func (l *locations) backlink(ctx context.Context, of link.Backlink) (ContentLocation, error) {
	if of.Space == l.scope.View.Revision().Space {
		return l.source(ctx, of.Source, of.Key)
	}
	in, err := l.space(ctx, of.Space)
	if err != nil {
		return ContentLocation{}, err
	}
	if in == nil {
		return ContentLocation{},
			errs.NotFoundf("A space that leads here has been closed to you this moment. Ask again.")
	}
	if in.view.Revision().ID != of.View.Revision().ID {
		in = &readableSpace{wire: in.wire, view: of.View} // it has changed this moment
	}
	return l.sourceIn(ctx, in, of.Source, of.Key)
}

// sourceIn is source for a revision of any space.
func (l *locations) sourceIn(ctx context.Context, in *readableSpace, id, key string) (ContentLocation, error) {
	e, err := in.view.Entry(ctx, id)
	if errs.Is(err, errs.NotFound) {
		computed, computedErr := l.computedPage(ctx, in, id)
		if computedErr != nil {
			return ContentLocation{}, computedErr
		}
		if computed != nil {
			return l.at(ctx, in, computed, InternalLocation{Type: "node", Node: key})
		}
	}
	if err != nil {
		return ContentLocation{}, err
	}
	location, err := l.entry(ctx, in, e)
	if key != "" && e.Kind == entity.KindPage {
		location.InternalLocation = &InternalLocation{Type: "node", Node: key}
	}
	return location, err
}

// computedPage returns a page that a computed page stands for in its wire form; nil when there is none with the id.
func (l *locations) computedPage(ctx context.Context, in *readableSpace, id string) (*wire.Page, error) {
	if in.expansion == nil {
		state, err := l.handlers.ComputedPages.State(ctx, in.wire.ID)
		if err != nil {
			return nil, err
		}
		in.expansion = &spec.Expansion{}
		if state != "" {
			if in.expansion, err = l.handlers.ComputedPages.Expand(ctx, in.view); err != nil {
				return nil, err
			}
		}
	}
	if _, isComputed := in.expansion.Pages[id]; !isComputed {
		return nil, nil
	}
	node := *in.expansion.Tree.ByID[id]
	node.Children = nil
	return l.handlers.Wire.Expanded(in.wire.ID, &node, in.expansion), nil
}

// at is the location of a page, and of a place in it where one is named.
func (l *locations) at(ctx context.Context, in *readableSpace, page *wire.Page,
	inside InternalLocation) (ContentLocation, error) {
	organization, err := l.ownOrganization(ctx)
	if err != nil {
		return ContentLocation{}, err
	}
	location := ContentLocation{Kind: "page", Organization: organization, Space: in.wire, Page: page}
	location.VersionContext = l.version(in)
	if inside.Node != "" || inside.Anchor != "" {
		location.InternalLocation = &inside
	}
	return location, nil
}

// entry is the location of a page, file or reusable content.
func (l *locations) entry(ctx context.Context, in *readableSpace, e *entity.Entry) (ContentLocation, error) {
	organization, err := l.ownOrganization(ctx)
	if err != nil {
		return ContentLocation{}, err
	}
	location := ContentLocation{Kind: string(e.Kind), Organization: organization, Space: in.wire}
	location.VersionContext = l.version(in)
	switch e.Kind {
	case entity.KindPage:
		location.Page, err = l.page(ctx, in, e)
	case entity.KindFile:
		location.File = new(l.handlers.Wire.File(in.wire.ID, e))
	case entity.KindReusable:
		location.ReusableContent = &wire.ReusableContent{ID: e.ID, Title: e.Title, Document: e.ID,
			Git: wire.GitFileOf(e.Git)}
	default:
		err = fmt.Errorf("locate %s: it is a %s", e.ID, e.Kind)
	}
	return location, err
}

// version says which version of a space a location is of.
func (l *locations) version(in *readableSpace) *VersionContext {
	if in.view == l.scope.View && l.context != nil {
		return l.context
	}
	if in.version == nil {
		revision := l.handlers.Wire.RevisionAlone(in.view)
		if in.wire.Revision == revision.ID {
			revision.URLs.Published, revision.URLs.Public = in.wire.URLs.Published, in.wire.URLs.Public
		}
		in.version = &VersionContext{Type: "revision", Revision: revision}
	}
	return in.version
}

func (l *locations) page(ctx context.Context, in *readableSpace, e *entity.Entry) (*wire.Page, error) {
	key := string(in.wire.ID) + "/" + e.ID
	if page, known := l.pages[key]; known {
		return page, nil
	}
	path, err := in.view.Path(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("find the path of %s: %w", e.ID, err)
	}
	page := l.handlers.Wire.Page(in.wire.ID, e, path)
	if e.Type == entity.PageDocument || e.Type == entity.PageGroup {
		page.Pages = []*wire.Page{}
	}
	l.pages[key] = page
	return page, nil
}

func (l *locations) ownOrganization(ctx context.Context) (*wire.Organization, error) {
	if l.organization == nil {
		membership, err := l.handlers.Organizations.Get(ctx, operation.Caller(ctx), l.scope.Organization)
		if err != nil {
			return nil, err
		}
		l.organization = new(l.handlers.Wire.Organization(membership))
	}
	return l.organization, nil
}

// space returns a space that the caller may read, with its live revision, or the one that is asked about when it is its
// own; nil when they may not read it.
func (l *locations) space(ctx context.Context, id id.Space) (*readableSpace, error) {
	if seen, known := l.spaces[id]; known {
		return seen, nil
	}
	found, err := l.handlers.Spaces.Get(ctx, operation.Caller(ctx), id)
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Forbidden) {
		l.spaces[id] = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	wire, err := l.handlers.SpaceWriter.WriteOne(ctx, found)
	if err != nil {
		return nil, err
	}
	seen := &readableSpace{wire: &wire, view: l.scope.View}
	if id != l.scope.View.Revision().Space {
		if seen.view, err = l.handlers.Content.View(ctx, wire.Revision); err != nil {
			return nil, err
		}
	}
	l.spaces[id] = seen
	return seen, nil
}

// target is where a link leads. What is not there, and what the caller may not see, is its destination as written.
func (l *locations) target(ctx context.Context, item link.Link) (*ContentLocation, error) {
	written := &ContentLocation{Kind: "url", URL: item.Written}
	ref := item.Target
	spaceID := ref.Space
	if spaceID == "" {
		spaceID = string(l.scope.View.Revision().Space)
	}
	entryID := ""
	switch ref.Kind {
	case doc.RefPage, doc.RefAnchor:
		entryID = ref.Page
	case doc.RefFile:
		entryID = ref.File
	case doc.RefReusableContent:
		entryID = ref.ReusableContent
	case doc.RefUser:
		return l.user(ctx, item, written)
	case doc.RefOpenAPI, doc.RefCollection:
		return l.other(ctx, ref, written)
	case doc.RefSpace:
	default:
		return written, nil
	}
	in, err := l.space(ctx, id.Space(spaceID))
	if err != nil || in == nil {
		return written, err
	}
	if ref.Kind == doc.RefSpace {
		if item.Status == link.Broken {
			return written, nil
		}
		organization, err := l.ownOrganization(ctx)
		return &ContentLocation{Kind: "space", Organization: organization, Space: in.wire}, err
	}
	e, err := in.view.Entry(ctx, entryID)
	if errs.Is(err, errs.NotFound) || entryID == "" {
		computed, err := l.computedPage(ctx, in, entryID)
		if err != nil || computed == nil || item.Status == link.Broken && item.Reason != link.NoAnchor {
			return written, err
		}
		location, err := l.at(ctx, in, computed, InternalLocation{Type: "anchor", Anchor: ref.Anchor})
		return &location, err
	}
	if err != nil {
		return nil, err
	}
	if e.Kind != entity.KindPage && e.Kind != entity.KindFile && e.Kind != entity.KindReusable {
		return written, nil
	}
	location, err := l.entry(ctx, in, e)
	if ref.Anchor != "" && e.Kind == entity.KindPage {
		location.InternalLocation = &InternalLocation{Type: "anchor", Anchor: ref.Anchor}
	}
	return &location, err
}

func (l *locations) user(ctx context.Context, item link.Link, written *ContentLocation) (*ContentLocation, error) {
	if item.Status == link.Broken {
		return written, nil
	}
	users, err := l.handlers.UserReader.ByID(ctx, []id.User{id.User(item.Target.User)})
	if err != nil {
		return nil, err
	}
	user, ok := users[id.User(item.Target.User)]
	if !ok {
		return written, nil
	}
	return &ContentLocation{Kind: "user", User: new(l.handlers.Wire.User(user))}, nil
}

// other is the location of a specification or a collection of the organization, written when there is none for the
// caller.
func (l *locations) other(ctx context.Context, ref doc.Ref, written *ContentLocation) (*ContentLocation, error) {
	key := ref.Destination()
	location, known := l.others[key]
	if !known {
		var err error
		if ref.Kind == doc.RefOpenAPI {
			location, err = l.specification(ctx, ref.Spec)
		} else {
			location, err = l.collection(ctx, id.Collection(ref.Collection))
		}
		if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Forbidden) {
			location, err = nil, nil
		}
		if err != nil {
			return nil, err
		}
		l.others[key] = location
	}
	if location == nil {
		return written, nil
	}
	return location, nil
}

func (l *locations) specification(ctx context.Context, name string) (*ContentLocation, error) {
	found, err := l.handlers.Specs.Named(ctx, operation.Caller(ctx), l.scope.Organization, name)
	if err != nil {
		return nil, err
	}
	organization, err := l.ownOrganization(ctx)
	return &ContentLocation{Kind: "openapi", Organization: organization, OpenAPISpec: new(l.handlers.Wire.Spec(found))},
		err
}

func (l *locations) collection(ctx context.Context, id id.Collection) (*ContentLocation, error) {
	found, err := l.handlers.Spaces.Collection(ctx, operation.Caller(ctx), id)
	if err != nil || found.Organization != l.scope.Organization {
		return nil, err
	}
	organization, err := l.ownOrganization(ctx)
	return &ContentLocation{Kind: "collection", Organization: organization,
		Collection: new(l.handlers.Wire.Collection(found))}, err
}
