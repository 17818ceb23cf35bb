package pub

import (
	"net/http"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/response"
)

// serveOrganization answers at the address of an organization with the way to the site that it shows first. Without
// one, and for those whom that site tells nothing, there is nothing here.
func (s *Server) serveOrganization(w http.ResponseWriter, r *http.Request, m mount) error {
	nothing := errs.NotFoundf("There is no site here: the address of a site ends with its name.")
	served, err := s.deps.Sites.DefaultOf(r.Context(), m.hostname)
	if errs.Is(err, errs.NotFound) {
		return nothing
	}
	if err != nil {
		return err
	}
	tells, err := s.tells(r, &served)
	if err != nil {
		return err
	}
	if !tells {
		return nothing
	}
	return response.RedirectAs(w, r, httpx.ChosenLocation(served.Site.PublishedURL), http.StatusTemporaryRedirect)
}

// tells reports whether a site lets strangers know that it is there: it is for everybody, or sends them to sign in.
func (s *Server) tells(r *http.Request, served *site.Served) (bool, error) {
	switch served.Site.Visibility {
	case site.VisibilityPublic, site.VisibilityUnlisted:
		return true, nil
	case site.VisibilityVisitorAuth:
		rules, err := s.rules(r.Context(), served.Site)
		return err == nil && rules != nil && rules.FallbackURL != "", err
	}
	return false, nil
}

// serveFormerHost answers below a hostname that an organization has left with where its site is now. Whom the site
// tells nothing learns nothing here either; a share link or a token in the address goes along, for the site to look at.
func (s *Server) serveFormerHost(w http.ResponseWriter, r *http.Request, asked request) error {
	served := asked.found.site
	tells, err := s.tells(r, served)
	if err != nil {
		return err
	}
	secret, _, _ := strings.Cut(asked.rest, "/")
	if audience.IsToken(secret) {
		if !tells && s.deps.Audiences != nil {
			if tells, err = s.deps.Audiences.Admit(r.Context(), served.Site.ID, secret); err != nil {
				return err
			}
		}
	}
	if token := r.URL.Query().Get(audience.TokenParameter); !tells && token != "" && asked.found.rules != nil {
		_, problem := asked.found.rules.Verify(token, time.Now())
		tells = problem == nil
	}
	if !tells {
		return site.NotServed()
	}
	to := httpx.ChosenLocation(served.Site.PublishedURL + asked.rest)
	if audience.IsToken(secret) || r.URL.Query().Has(audience.TokenParameter) {
		(&gate{server: s, r: r, request: asked}).see(w, to.WithQuery(r.URL.RawQuery)) // which no cache keeps
		return nil
	}
	return response.RedirectAs(w, r, to, http.StatusPermanentRedirect)
}
