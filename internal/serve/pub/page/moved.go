package page

import (
	"net/http"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// serveRedirect answers for a path where no page is with the redirect that people have set up for it. Done is false
// when there is none, or what it names is not there for this visitor.
func (p *Pages) serveRedirect(w http.ResponseWriter, r *http.Request, s *scope.Scope,
	full string) (done bool, err error) {
	found, captured, err := p.deps.Sites.RedirectFor(r.Context(), s.Served.Site.ID, "/"+full)
	if errs.Is(err, errs.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	to, ok, err := s.Destination(r.Context(), found.Destination, captured)
	if err != nil || !ok || !response.Sendable(to) {
		return false, err
	}
	status := http.StatusTemporaryRedirect
	if found.Permanent {
		status = http.StatusPermanentRedirect
	}
	return true, response.RedirectAs(w, r, httpx.ChosenLocation(to), status)
}

// serveFormer answers for a path where no page is by where the space at its beginning was before the site changed, or
// has besides its address: a default section or variant answers at the address of its parent, so its own path leads
// there.
func (p *Pages) serveFormer(w http.ResponseWriter, r *http.Request, s *scope.Scope,
	full string) (done bool, err error) {
	former, err := p.deps.Sites.OtherPlaces(r.Context(), s.Served, full)
	if err != nil {
		return false, err
	}
	for _, each := range former {
		for _, space := range s.Served.Spaces {
			if space.ID != each.SiteSpace {
				continue
			}
			to, err := s.In(r.Context(), space)
			if err != nil {
				return false, err
			}
			if to == nil {
				continue
			}
			if address, ok, err := to.PageAt(r.Context(), each.Rest); err != nil || ok && address != s.Root+
				scope.EscapePath(full) {
				if err != nil {
					return false, err
				}
				return true, response.RedirectAs(w, r, httpx.ChosenLocation(address), http.StatusPermanentRedirect)
			}
		}
	}
	return false, nil
}
