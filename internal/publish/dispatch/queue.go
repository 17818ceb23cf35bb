package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// Kinds of jobs.
const (
	deliverKind = "integration.deliver"
	purgeKind   = "integration.purge"
)

// Bounds of deliveries.
const (
	// maxAttempts is how often an event is delivered before it has failed.
	maxAttempts = 5
	// perJob is how many events one job delivers before it lets others have a turn.
	perJob = 50
	// maxQueued is how many events may wait in a queue; what comes beyond is dropped and said in the log.
	maxQueued = 10_000
)

type deliverArgs struct {
	Queue string `json:"queue"`
}

func (s *Service) registerJobs() {
	s.deps.Jobs.Register(deliverKind, func(ctx context.Context, args json.RawMessage) error {
		var in deliverArgs
		if err := json.Unmarshal(args, &in); err != nil {
			return job.Permanent(err)
		}
		return s.deliver(ctx, in.Queue)
	}, job.Options{AtOnce: 3, Ended: s.deliverEnded})
	s.deps.Jobs.Register(purgeKind, func(ctx context.Context, _ json.RawMessage) error { return s.purge(ctx) },
		job.Options{})
	s.deps.Jobs.Every(purgeKind, time.Hour)
}

// deliverEnded goes on with a queue whose job has ended in another way than by emptying it.
func (s *Service) deliverEnded(ctx context.Context, q db.Querier, args json.RawMessage, end job.End) error {
	if end.State == job.Done {
		return nil
	}
	var in deliverArgs
	if err := json.Unmarshal(args, &in); err != nil {
		return err
	}
	_, err := s.deps.Jobs.Enqueue(ctx, q, deliverKind, in, job.At(time.Now().Add(time.Minute)))
	return err
}

// Telling is an event for one installation, or for the integration itself.
type Telling struct {
	IntegrationID id.Integration
	// Organization is whose log shows it.
	Organization id.Organization
	// Queue names those that are delivered one after the other: the id of the installation, or of the integration.
	Queue string
	Level integration.Level
	Event Event
	// After is how long it waits at least.
	After time.Duration
}

// Tell puts an event into a queue, in the transaction of what has happened.
func (s *Service) Tell(ctx context.Context, q db.Querier, t Telling) error {
	var waiting int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM integration_event WHERE queue = $1 AND status = 'queued'`,
		t.Queue).Scan(&waiting)
	if err != nil {
		return fmt.Errorf("count events that wait: %w", err)
	}
	if waiting >= maxQueued {
		s.deps.Log.WarnContext(ctx, "an event for an integration was dropped, too many wait",
			slog.String("queue", t.Queue), slog.String("kind", t.Event.kind()))
		return nil
	}
	n := &note{id: newEventID(), integration: t.IntegrationID, organization: t.Organization, level: t.Level,
		kind: t.Event.kind(), created: time.Now(), status: statusQueued}
	event := Event{}
	maps.Copy(event, t.Event)
	event["eventId"] = n.id
	payload, err := json.Marshal(event)
	if err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	n.payload = string(payload)
	due := n.created.Add(t.After)
	queue := t.Queue
	if t.After > 0 {
		queue += "/" + n.id // what waits for its time holds up nothing else
	}
	if err := s.insert(ctx, q, n, queue, due); err != nil {
		return err
	}
	return s.wake(ctx, q, queue, due)
}

// wake makes a job work on a queue unless one does.
func (s *Service) wake(ctx context.Context, q db.Querier, queue string, at time.Time) error {
	result, err := q.ExecContext(ctx, `INSERT INTO integration_queue (queue) VALUES ($1) ON CONFLICT DO NOTHING`, queue)
	if err != nil {
		return fmt.Errorf("wake a queue: %w", err)
	}
	if count, err := result.RowsAffected(); err != nil || count == 0 {
		return err
	}
	_, err = s.deps.Jobs.Enqueue(ctx, q, deliverKind, deliverArgs{queue}, job.At(at))
	return err
}

// waiting is the next event of a queue.
type waiting struct {
	id, name, payload, kind string
	attempts                int
	due                     time.Time
	level                   integration.Level
	integration             id.Integration
	organization            id.Organization
}

func (s *Service) next(ctx context.Context, q db.Querier, queue string) (waiting, error) {
	var w waiting
	var due int64
	err := q.QueryRowContext(ctx, `
		SELECT e.id, i.name, e.payload, e.kind, e.attempts, e.due_at, e.installation_id, e.space_id, e.site_id,
			e.integration_id, e.organization_id
		FROM integration_event e JOIN integration i ON i.id = e.integration_id
		WHERE e.queue = $1 AND e.status = 'queued' ORDER BY e.id LIMIT 1`, queue).
		Scan(&w.id, &w.name, &w.payload, &w.kind, &w.attempts, &due, &w.level.Installation, &w.level.Space,
			&w.level.Site, &w.integration, &w.organization)
	w.due = time.UnixMicro(due)
	return w, err
}

// deliver works on a queue until nothing waits in it, or until its first event has to wait.
func (s *Service) deliver(ctx context.Context, queue string) error {
	for range perJob {
		w, err := s.next(ctx, s.deps.DB.Read(), queue)
		if errors.Is(err, db.ErrNoRows) {
			if done, err := s.rest(ctx, queue); done || err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("look for events that wait: %w", err)
		}
		if time.Until(w.due) > 0 {
			return s.later(ctx, queue, w.due)
		}
		if err := s.deliverOne(ctx, w); err != nil {
			return err
		}
	}
	return s.later(ctx, queue, time.Now())
}

// rest gives a queue up when nothing waits in it.
func (s *Service) rest(ctx context.Context, queue string) (done bool, err error) {
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := s.next(ctx, q, queue)
		if done = errors.Is(err, db.ErrNoRows); !done {
			return err
		}
		_, err = q.ExecContext(ctx, `DELETE FROM integration_queue WHERE queue = $1`, queue)
		return err
	})
	if err != nil {
		err = fmt.Errorf("end a queue: %w", err)
	}
	return done, err
}

// later lets another job go on with a queue.
func (s *Service) later(ctx context.Context, queue string, at time.Time) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := s.deps.Jobs.Enqueue(ctx, q, deliverKind, deliverArgs{queue}, job.At(at))
		return err
	})
}

// deliverOne calls the script for an event and writes what has come of it.
func (s *Service) deliverOne(ctx context.Context, w waiting) error {
	run, err := s.deps.Integrations.Run(ctx, w.name, w.level)
	if errs.Is(err, errs.NotFound) {
		// Removed since: nobody is there to be told.
		return s.drop(ctx, w.id)
	}
	if err != nil {
		return err
	}
	if run.Tunnel == "" && s.isDeaf(run.Integration.ID, run.Integration.Version, w.kind) {
		return s.drop(ctx, w.id)
	}
	n := &note{id: w.id, integration: w.integration, organization: w.organization, level: w.level, kind: w.kind,
		created: time.Now(), queued: true}
	if err := json.Unmarshal([]byte(w.payload), &n.event); err != nil {
		return s.drop(ctx, w.id)
	}
	answer, err := s.call(ctx, run, n, nil)
	if ctx.Err() != nil {
		return ctx.Err() // the server ends; it is delivered again
	}
	if errs.Is(err, errs.TooMany) || errs.Is(err, errs.Unavailable) {
		return err
	}
	if err == nil && answer.Status == 406 {
		if run.Tunnel == "" {
			s.deaf.Store(deafKey{run.Integration.ID, run.Integration.Version, w.kind}, true)
		}
		return s.drop(ctx, w.id)
	}
	return s.write(ctx, w, n, err != nil || answer.Status >= 500)
}

// write writes what has come of a delivery: one that has failed is tried again, later.
func (s *Service) write(ctx context.Context, w waiting, n *note, failed bool) error {
	attempts, status, due := w.attempts+1, statusSuccess, w.due
	if failed {
		status = statusFailed
		if attempts < maxAttempts {
			status, due = statusQueued, time.Now().Add(pause(attempts))
		}
	}
	logs, err := n.logs()
	if err != nil {
		return err
	}
	_, err = s.deps.DB.Write().ExecContext(ctx, `
		UPDATE integration_event SET status = $2, attempts = $3, due_at = $4, logs = $5, duration = $6
		WHERE id = $1`,
		w.id, status, attempts, due.UnixMicro(), logs, n.took())
	if err != nil {
		return fmt.Errorf("write a delivery: %w", err)
	}
	return nil
}

// pause is how long a delivery waits after an attempt has failed: 2 s, 10 s, 50 s, 4 min.
func pause(attempt int) time.Duration {
	pause := 2 * time.Second
	for range attempt - 1 {
		pause *= 5
	}
	return pause
}

func (s *Service) drop(ctx context.Context, eventID string) error {
	_, err := s.deps.DB.Write().ExecContext(ctx, `DELETE FROM integration_event WHERE id = $1`, eventID)
	if err != nil {
		return fmt.Errorf("drop an event: %w", err)
	}
	return nil
}

// deafKey is a kind of event of a version that nobody listens to.
type deafKey struct {
	integration id.Integration
	version     int64
	kind        string
}

func (s *Service) isDeaf(integrationID id.Integration, version int64, kind string) bool {
	_, deaf := s.deaf.Load(deafKey{integrationID, version, kind})
	return deaf
}

// purge removes what is older than 30 days, and closes engines that have waited for too long.
func (s *Service) purge(ctx context.Context) error {
	s.pool.sweep()
	_, err := s.deps.DB.Write().ExecContext(ctx,
		`DELETE FROM integration_event WHERE created_at < $1 AND status <> 'queued'`,
		time.Now().Add(-keptFor).UnixMicro())
	if err != nil {
		return fmt.Errorf("remove old events of integrations: %w", err)
	}
	return nil
}
