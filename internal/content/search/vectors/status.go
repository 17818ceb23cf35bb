package vectors

import (
	"errors"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/embedding"
)

// Reasons of failures beside those of package embedding.
const (
	// Slow is that a query has waited for its vector in vain.
	Slow embedding.Reason = "slow"
	// OtherModel is that the vectors of the model have become longer or shorter: it is another one under the same name.
	OtherModel embedding.Reason = "model"
)

// Failure is what the endpoint fails by.
type Failure struct {
	Reason embedding.Reason
	// Message says what is wrong in a sentence, with neither the key nor the address nor a text.
	Message string
	// Since is when it began to fail, Last when it failed last, Until up to when nothing is sent.
	Since, Last, Until time.Time
}

// Status says how far the passages of some spaces are embedded, as far as this process has looked at them.
type Status struct {
	// Model is what the endpoint is asked for.
	Model string
	// Running says that passages of these spaces are being sent, or wait for those of other spaces.
	Running bool
	// Failure is what the endpoint fails by; nil while it answers.
	Failure *Failure
	// Spaces are those that were looked at since the process began.
	Spaces int
	// Passages are all of their pages, Embedded those that have a vector, Withheld those without one that may not be
	// sent, Refused those that the endpoint does not take. The last two are known when there is nothing else to send.
	Passages, Embedded, Withheld, Refused int
}

// progress is how far the passages of one space are embedded.
type progress struct {
	passages, embedded, withheld, refused int
	// left says that there are passages to send.
	left bool
}

// Status returns how embedding stands for some spaces. It reads what the work on them has noted.
func (s *Service) Status(spaces []string) Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	status, left := Status{Model: s.deps.Embedder.Model()}, false
	for _, space := range spaces {
		known, ok := s.progress[space]
		if !ok {
			continue
		}
		status.Spaces++
		status.Passages += known.passages
		status.Embedded += known.embedded
		status.Withheld += known.withheld
		status.Refused += known.refused
		left = left || known.left
	}
	status.Running = left && s.runs && time.Now().After(s.paused)
	if s.failure != nil {
		failure := *s.failure
		failure.Until = s.paused
		status.Failure = &failure
	}
	return status
}

// Retry lets passages be sent and queries wait at once, although something has just failed, and lets texts be sent
// again that the endpoint has refused. The work itself begins with Enqueue.
func (s *Service) Retry() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused, s.slow = time.Time{}, time.Time{}
	s.retries++
}

// retried is how often Retry was called.
func (s *Service) retried() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retries
}

// noteProgress keeps how far a space is embedded, also when its index is closed.
func (s *Service) noteProgress(space string, now progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress[space] = now
}

// noteFailure notes that the endpoint has failed, and reports whether that is the first time in a row. The caller
// holds s.mu.
func (s *Service) noteFailure(reason embedding.Reason, message string) (first bool) {
	now := time.Now()
	if first = s.failure == nil; first {
		s.failure = &Failure{Since: now}
	}
	s.failure.Reason, s.failure.Message, s.failure.Last = reason, message, now
	return first
}

func reasonOf(err error) embedding.Reason {
	if errors.Is(err, errDimensions) {
		return OtherModel
	}
	return embedding.ReasonOf(err)
}

// messageOf is what may be said of an error to others than the operator.
func messageOf(err error) string {
	if errors.Is(err, errDimensions) {
		return errDimensions.Error()
	}
	if refusal, ok := errors.AsType[*errs.Error](err); ok {
		return refusal.Message
	}
	return "something has failed that the log of the server tells"
}
