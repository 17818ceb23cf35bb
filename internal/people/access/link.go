package access

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// These functions are what invite links to spaces and collections stand on; they are Hooks of package invite.

// MayInvite returns the organization of an object when the caller may give others a role there, and otherwise why not.
func MayInvite(ctx context.Context, q db.Querier, caller account.Caller, object Object,
	role Role) (organizationID id.Organization, err error) {
	own, err := require(ctx, q, caller, object, InviteToSpace, InviteToCollection)
	if err != nil {
		return "", err
	}
	return own.organization, MayGive(own.role, role)
}

// RoleOf returns the role of a member of the organization in an object, a guest's for none.
func RoleOf(ctx context.Context, q db.Querier, member account.Caller, object Object) (Role, error) {
	return roleIn(ctx, q, member, object)
}

// GiveByLink gives a member a role in an object, because they have a link that says so. Somebody who has as much keeps
// what they have; somebody whom the object was closed for is an errs.Forbidden.
func GiveByLink(ctx context.Context, q db.Querier, member account.Caller, object Object, role Role) error {
	own, err := roleIn(ctx, q, member, object)
	if err != nil || own.Rank() >= role.Rank() {
		return err
	}
	before, err := grantOf(ctx, q, object, person(member.User.ID))
	switch {
	case errors.Is(err, db.ErrNoRows):
	case err != nil:
		return err
	case before == org.RoleGuest:
		return errs.Forbiddenf(
			"You were shut out of this on purpose, so the link does not open it. Ask somebody who manages it.")
	}
	_, organizationID, err := placesAbove(ctx, q, object)
	if err != nil {
		return err
	}
	if err := putGrant(ctx, q, organizationID, object, person(member.User.ID), role, clock()); err != nil {
		return err
	}
	return record(ctx, q, member, organizationID, object, person(member.User.ID), "grant",
		map[string]any{"role": string(role), "way": "link"})
}

// record writes an entry of the audit log about what somebody has in an object.
func record(ctx context.Context, q db.Querier, actor account.Caller, organizationID id.Organization, object Object,
	who holder, verb string, details map[string]any) error {
	details[map[string]string{"user_id": "user", "team_id": "team"}[who.column]] = who.id
	return Record(ctx, q, actor, organizationID, object, "-permission."+verb, details)
}

// word is the object's kind as the API calls it.
func (o Object) word() string {
	if o.kind == collectionObject {
		return "collection"
	}
	return "space"
}

// titleOf returns what an object is called now.
func titleOf(ctx context.Context, q db.Querier, object Object) (string, error) {
	var title string
	err := q.QueryRowContext(ctx, `SELECT title FROM `+object.word()+` WHERE id = $1`, object.id).Scan(&title)
	if err != nil {
		return "", fmt.Errorf("select title of %s: %w", object.word(), err)
	}
	return title, nil
}

// Record writes an entry of the audit log about an object: action is what comes behind its kind, such as ".move".
func Record(ctx context.Context, q db.Querier, actor account.Caller, organizationID id.Organization, object Object,
	action string, details map[string]any) error {
	title, err := titleOf(ctx, q, object)
	if err != nil {
		return err
	}
	return audit.Record(ctx, q, audit.Entry{
		Organization: organizationID, Actor: actor.User.ID, Token: actor.Token.ID, Action: object.word() + action,
		Target: audit.Target{Kind: object.word(), ID: object.id, Title: title}, Details: details,
	})
}

// RecordLevel writes an entry of the audit log about a changed default level of an object.
func RecordLevel(ctx context.Context, q db.Querier, actor account.Caller, organizationID id.Organization, object Object,
	before, after Level) error {
	return Record(ctx, q, actor, organizationID, object, "-permission.level",
		map[string]any{"defaultLevel": map[string]any{"from": levelWord(before), "to": levelWord(after)}})
}

// levelWord is a level as the API has it; nil for no access.
func levelWord(level Level) any {
	if level == NoAccess {
		return nil
	}
	return string(level)
}
