package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// Federation returns the handler of the addresses of single sign-on, for Deps.Federation.
func Federation(identities *identity.Service) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		f := &federation{Server: s, identities: identities}
		all := http.NewServeMux()
		all.HandleFunc("GET /signin/saml/{provider}", s.page(f.begin(identity.SAML)))
		all.HandleFunc("GET /signin/saml/{provider}/metadata", s.page(f.metadata))
		all.HandleFunc("POST /signin/saml/{provider}/acs", f.receiveSAML)
		all.HandleFunc("GET /signin/oidc/{provider}", s.page(f.begin(identity.OIDC)))
		all.HandleFunc("GET /signin/oidc/{provider}/callback", s.page(f.receiveOIDC))
		all.HandleFunc("GET /signin/sso", s.page(f.choose))
		all.HandleFunc("GET /signin/sso/finish", s.page(f.finish))
		all.HandleFunc("GET /signin/sso/emergency", s.page(f.emergencyPage))
		// Forms of our own pages; those of providers come to the one address above.
		protection := http.NewCrossOriginProtection()
		protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.Refuse(w, r, errs.Forbiddenf(
				"The form came from another site, so nothing was done. Open the page here and try again."))
		}))
		all.Handle("POST /signin/sso/finish", protection.Handler(s.page(f.finish)))
		all.Handle("POST /signin/sso/emergency", protection.Handler(s.page(f.emergency)))
		all.HandleFunc("/", s.page(func(http.ResponseWriter, *http.Request) error {
			return errs.NotFoundf("There is no page at this address.")
		}))
		return all
	}
}

// federation serves single sign-on.
type federation struct {
	*Server
	identities *identity.Service
}

// maxAnswer bounds the form with a SAML answer: the base64 of the largest one that is read, and what forms add to it.
const maxAnswer = 1 << 20

// begin sends the browser to a provider.
func (f *federation) begin(kind identity.Kind) action {
	return func(w http.ResponseWriter, r *http.Request) error {
		beginning,
			err := f.identities.Begin(r.Context(), kind, id.Provider(r.PathValue("provider")), r.FormValue("next"))
		if err != nil {
			return err
		}
		f.forgetMany(w, r)
		http.SetCookie(w, f.attemptCookie(beginning.ID, beginning.Attempt))
		httpx.Redirect(w, http.StatusSeeOther, httpx.ChosenLocation(beginning.URL))
		return nil
	}
}

// metadata tells a SAML provider what it has to know of this server.
func (f *federation) metadata(w http.ResponseWriter, r *http.Request) error {
	document, err := f.identities.Metadata(r.Context(), id.Provider(r.PathValue("provider")))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/samlmetadata+xml")
	w.Header().Set("Content-Disposition", `inline; filename="metadata.xml"`)
	_, _ = w.Write(document) // the client went away
	return nil
}

// receiveSAML takes the form that a SAML provider has the browser send. Cookies do not come with forms of other sites,
// so that the browser is sent on to where they do.
func (f *federation) receiveSAML(w http.ResponseWriter, r *http.Request) {
	err := func() error {
		r.Body = http.MaxBytesReader(w, r.Body, maxAnswer)
		if err := r.ParseForm(); err != nil {
			return errs.New(errs.TooLarge,
				"The answer of the identity provider is refused: it is larger than %d kB, or no form.", maxAnswer>>10)
		}
		ticket,
			err := f.identities.ReceiveSAML(r.Context(), id.Provider(r.PathValue("provider")),
			r.PostForm.Get("SAMLResponse"),
			r.PostForm.Get("RelayState"))
		if err != nil {
			return err
		}
		redirect(w, finishAddress(ticket))
		return nil
	}()
	if err != nil {
		f.Refuse(w, r, err)
	}
}

// receiveOIDC takes what an OpenID provider has the browser bring back.
func (f *federation) receiveOIDC(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	ticket, err := f.identities.ReceiveOIDC(r.Context(), id.Provider(r.PathValue("provider")), identity.Callback{
		Code: query.Get("code"), State: query.Get("state"), Issuer: query.Get("iss"), Error: query.Get("error"),
		Description: query.Get("error_description"), Attempt: f.keptAttempt(r)(query.Get("state")),
	})
	if err != nil {
		return err
	}
	redirect(w, finishAddress(ticket))
	return nil
}

func finishAddress(ticket string) string {
	return "/signin/sso/finish?ticket=" + url.QueryEscape(ticket)
}

// confirmation is what the page of a question shows.
type confirmation struct {
	identity.Outcome
	Ticket  string
	Connect bool
}

// methods are how people sign in through each kind of provider.
var methods = map[identity.Kind]account.Method{identity.SAML: account.BySAML, identity.OIDC: account.ByOIDC}

// finish lets in whom a provider has named, or asks first.
func (f *federation) finish(w http.ResponseWriter, r *http.Request) error {
	request := identity.FinishRequest{Ticket: r.FormValue("ticket"), Attempt: f.keptAttempt(r)}
	caller, ok, err := f.Sessions.Caller(w, r)
	if err != nil {
		return err
	}
	// Whether another provider may open the account says its owner, not whom one organization takes for the owner.
	if ok && caller.VouchedBy() == "" {
		request.SignedIn = caller.User.ID
	}
	if r.Method == http.MethodPost {
		request.Yes = identity.Question(r.PostFormValue("yes"))
	}
	outcome, err := f.identities.Finish(r.Context(), request)
	if err != nil {
		return err
	}
	if outcome.Ask != "" {
		content := confirmation{Outcome: outcome, Ticket: request.Ticket, Connect: outcome.Ask == identity.Connect}
		f.render(w, r, http.StatusOK, "confirm", view{Title: "Sign in", Content: content})
		return nil
	}
	f.forgetAttempts(w, r)
	return f.Sessions.SignInUntil(w, r, account.Identified{User: outcome.User, VouchedBy: outcome.VouchedBy,
		Through: outcome.Through}, methods[outcome.Kind], outcome.Until, outcome.ReturnTo)
}

// ssoContent is what the page of single sign-on shows.
type ssoContent struct {
	Organization, Problem, Next string
	Logins                      []Choice
}

// choose asks for the organization, and shows its providers.
func (f *federation) choose(w http.ResponseWriter, r *http.Request) error {
	content := ssoContent{Organization: strings.TrimSpace(r.FormValue("organization")),
		Next: LocalPath(r.FormValue("next"))}
	status := http.StatusOK
	if content.Organization != "" {
		logins, err := f.identities.LoginsOf(r.Context(), content.Organization)
		if err != nil {
			return err
		}
		content.Logins = LoginChoices(logins, content.Next)
		if len(logins) == 0 {
			content.Problem, status =
				"No organization with this name has single sign-on here. Check the name, or ask an admin for it.",
				http.StatusNotFound
		}
	}
	f.render(w, r, status, "sso", view{Title: "Single sign-on", Content: content})
	return nil
}

// LoginChoices are the links to providers.
func LoginChoices(logins []identity.Login, next string) []Choice {
	choices := make([]Choice, len(logins))
	for i, login := range logins {
		choices[i] = Choice{Title: "Continue with " + login.Label, URL: login.Path + "?next=" + url.QueryEscape(next)}
	}
	return choices
}

// emergencyContent is what the page of the emergency code shows.
type emergencyContent struct{ Problem string }

// emergencyPage asks for the emergency code.
func (f *federation) emergencyPage(w http.ResponseWriter, r *http.Request) error {
	f.render(w, r, http.StatusOK, "emergency", view{Title: "Emergency code", Content: emergencyContent{}})
	return nil
}

// emergency lets the admin in whom a code names.
func (f *federation) emergency(w http.ResponseWriter, r *http.Request) error {
	user, err := f.identities.UseEmergencyCode(r.Context(), r.PostFormValue("code"))
	if errs.Is(err, errs.Forbidden) {
		f.render(w, r, http.StatusForbidden, "emergency",
			view{Title: "Emergency code", Content: emergencyContent{Problem: message(err)}})
		return nil
	}
	if err != nil {
		return err
	}
	return f.Sessions.SignIn(w, r, user, account.ByLink, afterSignIn)
}

// maxAttempts is how many sign-ins a browser may have under way.
const maxAttempts = 5

// attemptPrefix begins the names of the cookies in which browsers keep attempts. One that comes over HTTPS is bound to
// this host, so that no neighbour below the same domain can put one of its own in its place.
func (f *federation) attemptPrefix() string {
	if f.Sessions.Cookie.Secure {
		return "__Host-recto_sso_"
	}
	return "recto_sso_"
}

func (f *federation) attemptCookie(id, value string) *http.Cookie {
	return &http.Cookie{
		Name: f.attemptPrefix() + id, Value: value, Path: "/", MaxAge: int(identity.AttemptLifetime.Seconds()),
		Secure: f.Sessions.Cookie.Secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// keptAttempt returns what a request's cookies have of an attempt.
func (f *federation) keptAttempt(r *http.Request) func(id string) string {
	return func(id string) string {
		cookie, err := r.Cookie(f.attemptPrefix() + id)
		if err != nil {
			return ""
		}
		return cookie.Value
	}
}

// forgetAttempts takes all attempts away from the browser.
func (f *federation) forgetAttempts(w http.ResponseWriter, r *http.Request) {
	for _, cookie := range r.Cookies() {
		if id, ok := strings.CutPrefix(cookie.Name, f.attemptPrefix()); ok {
			gone := f.attemptCookie(id, "")
			gone.MaxAge = -1
			http.SetCookie(w, gone)
		}
	}
}

// forgetMany takes old attempts away when there are so many that requests would grow too large.
func (f *federation) forgetMany(w http.ResponseWriter, r *http.Request) {
	kept := 0
	for _, cookie := range r.Cookies() {
		if strings.HasPrefix(cookie.Name, f.attemptPrefix()) {
			kept++
		}
	}
	if kept >= maxAttempts {
		f.forgetAttempts(w, r)
	}
}
