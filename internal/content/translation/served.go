package translation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Served says how a page of a variant stands to its source.
type Served struct {
	// Source is the space that it is a translation of; the page has the same id there.
	Source id.Space
	// Translated, Stale and Missing count the texts of the page as readers see it.
	Translated, Stale, Missing int
}

// ServedState identifies what Serve answers for all pages of some spaces: it is another text as soon as one of the
// answers may be another. It reads one row of an index for each space that is a variant.
func (s *Service) ServedState(ctx context.Context, spaceIDs []id.Space) (string, error) {
	if len(spaceIDs) == 0 {
		return "", nil
	}
	args := make([]any, len(spaceIDs))
	for i, spaceID := range spaceIDs {
		args[i] = spaceID
	}
	var state strings.Builder
	err := db.Each(ctx, s.deps.DB.Read(), "read state of translations", func(row db.Scanner) error {
		var languageID id.Language
		var shown int64
		if err := row.Scan(&languageID, &shown); err != nil {
			return err
		}
		fmt.Fprintf(&state, " %s %d", languageID, shown)
		return nil
	}, `SELECT id, shown FROM translation_language WHERE space_id IN (`+
		db.Placeholders(1, len(args))+`) ORDER BY id`, args...)
	return state.String(), err
}

// Serve returns how a page of a space stands to its source; false when the space is no variant or its source has no
// such page. It reads one row by its key.
func (s *Service) Serve(ctx context.Context, spaceID id.Space, pageID string) (Served, bool, error) {
	var found Served
	err := s.deps.DB.Read().QueryRowContext(ctx, `
		SELECT t.source_space_id, p.main_translated, p.main_stale, p.main_missing
		FROM translation_language l
		JOIN translation t ON t.id = l.translation_id
		JOIN translation_page p ON p.language_id = l.id AND p.entry_id = $2
		WHERE l.space_id = $1 AND t.source_space_id IS NOT NULL`, spaceID, pageID).
		Scan(&found.Source, &found.Translated, &found.Stale, &found.Missing)
	if errors.Is(err, db.ErrNoRows) {
		return Served{}, false, nil
	}
	if err != nil {
		return Served{}, false, fmt.Errorf("read translation of page: %w", err)
	}
	return found, true, nil
}
