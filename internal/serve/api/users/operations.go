package users

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those of users, and of a user's own tokens, sessions and programs.
func (h *Handlers) Operations() []operation.Operation {
	const (
		list = "/v1/user/tokens"
		one  = list + "/{tokenId}"
		all  = "/v1/user/sessions"
		let  = "/v1/user/programs"
		tag  = "Users"
	)
	return []operation.Operation{
		operation.New("getAuthenticatedUser", http.MethodGet, "/v1/user", "Users", "Get the user of the token",
			h.getUser),
		operation.New("getUserById", http.MethodGet, "/v1/users/{userId}", "Users", "Get a user", h.getUserByID,
			operation.Describe("You, or somebody who belongs to an organization of yours.")),
		operation.New("updateUserById", http.MethodPatch, "/v1/users/{userId}", "Users", "Change your account",
			h.updateUser,
			operation.Describe("Only your own.")),

		operation.New("listTokens", http.MethodGet, list, tag, "List your tokens", h.listTokens,
			operation.Describe("The oldest first, revoked and expired ones too, without their secrets.")),
		operation.New("createToken", http.MethodPost, list, tag, "Create a token", h.createToken,
			operation.Status(http.StatusCreated),
			operation.May(http.StatusPreconditionFailed),
			operation.Describe(
				"The answer holds its secret, which is shown this once. A token passes on no more than it has "+
					"itself; in a browser's session you have to have signed in lately.")),
		operation.New("getToken", http.MethodGet, one, tag, "Get a token", h.getToken),
		operation.New("revokeToken", http.MethodDelete, one, tag, "Revoke a token", h.revokeToken,
			operation.Status(http.StatusNoContent),
			operation.Describe("It lets nobody in from now on, and stays in the list.")),
		operation.New("listSessions", http.MethodGet, all, tag, "List your sessions", h.listSessions,
			operation.Describe("The browsers in which you are signed in, the oldest first.")),
		operation.New("endSession", http.MethodDelete, all+"/{sessionId}", tag, "Sign out of a session", h.endSession,
			operation.Status(http.StatusNoContent)),
		operation.New("endOtherSessions", http.MethodDelete, all, tag, "Sign out everywhere else", h.endOtherSessions,
			operation.Status(http.StatusNoContent),
			operation.Describe("Of all sessions but the one that asks; a token ends all of them.")),
		operation.New("listPrograms", http.MethodGet, let, tag, "List the programs that you let in", h.listPrograms,
			operation.Describe("Those that act for you by OAuth, the newest first.")),
		operation.New("endProgram", http.MethodDelete, let+"/{programId}", tag, "Sign a program out", h.endProgram,
			operation.Status(http.StatusNoContent),
			operation.Describe("All of its tokens end at once; it has to ask you again.")),
	}
}
