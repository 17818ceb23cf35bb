package print

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
)

const columns = `id, space_id, revision_id, page_id, only_page, title, subtitle, state, done, total, message, mendable, blob, size, sheets,
	expires_at, updated_at, made_from, audience, claims`

func find(ctx context.Context, q db.Querier, pdfID string) (PDF, error) {
	found, err := scan(q.QueryRowContext(ctx, `SELECT `+columns+` FROM print_pdf WHERE id = $1`, pdfID))
	if errors.Is(err, db.ErrNoRows) {
		return PDF{}, errs.NotFoundf("The PDF is gone. Ask for it again.")
	}
	if err != nil {
		return PDF{}, fmt.Errorf("read PDF: %w", err)
	}
	return found, nil
}

func scan(row db.Scanner) (PDF, error) {
	var p PDF
	var only, mendable int
	var state string
	var expires, updated int64
	err := row.Scan(&p.ID, &p.Space, &p.Revision, &p.Scope.Page, &only, &p.Title, &p.Subtitle, &state, &p.Done,
		&p.Total, &p.Message, &mendable,
		&p.blob, &p.Size, &p.Sheets, &expires, &updated, &p.madeFrom, &p.audience, &p.claims)
	p.Scope.Only, p.Mendable, p.State = only == 1, mendable == 1, State(state)
	p.ExpiresAt, p.updatedAt = time.UnixMicro(expires).UTC(), time.UnixMicro(updated).UTC()
	return p, err
}

func integer(b bool) int {
	if b {
		return 1
	}
	return 0
}

// take returns the PDF that is the same as the wanted one, which becomes it when there is none, and reports whether it
// has to be made: because it is new, has failed, or whoever made it is gone.
func take(ctx context.Context, q db.Querier, wanted PDF) (taken PDF, again bool, err error) {
	now, expires := wanted.updatedAt.UnixMicro(), wanted.ExpiresAt.UnixMicro()
	again, err = changed(q.ExecContext(ctx, `INSERT INTO print_pdf (`+columns+`) VALUES (`+db.Placeholders(1, 20)+`)
		ON CONFLICT (revision_id, made_from, page_id, only_page, title, subtitle, audience) DO NOTHING`,
		wanted.ID, wanted.Space, wanted.Revision, wanted.Scope.Page, integer(wanted.Scope.Only), wanted.Title,
		wanted.Subtitle, string(wanted.State),
		0, 0, "", 0, "", 0, 0, expires, now, wanted.madeFrom, wanted.audience, wanted.claims))
	if err != nil {
		return PDF{}, false, fmt.Errorf("insert PDF: %w", err)
	}
	if again {
		return wanted, true, nil
	}
	taken, err = scan(q.QueryRowContext(ctx, `UPDATE print_pdf SET expires_at = $1
		WHERE revision_id = $2 AND page_id = $3 AND only_page = $4 AND title = $5 AND subtitle = $6
			AND made_from = $7 AND audience = $8 RETURNING `+columns,
		expires, wanted.Revision, wanted.Scope.Page, integer(wanted.Scope.Only), wanted.Title, wanted.Subtitle,
		wanted.madeFrom, wanted.audience))
	if err != nil {
		return PDF{}, false, fmt.Errorf("keep PDF: %w", err)
	}
	again, err = changed(q.ExecContext(ctx,
		`UPDATE print_pdf SET state = 'pending', message = '', mendable = 0, done = 0, total = 0, updated_at = $1,
			claims = $4
		WHERE id = $2 AND (state = 'failed' OR state IN ('pending', 'running') AND updated_at < $3)`,
		now, taken.ID, wanted.updatedAt.Add(-staleAfter).UnixMicro(), wanted.claims))
	if again {
		taken.State, taken.Message, taken.Done, taken.Total = Pending, "", 0, 0
	}
	return taken, again, err
}

// begin makes a PDF a running one. It reports whether it is still to be made.
func begin(ctx context.Context, q db.Querier, pdfID string, now time.Time) (bool, error) {
	return changed(q.ExecContext(ctx,
		`UPDATE print_pdf SET state = 'running', updated_at = $1 WHERE id = $2 AND state IN ('pending', 'running')`,
		now.UnixMicro(), pdfID))
}

// touch says that a PDF still waits for its turn.
func touch(ctx context.Context, q db.Querier, pdfID string, now time.Time) error {
	_, err := q.ExecContext(ctx,
		`UPDATE print_pdf SET updated_at = $1 WHERE id = $2 AND state IN ('pending', 'running')`, now.UnixMicro(),
		pdfID)
	return err
}

func advance(ctx context.Context, q db.Querier, pdfID string, done, total int, now time.Time) error {
	_, err := q.ExecContext(ctx,
		`UPDATE print_pdf SET done = $1, total = $2, updated_at = $3 WHERE id = $4 AND state = 'running'`,
		done, total, now.UnixMicro(), pdfID)
	return err
}

// finish stores what a PDF became, and forgets for whom it was made.
func finish(ctx context.Context, q db.Querier, p PDF, now time.Time) error {
	_, err := q.ExecContext(ctx,
		`UPDATE print_pdf SET state = $1, message = $2, mendable = $3, blob = $4, size = $5, sheets = $6, done = $7,
			total = $8,
		updated_at = $9, claims = '' WHERE id = $10 AND state = 'running'`,
		string(p.State), p.Message, integer(p.Mendable), p.blob, p.Size, p.Sheets, p.Done, p.Total, now.UnixMicro(),
		p.ID)
	return err
}

// giveUp stores that a PDF could not be made, and forgets for whom it was.
func giveUp(ctx context.Context, q db.Querier, pdfID, message string, mendable bool, now time.Time) error {
	_, err := q.ExecContext(ctx,
		`UPDATE print_pdf SET state = 'failed', message = $2, mendable = $3, updated_at = $4, claims = ''
		WHERE id = $1 AND state IN ('pending', 'running')`, pdfID, message, integer(mendable), now.UnixMicro())
	return err
}

// expire deletes the PDFs whose time is over, except those being made. It returns how many.
func expire(ctx context.Context, q db.Querier, now time.Time) (int64, error) {
	result, err := q.ExecContext(ctx,
		`DELETE FROM print_pdf WHERE expires_at < $1 AND (state IN ('done', 'failed') OR updated_at < $2)`,
		now.UnixMicro(), now.Add(-staleAfter).UnixMicro())
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// BlobInUse reports whether a file is that of a PDF: content must not collect it.
func BlobInUse(ctx context.Context, q db.Querier, hash string) (bool, error) {
	var count int
	if err := q.QueryRowContext(ctx, `SELECT COUNT(*) FROM print_pdf WHERE blob = $1`, hash).Scan(&count); err != nil {
		return false, fmt.Errorf("look for PDFs of a file: %w", err)
	}
	return count > 0, nil
}

func changed(result interface{ RowsAffected() (int64, error) }, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	count, err := result.RowsAffected()
	return count > 0, err
}
