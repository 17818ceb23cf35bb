// Package pathindex is the format of the path index of a revision: what leads from the address of a page to its id.
//
// The index is a trie with trie.ByParent's placement, derived from the entries of the revision and from nothing else:
//
//	a page:                    parent NUL slug      -> id NUL type NUL position
//	a redirect of one segment: parent NUL slug NUL  -> id of the target page (empty when it is no page) NUL time
//
// Redirects of several segments are found by their entity ids alone. A slug never holds a NUL byte.
package pathindex

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/trie"
)

// Page is what the path index knows of a page.
type Page struct {
	ID       string
	Slug     string
	Type     entity.PageType
	Position string
}

// Compare orders siblings. Positions should differ; when two writers chose the same, the id decides.
func (p Page) Compare(other Page) int {
	if order := strings.Compare(p.Position, other.Position); order != 0 {
		return order
	}
	return strings.Compare(p.ID, other.ID)
}

// Redirect is what the path index knows of a redirect of one segment.
type Redirect struct {
	Slug   string
	Target string // page id, "" when the target is no page
	Since  int64  // when the page left, in microseconds; 0 for a redirect that was made by hand
}

// maxSegment is more than any slug and any path of a redirect of one segment may have, in bytes.
const maxSegment = 1024

// IsSegment reports whether a slug can be in a key: there is no page and no redirect with any other.
func IsSegment(slug string) bool {
	return slug != "" && len(slug) <= maxSegment && !strings.Contains(slug, "\x00")
}

// PageKey is the key of a page, by the id of its parent ("" at the root) and its slug.
func PageKey(parent, slug string) string { return trie.ChildKey(parent, slug) }

// RedirectKey is the key of a redirect of one segment below a page.
func RedirectKey(parent, slug string) string { return trie.ChildKey(parent, slug) + "\x00" }

// Cut takes a key apart that lies under trie.ParentPrefix(parent). ok is false for the key of another parent, which can
// share the prefix.
func Cut(key, parent string) (slug string, redirect, ok bool) {
	rest, ok := strings.CutPrefix(key, parent+"\x00")
	if !ok {
		return "", false, false
	}
	slug, redirect = strings.CutSuffix(rest, "\x00")
	return slug, redirect, true
}

// Of returns what an entry derives in the index; ok is false when that is nothing. A nil entry is one that is not
// there.
func Of(e *entity.Entry) (key string, value []byte, ok bool) {
	switch {
	case e == nil:
		return "", nil, false
	case e.Kind == entity.KindPage:
		return PageKey(e.Parent, e.Slug), []byte(e.ID + "\x00" + string(e.Type) + "\x00" + e.Position), true
	case e.Kind == entity.KindRedirect && !strings.Contains(e.Path, "/"):
		return RedirectKey(e.Parent, e.Path),
			[]byte(TargetPage(e.Target) + "\x00" + strconv.FormatInt(e.CreatedAt, 10)), true
	}
	return "", nil, false
}

// TargetPage is the id of the page of the same space that a target leads to, "" when it leads elsewhere.
func TargetPage(target *doc.Ref) string {
	if target == nil || target.Space != "" {
		return ""
	}
	switch target.Kind {
	case doc.RefPage, doc.RefAnchor:
		return target.Page
	}
	return ""
}

// ParsePage reads the value of a page.
func ParsePage(slug string, value []byte) (Page, error) {
	parts := strings.SplitN(string(value), "\x00", 3)
	if len(parts) != 3 {
		return Page{}, fmt.Errorf("read path index: the value of slug %q is damaged", slug)
	}
	return Page{ID: parts[0], Slug: slug, Type: entity.PageType(parts[1]), Position: parts[2]}, nil
}

// ParseRedirect reads the value of a redirect.
func ParseRedirect(slug string, value []byte) (Redirect, error) {
	target, time, _ := strings.Cut(string(value), "\x00")
	since, err := strconv.ParseInt(time, 10, 64)
	if err != nil {
		return Redirect{}, fmt.Errorf("read path index: the value of the redirect %q is damaged", slug)
	}
	return Redirect{Slug: slug, Target: target, Since: since}, nil
}
