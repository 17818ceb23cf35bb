package audience

import (
	"context"
	"maps"
	"sync"
	"time"
)

// useInterval is how often the last use of one link is written at most.
const useInterval = time.Minute

// uses are the last uses of share links that this process has seen and not written yet. Readers only note them.
type uses struct {
	mu      sync.Mutex
	pending map[string]time.Time
	written map[string]time.Time
}

// note remembers that a link was used, unless a use in the same minute was written.
func (u *uses) note(linkID string, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if now.Sub(u.written[linkID]) >= useInterval {
		u.pending[linkID] = now
	}
}

// take returns what there is to write and starts again.
func (u *uses) take() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.pending
	u.pending = map[string]time.Time{}
	u.written = map[string]time.Time{}
	maps.Copy(u.written, taken)
	return taken
}

// WriteUses writes when share links were last used, as this process has seen it.
func (s *Service) WriteUses(ctx context.Context) error {
	for linkID, at := range s.uses.take() {
		if err := setLastUse(ctx, s.deps.DB.Write(), linkID, at.UnixMicro()); err != nil {
			return err
		}
	}
	return nil
}

// Run writes the last uses of share links once a minute, and the rest when ctx ends. failed gets what goes wrong.
func (s *Service) Run(ctx context.Context, failed func(error)) {
	ticker := time.NewTicker(useInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if err := s.WriteUses(ctx); err != nil && ctx.Err() == nil {
				failed(err)
			}
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
			defer cancel()
			if err := s.WriteUses(last); err != nil {
				failed(err)
			}
			return
		}
	}
}
