package contents

import (
	"context"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// UndescribedPictures is a part of the list of pictures without an alternative text. It has no count: that would cost a
// look at every text of the space.
type UndescribedPictures struct {
	Items []UndescribedPicture `json:"items"`
	Next  *wire.Next           `json:"next,omitempty" doc:"Absent at the end. An answer may have few items, or none, and go on all the same, because it looks at a limited number of texts."`
}

// UndescribedPicture is a picture that stands in a page or reusable content without an alternative text, once or more.
type UndescribedPicture struct {
	Object          string          `json:"object" enum:"undescribed-picture"`
	Page            *TextPlace      `json:"page,omitempty"`
	ReusableContent *TextPlace      `json:"reusableContent,omitempty"`
	Ref             *wire.Reference `json:"ref" doc:"The file, or the address of the picture."`
	Count           int             `json:"count" doc:"How often it stands there without one."`
}

// TextPlace is a page or reusable content, with its title.
type TextPlace struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type listPicturesInput struct {
	wire.PageParams
	Space id.Space `path:"spaceId"`
}

// listPictures lists the pictures without an alternative text of the main content.
func (h *Handlers) listPictures(ctx context.Context,
	in *listPicturesInput) (*operation.Body[UndescribedPictures], error) {
	allowed, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), in.Space, access.ViewSpace)
	if err != nil {
		return nil, err
	}
	return h.pictures(ctx, allowed.Head, "pictures/"+string(in.Space), in.PageParams)
}

type listChangeRequestPicturesInput struct {
	wire.PageParams
	wire.ChangeRequestPath
}

// listChangeRequestPictures lists the pictures without an alternative text of a change request.
func (h *Handlers) listChangeRequestPictures(ctx context.Context,
	in *listChangeRequestPicturesInput) (*operation.Body[UndescribedPictures], error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	return h.pictures(ctx, found.Head, "pictures/"+string(found.ID), in.PageParams)
}

// maxTexts is how many texts one answer looks at.
const maxTexts = 300

// pictures lists the pictures without an alternative text of a revision: pages in their order, then reusable contents.
func (h *Handlers) pictures(ctx context.Context, revision id.Revision, name string,
	params wire.PageParams) (*operation.Body[UndescribedPictures], error) {
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	view, err := h.Content.View(ctx, revision)
	if err != nil {
		return nil, err
	}
	texts, err := textsOf(ctx, view)
	if err != nil {
		return nil, err
	}
	if len(request.After) > 0 {
		last, err := request.OneKey()
		if err != nil {
			return nil, err
		}
		// A text that is gone since leaves no place to go on from.
		at := slices.IndexFunc(texts, func(e *entity.Entry) bool { return e.ID == last })
		if at < 0 {
			return nil, errs.Invalidf("query.page", "the page that the list goes on behind is gone; begin anew")
		}
		texts = texts[at+1:]
	}
	list := UndescribedPictures{Items: []UndescribedPicture{}}
	for i, e := range texts {
		found, err := undescribed(ctx, view, e)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, found...)
		if i+1 < len(texts) && (i+1 == maxTexts || len(list.Items) >= request.Size()) {
			list.Next = h.Lists.NextPage(name, []string{e.ID})
			break
		}
	}
	return &operation.Body[UndescribedPictures]{Body: list}, nil
}

// textsOf lists the pages and reusable contents of a revision that have a body.
func textsOf(ctx context.Context, view *store.View) ([]*entity.Entry, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, err
	}
	reusables, err := view.ReusableContents(ctx)
	if err != nil {
		return nil, err
	}
	texts := make([]*entity.Entry, 0, len(tree.Ordered)+len(reusables))
	for _, node := range tree.Ordered {
		texts = append(texts, node.Entry)
	}
	texts = append(texts, reusables...)
	return slices.DeleteFunc(texts, func(e *entity.Entry) bool { return e.Body == "" }), nil
}

// undescribed returns the pictures of a text that have no alternative text, each once.
func undescribed(ctx context.Context, view *store.View, e *entity.Entry) ([]UndescribedPicture, error) {
	body, err := view.Body(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("read the body of %s: %w", e.ID, err)
	}
	parsed, err := markdown.Parse(body)
	if errs.Is(err, errs.Invalid) || errs.Is(err, errs.TooLarge) {
		return nil, nil // what cannot be read has no pictures that could be described
	}
	if err != nil {
		return nil, fmt.Errorf("parse the body of %s: %w", e.ID, err)
	}
	parsed.ReadDestinations()
	var found []UndescribedPicture
	at := map[doc.Ref]int{}
	note := func(ref *doc.Ref, alt string) {
		if ref == nil || alt != "" || ref.Kind != doc.RefFile && ref.Kind != doc.RefURL {
			return
		}
		if i, known := at[*ref]; known {
			found[i].Count++
			return
		}
		at[*ref] = len(found)
		use := UndescribedPicture{Object: "undescribed-picture", Ref: wire.ReferenceOf(ref), Count: 1}
		if place := (&TextPlace{ID: e.ID, Title: e.Title}); e.Kind == entity.KindPage {
			use.Page = place
		} else {
			use.ReusableContent = place
		}
		found = append(found, use)
	}
	parsed.Walk(func(n *doc.Node) bool {
		switch data := n.Data.(type) {
		case *doc.ImageData:
			note(&data.Ref, data.Alt)
		case *doc.InlineImageData:
			note(&data.Ref, data.Alt)
		}
		return true
	})
	return found, nil
}
