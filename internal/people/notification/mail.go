package notification

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/invite/letter"
	"github.com/rectodocs/recto/internal/platform/db"
)

const (
	// grace is how long mail that is sent at once waits, so that what comes together makes one message and what is read
	// in the app makes none.
	grace = 2 * time.Minute
	// digestHour is the hour of the day, in UTC, at which digests are sent.
	digestHour = 7
	// mailBatch is the most people who are written to in one run, and maxLines the most notifications that one message
	// names.
	mailBatch, maxLines = 100, 30
	// keepRead and keepAny are how long notifications are kept: those that were read, and any.
	keepRead, keepAny = 90 * 24 * time.Hour, 365 * 24 * time.Hour
)

// nextDigest returns when the next digest after a time is sent.
func nextDigest(now time.Time) time.Time {
	now = now.UTC()
	at := time.Date(now.Year(), now.Month(), now.Day(), digestHour, 0, 0, 0, time.UTC)
	if !at.After(now) {
		at = at.AddDate(0, 0, 1)
	}
	return at
}

// due is somebody who is to get mail about what happened in an organization.
type due struct {
	user         id.User
	organization id.Organization
}

// SendMail writes to the people whose mail is due, one message for each organization of theirs. It is for a periodic
// job; several processes may run it at the same time.
func (s *Service) SendMail(ctx context.Context) error {
	now := s.now()
	for {
		waiting, err := db.All(ctx, s.db.Read(), "list mail that is due", func(row db.Scanner) (due, error) {
			var d due
			err := row.Scan(&d.user, &d.organization)
			return d, err
		}, `SELECT DISTINCT user_id, organization_id FROM notification WHERE mail_at <= $1 LIMIT $2`, now.UnixMicro(),
			mailBatch)
		if err != nil || len(waiting) == 0 {
			return err
		}
		for _, each := range waiting {
			if err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
				return s.write(ctx, q, each, now)
			}); err != nil {
				return err
			}
		}
	}
}

// write puts the message for one person into the outbox, and notes that it was.
func (s *Service) write(ctx context.Context, q db.Querier, to due, now time.Time) error {
	claimed, err := db.All(ctx, q, "claim mail", db.Column[string], `
		UPDATE notification SET mail_at = NULL WHERE user_id = $1 AND organization_id = $2 AND mail_at <= $3
		RETURNING id`, to.user, to.organization, now.UnixMicro())
	if err != nil || len(claimed) == 0 || s.deps.Mail == nil {
		return err
	}
	users, err := s.deps.Accounts.UsersIn(ctx, q, []id.User{to.user})
	if err != nil {
		return err
	}
	user, found := users[to.user]
	// An address that nobody has proven may be somebody else's.
	if !found || user.EmailVerifiedAt.IsZero() {
		return nil
	}
	organization, err := access.LoadOrganization(ctx, q, account.WorkIn(user, to.organization), to.organization)
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Forbidden) {
		return nil // no member any more
	}
	if err != nil {
		return err
	}
	condition, args := readable(organization)
	condition += ` AND n.read_at IS NULL AND n.id IN (` + db.Placeholders(len(args)+1, len(claimed)) + `)`
	for _, each := range claimed {
		args = append(args, each)
	}
	list, err := query(ctx, q, condition+` ORDER BY n.created_at, n.id`, args)
	if err != nil || len(list) == 0 {
		return err
	}
	actors := make([]id.User, 0, len(list))
	for _, n := range list {
		actors = append(actors, n.Actor)
	}
	named, err := s.deps.Accounts.UsersIn(ctx, q, actors)
	if err != nil {
		return err
	}
	message := s.letter(list, named).Message()
	message.To = user.Email
	return s.deps.Mail(ctx, q, message)
}

// letter tells of notifications, the oldest first.
func (s *Service) letter(list []Notification, actors map[id.User]account.User) letter.Letter {
	lines := make([]string, 0, len(list))
	for _, n := range list[:min(len(list), maxLines)] {
		lines = append(lines, n.sentence(actors[n.Actor].DisplayName))
	}
	if more := len(list) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("And %d more.", more))
	}
	made := letter.Letter{
		Subject: list[0].headline(actors[list[0].Actor].DisplayName), Lines: lines,
		Button: "Open it", Address: s.deps.BaseURL + list[0].Path(),
		Last: "You get this message because of your settings for notifications: " + s.deps.BaseURL + "/app/inbox",
	}
	if len(list) > 1 {
		made.Subject, made.Button = fmt.Sprintf("%d things wait for you", len(list)), "Open the inbox"
		made.Address = s.deps.BaseURL + "/app/inbox"
	}
	return made
}

// Path returns where in the app a notification leads, from the root of the server.
func (n Notification) Path() string {
	path := "/app/spaces/" + string(n.Space)
	switch {
	case n.Number > 0:
		path += fmt.Sprintf("/changes/%d", n.Number)
	case n.Page != "":
		path += "/pages/" + n.Page
	}
	if n.Comment != "" {
		path += "?comment=" + string(n.Comment)
	}
	return path
}

// headline says in a few words what happened.
func (n Notification) headline(actor string) string {
	if actor == "" {
		actor = "Somebody"
	}
	about := n.SpaceTitle
	if n.Number > 0 {
		about = strings.TrimSpace(fmt.Sprintf("#%d %s", n.Number, n.Title))
	}
	switch n.Kind {
	case Mention:
		return fmt.Sprintf("%s mentioned you in %s", actor, about)
	case Reply:
		return fmt.Sprintf("%s replied in %s", actor, about)
	case ReviewRequest:
		return fmt.Sprintf("%s asks you to review %s", actor, about)
	case Review:
		return fmt.Sprintf("%s reviewed %s", actor, about)
	case Merge:
		return fmt.Sprintf("%s merged %s", actor, about)
	case Conflict:
		return fmt.Sprintf("%s has conflicts now: %s changed the same in the main content", about, actor)
	case Resolve:
		return fmt.Sprintf("%s resolved your comment in %s", actor, about)
	default:
		return fmt.Sprintf("Your import into %s is over: %s", n.SpaceTitle, n.Title)
	}
}

// sentence is the headline with the words of the comment.
func (n Notification) sentence(actor string) string {
	if n.Excerpt == "" {
		return n.headline(actor) + "."
	}
	return n.headline(actor) + ": “" + n.Excerpt + "”"
}

// Collect deletes notifications that are old. It is for a periodic job.
func (s *Service) Collect(ctx context.Context) error {
	now := s.now()
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := q.ExecContext(ctx, `
			DELETE FROM notification WHERE created_at < $1 OR (created_at < $2 AND read_at IS NOT NULL)`,
			now.Add(-keepAny).UnixMicro(), now.Add(-keepRead).UnixMicro()); err != nil {
			return fmt.Errorf("delete old notifications: %w", err)
		}
		return nil
	})
}
