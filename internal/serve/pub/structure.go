package pub

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
)

// structureState is all of a site's structure that shows on its pages, for their key in the cache.
func structureState(served site.Served) string {
	var state strings.Builder
	for _, group := range served.Groups {
		fmt.Fprintf(&state, " %s %s %q %q", group.ID, group.Parent, group.Title, group.Icon)
	}
	for _, section := range served.Sections {
		fmt.Fprintf(&state, " %s %s %q %q %q %q %t", section.ID, section.Group, section.Title, section.Description,
			section.Icon, section.Path, section.Default)
	}
	for _, space := range served.Spaces {
		fmt.Fprintf(&state, " %s %s %s %q %t %q %s", space.ID, space.Section, space.Space, space.Path, space.Default,
			space.Title+"\x00"+space.Emoji+"\x00"+space.Icon+"\x00"+space.Language, space.Head)
	}
	return state.String()
}

// serveElsewhere answers at an address whose space is not there for this visitor, with the way to the first one that
// is. It holds for this visitor and for now.
func (s *scope) serveElsewhere(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	httpx.Redirect(w, http.StatusTemporaryRedirect, httpx.LocalLocation(s.home))
}
