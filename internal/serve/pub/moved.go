package pub

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/response"
)

// serveRedirect answers for a path where no page is with the redirect that people have set up for it. Done is false
// when there is none, or what it names is not there for this visitor.
func (s *scope) serveRedirect(w http.ResponseWriter, r *http.Request, full string) (done bool, err error) {
	found, captured, err := s.server.deps.Sites.RedirectFor(r.Context(), s.site.Site.ID, "/"+full)
	if errs.Is(err, errs.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	to, ok, err := s.destination(r.Context(), found.Destination, captured)
	if err != nil || !ok || !response.Sendable(to) {
		return false, err
	}
	status := http.StatusTemporaryRedirect
	if found.Permanent {
		status = http.StatusPermanentRedirect
	}
	return true, response.RedirectAs(w, r, httpx.ChosenLocation(to), status)
}

// destination is where a redirect leads for this visitor. What a star has captured has to be a page there: so no
// redirect leads to another one, and never round in circles.
func (s *scope) destination(ctx context.Context, d site.Destination, captured string) (string, bool, error) {
	if d.Kind == site.DestinationExternal {
		return site.External(d.URL, captured), true, nil
	}
	for _, space := range s.site.Spaces {
		if d.Kind == site.DestinationSection && (space.Section != d.Section || !space.Default) ||
			d.Kind != site.DestinationSection && space.ID != d.SiteSpace {
			continue
		}
		to, err := s.in(ctx, space)
		if to == nil || err != nil {
			return "", false, err
		}
		if d.Kind != site.DestinationPage {
			return to.pageAt(ctx, captured)
		}
		target := to.resolver(nil).toPage(to, to.edition.Tree.ByID[d.Page], "")
		return target.URL, !target.Broken, nil
	}
	return "", false, nil
}

// in is the scope of another space of the site, nil when there is nothing in it.
func (s *scope) in(ctx context.Context, space site.ServedSpace) (*scope, error) {
	if space.Head == "" {
		return nil, nil
	}
	to := *s
	to.enter(space)
	to.astray, to.edition = false, nil
	return &to, to.prepare(ctx)
}

// pageAt is the address of what is at a decoded path of a space: a page, where one has moved, or one of the files of
// the space that are no pages.
func (s *scope) pageAt(ctx context.Context, path string) (string, bool, error) {
	if path == "" {
		return s.home, true, nil
	}
	if strings.HasPrefix(path, "~/") || path == "feed.xml" || path == "llms.txt" || path == "llms-full.txt" ||
		path == "sitemap.xml" {
		return s.home + escapePath(path), true, nil
	}
	if node := s.find(path); node != nil {
		target := s.resolver(nil).toPage(s, node, "")
		return target.URL, !target.Broken, nil
	}
	if source, ok := strings.CutSuffix(path, ".md"); ok && s.findSource(source) != nil {
		return s.home + escapePath(path), true, nil
	}
	moved, err := s.edition.View.ByPath(ctx, path)
	if errs.Is(err, errs.NotFound) {
		return "", false, nil
	}
	if err != nil || moved.Entry == nil || !moved.Redirected {
		return "", false, err
	}
	target := s.resolver(nil).toPage(s, s.edition.Tree.ByID[moved.Entry.ID], "")
	return target.URL, !target.Broken, nil
}

// serveFormer answers for a path where no page is by where the space at its beginning was before the site changed, or
// has besides its address: a default section or variant answers at the address of its parent, so its own path leads
// there.
func (s *scope) serveFormer(w http.ResponseWriter, r *http.Request, full string) (done bool, err error) {
	former, err := s.server.deps.Sites.OtherPlaces(r.Context(), s.site, full)
	if err != nil {
		return false, err
	}
	for _, each := range former {
		for _, space := range s.site.Spaces {
			if space.ID != each.SiteSpace {
				continue
			}
			to, err := s.in(r.Context(), space)
			if err != nil {
				return false, err
			}
			if to == nil {
				continue
			}
			if address, ok, err := to.pageAt(r.Context(), each.Rest); err != nil || ok && address != s.root+
				escapePath(full) {
				if err != nil {
					return false, err
				}
				return true, response.RedirectAs(w, r, httpx.ChosenLocation(address), http.StatusPermanentRedirect)
			}
		}
	}
	return false, nil
}

// fullPath is a decoded path of the scope's space, from the root of the site.
func (s *scope) fullPath(asked string) string {
	if s.astray {
		return asked
	}
	at, err := url.PathUnescape(s.space.Address)
	if err != nil {
		return asked
	}
	return at + asked
}
