package site

import (
	"context"
	"net/url"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// SiteURL returns the address of a site with a slash at its end: below the organization's host when there is a sites
// domain, and below the server's own address otherwise.
func (s *Service) SiteURL(hostname, basename string) string {
	if s.sitesDomain != "" {
		return "https://" + hostname + "." + s.sitesDomain + "/" + url.PathEscape(basename) + "/"
	}
	return s.baseURL + "/sites/" + hostname + "/" + url.PathEscape(basename) + "/"
}

// direct returns the address of a site without what passes requests on to it: its own host if that is proven, or that
// below its organization's.
func (s *Service) direct(row siteRow) string {
	if row.customHostname != "" && row.proven {
		return "https://" + row.customHostname + "/"
	}
	return s.SiteURL(row.hostname, row.basename)
}

// address returns where readers find a site.
func (s *Service) address(row siteRow) string {
	if row.proxy != "" {
		return "https://" + row.proxy + "/"
	}
	return s.direct(row)
}

// Shown is where the live content of a space is to be read.
type Shown struct {
	// Published is the address of the space on a published site, Public on one that everybody may read without an
	// account; each has a slash at its end, and "" is none. A space on several such sites is at the oldest one.
	Published, Public string
	// VisitorAuth says that a published site shows the space to visitors who prove who they are.
	VisitorAuth bool
	// Visibility is that of the most open of the published sites that show the space.
	Visibility Visibility
}

// openness orders visibilities from the most open one.
var openness = []Visibility{VisibilityPublic, VisibilityUnlisted, VisibilityShareLink, VisibilityVisitorAuth}

// mostOpen returns the more open one of two visibilities, of which the first may be "", for none.
func mostOpen(a, b Visibility) Visibility {
	if a == "" || slices.Index(openness, b) < slices.Index(openness, a) {
		return b
	}
	return a
}

// PublishedURLs returns where the spaces with the given ids are live, with a slash at the end of each address. A space
// on several published sites is at its oldest one; one on no published site is not in the map. It checks no access.
func (s *Service) PublishedURLs(ctx context.Context, spaceIDs []id.Space) (map[id.Space]string, error) {
	shown, err := s.ShownAt(ctx, spaceIDs)
	urls := make(map[id.Space]string, len(shown))
	for spaceID, at := range shown {
		urls[spaceID] = at.Published
	}
	return urls, err
}

// ShownAt returns where spaces are to be read, by their ids; one on no published site is not in the map. It checks no
// access.
func (s *Service) ShownAt(ctx context.Context, spaceIDs []id.Space) (map[id.Space]Shown, error) {
	const batch = 1000
	shown := make(map[id.Space]Shown, len(spaceIDs))
	for len(spaceIDs) > 0 {
		n := min(len(spaceIDs), batch)
		if err := s.addShown(ctx, spaceIDs[:n], shown); err != nil {
			return nil, err
		}
		spaceIDs = spaceIDs[n:]
	}
	return shown, nil
}

// Showing returns the published sites that show a space, the oldest first, without their looks. It checks no access.
func (s *Service) Showing(ctx context.Context, spaceID id.Space) ([]Served, error) {
	rows, err := resolveRows(ctx, s.db.Read(), `site.published
		AND site.id IN (SELECT w.site_id FROM site_space w WHERE w.space_id = $1)
		ORDER BY site.id`, spaceID)
	if err != nil {
		return nil, err
	}
	var showing []Served
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].site.id == rows[0].site.id {
			n++
		}
		showing = append(showing, s.serve(rows[:n]))
		rows = rows[n:]
	}
	return showing, nil
}

func (s *Service) addShown(ctx context.Context, spaceIDs []id.Space, shown map[id.Space]Shown) error {
	args := make([]any, len(spaceIDs))
	wanted := make(map[id.Space]bool, len(spaceIDs))
	for i, spaceID := range spaceIDs {
		args[i], wanted[spaceID] = spaceID, true
	}
	// All spaces of those sites, since where one of them is depends on which is the default one.
	rows, err := resolveRows(ctx, s.db.Read(), `site.published
		AND site.id IN (SELECT w.site_id FROM site_space w WHERE w.space_id IN (`+db.Placeholders(1, len(args))+`))
		ORDER BY site.id`, args...)
	if err != nil {
		return err
	}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].site.id == rows[0].site.id {
			n++
		}
		row := rows[0].site
		l, _ := layoutOf(rows[:n])
		a := l.answers()
		for _, placed := range l.spaces {
			if !wanted[placed.space] {
				continue
			}
			at, address := shown[placed.space], below(s.address(row), a.address(placed))
			if at.Published == "" {
				at.Published = address
			}
			visibility := Visibility(row.visibility)
			at.Visibility = mostOpen(at.Visibility, visibility)
			switch {
			case at.Public == "" && (visibility == VisibilityPublic || visibility == VisibilityUnlisted):
				at.Public = address
			case visibility == VisibilityVisitorAuth:
				at.VisitorAuth = true
			}
			shown[placed.space] = at
		}
		rows = rows[n:]
	}
	return nil
}

// Public reports whether everybody may read a space on a published site: the site is public, and neither the space nor
// its section is there for some visitors only. It checks no access.
func (s *Service) Public(ctx context.Context, spaceID id.Space) (bool, error) {
	showing, err := s.Showing(ctx, spaceID)
	if err != nil {
		return false, err
	}
	for _, served := range showing {
		if served.Site.Visibility != VisibilityPublic {
			continue
		}
		for _, space := range served.Spaces {
			section, in := served.Section(space.Section)
			if space.Space == spaceID && space.Condition == "" && (!in || section.Condition == "") {
				return true, nil
			}
		}
	}
	return false, nil
}
