package print

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/engine/pdf"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/job"
)

// How PDFs are made as jobs.
const (
	jobKind     = "print.pdf"
	jobTimeout  = 10 * time.Minute
	jobAttempts = 3
	// staleAfter is the silence from which nobody is taken to be at work on a PDF any more.
	staleAfter = 2 * jobTimeout

	// turnPause is how long a PDF waits before it looks again whether it is its turn.
	turnPause = time.Second

	sweepKind     = "print.sweep"
	sweepInterval = 10 * time.Minute
)

type jobArgs struct {
	PDF string `json:"pdf"`
}

// runJob makes a PDF. A failure is kept in its record and not tried again until somebody orders the PDF; only a stop
// of the process and a database that is away are.
func (s *Service) runJob(ctx context.Context, raw json.RawMessage) error {
	var args jobArgs
	if err := json.Unmarshal(raw, &args); err != nil {
		return fmt.Errorf("decode arguments: %w", err)
	}
	select {
	case s.making <- struct{}{}:
		defer func() { <-s.making }()
	default:
		return s.later(ctx, args)
	}
	wanted, err := find(ctx, s.deps.DB.Read(), args.PDF)
	if errs.Is(err, errs.NotFound) {
		return nil // expired before its turn came
	}
	if err != nil {
		return err
	}
	may := false
	if err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) (err error) {
		may, err = begin(ctx, q, wanted.ID, s.deps.Now())
		return err
	}); err != nil || !may {
		return err
	}
	if err := s.make(ctx, &wanted); err != nil {
		if errors.Is(ctx.Err(), context.Canceled) || errs.Is(err, errs.Unavailable) {
			return err // the process stops, or the database is away; the job is taken up again
		}
		return job.Permanent(err)
	}
	wanted.State = Done
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := s.deps.DB.Tx(ending, func(ctx context.Context, q db.Querier) error {
		return finish(ctx, q, wanted, s.deps.Now())
	}); err != nil {
		return fmt.Errorf("store PDF: %w", err)
	}
	return nil
}

// ended notes in the transaction that ends a job why its PDF could not be made.
func (s *Service) ended(ctx context.Context, q db.Querier, raw json.RawMessage, end job.End) error {
	var args jobArgs
	if end.State == job.Done || json.Unmarshal(raw, &args) != nil {
		return nil // made, put back into the queue, or nothing that a record can be told from
	}
	message, mendable := describe(end.Err)
	return giveUp(ctx, q, args.PDF, message, mendable, s.deps.Now())
}

// later puts a job back into the queue, so that those that wait for their turn leave the workers to other work.
func (s *Service) later(ctx context.Context, args jobArgs) error {
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := touch(ctx, q, args.PDF, s.deps.Now()); err != nil {
			return err
		}
		_, err := s.deps.Jobs.Enqueue(ctx, q, jobKind, args, job.At(time.Now().Add(turnPause)))
		return err
	})
	if err != nil {
		return fmt.Errorf("put a PDF back into the queue: %w", err)
	}
	return nil
}

// describe says of a failure what the person who ordered the PDF may know.
func describe(failure error) (message string, mendable bool) {
	if refusal, ok := errors.AsType[*errs.Error](failure); ok && refusal.Kind != errs.Internal &&
		refusal.Kind != errs.Unavailable {
		return refusal.Message, true
	}
	if errors.Is(failure, context.DeadlineExceeded) {
		return fmt.Sprintf("The PDF takes longer than %s to make; ask for a part of the space with “page”.",
			jobTimeout), true
	}
	return "", false
}

// make writes the PDF to a temporary file and stores that.
func (s *Service) make(ctx context.Context, wanted *PDF) error {
	view, err := s.deps.Content.View(ctx, wanted.Revision)
	if err != nil {
		return err
	}
	source, err := s.open(ctx, view)
	if err != nil {
		return err
	}
	if wanted.claims != "" {
		var known reader
		if err := json.Unmarshal([]byte(wanted.claims), &known); err != nil {
			return fmt.Errorf("decode who it is for: %w", err)
		}
		source.spaces = known.Spaces
		if known.Claims != nil {
			source.visitor = page.Visitor(known.Claims)
		}
	}
	book := source.book(ctx, *wanted)
	if book.Language, err = space.LanguageOf(ctx, s.deps.DB.Read(), wanted.Space); err != nil {
		return err
	}
	wanted.Total = len(book.Pages)
	book.Limits = s.deps.Limits
	last := time.Time{}
	book.Progress = func(done int) {
		if time.Since(last) < time.Second {
			return
		}
		last = time.Now()
		err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			return advance(ctx, q, wanted.ID, done, wanted.Total, s.deps.Now())
		})
		if err != nil && ctx.Err() == nil {
			s.deps.Log.WarnContext(ctx, "store the progress of a PDF", slog.String("pdf", wanted.ID),
				slog.Any("error", err))
		}
	}
	file, err := os.CreateTemp(s.deps.TempDir, "recto-pdf-*")
	if err != nil {
		return fmt.Errorf("make a temporary file: %w", err)
	}
	defer func() {
		_ = file.Close() // read whole, or of no use
		if err := os.Remove(file.Name()); err != nil {
			s.deps.Log.WarnContext(ctx, "remove a temporary file", slog.Any("error", err))
		}
	}()
	report, err := pdf.Write(ctx, file, book, source)
	if err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read the PDF: %w", err)
	}
	wanted.blob, wanted.Size, err = s.deps.Content.PutFile(ctx, file)
	wanted.Sheets, wanted.Done = report.Sheets, wanted.Total
	return err
}

// runSweep deletes what has expired.
func (s *Service) runSweep(ctx context.Context, _ json.RawMessage) error {
	_, err := s.Sweep(ctx)
	return err
}

// Sweep deletes the PDFs whose time is over and returns how many. Their bytes go when content next collects garbage.
func (s *Service) Sweep(ctx context.Context) (int64, error) {
	var count int64
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) (err error) {
		count, err = expire(ctx, q, s.deps.Now())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("delete expired PDFs: %w", err)
	}
	return count, nil
}
