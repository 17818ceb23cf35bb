package audits

import (
	"context"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// AuditEntry is a change to people, access, sites or tokens.
type AuditEntry struct {
	Object    string `json:"object" enum:"audit-entry"`
	ID        string `json:"id"`
	CreatedAt string `json:"createdAt" format:"date-time"`
	Action    string `json:"action" doc:"What was done, such as member.remove."`
	// Actor is who did it; absent for the server itself.
	Actor   *AuditActor    `json:"actor,omitempty"`
	Target  AuditTarget    `json:"target"`
	Details map[string]any `json:"details"`
	// Address is where the request came from; absent when there was none.
	Address string `json:"address,omitempty"`
}

// AuditActor is who did something, and with which token or in which session.
type AuditActor struct {
	ID id.User `json:"id" doc:"Id of a user."`
	// User is absent when the account is gone.
	User  *wire.User `json:"user,omitempty"`
	Token string     `json:"token,omitempty" doc:"Id of the token or session that was used."`
}

// AuditTarget is what something was done to, as it was called then.
type AuditTarget struct {
	Kind  string `json:"kind"`
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
}

// wireAudit turns entries into their wire form, with who did it.
func (h *Handlers) wireAudit(ctx context.Context, entries []audit.Entry) ([]AuditEntry, error) {
	actors := map[id.User]bool{}
	for _, entry := range entries {
		if entry.Actor != "" {
			actors[entry.Actor] = true
		}
	}
	users, err := h.Accounts.UsersByIDs(ctx, slices.Sorted(maps.Keys(actors)))
	if err != nil {
		return nil, err
	}
	answer := make([]AuditEntry, len(entries))
	for i, entry := range entries {
		answer[i] = AuditEntry{
			Object: "audit-entry", ID: entry.ID, CreatedAt: wire.Timestamp(entry.CreatedAt), Action: entry.Action,
			Target: AuditTarget(entry.Target), Details: entry.Details, Address: entry.Address,
		}
		if entry.Actor != "" {
			answer[i].Actor = &AuditActor{ID: entry.Actor, Token: entry.Token}
			if user, ok := users[entry.Actor]; ok {
				answer[i].Actor.User = new(h.Wire.User(user))
			}
		}
	}
	return answer, nil
}

// requireAdmin refuses everybody but admins of the organization.
func (h *Handlers) requireAdmin(ctx context.Context, organizationID id.Organization) error {
	_, err := h.Access.RequireOrganization(ctx, operation.Caller(ctx), organizationID, access.AdministerOrganization)
	return err
}
