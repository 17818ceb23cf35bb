package web

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
)

// onlyOpens returns the title of the organization that something opens and nothing else, by who vouches for it; "" for
// what opens all. An organization that is gone has no title any more.
func (s *Server) onlyOpens(ctx context.Context, vouchedBy id.Organization) (string, error) {
	if vouchedBy == "" {
		return "", nil
	}
	const gone = "one organization"
	organization, err := s.Organizations.ByID(ctx, vouchedBy)
	if errs.Is(err, errs.NotFound) {
		return gone, nil
	}
	return organization.Title, err
}
