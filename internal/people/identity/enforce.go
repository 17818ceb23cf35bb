package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// keepOne refuses to take a provider away while the organization enforces single sign-on and has no other one.
func (s *Service) keepOne(ctx context.Context, q db.Querier, organizationID id.Organization, but id.Provider) error {
	organization, err := org.OrganizationIn(ctx, q, organizationID)
	if err != nil || !organization.SSO {
		return err
	}
	logins, err := s.logins(ctx, q, organizationID)
	if err != nil {
		return err
	}
	for _, login := range logins {
		if login.ID != but {
			return nil
		}
	}
	return errs.Conflictf("The organization enforces single sign-on, and this is the only provider that people can " +
		"sign in with. Set up another one, or stop enforcing single sign-on first.")
}

// EmergencyCode is what is known of the code that lets an admin in without the identity provider.
type EmergencyCode struct {
	// User is the id of the admin who made it, and whom it lets in.
	User      id.User
	CreatedAt time.Time
}

// MakeEmergencyCode makes the code with which the calling admin gets in once when the identity provider does not work,
// in place of the one that the organization has. The code itself is not kept and cannot be shown again. It lets in
// without limits, so a token with limits cannot make one, and a session has to be of late.
func (s *Service) MakeEmergencyCode(ctx context.Context, caller account.Caller,
	organizationID id.Organization) (code string, made EmergencyCode, err error) {
	if caller.Session.ID != "" && !caller.Session.Fresh(s.clock()) {
		return "", EmergencyCode{}, account.NotFresh()
	}
	if len(caller.Token.Scopes) > 0 || !caller.Token.ExpiresAt.IsZero() {
		return "", EmergencyCode{}, errs.Forbiddenf("An emergency code lets you in without limits, so a token that " +
			"is limited to scopes or expires cannot make one.")
	}
	code = newEmergencyCode()
	made = EmergencyCode{User: caller.User.ID, CreatedAt: s.clock()}
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
			return err
		}
		_, err := q.ExecContext(ctx, `
			INSERT INTO identity_emergency_code (organization_id, user_id, code_hash, created_at, vouched_by)
			VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (organization_id) DO UPDATE SET user_id = excluded.user_id, code_hash = excluded.code_hash,
			created_at = excluded.created_at,
				vouched_by = excluded.vouched_by`,
			organizationID, made.User, emergencyHash(code), made.CreatedAt.UnixMicro(), caller.VouchedBy())
		if err != nil {
			return wrap("keep emergency code", err)
		}
		return recordEmergency(ctx, q, caller, organizationID, "create")
	})
	if err != nil {
		return "", EmergencyCode{}, err
	}
	return code, made, nil
}

// FindEmergencyCode says who made the code of an organization and when; errs.NotFound when there is none.
func (s *Service) FindEmergencyCode(ctx context.Context, caller account.Caller,
	organizationID id.Organization) (EmergencyCode, error) {
	q := s.deps.DB.Read()
	if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
		return EmergencyCode{}, err
	}
	var found EmergencyCode
	var created int64
	err := q.QueryRowContext(ctx, `SELECT user_id, created_at FROM identity_emergency_code WHERE organization_id = $1`,
		organizationID).Scan(&found.User, &created)
	if errors.Is(err, db.ErrNoRows) {
		return EmergencyCode{}, errs.NotFoundf("The organization has no emergency code.")
	}
	found.CreatedAt = time.UnixMicro(created).UTC()
	return found, wrap("find emergency code", err)
}

// RevokeEmergencyCode takes the code of an organization away. There being none is as good.
func (s *Service) RevokeEmergencyCode(ctx context.Context, caller account.Caller,
	organizationID id.Organization) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
			return err
		}
		result, err := q.ExecContext(ctx, `DELETE FROM identity_emergency_code WHERE organization_id = $1`,
			organizationID)
		if gone, err := changed(result, err); err != nil || !gone {
			return err
		}
		return recordEmergency(ctx, q, caller, organizationID, "revoke")
	})
}

// UseEmergencyCode returns the admin whom a code lets in; it lets nobody in a second time. A code opens no more than
// what the admin had come in with who made it.
func (s *Service) UseEmergencyCode(ctx context.Context, code string) (account.Identified, error) {
	unknown := errs.Forbiddenf("This code is not known, or was used before.")
	var who account.Identified
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		hash := emergencyHash(code)
		var (
			organizationID id.Organization
			userID         id.User
		)
		err := q.QueryRowContext(ctx,
			`SELECT organization_id, user_id, vouched_by FROM identity_emergency_code WHERE code_hash = $1`, hash).
			Scan(&organizationID, &userID, &who.VouchedBy)
		if errors.Is(err, db.ErrNoRows) {
			return unknown
		}
		if err != nil {
			return wrap("find emergency code", err)
		}
		users, err := s.deps.Accounts.UsersIn(ctx, q, []id.User{userID})
		if err != nil {
			return err
		}
		who.User, who.Through = users[userID], string(organizationID)
		caller := account.Caller{User: who.User}
		// Who is no admin any more has lost the right with the role.
		if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
			if errs.KindOf(err) == errs.Internal {
				return err
			}
			return unknown
		}
		result, err := q.ExecContext(ctx,
			`DELETE FROM identity_emergency_code WHERE organization_id = $1 AND code_hash = $2`, organizationID, hash)
		if gone, err := changed(result, err); err != nil || !gone {
			return errors.Join(err, unknown)
		}
		return recordEmergency(ctx, q, caller, organizationID, "use")
	})
	if err != nil {
		return account.Identified{}, err
	}
	return who, nil
}

// newEmergencyCode returns a code that people can type: 125 bits as five groups of letters and digits.
func newEmergencyCode() string {
	text := rand.Text()
	groups := []string{text[0:5], text[5:10], text[10:15], text[15:20], text[20:25]}
	return strings.Join(groups, "-")
}

// emergencyHash is what the database keeps of a code, however it was typed.
func emergencyHash(code string) []byte {
	bare := strings.ToUpper(strings.NewReplacer("-", "", " ", "", "\t", "", "\n", "", "\r", "").Replace(code))
	hash := sha256.Sum256([]byte("recto emergency code " + bare))
	return hash[:]
}

func changed(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, wrap("change emergency code", err)
	}
	count, err := result.RowsAffected()
	return count > 0, wrap("change emergency code", err)
}

func recordEmergency(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	verb string) error {
	return audit.Record(ctx, q, audit.Entry{
		Organization: organizationID, Actor: caller.User.ID, Token: caller.Token.ID, Action: "emergency-code." + verb,
		Target: audit.Target{Kind: "emergency-code", ID: string(organizationID), Title: caller.User.DisplayName},
	})
}
