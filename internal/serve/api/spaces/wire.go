package spaces

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// maxAffected is how many people an answer names.
const maxAffected = 100

// wireAffected turns those who lost something into their wire form; nil for nobody.
func (h *Handlers) wireAffected(ctx context.Context, affected *access.Affected) (*wire.Affected, error) {
	if affected == nil {
		return nil, nil
	}
	named := affected.Losses[:min(len(affected.Losses), maxAffected)]
	ids := make([]id.User, len(named))
	for i, loss := range named {
		ids[i] = loss.User
	}
	users, err := h.Accounts.UsersByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	answer := &wire.Affected{Count: len(affected.Losses), Members: []wire.AffectedMember{}}
	for _, loss := range named {
		if user, found := users[loss.User]; found {
			answer.Members = append(answer.Members, wire.AffectedMember{User: h.Wire.User(user),
				From: wire.RoleOrNull(loss.From),
				To:   wire.RoleOrNull(loss.To)})
		}
	}
	return answer, nil
}

// UserPermission is a person with a role in a space or collection.
type UserPermission struct {
	Permission string    `json:"permission" enum:"admin,create,review,edit,comment,read"`
	User       wire.User `json:"user"`
	// Reason is in lists of everybody with access.
	Reason *wire.AccessReason `json:"reason,omitempty"`
}

// TeamPermission is a team with a role in a space or collection.
type TeamPermission struct {
	Permission string    `json:"permission" enum:"admin,create,review,edit,comment,read"`
	Team       wire.Team `json:"team"`
}

// wireUserPermissions turns grants to people into their wire form; somebody who is gone since is left out.
func (h *Handlers) wireUserPermissions(grants []access.Grant, users map[id.User]account.User) []UserPermission {
	list := make([]UserPermission, 0, len(grants))
	for _, grant := range grants {
		if user, ok := users[grant.User]; ok {
			list = append(list, UserPermission{Permission: string(grant.Role), User: h.Wire.User(user),
				Reason: wire.Reason(grant.Reason)})
		}
	}
	return list
}
