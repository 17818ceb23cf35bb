// Package audits owns the operations on the audit log of an organization. Admins alone read it.
package audits

import (
	"log/slog"

	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on the audit log. Every field is required.
type Handlers struct {
	Accounts *account.Service
	Access   *access.Service
	Audit    *audit.Reader

	Lists wire.Lists
	Wire  wire.Writer
	Log   *slog.Logger
}
