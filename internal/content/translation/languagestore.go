package translation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

const languageColumns = `l.id, l.translation_id, l.language, l.space_id, l.state, l.error, l.generation, l.done_generation, l.progress_done, l.progress_total,
	l.change_request_id, l.main_source, l.work_source, l.work_target, l.shown, l.machine, l.machine_job, l.updated_at`

func scanLanguage(row db.Scanner) (Language, error) {
	var l Language
	var machine string
	var updated int64
	err := row.Scan(&l.ID, &l.Translation, &l.Code, &l.Space, &l.State, &l.Error, &l.generation, &l.done, &l.Done,
		&l.Total,
		&l.ChangeRequest, &l.mainSource, &l.Source, &l.Target, &l.shown, &machine, &l.Machine.job, &updated)
	if err != nil {
		return Language{}, err
	}
	l.UpdatedAt = time.UnixMicro(updated).UTC()
	if err := json.Unmarshal([]byte(machine), &l.Machine); err != nil {
		return Language{}, fmt.Errorf("decode run of machine translation: %w", err)
	}
	return l, nil
}

func insertLanguage(ctx context.Context, q db.Querier, l Language) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO translation_language (id, translation_id, language, space_id, state, error, generation,
		done_generation, progress_done,
			progress_total, change_request_id, main_source, work_source, work_target, shown, machine, machine_job,
			created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, '', $6, 0, 0, 0, '', $7, $8, '', 0, '{}', '', $9, $9)`,
		l.ID, l.Translation, l.Code, l.Space, string(l.State), l.generation, l.mainSource, l.Source,
		l.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert language of translation: %w", err)
	}
	return nil
}

// languages returns those of a translation in the order in which they came, with their counts.
func languages(ctx context.Context, q db.Querier, translationID id.Translation) ([]Language, error) {
	return db.All(ctx, q, "list languages of translation", scanLanguage, `SELECT `+languageColumns+
		` FROM translation_language l WHERE l.translation_id = $1 ORDER BY l.id`, translationID)
}

func languageByID(ctx context.Context, q db.Querier, languageID id.Language) (Language, error) {
	l, err := scanLanguage(q.QueryRowContext(ctx, `SELECT `+languageColumns+
		` FROM translation_language l WHERE l.id = $1`, languageID))
	if errors.Is(err, db.ErrNoRows) {
		return Language{}, errs.NotFoundf("The translation has no such language any more.")
	}
	if err != nil {
		return Language{}, fmt.Errorf("read language of translation: %w", err)
	}
	return l, nil
}

// languageOfSpace returns the language whose variant a space is.
func languageOfSpace(ctx context.Context, q db.Querier, spaceID id.Space) (Language, bool, error) {
	l, err := scanLanguage(q.QueryRowContext(ctx, `SELECT `+languageColumns+
		` FROM translation_language l WHERE l.space_id = $1`, spaceID))
	if errors.Is(err, db.ErrNoRows) {
		return Language{}, false, nil
	}
	if err != nil {
		return Language{}, false, fmt.Errorf("read language of space: %w", err)
	}
	return l, true, nil
}

// following returns the languages that a move of a space's content concerns: those that it is the source of, when its
// main content has moved, and the one whose variant it is.
func following(ctx context.Context, q db.Querier, spaceID id.Space, main bool) ([]Language, error) {
	query := `SELECT ` + languageColumns + ` FROM translation_language l WHERE l.space_id = $1`
	if main {
		query += ` UNION ALL SELECT ` + languageColumns +
			` FROM translation t JOIN translation_language l ON l.translation_id = t.id WHERE t.source_space_id = $1`
	}
	return db.All(ctx, q, "find translations of space", scanLanguage, query, spaceID)
}

func deleteLanguage(ctx context.Context, q db.Querier, languageID id.Language) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM translation_language WHERE id = $1`, languageID); err != nil {
		return fmt.Errorf("delete language of translation: %w", err)
	}
	return nil
}

// ask counts up the generation of a language: what follows the source has something to do.
func ask(ctx context.Context, q db.Querier, languageID id.Language) error {
	_, err := q.ExecContext(ctx, `UPDATE translation_language SET generation = generation + 1,
		state = CASE WHEN state = 'running' THEN 'running' ELSE 'pending' END WHERE id = $1`, languageID)
	if err != nil {
		return fmt.Errorf("ask a translation to follow: %w", err)
	}
	return nil
}

func setRunning(ctx context.Context, q db.Querier, languageID id.Language, done, total int) error {
	_, err := q.ExecContext(ctx,
		`UPDATE translation_language SET state = 'running', error = '', progress_done = $2, progress_total = $3
			WHERE id = $1`, languageID, done, total)
	if err != nil {
		return fmt.Errorf("write progress of translation: %w", err)
	}
	return nil
}

// setMet notes that the requests up to a generation are met.
func setMet(ctx context.Context, q db.Querier, languageID id.Language, generation int64) error {
	_, err := q.ExecContext(ctx, `UPDATE translation_language SET done_generation = $2, error = '',
		state = CASE WHEN generation <= $2 THEN 'completed' ELSE 'pending' END WHERE id = $1`, languageID, generation)
	if err != nil {
		return fmt.Errorf("end the following of a source: %w", err)
	}
	return nil
}

func setFailed(ctx context.Context, q db.Querier, languageID id.Language, reason string) error {
	_, err := q.ExecContext(ctx, `UPDATE translation_language SET state = 'failed', error = $2 WHERE id = $1`,
		languageID, reason)
	if err != nil {
		return fmt.Errorf("note the failure of a translation: %w", err)
	}
	return nil
}

// setPlace notes which revisions a variant stands at, unless somebody else has moved it meanwhile; then it reports
// false.
func setPlace(ctx context.Context, q db.Querier, before, after Language, now time.Time) (bool, error) {
	result, err := q.ExecContext(ctx, `
		UPDATE translation_language SET change_request_id = $2, main_source = $3, work_source = $4, work_target = $5,
		updated_at = $6
		WHERE id = $1 AND change_request_id = $7 AND main_source = $8 AND work_source = $9 AND work_target = $10`,
		before.ID, after.ChangeRequest, after.mainSource, after.Source, after.Target, now.UnixMicro(),
		before.ChangeRequest, before.mainSource, before.Source, before.Target)
	if err != nil {
		return false, fmt.Errorf("write place of translation: %w", err)
	}
	changed, err := result.RowsAffected()
	return changed > 0, err
}

// addShown notes that readers of the variant may see something else.
func addShown(ctx context.Context, q db.Querier, languageID id.Language) error {
	if _, err := q.ExecContext(ctx, `UPDATE translation_language SET shown = shown + 1 WHERE id = $1`,
		languageID); err != nil {
		return fmt.Errorf("note what a translation shows: %w", err)
	}
	return nil
}

func setMachine(ctx context.Context, q db.Querier, languageID id.Language, m Machine) error {
	encoded, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode run of machine translation: %w", err)
	}
	if _, err = q.ExecContext(ctx, `UPDATE translation_language SET machine = $2, machine_job = $3 WHERE id = $1`,
		languageID, string(encoded), m.job); err != nil {
		return fmt.Errorf("write run of machine translation: %w", err)
	}
	return nil
}

// countsOf adds up the pages of a language.
func countsOf(ctx context.Context, q db.Querier, languageID id.Language) (Counts, error) {
	var c Counts
	err := q.QueryRowContext(ctx, `
		SELECT count(*), COALESCE(SUM(translated), 0), COALESCE(SUM(stale), 0), COALESCE(SUM(missing), 0),
		COALESCE(SUM(machine), 0),
			COALESCE(SUM(words), 0), COALESCE(SUM(words_done), 0)
		FROM translation_page WHERE language_id = $1`, languageID).
		Scan(&c.Pages, &c.Translated, &c.Stale, &c.Missing, &c.Machine, &c.Words, &c.WordsTranslated)
	if err != nil {
		return Counts{}, fmt.Errorf("count texts of translation: %w", err)
	}
	return c, nil
}
