package contents

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// PageMetaLinks say where else a page is, for the head of what shows it.
type PageMetaLinks struct {
	Canonical  *PageMetaLink  `json:"canonical,omitempty"`
	Alternates []PageMetaLink `json:"alternates"`
}

// PageMetaLink is a page, in this space or another one, or an address.
type PageMetaLink struct {
	Kind  string `json:"kind" enum:"page,url"`
	Page  string `json:"page,omitempty"`
	Space string `json:"space,omitempty"`
	URL   string `json:"url,omitempty" format:"uri"`
}

type metaLinksInput struct {
	RevisionParams
	Page string `path:"pageId"`
}

// listMetaLinks answers where else a page is.
func (h *Handlers) listMetaLinks(ctx context.Context, in *metaLinksInput) (*operation.Encoded, error) {
	return h.readMetaLinks(ctx, in.RevisionParams, version{}, in.Page)
}

type revisionMetaLinksInput struct {
	RevisionParams
	AtRevision
	Page string `path:"pageId"`
}

// listRevisionMetaLinks answers where else a page of a revision is.
func (h *Handlers) listRevisionMetaLinks(ctx context.Context, in *revisionMetaLinksInput) (*operation.Encoded, error) {
	return h.readMetaLinks(ctx, in.RevisionParams, in.version(), in.Page)
}

type changeRequestMetaLinksInput struct {
	RevisionParams
	AtChangeRequest
	Page string `path:"pageId"`
}

// listChangeRequestMetaLinks answers where else a page of a change request is.
func (h *Handlers) listChangeRequestMetaLinks(ctx context.Context,
	in *changeRequestMetaLinksInput) (*operation.Encoded, error) {
	return h.readMetaLinks(ctx, in.RevisionParams, in.version(), in.Page)
}

// readMetaLinks answers where else a page of a version is: nowhere, if the page is there.
func (h *Handlers) readMetaLinks(ctx context.Context, params RevisionParams, at version,
	pageID string) (*operation.Encoded, error) {
	return h.versionRead(ctx, params, at, "meta-links/"+pageID,
		func(ctx context.Context, view *store.View) (any, error) {
			entry, err := wire.PageEntry(ctx, view, pageID)
			if errs.Is(err, errs.NotFound) || err == nil && spec.IsComputed(entry) {
				made, failure := h.computedPage(ctx, view, params, pageID, "", PageFormat{Format: "document"})
				if failure != nil {
					return nil, failure
				}
				if made != nil {
					return PageMetaLinks{Alternates: []PageMetaLink{}}, nil
				}
			}
			if err == nil && entry.Type != entity.PageDocument && entry.Type != entity.PageGroup {
				err = errs.NotFoundf("The page %q is a %s and has no address of its own.", pageID, entry.Type)
			}
			return PageMetaLinks{Alternates: []PageMetaLink{}}, err
		})
}
