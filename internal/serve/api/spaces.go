package api

import (
	"context"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
)

// pageOfSpaces answers with a page of a list of spaces, which is the caller's own under a name.
func (a *API) pageOfSpaces(
	ctx context.Context, name string, page PageParams, list func(paging.Request) (paging.Page[space.Space], error),
) (*body[List[Space]], error) {
	name += "/" + callerOf(ctx).User.ID
	request, err := a.request(name, page)
	if err != nil {
		return nil, err
	}
	spaces, err := list(request)
	if err != nil {
		return nil, err
	}
	wire, err := a.wireSpaces(ctx, spaces.Items)
	if err != nil {
		return nil, err
	}
	return &body[List[Space]]{Body: *listed(a, name, paging.WithItems(spaces, wire), func(s Space) Space { return s })},
		nil
}

type listSpacesInput struct {
	PageParams
	Organization string `path:"organizationId"`
}

// listSpaces lists the spaces of an organization that the caller may read.
func (a *API) listSpaces(ctx context.Context, in *listSpacesInput) (*body[List[Space]], error) {
	return a.pageOfSpaces(ctx, "spaces/"+in.Organization, in.PageParams,
		func(request paging.Request) (paging.Page[space.Space], error) {
			return a.Spaces.List(ctx, callerOf(ctx), in.Organization, request)
		})
}

// listTrash lists the deleted spaces of an organization that the caller may restore.
func (a *API) listTrash(ctx context.Context, in *listSpacesInput) (*body[List[Space]], error) {
	return a.pageOfSpaces(ctx, "trash/"+in.Organization, in.PageParams,
		func(request paging.Request) (paging.Page[space.Space], error) {
			return a.Spaces.ListTrash(ctx, callerOf(ctx), in.Organization, request)
		})
}

type createSpaceInput struct {
	Organization string `path:"organizationId"`
	Body         *struct {
		Title    string `json:"title,omitempty" maxLength:"50" doc:"Untitled when absent."`
		Emoji    string `json:"emoji,omitempty" maxLength:"50" doc:"The character, or its code points in hexadecimal."`
		Icon     string `json:"icon,omitempty" maxLength:"2048" doc:"An address; in place of an emoji."`
		Parent   string `json:"parent,omitempty" doc:"Id of a collection."`
		Language string `json:"language,omitempty"`
		EditMode string `json:"editMode,omitempty" enum:"live,locked"`
	} `required:"false"`
}

// createSpace makes an empty space.
func (a *API) createSpace(ctx context.Context, in *createSpaceInput) (*created[Space], error) {
	var wanted space.NewSpace
	if in.Body != nil {
		wanted = space.NewSpace{
			Title: in.Body.Title, Emoji: in.Body.Emoji, Icon: in.Body.Icon, Parent: in.Body.Parent,
			Language: in.Body.Language, EditMode: space.EditMode(in.Body.EditMode),
		}
	}
	made, err := a.Spaces.Create(ctx, callerOf(ctx), in.Organization, wanted)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneSpace(ctx, made)
	if err != nil {
		return nil, err
	}
	return &created[Space]{Location: wire.URLs.Location, Body: wire}, nil
}

type spaceInput struct {
	Space string `path:"spaceId"`
}

type getSpaceInput struct {
	Space    string `path:"spaceId"`
	ShareKey string `query:"shareKey" maxLength:"100" doc:"Key of a share link of a site with the space: urls.published is then the address with the key."`
}

// getSpace answers one space.
func (a *API) getSpace(ctx context.Context, in *getSpaceInput) (*body[Space], error) {
	found, err := a.Spaces.Get(ctx, callerOf(ctx), in.Space)
	if err != nil {
		return nil, err
	}
	out, err := a.spaceBody(ctx, found)
	if err != nil || in.ShareKey == "" {
		return out, err
	}
	shared, err := a.Audiences.SharedSpaceURL(ctx, found.ID, in.ShareKey)
	if err == nil && shared != "" {
		out.Body.URLs.Published = shared
	}
	return out, err
}

func (a *API) spaceBody(ctx context.Context, s space.Space) (*body[Space], error) {
	wire, err := a.oneSpace(ctx, s)
	if err != nil {
		return nil, err
	}
	return &body[Space]{Body: wire}, nil
}

type updateSpaceInput struct {
	Space string `path:"spaceId"`
	Body  struct {
		Title        Patch[string] `json:"title,omitzero" required:"false" doc:"1 to 50 characters."`
		Emoji        Patch[string] `json:"emoji,omitzero" required:"false" doc:"Takes the icon's place; null or an empty text takes it away."`
		Icon         Patch[string] `json:"icon,omitzero" required:"false" doc:"An address; takes the emoji's place; null takes it away."`
		EditMode     Patch[string] `json:"editMode,omitzero" required:"false" doc:"live or locked."`
		DefaultLevel Patch[string] `json:"defaultLevel,omitzero" required:"false" doc:"A role, inherit, or null for no access."`
		Language     Patch[string] `json:"language,omitzero" required:"false"`
		MergeRules   *MergeRules   `json:"mergeRules,omitempty" required:"false" doc:"What change requests need before they may be merged."`
	}
}

// updateSpace changes what the body names and leaves the rest.
func (a *API) updateSpace(ctx context.Context, in *updateSpaceInput) (*body[Space], error) {
	if in.Body.MergeRules != nil {
		// Both are refused before either is changed.
		if err := a.Changes.CheckSpaceRules(ctx, callerOf(ctx), in.Space, in.Body.MergeRules.domain()); err != nil {
			return nil, err
		}
	}
	changed, err := a.Spaces.Update(ctx, callerOf(ctx), in.Space, space.Change{
		Title: in.Body.Title.Value, Emoji: in.Body.Emoji.Value, Icon: in.Body.Icon.Value,
		Language:     in.Body.Language.Value,
		EditMode:     convert[space.EditMode](in.Body.EditMode.Value),
		DefaultLevel: convert[access.Level](in.Body.DefaultLevel.Value),
	})
	if err != nil {
		return nil, err
	}
	if in.Body.MergeRules != nil {
		if err := a.Changes.SetSpaceRules(ctx, callerOf(ctx), in.Space, in.Body.MergeRules.domain()); err != nil {
			return nil, err
		}
	}
	answer, err := a.spaceBody(ctx, changed)
	if err != nil {
		return nil, err
	}
	answer.Body.Affected, err = a.wireAffected(ctx, changed.Affected)
	return answer, err
}

// convert turns an optional text into an optional value of a text type.
func convert[T ~string](value optional.Value[string]) optional.Value[T] {
	text, ok := value.Get()
	switch {
	case ok:
		return optional.Of(T(text))
	case value.IsNull():
		return optional.Null[T]()
	}
	return optional.Value[T]{}
}

// deleteSpace puts a space into the trash for seven days.
func (a *API) deleteSpace(ctx context.Context, in *spaceInput) (*nothing, error) {
	if err := a.Spaces.Delete(ctx, callerOf(ctx), in.Space); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

// restoreSpace takes a space out of the trash.
func (a *API) restoreSpace(ctx context.Context, in *spaceInput) (*body[Space], error) {
	restored, err := a.Spaces.Restore(ctx, callerOf(ctx), in.Space)
	if err != nil {
		return nil, err
	}
	return a.spaceBody(ctx, restored)
}
