package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// authorizeContent is what the page shows on which a person lets a program in.
type authorizeContent struct {
	// Client is what the program calls itself, Host where the answer goes, and Email who agrees.
	Client, Host, Email string
	// Allows says in words what the program may do; none for everything.
	Allows []string
	// Only is the title of the one organization that it reaches; "" for all of the caller's.
	Only string
	// Form proves that the page was seen, and Fields repeat the request.
	Form   string
	Fields []hiddenField
}

type hiddenField struct{ Name, Value string }

// authorizePage asks a person whether they let a program in. It asks every time: a program on somebody's computer
// cannot prove that it is the one of last time.
func (s *Server) authorizePage(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return errs.Wrap(err, errs.Invalid, "The address is not readable. Start again from the program.")
	}
	request, err := s.OAuth.ReadRequest(r.Context(), values)
	if err != nil {
		return s.refuseProgram(w, request, err)
	}
	if !caller.Session.Fresh(s.Now()) {
		redirect(w, signInAddress(r.URL.RequestURI()))
		return nil
	}
	content := authorizeContent{Client: request.Client.Name, Host: strings.TrimPrefix(request.Origin, "http://"),
		Email: caller.User.Email, Allows: allows(request.Scopes), Form: s.OAuth.Form(caller, request)}
	if content.Only, err = s.onlyOpens(r.Context(), caller.VouchedBy()); err != nil {
		return err
	}
	for _, name := range oauth.RequestParameters {
		content.Fields = append(content.Fields, hiddenField{name, values.Get(name)})
	}
	// Browsers hold the redirects that follow a form against the policy of its page. A policy cannot name [::1].
	to := request.Origin
	if strings.Contains(to, "[") {
		to = "http:"
	}
	w.Header().Set("Content-Security-Policy", strings.Replace(policy, "form-action 'self'", "form-action 'self' "+to,
		1))
	s.render(w, r, http.StatusOK, "authorize", view{Title: "Let " + request.Client.Name + " in", Content: content})
	return nil
}

// authorize takes a person's answer and sends it to the program.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	if err := r.ParseForm(); err != nil {
		return errs.Wrap(err, errs.Invalid, "The form is not readable or too large.")
	}
	request, err := s.OAuth.ReadRequest(r.Context(), r.PostForm)
	if err != nil {
		return s.refuseProgram(w, request, err)
	}
	if r.PostForm.Get("answer") != "allow" {
		s.tellProgram(w, request, "error", oauth.AccessDenied, "error_description", "The person said no.")
		return nil
	}
	code, err := s.OAuth.Agree(r.Context(), caller, request, r.PostForm.Get("form"))
	if err != nil {
		return err
	}
	s.tellProgram(w, request, "code", code)
	return nil
}

// refuseProgram sends an error to the program that it is for, and returns any other one.
func (s *Server) refuseProgram(w http.ResponseWriter, request oauth.Request, err error) error {
	if refusal, ok := errors.AsType[*oauth.Refusal](err); ok && request.RedirectURI != "" {
		s.tellProgram(w, request, "error", refusal.Code, "error_description", refusal.Description)
		return nil
	}
	return err
}

// tellProgram sends the browser to the address of a program, which ReadRequest has found to be its own.
func (s *Server) tellProgram(w http.ResponseWriter, request oauth.Request, parameters ...string) {
	// The address of a code must not be told to what the program shows.
	w.Header().Set("Referrer-Policy", "no-referrer")
	httpx.Redirect(w, http.StatusSeeOther, httpx.ChosenLocation(request.Answer(s.Issuer, parameters...)))
}

// allows says what scopes allow: "Read spaces".
func allows(scopes []string) []string {
	var words []string
	for _, scope := range scopes {
		resource, verb, _ := strings.Cut(scope, ":")
		resource = strings.ReplaceAll(resource, "-", " ")
		switch verb {
		case "read":
			words = append(words, "Read "+resource)
		case "write":
			words = append(words, "Change "+resource)
		default:
			words = append(words, scope)
		}
	}
	return words
}

// shownProgram is a program in the list of those that a person has let in.
type shownProgram struct {
	ID, Name, Limits, Used, Only string
	Since                        oauth.Authorization
}

// programs lists what the caller lets programs do.
func (s *Server) programs(r *http.Request, caller account.Caller) ([]shownProgram, error) {
	list, err := s.OAuth.List(r.Context(), caller, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		return nil, err
	}
	shown := make([]shownProgram, 0, len(list.Items))
	for _, each := range list.Items {
		program := shownProgram{ID: each.ID, Name: each.Client.Name, Limits: strings.Join(allows(each.Scopes), ", "),
			Used: used(s.Now(), each.UsedAt), Since: each}
		if program.Only, err = s.onlyOpens(r.Context(), each.VouchedBy); err != nil {
			return nil, err
		}
		shown = append(shown, program)
	}
	return shown, nil
}

// endProgram ends what the caller let a program do.
func (s *Server) endProgram(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	if err := s.OAuth.End(r.Context(), caller, r.PathValue("authorization")); err != nil {
		return err
	}
	redirect(w, "/account/tokens?done=program")
	return nil
}
