// Package notification owns what people are told of: the tables notification and notification_setting. Somebody was
// mentioned, answered, asked for a review; their change request was reviewed, merged or met conflicts; their comment
// was resolved; their import has ended.
//
// It promises that a notification is written in the transaction of what it tells of, that nobody is told of what they
// did themselves (but the end of an import, which comes later), and that a list and a mail hold only what is about
// spaces that the person may read then. A notification goes with the comment that it is about. Mail is sent by a job,
// so that several notifications make one message, and only about what was not read before.
package notification

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Kind is what happened.
type Kind string

// What people are told of.
const (
	// Mention says that a comment or reply names the person, Reply that somebody has answered in a discussion of
	// theirs.
	Mention Kind = "mention"
	Reply   Kind = "reply"
	// ReviewRequest asks the person for a review. Review says that somebody has reviewed a change request of theirs.
	ReviewRequest Kind = "review-request"
	Review        Kind = "review"
	// Merge says that a change request was merged which the person has made, written in or reviewed.
	Merge Kind = "merge"
	// Conflict says that main has moved so that a change request of the person's has conflicts now.
	Conflict Kind = "conflict"
	// Resolve says that a comment of the person was resolved.
	Resolve Kind = "resolve"
	// Import says that an import which the person has begun is over.
	Import Kind = "import"
)

// maxExcerpt is the most characters that are kept of a comment.
const maxExcerpt = 200

// Notification is one thing that one person is told of.
type Notification struct {
	// ID is "notification_…"; Add makes it.
	ID   string
	Kind Kind
	// User is who is told, Actor who did it; Actor is "" when they are gone, and for what the server did.
	User, Actor  id.User
	Organization id.Organization
	Space        id.Space
	// SpaceTitle is what the space is called at the time of reading.
	SpaceTitle string
	// ChangeRequest and Number name a change request, "" and 0 for none; Title is its subject when it happened. An
	// import has its outcome there.
	ChangeRequest id.ChangeRequest
	Number        int
	Title         string
	// Imported is what an import has brought; nil for what is not one, and for one that has failed.
	Imported *Imported
	// Page, Comment and Reply are ids, "" for none. Page names the page that a comment is about.
	Page    string
	Comment id.Comment
	Reply   string
	// Excerpt is how the comment begins, as plain text.
	Excerpt string
	// CreatedAt is when it happened, ReadAt when the person has read it, zero when they have not.
	CreatedAt, ReadAt time.Time
}

// Imported counts what an import has brought.
type Imported struct{ Pages, Files int }

// Add tells people of something in the transaction in which it happens: each of users once, but not the actor of what
// they did themselves. n says what; its User is not looked at. Who is no member of the organization is left out.
func Add(ctx context.Context, q db.Querier, n Notification, users ...id.User) error {
	told := map[id.User]bool{}
	if n.Kind != Import {
		told[n.Actor] = true
	}
	for _, user := range users {
		if user == "" || told[user] {
			continue
		}
		told[user] = true
		if err := insert(ctx, q, n, user); err != nil {
			return err
		}
	}
	return nil
}

func insert(ctx context.Context, q db.Querier, n Notification, user id.User) error {
	at := n.CreatedAt.UnixMicro()
	soon, daily := n.CreatedAt.Add(grace).UnixMicro(), nextDigest(n.CreatedAt).UnixMicro()
	var pages, files sql.NullInt64
	if n.Imported != nil {
		pages = sql.NullInt64{Int64: int64(n.Imported.Pages), Valid: true}
		files = sql.NullInt64{Int64: int64(n.Imported.Files), Valid: true}
	}
	_, err := q.ExecContext(ctx, `
		INSERT INTO notification (id, user_id, organization_id, space_id, kind, actor_id, change_request_id,
			change_request_number, page_id, comment_id, reply_id, title, excerpt, created_at, mail_at, import_pages,
			import_files)
		SELECT $1, m.user_id, m.organization_id, $2, $3, NULLIF($4, ''), $5, $6, $7, NULLIF($8, ''), NULLIF($9, ''),
			$10, $11, $12,
			CASE s.mail WHEN 'at-once' THEN CAST($13 AS BIGINT) WHEN 'never' THEN NULL ELSE CAST($14 AS BIGINT) END,
			CAST($17 AS BIGINT), CAST($18 AS BIGINT)
		FROM organization_member m LEFT JOIN notification_setting s ON s.user_id = m.user_id
		WHERE m.organization_id = $15 AND m.user_id = $16`,
		id.New("notification"), n.Space, string(n.Kind), n.Actor, n.ChangeRequest, n.Number, n.Page, n.Comment, n.Reply,
		excerpt(n.Title), excerpt(n.Excerpt), at, soon, daily, n.Organization, user, pages, files)
	if err != nil {
		return fmt.Errorf("insert notification: %w", err)
	}
	return nil
}

// excerpt is the beginning of a text, in one line.
func excerpt(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= maxExcerpt {
		return text
	}
	return string([]rune(text)[:maxExcerpt-1]) + "…"
}

// Reword gives the notifications about a comment (reply is "") or a reply the excerpt of a text that has changed, so
// that what somebody has taken back is not read there.
func Reword(ctx context.Context, q db.Querier, comment id.Comment, reply, text string) error {
	_, err := q.ExecContext(ctx, `
		UPDATE notification SET excerpt = $1 WHERE comment_id = $2 AND COALESCE(reply_id, '') = $3 AND excerpt <> ''`,
		excerpt(text), comment, reply)
	if err != nil {
		return fmt.Errorf("reword notifications: %w", err)
	}
	return nil
}

// Transferred lets the notifications about a space follow it to another organization, in the transaction that moves it.
func Transferred(ctx context.Context, q db.Querier, spaceID id.Space, organizationID id.Organization) error {
	if _, err := q.ExecContext(ctx, `UPDATE notification SET organization_id = $2 WHERE space_id = $1`, spaceID,
		organizationID); err != nil {
		return fmt.Errorf("move notifications of space: %w", err)
	}
	return nil
}
