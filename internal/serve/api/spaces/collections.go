package spaces

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listCollectionsInput struct {
	wire.PageParams
	Organization id.Organization `path:"organizationId"`
	Nested       bool            `query:"nested" default:"true" doc:"Whether collections inside collections are listed, too."`
}

// listCollections lists the collections of an organization that the caller may see.
func (h *Handlers) listCollections(ctx context.Context,
	in *listCollectionsInput) (*operation.Body[wire.List[wire.Collection]], error) {
	caller := operation.Caller(ctx)
	name := "collections/" + string(in.Organization) + "/" + string(caller.User.ID)
	if !in.Nested {
		name += "/top"
	}
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	items, err := h.Spaces.Collections(ctx, caller, in.Organization, in.Nested, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[wire.Collection]]{Body: *wire.Listed(h.Lists, name, items, h.Wire.Collection)}, nil
}

type createCollectionInput struct {
	Organization id.Organization `path:"organizationId"`
	Body         *struct {
		Title       string        `json:"title,omitempty" maxLength:"50" doc:"Untitled when absent."`
		Description string        `json:"description,omitempty" maxLength:"100"`
		Parent      id.Collection `json:"parent,omitempty" doc:"Id of a collection."`
	} `required:"false"`
}

// createCollection makes an empty collection.
func (h *Handlers) createCollection(ctx context.Context,
	in *createCollectionInput) (*operation.Created[wire.Collection], error) {
	var wanted space.NewCollection
	if in.Body != nil {
		wanted = space.NewCollection{Title: in.Body.Title, Description: in.Body.Description, Parent: in.Body.Parent}
	}
	created, err := h.Spaces.CreateCollection(ctx, operation.Caller(ctx), in.Organization, wanted)
	if err != nil {
		return nil, err
	}
	answer := h.Wire.Collection(created)
	return &operation.Created[wire.Collection]{Location: answer.URLs.Location, Body: answer}, nil
}

type collectionInput struct {
	Collection id.Collection `path:"collectionId"`
}

// getCollection answers one collection.
func (h *Handlers) getCollection(ctx context.Context, in *collectionInput) (*operation.Body[wire.Collection], error) {
	found, err := h.Spaces.Collection(ctx, operation.Caller(ctx), in.Collection)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Collection]{Body: h.Wire.Collection(found)}, nil
}

type updateCollectionInput struct {
	Collection id.Collection `path:"collectionId"`
	Body       struct {
		Title        wire.Patch[string] `json:"title,omitzero" required:"false" doc:"1 to 50 characters."`
		Description  wire.Patch[string] `json:"description,omitzero" required:"false" doc:"Up to 100 characters; null takes it away."`
		DefaultLevel wire.Patch[string] `json:"defaultLevel,omitzero" required:"false" doc:"A role, inherit, or null for no access."`
	}
}

// updateCollection changes what the body names and leaves the rest.
func (h *Handlers) updateCollection(ctx context.Context,
	in *updateCollectionInput) (*operation.Body[wire.Collection], error) {
	changed, err := h.Spaces.UpdateCollection(ctx, operation.Caller(ctx), in.Collection, space.CollectionChange{
		Title: in.Body.Title.Value, Description: in.Body.Description.Value,
		DefaultLevel: wire.Convert[access.Level](in.Body.DefaultLevel.Value),
	})
	if err != nil {
		return nil, err
	}
	answer := h.Wire.Collection(changed)
	answer.Affected, err = h.wireAffected(ctx, changed.Affected)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Collection]{Body: answer}, nil
}

// deleteCollection removes a collection; what it holds goes one level up.
func (h *Handlers) deleteCollection(ctx context.Context, in *collectionInput) (*operation.Nothing, error) {
	if err := h.Spaces.DeleteCollection(ctx, operation.Caller(ctx), in.Collection); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

type listSpacesInCollectionInput struct {
	wire.PageParams
	Collection id.Collection `path:"collectionId"`
}

// listSpacesInCollection lists the spaces directly in a collection that the caller may read.
func (h *Handlers) listSpacesInCollection(ctx context.Context,
	in *listSpacesInCollectionInput) (*operation.Body[wire.List[wire.Space]], error) {
	return h.pageOfSpaces(ctx, "spaces/"+string(in.Collection), in.PageParams,
		func(request paging.Request) (paging.Page[space.Space], error) {
			return h.Spaces.SpacesIn(ctx, operation.Caller(ctx), in.Collection, request)
		})
}

// MoveBody is where something moves within its organization.
type MoveBody struct {
	Parent   wire.Patch[id.Collection] `json:"parent,omitzero" required:"false" doc:"Id of a collection; null for the top; the place where it is when absent."`
	Position *ContentPosition          `json:"position,omitempty" doc:"Where among its neighbours; behind them when absent."`
}

// ContentPosition is a place among neighbours: directly before one, or directly after one.
type ContentPosition struct {
	Before *ContentPointer `json:"before,omitempty"`
	After  *ContentPointer `json:"after,omitempty"`
}

// ContentPointer names a space or a collection.
type ContentPointer struct {
	Type       string        `json:"type" enum:"space,collection"`
	Space      id.Space      `json:"space,omitempty" doc:"Id of a space, for the type space."`
	Collection id.Collection `json:"collection,omitempty" doc:"Id of a collection, for the type collection."`
}

// destination reads a move. Of a pointer only the field of its type counts.
func (b MoveBody) destination() space.Destination {
	to := space.Destination{Parent: b.Parent.Value}
	if b.Position != nil {
		to.Position = space.Position{Before: b.Position.Before.pointer(), After: b.Position.After.pointer()}
	}
	return to
}

func (p *ContentPointer) pointer() *space.Pointer {
	switch {
	case p == nil:
		return nil
	case p.Type == "space":
		return &space.Pointer{Space: p.Space}
	}
	return &space.Pointer{Collection: p.Collection}
}

type moveCollectionInput struct {
	Collection id.Collection `path:"collectionId"`
	Body       MoveBody
}

// moveCollection moves a collection with all that it holds.
func (h *Handlers) moveCollection(ctx context.Context,
	in *moveCollectionInput) (*operation.Body[wire.Collection], error) {
	moved, err := h.Spaces.MoveCollection(ctx, operation.Caller(ctx), in.Collection, in.Body.destination())
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Collection]{Body: h.Wire.Collection(moved)}, nil
}

type transferCollectionInput struct {
	Collection id.Collection `path:"collectionId"`
	Body       TransferBody
}

// TransferBody says where something goes.
type TransferBody struct {
	Organization id.Organization `json:"organization" doc:"Id of the organization that gets it; the one that it is in when it only goes to another collection."`
	Parent       id.Collection   `json:"parent,omitempty" doc:"Id of a collection there; the top when absent."`
}

func (b TransferBody) target() space.Target {
	return space.Target{Organization: b.Organization, Parent: b.Parent}
}

// transferCollection moves a collection with all that it holds to another organization or collection.
func (h *Handlers) transferCollection(ctx context.Context,
	in *transferCollectionInput) (*operation.Body[wire.Collection], error) {
	moved, err := h.Spaces.TransferCollection(ctx, operation.Caller(ctx), in.Collection, in.Body.target())
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Collection]{Body: h.Wire.Collection(moved)}, nil
}

type moveSpaceInput struct {
	Space id.Space `path:"spaceId"`
	Body  MoveBody
}

// moveSpace moves a space to another collection or place.
func (h *Handlers) moveSpace(ctx context.Context, in *moveSpaceInput) (*operation.Body[wire.Space], error) {
	moved, err := h.Spaces.Move(ctx, operation.Caller(ctx), in.Space, in.Body.destination())
	if err != nil {
		return nil, err
	}
	return h.spaceBody(ctx, moved)
}

type transferSpaceInput struct {
	Space id.Space `path:"spaceId"`
	Body  TransferBody
}

// transferSpace moves a space to another organization or collection.
func (h *Handlers) transferSpace(ctx context.Context, in *transferSpaceInput) (*operation.Body[wire.Space], error) {
	moved, err := h.Spaces.Transfer(ctx, operation.Caller(ctx), in.Space, in.Body.target())
	if err != nil {
		return nil, err
	}
	return h.spaceBody(ctx, moved)
}

// duplicateSpace makes a copy of a space.
func (h *Handlers) duplicateSpace(ctx context.Context, in *wire.SpacePath) (*operation.Created[wire.Space], error) {
	created, err := h.Spaces.Duplicate(ctx, operation.Caller(ctx), in.Space)
	if err != nil {
		return nil, err
	}
	answer, err := h.SpaceWriter.WriteOne(ctx, created)
	if err != nil {
		return nil, err
	}
	return &operation.Created[wire.Space]{Location: answer.URLs.Location, Body: answer}, nil
}
