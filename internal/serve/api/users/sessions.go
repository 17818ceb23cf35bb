package users

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Session is somebody signed in in one browser.
type Session struct {
	Object     string          `json:"object" enum:"session"`
	ID         string          `json:"id"`
	Method     string          `json:"method" enum:"password,passkey,link,saml,oidc" doc:"How they signed in."`
	Address    string          `json:"address,omitempty" doc:"Where the sign-in came from."`
	Agent      string          `json:"agent" doc:"What the browser calls itself."`
	Current    bool            `json:"current" doc:"Whether it is the session that asks."`
	CreatedAt  string          `json:"createdAt" format:"date-time"`
	VouchedBy  id.Organization `json:"vouchedBy,omitempty" doc:"The id of the organization whose identity provider alone vouches for the sign-in: the session opens that organization only. Absent when it opens all that its user may."`
	LastSeenAt string          `json:"lastSeenAt" format:"date-time" doc:"To the minute."`
	ExpiresAt  string          `json:"expiresAt" format:"date-time" doc:"When it ends at the latest; without use it ends 14 days after lastSeenAt."`
}

// listSessions lists where the caller is signed in.
func (h *Handlers) listSessions(ctx context.Context, in *wire.ListInput) (*operation.Body[wire.List[Session]], error) {
	caller := operation.Caller(ctx)
	name := "sessions/" + string(caller.User.ID)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	sessions, err := h.Accounts.ListSessions(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[Session]]{Body: *wire.Listed(h.Lists, name, sessions,
		func(s account.Session) Session {
			return Session{
				Object: "session", ID: s.ID, Method: string(s.Method), Address: s.Address, Agent: s.Agent,
				Current: s.ID == caller.Session.ID, VouchedBy: s.VouchedBy,
				CreatedAt: wire.Timestamp(s.CreatedAt), LastSeenAt: wire.Timestamp(s.SeenAt),
				ExpiresAt: wire.Timestamp(s.ExpiresAt),
			}
		})}, nil
}

type sessionInput struct {
	Session string `path:"sessionId"`
}

// endSession signs the caller out of one session.
func (h *Handlers) endSession(ctx context.Context, in *sessionInput) (*operation.Nothing, error) {
	if err := h.Accounts.EndSessionAs(ctx, operation.Caller(ctx), in.Session); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

// endOtherSessions signs the caller out of all sessions but the one that asks.
func (h *Handlers) endOtherSessions(ctx context.Context, _ *noInput) (*operation.Nothing, error) {
	caller := operation.Caller(ctx)
	if _, err := h.Accounts.EndSessionsBut(ctx, caller); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}
