package users

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

func noUser() error { return errs.NotFoundf("There is no such user, or you may not see them.") }

// getUserByID answers a person of one of the caller's organizations.
func (h *Handlers) getUserByID(ctx context.Context, in *wire.UserPath) (*operation.Body[wire.User], error) {
	visible, err := h.Organizations.Visible(ctx, operation.Caller(ctx), in.User)
	if err != nil {
		return nil, err
	}
	if !visible {
		return nil, noUser()
	}
	user, err := h.Accounts.UserByID(ctx, in.User)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.User]{Body: h.Wire.User(user)}, nil
}

type updateUserInput struct {
	wire.UserPath
	Body struct {
		DisplayName wire.Patch[string] `json:"displayName,omitzero" required:"false" doc:"1 to 64 characters."`
		PhotoURL    wire.Patch[string] `json:"photoURL,omitzero" required:"false" doc:"An http address; null takes the picture away."`
	}
}

// updateUser changes the caller's own account.
func (h *Handlers) updateUser(ctx context.Context, in *updateUserInput) (*operation.Body[wire.User], error) {
	caller := operation.Caller(ctx)
	if in.User != caller.User.ID {
		visible, err := h.Organizations.Visible(ctx, caller, in.User)
		if err != nil {
			return nil, err
		}
		if !visible {
			return nil, noUser()
		}
		return nil, errs.Forbiddenf("You can change your own account only.")
	}
	if !in.Body.DisplayName.IsSet() && !in.Body.PhotoURL.IsSet() {
		return nil, errs.Invalidf("body", "changes nothing; send displayName or photoURL")
	}
	user, err := h.Accounts.UpdateUser(ctx, caller, account.UserChange{DisplayName: in.Body.DisplayName.Value,
		PhotoURL: in.Body.PhotoURL.Value})
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.User]{Body: h.Wire.User(user)}, nil
}

type noInput struct{}

// getUser answers who the token stands for.
func (h *Handlers) getUser(ctx context.Context, _ *noInput) (*operation.Body[wire.User], error) {
	return &operation.Body[wire.User]{Body: h.Wire.User(operation.Caller(ctx).User)}, nil
}
