package web

import (
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
)

// setupCodeBytes is how many bytes of a secret a setup code shows: 80 bits, which nobody guesses.
const setupCodeBytes = 10

// SetupCode writes a secret of at least 10 bytes as the code that whoever sets a server up has to know:
// "ABCD-EFGH-2345-6723".
func SetupCode(secret []byte) string {
	text := base32.StdEncoding.EncodeToString(secret[:setupCodeBytes])
	var groups []string
	for ; len(text) > 0; text = text[4:] {
		groups = append(groups, text[:4])
	}
	return strings.Join(groups, "-")
}

// SetupAddress is where the first person sets up the server at an address.
func SetupAddress(baseURL, code string) string {
	return strings.TrimRight(baseURL, "/") + "/setup?code=" + url.QueryEscape(code)
}

// setupContent is what the page that sets a server up shows.
type setupContent struct {
	Code, CodeProblem string
	// Problem is what is wrong with the whole form.
	Problem string
	Fields  []formField
	// Elsewhere says that the server takes another address for its own.
	Elsewhere string
}

// formField is a field of a form with what is wrong with it.
type formField struct {
	Name, Label, Type, Autocomplete, Value, Hint, Problem string
	MaxLength                                             int
}

// setupFields are the fields of the form beside the code, with what was typed and what is wrong, by their names.
func setupFields(typed url.Values, problems map[string]string) []formField {
	fields := []formField{
		{Name: "title", Label: "Organization", Type: "text", Autocomplete: "organization", MaxLength: 256,
			Hint: "The name of your team or company. You can change it later."},
		{Name: "name", Label: "Your name", Type: "text", Autocomplete: "name", MaxLength: 256},
		{Name: "email", Label: "E-mail address", Type: "email", Autocomplete: "username", MaxLength: 254},
		{Name: "password", Label: "Password", Type: "password", Autocomplete: "new-password", MaxLength: 1024,
			Hint: "At least 8 characters. Passwords that many people have are refused."},
	}
	for i := range fields {
		field := &fields[i]
		field.Problem = problems[field.Name]
		if field.Type != "password" { // a page never shows one
			field.Value = typed.Get(field.Name)
		}
	}
	return fields
}

// isSetUp reports whether the server has an organization. It asks the database until that has one.
func (s *Server) isSetUp(r *http.Request) (bool, error) {
	if s.begun.Load() {
		return true, nil
	}
	begun, err := s.Organizations.IsSetUp(r.Context())
	if err == nil && begun {
		s.begun.Store(true)
	}
	return begun, err
}

// setupPage asks for the first organization and its admin.
func (s *Server) setupPage(w http.ResponseWriter, r *http.Request) error {
	begun, err := s.isSetUp(r)
	if err != nil {
		return err
	}
	if begun {
		redirect(w, "/")
		return nil
	}
	s.showSetup(w, r, http.StatusOK, url.Values{"code": {r.FormValue("code")}}, nil)
	return nil
}

// showSetup shows the form with what was typed and what is wrong by the field that it is about; "" is the whole form.
func (s *Server) showSetup(w http.ResponseWriter, r *http.Request, status int, typed url.Values,
	problems map[string]string) {
	s.render(w, r, status, "setup", view{Title: "Set up", Content: setupContent{
		Code: typed.Get("code"), CodeProblem: problems["code"], Problem: problems[""],
		Fields: setupFields(typed, problems), Elsewhere: s.elsewhere(r),
	}})
}

// setUp makes the first organization and signs its admin in. Nothing is said about the rest of the form to somebody
// who does not know the code.
func (s *Server) setUp(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return errs.Wrap(err, errs.Invalid, "The form is not readable or too large.")
	}
	begun, err := s.isSetUp(r)
	if err != nil {
		return err
	}
	if begun {
		return setUpAlready()
	}
	form := r.PostForm
	if !sameCode(form.Get("code"), s.SetupCode) {
		s.showSetup(w, r, http.StatusForbidden, form,
			map[string]string{"code": "That is not the code that the server printed."})
		return nil
	}
	if problems := emptyFields(form, "title", "name", "email", "password"); len(problems) > 0 {
		s.showSetup(w, r, http.StatusBadRequest, form, problems)
		return nil
	}
	made, err := s.Organizations.SetUp(r.Context(), org.Setup{Title: strings.TrimSpace(form.Get("title")),
		Name: strings.TrimSpace(form.Get("name")), Email: strings.TrimSpace(form.Get("email"))}, form.Get("password"))
	switch {
	case errs.Is(err, errs.Conflict):
		return setUpAlready()
	case errs.Is(err, errs.Invalid):
		s.showSetup(w, r, http.StatusBadRequest, form, fieldProblems(err))
		return nil
	case err != nil:
		return err
	}
	s.begun.Store(true)
	who := account.Identified{User: made.User}
	s.Sessions.remember(w, who)
	return s.Sessions.SignIn(w, r, who, account.ByPassword, afterSignIn)
}

// setUpAlready is what somebody reads who comes second.
func setUpAlready() error {
	return errs.Conflictf("This server is set up already. Sign in, or ask its administrator to invite you.")
}

// sameCode compares codes as people type them: without regard to case, dashes and spaces.
func sameCode(typed, code string) bool {
	bare := strings.NewReplacer("-", "", " ", "")
	return code != "" && subtle.ConstantTimeCompare([]byte(strings.ToUpper(bare.Replace(typed))),
		[]byte(bare.Replace(code))) == 1
}

// emptyFields names the fields of a form in which nothing stands.
func emptyFields(form url.Values, names ...string) map[string]string {
	problems := map[string]string{}
	for _, name := range names {
		if strings.TrimSpace(form.Get(name)) == "" {
			problems[name] = "Fill this in."
		}
	}
	return problems
}

// fieldProblems returns what a refusal says about each field of a form.
func fieldProblems(err error) map[string]string {
	refused, ok := errors.AsType[*errs.Error](err)
	if !ok || len(refused.Details) == 0 {
		return map[string]string{"": message(err)}
	}
	problems := map[string]string{}
	for _, detail := range refused.Details {
		name, known := map[string]string{"displayName": "name"}[detail.Path]
		if !known {
			name = detail.Path
		}
		problems[name] = "This " + detail.Message + "."
	}
	return problems
}
