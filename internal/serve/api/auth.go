package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// authenticate returns the middleware of an operation: it lets calls with a valid token of the scope through and puts
// the caller in the context.
func (a *API) authenticate(op operation.Operation) func(huma.Context, func(huma.Context)) {
	scope, agents := op.Scope, op.Agents
	return func(ctx huma.Context, next func(huma.Context)) {
		if secret, found := bearer(ctx.Header("Authorization")); found && audience.IsVisitToken(secret) {
			a.visit(secret, op, ctx, next)
			return
		}
		a.authenticateFor(scope, agents, ctx, next)
	}
}

// visit lets a call with the token of a visit through to an operation that such tokens may call.
func (a *API) visit(secret string, op operation.Operation, ctx huma.Context, next func(huma.Context)) {
	visit, err := a.visits.Do(ctx.Context(), secret, a.Audiences.Visit)
	if err == nil && !visit.Ends.IsZero() && !a.Now().Before(visit.Ends) {
		visit, err = a.Audiences.Visit(ctx.Context(), secret) // kept while nothing changed but the time
	}
	if err == nil && (op.Visit == nil || visit.Preview != nil && !op.Previews) {
		err = operation.NotOfVisit()
	}
	if err != nil {
		a.refuse(ctx, err)
		return
	}
	if !a.allow(ctx, a.Limits.PerVisit, string(visit.Served.Site.ID)) {
		return
	}
	next(operation.WithVisit(ctx, visit))
}

// identifyOptionally returns the middleware of an operation that answers everybody, and knows those who say who they
// are. Its calls count apart from people's.
func (a *API) identifyOptionally(op operation.Operation) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, _ := humago.Unwrap(ctx)
		if ctx.Header("Authorization") == "" && a.SessionCookie.Read(r) == "" {
			if a.allow(ctx, a.Limits.PerLookup, httpx.AddressKey(httpx.ClientAddress(ctx.Context()))) {
				next(ctx)
			}
			return
		}
		caller, err := a.identify(ctx)
		if err == nil && caller.IsAgent() {
			err = agentMay(ctx, caller.Agent, op.Agents)
		}
		if err == nil && !caller.Token.Allows(op.Scope) {
			err = errs.Forbiddenf("This token does not cover %s. Make one with that scope, or one without scopes.",
				op.Scope)
		}
		if err != nil {
			a.refuse(ctx, err)
			return
		}
		if a.allow(ctx, a.Limits.PerLookup, caller.Token.ID) {
			next(operation.WithCaller(ctx, caller))
		}
	}
}

func (a *API) authenticateFor(scope string, agents []string, ctx huma.Context, next func(huma.Context)) {
	caller, err := a.identify(ctx)
	if err != nil {
		a.refuse(ctx, err)
		return
	}
	httpx.ProveBody(ctx.Context())
	if caller.IsAgent() {
		if err := agentMay(ctx, caller.Agent, agents); err != nil {
			a.refuse(ctx, err)
			return
		}
	}
	if !caller.Token.Allows(scope) {
		a.refuse(ctx, errs.Forbiddenf("This token does not cover %s. Make one with that scope, or one without scopes.",
			scope))
		return
	}
	if !a.allow(ctx, a.Limits.PerToken, caller.Token.ID) {
		return
	}
	next(operation.WithCaller(ctx, caller))
}

// identify returns who calls: by the token of the Authorization header, or, in requests without that header, by the
// session of the browser. The two never mix.
func (a *API) identify(ctx huma.Context) (account.Caller, error) {
	if header := ctx.Header("Authorization"); header != "" {
		if secret, found := bearer(header); found {
			authenticate := a.Accounts.Authenticate
			if strings.HasPrefix(secret, integration.TokenPrefix) {
				authenticate = a.Integrations.Authenticate
			}
			caller, err := a.callers.Do(ctx.Context(), secret, authenticate)
			if expires := caller.Token.ExpiresAt; err == nil && !expires.IsZero() && !a.Now().Before(expires) {
				// The answer was kept while nothing changed but the time.
				return authenticate(ctx.Context(), secret)
			}
			return caller, err
		}
		return account.Caller{}, noToken()
	}
	r, w := humago.Unwrap(ctx)
	secret := a.SessionCookie.Read(r)
	if secret == "" {
		return account.Caller{}, noToken()
	}
	// The browser sends the cookie whoever made the page that asks, so only this server's own pages count.
	if !httpx.SameOrigin(r) {
		return account.Caller{}, errs.Forbiddenf("A session can only be used by pages of this server itself. Send a " +
			"token instead: Authorization: Bearer <token>.")
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Add("Vary", "Cookie")
	// Not among the tokens: what was answered to a cookie must not be answered to a token of the same text, or the
	// other way round.
	caller, err := a.sessions.Do(ctx.Context(), secret, a.Accounts.AuthenticateSession)
	if err != nil {
		return account.Caller{}, err
	}
	renewed, err := a.Accounts.RenewSession(ctx.Context(), caller.Session)
	if err != nil {
		return account.Caller{}, err
	}
	if renewed != "" {
		a.SessionCookie.Set(w, renewed, caller.Session.ExpiresAt)
	}
	return caller, nil
}

// agentMay refuses an integration what the table of operations does not let integrations do, and what is not its own:
// each id in the address has to be that of what it is, or of what it is installed on. What the domain checks is checked
// again there.
func agentMay(ctx huma.Context, agent account.Agent, scopes []string) error {
	switch {
	case scopes == nil:
		return errs.Forbiddenf("Integrations do not call this operation; use the token of a person.")
	case !slices.Contains(scopes, "") && !agent.Has(scopes...):
		return errs.Forbiddenf("The manifest of this integration has to name one of the scopes %s for this.",
			strings.Join(scopes, ", "))
	}
	installation := ctx.Param("installationId")
	organization, space, site := ctx.Param("organizationId"), ctx.Param("spaceId"), ctx.Param("siteId")
	name := ctx.Param("integrationName")
	switch {
	case name != "" && !strings.EqualFold(name, agent.Name),
		installation != "" && agent.Installation != "" && installation != agent.Installation,
		organization != "" && organization != string(agent.Organization),
		space != "" && installation == "" && !agent.ReachesSpace(id.Space(space)),
		site != "" && installation == "" && !agent.ReachesSite(id.Site(site)):
		return errs.NotFoundf("There is no such thing, or this integration is not installed on it.")
	}
	return nil
}

func noToken() error {
	return errs.New(errs.Unauthorized,
		"This operation needs a token. Send the header Authorization: Bearer <token>; recto token create makes one.")
}

// limitAddress bounds calls that need no token.
func (a *API) limitAddress(ctx huma.Context, next func(huma.Context)) {
	if a.allow(ctx, a.Limits.PerAddress, httpx.AddressKey(httpx.ClientAddress(ctx.Context()))) {
		next(ctx)
	}
}

// bearer cuts the token out of an Authorization header; the scheme's case does not matter (RFC 9110 §11.1).
func bearer(header string) (secret string, found bool) {
	scheme, secret, found := strings.Cut(header, " ")
	secret = strings.TrimSpace(secret)
	return secret, found && strings.EqualFold(scheme, "Bearer") && secret != ""
}

// refuse answers with an error before the handler ran. Bad tokens count against the address, so that guessing is slow.
func (a *API) refuse(ctx huma.Context, err error) {
	_, w := humago.Unwrap(ctx)
	body, defect := failure.Of(err)
	if defect {
		failure.Log(ctx.Context(), a.Log, ctx.Operation().OperationID, err)
	}
	if body.Info.Code == http.StatusUnauthorized && !a.allow(ctx, a.Limits.PerAddress,
		httpx.AddressKey(httpx.ClientAddress(ctx.Context()))) {
		return
	}
	failure.Write(w, body)
}

// allow takes a token of the key's bucket and tells the client what is left of it. When there is none it has answered
// 429 and returns false.
func (a *API) allow(ctx huma.Context, limiter *httpx.Limiter, key string) bool {
	if limiter == nil {
		return true
	}
	_, w := humago.Unwrap(ctx)
	decision := limiter.Allow(key)
	decision.SetHeaders(w.Header())
	if !decision.OK {
		wait := w.Header().Get("Retry-After")
		failure.Write(w, failure.New(http.StatusTooManyRequests, "Too many requests. Wait "+wait+" s and try again."))
	}
	return decision.OK
}
