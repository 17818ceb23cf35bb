package users

import (
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Token is an API token without its secret.
type Token struct {
	Object     string          `json:"object" enum:"token"`
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Hint       string          `json:"hint" doc:"The last four characters of the secret."`
	Scopes     []string        `json:"scopes" doc:"What it is limited to; empty for everything that you may do."`
	CreatedAt  string          `json:"createdAt" format:"date-time"`
	ExpiresAt  string          `json:"expiresAt,omitempty" format:"date-time" doc:"Absent when it does not expire."`
	LastUsedAt string          `json:"lastUsedAt,omitempty" format:"date-time" doc:"To the minute; absent when it was never used."`
	RevokedAt  string          `json:"revokedAt,omitempty" format:"date-time"`
	VouchedBy  id.Organization `json:"vouchedBy,omitempty" doc:"The id of the organization whose identity provider alone vouches for the sign-in in which it was made: it opens that organization only. Absent when it opens all that its user may."`
	URLs       TokenURLs       `json:"urls"`
}

// TokenURLs are a token's addresses.
type TokenURLs struct {
	Location string `json:"location" format:"uri"`
}

// NewToken is a token that was just made.
type NewToken struct {
	Token
	Secret string `json:"token" doc:"The secret, shown this once: Authorization: Bearer rct_…"`
}

func (h *Handlers) wireToken(t account.Token) Token {
	answer := Token{
		Object: "token", ID: t.ID, Name: t.Name, Hint: t.Hint, Scopes: t.Scopes, CreatedAt: wire.Timestamp(t.CreatedAt),
		VouchedBy: t.VouchedBy,
		URLs:      TokenURLs{Location: h.Wire.BaseURL + "/v1/user/tokens/" + t.ID},
	}
	if answer.Scopes == nil {
		answer.Scopes = []string{}
	}
	optionally := func(into *string, at time.Time) {
		if !at.IsZero() {
			*into = wire.Timestamp(at)
		}
	}
	optionally(&answer.ExpiresAt, t.ExpiresAt)
	optionally(&answer.LastUsedAt, t.LastUsedAt)
	optionally(&answer.RevokedAt, t.RevokedAt)
	return answer
}
