package api

import (
	"context"

	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
)

type listCollectionsInput struct {
	PageParams
	Organization string `path:"organizationId"`
	Nested       bool   `query:"nested" default:"true" doc:"Whether collections inside collections are listed, too."`
}

// listCollections lists the collections of an organization that the caller may see.
func (a *API) listCollections(ctx context.Context, in *listCollectionsInput) (*body[List[Collection]], error) {
	caller := callerOf(ctx)
	name := "collections/" + in.Organization + "/" + caller.User.ID
	if !in.Nested {
		name += "/top"
	}
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	items, err := a.Spaces.Collections(ctx, caller, in.Organization, in.Nested, request)
	if err != nil {
		return nil, err
	}
	return &body[List[Collection]]{Body: *listed(a, name, items, a.wireCollection)}, nil
}

type createCollectionInput struct {
	Organization string `path:"organizationId"`
	Body         *struct {
		Title       string `json:"title,omitempty" maxLength:"50" doc:"Untitled when absent."`
		Description string `json:"description,omitempty" maxLength:"100"`
		Parent      string `json:"parent,omitempty" doc:"Id of a collection."`
	} `required:"false"`
}

// createCollection makes an empty collection.
func (a *API) createCollection(ctx context.Context, in *createCollectionInput) (*created[Collection], error) {
	var wanted space.NewCollection
	if in.Body != nil {
		wanted = space.NewCollection{Title: in.Body.Title, Description: in.Body.Description, Parent: in.Body.Parent}
	}
	made, err := a.Spaces.CreateCollection(ctx, callerOf(ctx), in.Organization, wanted)
	if err != nil {
		return nil, err
	}
	wire := a.wireCollection(made)
	return &created[Collection]{Location: wire.URLs.Location, Body: wire}, nil
}

type collectionInput struct {
	Collection string `path:"collectionId"`
}

// getCollection answers one collection.
func (a *API) getCollection(ctx context.Context, in *collectionInput) (*body[Collection], error) {
	found, err := a.Spaces.Collection(ctx, callerOf(ctx), in.Collection)
	if err != nil {
		return nil, err
	}
	return &body[Collection]{Body: a.wireCollection(found)}, nil
}

type updateCollectionInput struct {
	Collection string `path:"collectionId"`
	Body       struct {
		Title        Patch[string] `json:"title,omitzero" required:"false" doc:"1 to 50 characters."`
		Description  Patch[string] `json:"description,omitzero" required:"false" doc:"Up to 100 characters; null takes it away."`
		DefaultLevel Patch[string] `json:"defaultLevel,omitzero" required:"false" doc:"A role, inherit, or null for no access."`
	}
}

// updateCollection changes what the body names and leaves the rest.
func (a *API) updateCollection(ctx context.Context, in *updateCollectionInput) (*body[Collection], error) {
	changed, err := a.Spaces.UpdateCollection(ctx, callerOf(ctx), in.Collection, space.CollectionChange{
		Title: in.Body.Title.Value, Description: in.Body.Description.Value,
		DefaultLevel: convert[access.Level](in.Body.DefaultLevel.Value),
	})
	if err != nil {
		return nil, err
	}
	wire := a.wireCollection(changed)
	wire.Affected, err = a.wireAffected(ctx, changed.Affected)
	if err != nil {
		return nil, err
	}
	return &body[Collection]{Body: wire}, nil
}

// deleteCollection removes a collection; what it holds goes one level up.
func (a *API) deleteCollection(ctx context.Context, in *collectionInput) (*nothing, error) {
	if err := a.Spaces.DeleteCollection(ctx, callerOf(ctx), in.Collection); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

type listSpacesInCollectionInput struct {
	PageParams
	Collection string `path:"collectionId"`
}

// listSpacesInCollection lists the spaces directly in a collection that the caller may read.
func (a *API) listSpacesInCollection(ctx context.Context, in *listSpacesInCollectionInput) (*body[List[Space]], error) {
	return a.pageOfSpaces(ctx, "spaces/"+in.Collection, in.PageParams,
		func(request paging.Request) (paging.Page[space.Space], error) {
			return a.Spaces.SpacesIn(ctx, callerOf(ctx), in.Collection, request)
		})
}

// MoveBody is where something moves within its organization.
type MoveBody struct {
	Parent   Patch[string]    `json:"parent,omitzero" required:"false" doc:"Id of a collection; null for the top; the place where it is when absent."`
	Position *ContentPosition `json:"position,omitempty" doc:"Where among its neighbours; behind them when absent."`
}

// ContentPosition is a place among neighbours: directly before one, or directly after one.
type ContentPosition struct {
	Before *ContentPointer `json:"before,omitempty"`
	After  *ContentPointer `json:"after,omitempty"`
}

// ContentPointer names a space or a collection.
type ContentPointer struct {
	Type       string `json:"type" enum:"space,collection"`
	Space      string `json:"space,omitempty" doc:"Id of a space, for the type space."`
	Collection string `json:"collection,omitempty" doc:"Id of a collection, for the type collection."`
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
	Collection string `path:"collectionId"`
	Body       MoveBody
}

// moveCollection moves a collection with all that it holds.
func (a *API) moveCollection(ctx context.Context, in *moveCollectionInput) (*body[Collection], error) {
	moved, err := a.Spaces.MoveCollection(ctx, callerOf(ctx), in.Collection, in.Body.destination())
	if err != nil {
		return nil, err
	}
	return &body[Collection]{Body: a.wireCollection(moved)}, nil
}

type transferCollectionInput struct {
	Collection string `path:"collectionId"`
	Body       TransferBody
}

// TransferBody says where something goes.
type TransferBody struct {
	Organization string `json:"organization" doc:"Id of the organization that gets it; the one that it is in when it only goes to another collection."`
	Parent       string `json:"parent,omitempty" doc:"Id of a collection there; the top when absent."`
}

func (b TransferBody) target() space.Target {
	return space.Target{Organization: b.Organization, Parent: b.Parent}
}

// transferCollection moves a collection with all that it holds to another organization or collection.
func (a *API) transferCollection(ctx context.Context, in *transferCollectionInput) (*body[Collection], error) {
	moved, err := a.Spaces.TransferCollection(ctx, callerOf(ctx), in.Collection, in.Body.target())
	if err != nil {
		return nil, err
	}
	return &body[Collection]{Body: a.wireCollection(moved)}, nil
}

type moveSpaceInput struct {
	Space string `path:"spaceId"`
	Body  MoveBody
}

// moveSpace moves a space to another collection or place.
func (a *API) moveSpace(ctx context.Context, in *moveSpaceInput) (*body[Space], error) {
	moved, err := a.Spaces.Move(ctx, callerOf(ctx), in.Space, in.Body.destination())
	if err != nil {
		return nil, err
	}
	return a.spaceBody(ctx, moved)
}

type transferSpaceInput struct {
	Space string `path:"spaceId"`
	Body  TransferBody
}

// transferSpace moves a space to another organization or collection.
func (a *API) transferSpace(ctx context.Context, in *transferSpaceInput) (*body[Space], error) {
	moved, err := a.Spaces.Transfer(ctx, callerOf(ctx), in.Space, in.Body.target())
	if err != nil {
		return nil, err
	}
	return a.spaceBody(ctx, moved)
}

// duplicateSpace makes a copy of a space.
func (a *API) duplicateSpace(ctx context.Context, in *spaceInput) (*created[Space], error) {
	made, err := a.Spaces.Duplicate(ctx, callerOf(ctx), in.Space)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneSpace(ctx, made)
	if err != nil {
		return nil, err
	}
	return &created[Space]{Location: wire.URLs.Location, Body: wire}, nil
}
