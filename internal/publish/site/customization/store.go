package customization

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Customized is a customization as it is kept.
type Customized struct {
	Customization
	// UpdatedAt is when somebody changed it; zero when nobody has.
	UpdatedAt time.Time
	// Overridden says that a space has values of its own.
	Overridden bool
}

// Stored is how a site and the spaces on it look, as it is kept.
type Stored struct {
	// Set says that somebody has customized the site; else Customization is the default, and UpdatedAt zero.
	Set           bool
	Customization Customization
	UpdatedAt     time.Time
	// Overrides are those of spaces that have values of their own, by the id of the site space.
	Overrides map[id.SiteSpace]SpaceOverrides
}

// IsEdit reports whether what was sent is an edit of what is kept: it then has the time of that. Sent again, it is not.
func (c Stored) IsEdit(object map[string]any) bool {
	said, ok := object["updatedAt"].(string)
	if !ok || !c.Set {
		return !ok && !c.Set
	}
	at, err := time.Parse(time.RFC3339, said)
	return err == nil && at.Equal(c.UpdatedAt.Truncate(time.Millisecond))
}

// SpaceOverrides are the values that a space on a site has of its own, in objects as in the whole document.
type SpaceOverrides struct {
	Values    map[string]any
	UpdatedAt time.Time
}

// Site returns how the site looks.
func (c *Stored) Site() Customized {
	return Customized{Customization: c.Customization, UpdatedAt: c.UpdatedAt}
}

// Space returns how a space on the site looks: as the site, with the values that the space has of its own.
func (c *Stored) Space(siteSpaceID id.SiteSpace) (Customized, error) {
	own := c.Overrides[siteSpaceID]
	merged, err := c.Customization.With(own.Values)
	made := Customized{Customization: merged, UpdatedAt: c.UpdatedAt, Overridden: len(own.Values) > 0}
	if own.UpdatedAt.After(made.UpdatedAt) {
		made.UpdatedAt = own.UpdatedAt
	}
	return made, err
}

// Load reads all that is kept of how a site looks.
func Load(ctx context.Context, q db.Querier, siteID id.Site) (Stored, error) {
	kept := Stored{Customization: Default(), Overrides: map[id.SiteSpace]SpaceOverrides{}}
	var settings string
	var updatedAt int64
	err := q.QueryRowContext(ctx, `SELECT settings, updated_at FROM site_customization WHERE site_id = $1`,
		siteID).
		Scan(&settings, &updatedAt)
	if errors.Is(err, db.ErrNoRows) {
		return kept, nil
	}
	if err != nil {
		return kept, fmt.Errorf("select customization of site: %w", err)
	}
	if settings != "" {
		if err := json.Unmarshal([]byte(settings), &kept.Customization); err != nil {
			return kept, fmt.Errorf("decode customization of site %s: %w", siteID, err)
		}
		kept.Set, kept.UpdatedAt = true, time.UnixMicro(updatedAt).UTC()
	}
	err = db.Each(ctx, q, "select customizations of site spaces", func(row db.Scanner) error {
		var (
			siteSpace id.SiteSpace
			overrides string
		)
		var at int64
		if err := row.Scan(&siteSpace, &overrides, &at); err != nil {
			return err
		}
		own := SpaceOverrides{UpdatedAt: time.UnixMicro(at).UTC()}
		if err := json.Unmarshal([]byte(overrides), &own.Values); err != nil {
			return fmt.Errorf("decode customization of site space %s: %w", siteSpace, err)
		}
		kept.Overrides[siteSpace] = own
		return nil
	}, `
		SELECT o.site_space_id, o.overrides, o.updated_at FROM site_space ss
		JOIN site_space_customization o ON o.site_space_id = ss.id
		WHERE ss.site_id = $1`, siteID)
	return kept, err
}

// Save keeps the settings of a site, and makes its version the next one.
func Save(ctx context.Context, q db.Querier, siteID id.Site, settings Customization, at time.Time) error {
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

// SaveOverrides keeps the values that a space has of its own, none of them included, and makes the site's version the
// next one.
func SaveOverrides(ctx context.Context, q db.Querier, siteID id.Site, siteSpaceID id.SiteSpace, values map[string]any,
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
