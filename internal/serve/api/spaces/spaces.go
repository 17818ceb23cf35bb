package spaces

import (
	"context"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// pageOfSpaces answers with a page of a list of spaces, which is the caller's own under a name.
func (h *Handlers) pageOfSpaces(
	ctx context.Context, name string, page wire.PageParams, list func(paging.Request) (paging.Page[space.Space], error),
) (*operation.Body[wire.List[wire.Space]], error) {
	name += "/" + string(operation.Caller(ctx).User.ID)
	request, err := h.Lists.Request(name, page)
	if err != nil {
		return nil, err
	}
	spaces, err := list(request)
	if err != nil {
		return nil, err
	}
	answer, err := h.SpaceWriter.Write(ctx, spaces.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[wire.Space]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(spaces, answer),
			func(s wire.Space) wire.Space { return s })},
		nil
}

type listSpacesInput struct {
	wire.PageParams
	Organization id.Organization `path:"organizationId"`
}

// listSpaces lists the spaces of an organization that the caller may read.
func (h *Handlers) listSpaces(ctx context.Context,
	in *listSpacesInput) (*operation.Body[wire.List[wire.Space]], error) {
	return h.pageOfSpaces(ctx, "spaces/"+string(in.Organization), in.PageParams,
		func(request paging.Request) (paging.Page[space.Space], error) {
			return h.Spaces.List(ctx, operation.Caller(ctx), in.Organization, request)
		})
}

// listTrash lists the deleted spaces of an organization that the caller may restore.
func (h *Handlers) listTrash(ctx context.Context, in *listSpacesInput) (*operation.Body[wire.List[wire.Space]], error) {
	deleters := map[id.Space]id.User{}
	answer, err := h.pageOfSpaces(ctx, "trash/"+string(in.Organization), in.PageParams,
		func(request paging.Request) (paging.Page[space.Space], error) {
			deleted, err := h.Spaces.ListTrash(ctx, operation.Caller(ctx), in.Organization, request)
			for _, each := range deleted.Items {
				deleters[each.ID] = each.DeletedBy
			}
			return deleted, err
		})
	if err != nil {
		return nil, err
	}
	users, err := h.Accounts.UsersByIDs(ctx, slices.Collect(maps.Values(deleters)))
	if err != nil {
		return nil, err
	}
	for i, each := range answer.Body.Items {
		if user, found := users[deleters[each.ID]]; found {
			answer.Body.Items[i].DeletedBy = new(h.Wire.User(user))
		}
	}
	return answer, nil
}

type purgeSpaceInput struct {
	Organization id.Organization `path:"organizationId"`
	Space        id.Space        `path:"spaceId"`
}

// purgeSpace removes a deleted space for good.
func (h *Handlers) purgeSpace(ctx context.Context, in *purgeSpaceInput) (*operation.Nothing, error) {
	return operation.Done(h.Spaces.PurgeNow(ctx, operation.Caller(ctx), in.Organization, in.Space))
}

type createSpaceInput struct {
	Organization id.Organization `path:"organizationId"`
	Body         *struct {
		Title    string        `json:"title,omitempty" maxLength:"50" doc:"Untitled when absent."`
		Emoji    string        `json:"emoji,omitempty" maxLength:"50" doc:"The character, or its code points in hexadecimal."`
		Icon     string        `json:"icon,omitempty" maxLength:"2048" doc:"An address; in place of an emoji."`
		Parent   id.Collection `json:"parent,omitempty" doc:"Id of a collection."`
		Language string        `json:"language,omitempty"`
		EditMode string        `json:"editMode,omitempty" enum:"live,locked"`
	} `required:"false"`
}

// createSpace makes an empty space.
func (h *Handlers) createSpace(ctx context.Context, in *createSpaceInput) (*operation.Created[wire.Space], error) {
	var wanted space.NewSpace
	if in.Body != nil {
		wanted = space.NewSpace{
			Title: in.Body.Title, Emoji: in.Body.Emoji, Icon: in.Body.Icon, Parent: in.Body.Parent,
			Language: in.Body.Language, EditMode: space.EditMode(in.Body.EditMode),
		}
	}
	created, err := h.Spaces.Create(ctx, operation.Caller(ctx), in.Organization, wanted)
	if err != nil {
		return nil, err
	}
	answer, err := h.SpaceWriter.WriteOne(ctx, created)
	if err != nil {
		return nil, err
	}
	return &operation.Created[wire.Space]{Location: answer.URLs.Location, Body: answer}, nil
}

type getSpaceInput struct {
	Space    id.Space `path:"spaceId"`
	ShareKey string   `query:"shareKey" maxLength:"100" doc:"Key of a share link of a site with the space: urls.published is then the address with the key."`
}

// getSpace answers one space.
func (h *Handlers) getSpace(ctx context.Context, in *getSpaceInput) (*operation.Body[wire.Space], error) {
	found, err := h.Spaces.Get(ctx, operation.Caller(ctx), in.Space)
	if err != nil {
		return nil, err
	}
	out, err := h.spaceBody(ctx, found)
	if err != nil || in.ShareKey == "" {
		return out, err
	}
	shared, err := h.Audiences.SharedSpaceURL(ctx, found.ID, in.ShareKey)
	if err == nil && shared != "" {
		out.Body.URLs.Published = shared
	}
	return out, err
}

func (h *Handlers) spaceBody(ctx context.Context, s space.Space) (*operation.Body[wire.Space], error) {
	answer, err := h.SpaceWriter.WriteOne(ctx, s)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Space]{Body: answer}, nil
}

type updateSpaceInput struct {
	Space id.Space `path:"spaceId"`
	Body  struct {
		Title        wire.Patch[string] `json:"title,omitzero" required:"false" doc:"1 to 50 characters."`
		Emoji        wire.Patch[string] `json:"emoji,omitzero" required:"false" doc:"Takes the icon's place; null or an empty text takes it away."`
		Icon         wire.Patch[string] `json:"icon,omitzero" required:"false" doc:"An address; takes the emoji's place; null takes it away."`
		EditMode     wire.Patch[string] `json:"editMode,omitzero" required:"false" doc:"live or locked."`
		DefaultLevel wire.Patch[string] `json:"defaultLevel,omitzero" required:"false" doc:"A role, inherit, or null for no access."`
		Language     wire.Patch[string] `json:"language,omitzero" required:"false"`
		MergeRules   *wire.MergeRules   `json:"mergeRules,omitempty" required:"false" doc:"What change requests need before they may be merged."`
	}
}

// updateSpace changes what the body names and leaves the rest.
func (h *Handlers) updateSpace(ctx context.Context, in *updateSpaceInput) (*operation.Body[wire.Space], error) {
	if in.Body.MergeRules != nil {
		// Both are refused before either is changed.
		if err := h.Changes.CheckSpaceRules(ctx, operation.Caller(ctx), in.Space,
			in.Body.MergeRules.Domain()); err != nil {
			return nil, err
		}
	}
	changed, err := h.Spaces.Update(ctx, operation.Caller(ctx), in.Space, space.Change{
		Title: in.Body.Title.Value, Emoji: in.Body.Emoji.Value, Icon: in.Body.Icon.Value,
		Language:     in.Body.Language.Value,
		EditMode:     wire.Convert[space.EditMode](in.Body.EditMode.Value),
		DefaultLevel: wire.Convert[access.Level](in.Body.DefaultLevel.Value),
	})
	if err != nil {
		return nil, err
	}
	if in.Body.MergeRules != nil {
		if err := h.Changes.SetSpaceRules(ctx, operation.Caller(ctx), in.Space,
			in.Body.MergeRules.Domain()); err != nil {
			return nil, err
		}
	}
	answer, err := h.spaceBody(ctx, changed)
	if err != nil {
		return nil, err
	}
	answer.Body.Affected, err = h.wireAffected(ctx, changed.Affected)
	return answer, err
}

// deleteSpace puts a space into the trash for seven days.
func (h *Handlers) deleteSpace(ctx context.Context, in *wire.SpacePath) (*operation.Nothing, error) {
	if err := h.Spaces.Delete(ctx, operation.Caller(ctx), in.Space); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

// restoreSpace takes a space out of the trash.
func (h *Handlers) restoreSpace(ctx context.Context, in *wire.SpacePath) (*operation.Body[wire.Space], error) {
	restored, err := h.Spaces.Restore(ctx, operation.Caller(ctx), in.Space)
	if err != nil {
		return nil, err
	}
	return h.spaceBody(ctx, restored)
}
