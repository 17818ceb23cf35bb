package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Attempts to sign in are counted before they are looked at, so that many at once get no further than many in a row,
// and taken back when they succeed. What fails again and again has to wait, twice as long each time, up to longestWait.
// That is also the longest that strangers can keep somebody from signing in with a password: attempts that have to wait
// count nothing, browsers in which the person signed in before are counted by themselves, and passkeys, single sign-on
// and one-time links do not wait at all.

// longestWait bounds how long an attempt has to wait.
const longestWait = 15 * time.Minute

// attemptKind says how attempts for one kind of thing are counted.
type attemptKind struct {
	name string
	// free is how many may fail before the next has to wait.
	free int64
	// fade is after how long one failure is forgotten.
	fade time.Duration
}

var (
	// byAccount counts for an e-mail address, whether somebody has it or not.
	byAccount = attemptKind{"account", 5, time.Hour}
	// byAddress counts for where requests come from; many people may share one.
	byAddress = attemptKind{"address", 30, time.Minute}
	// byBrowser counts for a browser in which the person signed in before.
	byBrowser = attemptKind{"browser", 10, time.Hour}
	// bySession counts for a session that confirms a password.
	bySession = attemptKind{"session", 5, time.Hour}
	// byRecipient and byRequester count mails with links, for whom they go to and where they are asked for.
	byRecipient = attemptKind{"recipient", 3, time.Hour}
	byRequester = attemptKind{"requester", 10, 10 * time.Minute}
)

// attempt is what one attempt is counted for.
type attempt struct {
	kind attemptKind
	name string
}

// of makes an attempt's name; it is a hash, since what is typed may be anything.
func (k attemptKind) of(subject string) attempt {
	sum := sha256.Sum256([]byte(subject))
	return attempt{k, k.name + ":" + hex.EncodeToString(sum[:16])}
}

// counted is the state of a counter.
type counted struct {
	failures     int64
	countedAt    time.Time
	blockedUntil time.Time
}

// add counts one more failure.
func (c counted) add(kind attemptKind, now time.Time) counted {
	if faded := int64(now.Sub(c.countedAt) / kind.fade); faded > 0 {
		c.failures = max(0, c.failures-faded)
	}
	c.failures++
	c.countedAt = now
	c.blockedUntil = now.Add(waitAfter(c.failures - kind.free))
	return c
}

// waitAfter returns how long the next attempt waits after so many failures too many.
func waitAfter(excess int64) time.Duration {
	if excess < 0 {
		return 0
	}
	return min(time.Second<<min(excess, 20), longestWait)
}

// lockout is the wait from which on a failure is worth an entry in the audit log.
const lockout = time.Minute

// locks reports whether this failure is the one at which waiting became long.
func (c counted) locks(kind attemptKind) bool {
	excess := c.failures - kind.free
	return waitAfter(excess) >= lockout && waitAfter(excess-1) < lockout
}

// count counts an attempt for all that it is for, unless one of them has to wait, which is an errs.TooMany. It returns
// the counters afterwards, in the order of the attempts.
func (s *Service) count(ctx context.Context, attempts ...attempt) ([]counted, error) {
	var after []counted
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		now := s.moment()
		after = make([]counted, len(attempts))
		for i, each := range attempts {
			before, err := attemptNamed(ctx, q, each.name)
			if err != nil {
				return err
			}
			if wait := before.blockedUntil.Sub(now); wait > 0 {
				return tooMany(wait)
			}
			after[i] = before.add(each.kind, now)
		}
		for i, each := range attempts {
			if err := putAttempt(ctx, q, each.name, after[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return after, err
}

// takeBack undoes count for an attempt that succeeded: what is the person's own begins anew, and what others share with
// them has one failure less.
func (s *Service) takeBack(ctx context.Context, attempts ...attempt) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		for _, each := range attempts {
			if err := takeBackIn(ctx, q, each); err != nil {
				return err
			}
		}
		return nil
	})
}

func takeBackIn(ctx context.Context, q db.Querier, each attempt) error {
	if each.kind != byAddress {
		return deleteAttempt(ctx, q, each.name)
	}
	state, err := attemptNamed(ctx, q, each.name)
	if err != nil {
		return err
	}
	state.failures = max(0, state.failures-1)
	state.blockedUntil = time.Time{}
	return putAttempt(ctx, q, each.name, state)
}

// WaitError is how long somebody has to wait before they may try again; it is the cause of an errs.TooMany.
type WaitError struct{ Wait time.Duration }

// Error says it.
func (e WaitError) Error() string { return "wait " + e.Wait.String() }

func tooMany(wait time.Duration) error {
	text := "a few seconds"
	switch {
	case wait > 90*time.Second:
		text = fmt.Sprintf("%d minutes", int((wait+time.Minute-1)/time.Minute))
	case wait > 10*time.Second:
		text = fmt.Sprintf("%d seconds", int((wait+time.Second-1)/time.Second))
	}
	return errs.Wrap(WaitError{wait}, errs.TooMany, "Too many attempts failed. Wait %s and try again.", text)
}

func attemptNamed(ctx context.Context, q db.Querier, name string) (counted, error) {
	var failures, countedAt, blockedUntil int64
	err := q.QueryRowContext(ctx, `SELECT failures, counted_at, blocked_until FROM account_attempt WHERE name = $1`,
		name).
		Scan(&failures, &countedAt, &blockedUntil)
	if errors.Is(err, db.ErrNoRows) {
		return counted{}, nil
	}
	if err != nil {
		return counted{}, fmt.Errorf("select attempts: %w", err)
	}
	return counted{failures: failures, countedAt: time.UnixMicro(countedAt),
		blockedUntil: time.UnixMicro(blockedUntil)}, nil
}

func putAttempt(ctx context.Context, q db.Querier, name string, state counted) error {
	blocked := int64(0)
	if !state.blockedUntil.IsZero() {
		blocked = state.blockedUntil.UnixMicro()
	}
	_, err := q.ExecContext(ctx, `
		INSERT INTO account_attempt (name, failures, counted_at, blocked_until) VALUES ($1, $2, $3, $4)
		ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, counted_at = excluded.counted_at,
		blocked_until = excluded.blocked_until`,
		name, state.failures, state.countedAt.UnixMicro(), blocked)
	if err != nil {
		return fmt.Errorf("count attempt: %w", err)
	}
	return nil
}

func deleteAttempt(ctx context.Context, q db.Querier, name string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM account_attempt WHERE name = $1`, name); err != nil {
		return fmt.Errorf("forget attempts: %w", err)
	}
	return nil
}
