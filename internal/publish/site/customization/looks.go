package customization

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Look is what visitors get of a site's customizations: it is shared and never changed.
type Look struct {
	// Site is how the site looks.
	Site   Customization
	spaces map[id.SiteSpace]*Customization // by site space, of those with values of their own
}

// Space returns how a space on the site looks, by the id of the site space.
func (l *Look) Space(siteSpaceID id.SiteSpace) *Customization {
	if own, ok := l.spaces[siteSpaceID]; ok {
		return own
	}
	return &l.Site
}

// defaultLook is that of a site which nobody has customized. Nobody has chosen a theme for it, so readers get what
// their system has.
var defaultLook = func() *Look {
	plain := Default()
	plain.Themes.Default = "system"
	return &Look{Site: plain}
}()

// Looks keeps in memory how sites look to visitors.
type Looks struct {
	db    *db.DB
	cache cache.Cache[*Look] // by site and version of its customization
}

// maxLooks is how many customizations are kept in memory; each takes a few kilobytes.
const maxLooks = 2000

// NewLooks returns Looks with nothing in memory yet.
func NewLooks(d *db.DB) *Looks { return &Looks{d, cache.Sized[*Look](maxLooks)} }

// Load returns how a site looks to visitors, from memory when the version of its customization is there; 0 is the
// version of a site that has none.
func (l *Looks) Load(ctx context.Context, siteID id.Site, version int64) (*Look, error) {
	if version == 0 {
		return defaultLook, nil
	}
	// What is read is at least as new as the version, and the version after that is another key.
	return l.cache.Load(ctx, fmt.Sprintf("%s %d", siteID, version), func(ctx context.Context) (*Look, error) {
		kept, err := Load(ctx, l.db.Read(), siteID)
		if err != nil {
			return nil, err
		}
		if !kept.Set {
			kept.Customization.Themes.Default = "system"
		}
		made := &Look{Site: kept.Customization, spaces: map[id.SiteSpace]*Customization{}}
		for siteSpace, own := range kept.Overrides {
			merged, err := made.Site.With(own.Values)
			if err != nil {
				return nil, err
			}
			made.spaces[siteSpace] = &merged
		}
		return made, nil
	})
}
