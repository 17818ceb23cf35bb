package api

import (
	"maps"
	"net/http"
	"slices"
)

// tokenOperations are those of a user's own tokens.
func (a *API) tokenOperations() []operation {
	const (
		list = "/v1/user/tokens"
		one  = list + "/{tokenId}"
		tag  = "Users"
	)
	return []operation{
		row("listTokens", get, list, tag, "List your tokens", a.listTokens, describe("The oldest first, revoked and expired ones too, without their secrets.")),
		row("createToken", post, list, tag, "Create a token", a.createToken, status(http.StatusCreated), may(http.StatusPreconditionFailed),
			describe("The answer holds its secret, which is shown this once. A token passes on no more than it has itself; in a browser's session you have to have signed in lately.")),
		row("getToken", get, one, tag, "Get a token", a.getToken),
		row("revokeToken", remove, one, tag, "Revoke a token", a.revokeToken, status(http.StatusNoContent),
			describe("It lets nobody in from now on, and stays in the list.")),
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
