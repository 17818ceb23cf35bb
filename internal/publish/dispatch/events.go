package dispatch

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Called is a call of a script that has ended, or an event whose last attempt has failed and that is tried again.
type Called struct {
	ID            string
	IntegrationID id.Integration
	Installation  string // "" for a call of the integration itself
	Kind          string
	// Payload is the event, a JSON object.
	Payload json.RawMessage
	Success bool
	Logs    []LogLine
	At      time.Time
	// Took is how long the script ran.
	Took time.Duration
}

// Filter narrows a list of calls. The zero Filter has all.
type Filter struct {
	// Kind is a type of events, "" for all.
	Kind string
	// Status is "success" or "failed", "" for both.
	Status string
}

// calledColumns need the table integration_event as e.
const calledColumns = `e.id, e.integration_id, e.installation_id, e.kind, e.payload, e.status, e.logs, e.created_at,
	e.duration`

// seen is the condition on events that a caller may see: those of organizations that they are an admin of. So an author
// sees what their own organization has called and nothing of others', and an organization sees what it has installed.
// The caller is $1, their Reach $2 and the integration $3.
var seen = ` FROM integration_event e WHERE e.integration_id = $3 AND (e.status <> 'queued' OR e.attempts > 0) AND EXISTS (
	SELECT 1 FROM organization_member m WHERE m.organization_id = e.organization_id AND m.user_id = $1
		AND m.role = 'admin' AND ` + account.ReachCondition("m.organization_id", "$2") + `)`

func scanCalled(row db.Scanner) (Called, error) {
	var c Called
	var payload, status, logs string
	var created, took int64
	if err := row.Scan(&c.ID, &c.IntegrationID, &c.Installation, &c.Kind, &payload, &status, &logs,
		&created, &took); err != nil {
		return Called{}, err
	}
	c.Payload, c.Success, c.At = json.RawMessage(payload), status == statusSuccess, time.UnixMicro(created).UTC()
	c.Took = time.Duration(took) * time.Millisecond
	if err := json.Unmarshal([]byte(logs), &c.Logs); err != nil {
		return Called{}, fmt.Errorf("decode log of %s: %w", c.ID, err)
	}
	return c, nil
}

// Events returns a page of the calls of an integration, the newest first, in the organizations of which the caller is
// an admin.
func (s *Service) Events(ctx context.Context, caller account.Caller, name string, filter Filter,
	page paging.Request) (paging.Page[Called], error) {
	found, err := s.deps.Integrations.Get(ctx, caller, name)
	if err != nil {
		return paging.Page[Called]{}, err
	}
	args := db.Args{caller.User.ID, caller.Reach(), found.ID}
	where := seen
	if filter.Kind != "" {
		where += ` AND e.kind = ` + args.Add(filter.Kind)
	}
	switch filter.Status {
	case statusSuccess:
		where += ` AND e.status = '` + statusSuccess + `'`
	case statusFailed:
		where += ` AND e.status <> '` + statusSuccess + `'`
	}
	var count int
	if err := s.deps.DB.Read().QueryRowContext(ctx, `SELECT count(*)`+where, args...).Scan(&count); err != nil {
		return paging.Page[Called]{}, fmt.Errorf("count events: %w", err)
	}
	query := `SELECT ` + calledColumns + where
	if len(page.After) == 1 {
		query += ` AND e.id < ` + args.Add(page.After[0])
	}
	list, err := db.All(ctx, s.deps.DB.Read(), "list events", scanCalled,
		query+` ORDER BY e.id DESC LIMIT `+args.Add(page.Size()+1), args...)
	if err != nil {
		return paging.Page[Called]{}, err
	}
	answer := paging.Page[Called]{Items: list, Count: count}
	answer.Cut(page.Size(), func(c Called) []string { return []string{c.ID} })
	return answer, nil
}

// Event returns one call; errs.NotFound when there is none or the caller may not see it.
func (s *Service) Event(ctx context.Context, caller account.Caller, name, eventID string) (Called, error) {
	found, err := s.deps.Integrations.Get(ctx, caller, name)
	if err != nil {
		return Called{}, err
	}
	one, err := scanCalled(s.deps.DB.Read().QueryRowContext(ctx, `SELECT `+calledColumns+seen+` AND e.id = $4`,
		caller.User.ID, caller.Reach(), found.ID, eventID))
	if errors.Is(err, db.ErrNoRows) || err == nil && !id.Valid("event", eventID) {
		return Called{}, errs.NotFoundf("There is no such event, or you may not see it. Events are kept for 30 days.")
	}
	if err != nil {
		return Called{}, fmt.Errorf("read event: %w", err)
	}
	return one, nil
}

// answered are the kinds of events that somebody waits for: they cannot be sent once more.
var answered = []string{"fetch", "fetch_published_script", "fetch_visitor_authentication", "ui_render",
	"content_compute_revision", "content_compute_document"}

// Redeliver sends an event once more. Whoever may see it may do this.
func (s *Service) Redeliver(ctx context.Context, caller account.Caller, name, eventID string) error {
	one, err := s.Event(ctx, caller, name, eventID)
	if err != nil {
		return err
	}
	if slices.Contains(answered, one.Kind) {
		return errs.Conflictf("Somebody waited for the answer to this %s; it cannot be sent once more.", one.Kind)
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		t := Telling{IntegrationID: one.IntegrationID, Event: Event{}}
		var installation sql.Null[string]
		err := q.QueryRowContext(ctx, `
			SELECT e.organization_id, e.installation_id, e.space_id, e.site_id FROM integration_event e WHERE e.id = $1`,
			one.ID).Scan(&t.Organization, &installation, &t.Level.Space, &t.Level.Site)
		if err != nil {
			return fmt.Errorf("read event: %w", err)
		}
		t.Level.Installation = installation.V
		t.Queue = installation.V
		if t.Queue == "" {
			t.Queue = string(one.IntegrationID)
		}
		if err := json.Unmarshal(one.Payload, &t.Event); err != nil {
			return fmt.Errorf("decode event: %w", err)
		}
		return s.Tell(ctx, q, t)
	})
}

// maxTask is the most bytes of a task, maxTasks how many an installation, or an integration itself, may have waiting.
const maxTask, maxTasks = 64 << 10, 1000

// QueueTask lets an integration call itself later, with a task of its own making.
func (s *Service) QueueTask(ctx context.Context, caller account.Caller, name string, task json.RawMessage,
	after time.Duration) error {
	found, err := s.deps.Integrations.Get(ctx, caller, name)
	if err != nil {
		return err
	}
	if !caller.IsAgent() {
		return errs.Forbiddenf("Only the integration itself gives itself tasks, with its own token.")
	}
	if len(task) > maxTask {
		return errs.Invalidf("task", "has %d bytes; up to %d are accepted", len(task), maxTask)
	}
	t := Telling{IntegrationID: found.ID, Organization: found.Owner.ID, Queue: string(found.ID), After: after,
		Event: Event{"type": "task", "task": task}}
	if caller.Agent.Installation != "" {
		t.Organization, t.Queue = caller.Agent.Organization, caller.Agent.Installation
		t.Level.Installation = caller.Agent.Installation
		t.Event["installationId"] = caller.Agent.Installation
	}
	var waiting int
	err = s.deps.DB.Read().QueryRowContext(ctx, `SELECT count(*) FROM integration_event
		WHERE status = 'queued' AND integration_id = $1 AND installation_id = $2 AND kind = 'task'`, found.ID,
		t.Level.Installation).Scan(&waiting)
	if err != nil {
		return fmt.Errorf("count tasks that wait: %w", err)
	}
	if waiting >= maxTasks {
		return errs.New(errs.TooMany, "%d tasks of the integration wait already. Queue more when some are done.",
			waiting)
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error { return s.Tell(ctx, q, t) })
}
