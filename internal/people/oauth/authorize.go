package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Bounds of what a program may ask.
const (
	maxState  = 500
	maxScopes = 50
)

// Request is what a program asks a person for. It is made by ReadRequest.
type Request struct {
	// Client is the program; nothing that it says of itself is proven.
	Client Client
	// Scopes are what it asks for; none means all that the person may do.
	Scopes []string
	// RedirectURI is where the answer goes, and Origin that address without its path.
	RedirectURI, Origin string

	state, challenge string
}

// RequestParameters are those of a request that are read, and that a form carries on.
var RequestParameters = []string{"response_type", "client_id", "redirect_uri", "code_challenge",
	"code_challenge_method", "state", "scope"}

// protocolScopes are asked for by libraries of OpenID Connect out of habit, and name nothing here.
var protocolScopes = []string{"openid", "profile", "email", "offline_access"}

// ReadRequest reads what a program asks. An error that is a *Refusal goes back to the program, at the address that
// Answer makes of the request; any other error is for the person alone, because nothing says that the address is the
// program's.
func (s *Service) ReadRequest(ctx context.Context, values url.Values) (Request, error) {
	for _, name := range RequestParameters {
		if len(values[name]) > 1 {
			return Request{}, errs.New(errs.Invalid,
				"The program has said %s twice, so it is not clear what it means. Start again from the program.", name)
		}
	}
	client, found, err := clientByID(ctx, s.db.Read(), values.Get("client_id"))
	if err != nil {
		return Request{}, err
	}
	if !found {
		return Request{}, errs.NotFoundf("This server does not know the program that has sent you here, or knows it " +
			"no more. Sign in from the program again; if that leads here once more, remove what it has kept of " +
			"this server.")
	}
	uri, ok := parseRedirectURI(values.Get("redirect_uri"))
	if !ok || !uri.registered(client) {
		return Request{}, errs.New(errs.Invalid,
			"The program wants the answer at an address that it has not registered, so nothing was sent there.")
	}
	request := Request{Client: client, RedirectURI: values.Get("redirect_uri"), Origin: uri.origin(),
		challenge: values.Get("code_challenge")}
	if state := values.Get("state"); len(state) > maxState {
		return request, refuse(InvalidRequest, "state: at most %d bytes are accepted", maxState)
	}
	request.state = values.Get("state")
	switch {
	case values.Get("response_type") != "code":
		return request, refuse(UnsupportedAnswer, "response_type: only code is accepted")
	case values.Get("code_challenge_method") != "S256":
		return request, refuse(InvalidRequest, "code_challenge_method: PKCE with S256 is required")
	case !validChallenge(request.challenge):
		return request, refuse(InvalidRequest, "code_challenge: the base64url form of a SHA-256 is required")
	}
	request.Scopes, err = s.readScopes(values.Get("scope"))
	return request, err
}

// readScopes returns the scopes that are asked for. Unknown ones are passed over, as RFC 6749 §3.3 lets a server do,
// unless nothing remains: no scope at all would mean everything.
func (s *Service) readScopes(text string) ([]string, error) {
	asked := strings.Fields(text)
	if len(asked) > maxScopes {
		return nil, refuse(InvalidScope, "scope: at most %d are accepted", maxScopes)
	}
	asked = slices.DeleteFunc(asked, func(scope string) bool { return slices.Contains(protocolScopes, scope) })
	known := slices.DeleteFunc(slices.Clone(asked), func(scope string) bool {
		return s.accounts.CheckScopes([]string{scope}) != nil
	})
	if len(known) == 0 && len(asked) > 0 {
		return nil, refuse(InvalidScope, "scope: none of them is one of this server; its metadata lists those that are")
	}
	return slices.Compact(slices.Sorted(slices.Values(known))), nil
}

// validChallenge reports whether a text can be the S256 challenge of PKCE.
func validChallenge(text string) bool {
	sum, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return err == nil && len(sum) == sha256.Size
}

// Answer returns the address at which a program gets the answer to its request: parameters in pairs of name and value,
// with its state and the issuer (RFC 9207).
func (r Request) Answer(issuer string, parameters ...string) string {
	query := url.Values{"iss": {issuer}}
	if r.state != "" {
		query.Set("state", r.state)
	}
	for i := 0; i+1 < len(parameters); i += 2 {
		query.Set(parameters[i], parameters[i+1])
	}
	separator := "?"
	if strings.Contains(r.RedirectURI, "?") {
		separator = "&"
	}
	return r.RedirectURI + separator + query.Encode()
}

// purpose is what a form is good for: exactly this request, in this session.
func (r Request) purpose(caller account.Caller) string {
	parts, err := json.Marshal([]any{caller.Session.ID, r.Client.ID, r.RedirectURI, r.Scopes, r.state, r.challenge})
	if err != nil {
		panic(err) // texts can be encoded
	}
	return "oauth form " + string(parts)
}

// Form returns what the form of the page that asks has to carry, so that nobody agrees who has not seen it.
func (s *Service) Form(caller account.Caller, request Request) string {
	return s.forms.Issue(string(caller.User.ID), request.purpose(caller), agreeLife)
}

// Agree notes that the caller lets the program in, in a session of late and by the form that Form has signed, and
// returns the code for the program.
func (s *Service) Agree(ctx context.Context, caller account.Caller, request Request, form string) (string, error) {
	user, _, ok := s.forms.User(form, request.purpose(caller))
	if !ok || user != string(caller.User.ID) {
		return "", errs.Forbiddenf("The page was open for too long, or is another one's. Start again from the program.")
	}
	if !caller.Session.Fresh(s.now()) {
		return "", account.NotFresh()
	}
	scopes, err := json.Marshal(request.Scopes)
	if err != nil {
		return "", fmt.Errorf("encode scopes: %w", err)
	}
	code, now := codeSecrets.New(), s.moment()
	authorizationID := id.New("authorization")
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `
			INSERT INTO oauth_authorization (id, client_id, user_id, scopes, redirect_uri, challenge, code_hash,
			code_expires_at, vouched_by, through, created_at, refreshed_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $8)`,
			authorizationID, request.Client.ID, caller.User.ID, string(scopes), request.RedirectURI,
			request.challenge, secrets.Hash(code), now.Add(codeLife).UnixMicro(), caller.VouchedBy(),
			caller.Through(), now.UnixMicro())
		if db.IsForeignKey(err) {
			return errs.NotFoundf("The program is not known here any more. Start again from the program.")
		}
		if err != nil {
			return fmt.Errorf("insert authorization: %w", err)
		}
		return s.record(ctx, q, "authorization.create", caller.User.ID, authorizationID, request.Client.Name,
			map[string]any{"scopes": request.Scopes, "client": request.Client.ID})
	})
	if err != nil {
		return "", err
	}
	return code, nil
}

// record writes an entry about an authorization.
func (s *Service) record(ctx context.Context, q db.Querier, action string, user id.User, authorizationID, name string,
	details map[string]any) error {
	return s.accounts.RecordIn(ctx, q, user, audit.Entry{Action: action, Details: details,
		Target: audit.Target{Kind: "authorization", ID: authorizationID, Title: name}})
}
