package comment

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
)

// Mentions returns the ids of the members whom the body of a comment mentions, or that of a reply when replyID is not
// "". It is for those who notify them and checks no access.
func (s *Service) Mentions(ctx context.Context, commentID id.Comment, replyID string) ([]id.User, error) {
	return mentionsOf(ctx, s.db.Read(), post{commentID, replyID})
}
