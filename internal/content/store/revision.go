package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Types of revisions: how they came to be.
const (
	TypeEdits    = "edits"
	TypeMerge    = "merge"    // a change request was merged into main
	TypeRollback = "rollback" // main went back to the content of an earlier revision
	TypeUpdate   = "update"   // main was pulled into a change request
	TypeComputed = "computed" // computed pages were refreshed
)

// Revision is an immutable state of a space's content.
type Revision struct {
	ID    id.Revision
	Space id.Space
	// Branch is the branch it was made on. A branch that was made from it has it in its history all the same.
	Branch id.Branch
	// Parents are the revisions it came from: none for the first of a space, the former head first.
	Parents []id.Revision
	// Generation is 1 for the first revision of a space, else one more than the highest of its parents'.
	Generation int64
	// Type is one of the types above.
	Type string
	// Root is the trie of entries, Paths the path index. Equal content has equal roots.
	Root, Paths trie.Hash
	// Author is a user id. Message is what the author wrote about it, "" for nothing.
	Author  id.User
	Message string
	// MergedFrom is the branch that was merged; set on a TypeMerge only.
	MergedFrom id.Branch
	// Origin is the state of a Git repository that an import made the revision of, nil for all others.
	Origin    *git.Source
	CreatedAt time.Time
}

const revisionColumns = `r.id, r.space_id, r.branch_id, r.generation, r.parents, r.type, r.root, r.paths_root, r.author, r.message, r.merged_from, r.created_at, r.origin`

// scanRevisionOnly reads revisionColumns.
func scanRevisionOnly(row db.Scanner) (Revision, error) { return scanRevision(row) }

// scanRevision reads revisionColumns, and what extra columns follow them.
func scanRevision(row db.Scanner, extra ...any) (Revision, error) {
	var r Revision
	var parents string
	var root, paths []byte
	var mergedFrom *id.Branch
	var created int64
	var origin string
	targets := []any{&r.ID, &r.Space, &r.Branch, &r.Generation, &parents, &r.Type, &root, &paths, &r.Author, &r.Message,
		&mergedFrom, &created, &origin}
	if err := row.Scan(append(targets, extra...)...); err != nil {
		return Revision{}, err
	}
	if err := json.Unmarshal([]byte(parents), &r.Parents); err != nil {
		return Revision{}, fmt.Errorf("read parents of revision %s: %w", r.ID, err)
	}
	if len(root) != len(r.Root) || len(paths) != len(r.Paths) {
		return Revision{}, fmt.Errorf("read revision %s: a root has %d and %d bytes", r.ID, len(root), len(paths))
	}
	copy(r.Root[:], root)
	copy(r.Paths[:], paths)
	if mergedFrom != nil {
		r.MergedFrom = *mergedFrom
	}
	r.CreatedAt = time.UnixMicro(created).UTC()
	if err := decodeOrigin(origin, &r.Origin); err != nil {
		return Revision{}, fmt.Errorf("read revision %s: %w", r.ID, err)
	}
	return r, nil
}

func insertRevision(ctx context.Context, q db.Querier, r Revision) error {
	if r.Parents == nil {
		r.Parents = []id.Revision{}
	}
	parents, err := json.Marshal(r.Parents)
	if err != nil {
		return err
	}
	var mergedFrom *id.Branch
	if r.MergedFrom != "" {
		mergedFrom = &r.MergedFrom
	}
	origin := ""
	if r.Origin != nil {
		if origin, err = encodeOrigin(r.Origin); err != nil {
			return err
		}
	}
	_, err = q.ExecContext(ctx, `INSERT INTO content_revision
		(id, space_id, branch_id, generation, parents, type, root, paths_root, author, message, merged_from, created_at,
		origin)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		r.ID, r.Space, r.Branch, r.Generation, string(parents), r.Type, r.Root[:], r.Paths[:], r.Author, r.Message,
		mergedFrom, r.CreatedAt.UnixMicro(), origin)
	if err != nil {
		return fmt.Errorf("insert revision: %w", err)
	}
	return nil
}

// readRevision reads the row of a revision.
func readRevision(ctx context.Context, q db.Querier, id id.Revision) (Revision, error) {
	r, err := db.One(ctx, q, "read revision", scanRevisionOnly,
		`SELECT `+revisionColumns+` FROM content_revision r WHERE r.id = $1`, id)
	if errors.Is(err, db.ErrNoRows) {
		return Revision{}, errs.NotFoundf("There is no revision %q.", id)
	}
	return r, err
}

// Revision returns the row of a revision; an errs.NotFound error when there is none.
func (s *Service) Revision(ctx context.Context, revisionID id.Revision) (Revision, error) {
	if kept, ok := s.revisions.Get(string(revisionID)); ok {
		return kept, nil
	}
	if !id.Valid("revision", revisionID) {
		return Revision{}, errs.NotFoundf("There is no revision %.80q.", revisionID)
	}
	r, err := readRevision(ctx, s.deps.DB.Read(), revisionID)
	if err == nil {
		s.revisions.Set(string(revisionID), r)
	}
	return r, err
}

// View returns a view of any revision; an errs.NotFound error when there is none. Whether the caller may see its space
// is for the caller to know: compare Revision().Space.
func (s *Service) View(ctx context.Context, revisionID id.Revision) (*View, error) {
	r, err := s.Revision(ctx, revisionID)
	if err != nil {
		return nil, err
	}
	return s.viewOf(s.deps.DB.Read(), r), nil
}

func (s *Service) viewOf(q db.Querier, r Revision) *View {
	return &View{service: s, q: q, revision: r}
}

// History returns the revisions of a branch, newest first: those made on it, then, for a change request, none of main
// (its Initial revision is where it left main). count is the number of all of them. The key of a page is the
// generation.
func (s *Service) History(ctx context.Context, branchID id.Branch,
	request paging.Request) (items paging.Page[Revision], err error) {
	before := int64(1) << 62
	if len(request.After) > 0 {
		if before, err = strconv.ParseInt(request.After[0], 10, 64); err != nil {
			return paging.Page[Revision]{},
				errs.Invalidf("query.page", "is not a cursor of this list; start again without it")
		}
	}
	err = s.deps.DB.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		if err := q.QueryRowContext(ctx, `SELECT COUNT(*) FROM content_revision WHERE branch_id = $1`, branchID).
			Scan(&items.Count); err != nil {
			return err
		}
		items.Items, err = db.All(ctx, q, "", scanRevisionOnly, `SELECT `+revisionColumns+` FROM content_revision r
			WHERE r.branch_id = $1 AND r.generation < $2 ORDER BY r.generation DESC LIMIT $3`, branchID, before,
			request.Size()+1)
		return err
	})
	if err != nil {
		return paging.Page[Revision]{}, fmt.Errorf("list revisions: %w", err)
	}
	items.Cut(request.Size(), func(r Revision) []string {
		return []string{strconv.FormatInt(r.Generation, 10)}
	})
	return items, nil
}
