package account

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
)

const sessionColumns = `s.id, s.user_id, s.method, s.address, s.agent, s.created_at, s.signed_in_at, s.seen_at, s.expires_at, s.secret_at, s.next_at, s.vouched_by, s.through`

func insertSession(ctx context.Context, q db.Querier, s Session, hash []byte) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO account_session (id, user_id, method, address, agent, secret_hash, secret_at, created_at,
		signed_in_at, seen_at, expires_at, vouched_by, through)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		s.ID, s.User, string(s.Method), s.Address, s.Agent, hash, s.SecretAt.UnixMicro(), s.CreatedAt.UnixMicro(),
		s.SignedInAt.UnixMicro(),
		s.SeenAt.UnixMicro(), s.ExpiresAt.UnixMicro(), s.VouchedBy, s.Through)
	if err != nil {
		return fmt.Errorf("insert session: %w", err)
	}
	return nil
}

// foundSession is what one of a session's secrets led to.
type foundSession struct {
	caller Caller
	// isNext and isPrevious say that the secret is not the one in use.
	isNext, isPrevious bool
	previousUntil      time.Time
	// concerned says that an organization of the person's enforces single sign-on.
	concerned bool
}

func sessionBySecret(ctx context.Context, q db.Querier, concerns string, hash []byte) (foundSession, error) {
	found, inUse, err := sessionWhere(ctx, q, concerns,
		`s.secret_hash = $1 OR s.next_hash = $1 OR s.previous_hash = $1`, hash)
	found.isNext, found.isPrevious = bytes.Equal(inUse.next, hash), bytes.Equal(inUse.earlier, hash)
	return found, err
}

// sessionHashes are the hashes of the secrets that a session is offered and was replaced.
type sessionHashes struct{ next, earlier []byte }

// sessionWhere reads the one session of a condition on s.
func sessionWhere(ctx context.Context, q db.Querier, concerns, condition string,
	argument any) (foundSession, sessionHashes, error) {
	var (
		user                 userRow
		session              sessionRow
		inUse, next, earlier []byte
		until                sql.Null[int64]
		concerned            bool
	)
	into := append(append(user.fields(), session.fields()...), &inUse, &next, &earlier, &until, &concerned)
	err := q.QueryRowContext(ctx, `
		SELECT `+userColumns+`, `+sessionColumns+`, s.secret_hash, s.next_hash, s.previous_hash, s.previous_until, `+
		concerns+`
		FROM account_session s JOIN account_user u ON u.id = s.user_id
		WHERE `+condition, argument).Scan(into...)
	if err != nil {
		return foundSession{}, sessionHashes{}, fmt.Errorf("select session: %w", err)
	}
	found := foundSession{
		caller: Caller{User: user.user(), Session: session.session()}, previousUntil: db.NullTime(until),
		concerned: concerned,
	}
	found.caller.Token = Token{ID: found.caller.Session.ID, User: found.caller.User.ID,
		VouchedBy: found.caller.Session.VouchedBy, Through: found.caller.Session.Through}
	return found, sessionHashes{next: next, earlier: earlier}, nil
}

// offerSecret notes a secret that a browser is offered, unless one was offered or the one in use began meanwhile, and
// reports whether it did.
func offerSecret(ctx context.Context, q db.Querier, sessionID string, hash []byte,
	now, usedBefore, offeredBefore time.Time) (bool, error) {
	result, err := q.ExecContext(ctx, `
		UPDATE account_session SET next_hash = $2, next_at = $3
		WHERE id = $1 AND secret_at <= $4 AND (next_at IS NULL OR next_at <= $5)`,
		sessionID, hash, now.UnixMicro(), usedBefore.UnixMicro(), offeredBefore.UnixMicro())
	if err != nil {
		return false, fmt.Errorf("offer secret: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("offer secret: %w", err)
	}
	return n == 1, nil
}

// promoteSecret makes the offered secret the one in use.
func promoteSecret(ctx context.Context, q db.Querier, sessionID string, hash []byte, now, overlap time.Time) error {
	_, err := q.ExecContext(ctx, `
		UPDATE account_session
		SET previous_hash = secret_hash, previous_until = $4, secret_hash = next_hash, secret_at = $3, next_hash = NULL,
		next_at = NULL, seen_at = $3
		WHERE id = $1 AND next_hash = $2`, sessionID, hash, now.UnixMicro(), overlap.UnixMicro())
	if err != nil {
		return fmt.Errorf("take up secret: %w", err)
	}
	return nil
}

// updateSeen notes a use unless one was noted after the time before.
func updateSeen(ctx context.Context, q db.Querier, sessionID string, now, before time.Time) error {
	_, err := q.ExecContext(ctx, `UPDATE account_session SET seen_at = $2 WHERE id = $1 AND seen_at <= $3`,
		sessionID, now.UnixMicro(), before.UnixMicro())
	if err != nil {
		return fmt.Errorf("update last use: %w", err)
	}
	return nil
}

// listSessions returns the sessions of a user with a mark, all of them for "".
func listSessions(ctx context.Context, q db.Querier, userID id.User, mark id.Organization, now, idle time.Time,
	page paging.Request) (paging.Page[Session], error) {
	const live = `s.user_id = $1 AND s.expires_at > $2 AND s.seen_at > $3 AND ($4 = '' OR s.vouched_by = $4)`
	var count int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM account_session s WHERE `+live, userID, now.UnixMicro(),
		idle.UnixMicro(), mark).Scan(&count)
	if err != nil {
		return paging.Page[Session]{}, fmt.Errorf("count sessions: %w", err)
	}
	after := ""
	if len(page.After) == 1 {
		after = page.After[0]
	}
	sessions, err := db.All(ctx, q, "list sessions", func(r db.Scanner) (Session, error) {
		var row sessionRow
		err := r.Scan(row.fields()...)
		return row.session(), err
	}, `
		SELECT `+sessionColumns+` FROM account_session s
		WHERE `+live+` AND s.id > $5
		ORDER BY s.id LIMIT $6`, userID, now.UnixMicro(), idle.UnixMicro(), mark, after, page.Size()+1)
	if err != nil {
		return paging.Page[Session]{}, err
	}

	list := paging.Page[Session]{Items: sessions, Count: count}
	list.Cut(page.Size(), func(s Session) []string { return []string{s.ID} })
	return list, nil
}

// deleteSessions removes the sessions of a condition and returns how many there were.
func deleteSessions(ctx context.Context, q db.Querier, condition string, args ...any) (int, error) {
	result, err := q.ExecContext(ctx, `DELETE FROM account_session WHERE `+condition, args...)
	if err != nil {
		return 0, fmt.Errorf("delete sessions: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("delete sessions: %w", err)
	}
	return int(n), nil
}

type sessionRow struct {
	id                                                    string
	user                                                  id.User
	method, address, agent                                string
	vouchedBy                                             id.Organization
	through                                               string
	createdAt, signedInAt, seenAt, expiresAt, secretSince int64
	nextAt                                                sql.Null[int64]
}

func (r *sessionRow) fields() []any {
	return []any{&r.id, &r.user, &r.method, &r.address, &r.agent, &r.createdAt, &r.signedInAt, &r.seenAt, &r.expiresAt,
		&r.secretSince, &r.nextAt, &r.vouchedBy, &r.through}
}

func (r *sessionRow) session() Session {
	at := func(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
	return Session{
		ID: r.id, User: r.user, Method: Method(r.method), Address: r.address, Agent: r.agent,
		CreatedAt: at(r.createdAt), SignedInAt: at(r.signedInAt), SeenAt: at(r.seenAt), ExpiresAt: at(r.expiresAt),
		SecretAt: at(r.secretSince), OfferedAt: db.NullTime(r.nextAt), VouchedBy: r.vouchedBy, Through: r.through,
	}
}
