package integration

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Scripts call the API with tokens of two kinds, which this file makes and reads: that of the integration, which opens
// the integration itself and what every installation of it keeps, and that of one installation, which opens besides
// what the organization has installed it on, as far as the scopes of the newest manifest go. A token is signed and not
// kept: it ends by its time, and at once when the integration is unpublished or the installation removed.

// TokenPrefix begins every token of an integration.
const TokenPrefix = "rci_"

// tokenLife is how long a token works: longer than any script runs, and short for one that got into a log.
const tokenLife = time.Hour

// Kinds of tokens, as they stand in one.
const (
	tokenOfIntegration  = "a"
	tokenOfInstallation = "b"
)

// Lengths of the parts of a token behind its prefix and kind.
const (
	tokenIDLength   = 26
	tokenTimeLength = 10
	tokenSignature  = 40
)

// Token returns a token of an integration. It checks nothing: it is for the server, which hands it to the script.
func (s *Service) Token(integrationID id.Integration) string {
	return s.token(tokenOfIntegration, strings.TrimPrefix(string(integrationID), "integration_"))
}

// InstallationToken returns a token of an installation, like Token.
func (s *Service) InstallationToken(installationID string) string {
	return s.token(tokenOfInstallation, strings.TrimPrefix(installationID, "installation_"))
}

func (s *Service) token(kind, of string) string {
	expires := strconv.FormatInt(s.clock().Add(tokenLife).Unix(), 10)
	text := kind + of + strings.Repeat("0", tokenTimeLength-len(expires)) + expires
	return TokenPrefix + text + s.signature("token/" + text)[:tokenSignature]
}

// signature is what only this server can make of a text, in hexadecimal.
func (s *Service) signature(text string) string {
	mac := hmac.New(sha256.New, s.deps.Key)
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// SigningSecret returns the secret that a script and the server share on one level: of an integration by its id, of an
// installation by its id, or of an installation's space or site by both. It stays the same for good.
func (s *Service) SigningSecret(level ...string) string {
	return s.signature("signing/" + strings.Join(level, "/"))
}

func unknownToken() error {
	return errs.New(errs.Unauthorized, "The integration's token is not known here, is over, or its installation was "+
		"removed. Use the one of the environment of this call.")
}

// Authenticate returns the integration that calls with a token.
func (s *Service) Authenticate(ctx context.Context, secret string) (account.Caller, error) {
	text := strings.TrimPrefix(secret, TokenPrefix)
	length := 1 + tokenIDLength + tokenTimeLength
	if len(text) != length+tokenSignature || !strings.HasPrefix(secret, TokenPrefix) ||
		!hmac.Equal([]byte(text[length:]), []byte(s.signature("token/" + text[:length])[:tokenSignature])) {
		return account.Caller{}, unknownToken()
	}
	kind, of := text[:1], text[1:1+tokenIDLength]
	seconds, err := strconv.ParseInt(text[1+tokenIDLength:length], 10, 64)
	expires := time.Unix(seconds, 0).UTC()
	if err != nil || !s.clock().Before(expires) {
		return account.Caller{}, unknownToken()
	}
	agent, err := s.agent(ctx, kind, of)
	if errors.Is(err, db.ErrNoRows) {
		return account.Caller{}, unknownToken()
	}
	if err != nil {
		return account.Caller{}, fmt.Errorf("read the integration of a token: %w", err)
	}
	caller := account.Caller{Agent: agent}
	caller.Token = account.Token{ID: string(agent.Integration), ExpiresAt: expires, VouchedBy: agent.Organization}
	if agent.Installation != "" {
		caller.Token.ID = agent.Installation
	}
	return caller, nil
}

func (s *Service) agent(ctx context.Context, kind, of string) (account.Agent, error) {
	var agent account.Agent
	var scopes string
	q := s.deps.DB.Read()
	if kind == tokenOfIntegration {
		err := q.QueryRowContext(ctx, `SELECT id, name, scopes FROM integration WHERE id = $1 AND published`,
			"integration_"+of).Scan(&agent.Integration, &agent.Name, &scopes)
		if err != nil {
			return account.Agent{}, err
		}
		return agent, readScopes(&agent, scopes)
	}
	var spaces, sites Selection
	var visibility Visibility
	var owner id.Organization
	var target Target
	err := q.QueryRowContext(ctx, `
		SELECT i.id, i.name, i.scopes, i.visibility, i.organization_id, i.target, n.id, n.organization_id,
			n.space_selection, n.site_selection
		FROM integration_installation n JOIN integration i ON i.id = n.integration_id
		WHERE n.id = $1 AND n.parent_id IS NULL AND i.published`, "installation_"+of).
		Scan(&agent.Integration, &agent.Name, &scopes, &visibility, &owner, &target, &agent.Installation,
			&agent.Organization, &spaces, &sites)
	if err != nil {
		return account.Agent{}, err
	}
	if visibility == Private && owner != agent.Organization {
		return account.Agent{}, unknownToken() // paused
	}
	fits := root{target: target}
	for _, each := range []struct {
		kind      Kind
		selection Selection
		into      *string
	}{{OnSpaces, spaces, &agent.Spaces}, {OnSites, sites, &agent.Sites}} {
		switch {
		case !fits.fits(each.kind):
		case each.selection == SelectAll:
			*each.into = account.Everything
		default:
			ids, err := selected(ctx, q, agent.Installation, each.kind)
			if err != nil {
				return account.Agent{}, err
			}
			*each.into = strings.Join(ids, " ")
		}
	}
	return agent, readScopes(&agent, scopes)
}

// selected returns the ids of the spaces or sites that an installation was put on.
func selected(ctx context.Context, q db.Querier, installationID string, kind Kind) ([]string, error) {
	column := string(kind) + `_id`
	return db.All(ctx, q, "list what an installation is on", func(row db.Scanner) (string, error) {
		var one sql.Null[string]
		err := row.Scan(&one)
		return one.V, err
	}, `SELECT `+column+` FROM integration_installation WHERE parent_id = $1 AND `+column+` IS NOT NULL`,
		installationID)
}

func readScopes(agent *account.Agent, encoded string) error {
	var scopes []string
	if err := json.Unmarshal([]byte(encoded), &scopes); err != nil {
		return fmt.Errorf("decode scopes of %s: %w", agent.Integration, err)
	}
	agent.Scopes = strings.Join(scopes, " ")
	return nil
}

// CreateInstallationToken returns a token of an installation for the integration that calls; for nobody else.
func (s *Service) CreateInstallationToken(ctx context.Context, caller account.Caller,
	name, installationID string) (string, error) {
	r, _, err := load(ctx, s.deps.DB.Read(), caller, name, installationID)
	if err != nil {
		return "", err
	}
	if !caller.IsAgent() {
		return "", errs.Forbiddenf("Only the integration itself gets tokens of its installations, with its own token.")
	}
	return s.InstallationToken(r.id), nil
}

// owns reports whether an installation is that of the integration that calls, or one of its own.
func owns(agent account.Agent, r root) bool {
	return agent.Integration == r.integrationID && (agent.Installation == "" || agent.Installation == r.id)
}

// Tokens returns a Service that makes tokens by the key of a server and does nothing else; now may be nil.
func Tokens(key []byte, now func() time.Time) *Service {
	if now == nil {
		now = time.Now
	}
	return &Service{deps: Deps{Key: key, Now: now}}
}
