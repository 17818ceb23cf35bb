package notification

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mail"
)

// Deps is what a Service stands on.
type Deps struct {
	DB       *db.DB
	Accounts *account.Service
	// BaseURL is the address of the server, without a slash at its end.
	BaseURL string
	// Mail puts a message into the outbox in a transaction. Without a mail server it is nil, and nothing is sent.
	Mail func(ctx context.Context, q db.Querier, m mail.Message) error `optional:"no mail server"`
	// Clock tells the time; nil is time.Now.
	Clock func() time.Time `optional:"time.Now"`
}

// Service lists and mails notifications.
type Service struct {
	deps Deps
	db   *db.DB
	now  func() time.Time
}

// New returns a Service. It panics when a required field of deps is missing.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Clock == nil {
		deps.Clock = time.Now
	}
	return &Service{deps: deps, db: deps.DB, now: deps.Clock}
}

// Mail is when somebody gets mail about what they are told of.
type Mail string

// The choices. AtOnce is within minutes, Daily once a day in one message.
const (
	AtOnce Mail = "at-once"
	Daily  Mail = "daily"
	Never  Mail = "never"
)

// Setting returns when somebody gets mail; Daily for who has not chosen.
func (s *Service) Setting(ctx context.Context, userID id.User) (Mail, error) {
	chosen := Daily
	err := db.Each(ctx, s.db.Read(), "read notification setting", func(row db.Scanner) error {
		return row.Scan(&chosen)
	}, `SELECT mail FROM notification_setting WHERE user_id = $1`, userID)
	return chosen, err
}

// Set chooses when the user of a caller gets mail. What waits already follows the choice.
func (s *Service) Set(ctx context.Context, caller account.Caller, chosen Mail) error {
	if err := field.OneOf("body.mail", chosen, AtOnce, Daily, Never); err != nil {
		return err
	}
	now := s.now()
	due := map[Mail]any{AtOnce: now.Add(grace).UnixMicro(), Daily: nextDigest(now).UnixMicro(), Never: nil}[chosen]
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := q.ExecContext(ctx, `
			INSERT INTO notification_setting (user_id, mail) VALUES ($1, $2)
			ON CONFLICT (user_id) DO UPDATE SET mail = excluded.mail`, caller.User.ID, string(chosen)); err != nil {
			return fmt.Errorf("keep notification setting: %w", err)
		}
		if _, err := q.ExecContext(ctx, `
			UPDATE notification SET mail_at = $1 WHERE user_id = $2 AND mail_at IS NOT NULL`, due,
			caller.User.ID); err != nil {
			return fmt.Errorf("move waiting mail: %w", err)
		}
		return nil
	})
}
