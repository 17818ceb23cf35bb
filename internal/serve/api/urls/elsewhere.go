package urls

import (
	"context"
	"net/url"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/redirect"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// elsewhere answers with where an address leads, as the live site does, nil when something is there: where no page is,
// the order is other spellings of the path, redirects that people made, redirects of content, and the places that
// spaces have besides their address.
func (h *Handlers) elsewhere(ctx context.Context, looked lookup, location site.Location,
	asked string) (*operation.Body[PublishedContent], error) {
	inside := func(address string) (*operation.Body[PublishedContent], error) {
		if shows, err := h.shows(ctx, looked, address); err != nil || !shows {
			return nil, err
		}
		return redirectWithin(looked.withShareKey(address)), nil
	}
	view, err := h.Content.Head(ctx, location.Space.Space)
	if err != nil {
		return nil, err
	}
	path := strings.Trim(asked, "/")
	found, err := view.ByPath(ctx, path)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return nil, err
	}
	there := err == nil
	if there && !found.Redirected && found.Target == nil {
		if found.Entry == nil || found.Entry.Type != entity.PageGroup {
			return nil, nil
		}
		first, err := h.firstIn(ctx, view, id.SectionGroup(found.Entry.ID))
		if err != nil || first == "" {
			return nil, err
		}
		return inside(location.Space.URL + first)
	}
	if other, ok, err := h.otherSpelling(ctx, view, path); err != nil || ok {
		if err != nil {
			return nil, err
		}
		return inside(location.Space.URL + other)
	}
	at, unescapeErr := url.PathUnescape(location.Space.Address)
	if unescapeErr != nil {
		return nil, noContent()
	}
	moved, target, redirectErr := h.Sites.RedirectAt(ctx, looked.Located, at+path)
	switch {
	case redirectErr == nil && moved.Destination.Kind == redirect.DestinationExternal:
		return redirectAway(looked.Site, target), nil
	case redirectErr == nil:
		return inside(target)
	case !errs.Is(redirectErr, errs.NotFound):
		return nil, redirectErr
	}
	if there && found.Entry != nil {
		moved, err := h.pathOf(ctx, view, found.Entry.ID)
		if err != nil {
			return nil, err
		}
		return inside(location.Space.URL + moved)
	}
	// Where nothing is found the address still names the space: what is there is for whoever shows the site to say.
	return h.atOtherPlace(ctx, looked, at+path, inside)
}

// otherSpelling finds the page that a path means which is written in another way.
func (h *Handlers) otherSpelling(ctx context.Context, view *store.View,
	path string) (address string, ok bool, err error) {
	for _, other := range []string{norm.NFC.String(path), strings.ToLower(path), strings.TrimSuffix(path, ".html"),
		strings.TrimSuffix(path, "/index.html")} {
		if other == path {
			continue
		}
		found, err := view.ByPath(ctx, other)
		if errs.Is(err, errs.NotFound) || err == nil && (found.Redirected || found.Entry == nil) {
			continue
		}
		if err != nil {
			return "", false, err
		}
		address, err = h.pathOf(ctx, view, found.Entry.ID)
		return address, err == nil, err
	}
	return "", false, nil
}

// atOtherPlace answers with the address of what is at a path that a space has besides its own, or had before the site
// changed.
func (h *Handlers) atOtherPlace(ctx context.Context, looked lookup, full string,
	inside func(string) (*operation.Body[PublishedContent], error)) (*operation.Body[PublishedContent], error) {
	places, err := h.Sites.OtherPlaces(ctx, &looked.Served, full)
	if err != nil {
		return nil, err
	}
	for _, place := range places {
		for _, space := range looked.Spaces {
			if space.ID != place.SiteSpace {
				continue
			}
			rest, ok, err := h.restIn(ctx, space, place.Rest)
			if err != nil {
				return nil, err
			}
			if !ok || space.Address+rest == (&url.URL{Path: full}).EscapedPath() {
				continue
			}
			if to, err := inside(space.URL + rest); to != nil || err != nil {
				return to, err
			}
		}
	}
	return nil, nil
}

// restIn is the percent-encoded path in a space at which there is what a decoded path names; ok is false when nothing
// is.
func (h *Handlers) restIn(ctx context.Context, space site.ServedSpace, path string) (rest string, ok bool, err error) {
	if path == "" {
		return "", true, nil
	}
	view, err := h.Content.Head(ctx, space.Space)
	if err != nil {
		return "", false, err
	}
	found, err := view.ByPath(ctx, path)
	if errs.Is(err, errs.NotFound) || err == nil && found.Entry == nil {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	rest, err = h.pathOf(ctx, view, found.Entry.ID)
	return rest, err == nil, err
}

// place is a space of a site and a decoded path in it.
type place struct {
	space site.ServedSpace
	rest  string
}

// named returns what an address of a site names for somebody who reads content: a page where it is, or the one to which
// the site would lead from there.
func (h *Handlers) named(ctx context.Context, located site.Located, space site.ServedSpace, path string,
	preview bool) (place, error) {
	here := place{space, strings.Trim(path, "/")}
	if preview || space.Head == "" {
		return here, nil
	}
	view, err := h.Content.Head(ctx, space.Space)
	if err != nil {
		return here, err
	}
	if _, err := view.ByPath(ctx, here.rest); !errs.Is(err, errs.NotFound) {
		return here, err
	}
	at, err := url.PathUnescape(space.Address)
	if err != nil {
		return here, noContent()
	}
	others, err := h.Sites.OtherPlaces(ctx, &located.Served, at+here.rest)
	if err != nil {
		return here, err
	}
	for _, other := range others {
		for _, each := range located.Spaces {
			if each.ID != other.SiteSpace {
				continue
			}
			if _, ok, err := h.restIn(ctx, each, other.Rest); err != nil || ok {
				return place{each, other.Rest}, err
			}
		}
	}
	return here, nil
}

// firstIn is the percent-encoded path of the first document in a group that readers see, "" when there is none.
func (h *Handlers) firstIn(ctx context.Context, view *store.View, groupID id.SectionGroup) (string, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return "", err
	}
	var find func(node *store.TreeNode) *store.TreeNode
	find = func(node *store.TreeNode) *store.TreeNode {
		for _, child := range node.Children {
			if child.Entry.Hidden || child.Entry.Condition != "" {
				continue
			}
			if child.Entry.Type == entity.PageDocument {
				return child
			}
			if found := find(child); found != nil {
				return found
			}
		}
		return nil
	}
	group := tree.ByID[string(groupID)]
	if group == nil {
		return "", nil
	}
	first := find(group)
	if first == nil {
		return "", nil
	}
	return h.pathOf(ctx, view, first.Entry.ID)
}

// pathOf is the percent-encoded path of a page of a view.
func (h *Handlers) pathOf(ctx context.Context, view *store.View, pageID string) (string, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return "", err
	}
	node := tree.ByID[pageID]
	if node == nil || node == tree.Landing {
		return "", nil
	}
	return (&url.URL{Path: node.Path}).EscapedPath(), nil
}
