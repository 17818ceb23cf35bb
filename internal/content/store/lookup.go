package store

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/engine/trie"
)

// At returns the id of the page that lives at a path of slugs joined by "/", "" when there is none: no redirect is
// followed, and a link page has no path. A path of k segments costs k look-ups in the path index.
func (v *View) At(ctx context.Context, path string) (string, error) {
	segments := strings.Split(path, "/")
	if path == "" || len(path) > maxPathLength || len(segments) > maxPathSegments {
		return "", nil
	}
	return v.walkLive(ctx, segments)
}

// HasChildren reports whether a page has pages below it. It reads the path index up to the first of them.
func (v *View) HasChildren(ctx context.Context, parentID string) (bool, error) {
	for item, err := range v.paths().Under(ctx, v.revision.Paths, trie.ParentPrefix(parentID), trie.ParentNibbles) {
		if err != nil {
			return false, err
		}
		rest, mine := strings.CutPrefix(item.Key, parentID+"\x00")
		if mine && !strings.HasSuffix(rest, "\x00") {
			return true, nil
		}
	}
	return false, nil
}

// Across returns an entry as each of several revisions of a space has it, encoded, nil where there is none: whoever
// looks for what changed compares bytes. Nodes that revisions share are read once, those of one level together.
func (s *Service) Across(ctx context.Context, id string, revisions []Revision) ([][]byte, error) {
	roots := make([]trie.Hash, len(revisions))
	for i, r := range revisions {
		roots[i] = r.Root
	}
	return trie.New(nodeSource{s, s.deps.DB.Read()}, trie.ByID).Across(ctx, roots, id)
}
