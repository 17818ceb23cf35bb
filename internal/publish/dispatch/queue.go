package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/script"
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
	// jobTime is how long one job delivers events before it lets others have a turn, busyTime how long a queue waits
	// whose organization has as many calls as it may, and lookTime how often it is looked whether an event that has
	// failed is worth another attempt before its time.
	jobTime  = 10 * time.Second
	busyTime = time.Second
	lookTime = 10 * time.Second
	// deliverAtOnce is how many queues are worked on at once: more than one organization may have calls.
	deliverAtOnce = maxOfOne + 2
	// maxQueued is about how many events may wait in a queue, and maxOwn with those on the installation itself, which
	// may be on many spaces: nobody says again what they say. What comes beyond is dropped and said in both logs.
	maxQueued, maxOwn = 10_000, 100_000
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
	}, job.Options{AtOnce: deliverAtOnce, Ended: s.deliverEnded})
	s.deps.Jobs.Register(purgeKind, func(ctx context.Context, _ json.RawMessage) error { return s.Purge(ctx) },
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
	// Before is what was configured before, which no log shows.
	Before integration.Values
	// After is how long it waits at least.
	After time.Duration
}

// Happened puts what an installation is told into its queue, in the transaction of what has happened.
func (s *Service) Happened(ctx context.Context, q db.Querier, what integration.Happening) error {
	kind, _ := what.Event["type"].(string)
	if s.isDeaf(what.Integration, what.Version, kind) {
		return nil
	}
	// A script that configures itself each time that it is told so would never end.
	if by, ok := ctx.Value(handledKey{}).(handled); ok && by.kind == kind && by.installation == what.Installation &&
		strings.HasSuffix(kind, "_setup") {
		return nil
	}
	return s.Tell(ctx, q, Telling{IntegrationID: what.Integration, Organization: what.Organization,
		Queue: what.Installation, Level: what.Level, Event: what.Event, Before: what.Before})
}

// Tell puts an event into a queue, in the transaction of what has happened.
func (s *Service) Tell(ctx context.Context, q db.Querier, t Telling) error {
	dropped := false
	if t.After == 0 {
		ok, first := s.backlog.add(t.Queue, mostOf(t.Event.kind()))
		if !ok {
			s.deps.Log.WarnContext(ctx, "an event for an integration was dropped, too many wait",
				slog.String("queue", t.Queue), slog.String("kind", t.Event.kind()))
		}
		if dropped = !ok; dropped && !first {
			return nil
		}
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
	if dropped {
		// The author sees the first one, for all that are.
		n.failed()
		n.log(script.Error, fmt.Sprintf("This event was not told, nor are those that follow it: %d events wait.",
			mostOf(n.kind)))
		return s.insert(ctx, q, n, "", n.created)
	}
	if t.Before != nil {
		before, err := json.Marshal(t.Before)
		if err == nil {
			n.before, err = s.deps.Secrets.Seal(string(before), beforePurpose(n.id))
		}
		if err != nil {
			return fmt.Errorf("seal configuration: %w", err)
		}
	}
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

// mostOf is how many events may wait before one of a kind.
func mostOf(kind string) int {
	if ownKind(kind) {
		return maxOwn
	}
	return maxQueued
}

// ownKind reports whether events of a kind are on the installation itself.
func ownKind(kind string) bool {
	return strings.HasSuffix(kind, "_setup") || strings.HasSuffix(kind, "_deleted")
}

// beforePurpose is what a configuration is sealed for that an event has.
func beforePurpose(eventID string) string { return "integration.event/" + eventID }

// wake makes a job work on a queue unless one does.
func (s *Service) wake(ctx context.Context, q db.Querier, queue string, at time.Time) error {
	// PostgreSQL sees by this read, and not by the insertion, that a queue is given up at the same moment.
	var worked bool
	err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM integration_queue WHERE queue = $1)`, queue).
		Scan(&worked)
	if err != nil {
		return fmt.Errorf("look for a queue: %w", err)
	}
	if worked {
		return nil
	}
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
	id, name, payload, kind, before string
	attempts                        int
	due                             time.Time
	level                           integration.Level
	integration                     id.Integration
	organization                    id.Organization
}

func (s *Service) next(ctx context.Context, q db.Querier, queue string) (waiting, error) {
	var w waiting
	var due, published int64
	err := q.QueryRowContext(ctx, `
		SELECT e.id, i.name, e.payload, e.kind, e.attempts, e.due_at, e.installation_id, e.space_id, e.site_id,
			e.integration_id, e.organization_id, e.before_sealed, i.updated_at
		FROM integration_event e JOIN integration i ON i.id = e.integration_id
		WHERE e.queue = $1 AND e.status = 'queued' ORDER BY e.id LIMIT 1`, queue).
		Scan(&w.id, &w.name, &w.payload, &w.kind, &w.attempts, &due, &w.level.Installation, &w.level.Space,
			&w.level.Site, &w.integration, &w.organization, &w.before, &published)
	w.due = time.UnixMicro(due)
	// A version that was published since the last attempt may do better at once.
	if w.attempts > 0 && time.UnixMicro(published).After(w.due.Add(-pause(w.attempts))) {
		w.due = time.UnixMicro(published)
	}
	return w, err
}

// deliver works on a queue until nothing waits in it, its first event has to wait, or its time is over.
func (s *Service) deliver(ctx context.Context, queue string) error {
	if err := s.count(ctx, queue); err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < jobTime; {
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
		if wait := time.Until(w.due); wait > 0 {
			if w.attempts > 0 {
				if over, err := s.giveUp(ctx, queue, w); err != nil {
					return err
				} else if over {
					continue
				}
				wait = min(wait, lookTime)
			}
			return s.later(ctx, queue, time.Now().Add(wait))
		}
		err = s.deliverOne(ctx, w)
		if errs.Is(err, errs.TooMany) || errs.Is(err, errs.Unavailable) {
			// Its organization has as many calls as it may, or all have: others go first.
			return s.later(ctx, queue, time.Now().Add(busyTime))
		}
		if err != nil {
			return err
		}
	}
	return s.later(ctx, queue, time.Now())
}

// count tells the backlog how many events wait in a queue.
func (s *Service) count(ctx context.Context, queue string) error {
	var waiting int
	err := s.deps.DB.Read().QueryRowContext(ctx,
		`SELECT count(*) FROM integration_event WHERE queue = $1 AND status = 'queued'`, queue).Scan(&waiting)
	if err != nil {
		return fmt.Errorf("count events that wait: %w", err)
	}
	s.backlog.set(queue, waiting)
	return nil
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
		return false, fmt.Errorf("end a queue: %w", err)
	}
	if done {
		s.backlog.set(queue, 0)
	}
	return done, nil
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
	if !tells(run, w.kind) || run.Tunnel == "" && s.isDeaf(run.Integration.ID, run.Integration.Version, w.kind) {
		return s.drop(ctx, w.id)
	}
	n := &note{id: w.id, integration: w.integration, organization: w.organization, level: w.level, kind: w.kind,
		created: time.Now(), queued: true, written: -1}
	if err := json.Unmarshal([]byte(w.payload), &n.event); err != nil {
		return s.drop(ctx, w.id)
	}
	if err := s.addBefore(w, n.event); err != nil {
		return err
	}
	answer, err := s.call(ctx, run, n, nil)
	if ctx.Err() != nil {
		return ctx.Err() // the server ends; it is delivered again
	}
	if errs.Is(err, errs.TooMany) || errs.Is(err, errs.Unavailable) {
		return err
	}
	if err == nil && answer.Status == http.StatusNotAcceptable {
		if run.Tunnel == "" {
			s.unhandled.Store(unhandledKey{run.Integration.ID, run.Integration.Version, w.kind}, true)
		}
		return s.drop(ctx, w.id)
	}
	return s.write(ctx, w, n, err != nil || answer.Status >= http.StatusInternalServerError)
}

// tells reports whether an installation is told of something in the state that it is in now: of what happens to itself
// always, of all else while it works and its manifest has the scope.
func tells(run integration.Running, kind string) bool {
	if scope := scopes[kind]; scope != "" && !slices.Contains(run.Integration.Scopes, scope) {
		return false
	}
	switch {
	case kind == "task" || ownKind(kind):
		return true
	case run.OnContent != nil:
		return run.OnContent.Status == integration.Active
	}
	return run.Installation == nil || run.Installation.Status == integration.Active
}

// addBefore completes an event by what was configured before.
func (s *Service) addBefore(w waiting, event Event) error {
	if w.before == "" {
		return nil
	}
	text, err := s.deps.Secrets.Open(w.before, beforePurpose(w.id))
	if err != nil {
		return fmt.Errorf("open configuration of event %s: %w", w.id, err)
	}
	previous, _ := event["previous"].(map[string]any)
	if previous == nil {
		previous = map[string]any{}
	}
	previous["configuration"] = json.RawMessage(text)
	event["previous"] = previous
	return nil
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
		UPDATE integration_event SET status = $2, attempts = $3, due_at = $4, logs = $5, duration = $6,
			before_sealed = CASE WHEN $2 = 'queued' THEN before_sealed ELSE '' END WHERE id = $1`,
		w.id, status, attempts, due.UnixMicro(), logs, n.took())
	if err != nil {
		return fmt.Errorf("write a delivery: %w", err)
	}
	return nil
}

// giveUp ends the attempts to tell a script how it is configured once a newer event says that: a script that fails
// without what is configured last would else learn of it minutes later.
func (s *Service) giveUp(ctx context.Context, queue string, w waiting) (over bool, err error) {
	if !strings.HasSuffix(w.kind, "_setup") {
		return false, nil
	}
	result, err := s.deps.DB.Write().ExecContext(ctx, `
		UPDATE integration_event SET status = 'failed', before_sealed = '' WHERE id = $1 AND EXISTS (
			SELECT 1 FROM integration_event e WHERE e.queue = $2 AND e.status = 'queued' AND e.id > $1 AND e.kind = $3
				AND e.space_id = $4 AND e.site_id = $5)`, w.id, queue, w.kind, w.level.Space, w.level.Site)
	if err != nil {
		return false, fmt.Errorf("give up a delivery: %w", err)
	}
	count, err := result.RowsAffected()
	return count > 0, err
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

// unhandledKey is a kind of event of a version that nobody listens to.
type unhandledKey struct {
	integration id.Integration
	version     int64
	kind        string
}

func (s *Service) isDeaf(integrationID id.Integration, version int64, kind string) bool {
	_, unhandled := s.unhandled.Load(unhandledKey{integrationID, version, kind})
	return unhandled
}

// Purge removes what is older than 30 days, and closes engines that have waited for too long.
func (s *Service) Purge(ctx context.Context) error {
	s.pool.sweep()
	_, err := s.deps.DB.Write().ExecContext(ctx,
		`DELETE FROM integration_event WHERE created_at < $1 AND status <> 'queued'`,
		time.Now().Add(-keptFor).UnixMicro())
	if err != nil {
		return fmt.Errorf("remove old events of integrations: %w", err)
	}
	return nil
}
