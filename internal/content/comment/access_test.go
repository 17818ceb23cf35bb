package comment_test

import (
	"context"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
)

// TestOperationsByRole holds which role may do what, for every operation in both scopes: on what others have posted, on
// what one has posted oneself, and for the admin of another organization.
func TestOperationsByRole(t *testing.T) {
	const stranger = org.Role("stranger")
	never := org.Role("never")
	operations := []struct {
		name string
		run  func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, replyID string) error
		// others and own are the lowest roles that may, when another has posted it and when the caller has.
		others, own org.Role
	}{
		{"list",
			func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope, _ id.Comment,
				_ string) error {
				_, err := h.List(ctx, caller, scope, comment.Filter{}, paging.Request{})
				return err
			}, org.RoleRead, org.RoleRead},
		{"get", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, _ string) error {
			_, err := h.Get(ctx, caller, scope, commentID)
			return err
		}, org.RoleRead, org.RoleRead},
		{"list replies", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, _ string) error {
			_, err := h.Replies(ctx, caller, scope, commentID, paging.Request{})
			return err
		}, org.RoleRead, org.RoleRead},
		{"get a reply", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, replyID string) error {
			_, err := h.Reply(ctx, caller, scope, commentID, replyID)
			return err
		}, org.RoleRead, org.RoleRead},
		{"list commenters", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			_ id.Comment, _ string) error {
			_, err := h.Commenters(ctx, caller, scope, paging.Request{})
			return err
		}, org.RoleRead, org.RoleRead},
		{"post",
			func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope, _ id.Comment,
				_ string) error {
				_, err := h.Post(ctx, caller, scope, comment.NewComment{Body: "x"})
				return err
			}, org.RoleComment, org.RoleComment},
		{"reply", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, _ string) error {
			_, err := h.PostReply(ctx, caller, scope, commentID, "x")
			return err
		}, org.RoleComment, org.RoleComment},
		{"react", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, _ string) error {
			_, err := h.Update(ctx, caller, scope, commentID, comment.Change{Add: []string{"👍"}})
			return err
		}, org.RoleComment, org.RoleComment},
		{"react to a reply", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, replyID string) error {
			_, err := h.UpdateReply(ctx, caller, scope, commentID, replyID, comment.Change{Add: []string{"👍"}})
			return err
		}, org.RoleComment, org.RoleComment},
		{"resolve", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, _ string) error {
			_, err := h.Update(ctx, caller, scope, commentID, comment.Change{Resolved: new(true)})
			return err
		}, org.RoleEdit, org.RoleComment},
		{"reopen", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, _ string) error {
			_, err := h.Update(ctx, caller, scope, commentID, comment.Change{Resolved: new(false)})
			return err
		}, org.RoleEdit, org.RoleComment},
		{"edit", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, _ string) error {
			_, err := h.Update(ctx, caller, scope, commentID, comment.Change{Body: new("y")})
			return err
		}, never, org.RoleComment},
		{"edit a reply", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, replyID string) error {
			_, err := h.UpdateReply(ctx, caller, scope, commentID, replyID, comment.Change{Body: new("y")})
			return err
		}, never, org.RoleComment},
		{"delete a reply", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, replyID string) error {
			return h.DeleteReply(ctx, caller, scope, commentID, replyID)
		}, org.RoleReview, org.RoleComment},
		{"delete", func(ctx context.Context, h *fixture, caller account.Caller, scope comment.Scope,
			commentID id.Comment, _ string) error {
			return h.Delete(ctx, caller, scope, commentID)
		}, org.RoleReview, org.RoleComment},
	}
	type try struct {
		name  string
		role  org.Role
		own   bool
		least org.Role // the lowest role that may
		run   func() error
	}
	eachScope(t, func(h *fixture, scope comment.Scope) {
		// Everybody may post at first, so that everybody can be an author.
		h.level("admin")
		h.grant(h.Members[org.RoleGuest], org.RoleAdmin)
		var tries []try
		for _, operation := range operations {
			for _, role := range append([]org.Role{stranger}, orgtest.Roles...) {
				caller := h.Members[role]
				if role == stranger {
					caller = h.Stranger
				}
				for _, own := range []bool{false, true} {
					poster, least := h.Admin(), operation.others
					if own {
						poster, least = caller, operation.own
					}
					if role == org.RoleAdmin && !own {
						poster = h.Members[org.RoleCreate]
					}
					if role == stranger && own {
						continue
					}
					c := h.post(poster, scope, comment.NewComment{Body: "c"})
					r := h.reply(poster, scope, c.ID, "r")
					tries = append(tries, try{operation.name + " as " + string(role), role, own, least, func() error {
						return operation.run(h.Context(), h, caller, scope, c.ID, r.ID)
					}})
				}
			}
		}
		h.level(access.Inherit)
		h.grant(h.Members[org.RoleGuest], org.RoleGuest)
		for _, one := range tries {
			switch err := one.run(); {
			case one.role == stranger || one.role == org.RoleGuest:
				h.wantKind(one.name, err, errs.NotFound, "")
			case one.least == never || !one.role.AtLeast(one.least):
				h.wantKind(one.name, err, errs.Forbidden, "")
			case err != nil:
				h.Errorf("%s (own: %t): %v", one.name, one.own, err)
			}
		}
	})
}

// level sets what members may do in the space who have no grant.
func (h *fixture) level(level access.Level) {
	h.Helper()
	_, err := h.spaces.Update(h.Context(), h.Admin(), h.space, space.Change{DefaultLevel: optional.Of(level)})
	h.must(err)
}

// grant gives somebody a role in the space.
func (h *fixture) grant(to account.Caller, role org.Role) {
	h.Helper()
	h.must(access.New(h.db).Invite(h.Context(), h.Admin(), access.SpaceObject(h.space),
		access.Invitation{Users: []string{string(to.User.ID)}, Role: role}))
}

// TestPermissions holds what answers say a caller may do against what they may (TestOperationsByRole).
func TestPermissions(t *testing.T) {
	eachScope(t, func(h *fixture, scope comment.Scope) {
		made := h.post(h.author(), scope, comment.NewComment{Body: "a"})
		reply := h.reply(h.author(), scope, made.ID, "r")
		for _, role := range orgtest.Roles[1:] {
			own := role == org.RoleComment
			want := comment.Permissions{
				View: true, Edit: own, Reply: role.AtLeast(org.RoleComment), Delete: own ||
					role.AtLeast(org.RoleReview),
				Resolve: own || role.AtLeast(org.RoleEdit),
			}
			if got := h.get(h.Members[role], scope, made.ID).Permissions; got != want {
				h.Errorf("%s: %+v", role, got)
			}
			found, err := h.Reply(h.Context(), h.Members[role], scope, made.ID, reply.ID)
			if err != nil || found.Permissions != want {
				h.Errorf("%s, reply: %+v %v", role, found.Permissions, err)
			}
		}
	})
}
