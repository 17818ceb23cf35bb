package live

import "context"

// Limits and work that tests of the package outside look at.
const (
	MaxEngines = maxEngines
	MaxRoom    = maxRoom
	MaxPerson  = maxPerson
)

// Sweep does what Run does every now and then.
func (s *Service) Sweep(ctx context.Context) { s.sweep(ctx) }

// Kill lets nothing of what has come so far be written by itself any more, as when the process is killed.
func (s *Service) Kill() {
	for _, r := range s.all() {
		r.gate <- struct{}{}
		if r.flush != nil {
			r.flush.Stop()
		}
		<-r.gate
	}
}
