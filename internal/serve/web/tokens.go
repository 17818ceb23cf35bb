package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
)

// tokensContent is what the page of tokens shows.
type tokensContent struct {
	Fresh  bool
	Tokens []shownToken
	// Programs are those that the caller has let in.
	Programs []shownProgram
	Scopes   []scopeGroup
	// Name, Chosen and Days are what was typed, and Problem what was wrong with it.
	Name    string
	Days    int
	Problem string
	// Only is the title of the organization that tokens open which are made here; "" for all that the caller may.
	Only string
	// Secret is that of a token that was just made, named Made.
	Secret, Made string
}

type shownToken struct {
	account.Token
	Used, Limits string
	// Only is the title of the one organization that it opens; "" for all.
	Only    string
	Expired bool
}

// scopeGroup is a resource with what a token may do with it.
type scopeGroup struct {
	Resource string
	Scopes   []shownScope
}

type shownScope struct {
	Scope, Verb string
	Chosen      bool
}

// lifetimes are the days that the form offers; 0 is for ever.
var lifetimes = []int{7, 30, 90, 365, 0}

// tokensPage lists the tokens that work or expired, the newest first.
func (s *Server) tokensPage(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	return s.showTokens(w, r, caller, http.StatusOK, tokensContent{Days: 90}, nil)
}

func (s *Server) showTokens(w http.ResponseWriter, r *http.Request, caller account.Caller, status int,
	content tokensContent, chosen []string) error {
	tokens, err := s.Accounts.ListTokens(r.Context(), caller, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		return err
	}
	now := s.Now()
	content.Fresh, content.Scopes = caller.Session.Fresh(now), s.scopeGroups(chosen)
	for _, each := range slices.Backward(tokens.Items) {
		if !each.RevokedAt.IsZero() {
			continue
		}
		shown := shownToken{Token: each, Used: used(now, each.LastUsedAt), Limits: strings.Join(each.Scopes, ", "),
			Expired: !each.ExpiresAt.IsZero() && !now.Before(each.ExpiresAt)}
		if shown.Only, err = s.onlyOpens(r.Context(), each.VouchedBy); err != nil {
			return err
		}
		content.Tokens = append(content.Tokens, shown)
	}
	if content.Only, err = s.onlyOpens(r.Context(), caller.VouchedBy()); err != nil {
		return err
	}
	if content.Programs, err = s.programs(r, caller); err != nil {
		return err
	}
	s.account(w, r, caller, status, "tokens", "API tokens", "copy.js", content)
	return nil
}

// scopeGroups sorts the scopes by resource.
func (s *Server) scopeGroups(chosen []string) []scopeGroup {
	var groups []scopeGroup
	for _, scope := range s.Scopes {
		resource, verb, _ := strings.Cut(scope, ":")
		if len(groups) == 0 || groups[len(groups)-1].Resource != resource {
			groups = append(groups, scopeGroup{Resource: resource})
		}
		last := &groups[len(groups)-1]
		last.Scopes = append(last.Scopes, shownScope{Scope: scope, Verb: verb, Chosen: slices.Contains(chosen, scope)})
	}
	return groups
}

// createToken makes a token and shows its secret, once.
func (s *Server) createToken(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	if err := r.ParseForm(); err != nil {
		return errs.Wrap(err, errs.Invalid, "The form is not readable or too large.")
	}
	content := tokensContent{Name: r.PostForm.Get("name")}
	var err error
	if content.Days, err = strconv.Atoi(r.PostForm.Get("days")); err != nil || !slices.Contains(lifetimes,
		content.Days) {
		return errs.Invalidf("days", "is none of the choices")
	}
	wanted := account.NewToken{Name: content.Name, Scopes: r.PostForm["scope"]}
	if content.Days > 0 {
		wanted.ExpiresAt = s.Now().Add(time.Duration(content.Days) * 24 * time.Hour).Truncate(time.Microsecond)
	}
	secret, token, err := s.Accounts.CreateTokenAs(r.Context(), caller, wanted)
	if errs.Is(err, errs.Invalid) {
		content.Problem = problem(err)
		return s.showTokens(w, r, caller, http.StatusBadRequest, content, wanted.Scopes)
	}
	if err != nil {
		return again(w, r, "/account/tokens", err)
	}
	return s.showTokens(w, r, caller, http.StatusOK, tokensContent{Days: 90, Secret: secret, Made: token.Name}, nil)
}

// revokeToken ends a token.
func (s *Server) revokeToken(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	if err := s.Accounts.RevokeTokenAs(r.Context(), caller, r.PathValue("token")); err != nil {
		return err
	}
	redirect(w, "/account/tokens?done=token")
	return nil
}
