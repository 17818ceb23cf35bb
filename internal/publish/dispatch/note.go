package dispatch

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/script"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mask"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// LogLine is something that a script has said, or what was wrong with a call.
type LogLine struct {
	Level   string    `json:"level"`
	Message string    `json:"message"`
	At      time.Time `json:"timestamp"`
}

// Statuses of calls.
const (
	statusQueued  = "queued"
	statusSuccess = "success"
	statusFailed  = "failed"
)

// note is the record of one call while it runs.
type note struct {
	id           string
	integration  id.Integration
	organization id.Organization
	level        integration.Level
	kind         string
	event        Event
	payload      string
	// before is the sealed configuration that the event has besides.
	before  string
	created time.Time
	queued  bool // the row is there already

	mu     sync.Mutex
	status string
	lines  []LogLine
	// written is how many of them are written, -1 before any is.
	written int
	ended   time.Time
}

func (n *note) log(level script.Level, message string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, LogLine{string(level), mask.Secrets(message), time.Now().UTC()})
}

func (n *note) failed() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.status = statusFailed
}

// end notes what has come of a call.
func (n *note) end(response *script.Response, err error) {
	if err != nil {
		n.log(script.Error, err.Error())
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = time.Now()
	switch {
	case n.status == statusFailed:
	case err != nil || response.Status >= http.StatusInternalServerError:
		n.status = statusFailed
	default:
		n.status = statusSuccess
	}
	if err == nil && response.Status >= http.StatusInternalServerError {
		text := response.Body[:min(len(response.Body), 500)]
		n.lines = append(n.lines, LogLine{"error", fmt.Sprintf("answered %d: %s", response.Status,
			mask.Secrets(string(text))), time.Now().UTC()})
	}
}

// notes are records that wait to be written: those of calls that somebody waits for are written behind, together.
type notes struct {
	mu      sync.Mutex
	waiting []*note
	dropped int
	timed   bool
}

// Bounds of records.
const (
	// maxNotes is how many records are written at once; what comes beyond is counted and dropped.
	maxNotes = 500
	// settleTime is how long a record waits by default.
	settleTime = time.Second
	// maxPayload is the most bytes of an event that are kept.
	maxPayload = 64 << 10
)

// keep takes the record of a call that has ended.
func (s *Service) keep(n *note) {
	if n.queued && !n.goesOn() {
		return // the job writes it
	}
	s.notes.mu.Lock()
	defer s.notes.mu.Unlock()
	if len(s.notes.waiting) >= maxNotes {
		s.notes.dropped++
		return
	}
	s.notes.waiting = append(s.notes.waiting, n)
	if !s.notes.timed {
		s.notes.timed = true
		time.AfterFunc(s.deps.SettleTime, func() {
			ctx, cancel := context.WithTimeout(context.Background(), longTime)
			defer cancel()
			s.flush(ctx)
		})
	}
}

// flush writes the records that wait.
func (s *Service) flush(ctx context.Context) {
	s.notes.mu.Lock()
	list, dropped := s.notes.waiting, s.notes.dropped
	s.notes.waiting, s.notes.dropped, s.notes.timed = nil, 0, false
	s.notes.mu.Unlock()
	if dropped > 0 {
		s.deps.Log.WarnContext(ctx, "calls of integrations were not recorded, there were too many at once",
			slog.Int("calls", dropped))
	}
	if len(list) == 0 {
		return
	}
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		for _, n := range list {
			if n.queued {
				if err := s.relog(ctx, q, n); err != nil {
					return err
				}
				continue
			}
			if err := s.insert(ctx, q, n, "", n.created); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.deps.Log.WarnContext(ctx, "record calls of integrations", slog.Any("error", err))
	}
}

// goesOn reports whether a script has said more than the job of its delivery has written.
func (n *note) goesOn() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.written >= 0 && len(n.lines) > n.written
}

// insert writes a record, unless its integration is gone.
func (s *Service) insert(ctx context.Context, q db.Querier, n *note, queue string, due time.Time) error {
	logs, err := n.logs()
	if err != nil {
		return err
	}
	payload := n.payload
	if queue == "" {
		payload = mask.Secrets(payload)
	}
	if len(payload) > maxPayload && queue == "" {
		short, err := json.Marshal(map[string]any{"type": n.kind, "eventId": n.id, "truncated": true})
		if err != nil {
			return fmt.Errorf("encode event: %w", err)
		}
		payload = string(short)
	}
	_, err = q.ExecContext(ctx, `
		INSERT INTO integration_event (id, integration_id, queue, organization_id, installation_id, space_id, site_id,
			kind, payload, status, attempts, logs, created_at, due_at, before_sealed, duration)
		SELECT $1, id, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $12, $13, $14, $15 FROM integration WHERE id = $2`,
		n.id, n.integration, queue, n.organization, n.level.Installation, n.level.Space, n.level.Site, n.kind, payload,
		n.state(), logs, n.created.UnixMicro(), due.UnixMicro(), n.before, n.took())
	if err != nil {
		return fmt.Errorf("record a call of an integration: %w", err)
	}
	return nil
}

// relog writes the log of a delivery anew, with what was said after the answer.
func (s *Service) relog(ctx context.Context, q db.Querier, n *note) error {
	logs, err := n.logs()
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `UPDATE integration_event SET logs = $2 WHERE id = $1 AND status <> 'queued'`, n.id,
		logs)
	if err != nil {
		return fmt.Errorf("write a log: %w", err)
	}
	return nil
}

func (n *note) state() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.status
}

// took is how long the call ran, in milliseconds; zero while it does.
func (n *note) took() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ended.IsZero() {
		return 0
	}
	return max(0, n.ended.Sub(n.created).Milliseconds())
}

// logs returns what a script has said, as JSON, and notes that so much of it is written.
func (n *note) logs() (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	lines := n.lines
	n.written = len(lines)
	if lines == nil {
		lines = []LogLine{}
	}
	encoded, err := json.Marshal(lines)
	if err != nil {
		return "", fmt.Errorf("encode log: %w", err)
	}
	return string(encoded), nil
}
