package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/job"
)

// How the records of imports end that nobody can end any more.
const (
	sweepKind     = "import.sweep"
	sweepInterval = time.Minute
	// aliveInterval is how often a process says that an import still runs for which a caller waits, and staleAfter the
	// silence after which that process is taken to be gone.
	aliveInterval = 15 * time.Second
	staleAfter    = 2 * time.Minute
	// endLimit bounds how long the end of such an import is tried to be written. Later it is the sweep that ends it.
	endLimit = 10 * time.Second
)

const (
	faultText   = "the import failed because of a fault in the server; its log has the details"
	stoppedText = "the server stopped during the import; nothing of it was kept"
)

// retryable decides whether an import that failed is tried again: only when the database could not be reached, because
// anything else would fail in the same way, and a source elsewhere would be read again for nothing.
func retryable(failure error) error {
	if errs.Is(failure, errs.Unavailable) {
		return failure
	}
	return job.Permanent(failure)
}

// ended ends the record of an import in the transaction that ends its job.
func (s *Service) ended(ctx context.Context, q db.Querier, raw json.RawMessage, end job.End) error {
	var args jobArgs
	if json.Unmarshal(raw, &args) != nil {
		return nil // no record can be told from it
	}
	state, text := describe(end.Err)
	if end.State == job.Cancelled {
		state, text = Cancelled, "cancelled"
	}
	_, err := finish(ctx, q, args.Import, state, text, "", Report{}, s.deps.Now())
	return err
}

// describe is the state and the message of an import that ended without its content.
func describe(failure error) (State, string) {
	switch own, ok := errors.AsType[*errs.Error](failure); {
	case errors.Is(failure, errCancelled), errors.Is(failure, context.Canceled):
		return Cancelled, "cancelled"
	case errors.Is(failure, job.ErrAbandoned):
		return Failed, stoppedText
	case errors.Is(failure, context.DeadlineExceeded):
		return Failed, "the import took too long"
	case ok && own.Kind != errs.Internal:
		return Failed, own.Message
	}
	return Failed, faultText
}

// end writes that an import has failed for which a caller waits, although its context may have ended.
func (s *Service) end(ctx context.Context, importID id.Import, failure error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endLimit)
	defer cancel()
	state, text := describe(failure)
	if text == faultText {
		s.deps.Log.ErrorContext(ctx, "import", slog.String("import", string(importID)), slog.Any("error", failure))
	}
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := finish(ctx, q, importID, state, text, "", Report{}, s.deps.Now())
		return err
	})
	if err != nil {
		s.deps.Log.ErrorContext(ctx, "end import", slog.String("import", string(importID)), slog.Any("error", err))
	}
}

// keepAlive says now and then that an import runs for which a caller waits, until stop is called. An import that was
// ended meanwhile, because this process could not say so for too long, is cancelled.
func (s *Service) keepAlive(ctx context.Context, importID id.Import, cancel context.CancelCauseFunc) (stop func()) {
	ctx, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(aliveInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			running, err := alive(ctx, s.deps.DB.Write(), importID, s.deps.Now())
			switch {
			case err != nil && ctx.Err() == nil:
				s.deps.Log.WarnContext(ctx, "keep import alive", slog.String("import", string(importID)),
					slog.Any("error", err))
			case err == nil && !running:
				cancel(errCancelled)
			}
		}
	}()
	return func() { end(); <-ended }
}

// sweep ends imports whose caller's process is gone, and those whose job ended without them, as happened in versions
// before this one.
func (s *Service) sweep(ctx context.Context) error {
	now := s.deps.Now()
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `UPDATE import SET state = 'failed', message = $3, updated_at = $1
			WHERE state IN ('pending', 'running') AND job_id = '' AND updated_at < $2`, now.UnixMicro(),
			now.Add(-staleAfter).UnixMicro(), stoppedText)
		return err
	})
	if err != nil {
		return fmt.Errorf("end stale imports: %w", err)
	}
	silent, err := silentJobs(ctx, s.deps.DB.Read(), now.Add(-staleAfter))
	if err != nil {
		return err
	}
	for importID, jobID := range silent {
		status, err := s.deps.Jobs.Get(ctx, jobID)
		if err != nil && !errs.Is(err, errs.NotFound) {
			return err
		}
		if err == nil && (status.State == job.Queued || status.State == job.Running) {
			continue
		}
		err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			_, err := finish(ctx, q, importID, Failed, faultText, "", Report{}, now)
			return err
		})
		if err != nil {
			return fmt.Errorf("end stale imports: %w", err)
		}
	}
	return nil
}
