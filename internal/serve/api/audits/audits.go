package audits

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// AuditParams narrow the audit log.
type AuditParams struct {
	Actor  string    `query:"actor" maxLength:"100" doc:"Only what the user with this id did."`
	Action string    `query:"action" maxLength:"100" doc:"Only this action, such as member.remove."`
	Target string    `query:"target" maxLength:"100" doc:"Only what was done to the thing with this id."`
	From   time.Time `query:"from" doc:"Only what was done then or later."`
	To     time.Time `query:"to" doc:"Only what was done before."`
}

func (p AuditParams) filter() audit.Filter { return audit.Filter(p) }

func (p AuditParams) name() string {
	return strings.Join([]string{p.Actor, p.Action, p.Target, p.From.String(), p.To.String()}, "\x00")
}

type listAuditInput struct {
	wire.OrganizationPath
	wire.PageParams
	AuditParams
}

// listAudit lists the audit log of an organization.
func (h *Handlers) listAudit(ctx context.Context, in *listAuditInput) (*operation.Body[wire.List[AuditEntry]], error) {
	if err := h.requireAdmin(ctx, in.Organization); err != nil {
		return nil, err
	}
	name := "audit\x00" + string(in.Organization) + "\x00" + in.name()
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	entries, err := h.Audit.List(ctx, in.Organization, in.filter(), request)
	if err != nil {
		return nil, err
	}
	answer, err := h.wireAudit(ctx, entries.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[AuditEntry]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(entries, answer),
		func(entry AuditEntry) AuditEntry { return entry })}, nil
}

type exportAuditInput struct {
	wire.OrganizationPath
	AuditParams
	Format string `query:"format" enum:"ndjson,csv" default:"ndjson" doc:"A line of JSON for each entry, or CSV with a head."`
}

// exportAudit streams the audit log of an organization.
func (h *Handlers) exportAudit(ctx context.Context, in *exportAuditInput) (*huma.StreamResponse, error) {
	if err := h.requireAdmin(ctx, in.Organization); err != nil {
		return nil, err
	}
	if err := h.Audit.Check(in.filter()); err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		_, w := humago.Unwrap(ctx)
		contentType, write := "application/x-ndjson", h.exportLines
		if in.Format == "csv" {
			contentType, write = "text/csv; charset=utf-8", h.exportTable
		}
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Disposition", `attachment; filename="audit.`+in.Format+`"`)
		w.Header().Set("Cache-Control", "private, no-store")
		if err := write(ctx.Context(), w, in.Organization, in.filter()); err != nil {
			failure.Log(ctx.Context(), h.Log, "exportAuditEntries", err)
			// The status is sent: cutting the connection is the only way left to say that the file is not whole.
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

// exportLines writes an entry a line, in the form of the list but for the actor's user.
func (h *Handlers) exportLines(ctx context.Context, w http.ResponseWriter, organizationID id.Organization,
	filter audit.Filter) error {
	buffer := bufio.NewWriter(w)
	lines := json.NewEncoder(buffer)
	lines.SetEscapeHTML(false)
	err := h.Audit.Export(ctx, organizationID, filter, func(entry audit.Entry) error {
		answer := AuditEntry{
			Object: "audit-entry", ID: entry.ID, CreatedAt: wire.Timestamp(entry.CreatedAt), Action: entry.Action,
			Target: AuditTarget(entry.Target), Details: entry.Details, Address: entry.Address,
		}
		if entry.Actor != "" {
			answer.Actor = &AuditActor{ID: entry.Actor, Token: entry.Token}
		}
		return lines.Encode(answer)
	})
	if err != nil {
		return err
	}
	return buffer.Flush()
}

// exportTable writes an entry a row.
func (h *Handlers) exportTable(ctx context.Context, w http.ResponseWriter, organizationID id.Organization,
	filter audit.Filter) error {
	table := csv.NewWriter(w)
	if err := table.Write([]string{"createdAt", "id", "action", "actor", "token", "targetKind", "targetId",
		"targetTitle", "address", "details"}); err != nil {
		return err
	}
	err := h.Audit.Export(ctx, organizationID, filter, func(entry audit.Entry) error {
		details, err := json.Marshal(entry.Details)
		if err != nil {
			return err
		}
		return table.Write([]string{
			wire.Timestamp(entry.CreatedAt), entry.ID, entry.Action, string(entry.Actor), entry.Token,
			entry.Target.Kind,
			entry.Target.ID,
			inCell(entry.Target.Title), entry.Address, string(details),
		})
	})
	if err != nil {
		return err
	}
	table.Flush()
	return table.Error()
}

// inCell keeps a title that somebody typed from being taken for a formula by spreadsheets.
func inCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
