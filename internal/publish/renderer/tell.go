package renderer

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
)

// tellKind is the job that tells the renderer. There is one at a time.
const tellKind = "renderer.tell"

// Bounds of telling.
const (
	// settleTime is how long tags wait for others that come with them by default.
	settleTime = time.Second
	// maxTags is how many tags one call has, maxOfRun how many a job tells before others have a turn.
	maxTags, maxOfRun = 100, 1000
	// answerTime is how long the renderer may take to answer by default.
	answerTime = 10 * time.Second
	// maxPause is the longest pause between two attempts, giveUpAfter how old a change becomes that it is not told.
	maxPause, giveUpAfter = time.Minute, 24 * time.Hour
	// maxAttempts is more than there are in that time.
	maxAttempts = 2000
)

// pause doubles from the SettleTime to maxPause.
func (s *Service) pause(attempt int) time.Duration {
	return min(maxPause, s.deps.SettleTime<<min(attempt-1, 10))
}

// tellArgs name the turn of a job: what a server that crashed has left has another one.
type tellArgs struct {
	Turn string `json:"turn"`
}

func (s *Service) enqueue(ctx context.Context, q db.Querier, turn string, at time.Time) error {
	_, err := s.deps.Jobs.Enqueue(ctx, q, tellKind, tellArgs{turn}, job.At(at))
	return err
}

// changed is a tag that the renderer is to be told of.
type changed struct{ tag, change string }

func scanChanged(row db.Scanner) (changed, error) {
	var one changed
	err := row.Scan(&one.tag, &one.change)
	return one, err
}

// run tells the renderer of what has changed so far, and gives what comes meanwhile to the next job.
func (s *Service) run(ctx context.Context, args json.RawMessage) error {
	var in tellArgs
	if err := json.Unmarshal(args, &in); err != nil {
		return job.Permanent(err)
	}
	var turn string
	err := s.deps.DB.Read().QueryRowContext(ctx, `SELECT turn FROM renderer_job`).Scan(&turn)
	if errors.Is(err, db.ErrNoRows) || err == nil && turn != in.Turn {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read whose turn it is: %w", err)
	}
	list, err := db.All(ctx, s.deps.DB.Read(), "list what the renderer is to be told", scanChanged,
		`SELECT tag, change FROM renderer_tag ORDER BY since, tag LIMIT $1`, maxOfRun)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(list, maxTags) {
		if err := s.tell(ctx, some); err != nil {
			return errors.Join(err, s.giveUp(ctx))
		}
		if err := s.told(ctx, some); err != nil {
			return err
		}
	}
	return s.pass(ctx, turn)
}

// tell tells the renderer of some tags.
func (s *Service) tell(ctx context.Context, some []changed) error {
	var said struct {
		Tags []string `json:"tags"`
	}
	for _, each := range some {
		said.Tags = append(said.Tags, each.tag)
	}
	body, err := json.Marshal(said)
	if err != nil {
		return fmt.Errorf("encode tags: %w", err)
	}
	mac := hmac.New(sha256.New, []byte(s.deps.Secret))
	mac.Write(body) // which never fails
	header := http.Header{"Content-Type": {"application/json"}}
	header.Set("X-Gitbook-Signature", hex.EncodeToString(mac.Sum(nil)))
	// However long the answer is, nothing of it is read.
	response, err := s.fetch.Send(ctx, http.MethodPost, s.address, header, body,
		fetch.Limits{Time: s.deps.AnswerTime, Bytes: math.MaxInt64})
	if err != nil {
		// Whatever it is may be mended on the other side, so it is tried again.
		return errs.Wrap(err, errs.Unavailable, "The renderer cannot be told of changes.")
	}
	if err := response.Body.Close(); err != nil {
		s.deps.Log.DebugContext(ctx, "end the answer of the renderer", slog.Any("error", err))
	}
	switch {
	case response.Status >= 200 && response.Status < 300:
		return nil
	case response.Status >= 300 && response.Status < 400:
		return errs.New(errs.Unavailable, "The renderer leads elsewhere (%d), where it is not followed; renderer-url "+
			"has to be the address at which it answers itself.", response.Status)
	case response.Status == http.StatusUnauthorized, response.Status == http.StatusForbidden:
		return errs.New(errs.Unavailable, "The renderer refuses to be told of changes (%d); renderer-secret has to be "+
			"the secret that it has.", response.Status)
	}
	return errs.New(errs.Unavailable, "The renderer answers %d when it is told of changes.", response.Status)
}

// told lets go of tags that the renderer was told of, but of those that have changed since.
func (s *Service) told(ctx context.Context, some []changed) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		for _, each := range some {
			_, err := q.ExecContext(ctx, `DELETE FROM renderer_tag WHERE tag = $1 AND change = $2`, each.tag,
				each.change)
			if err != nil {
				return fmt.Errorf("note that the renderer was told: %w", err)
			}
		}
		return nil
	})
}

// giveUp lets go of what the renderer could not be told for too long.
func (s *Service) giveUp(ctx context.Context) error {
	var count int64
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		result, err := q.ExecContext(ctx, `DELETE FROM renderer_tag WHERE since < $1`,
			s.deps.Now().Add(-giveUpAfter).UnixMicro())
		if err == nil {
			count, err = result.RowsAffected()
		}
		if err != nil {
			return fmt.Errorf("give up telling the renderer: %w", err)
		}
		return nil
	})
	if err == nil && count > 0 {
		s.deps.Log.WarnContext(ctx, "the renderer was not told of changes, it does not take them for too long",
			slog.Int64("tags", count), slog.String("after", giveUpAfter.String()))
	}
	return err
}

// pass ends a turn: with another one if there is something to tell.
func (s *Service) pass(ctx context.Context, turn string) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var left bool
		if err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM renderer_tag)`).Scan(&left); err != nil {
			return fmt.Errorf("look what is left for the renderer: %w", err)
		}
		if !left {
			if _, err := q.ExecContext(ctx, `DELETE FROM renderer_job WHERE turn = $1`, turn); err != nil {
				return fmt.Errorf("end telling the renderer: %w", err)
			}
			return nil
		}
		next := rand.Text()
		if _, err := q.ExecContext(ctx, `UPDATE renderer_job SET turn = $1 WHERE turn = $2`, next, turn); err != nil {
			return fmt.Errorf("go on telling the renderer: %w", err)
		}
		return s.enqueue(ctx, q, next, s.deps.Now().Add(s.deps.SettleTime))
	})
}

// ended goes on after a job that has ended without passing its turn on.
func (s *Service) ended(ctx context.Context, q db.Querier, args json.RawMessage, end job.End) error {
	if end.State == job.Done {
		return nil
	}
	var in tellArgs
	if err := json.Unmarshal(args, &in); err != nil {
		return err
	}
	return s.enqueue(ctx, q, in.Turn, s.deps.Now().Add(maxPause))
}
