package invite_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/invite/invitetest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

func newFixture(t *testing.T, d *db.DB, deps invite.Deps) *invitetest.Fixture {
	t.Helper()
	return invitetest.NewFixture(t, d, org.Deps{Now: deps.Now}, deps)
}

// second is the error of a call with a result.
func second[T any](_ T, err error) error { return err }
