package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/db"
)

// How much one write transaction takes on, so that it holds the one writer of SQLite for tens of milliseconds at most.
const (
	chunkBytes = 1 << 20
	chunkRows  = 256
)

// inlineBytes and inlineRows are what goes into the transaction that moves the head instead of one before it.
const (
	inlineBytes = 256 << 10
	inlineRows  = 48
)

// key is the hash as the database has it.
func (p piece) key() any {
	if p.sort == usedBlob {
		return p.hash
	}
	return []byte(p.hash)
}

// load is what a new revision needs in the database before the head can move to it.
type load struct {
	nodes  map[trie.Hash][]byte
	bodies map[string][]byte // by hex hash
	// usedBodies and usedBlobs are named by new entries without their bytes: they have to be there, and to stay.
	usedBodies, usedBlobs map[string]struct{}
}

// sort says what a piece is; pieces are written in this order, those of one sort by hash, so that the transactions of
// several writers take row locks in one order.
type sort int

const (
	usedBlob sort = iota
	usedBody
	newBody
	newNode
)

// PutBodies stores bodies that a change is going to name by their hashes, so that a change of any size needs the bytes
// of few of them at once. Nobody sees them before that, and what no change names within the grace period is collected.
// It is an errs error when a body is too large or not UTF-8.
func (s *Service) PutBodies(ctx context.Context, bodies [][]byte) error {
	l := load{bodies: make(map[string][]byte, len(bodies))}
	for _, body := range bodies {
		if len(body) > MaxBodySize {
			return errs.New(errs.TooLarge, "A body has %d bytes, at most %d are allowed; split it into several pages.",
				len(body), MaxBodySize)
		}
		if !utf8.Valid(body) {
			return errs.Invalidf("body", "a body is not UTF-8 text")
		}
		if hash := hashBody(body); hash != "" {
			l.bodies[hash] = body
		}
	}
	pieces, err := l.pieces()
	if err != nil {
		return err
	}
	return s.newWriter().write(ctx, pieces)
}

// piece is one row to write, or to keep.
type piece struct {
	sort  sort
	hash  string // the raw bytes, hex for a blob
	bytes []byte
}

// pieces lists what there is to write and to keep.
func (l *load) pieces() ([]piece, error) {
	all := make([]piece, 0, len(l.nodes)+len(l.bodies)+len(l.usedBodies)+len(l.usedBlobs))
	for hash := range l.usedBlobs {
		all = append(all, piece{sort: usedBlob, hash: hash})
	}
	for hash := range l.usedBodies {
		key, err := hex.DecodeString(hash)
		if err != nil || len(key) != sha256.Size {
			return nil, errs.Invalidf("body", "%.80q is not the hash of a body; send the body itself", hash)
		}
		all = append(all, piece{sort: usedBody, hash: string(key)})
	}
	for hash, body := range l.bodies {
		key, err := hex.DecodeString(hash)
		if err != nil {
			return nil, fmt.Errorf("write body %q: %w", hash, err)
		}
		all = append(all, piece{sort: newBody, hash: string(key), bytes: body})
	}
	for hash, encoded := range l.nodes {
		all = append(all, piece{sort: newNode, hash: string(hash[:]), bytes: encoded})
	}
	slices.SortFunc(all, func(a, b piece) int {
		if a.sort != b.sort {
			return int(a.sort) - int(b.sort)
		}
		return strings.Compare(a.hash, b.hash)
	})
	return all, nil
}

// written names a row that a writer has written.
type written struct {
	sort sort
	hash string
}

// writer brings loads into the database. One writer serves all attempts of one change: what it has written lately it
// does not write again.
type writer struct {
	service *Service
	touched map[written]time.Time
	oldest  time.Time // of what the present load relies on; zero when nothing was written ahead
}

func (s *Service) newWriter() *writer { return &writer{service: s, touched: map[written]time.Time{}} }

// ahead writes what is too much for the transaction that moves the head. It returns what is left for that one.
func (w *writer) ahead(ctx context.Context, l *load) (rest []piece, err error) {
	all, err := l.pieces()
	if err != nil {
		return nil, err
	}
	s := w.service
	size := 0
	w.oldest = time.Time{}
	now := s.now()
	for _, p := range all {
		// What was touched lately is spared by Collect for longer than this attempt may take.
		if at, ok := w.touched[written{p.sort, p.hash}]; ok && now.Sub(at) < s.grace/4 {
			w.relyOn(at)
			continue
		}
		rest = append(rest, p)
		size += len(p.bytes)
	}
	if len(rest) <= inlineRows && size <= inlineBytes {
		return rest, nil
	}
	return nil, w.write(ctx, rest)
}

// write writes pieces in transactions that are small enough for other writers.
func (w *writer) write(ctx context.Context, rest []piece) error {
	for len(rest) > 0 {
		chunk, size := 0, 0
		for chunk < len(rest) && chunk < chunkRows && (chunk == 0 || size+len(rest[chunk].bytes) <= chunkBytes) {
			size += len(rest[chunk].bytes)
			chunk++
		}
		now := w.service.now()
		err := w.service.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			return w.service.writePieces(ctx, q, rest[:chunk], now)
		})
		if err != nil {
			return err
		}
		for _, p := range rest[:chunk] {
			w.touched[written{p.sort, p.hash}] = now
		}
		w.relyOn(now)
		rest = rest[chunk:]
	}
	return nil
}

func (w *writer) relyOn(at time.Time) {
	if w.oldest.IsZero() || at.Before(w.oldest) {
		w.oldest = at
	}
}

// finish writes the rest of a load in the transaction that moves the head.
func (w *writer) finish(ctx context.Context, q db.Querier, rest []piece) error {
	now := w.service.now()
	if !w.oldest.IsZero() && now.Sub(w.oldest) > w.service.grace/2 {
		// Another process may be about to collect what was written first.
		return errs.New(errs.Unavailable, "Writing the change took longer than %s, which is not safe; try again.",
			w.service.grace/2)
	}
	return w.service.writePieces(ctx, q, rest, now)
}

// writePieces writes rows, or refreshes them when they are there. Statements have a few fixed sizes so that the
// drivers can keep them prepared.
func (s *Service) writePieces(ctx context.Context, q db.Querier, pieces []piece, now time.Time) error {
	for len(pieces) > 0 {
		same := 1
		for same < len(pieces) && pieces[same].sort == pieces[0].sort {
			same++
		}
		rows := 1
		switch {
		case same >= 64:
			rows = 64
		case same >= 8:
			rows = 8
		}
		if first := pieces[0]; first.sort == usedBlob || first.sort == usedBody {
			if err := s.keepUsed(ctx, q, pieces[:rows], now); err != nil {
				return err
			}
			pieces = pieces[rows:]
			continue
		}
		if err := s.writeRows(ctx, q, pieces[:rows], now); err != nil {
			return err
		}
		pieces = pieces[rows:]
	}
	return nil
}

// stale is the time before which a row must have been touched last to be touched again now. What is fresher is left
// alone, because on PostgreSQL two writers that touch one row get into each other's way. Together with the time that
// a writer may take (half the grace period) it stays well below the whole.
func (s *Service) stale(now time.Time) int64 { return now.Add(-s.grace / 8).UnixMicro() }

// keepUsed makes sure that rows of one table that new entries name are there and stay.
func (s *Service) keepUsed(ctx context.Context, q db.Querier, used []piece, now time.Time) error {
	table := "content_body"
	if used[0].sort == usedBlob {
		table = "content_blob"
	}
	args := make([]any, len(used))
	for i, p := range used {
		args[i] = p.key()
	}
	var there, fresh int
	err := q.QueryRowContext(ctx, `SELECT count(*), count(CASE WHEN touched_at >= $1 THEN 1 END) FROM `+table+
		` WHERE hash IN (`+db.Placeholders(2, len(used))+`)`, append([]any{s.stale(now)}, args...)...).Scan(&there,
		&fresh)
	if err != nil {
		return fmt.Errorf("find content that is used: %w", err)
	}
	if there == len(used) && fresh < there {
		result, err := q.ExecContext(ctx, `UPDATE `+table+` SET touched_at = $1 WHERE touched_at < $2 AND hash IN (`+
			db.Placeholders(3, len(used))+`)`,
			append([]any{now.UnixMicro(), s.stale(now)}, args...)...)
		if err != nil {
			return fmt.Errorf("keep content that is used: %w", err)
		}
		changed, err := result.RowsAffected()
		if err != nil {
			return fmt.Errorf("keep content that is used: %w", err)
		}
		there = fresh + int(changed)
	}
	if there == len(used) {
		return nil
	}
	return s.refuseMissing(ctx, q, table, used)
}

// refuseMissing says which of some rows is not there.
func (s *Service) refuseMissing(ctx context.Context, q db.Querier, table string, used []piece) error {
	for _, p := range used {
		var one int
		err := q.QueryRowContext(ctx, `SELECT 1 FROM `+table+` WHERE hash = $1`, p.key()).Scan(&one)
		switch {
		case errors.Is(err, db.ErrNoRows) && p.sort == usedBlob:
			return errs.Invalidf("blob", "there is no file with the hash %s; upload it first", p.hash)
		case errors.Is(err, db.ErrNoRows):
			return errs.Invalidf("body", "there is no body with the hash %x; send the body itself", p.hash)
		case err != nil:
			return fmt.Errorf("find content that is used: %w", err)
		}
	}
	return errs.New(errs.Unavailable, "Content that the change uses was being removed; try again.")
}

// writeRows writes rows of one table, and refreshes those that are there and stale.
func (s *Service) writeRows(ctx context.Context, q db.Querier, rows []piece, now time.Time) error {
	var statement strings.Builder
	table, columns := "content_node", 3
	if rows[0].sort == newBody {
		table, columns = "content_body", 4
	}
	statement.WriteString(`INSERT INTO ` + table + ` (hash, touched_at, bytes`)
	if columns == 4 {
		statement.WriteString(`, size`)
	}
	statement.WriteString(`) VALUES `)
	args := make([]any, 0, columns*len(rows))
	for i, p := range rows {
		if i > 0 {
			statement.WriteString(`, `)
		}
		statement.WriteString(`(` + db.Placeholders(i*columns+1, columns) + `)`)
		args = append(args, []byte(p.hash), now.UnixMicro(), p.bytes)
		if columns == 4 {
			args = append(args, len(p.bytes))
		}
	}
	statement.WriteString(` ON CONFLICT (hash) DO NOTHING`)
	result, err := q.ExecContext(ctx, statement.String(), args...)
	if err != nil {
		return fmt.Errorf("write %d rows of %s: %w", len(rows), table, err)
	}
	if written, err := result.RowsAffected(); err != nil || written == int64(len(rows)) {
		return err
	}
	args = append(args[:0], now.UnixMicro(), s.stale(now))
	for _, p := range rows {
		args = append(args, []byte(p.hash))
	}
	if _, err := q.ExecContext(ctx, `UPDATE `+table+` SET touched_at = $1 WHERE touched_at < $2 AND hash IN (`+
		db.Placeholders(3, len(rows))+`)`, args...); err != nil {
		return fmt.Errorf("keep %d rows of %s: %w", len(rows), table, err)
	}
	return nil
}

// hashBody returns the hex hash under which a body is stored; "" for an empty one.
func hashBody(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
