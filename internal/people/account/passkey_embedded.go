//go:build embedded

package account

import "github.com/rectodocs/recto/internal/base/errs"

// This build has no passkeys, see CONTRIBUTING.md.

func newRelyingParty(string) (relyingParty, error) {
	return nil, errs.New(errs.Precondition, "This build of Recto has no passkeys; build it without the tag embedded (make build).")
}
