package pub

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/gate"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// servePreview answers for a path below a preview of the scope's space. Access is checked for every request: what the
// site's caches hold is sent to nobody before.
func (s *Server) servePreview(w http.ResponseWriter, r *http.Request, sc *scope.Scope, asked audience.Preview) error {
	prefix, rest := sc.Home+"~/"+string(asked.Kind)+"/"+asked.Name+"/", asked.Rest
	if !asked.Slash {
		return response.Redirect(w, r, prefix)
	}
	w = response.Private(w)
	space := sc.Space.Space
	if ticket := r.URL.Query().Get(gate.TicketParameter); ticket != "" {
		holder, ok, err := s.deps.Previews.Holder(r.Context(), ticket, string(space))
		if err != nil {
			return err
		}
		if ok {
			// The address that stays in the history and is shown around has no ticket.
			http.SetCookie(w, &http.Cookie{
				Name: gate.TicketCookie, Value: ticket, Path: sc.Root, Expires: holder.Until, HttpOnly: true,
				SameSite: http.SameSiteLaxMode,
				Secure:   s.base.Scheme == "https",
			})
			httpx.Redirect(w, http.StatusSeeOther, httpx.LocalLocation(prefix+rest))
			return nil
		}
	}
	// Who may not see it gets the page of the live site that says that there is nothing here.
	nothing := func() error {
		if !sc.Admitted {
			return site.NotServed()
		}
		if err := sc.Prepare(r.Context()); err != nil {
			return err
		}
		return s.pages.Missing(w, r, sc, "")
	}
	found := sc.Previewed
	if found == nil || found.Space != space {
		// Who looks as a visitor was asked for the ticket of the site.
		var err error
		if found, err = s.gate.Preview(r, space, asked); err != nil {
			return err
		}
	}
	if found == nil {
		return nothing()
	}
	shown := *sc
	shown.Preview = found
	shown.Space.Head, shown.Edition = found.Revision, nil
	shown.Home, shown.Address = prefix, sc.Address+strings.TrimPrefix(prefix, sc.Home)
	if shown.Inspection != nil {
		// Other claims lead back here. Why something is hidden is told of the live site alone.
		as := *shown.Inspection
		as.Choose += "&at=" + url.QueryEscape(sc.Space.Address+"~/"+string(asked.Kind)+"/"+asked.Name+"/")
		as.Reasons = ""
		shown.Inspection = &as
	}
	shown.State += " preview " + prefix + " " + string(found.Revision) + " " + found.Label
	if err := shown.Prepare(r.Context()); err != nil {
		return err
	}
	if file, ok := strings.CutPrefix(rest, "~/files/"); ok {
		return s.downloads.ServeFile(w, r, &shown, file)
	}
	switch rest {
	case "~/pages":
		return s.pages.ServePageIndex(w, r, &shown)
	case "~/search":
		return s.pages.ServeSearch(w, r, &shown)
	}
	if strings.HasPrefix(rest, "~") {
		return s.pages.Missing(w, r, &shown, "")
	}
	return s.servePage(w, r, &shown, rest)
}
