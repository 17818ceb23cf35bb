package change

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
)

// OfBranch returns the change request whose content is a branch of package content; errs.NotFound when there is none.
// It checks no access: whoever may see the branch's revisions may see their change request.
func (s *Service) OfBranch(ctx context.Context, spaceID id.Space, branchID id.Branch) (Request, error) {
	return requestWhere(ctx, s.deps.DB.Read(), `c.space_id = $1 AND c.branch_id = $2`, spaceID, branchID)
}
