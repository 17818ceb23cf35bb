package api

import (
	"maps"
	"net/http"
	"slices"
)

// tokenOperations are those of a user's own tokens and sessions.
func (a *API) tokenOperations() []operation {
	const (
		list = "/v1/user/tokens"
		one  = list + "/{tokenId}"
		all  = "/v1/user/sessions"
		tag  = "Users"
	)
	return []operation{
		row("listTokens", get, list, tag, "List your tokens", a.listTokens,
			describe("The oldest first, revoked and expired ones too, without their secrets.")),
		row("createToken", post, list, tag, "Create a token", a.createToken, status(http.StatusCreated),
			may(http.StatusPreconditionFailed),
			describe("The answer holds its secret, which is shown this once. A token passes on no more than it has "+
				"itself; in a browser's session you have to have signed in lately.")),
		row("getToken", get, one, tag, "Get a token", a.getToken),
		row("revokeToken", remove, one, tag, "Revoke a token", a.revokeToken, status(http.StatusNoContent),
			describe("It lets nobody in from now on, and stays in the list.")),
		row("listSessions", get, all, tag, "List your sessions", a.listSessions,
			describe("The browsers in which you are signed in, the oldest first.")),
		row("endSession", remove, all+"/{sessionId}", tag, "Sign out of a session", a.endSession,
			status(http.StatusNoContent)),
		row("endOtherSessions", remove, all, tag, "Sign out everywhere else", a.endOtherSessions,
			status(http.StatusNoContent),
			describe("Of all sessions but the one that asks; a token ends all of them.")),
	}
}

// Scopes returns the scopes that a token may have: those of the table of operations.
func Scopes() []string {
	scopes := map[string]bool{}
	for _, op := range new(API).operations() {
		if op.audience == authenticated && op.scope != "" {
			scopes[op.scope] = true
		}
	}
	return slices.Sorted(maps.Keys(scopes))
}
