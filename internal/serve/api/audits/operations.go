package audits

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those on the audit log.
func (h *Handlers) Operations() []operation.Operation {
	const organization = "/v1/orgs/{organizationId}"
	return []operation.Operation{
		operation.New("listAuditEntries", http.MethodGet, organization+"/audit", "Organizations", "List the audit log",
			h.listAudit,
			operation.Describe("Every change to people, access, sites and tokens, the latest first. For admins.")),
		operation.New("exportAuditEntries", http.MethodGet, organization+"/audit/export", "Organizations",
			"Export the audit log",
			h.exportAudit,
			operation.Describe(
				"All entries under the filter as lines of JSON or as CSV, the latest first. For admins.")),
	}
}
