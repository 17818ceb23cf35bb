package changes

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
)

// maxWalked is the most revisions that one call of History looks at.
const maxWalked = 500

// InRevision is what a revision changed of one page.
type InRevision struct {
	Revision store.Revision
	// Changes are in the order of Between, at least one.
	Changes []Change
}

// History returns the revisions of a branch that changed a page itself, the newest first, against their first parents:
// its making, what was edited of it, its moves and its end, and nothing of the pages below it. A call looks at a
// bounded number of revisions, so a page of the list may hold few items, or none, and have another one behind it. Its
// Count is that of its own items. The cost follows the revisions looked at: where the page is the same, a few nodes of
// the trie that many revisions share.
func History(ctx context.Context, content *store.Service, branch id.Branch, pageID string,
	request paging.Request) (found paging.Page[InRevision], err error) {
	walk := paging.Request{After: request.After, Limit: maxWalked}
	walked, err := content.History(ctx, branch, walk)
	if err != nil || len(walked.Items) == 0 {
		return found, err
	}
	parents, err := firstParents(ctx, content, walked.Items)
	if err != nil {
		return found, err
	}
	versions, err := content.Across(ctx, pageID, append(parents, walked.Items...))
	if err != nil {
		return found, fmt.Errorf("read page %s in %d revisions: %w", pageID, len(walked.Items), err)
	}
	before, after := versions[:len(parents)], versions[len(parents):]
	found.Next = walked.Next
	for i, revision := range walked.Items {
		if bytes.Equal(before[i], after[i]) {
			continue
		}
		changes, err := inRevision(ctx, content, revision, pageID)
		if err != nil {
			return found, err
		}
		if len(changes) == 0 {
			continue
		}
		found.Items = append(found.Items, InRevision{Revision: revision, Changes: changes})
		if len(found.Items) == request.Size() && (i < len(walked.Items)-1 || walked.Next != nil) {
			found.Next = []string{strconv.FormatInt(revision.Generation, 10)}
			break
		}
	}
	found.Count = len(found.Items)
	return found, nil
}

// firstParents returns the first parent of each of the revisions of a branch, newest first; one that has none has an
// empty one. That of most is the next in the list.
func firstParents(ctx context.Context, content *store.Service, revisions []store.Revision) ([]store.Revision, error) {
	parents := make([]store.Revision, len(revisions))
	for i, revision := range revisions {
		if len(revision.Parents) == 0 {
			continue
		}
		if i+1 < len(revisions) && revisions[i+1].ID == revision.Parents[0] {
			parents[i] = revisions[i+1]
			continue
		}
		var err error
		if parents[i], err = content.Revision(ctx, revision.Parents[0]); err != nil {
			return nil, fmt.Errorf("read what was before revision %s: %w", revision.ID, err)
		}
	}
	return parents, nil
}

// inRevision returns what a revision changed of a page, against its first parent.
func inRevision(ctx context.Context, content *store.Service, revision store.Revision, pageID string) ([]Change, error) {
	newer, err := content.View(ctx, revision.ID)
	if err != nil {
		return nil, err
	}
	older := newer.Empty()
	if len(revision.Parents) > 0 {
		if older, err = content.View(ctx, revision.Parents[0]); err != nil {
			return nil, err
		}
	}
	return Page(ctx, older, newer, pageID)
}
