package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/trie"
)

// The path index is a trie with trie.ByParent's placement, derived from the entries:
//
//	a page:                    parent NUL slug      -> id NUL type NUL position
//	a redirect of one segment: parent NUL slug NUL  -> id of the target page (empty when it is no page) NUL time
//
// Redirects of several segments are found by their entity ids alone. A slug never holds a NUL byte.

// child is what the path index knows of a page.
type child struct {
	ID       string
	Slug     string
	Type     entity.PageType
	Position string
}

// before orders siblings. Positions should differ; when two writers chose the same, the id decides.
func (c child) before(other child) int {
	if order := strings.Compare(c.Position, other.Position); order != 0 {
		return order
	}
	return strings.Compare(c.ID, other.ID)
}

// leftover is what the path index knows of a redirect of one segment.
type leftover struct {
	Slug   string
	Target string // page id, "" when the target is no page
	Since  int64  // when it was left, in microseconds; 0 for one that was made by hand
}

// pageKey is the key of a page in the path index.
func pageKey(parent, slug string) string { return trie.ChildKey(parent, slug) }

// redirectKey is the key of a redirect of one segment in the path index.
func redirectKey(parent, slug string) string { return trie.ChildKey(parent, slug) + "\x00" }

// indexed returns what an entry derives in the path index; ok is false when that is nothing. A nil entry is one that
// is not there.
func indexed(e *entity.Entry) (key string, value []byte, ok bool) {
	switch {
	case e == nil:
		return "", nil, false
	case e.Kind == entity.KindPage:
		return pageKey(e.Parent, e.Slug), []byte(e.ID + "\x00" + string(e.Type) + "\x00" + e.Position), true
	case e.Kind == entity.KindRedirect && !strings.Contains(e.Path, "/"):
		return redirectKey(e.Parent, e.Path), []byte(redirectPage(e) + "\x00" + strconv.FormatInt(e.CreatedAt, 10)),
			true
	}
	return "", nil, false
}

// redirectPage is the id of the page that a redirect leads to, "" when it leads elsewhere.
func redirectPage(e *entity.Entry) string {
	if e.Target == nil || e.Target.Space != "" {
		return ""
	}
	switch e.Target.Kind {
	case doc.RefPage, doc.RefAnchor:
		return e.Target.Page
	}
	return ""
}

// parseChild reads the value of a page in the path index.
func parseChild(slug string, value []byte) (child, error) {
	parts := strings.SplitN(string(value), "\x00", 3)
	if len(parts) != 3 {
		return child{}, fmt.Errorf("read path index: the value of slug %q is damaged", slug)
	}
	return child{ID: parts[0], Slug: slug, Type: entity.PageType(parts[1]), Position: parts[2]}, nil
}

// parseLeftover reads the value of a redirect in the path index.
func parseLeftover(slug string, value []byte) (leftover, error) {
	target, time, _ := strings.Cut(string(value), "\x00")
	since, err := strconv.ParseInt(time, 10, 64)
	if err != nil {
		return leftover{}, fmt.Errorf("read path index: the value of the redirect %q is damaged", slug)
	}
	return leftover{Slug: slug, Target: target, Since: since}, nil
}

// lookup finds the page with a slug below a parent in the path index.
func (v *View) lookup(ctx context.Context, parent, slug string) (child, bool, error) {
	if !plainSegment(slug) {
		return child{}, false, nil
	}
	value, ok, err := v.paths().Get(ctx, v.revision.Paths, pageKey(parent, slug))
	if err != nil || !ok {
		return child{}, false, err
	}
	c, err := parseChild(slug, value)
	return c, err == nil, err
}

// leftBehind finds the redirect of one segment below a page, which may be gone.
func (v *View) leftBehind(ctx context.Context, parent, slug string) (leftover, bool, error) {
	if !plainSegment(slug) {
		return leftover{}, false, nil
	}
	value, ok, err := v.paths().Get(ctx, v.revision.Paths, redirectKey(parent, slug))
	if err != nil || !ok {
		return leftover{}, false, err
	}
	left, err := parseLeftover(slug, value)
	return left, err == nil, err
}

// plainSegment reports whether a slug can be a key: there is no page and no redirect with any other.
func plainSegment(slug string) bool {
	return slug != "" && len(slug) <= maxSegment && !strings.Contains(slug, "\x00")
}

// maxSegment is more than any slug and any path of a redirect of one segment may have, in bytes.
const maxSegment = 1024

// list returns the children of a page in their order, and the redirects left below it.
func (v *View) list(ctx context.Context, parent string) ([]child, []leftover, error) {
	var children []child
	var redirects []leftover
	for item, err := range v.paths().Under(ctx, v.revision.Paths, trie.ParentPrefix(parent), trie.ParentNibbles) {
		if err != nil {
			return nil, nil, err
		}
		// Another parent can share the prefix.
		rest, mine := strings.CutPrefix(item.Key, parent+"\x00")
		if !mine {
			continue
		}
		if slug, redirect := strings.CutSuffix(rest, "\x00"); redirect {
			left, err := parseLeftover(slug, item.Value)
			if err != nil {
				return nil, nil, err
			}
			redirects = append(redirects, left)
			continue
		}
		c, err := parseChild(rest, item.Value)
		if err != nil {
			return nil, nil, err
		}
		children = append(children, c)
	}
	slices.SortFunc(children, child.before)
	slices.SortFunc(redirects, func(a, b leftover) int { return strings.Compare(a.Slug, b.Slug) })
	return children, redirects, nil
}

// find returns an entry, nil when the revision has none with that id.
func (v *View) find(ctx context.Context, id string) (*entity.Entry, error) {
	if id == "" || len(id) > trie.MaxKeySize {
		return nil, nil
	}
	value, ok, err := v.entries().Get(ctx, v.revision.Root, id)
	if err != nil || !ok {
		return nil, err
	}
	return entity.Decode(id, value)
}

// Path returns the path of a page: the slugs of its ancestors and its own, joined by "/". It is the page's own path
// also for the landing page, whose canonical path is "" (see Landing). It reads one entry per ancestor.
func (v *View) Path(ctx context.Context, pageID string) (string, error) {
	var slugs []string
	seen := map[string]struct{}{}
	for id := pageID; id != ""; {
		e, err := v.find(ctx, id)
		switch {
		case err != nil:
			return "", err
		case e == nil || e.Kind != entity.KindPage:
			return "", errs.NotFoundf("Revision %s has no page %q.", v.revision.ID, id)
		}
		if _, again := seen[id]; again {
			return "", fmt.Errorf("path of page %s: its parents form a cycle", pageID)
		}
		seen[id] = struct{}{}
		slugs = append(slugs, e.Slug)
		id = e.Parent
	}
	slices.Reverse(slugs)
	return strings.Join(slugs, "/"), nil
}

// Landing returns the landing page: the first document in the order of the tree, hidden or not. It is nil in a
// revision without documents. It reads the path index at the root, and in groups that come first; the answer is kept.
func (v *View) Landing(ctx context.Context) (*entity.Entry, error) {
	id, known := v.service.landings.Get(v.revision.Paths.String())
	if !known {
		var err error
		if id, err = v.firstDocument(ctx, ""); err != nil {
			return nil, err
		}
		v.service.landings.Set(v.revision.Paths.String(), id)
	}
	return v.find(ctx, id)
}

// firstDocument returns the id of the first document below a page, "" when there is none.
func (v *View) firstDocument(ctx context.Context, parent string) (string, error) {
	children, _, err := v.list(ctx, parent)
	if err != nil {
		return "", err
	}
	for _, c := range children {
		switch c.Type {
		case entity.PageDocument:
			return c.ID, nil
		case entity.PageGroup:
			if id, err := v.firstDocument(ctx, c.ID); err != nil || id != "" {
				return id, err
			}
		}
	}
	return "", nil
}
