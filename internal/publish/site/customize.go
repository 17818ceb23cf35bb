package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Script is a script that an integration puts on the pages of a site.
type Script struct {
	// URL is where it is loaded from.
	URL string
	// ContentSecurityPolicy says what it needs to be allowed, as the directives of that header.
	ContentSecurityPolicy string
	// Cookies says that it may set some: it is loaded only for readers who have agreed.
	Cookies bool
}

// Customized is a customization as it is kept.
type Customized struct {
	Customization
	// UpdatedAt is when somebody changed it; zero when nobody has.
	UpdatedAt time.Time
	// Overridden says that a space has values of its own.
	Overridden bool
}

// Customization returns how a site looks and behaves, to those who may see the site.
func (s *Service) Customization(ctx context.Context, caller account.Caller,
	organizationID, siteID string) (Customized, error) {
	organization, err := loadOrganization(ctx, s.db.Read(), caller, organizationID, access.ViewSites)
	if err != nil {
		return Customized{}, err
	}
	if _, err := s.load(ctx, s.db.Read(), organization, siteID); err != nil {
		return Customized{}, err
	}
	kept, err := loadCustomization(ctx, s.db.Read(), siteID)
	return kept.site(), err
}

// SetCustomization replaces how a site looks and behaves by what an object of JSON says, and returns it. It needs the
// role create in the organization.
func (s *Service) SetCustomization(ctx context.Context, caller account.Caller, organizationID, siteID string,
	object map[string]any) (Customized, error) {
	var after Customized
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		kept, err := loadCustomization(ctx, q, siteID)
		if err != nil {
			return err
		}
		if kept.isRead(object) {
			object = kept.customization.edited(object)
		}
		read, err := ReadCustomization(object)
		if err != nil {
			return err
		}
		if kept.stored && reflect.DeepEqual(read, kept.customization) {
			after = kept.site() // what was read is sent back
			return nil
		}
		after = Customized{Customization: read, UpdatedAt: s.clock()}
		if err := storeCustomization(ctx, q, siteID, read, after.UpdatedAt); err != nil {
			return err
		}
		return recordCustomization(ctx, q, caller, site, nil)
	})
	if err != nil {
		return Customized{}, err
	}
	return after, nil
}

// recordCustomization says in the audit log that somebody changed the look of a site.
func recordCustomization(ctx context.Context, q db.Querier, caller account.Caller, site Site,
	details map[string]any) error {
	return audit.Record(ctx, q, audit.Entry{
		Organization: site.Organization, Actor: caller.User.ID, Token: caller.Token.ID, Action: "site.customize",
		Target: audit.Target{Kind: "site", ID: site.ID, Title: site.Title}, Details: details,
	})
}

// SpaceCustomization returns how a space on a site looks and behaves: the site's, with the values that the space has of
// its own. It is there for those who may read the space.
func (s *Service) SpaceCustomization(ctx context.Context, caller account.Caller,
	organizationID, siteID, siteSpaceID string) (Customized, error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return Customized{}, err
	}
	if _, err := s.load(ctx, q, organization, siteID); err != nil {
		return Customized{}, err
	}
	if err := findSiteSpace(ctx, q, organization, siteID, siteSpaceID); err != nil {
		return Customized{}, err
	}
	kept, err := loadCustomization(ctx, q, siteID)
	if err != nil {
		return Customized{}, err
	}
	return kept.space(siteSpaceID)
}

// OverrideCustomization gives a space on a site values of its own, and returns how it looks then: what the object sets
// is the space's, what is null in it is the site's again, what it leaves out stays. It needs the role create in the
// organization.
func (s *Service) OverrideCustomization(ctx context.Context, caller account.Caller,
	organizationID, siteID, siteSpaceID string, change map[string]any) (Customized, error) {
	var after Customized
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		if err := findSiteSpace(ctx, q, organization, siteID, siteSpaceID); err != nil {
			return err
		}
		kept, err := loadCustomization(ctx, q, siteID)
		if err != nil {
			return err
		}
		changed, err := changeOverrides(kept.overrides[siteSpaceID].values, change)
		if err != nil {
			return err
		}
		now := s.clock()
		if err := storeOverrides(ctx, q, siteID, siteSpaceID, changed, now); err != nil {
			return err
		}
		kept.overrides[siteSpaceID] = spaceOverrides{changed, now}
		if after, err = kept.space(siteSpaceID); err != nil {
			return err
		}
		return recordCustomization(ctx, q, caller, site, map[string]any{"siteSpace": siteSpaceID,
			"keys": slices.Sorted(maps.Keys(change))})
	})
	if err != nil {
		return Customized{}, err
	}
	return after, nil
}

// ClearOverrides takes away all values that a space on a site has of its own, and reports whether it had any. It needs
// the role create in the organization.
func (s *Service) ClearOverrides(ctx context.Context, caller account.Caller,
	organizationID, siteID, siteSpaceID string) (bool, error) {
	had := false
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		if err := findSiteSpace(ctx, q, organization, siteID, siteSpaceID); err != nil {
			return err
		}
		kept, err := loadCustomization(ctx, q, siteID)
		if err != nil {
			return err
		}
		if had = len(kept.overrides[siteSpaceID].values) > 0; !had {
			return nil
		}
		if err := storeOverrides(ctx, q, siteID, siteSpaceID, nil, s.clock()); err != nil {
			return err
		}
		return recordCustomization(ctx, q, caller, site, map[string]any{"siteSpace": siteSpaceID, "keys": []string{}})
	})
	return had && err == nil, err
}

// Scripts returns the scripts that integrations put on a site, to those who may see the site.
func (s *Service) Scripts(ctx context.Context, caller account.Caller, organizationID, siteID string) ([]Script, error) {
	organization, err := loadOrganization(ctx, s.db.Read(), caller, organizationID, access.ViewSites)
	if err != nil {
		return nil, err
	}
	if _, err := s.load(ctx, s.db.Read(), organization, siteID); err != nil {
		return nil, err
	}
	return s.scriptsOf(ctx, siteID)
}

func (s *Service) scriptsOf(ctx context.Context, siteID string) ([]Script, error) {
	if s.scripts == nil {
		return nil, nil
	}
	return s.scripts(ctx, siteID)
}

// customizations is how a site and the spaces on it look, as it is kept.
type customizations struct {
	// version grows with every change; 0 when there was none.
	version       int64
	stored        bool
	customization Customization
	updatedAt     time.Time
	overrides     map[string]spaceOverrides // by site space
}

// isRead reports whether what was sent is an edit of what is kept: it then has the time of that. Sent again, it is not.
func (c customizations) isRead(object map[string]any) bool {
	said, ok := object["updatedAt"].(string)
	if !ok || !c.stored {
		return !ok && !c.stored
	}
	at, err := time.Parse(time.RFC3339, said)
	return err == nil && at.Equal(c.updatedAt.Truncate(time.Millisecond))
}

type spaceOverrides struct {
	values    map[string]any
	updatedAt time.Time
}

func (c *customizations) site() Customized {
	return Customized{Customization: c.customization, UpdatedAt: c.updatedAt}
}

func (c *customizations) space(siteSpaceID string) (Customized, error) {
	own := c.overrides[siteSpaceID]
	merged, err := c.customization.with(own.values)
	made := Customized{Customization: merged, UpdatedAt: c.updatedAt, Overridden: len(own.values) > 0}
	if own.updatedAt.After(made.UpdatedAt) {
		made.UpdatedAt = own.updatedAt
	}
	return made, err
}

// look is what visitors get of a site's customizations: it is shared and never changed.
type look struct {
	site   Customization
	spaces map[string]*Customization // by site space, of those with values of their own
}

// lookOf returns how a site looks to visitors, from memory when the version is the one that is there.
func (s *Service) lookOf(ctx context.Context, siteID string, version int64) (*look, error) {
	if version == 0 {
		return defaultLook, nil
	}
	// What is read is at least as new as the version, and the version after that is another key.
	return s.looks.Load(ctx, fmt.Sprintf("%s %d", siteID, version), func(ctx context.Context) (*look, error) {
		kept, err := loadCustomization(ctx, s.db.Read(), siteID)
		if err != nil {
			return nil, err
		}
		if !kept.stored {
			kept.customization.Themes.Default = "system"
		}
		made := &look{site: kept.customization, spaces: map[string]*Customization{}}
		for siteSpace, own := range kept.overrides {
			merged, err := made.site.with(own.values)
			if err != nil {
				return nil, err
			}
			made.spaces[siteSpace] = &merged
		}
		return made, nil
	})
}

// defaultLook is that of a site which nobody has customized. Nobody has chosen a theme for it, so readers get what
// their system has.
var defaultLook = func() *look {
	plain := DefaultCustomization()
	plain.Themes.Default = "system"
	return &look{site: plain}
}()

// of returns how a space of the site looks.
func (l *look) of(siteSpaceID string) *Customization {
	if own, ok := l.spaces[siteSpaceID]; ok {
		return own
	}
	return &l.site
}

// findSiteSpace refuses a site space that is not on the site, or that the caller may not read.
func findSiteSpace(ctx context.Context, q db.Querier, organization access.Organization,
	siteID, siteSpaceID string) error {
	gone := errs.NotFoundf("There is no such space on this site; give the id of one of its site spaces.")
	if !id.Valid("sitespace", siteSpaceID) {
		return gone
	}
	readable, args := access.ReadableSpaces(organization, []any{siteID, siteSpaceID})
	is, err := exists(ctx, q, `
		SELECT EXISTS (SELECT 1 FROM site_space ss JOIN space s ON s.id = ss.space_id
			WHERE ss.site_id = $1 AND ss.id = $2 AND s.deleted_at IS NULL AND `+readable+`)`, args...)
	if err == nil && !is {
		err = gone
	}
	return err
}

// loadCustomization reads all that is kept of how a site looks.
func loadCustomization(ctx context.Context, q db.Querier, siteID string) (customizations, error) {
	kept := customizations{customization: DefaultCustomization(), overrides: map[string]spaceOverrides{}}
	var settings string
	var updatedAt int64
	err := q.QueryRowContext(ctx, `SELECT settings, version, updated_at FROM site_customization WHERE site_id = $1`,
		siteID).
		Scan(&settings, &kept.version, &updatedAt)
	if errors.Is(err, db.ErrNoRows) {
		return kept, nil
	}
	if err != nil {
		return kept, fmt.Errorf("select customization of site: %w", err)
	}
	if settings != "" {
		if err := json.Unmarshal([]byte(settings), &kept.customization); err != nil {
			return kept, fmt.Errorf("decode customization of site %s: %w", siteID, err)
		}
		kept.stored, kept.updatedAt = true, time.UnixMicro(updatedAt).UTC()
	}
	err = db.Each(ctx, q, "select customizations of site spaces", func(row db.Scanner) error {
		var siteSpace, overrides string
		var at int64
		if err := row.Scan(&siteSpace, &overrides, &at); err != nil {
			return err
		}
		own := spaceOverrides{updatedAt: time.UnixMicro(at).UTC()}
		if err := json.Unmarshal([]byte(overrides), &own.values); err != nil {
			return fmt.Errorf("decode customization of site space %s: %w", siteSpace, err)
		}
		kept.overrides[siteSpace] = own
		return nil
	}, `
		SELECT o.site_space_id, o.overrides, o.updated_at FROM site_space ss
		JOIN site_space_customization o ON o.site_space_id = ss.id
		WHERE ss.site_id = $1`, siteID)
	return kept, err
}

// storeCustomization keeps the settings of a site, and makes its version the next one.
func storeCustomization(ctx context.Context, q db.Querier, siteID string, settings Customization, at time.Time) error {
	encoded, err := json.Marshal(settings)
	if err != nil {
		return fmt.Errorf("encode customization: %w", err)
	}
	favicon, err := json.Marshal(settings.Favicon)
	if err != nil {
		return fmt.Errorf("encode favicon: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		INSERT INTO site_customization (site_id, settings, version, updated_at, favicon) VALUES ($1, $2, 1, $3, $4)
		ON CONFLICT (site_id) DO UPDATE SET settings = $2, version = site_customization.version + 1, updated_at = $3,
		favicon = $4`,
		siteID, string(encoded), at.UnixMicro(), string(favicon))
	if err != nil {
		return fmt.Errorf("store customization of site: %w", err)
	}
	return nil
}

// storeOverrides keeps the values that a space has of its own, none of them included, and makes the site's version the
// next one.
func storeOverrides(ctx context.Context, q db.Querier, siteID, siteSpaceID string, values map[string]any,
	at time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO site_customization (site_id, settings, version, updated_at) VALUES ($1, '', 1, $2)
		ON CONFLICT (site_id) DO UPDATE SET version = site_customization.version + 1`, siteID, at.UnixMicro())
	if err != nil {
		return fmt.Errorf("store version of customization: %w", err)
	}
	if len(values) == 0 {
		if _, err := q.ExecContext(ctx, `DELETE FROM site_space_customization WHERE site_space_id = $1`,
			siteSpaceID); err != nil {
			return fmt.Errorf("delete customization of site space: %w", err)
		}
		return nil
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("encode customization of site space: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		INSERT INTO site_space_customization (site_space_id, overrides, updated_at) VALUES ($1, $2, $3)
		ON CONFLICT (site_space_id) DO UPDATE SET overrides = $2, updated_at = $3`, siteSpaceID, string(encoded),
		at.UnixMicro())
	if err != nil {
		return fmt.Errorf("store customization of site space: %w", err)
	}
	return nil
}
