package translation

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/platform/db"
)

const pageColumns = `entry_id, position, kind, title, source_key, target_key, translated, stale, missing, machine, words, words_done,
	main_key, main_translated, main_stale, main_missing`

const pageColumnCount = 17 // language_id with them

func scanPage(row db.Scanner) (Page, error) {
	var p Page
	err := row.Scan(&p.Entry, &p.position, &p.Kind, &p.Title, &p.sourceKey, &p.targetKey, &p.Translated, &p.Stale,
		&p.Missing, &p.Machine,
		&p.Words, &p.WordsTranslated, &p.mainKey, &p.MainTranslated, &p.MainStale, &p.MainMissing)
	return p, err
}

func queryPages(ctx context.Context, q db.Querier, query string, args ...any) ([]Page, error) {
	return db.All(ctx, q, "list pages of translation", scanPage, query, args...)
}

// allPages returns the pages of a language by entry.
func allPages(ctx context.Context, q db.Querier, languageID id.Language) (map[string]Page, error) {
	pages, err := queryPages(ctx, q, `SELECT `+pageColumns+` FROM translation_page WHERE language_id = $1`, languageID)
	byEntry := make(map[string]Page, len(pages))
	for _, p := range pages {
		byEntry[p.Entry] = p
	}
	return byEntry, err
}

// stateCondition limits pages to those with a text in a state.
func stateCondition(state segment.State) string {
	switch state {
	case segment.Translated:
		return ` AND translated > 0`
	case segment.Stale:
		return ` AND stale > 0`
	case segment.Missing:
		return ` AND missing > 0`
	}
	return ""
}

// listPages returns up to one more than a page of pages in the order of reading, and how many there are in all.
func listPages(ctx context.Context, q db.Querier, languageID id.Language, state segment.State,
	page paging.Request) ([]Page, int, error) {
	var count int
	condition := `language_id = $1` + stateCondition(state)
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM translation_page WHERE `+condition, languageID).
		Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count pages of translation: %w", err)
	}
	position, entry, err := placeOf(page)
	if err != nil {
		return nil, 0, err
	}
	pages, err := queryPages(ctx, q, `SELECT `+pageColumns+` FROM translation_page
		WHERE `+condition+
		` AND (position > $2 OR position = $2 AND entry_id > $3) ORDER BY position, entry_id LIMIT $4`,
		languageID, position, entry, page.Size()+1)
	return pages, count, err
}

func placeOf(page paging.Request) (position int64, entry string, err error) {
	if len(page.After) < 2 {
		return -1, "", nil
	}
	if position, err = strconv.ParseInt(page.After[0], 10, 64); err != nil {
		return 0, "", errs.Invalidf("page", "is not a cursor of this list")
	}
	return position, page.After[1], nil
}

// writeBatch is how many rows one statement writes.
const writeBatch = 50

// putPages writes pages in statements of bounded size, each in a transaction of its own.
func putPages(ctx context.Context, d *db.DB, languageID id.Language, pages []Page) error {
	for len(pages) > 0 {
		batch := pages[:min(len(pages), writeBatch)]
		pages = pages[len(batch):]
		var statement strings.Builder
		statement.WriteString(`INSERT INTO translation_page (language_id, ` + pageColumns + `) VALUES `)
		var args []any
		for i, p := range batch {
			if i > 0 {
				statement.WriteString(`, `)
			}
			statement.WriteString(`(` + db.Placeholders(i*pageColumnCount+1, pageColumnCount) + `)`)
			args = append(args, languageID, p.Entry, p.position, p.Kind, p.Title, p.sourceKey, p.targetKey,
				p.Translated, p.Stale, p.Missing, p.Machine,
				p.Words, p.WordsTranslated, p.mainKey, p.MainTranslated, p.MainStale, p.MainMissing)
		}
		statement.WriteString(
			` ON CONFLICT (language_id, entry_id) DO UPDATE SET position = excluded.position, kind = excluded.kind,
			title = excluded.title, source_key = excluded.source_key, target_key = excluded.target_key,
			translated = excluded.translated,
			stale = excluded.stale, missing = excluded.missing, machine = excluded.machine, words = excluded.words,
			words_done = excluded.words_done, main_key = excluded.main_key, main_translated = excluded.main_translated,
			main_stale = excluded.main_stale, main_missing = excluded.main_missing`)
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			_, err := q.ExecContext(ctx, statement.String(), args...)
			return err
		})
		if err != nil {
			return fmt.Errorf("write pages of translation: %w", err)
		}
	}
	return nil
}

func deletePages(ctx context.Context, d *db.DB, languageID id.Language, entries []string) error {
	for len(entries) > 0 {
		batch := entries[:min(len(entries), 500)]
		entries = entries[len(batch):]
		args := []any{languageID}
		for _, entry := range batch {
			args = append(args, entry)
		}
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			_, err := q.ExecContext(ctx, `DELETE FROM translation_page WHERE language_id = $1 AND entry_id IN (`+
				db.Placeholders(2, len(batch))+`)`, args...)
			return err
		})
		if err != nil {
			return fmt.Errorf("delete pages of translation: %w", err)
		}
	}
	return nil
}

// memoryOf reads what is known of a page's texts, the oldest first.
func memoryOf(ctx context.Context, q db.Querier, languageID id.Language, entryID string) (*segment.Memory, error) {
	known, err := db.All(ctx, q, "read memory of translation", func(r db.Scanner) (segment.Row, error) {
		var row segment.Row
		var content string
		if err := r.Scan(&row.Source, &row.Target, &row.Origin, &content); err != nil {
			return segment.Row{}, err
		}
		if err := json.Unmarshal([]byte(content), &row.Content); err != nil {
			return segment.Row{}, fmt.Errorf("decode memory of translation: %w", err)
		}
		return row, nil
	}, `SELECT source_hash, target_hash, origin, content FROM translation_memory
		WHERE language_id = $1 AND entry_id = $2 ORDER BY made_at, source_hash, target_hash`, languageID, entryID)
	return segment.NewMemory(known), err
}

// remembered is a row of the memory and the page that it belongs to.
type remembered struct {
	entry string
	row   segment.Row
}

// remember writes rows of the memory, each batch in a transaction of its own. Rows that belong to a commit that is then
// lost do no harm: a pair that nobody has brought together is never asked for.
func remember(ctx context.Context, d *db.DB, languageID id.Language, rows []remembered, now time.Time) error {
	const columns = 7
	for len(rows) > 0 {
		batch := rows[:min(len(rows), 2*writeBatch)]
		rows = rows[len(batch):]
		var statement strings.Builder
		statement.WriteString(
			`INSERT INTO translation_memory (language_id, entry_id, source_hash, target_hash, origin, content, made_at)
				VALUES `)
		var args []any
		for i, r := range batch {
			if i > 0 {
				statement.WriteString(`, `)
			}
			statement.WriteString(`(` + db.Placeholders(i*columns+1, columns) + `)`)
			content, err := json.Marshal(r.row.Content)
			if err != nil {
				return fmt.Errorf("encode memory of translation: %w", err)
			}
			args = append(args, languageID, r.entry, r.row.Source, r.row.Target, string(r.row.Origin), string(content),
				now.UnixMicro())
		}
		statement.WriteString(
			` ON CONFLICT (language_id, entry_id, source_hash, target_hash) DO UPDATE SET origin = excluded.origin,
				made_at = excluded.made_at`)
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			_, err := q.ExecContext(ctx, statement.String(), args...)
			return err
		})
		if err != nil {
			return fmt.Errorf("write memory of translation: %w", err)
		}
	}
	return nil
}

// countSegments returns the number of texts in a state, of all when it is "".
func countSegments(ctx context.Context, q db.Querier, languageID id.Language, state segment.State) (int, error) {
	what := `translated + stale + missing`
	switch state {
	case segment.Translated, segment.Stale, segment.Missing:
		what = string(state)
	}
	var count int
	if err := q.QueryRowContext(ctx, `SELECT COALESCE(SUM(`+what+`), 0) FROM translation_page WHERE language_id = $1`,
		languageID).Scan(&count); err != nil {
		return 0, fmt.Errorf("count texts of translation: %w", err)
	}
	return count, nil
}

// recount has the pages of entries looked at again.
func recount(ctx context.Context, q db.Querier, languageID id.Language, entries []string) error {
	for _, entry := range entries {
		if _, err := q.ExecContext(ctx,
			`UPDATE translation_page SET source_key = '', main_key = '' WHERE language_id = $1 AND entry_id = $2`,
			languageID, entry); err != nil {
			return fmt.Errorf("have page of translation counted again: %w", err)
		}
	}
	return nil
}
