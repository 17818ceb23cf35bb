package edit

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// revert sets a page, or blocks of it, back to what an earlier revision has.
func (w *work) revert(ctx context.Context, change Change) (string, error) {
	view, err := w.earlier(ctx, change.Revision)
	if err != nil {
		return "", err
	}
	id := w.names.resolve(change.Page)
	earlier, err := view.Entry(ctx, id)
	if errs.Is(err, errs.NotFound) || err == nil && earlier.Kind != entity.KindPage {
		if _, err := w.page(ctx, "page", change.Page); err != nil {
			return "", err
		}
		return "", errs.NotFoundf("page: revision %s has no page %s; delete the page to go back to that.",
			view.Revision().ID, id)
	}
	if err != nil {
		return "", err
	}
	if len(change.Blocks) > 0 {
		return id, w.revertBlocks(ctx, change, view, earlier)
	}
	return id, w.revertPage(ctx, view, earlier.Clone())
}

// earlier returns the revision to go back to: the one that is named, or what the batch's target was made from.
func (w *work) earlier(ctx context.Context, revisionID id.Revision) (*store.View, error) {
	if revisionID == "" {
		revisionID = id.Revision(w.target.origin)
	}
	if revisionID == "" {
		return nil, errs.Invalidf("revision", "is missing: name the revision to go back to")
	}
	if _, err := w.service.revision(ctx, w.target.space, revisionID); err != nil {
		return nil, prefixed("revision", err)
	}
	return w.service.deps.Content.View(ctx, revisionID)
}

// revertPage puts a page of an earlier revision back. One that has been deleted since comes with the pages that were
// below it and are gone, too; those that are somewhere else now stay there.
func (w *work) revertPage(ctx context.Context, view *store.View, earlier *entity.Entry) error {
	present, err := w.find(ctx, earlier.ID)
	if err != nil {
		return err
	}
	if earlier.Parent != "" {
		parent, err := w.find(ctx, earlier.Parent)
		if err != nil {
			return err
		}
		switch {
		case parent != nil:
		case present == nil:
			return errs.Conflictf("page: the page that it was below, %s, is gone; set that back first.", earlier.Parent)
		default:
			earlier.Parent, earlier.Position = present.Parent, present.Position
		}
		below, err := w.isBelow(ctx, earlier.Parent, earlier.ID)
		if err != nil {
			return err
		}
		if below {
			return errs.Conflictf("page: the page that it was below, %s, is below it now; move that first.",
				earlier.Parent)
		}
	}
	delete(w.bodies, earlier.ID) // the entry names its body, which the store has
	w.set(earlier)
	if present != nil {
		return nil
	}
	return w.revertBelow(ctx, view, earlier.ID)
}

// revertBelow brings the deleted pages below a page of an earlier revision back.
func (w *work) revertBelow(ctx context.Context, view *store.View, id string) error {
	pending := []string{id}
	for len(pending) > 0 {
		last := len(pending) - 1
		id, pending = pending[last], pending[:last]
		below, err := view.Places(ctx, id)
		if err != nil {
			return err
		}
		for _, child := range below {
			present, err := w.find(ctx, child.ID)
			if err != nil {
				return err
			}
			if present != nil {
				continue
			}
			earlier, err := view.Entry(ctx, child.ID)
			if err != nil {
				return err
			}
			w.set(earlier.Clone())
			pending = append(pending, child.ID)
		}
	}
	return nil
}

// revertBlocks sets back the parts of a body in which the given blocks are.
func (w *work) revertBlocks(ctx context.Context, change Change, view *store.View, earlier *entity.Entry) error {
	e, err := w.page(ctx, "page", change.Page)
	if err != nil {
		return err
	}
	if e.Type != entity.PageDocument || earlier.Type != entity.PageDocument {
		return errs.Invalidf("block", "only documents have blocks")
	}
	present, err := w.body(ctx, e)
	if err != nil {
		return err
	}
	past, err := view.Body(ctx, earlier)
	if err != nil {
		return err
	}
	reverted, err := revertBody(present, past, change.Blocks)
	if err != nil {
		return err
	}
	w.bodies[e.ID] = append([]byte{}, reverted...)
	w.set(e)
	return nil
}

// revertBody returns a body in which every run of blocks that differs from an earlier one, and has one of the named
// blocks in it, is as it was.
func revertBody(present, past []byte, blocks []string) ([]byte, error) {
	now, err := markdown.Parse(present)
	if err != nil {
		return nil, err
	}
	then, err := markdown.Parse(past)
	if err != nil {
		return nil, err
	}
	named := make(map[int]bool, len(blocks))
	for _, block := range blocks {
		at := slices.IndexFunc(now.Nodes, func(n *doc.Node) bool { return holds(n, block) })
		if at < 0 {
			return nil, errs.Invalidf("block", "%.80q is not the key of a block of the page as it is now", block)
		}
		named[at] = true
	}
	result := &doc.Document{}
	at := 0
	for _, h := range differing(sources(present, now), sources(past, then)) {
		result.Nodes = append(result.Nodes, now.Nodes[at:h.start]...)
		back := false
		for i := h.start; i < h.end; i++ {
			back = back || named[i]
		}
		if back {
			result.Nodes = append(result.Nodes, then.Nodes[h.pastStart:h.pastEnd]...)
		} else {
			result.Nodes = append(result.Nodes, now.Nodes[h.start:h.end]...)
		}
		at = h.end
	}
	result.Nodes = append(result.Nodes, now.Nodes[at:]...)
	return markdown.Rewrite(present, result), nil
}

// holds reports whether a block or something in it has a key or an anchor.
func holds(block *doc.Node, key string) bool {
	found := false
	block.Walk(func(n *doc.Node) bool {
		found = found || n.Key == key || n.ID == key
		return !found
	})
	return found
}

// sources returns the text of every top-level block.
func sources(body []byte, document *doc.Document) []string {
	texts := make([]string, len(document.Nodes))
	for i, n := range document.Nodes {
		texts[i] = string(body[n.Source.Start:n.Source.End])
	}
	return texts
}

// hunk is a run of blocks that differs: start to end now, pastStart to pastEnd then.
type hunk struct{ start, end, pastStart, pastEnd int }

// maxCells bounds the table that a comparison of blocks fills; beyond it everything between the first and the last
// difference is one hunk.
const maxCells = 4 << 20

// differing returns where two lists differ, by a longest common subsequence.
func differing(now, then []string) []hunk {
	prefix := 0
	for prefix < len(now) && prefix < len(then) && now[prefix] == then[prefix] {
		prefix++
	}
	suffix := 0
	for suffix < len(now)-prefix && suffix < len(then)-prefix && now[len(now)-1-suffix] == then[len(then)-1-suffix] {
		suffix++
	}
	a, b := now[prefix:len(now)-suffix], then[prefix:len(then)-suffix]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	if (len(a)+1)*(len(b)+1) > maxCells {
		return []hunk{{prefix, prefix + len(a), prefix, prefix + len(b)}}
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var hunks []hunk
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		start, pastStart := i, j
		for (i < len(a) || j < len(b)) && !(i < len(a) && j < len(b) && a[i] == b[j]) {
			if j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1] {
				i++
			} else {
				j++
			}
		}
		if i > start || j > pastStart {
			hunks = append(hunks, hunk{prefix + start, prefix + i, prefix + pastStart, prefix + j})
		}
		for i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
		}
	}
	return hunks
}
