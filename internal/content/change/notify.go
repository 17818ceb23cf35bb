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
	users, err := db.All(ctx, q, "list contributors to tell", db.Column[id.User], `
		SELECT user_id FROM change_request_contributor WHERE change_request_id = $1 AND user_id IS NOT NULL LIMIT $2`,
		r.ID, maxTold)
	if err != nil {
		return err
	}
	if reviewers {
		asked, err := db.All(ctx, q, "list reviewers to tell", db.Column[id.User], `
			SELECT user_id FROM change_request_reviewer WHERE change_request_id = $1 LIMIT $2`, r.ID, maxTold)
		if err != nil {
			return err
		}
		users = append(users, asked...)
	}
	return notification.Add(ctx, q, r.notice(kind, actor, now), append([]id.User{r.CreatedBy}, users...)...)
}

// maxTold is the most contributors, and the most reviewers, who are told of what happens to a change request.
const maxTold = 200
