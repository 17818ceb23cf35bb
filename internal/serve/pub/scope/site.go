package scope

import (
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

// Site is a site as it is now. State identifies all that its pages depend on besides their own content: settings,
// mount, program, API specifications, and the revisions of all its spaces, since a page may link to any of them.
// Requests share it: it is never changed.
type Site struct {
	Served *site.Served
	// Spaces are all of the site, also those that a visitor does not get.
	Spaces []site.ServedSpace
	Root   string // path of the site's root, with a slash at its end
	State  string
	Specs  string // see spec.Service.State
}

// As returns a site of which only a part is there; the state names it.
func (s *Site) As(left *site.Served, state string) *Site {
	if state == "" {
		return s
	}
	part := *s
	part.Served, part.State = left, s.State+" part "+state
	return &part
}

// Only returns a site with the spaces in a set alone.
func (s *Site) Only(readable map[id.Space]bool) *Site {
	left := *s
	left.Served = s.Served.Only(readable)
	var state strings.Builder
	for _, space := range left.Served.Spaces {
		state.WriteString(" " + string(space.ID))
	}
	left.State += " only" + edition.ShortKey(state.String())
	return &left
}

// Request is what is asked of a site: path is percent-encoded and below the site's root.
type Request struct {
	Site *Site
	Path string
}
