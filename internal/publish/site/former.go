package site

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site/redirect"
)

// OtherPlaces returns the spaces that a path below a site's root, decoded, may name where no page is: with the paths of
// what is default written out, and where spaces were before the site changed, the nearest match first. It checks no
// access.
func (s *Service) OtherPlaces(ctx context.Context, served *Served, path string) ([]Former, error) {
	former, err := s.FormerAt(ctx, served.Site.ID, path)
	if err != nil {
		return nil, err
	}
	if space, rest, ok := spelledOut(served, path); ok {
		former = append([]Former{{SiteSpace: space.ID, Rest: rest}}, former...)
	}
	return former, nil
}

// spelledOut finds the space that a decoded path names with the paths of default sections and variants written out.
func spelledOut(served *Served, path string) (space ServedSpace, rest string, ok bool) {
	section, rest := id.Section(""), path
	for _, each := range served.Sections {
		if each.Default {
			section = each.ID
		}
	}
	for _, each := range served.Sections {
		if after, found := cutSegment(path, each.Path); found {
			section, rest, ok = each.ID, after, true
			break
		}
	}
	for _, each := range served.Variants(section) {
		if after, found := cutSegment(rest, each.Path); found {
			return each, after, true
		}
		if each.Default {
			space = each
		}
	}
	return space, rest, ok && space.ID != ""
}

// cutSegment cuts the first segment off a path if it is the one given.
func cutSegment(path, segment string) (rest string, ok bool) {
	first, rest, _ := strings.Cut(path, "/")
	return rest, first == segment
}

// Former is a space that was at the beginning of a path before its site changed.
type Former struct {
	// SiteSpace is the id of the site space, Rest what is left of the path in it.
	SiteSpace id.SiteSpace
	Rest      string
}

// FormerAt returns the spaces that once were at the beginning of a path below a site's root, decoded, the nearest match
// first. It checks no access.
func (s *Service) FormerAt(ctx context.Context, siteID id.Site, path string) ([]Former, error) {
	if len(path) > redirect.MaxSource*utf8.UTFMax || !field.Storable(path) {
		return nil, nil
	}
	// A section and a variant make up to two segments.
	prefixes := []any{siteID, ""}
	at := 0
	for range 2 {
		i := strings.IndexByte(path[at:], '/')
		if i < 0 {
			if at < len(path) {
				prefixes = append(prefixes, path+"/")
			}
			break
		}
		at += i + 1
		prefixes = append(prefixes, path[:at])
	}
	return db.All(ctx, s.db.Read(), "look for former addresses", func(row db.Scanner) (Former, error) {
		var (
			address   string
			siteSpace id.SiteSpace
		)
		err := row.Scan(&address, &siteSpace)
		rest := strings.TrimSuffix(strings.TrimPrefix(path+"/", address), "/")
		return Former{SiteSpace: siteSpace, Rest: rest}, err
	}, `
		SELECT address, site_space_id FROM site_former_address
		WHERE site_id = $1 AND address IN (`+db.Placeholders(2, len(prefixes)-1)+`) ORDER BY length(address) DESC`,
		prefixes...)
}
