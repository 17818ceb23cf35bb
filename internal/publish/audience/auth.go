package audience

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site"
)

// Auth is how a site knows its visitors.
type Auth struct {
	Site id.Site
	// PrivateKey is what visitors' tokens are signed with: HMAC-SHA256 with the bytes of this text as the key.
	PrivateKey string
	// FallbackURL is where visitors without a token are sent, LogoutURL where those who have logged out are; "" for
	// none.
	FallbackURL, LogoutURL string
	// Integration is the name of the integration that lets visitors in, "" for a program of the organization's own. The
	// key and the addresses above wait for such a program then.
	Integration string
}

// AuthChange is the input of UpdateAuth: what is absent stays, null takes away.
type AuthChange struct {
	// Backend is who signs tokens: "custom", the organization's own program, or "integration". Integration is the name
	// of that, "" for the only one on the site that can.
	Backend, Integration   string
	FallbackURL, LogoutURL optional.Value[string]
}

// KeyOverlap is how long tokens that were signed with the key before a regeneration still count. Regenerating again
// ends that: the key before the last one is worthless at once.
const KeyOverlap = 24 * time.Hour

// keyBytes is the entropy of a site's key.
const keyBytes = 32

func keyPurpose(siteID id.Site) string { return "audience.site-key/" + string(siteID) }

// Auth returns how a site knows its visitors, and makes its key when this is the first time that somebody asks. It
// needs the right to administer the site.
func (s *Service) Auth(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (Auth, error) {
	if _, err := s.deps.Sites.Managed(ctx, s.deps.DB.Read(), caller, organizationID, siteID,
		access.AdministerSite); err != nil {
		return Auth{}, err
	}
	row, err := authOf(ctx, s.deps.DB.Read(), siteID)
	if errors.Is(err, db.ErrNoRows) {
		return s.changeAuth(ctx, caller, organizationID, siteID, "", func(*authRow) (map[string]any, error) {
			return nil, nil
		})
	}
	if err != nil {
		return Auth{}, err
	}
	return s.auth(siteID, row)
}

// UpdateAuth changes where visitors are sent. It needs the right to administer the site.
func (s *Service) UpdateAuth(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	change AuthChange) (Auth, error) {
	return s.changeAuth(ctx, caller, organizationID, siteID, "site.auth.update",
		func(row *authRow) (map[string]any, error) {
			wanted, err := s.chosen(ctx, siteID, change)
			if err != nil {
				return nil, err
			}
			details := map[string]any{}
			if id := string(wanted.Integration); id != row.integration.V {
				details["integration"] = map[string]any{"from": row.name.V, "to": wanted.Name}
				row.integration = sql.Null[string]{V: id, Valid: id != ""}
				row.name = sql.Null[string]{V: wanted.Name, Valid: id != ""}
			}
			for _, each := range []struct {
				name   string
				change optional.Value[string]
				field  *sql.Null[string]
			}{{"fallbackURL", change.FallbackURL, &row.fallbackURL}, {"logoutURL", change.LogoutURL, &row.logoutURL}} {
				if !each.change.IsSet() {
					continue
				}
				wanted := sql.Null[string]{}
				if address, ok := each.change.Get(); ok {
					address, err := field.URL(each.name, address)
					if err != nil {
						return nil, err
					}
					wanted = sql.Null[string]{V: address, Valid: true}
				}
				if wanted != *each.field {
					details[each.name] = map[string]any{"from": each.field.V, "to": wanted.V}
					*each.field = wanted
				}
			}
			return details, nil
		})
}

// RegenerateKey gives a site a new key. Tokens that were signed with the one before count for KeyOverlap. It needs the
// right to administer the site.
func (s *Service) RegenerateKey(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (Auth, error) {
	return s.changeAuth(ctx, caller, organizationID, siteID, "site.auth.regenerate",
		func(row *authRow) (map[string]any, error) {
			sealed, err := s.newKey(siteID)
			if err != nil {
				return nil, err
			}
			until := s.clock().Add(KeyOverlap)
			row.previous = sql.Null[string]{V: row.key, Valid: true}
			row.previousUntil = sql.Null[int64]{V: until.UnixMicro(), Valid: true}
			row.key = sealed
			return map[string]any{"previousKeyUntil": until.Format(time.RFC3339)}, nil
		})
}

func (s *Service) newKey(siteID id.Site) (sealed string, err error) {
	raw := make([]byte, keyBytes)
	_, _ = rand.Read(raw) // never fails, see crypto/rand
	return s.deps.Secrets.Seal(hex.EncodeToString(raw), keyPurpose(siteID))
}

// changeAuth changes the row of a site, which is made first when there is none. What change returns goes into the audit
// log; an empty action records only that a key was made.
func (s *Service) changeAuth(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	action string, change func(*authRow) (map[string]any, error)) (Auth, error) {
	var after Auth
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		of, err := s.deps.Sites.Managed(ctx, q, caller, organizationID, siteID, access.AdministerSite)
		if err != nil {
			return err
		}
		row, err := authOf(ctx, q, siteID)
		made := errors.Is(err, db.ErrNoRows)
		if made {
			row.key, err = s.newKey(siteID)
		}
		if err != nil {
			return err
		}
		details, err := change(&row)
		if err != nil {
			return err
		}
		if made && action == "" {
			action = "site.auth.create"
		}
		if action == "" || !made && len(details) == 0 {
			after, err = s.auth(siteID, row)
			return err
		}
		if err := putAuth(ctx, q, siteID, row, s.clock().UnixMicro()); err != nil {
			return err
		}
		if err := s.deps.Sites.Touch(ctx, q, siteID); err != nil {
			return err
		}
		if after, err = s.auth(siteID, row); err != nil {
			return err
		}
		return recordSite(ctx, q, caller, of, action, details)
	})
	if err != nil {
		return Auth{}, err
	}
	return after, nil
}

func (s *Service) auth(siteID id.Site, row authRow) (Auth, error) {
	key, err := s.deps.Secrets.Open(row.key, keyPurpose(siteID))
	if err != nil {
		return Auth{}, fmt.Errorf("open the key of site %s: %w", siteID, err)
	}
	return Auth{Site: siteID, PrivateKey: key, FallbackURL: row.fallbackURL.V, LogoutURL: row.logoutURL.V,
		Integration: row.name.V}, nil
}

// recordSite writes an entry of the audit log about a site.
func recordSite(ctx context.Context, q db.Querier, caller account.Caller, of site.Site, action string,
	details map[string]any) error {
	return audit.Record(ctx, q, audit.Entry{
		Organization: of.Organization, Actor: caller.User.ID, Token: caller.Token.ID, Action: action,
		Target: audit.Target{Kind: "site", ID: string(of.ID), Title: of.Title}, Details: details,
	})
}
