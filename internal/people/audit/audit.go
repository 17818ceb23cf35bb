// Package audit owns the audit log of organizations: the table audit_entry. An entry says who changed people, access, a
// site or a token, what, when, and from where.
//
// It promises that an entry is written in the transaction of the change: there is no change without its entry and no
// entry without its change. Entries are never changed but by ForgetTitles, outlive the people and things that they
// name, and go with their organization. They hold no secrets: what is recorded of a token or a key is its id and name.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/platform/mask"
)

// Entry is one change.
type Entry struct {
	// ID is "audit_…"; Record makes it.
	ID string
	// Organization is the id of the organization whose admins see the entry.
	Organization id.Organization
	// Actor is the id of the user who did it; "" for the server itself. Token is the id of the token or session that
	// was used; "" when there was none.
	Actor id.User
	Token string
	// Action is what was done, as thing.verb: "member.remove", "site.publish", "token.create".
	Action string
	// Target is what it was done to.
	Target Target
	// Details are what a reader of the log needs beyond that, such as {"role": {"from": "read", "to": "admin"}}. It has
	// to be JSON and small, and must not hold secrets.
	Details map[string]any
	// Address is where the request came from, "" when there was none; Record takes it from the context.
	Address string
	// CreatedAt is when Record was called.
	CreatedAt time.Time
}

// Target is the thing that an entry is about, as it was called then.
type Target struct {
	// Kind is the word of the API for it: "user", "team", "site", "space", "token".
	Kind  string
	ID    string
	Title string
}

// Record writes an entry in the caller's transaction. Its ID, Address and CreatedAt are set here.
func Record(ctx context.Context, q db.Querier, e Entry) error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	details, err := json.Marshal(e.Details)
	if err != nil {
		return fmt.Errorf("encode the details of %s: %w", e.Action, err)
	}
	if address := httpx.ClientAddress(ctx); address.IsValid() {
		e.Address = address.Unmap().String()
	}
	_, err = q.ExecContext(ctx, `
		INSERT INTO audit_entry (id, organization_id, actor_id, token_id, action, target_kind, target_id, target_title,
		details, address, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		id.New("audit"), e.Organization, e.Actor, e.Token, e.Action, e.Target.Kind, e.Target.ID, e.Target.Title,
		mask.Secrets(string(details)), e.Address,
		time.Now().UnixMicro())
	if err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

// ForgetTitles takes the title of something that is removed for good out of the entries of an organization, in the
// transaction that removes it: those about it by its id, whatever it was called then, and those with an action about
// something that was called after it. Who did what and when stays.
func ForgetTitles(ctx context.Context, q db.Querier, organization id.Organization, targetID, title,
	calledAfter string) error {
	_, err := q.ExecContext(ctx,
		`UPDATE audit_entry SET target_title = '' WHERE organization_id = $1 AND target_id = $2`, organization,
		targetID)
	if err != nil {
		return fmt.Errorf("forget the titles of %s: %w", targetID, err)
	}
	_, err = q.ExecContext(ctx,
		`UPDATE audit_entry SET target_title = '' WHERE organization_id = $1 AND action = $2 AND target_title = $3`,
		organization, calledAfter, title)
	if err != nil {
		return fmt.Errorf("forget the title of %s: %w", targetID, err)
	}
	return nil
}
