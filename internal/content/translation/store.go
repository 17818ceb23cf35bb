package translation

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/db"
)

const columns = `id, organization_id, title, source_space_id, source_language, instructions, glossary, on_sites, updated_by,
	runs, total_words, total_pages, total_duration, latest_words, latest_pages, latest_duration, created_at, updated_at`

func scan(row db.Scanner) (Translation, error) {
	var t Translation
	var (
		source    sql.Null[id.Space]
		updatedBy sql.Null[id.User]
	)
	var instructions, glossary string
	var created, updated int64
	err := row.Scan(&t.ID, &t.Organization, &t.Title, &source, &t.SourceLanguage, &instructions, &glossary, &t.OnSites,
		&updatedBy,
		&t.Stats.Runs, &t.Stats.TotalWords, &t.Stats.TotalPages, &t.Stats.TotalDuration,
		&t.Stats.LatestWords, &t.Stats.LatestPages, &t.Stats.LatestRunDuration, &created, &updated)
	if err != nil {
		return Translation{}, err
	}
	t.SourceSpace, t.updatedBy, t.Instructions = source.V, updatedBy.V, json.RawMessage(instructions)
	t.CreatedAt, t.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	if err := json.Unmarshal([]byte(glossary), &t.Glossary); err != nil {
		return Translation{}, fmt.Errorf("decode glossary: %w", err)
	}
	return t, nil
}

func insert(ctx context.Context, q db.Querier, t Translation) error {
	glossary, err := json.Marshal(t.Glossary)
	if err != nil {
		return fmt.Errorf("encode glossary: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		INSERT INTO translation (`+columns+
		`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, 0, 0, 0, 0, 0, $10, $10)`,
		t.ID, t.Organization, t.Title, db.NullText(t.SourceSpace), t.SourceLanguage, string(t.Instructions),
		string(glossary), t.OnSites,
		db.NullText(t.updatedBy), t.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert translation: %w", err)
	}
	return nil
}

func update(ctx context.Context, q db.Querier, t Translation) error {
	glossary, err := json.Marshal(t.Glossary)
	if err != nil {
		return fmt.Errorf("encode glossary: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		UPDATE translation SET title = $2, source_space_id = $3, source_language = $4, instructions = $5, glossary = $6,
		on_sites = $7,
			updated_by = $8, updated_at = $9 WHERE id = $1`,
		t.ID, t.Title, db.NullText(t.SourceSpace), t.SourceLanguage, string(t.Instructions), string(glossary),
		t.OnSites,
		db.NullText(t.updatedBy), t.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update translation: %w", err)
	}
	return nil
}

// addRun counts a run of machine translation.
func addRun(ctx context.Context, q db.Querier, translationID id.Translation, words, pages int,
	took time.Duration) error {
	_, err := q.ExecContext(ctx, `
		UPDATE translation SET runs = runs + 1, total_words = total_words + $2, total_pages = total_pages + $3,
			total_duration = total_duration + $4, latest_words = $2, latest_pages = $3, latest_duration = $4
			WHERE id = $1`,
		translationID, words, pages, took.Milliseconds())
	if err != nil {
		return fmt.Errorf("count run of translation: %w", err)
	}
	return nil
}

func byID(ctx context.Context, q db.Querier, translationID id.Translation) (Translation, error) {
	t, err := scan(q.QueryRowContext(ctx, `SELECT `+columns+` FROM translation WHERE id = $1`, translationID))
	if errors.Is(err, db.ErrNoRows) {
		return Translation{}, noTranslation()
	}
	if err != nil {
		return Translation{}, fmt.Errorf("read translation: %w", err)
	}
	t.Languages, err = languages(ctx, q, t.ID)
	return t, err
}

// translatedBy returns the translation that keeps a variant of a space in a language.
func translatedBy(ctx context.Context, q db.Querier, spaceID id.Space,
	code string) (t Translation, found bool, err error) {
	err = q.QueryRowContext(ctx, `
		SELECT t.id, t.title FROM translation t JOIN translation_language l ON l.translation_id = t.id
		WHERE t.source_space_id = $1 AND l.language = $2`, spaceID, code).Scan(&t.ID, &t.Title)
	if errors.Is(err, db.ErrNoRows) {
		return Translation{}, false, nil
	}
	if err != nil {
		return Translation{}, false, fmt.Errorf("find translation of space: %w", err)
	}
	return t, true, nil
}

// list returns up to one more than a page of the translations that a caller sees, and how many there are in all.
func list(ctx context.Context, q db.Querier, organization access.Organization,
	page paging.Request) ([]Translation, int, error) {
	args := db.Args{organization.ID}
	readable := access.ReadableSpaces(organization, &args)
	condition := `organization_id = $1 AND NOT EXISTS (
		SELECT 1 FROM space s WHERE s.id = translation.source_space_id AND s.organization_id = $1
				AND NOT (` + readable + `))`
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM translation WHERE `+condition,
		args...).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count translations: %w", err)
	}
	after := ""
	if len(page.After) == 1 {
		after = page.After[0]
	}
	found, err := db.All(ctx, q, "list translations", scan, fmt.Sprintf(`SELECT `+columns+` FROM translation WHERE `+
		condition+
		` AND id > $%d ORDER BY id LIMIT $%d`,
		len(args)+1, len(args)+2), append(args, after, page.Size()+1)...)
	if err != nil {
		return nil, 0, err
	}
	return found, count, nil
}

func remove(ctx context.Context, q db.Querier, translationID id.Translation) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM translation WHERE id = $1`, translationID); err != nil {
		return fmt.Errorf("delete translation: %w", err)
	}
	return nil
}
