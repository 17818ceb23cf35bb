package api

import (
	"context"

	"github.com/rectodocs/recto/internal/people/account"
)

// Session is somebody signed in in one browser.
type Session struct {
	Object     string `json:"object" enum:"session"`
	ID         string `json:"id"`
	Method     string `json:"method" enum:"password,passkey,link,saml,oidc" doc:"How they signed in."`
	Address    string `json:"address,omitempty" doc:"Where the sign-in came from."`
	Agent      string `json:"agent" doc:"What the browser calls itself."`
	Current    bool   `json:"current" doc:"Whether it is the session that asks."`
	CreatedAt  string `json:"createdAt" format:"date-time"`
	VouchedBy  string `json:"vouchedBy,omitempty" doc:"The id of the organization whose identity provider alone vouches for the sign-in: the session opens that organization only. Absent when it opens all that its user may."`
	LastSeenAt string `json:"lastSeenAt" format:"date-time" doc:"To the minute."`
	ExpiresAt  string `json:"expiresAt" format:"date-time" doc:"When it ends at the latest; without use it ends 14 days after lastSeenAt."`
}

// listSessions lists where the caller is signed in.
func (a *API) listSessions(ctx context.Context, in *listInput) (*body[List[Session]], error) {
	caller := callerOf(ctx)
	name := "sessions/" + caller.User.ID
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	sessions, err := a.Accounts.ListSessions(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	return &body[List[Session]]{Body: *listed(a, name, sessions, func(s account.Session) Session {
		return Session{
			Object: "session", ID: s.ID, Method: string(s.Method), Address: s.Address, Agent: s.Agent,
			Current: s.ID == caller.Session.ID, VouchedBy: s.VouchedBy,
			CreatedAt: timestamp(s.CreatedAt), LastSeenAt: timestamp(s.SeenAt), ExpiresAt: timestamp(s.ExpiresAt),
		}
	})}, nil
}

type sessionInput struct {
	Session string `path:"sessionId"`
}

// endSession signs the caller out of one session.
func (a *API) endSession(ctx context.Context, in *sessionInput) (*nothing, error) {
	if err := a.Accounts.EndSessionAs(ctx, callerOf(ctx), in.Session); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

// endOtherSessions signs the caller out of all sessions but the one that asks.
func (a *API) endOtherSessions(ctx context.Context, _ *noInput) (*nothing, error) {
	caller := callerOf(ctx)
	if _, err := a.Accounts.EndSessionsBut(ctx, caller); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}
