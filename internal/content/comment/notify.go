package comment

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/platform/db"
)

// notice is what people are told of a post of a discussion.
func (r room) notice(kind notification.Kind, p post, pageID string, actor id.User,
	now time.Time) notification.Notification {
	return notification.Notification{
		Kind: kind, Actor: actor, Organization: r.Organization, Space: r.ID, ChangeRequest: r.changeRequest,
		Number: r.number, Title: r.subject, Page: pageID, Comment: p.comment, Reply: p.reply, CreatedAt: now,
	}
}

// excerpt is the body of a post as plain text, with the names of those members whom it mentions.
func (s *Service) excerpt(ctx context.Context, q db.Querier, p post, body string) (string, error) {
	document, err := markdown.Parse([]byte(body))
	if err != nil {
		return "", refusedBody(err)
	}
	mentioned, err := mentionsOf(ctx, q, p)
	if err != nil {
		return "", err
	}
	names, err := s.accounts.UsersIn(ctx, q, mentioned)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, node := range document.Nodes {
		writeText(&text, node, names)
		text.WriteByte(' ')
	}
	return text.String(), nil
}

// writeText writes the text of a node, with names in the places of mentions.
func writeText(text *strings.Builder, node *doc.Node, names map[id.User]account.User) {
	if data, ok := node.Data.(*doc.ContentRefData); ok && node.Type == doc.Mention {
		if ref := doc.ParseDestination(data.Ref.URL); names[id.User(ref.User)].DisplayName != "" {
			text.WriteString("@" + names[id.User(ref.User)].DisplayName)
		}
		return
	}
	if len(node.Nodes) == 0 {
		text.WriteString(node.PlainText())
		return
	}
	for _, child := range node.Nodes {
		writeText(text, child, names)
		if child.Object == doc.ObjectBlock {
			text.WriteByte(' ')
		}
	}
}

// mention keeps whom a post mentions now, and tells those of it who were not mentioned before. What was told of the
// post before gets its words.
func (s *Service) mention(ctx context.Context, q db.Querier, r room, p post, pageID string, actor id.User,
	body string, mentions []id.User, now time.Time) error {
	added, err := setMentions(ctx, q, p, r.Organization, mentions, now)
	if err != nil {
		return err
	}
	text, err := s.excerpt(ctx, q, p, body)
	if err != nil {
		return err
	}
	if err := notification.Reword(ctx, q, p.comment, p.reply, text); err != nil {
		return err
	}
	notice := r.notice(notification.Mention, p, pageID, actor, now)
	notice.Excerpt = text
	return notification.Add(ctx, q, notice, added...)
}

// answer tells those who take part in a thread of a reply, but those whom it mentions: they are told of that.
func (s *Service) answer(ctx context.Context, q db.Querier, r room, c Comment, reply Reply, mentions []id.User) error {
	repliers, err := repliersOf(ctx, q, []id.Comment{c.ID})
	if err != nil {
		return err
	}
	var told []id.User
	for _, user := range append([]id.User{c.author}, repliersIn(repliers)...) {
		if !slices.Contains(mentions, user) {
			told = append(told, user)
		}
	}
	p := post{c.ID, reply.ID}
	notice := r.notice(notification.Reply, p, pageOf(c), reply.author, reply.PostedAt)
	if notice.Excerpt, err = s.excerpt(ctx, q, p, reply.Body); err != nil {
		return err
	}
	return notification.Add(ctx, q, notice, told...)
}

// settled tells the author of a comment that somebody has resolved it.
func (s *Service) settled(ctx context.Context, q db.Querier, r room, c Comment, resolver id.User, now time.Time) error {
	p := post{comment: c.ID}
	notice := r.notice(notification.Resolve, p, pageOf(c), resolver, now)
	var err error
	if notice.Excerpt, err = s.excerpt(ctx, q, p, c.Body); err != nil {
		return err
	}
	return notification.Add(ctx, q, notice, c.author)
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
