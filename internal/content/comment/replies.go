package comment

import (
	"context"
	"errors"
	"strconv"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Replies returns a page of the replies to a comment, oldest first, with the number of all of them and the keys of the
// next page (nil on the last).
func (s *Service) Replies(ctx context.Context, caller account.Caller, scope Scope, commentID id.Comment,
	page paging.Request) (replies paging.Page[Reply], err error) {
	err = s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.enter(ctx, q, caller, scope)
		if err != nil {
			return err
		}
		c, err := one(ctx, q, r, commentID)
		if err != nil {
			return err
		}
		if replies.Items, replies.Count, err = listReplies(ctx, q, c.ID, page); err != nil {
			return err
		}
		replies.Cut(page.Size(), func(r Reply) []string {
			return []string{strconv.FormatInt(r.PostedAt.UnixMicro(), 10), r.ID}
		})
		return s.completeReplies(ctx, q, r, caller, replies.Items)
	})
	if err != nil {
		return paging.Page[Reply]{}, err
	}
	return replies, nil
}

// Reply returns one reply to a comment; errs.NotFound when there is none.
func (s *Service) Reply(ctx context.Context, caller account.Caller, scope Scope, commentID id.Comment,
	replyID string) (Reply, error) {
	var reply Reply
	err := s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.enter(ctx, q, caller, scope)
		if err != nil {
			return err
		}
		list := make([]Reply, 1)
		if list[0], err = oneReply(ctx, q, r, commentID, replyID); err != nil {
			return err
		}
		err = s.completeReplies(ctx, q, r, caller, list)
		reply = list[0]
		return err
	})
	if err != nil {
		return Reply{}, err
	}
	return reply, nil
}

// PostReply answers a comment, be it open or resolved, and returns the reply. It needs the role comment in the space.
func (s *Service) PostReply(ctx context.Context, caller account.Caller, scope Scope, commentID id.Comment,
	body string) (Reply, error) {
	r, err := s.take(ctx, s.db.Read(), caller, scope)
	if err != nil {
		return Reply{}, err
	}
	if _, err := one(ctx, s.db.Read(), r, commentID); err != nil {
		return Reply{}, err
	}
	mentions, err := checkBody(body)
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{ID: id.New("reply"), Comment: commentID, Space: r.ID, ChangeRequest: r.changeRequest, Body: body,
		author: caller.User.ID}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.take(ctx, q, caller, scope)
		if err != nil {
			return err
		}
		c, err := one(ctx, q, r, commentID)
		if err != nil {
			return err
		}
		reply.PostedAt, reply.PostedBy, reply.Permissions = s.clock(), caller.User, permissionsOf(r.Space, caller,
			reply.author)
		if err := insertReply(ctx, q, reply); err != nil {
			return err
		}
		if err := s.mention(ctx, q, r, post{commentID, reply.ID}, pageOf(c), reply.author, body, mentions,
			reply.PostedAt); err != nil {
			return err
		}
		if err := s.answer(ctx, q, r, c, reply, mentions); err != nil {
			return err
		}
		return countPost(ctx, q, r, reply.author, reply.PostedAt)
	})
	if err != nil {
		return Reply{}, err
	}
	return reply, nil
}

// UpdateReply changes a reply and returns it as it is then. Every part of the change needs its own permission; when one
// is refused nothing changes.
func (s *Service) UpdateReply(ctx context.Context, caller account.Caller, scope Scope, commentID id.Comment,
	replyID string, change Change) (Reply, error) {
	if _, err := s.take(ctx, s.db.Read(), caller, scope); err != nil {
		return Reply{}, err
	}
	if change.Resolved != nil && *change.Resolved {
		return Reply{}, errs.Invalidf("body.resolved",
			"is for comments; a reply is neither open nor resolved, so resolve the comment that it answers")
	}
	wanted, err := change.checked()
	if err != nil {
		return Reply{}, err
	}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.take(ctx, q, caller, scope)
		if err != nil {
			return err
		}
		reply, err := oneReply(ctx, q, r, commentID, replyID)
		if err != nil {
			return err
		}
		return s.changeReply(ctx, q, r, caller, reply, wanted)
	})
	if err != nil {
		return Reply{}, err
	}
	return s.Reply(ctx, caller, scope, commentID, replyID)
}

func (s *Service) changeReply(ctx context.Context, q db.Querier, r room, caller account.Caller, reply Reply,
	wanted edit) error {
	p := post{reply.Comment, reply.ID}
	now := s.clock()
	if wanted.body != nil {
		if err := permissionsOf(r.Space, caller, reply.author).requireEdit(); err != nil {
			return err
		}
		if *wanted.body != reply.Body {
			reply.Body, reply.EditedAt = *wanted.body, now
			c, err := one(ctx, q, r, reply.Comment)
			if err != nil {
				return err
			}
			if err := s.mention(ctx, q, r, p, pageOf(c), caller.User.ID, reply.Body, wanted.mentions,
				now); err != nil {
				return err
			}
			if err := updateReply(ctx, q, reply); err != nil {
				return err
			}
		}
	}
	return react(ctx, q, p, caller, wanted, now)
}

// DeleteReply removes a reply. Deleting needs Permissions.Delete.
func (s *Service) DeleteReply(ctx context.Context, caller account.Caller, scope Scope, commentID id.Comment,
	replyID string) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.take(ctx, q, caller, scope)
		if err != nil {
			return err
		}
		reply, err := oneReply(ctx, q, r, commentID, replyID)
		if err != nil {
			return err
		}
		if err := permissionsOf(r.Space, caller, reply.author).requireDelete(); err != nil {
			return err
		}
		if err := discountPosts(ctx, q, r, reply.author, 1); err != nil {
			return err
		}
		return deleteReply(ctx, q, reply.Comment, reply.ID)
	})
}

// oneReply reads a reply to a comment of a scope without people and reactions; errs.NotFound when there is none.
func oneReply(ctx context.Context, q db.Querier, r room, commentID id.Comment, replyID string) (Reply, error) {
	c, err := one(ctx, q, r, commentID)
	if err != nil {
		return Reply{}, err
	}
	if !id.Valid("reply", replyID) {
		return Reply{}, noReply()
	}
	reply, err := replyByID(ctx, q, c.ID, replyID)
	if errors.Is(err, db.ErrNoRows) {
		return Reply{}, noReply()
	}
	return reply, err
}

// completeReplies fills in people, reactions and permissions of replies to one comment.
func (s *Service) completeReplies(ctx context.Context, q db.Querier, r room, caller account.Caller,
	replies []Reply) error {
	if len(replies) == 0 {
		return nil
	}
	ids := make([]string, len(replies))
	at := make(map[string]*Reply, len(replies))
	people := usersByID{}
	for i := range replies {
		reply := &replies[i]
		ids[i], at[reply.ID] = reply.ID, reply
		people.add(reply.author)
	}
	reactions, err := reactionsOf(ctx, q, []id.Comment{replies[0].Comment}, ids)
	if err != nil {
		return err
	}
	for _, row := range reactions {
		people.add(row.user)
	}
	if err := people.load(ctx, s, q); err != nil {
		return err
	}
	for i := range replies {
		replies[i].Space, replies[i].ChangeRequest = r.ID, r.changeRequest
		replies[i].PostedBy = people[replies[i].author]
		replies[i].Permissions = permissionsOf(r.Space, caller, replies[i].author)
	}
	for _, row := range reactions {
		reply := at[row.reply]
		reply.Reactions = gather(reply.Reactions, row, people)
	}
	return nil
}
