package pub

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/response"
)

// Preview is what a preview shows instead of a space's live content.
type Preview struct {
	// Revision is the id of the revision.
	Revision string
	// Label tells the reader what they see, such as "Change request #3: Say more".
	Label string
}

// Previews lets people who may read a space see it on its site as it would be.
type Previews struct {
	// Ticket returns whom a ticket for previews of a space is for and when it ends; ok is false when it is no good.
	Ticket func(ticket, spaceID string) (userID string, until time.Time, ok bool)
	// Find returns a preview of a space by the number or id in its path; errs.NotFound when there is none, or the user
	// may not read the space.
	Find func(ctx context.Context, userID, spaceID string, kind audience.PreviewKind, name string) (Preview, error)
	// Readable returns which spaces of a site a user may read, by their ids, to look at it as a visitor; errs.NotFound
	// when they may not see the site. Ticket takes the id of a site in the place of a space's for this.
	Readable func(ctx context.Context, userID string, served *site.Served) (map[string]bool, error)
}

// Names of a ticket: in the address that a person is given, and in the cookie that replaces it.
const (
	ticketParameter = "ticket"
	ticketCookie    = "recto_preview"
)

// servePreview answers for a path below a preview of the scope's space. Access is checked for every request: what the
// site's caches hold is sent to nobody before.
func (s *scope) servePreview(w http.ResponseWriter, r *http.Request, asked audience.Preview) error {
	prefix, rest := s.home+"~/"+string(asked.Kind)+"/"+asked.Name+"/", asked.Rest
	if !asked.Slash {
		return response.Redirect(w, r, prefix)
	}
	previews := s.server.deps.Previews
	w = response.Private(w)
	space := s.space.Space
	if ticket := r.URL.Query().Get(ticketParameter); ticket != "" {
		if _, until, ok := previews.Ticket(ticket, space); ok {
			// The address that stays in the history and is shown around has no ticket.
			http.SetCookie(w, &http.Cookie{
				Name: ticketCookie, Value: ticket, Path: s.root, Expires: until, HttpOnly: true,
				SameSite: http.SameSiteLaxMode,
				Secure:   s.server.base.Scheme == "https",
			})
			httpx.Redirect(w, http.StatusSeeOther, httpx.LocalLocation(prefix+rest))
			return nil
		}
	}
	// Who may not see it gets the page of the live site that says that there is nothing here.
	nothing := func() error {
		if !s.admitted {
			return site.NotServed()
		}
		if err := s.prepare(r.Context()); err != nil {
			return err
		}
		return s.missing(w, r, "")
	}
	user, ok := s.server.previewer(r, space)
	if !ok {
		return nothing()
	}
	unescaped, err := url.PathUnescape(asked.Name)
	if err != nil {
		return nothing()
	}
	found, err := previews.Find(r.Context(), user, space, asked.Kind, unescaped)
	if errs.Is(err, errs.NotFound) {
		return nothing()
	}
	if err != nil {
		return err
	}
	shown := *s
	shown.preview = &found
	shown.space.Head, shown.edition = found.Revision, nil
	shown.home, shown.address = prefix, s.address+strings.TrimPrefix(prefix, s.home)
	shown.state += " preview " + prefix + " " + found.Revision + " " + found.Label
	if err := shown.prepare(r.Context()); err != nil {
		return err
	}
	if file, ok := strings.CutPrefix(rest, "~/files/"); ok {
		return shown.serveFile(w, r, file)
	}
	switch rest {
	case "~/pages":
		return shown.servePageIndex(w, r)
	case "~/search":
		return shown.serveSearch(w, r)
	}
	if strings.HasPrefix(rest, "~") {
		return shown.missing(w, r, "")
	}
	return shown.servePage(w, r, rest)
}

// previewer returns whom the ticket is for that a request keeps for the previews of a space.
func (s *Server) previewer(r *http.Request, spaceID string) (userID string, ok bool) {
	cookie, err := r.Cookie(ticketCookie)
	if err != nil {
		return "", false
	}
	userID, _, ok = s.deps.Previews.Ticket(cookie.Value, spaceID)
	return userID, ok
}
