package httpx

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// checkLimit is how long one readiness check may take.
const checkLimit = 5 * time.Second

// Check finds out whether something that the program needs answers.
type Check struct {
	// Name is what /readyz calls it.
	Name string
	// Run returns an error when it does not answer.
	Run func(ctx context.Context) error
	// Keep is how long an answer is kept, for checks that cost something; 0 asks each time.
	Keep time.Duration
}

// keptCheck is a Check with its last answer.
type keptCheck struct {
	Check
	mutex sync.Mutex
	until time.Time
	err   error
}

// run returns the answer that is kept, or asks. Who comes meanwhile waits for the same answer.
func (c *keptCheck) run(ctx context.Context) error {
	if c.Keep == 0 {
		return c.Run(ctx)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if time.Now().Before(c.until) {
		return c.err
	}
	// Not the context of who asks, who may leave: the answer is for others as well.
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkLimit)
	defer cancel()
	c.err = c.Run(asking)
	c.until = time.Now().Add(c.Keep)
	return c.err
}

// Health answers the two questions of whoever runs the program: does it live, and should it get requests?
type Health struct {
	log      *slog.Logger
	checks   []*keptCheck
	draining atomic.Bool
}

// NewHealth returns a Health with the checks that readiness needs. What is wrong goes to the log; the answer only names
// the check.
func NewHealth(log *slog.Logger, checks ...Check) *Health {
	h := &Health{log: log}
	for _, check := range checks {
		h.checks = append(h.checks, &keptCheck{Check: check})
	}
	return h
}

// Drain makes the program not ready, because it is about to end.
func (h *Health) Drain() { h.draining.Store(true) }

// Live answers /healthz: 200 as long as the program can answer at all.
func (h *Health) Live(w http.ResponseWriter, _ *http.Request) {
	writeHealth(w, http.StatusOK, map[string]string{"status": "ok"})
}

// Ready answers /readyz: 200 when all checks pass, 503 when one fails or the program is about to end.
func (h *Health) Ready(w http.ResponseWriter, r *http.Request) {
	if h.draining.Load() {
		writeHealth(w, http.StatusServiceUnavailable, map[string]string{"status": "draining"})
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), checkLimit)
	defer cancel()
	var (
		group  sync.WaitGroup
		mutex  sync.Mutex
		status = http.StatusOK
		answer = map[string]string{"status": "ok"}
	)
	for _, check := range h.checks {
		group.Go(func() {
			err := check.run(ctx)
			mutex.Lock()
			defer mutex.Unlock()
			answer[check.Name] = "ok"
			if err != nil {
				answer[check.Name], answer["status"] = "failed", "not ready"
				status = http.StatusServiceUnavailable
				h.log.LogAttrs(r.Context(), slog.LevelWarn, "readiness check failed", slog.String("check", check.Name),
					slog.Any("error", err))
			}
		})
	}
	group.Wait()
	writeHealth(w, status, answer)
}

func writeHealth(w http.ResponseWriter, status int, answer map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The client has gone when this fails.
	_ = json.NewEncoder(w).Encode(answer)
}
