package page

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
)

// locate makes the includes of a body name what they include by its id, and by its space when that is not the page's.
// One that is written as a path to what is not there stays as it is. holder is what the body is of, in the revision
// home.
func (r *Reading) locate(ctx context.Context, body *doc.Document, home *Revision, holder *entity.Entry) error {
	for node := range body.All() {
		data, ok := node.Data.(*doc.ReusableContentData)
		if !ok {
			continue
		}
		ref, path := data.Ref, false
		if ref.Kind == doc.RefURL {
			ref = doc.ParseDestination(ref.URL)
			path = ref.Kind == doc.RefURL
		}
		if path {
			id, err := home.at(ctx, holder, ref.URL)
			if err != nil {
				return err
			}
			if id != "" {
				ref = doc.Ref{Kind: doc.RefReusableContent, ReusableContent: id}
			}
		}
		if ref.Kind == doc.RefReusableContent {
			if ref.Space == "" && home.space() != r.revision.space() {
				ref.Space = string(home.space())
			}
			data.Ref = ref
		}
		if r.reader.Included != nil {
			r.reader.Included(ref.ReusableContent, path)
		}
	}
	return nil
}

// reusable loads what locate has named; nil when there is none that the reader may see and that can be read.
func (r *Reading) reusable(ctx context.Context, ref doc.Ref) (*doc.Document, error) {
	if ref.Kind != doc.RefReusableContent {
		return nil, nil
	}
	from, err := r.in(ctx, id.Space(ref.Space))
	if err != nil || from == nil {
		return nil, err
	}
	content, err := from.view.Entry(ctx, ref.ReusableContent)
	if errs.Is(err, errs.NotFound) || err == nil && content.Kind != entity.KindReusable {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read reusable content %s: %w", ref.ReusableContent, err)
	}
	document, _, err := from.Parse(ctx, content)
	if unreadable(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return document, r.locate(ctx, document, from, content)
}

// in returns the revision of a space, "" for the page's own; nil when the reader does not see it.
func (r *Reading) in(ctx context.Context, space id.Space) (*Revision, error) {
	switch {
	case space == "" || space == r.revision.space():
		return r.revision, nil
	case r.reader.Space == nil:
		return nil, nil
	}
	return r.reader.Space(ctx, space)
}

func (r *Revision) space() id.Space { return r.view.Revision().Space }

// at returns the id of the reusable content at a path as the body of holder has it, "" when none is there.
func (r *Revision) at(ctx context.Context, holder *entity.Entry, written string) (string, error) {
	contents, err := r.byPath(ctx)
	if err != nil || len(contents) == 0 {
		return "", err
	}
	from, err := File(ctx, r.view, holder)
	if err != nil {
		return "", err
	}
	file, _ := pagefile.Join(from, written)
	return contents[file], nil
}

// byPath returns the ids of the reusable contents by their paths. Of several at one path the first by title counts.
func (r *Revision) byPath(ctx context.Context) (map[string]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.includes != nil {
		return r.includes, nil
	}
	contents, err := r.view.ReusableContents(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the reusable contents: %w", err)
	}
	r.includes = make(map[string]string, len(contents))
	for _, content := range contents {
		if file := pagefile.Of(content); r.includes[file] == "" {
			r.includes[file] = content.ID
		}
	}
	return r.includes, nil
}

// File returns the path that the links of a page or reusable content are relative to, as pagefile.OfPage has it.
func File(ctx context.Context, view *store.View, e *entity.Entry) (string, error) {
	if file := pagefile.Of(e); file != "" {
		return file, nil
	}
	address, err := view.Path(ctx, e.ID)
	if err != nil {
		return "", err
	}
	parent, err := view.HasChildren(ctx, e.ID)
	if err != nil {
		return "", err
	}
	return pagefile.OfPage(e, address, parent), nil
}
