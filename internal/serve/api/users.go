package api

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
)

func noUser() error { return errs.NotFoundf("There is no such user, or you may not see them.") }

// getUserByID answers a person of one of the caller's organizations.
func (a *API) getUserByID(ctx context.Context, in *UserPath) (*body[User], error) {
	visible, err := a.Organizations.Visible(ctx, callerOf(ctx), in.User)
	if err != nil {
		return nil, err
	}
	if !visible {
		return nil, noUser()
	}
	user, err := a.Accounts.UserByID(ctx, in.User)
	if err != nil {
		return nil, err
	}
	return &body[User]{Body: a.wireUser(user)}, nil
}

type updateUserInput struct {
	UserPath
	Body struct {
		DisplayName Patch[string] `json:"displayName,omitzero" required:"false" doc:"1 to 64 characters."`
		PhotoURL    Patch[string] `json:"photoURL,omitzero" required:"false" doc:"An http address; null takes the picture away."`
	}
}

// updateUser changes the caller's own account.
func (a *API) updateUser(ctx context.Context, in *updateUserInput) (*body[User], error) {
	caller := callerOf(ctx)
	if in.User != caller.User.ID {
		visible, err := a.Organizations.Visible(ctx, caller, in.User)
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
	user, err := a.Accounts.UpdateUser(ctx, caller, account.UserChange{DisplayName: in.Body.DisplayName.Value,
		PhotoURL: in.Body.PhotoURL.Value})
	if err != nil {
		return nil, err
	}
	return &body[User]{Body: a.wireUser(user)}, nil
}
