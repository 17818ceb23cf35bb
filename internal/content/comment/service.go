package comment

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// List returns a page of the comments of a scope under a filter, by the time of posting, with the number of all of them
// and the keys of the next page (nil on the last).
func (s *Service) List(ctx context.Context, caller account.Caller, scope Scope, filter Filter,
	page paging.Request) (comments paging.Page[Comment], err error) {
	filter, none, err := filter.checked()
	if err != nil {
		return paging.Page[Comment]{}, err
	}
	var r room
	err = s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		comments.Items, comments.Count, comments.Next = nil, 0, nil
		var err error
		if r, err = s.enter(ctx, q, caller, scope); err != nil || none {
			return err
		}
		if comments.Items, comments.Count, err = listComments(ctx, q, r, filter, page); err != nil {
			return err
		}
		comments.Cut(page.Size(), func(c Comment) []string {
			return []string{strconv.FormatInt(c.PostedAt.UnixMicro(), 10), string(c.ID)}
		})
		return s.complete(ctx, q, r, caller, comments.Items)
	})
	if err != nil {
		return paging.Page[Comment]{}, err
	}
	return comments, s.locate(ctx, r.head, comments.Items)
}

// Get returns a comment of a scope; errs.NotFound when there is none.
func (s *Service) Get(ctx context.Context, caller account.Caller, scope Scope, commentID id.Comment) (Comment, error) {
	var r room
	var c Comment
	err := s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		if r, err = s.enter(ctx, q, caller, scope); err != nil {
			return err
		}
		list := make([]Comment, 1)
		if list[0], err = one(ctx, q, r, commentID); err != nil {
			return err
		}
		err = s.complete(ctx, q, r, caller, list)
		c = list[0]
		return err
	})
	if err != nil {
		return Comment{}, err
	}
	return s.located(ctx, r.head, c)
}

// Post adds an open comment and returns it. It needs the role comment in the space. It is an errs.NotFound when the
// scope's current revision has no such page, or the page no such node.
func (s *Service) Post(ctx context.Context, caller account.Caller, scope Scope, in NewComment) (Comment, error) {
	r, err := s.take(ctx, s.db.Read(), caller, scope)
	if err != nil {
		return Comment{}, err
	}
	mentions, err := checkBody(in.Body)
	if err != nil {
		return Comment{}, err
	}
	if in.Suggestion != nil && (in.Range == nil || r.changeRequest == "") {
		return Comment{}, errs.Invalidf("body.suggestion",
			"is for a range of text in a change request; send range, or leave the suggestion out")
	}
	target, anchored, err := s.aim(ctx, r.head, in)
	if err != nil {
		return Comment{}, err
	}
	c := Comment{
		ID: id.Comment(id.New("comment")), Space: r.ID, ChangeRequest: r.changeRequest, Body: in.Body, Status: Open,
		Target: target, anchor: anchored, author: caller.User.ID,
	}
	if in.Suggestion != nil {
		c.Suggestion = &Suggestion{Text: *in.Suggestion}
	}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		// Access may have changed while the page was read.
		r, err := s.take(ctx, q, caller, scope)
		if err != nil {
			return err
		}
		c.PostedAt, c.PostedBy, c.Permissions = s.clock(), caller.User, c.permissions(r.Space, caller)
		if err := insertComment(ctx, q, c); err != nil {
			return err
		}
		if err := s.mention(ctx, q, r, post{comment: c.ID}, pageOf(c), c.author, c.Body, mentions,
			c.PostedAt); err != nil {
			return err
		}
		return countPost(ctx, q, r, c.author, c.PostedAt)
	})
	if err != nil {
		return Comment{}, err
	}
	return s.located(ctx, r.head, c)
}

// Update changes a comment and returns it as it is then. Every part of the change needs its own permission (see
// Permissions); when one is refused nothing changes.
func (s *Service) Update(ctx context.Context, caller account.Caller, scope Scope, commentID id.Comment,
	change Change) (Comment, error) {
	if _, err := s.take(ctx, s.db.Read(), caller, scope); err != nil {
		return Comment{}, err
	}
	wanted, err := change.checked()
	if err != nil {
		return Comment{}, err
	}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.take(ctx, q, caller, scope)
		if err != nil {
			return err
		}
		c, err := one(ctx, q, r, commentID)
		if err != nil {
			return err
		}
		return s.change(ctx, q, r, caller, c, wanted)
	})
	if err != nil {
		return Comment{}, err
	}
	// It is read outside the transaction: reading what many write at the same time would make them collide.
	return s.Get(ctx, caller, scope, commentID)
}

// change applies a change to a comment.
func (s *Service) change(ctx context.Context, q db.Querier, r room, caller account.Caller, c Comment,
	wanted edit) error {
	permissions := permissionsOf(r.Space, caller, c.author)
	now := s.clock()
	changed := false
	if wanted.body != nil {
		if err := permissions.requireEdit(); err != nil {
			return err
		}
		if *wanted.body != c.Body {
			c.Body, c.EditedAt, changed = *wanted.body, now, true
			p := post{comment: c.ID}
			if err := s.mention(ctx, q, r, p, pageOf(c), caller.User.ID, c.Body, wanted.mentions, now); err != nil {
				return err
			}
		}
	}
	if wanted.resolved != nil {
		if err := permissions.requireResolve(); err != nil {
			return err
		}
		// Who resolves what is resolved changes nothing: the one who settled it stays named.
		if resolved := c.Status == Resolved; resolved != *wanted.resolved {
			changed = true
			if *wanted.resolved {
				c.Status, c.resolver, c.ResolvedAt = Resolved, caller.User.ID, now
				if err := s.settled(ctx, q, r, c, caller.User.ID, now); err != nil {
					return err
				}
			} else {
				c.Status, c.resolver, c.ResolvedAt = Open, "", time.Time{}
			}
		}
	}
	if changed {
		if err := updateComment(ctx, q, c); err != nil {
			return err
		}
	}
	return react(ctx, q, post{comment: c.ID}, caller, wanted, now)
}

// Delete removes a comment with its replies. Deleting needs Permissions.Delete.
func (s *Service) Delete(ctx context.Context, caller account.Caller, scope Scope, commentID id.Comment) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.take(ctx, q, caller, scope)
		if err != nil {
			return err
		}
		c, err := one(ctx, q, r, commentID)
		if err != nil {
			return err
		}
		if err := permissionsOf(r.Space, caller, c.author).requireDelete(); err != nil {
			return err
		}
		repliers, err := repliersOf(ctx, q, []id.Comment{c.ID})
		if err != nil {
			return err
		}
		for _, each := range repliers {
			if err := discountPosts(ctx, q, r, each.user, each.count); err != nil {
				return err
			}
		}
		if err := discountPosts(ctx, q, r, c.author, 1); err != nil {
			return err
		}
		return deleteComment(ctx, q, c.ID)
	})
}

// one reads a comment of a scope without people, reactions and replies; errs.NotFound when there is none.
func one(ctx context.Context, q db.Querier, r room, commentID id.Comment) (Comment, error) {
	if !id.Valid("comment", commentID) {
		return Comment{}, noComment()
	}
	c, err := commentByID(ctx, q, r, commentID)
	if errors.Is(err, db.ErrNoRows) {
		return Comment{}, noComment()
	}
	return c, err
}

// located is locate for one comment.
func (s *Service) located(ctx context.Context, head id.Revision, c Comment) (Comment, error) {
	list := []Comment{c}
	if err := s.locate(ctx, head, list); err != nil {
		return Comment{}, err
	}
	return list[0], nil
}

// complete fills in people, reactions, replies and permissions.
func (s *Service) complete(ctx context.Context, q db.Querier, r room, caller account.Caller, comments []Comment) error {
	if len(comments) == 0 {
		return nil
	}
	ids := make([]id.Comment, len(comments))
	at := make(map[id.Comment]*Comment, len(comments))
	people := usersByID{}
	for i := range comments {
		c := &comments[i]
		ids[i], at[c.ID] = c.ID, c
		people.add(c.author)
		people.add(c.resolver)
	}
	reactions, err := reactionsOf(ctx, q, ids, nil)
	if err != nil {
		return err
	}
	repliers, err := repliersOf(ctx, q, ids)
	if err != nil {
		return err
	}
	for _, row := range reactions {
		people.add(row.user)
	}
	for _, row := range repliers {
		people.add(row.user)
	}
	if err := people.load(ctx, s, q); err != nil {
		return err
	}
	for i := range comments {
		c := &comments[i]
		c.PostedBy, c.ResolvedBy = people[c.author], people[c.resolver]
		c.Permissions = c.permissions(r.Space, caller)
	}
	for _, row := range reactions {
		c := at[row.comment]
		c.Reactions = gather(c.Reactions, row, people)
	}
	for _, row := range repliers {
		c := at[row.comment]
		c.Replies += row.count
		c.Repliers = append(c.Repliers, Replier{User: people[row.user], Count: row.count, LastAt: row.lastAt})
	}
	return nil
}

// usersByID is the people of an answer by id; those whose account is gone are the zero User.
type usersByID map[id.User]account.User

func (u usersByID) add(userID id.User) {
	if userID != "" {
		u[userID] = account.User{}
	}
}

// load fills in who the people are.
func (u usersByID) load(ctx context.Context, s *Service, q db.Querier) error {
	ids := make([]id.User, 0, len(u))
	for userID := range u {
		ids = append(ids, userID)
	}
	users, err := s.accounts.UsersIn(ctx, q, ids)
	if err != nil {
		return err
	}
	maps.Copy(u, users)
	return nil
}
