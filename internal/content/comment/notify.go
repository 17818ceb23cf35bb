package comment

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/platform/db"
)

// notice is what people are told of a post of a discussion.
func (r room) notice(kind notification.Kind, p post, pageID string, actor id.User, body string,
	now time.Time) notification.Notification {
	return notification.Notification{
		Kind: kind, Actor: actor, Organization: r.Organization, Space: r.ID, ChangeRequest: r.changeRequest,
		Number: r.number, Title: r.subject, Page: pageID, Comment: p.comment, Reply: p.reply, Excerpt: excerptOf(body),
		CreatedAt: now,
	}
}

// excerptOf is a body as plain text.
func excerptOf(body string) string {
	document, err := markdown.Parse([]byte(body))
	if err != nil {
		return "" // bodies are checked when they are taken
	}
	text := ""
	for _, node := range document.Nodes {
		text += node.PlainText() + " "
	}
	return text
}

// mention keeps whom a post mentions now, and tells those of it who were not mentioned before.
func (r room) mention(ctx context.Context, q db.Querier, p post, pageID string, actor id.User, body string,
	mentions []id.User, now time.Time) error {
	added, err := setMentions(ctx, q, p, r.Organization, mentions, now)
	if err != nil {
		return err
	}
	return notification.Add(ctx, q, r.notice(notification.Mention, p, pageID, actor, body, now), added...)
}

// answer tells those who take part in a thread of a reply, but those whom it mentions: they are told of that.
func (r room) answer(ctx context.Context, q db.Querier, c Comment, reply Reply, mentions []id.User) error {
	repliers, err := repliersOf(ctx, q, []id.Comment{c.ID})
	if err != nil {
		return err
	}
	mentioned := map[id.User]bool{}
	for _, user := range mentions {
		mentioned[user] = true
	}
	var told []id.User
	for _, user := range append([]id.User{c.author}, repliersIn(repliers)...) {
		if !mentioned[user] {
			told = append(told, user)
		}
	}
	return notification.Add(ctx, q, r.notice(notification.Reply, post{c.ID, reply.ID}, pageOf(c), reply.author,
		reply.Body, reply.PostedAt), told...)
}

func repliersIn(rows []replierRow) []id.User {
	users := make([]id.User, len(rows))
	for i, row := range rows {
		users[i] = row.user
	}
	return users
}

// pageOf is the id of the page that a comment is about, "" for none.
func pageOf(c Comment) string {
	if c.Target.Page == nil {
		return ""
	}
	return c.Target.Page.ID
}
