package change

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/platform/db"
)

// notice is what people are told of a change request.
func (r Request) notice(kind notification.Kind, actor id.User, now time.Time) notification.Notification {
	return notification.Notification{
		Kind: kind, Actor: actor, Organization: r.Organization, Space: r.Space, ChangeRequest: r.ID, Number: r.Number,
		Title: r.Subject, CreatedAt: now,
	}
}

// tell tells those of something who have made a change request or written in it, and with reviewers those who were
// asked to review it, too.
func (s *Service) tell(ctx context.Context, q db.Querier, r Request, kind notification.Kind, actor id.User,
	now time.Time, reviewers bool) error {
	concerned := `SELECT user_id FROM change_request_contributor WHERE change_request_id = $1 AND user_id IS NOT NULL`
	if reviewers {
		concerned += ` UNION ALL SELECT user_id FROM change_request_reviewer WHERE change_request_id = $1`
	}
	users, err := db.All(ctx, q, "list whom to tell", db.Column[id.User], concerned+` LIMIT $2`, r.ID, maxTold)
	if err != nil {
		return err
	}
	return notification.Add(ctx, q, r.notice(kind, actor, now), append([]id.User{r.CreatedBy}, users...)...)
}

// maxTold is the most contributors and reviewers who are told of what happens to a change request.
const maxTold = 400
