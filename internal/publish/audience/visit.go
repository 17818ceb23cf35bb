package audience

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/site"
)

// Visit is what a site makes of somebody who brings a token and claims, for those who ask on a visitor's behalf.
type Visit struct {
	// Claims are what conditions see. They are there whether the site's content adapts or not.
	Claims map[string]any
	// Signed says that the token counts; Problem is what is wrong with one that does not.
	Signed  bool
	Problem error
	// Readable are the spaces that a member's token lets them read, by their ids; nil for all.
	Readable map[string]bool
	// Context changes when something changes that the site's content may depend on; "" for visitors without a token
	// that counts.
	Context string
	// SignIn is where a visitor without a token is sent, "" for nowhere.
	SignIn string
}

// Visit reads a visitor's token and the claims that they make up; either may be empty. What the parameters of an
// address say counts as on the site: claims over those that are given, a token where there is none.
func (s *Service) Visit(ctx context.Context, served site.Served, token string, unsigned map[string]any,
	query url.Values) (Visit, error) {
	rules, err := s.Rules(ctx, served.Site)
	if err != nil {
		return Visit{}, err
	}
	visit := Visit{SignIn: rules.FallbackURL}
	token = cmp.Or(token, query.Get(TokenParameter))
	if said, found := rules.Schema.QueryClaims(query); found {
		unsigned = Merge(unsigned, said)
	}
	var found Token
	if token != "" {
		var problem error
		found, problem = rules.Verify(token, s.deps.Now())
		if problem == nil {
			visit.Readable, err = s.Readable(ctx, found, &served)
			switch {
			case errs.Is(err, errs.NotFound):
				found, problem = Token{}, ErrTokenInvalid
			case err != nil:
				return Visit{}, err
			}
		}
		visit.Signed, visit.Problem = problem == nil, problem
	}
	visit.Claims = rules.Schema.Visitor(found, unsigned)
	if visit.Signed {
		visit.Context, err = visit.context(served.Site)
	}
	return visit, err
}

// context is a text that two visits of a site share when their claims are the same, and what they may read.
func (v *Visit) context(of site.Site) (string, error) {
	known := []any{of.ID, v.Readable}
	if of.AdaptiveContent {
		known = append(known, v.Claims)
	}
	text, err := json.Marshal(known)
	if err != nil {
		return "", fmt.Errorf("encode claims: %w", err)
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:18]), nil
}

// Meets decides a condition on a section or a variant for a visitor's claims, as Schema.Visitor returns them: it knows
// of no page and no space.
func Meets(claims map[string]any, condition string) bool {
	program, err := expr.Parse(condition)
	variables := map[string]any{"visitor": map[string]any{"claims": claims}}
	return err == nil && render.Outcome(context.Background(), program, true, variables) == render.Holds
}

// SignInAt returns where a visitor signs in who asked for a location, a path below the site's root with a slash in
// front.
func SignInAt(fallback, location string) string {
	parsed, err := url.Parse(fallback)
	if err != nil {
		return fallback // it was checked when it was stored
	}
	query := parsed.Query()
	query.Set("location", location)
	parsed.RawQuery = query.Encode()
	return parsed.String()
}
