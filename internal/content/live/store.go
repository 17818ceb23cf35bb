package live

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// session is the row of a session without its snapshot.
type session struct {
	id       id.LiveSession
	space    id.Space
	request  id.ChangeRequest
	branch   id.Branch
	page     string
	revision id.Revision
	schema   string
	version  int64
	written  int64
	author   id.User
	reason   Reason
	ended    bool
}

const sessionColumns = `id, space_id, change_request_id, branch_id, page_id, revision_id, schema, version, written_version,
	author, reason, ended_at IS NOT NULL`

func scanSession(row db.Scanner) (s session, err error) {
	var author sql.Null[string]
	err = row.Scan(&s.id, &s.space, &s.request, &s.branch, &s.page, &s.revision, &s.schema, &s.version, &s.written,
		&author, &s.reason, &s.ended)
	s.author = id.User(author.V)
	return s, err
}

func sessionByID(ctx context.Context, q db.Querier, sessionID id.LiveSession) (session, bool, error) {
	return db.Find(ctx, q, "read live session", scanSession,
		`SELECT `+sessionColumns+` FROM live_session WHERE id = $1`, sessionID)
}

// openSession finds the session of a page that has not ended.
func openSession(ctx context.Context, q db.Querier, key roomKey) (session, bool, error) {
	return db.Find(ctx, q, "find live session", scanSession, `SELECT `+sessionColumns+` FROM live_session
		WHERE change_request_id = $1 AND page_id = $2 AND ended_at IS NULL`, key.request, key.page)
}

// openSessions finds the sessions of a change request, or of a branch, that have not ended.
func openSessions(ctx context.Context, q db.Querier, request id.ChangeRequest) ([]session, error) {
	return db.All(ctx, q, "list live sessions", scanSession, `SELECT `+sessionColumns+` FROM live_session
		WHERE change_request_id = $1 AND ended_at IS NULL ORDER BY page_id`, request)
}

func openSessionsOfBranch(ctx context.Context, q db.Querier, branch id.Branch) ([]session, error) {
	return db.All(ctx, q, "list live sessions", scanSession, `SELECT `+sessionColumns+` FROM live_session
		WHERE branch_id = $1 AND ended_at IS NULL ORDER BY page_id`, branch)
}

// leftBehind finds sessions with text that should be in their branches for long.
func leftBehind(ctx context.Context, q db.Querier, before time.Time) ([]session, error) {
	return db.All(ctx, q, "find unwritten live sessions", scanSession, `SELECT `+sessionColumns+` FROM live_session
		WHERE ended_at IS NULL AND version > written_version AND changed_at < $1 ORDER BY changed_at LIMIT 100`,
		before.UnixMicro())
}

func insertSession(ctx context.Context, q db.Querier, s session, snapshot []byte, at time.Time) error {
	_, err := q.ExecContext(ctx, `INSERT INTO live_session
		(id, space_id, change_request_id, branch_id, page_id, revision_id, schema, snapshot, snapshot_version, version,
			written_version, changed_at, created_at, reason)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, $9, $9, '')`,
		s.id, s.space, s.request, s.branch, s.page, s.revision, s.schema, string(snapshot), at.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert live session: %w", err)
	}
	return nil
}

// snapshotOf returns the last snapshot of a session with its version.
func snapshotOf(ctx context.Context, q db.Querier,
	sessionID id.LiveSession) (snapshot []byte, version int64, err error) {
	err = q.QueryRowContext(ctx, `SELECT snapshot, snapshot_version FROM live_session WHERE id = $1`,
		sessionID).Scan(&snapshot, &version)
	if err != nil {
		return nil, 0, fmt.Errorf("read snapshot of live session: %w", err)
	}
	return snapshot, version, nil
}

// putSnapshot stores a snapshot unless there is a newer one.
func putSnapshot(ctx context.Context, q db.Querier, sessionID id.LiveSession, snapshot []byte, version int64) error {
	_, err := q.ExecContext(ctx, `UPDATE live_session SET snapshot = $2, snapshot_version = $3
		WHERE id = $1 AND snapshot_version < $3`, sessionID, string(snapshot), version)
	if err != nil {
		return fmt.Errorf("write snapshot of live session: %w", err)
	}
	return nil
}

// errRace says that somebody else was quicker.
var errRace = errors.New("the session has moved on")

// one is errRace unless a statement has changed one row.
func one(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	changed, err := result.RowsAffected()
	if err == nil && changed != 1 {
		err = errRace
	}
	return err
}

// appendBatch makes a batch the next one of its session. It is errRace when it is not, or when its id is there.
func appendBatch(ctx context.Context, q db.Querier, sessionID id.LiveSession, b Batch, at time.Time) error {
	author := db.NullText(b.User)
	err := one(q.ExecContext(ctx, `UPDATE live_session
		SET version = version + $3, changed_at = $4, author = COALESCE($5, author)
		WHERE id = $1 AND version = $2 AND ended_at IS NULL`,
		sessionID, b.Version, len(b.Steps), at.UnixMicro(), author))
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(b.Steps)
	if err != nil {
		return fmt.Errorf("encode steps: %w", err)
	}
	_, err = q.ExecContext(ctx, `INSERT INTO live_batch
		(session_id, version, step_count, batch_id, client, user_id, steps, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		sessionID, b.Version, len(b.Steps), b.ID, b.Client, author, string(encoded), at.UnixMicro())
	if db.IsUnique(err) {
		return errRace
	}
	if err != nil {
		return fmt.Errorf("insert batch of live session: %w", err)
	}
	return nil
}

const batchColumns = `version, batch_id, client, user_id, steps`

func scanBatch(row db.Scanner) (b Batch, err error) {
	var user sql.Null[string]
	var encoded []byte
	if err = row.Scan(&b.Version, &b.ID, &b.Client, &user, &encoded); err != nil {
		return b, err
	}
	b.User = id.User(user.V)
	if err = json.Unmarshal(encoded, &b.Steps); err != nil {
		err = fmt.Errorf("decode the steps at %d: %w", b.Version, err)
	}
	return b, err
}

// maxRead is how many batches are read at once.
const maxRead = 500

// batchesFrom returns batches of a session from a version on, up to maxRead.
func batchesFrom(ctx context.Context, q db.Querier, sessionID id.LiveSession, version int64) ([]Batch, error) {
	return db.All(ctx, q, "read batches of live session", scanBatch, `SELECT `+batchColumns+` FROM live_batch
		WHERE session_id = $1 AND version >= $2 ORDER BY version LIMIT `+fmt.Sprint(maxRead), sessionID, version)
}

func batchByID(ctx context.Context, q db.Querier, sessionID id.LiveSession, batchID string) (Batch, bool, error) {
	return db.Find(ctx, q, "find batch of live session", scanBatch, `SELECT `+batchColumns+` FROM live_batch
		WHERE session_id = $1 AND batch_id = $2`, sessionID, batchID)
}

// writersOf returns who has written the batches of a session from one version to another.
func writersOf(ctx context.Context, q db.Querier, sessionID id.LiveSession, from, to int64) ([]id.User, error) {
	return db.All(ctx, q, "list writers of live session", db.Column[id.User], `SELECT DISTINCT user_id FROM live_batch
		WHERE session_id = $1 AND version >= $2 AND version < $3 AND user_id IS NOT NULL ORDER BY user_id`,
		sessionID, from, to)
}

// setWritten notes that all up to a version is in a revision, when the session has not taken in another one meanwhile.
func setWritten(ctx context.Context, q db.Querier, s session, revision id.Revision, version int64) error {
	return one(q.ExecContext(ctx, `UPDATE live_session SET revision_id = $3, written_version = $4
		WHERE id = $1 AND revision_id = $2 AND written_version <= $4 AND ended_at IS NULL`,
		s.id, s.revision, revision, version))
}

// unwritten reports whether a session of a change request has text that is not in the branch.
func unwritten(ctx context.Context, q db.Querier, request id.ChangeRequest) (is bool, err error) {
	err = q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM live_session
		WHERE change_request_id = $1 AND ended_at IS NULL AND version > written_version)`, request).Scan(&is)
	if err != nil {
		return false, fmt.Errorf("look for unwritten text: %w", err)
	}
	return is, nil
}

// endSession ends a session unless it has ended.
func endSession(ctx context.Context, q db.Querier, sessionID id.LiveSession, reason Reason, at time.Time) error {
	_, err := q.ExecContext(ctx, `UPDATE live_session SET ended_at = $2, reason = $3 WHERE id = $1 AND ended_at IS NULL`,
		sessionID, at.UnixMicro(), string(reason))
	if err != nil {
		return fmt.Errorf("end live session: %w", err)
	}
	return nil
}

// seePerson notes that somebody is in a session now. It is errRace when the client is somebody else's.
func seePerson(ctx context.Context, q db.Querier, sessionID id.LiveSession, client string, user id.User,
	at int64) error {
	return one(q.ExecContext(ctx, `INSERT INTO live_person (session_id, client, user_id, seen_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (session_id, client) DO UPDATE SET seen_at = excluded.seen_at
			WHERE live_person.user_id = excluded.user_id`,
		sessionID, client, user, at))
}

// stayPeople notes that clients are still in a session.
func stayPeople(ctx context.Context, q db.Querier, sessionID id.LiveSession, clients []string, at int64) error {
	args := db.Args{sessionID, at}
	for _, client := range clients {
		args = append(args, client)
	}
	_, err := q.ExecContext(ctx, `UPDATE live_person SET seen_at = $2
		WHERE session_id = $1 AND client IN (`+db.Placeholders(3, len(clients))+`)`, args...)
	if err != nil {
		return fmt.Errorf("note people of live session: %w", err)
	}
	return nil
}

// peopleOf returns who is in the open sessions of a condition.
func peopleOf(ctx context.Context, q db.Querier, after time.Time, condition string, argument any) ([]Person, error) {
	return db.All(ctx, q, "list people of live sessions", func(row db.Scanner) (p Person, err error) {
		return p, row.Scan(&p.Client, &p.User, &p.Page)
	}, `SELECT p.client, p.user_id, l.page_id FROM live_person p JOIN live_session l ON l.id = p.session_id
		WHERE p.seen_at > $2 AND l.ended_at IS NULL AND `+condition+` ORDER BY l.page_id, p.user_id, p.client`,
		argument, after.UnixMicro())
}

// dropOld deletes ended sessions, and batches of open ones that nobody needs any more.
func dropOld(ctx context.Context, q db.Querier, now time.Time) error {
	for _, drop := range []struct {
		statement string
		age       time.Duration
	}{
		{`DELETE FROM live_session WHERE ended_at IS NOT NULL AND ended_at < $1 AND version <= written_version`,
			keepEnded},
		{`DELETE FROM live_session WHERE ended_at IS NOT NULL AND ended_at < $1`, keepOpen},
		{`DELETE FROM live_batch WHERE created_at < $1 AND version < (SELECT l.snapshot_version FROM live_session l
			WHERE l.id = live_batch.session_id AND l.snapshot_version <= l.written_version)`, keepOpen},
	} {
		if _, err := q.ExecContext(ctx, drop.statement, now.Add(-drop.age).UnixMicro()); err != nil {
			return fmt.Errorf("delete old live sessions: %w", err)
		}
	}
	return nil
}
