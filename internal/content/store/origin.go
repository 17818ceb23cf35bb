package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Origin says which repository the content of a branch was last imported from. Source is empty when that import came
// from none.
type Origin struct {
	Source git.Source `json:"source,omitzero"`
	// At is when it was imported.
	At time.Time `json:"at"`
}

// encodeOrigin is how an origin of a revision or branch is stored.
func encodeOrigin(origin any) (string, error) {
	encoded, err := json.Marshal(origin)
	if err != nil {
		return "", fmt.Errorf("encode origin: %w", err)
	}
	return string(encoded), nil
}

// decodeOrigin reads what encodeOrigin wrote; it leaves the target alone when there is nothing.
func decodeOrigin(encoded string, into any) error {
	if encoded == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(encoded), into); err != nil {
		return fmt.Errorf("decode origin: %w", err)
	}
	return nil
}

// SetOrigin notes, in the caller's transaction, what the content of a branch of a space was imported from; main when
// branchID is "". An empty source says that it came from no repository. The content itself is not touched.
func (s *Service) SetOrigin(ctx context.Context, q db.Querier, spaceID id.Space, branchID id.Branch,
	source git.Source) error {
	encoded, err := encodeOrigin(Origin{Source: source, At: s.now().UTC().Truncate(time.Microsecond)})
	if err != nil {
		return err
	}
	condition, args := `space_id = $2 AND kind = 'main'`, []any{encoded, spaceID}
	if branchID != "" {
		condition, args = `space_id = $2 AND id = $3`, []any{encoded, spaceID, branchID}
	}
	result, err := q.ExecContext(ctx, `UPDATE content_branch SET origin = $1 WHERE `+condition, args...)
	if err != nil {
		return fmt.Errorf("set origin: %w", err)
	}
	changed, err := result.RowsAffected()
	if err == nil && changed == 0 {
		err = errs.NotFoundf("There is no content for a space %q.", spaceID)
	}
	return err
}

// Origin returns what the content of a branch was last imported from, main's when branchID is ""; the empty Origin when
// nothing has said so yet. It reads in the caller's transaction.
func (s *Service) Origin(ctx context.Context, q db.Querier, spaceID id.Space, branchID id.Branch) (Origin, error) {
	b, _, err := readBranch(ctx, q, spaceID, branchID)
	return b.Origin, err
}

// Origins returns what the main content of spaces was imported from, by space, in one query for up to 500 spaces. A
// space that came from no repository is absent.
func (s *Service) Origins(ctx context.Context, spaceIDs []id.Space) (map[id.Space]Origin, error) {
	origins := map[id.Space]Origin{}
	for start := 0; start < len(spaceIDs); start += 500 {
		chunk := spaceIDs[start:min(start+500, len(spaceIDs))]
		args := make([]any, len(chunk))
		for i, space := range chunk {
			args[i] = space
		}
		if err := s.readOrigins(ctx, origins, args); err != nil {
			return nil, fmt.Errorf("read origins: %w", err)
		}
	}
	return origins, nil
}

func (s *Service) readOrigins(ctx context.Context, origins map[id.Space]Origin, spaces []any) error {
	return db.Each(ctx, s.deps.DB.Read(), "", func(row db.Scanner) error {
		var (
			space   id.Space
			encoded string
		)
		if err := row.Scan(&space, &encoded); err != nil {
			return err
		}
		var origin Origin
		if err := decodeOrigin(encoded, &origin); err != nil {
			return err
		}
		if origin.Source.Repository != "" {
			origins[space] = origin
		}
		return nil
	}, `SELECT space_id, origin FROM content_branch
		WHERE kind = 'main' AND origin <> '' AND space_id IN (`+db.Placeholders(1, len(spaces))+`)`, spaces...)
}

// copyOrigin gives main the origin of a change request that is merged into it, unless main was imported later.
func copyOrigin(ctx context.Context, q db.Querier, spaceID id.Space, branchID id.Branch) error {
	proposed, _, err := readBranch(ctx, q, spaceID, branchID)
	if err != nil || proposed.Origin.At.IsZero() {
		return err
	}
	main, _, err := readBranch(ctx, q, spaceID, "")
	if err != nil || !proposed.Origin.At.After(main.Origin.At) {
		return err
	}
	encoded, err := encodeOrigin(proposed.Origin)
	if err != nil {
		return err
	}
	if _, err := q.ExecContext(ctx, `UPDATE content_branch SET origin = $1 WHERE id = $2`, encoded,
		main.ID); err != nil {
		return fmt.Errorf("carry origin: %w", err)
	}
	return nil
}
