package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// BranchKind says what a branch is for.
type BranchKind string

// Kinds of branches.
const (
	MainBranch    BranchKind = "main"
	ChangeRequest BranchKind = "change-request"
)

// Branch is a name for a revision that moves.
type Branch struct {
	ID    id.Branch
	Space id.Space
	Kind  BranchKind
	// Head is the id of the newest revision.
	Head id.Revision
	// Initial is the revision that the branch was made from.
	Initial id.Revision
	// Base is the newest revision that the branch and main have in common: a change request is outdated when it is
	// not main's head, and its own changes are those from Base to Head. On main it is Initial.
	Base      id.Revision
	CreatedAt time.Time
	// MovedAt is when the head moved last.
	MovedAt time.Time
	// Origin is what its content was last imported from; it is empty, with no time, when no import has said.
	Origin Origin
}

const branchColumns = `b.id, b.space_id, b.kind, b.head_revision_id, b.initial_revision_id, b.base_revision_id, b.created_at, b.moved_at, b.origin`

// branchTargets returns where to scan branchColumns to, and a function that completes the branch after the scan.
func branchTargets(b *Branch) (targets []any, finish func() error) {
	var created, moved int64
	var origin string
	return []any{&b.ID, &b.Space, &b.Kind, &b.Head, &b.Initial, &b.Base, &created, &moved, &origin}, func() error {
		b.CreatedAt, b.MovedAt = time.UnixMicro(created).UTC(), time.UnixMicro(moved).UTC()
		return decodeOrigin(origin, &b.Origin)
	}
}

// readBranch reads a branch and its head in one query; main when branchID is "".
func readBranch(ctx context.Context, q db.Querier, spaceID id.Space, branchID id.Branch) (Branch, Revision, error) {
	condition, args := `b.space_id = $1 AND b.kind = 'main'`, []any{spaceID}
	if branchID != "" {
		condition, args = `b.space_id = $1 AND b.id = $2`, []any{spaceID, branchID}
	}
	var b Branch
	targets, finish := branchTargets(&b)
	row := q.QueryRowContext(ctx, `SELECT `+revisionColumns+`, `+branchColumns+`
		FROM content_branch b JOIN content_revision r ON r.id = b.head_revision_id WHERE `+condition, args...)
	head, err := scanRevision(row, targets...)
	switch {
	case errors.Is(err, db.ErrNoRows) && branchID == "":
		return Branch{}, Revision{}, errs.NotFoundf("There is no content for a space %q.", spaceID)
	case errors.Is(err, db.ErrNoRows):
		return Branch{}, Revision{}, errs.NotFoundf("Space %q has no branch %q.", spaceID, branchID)
	case err != nil:
		return Branch{}, Revision{}, fmt.Errorf("read branch: %w", err)
	}
	if err := finish(); err != nil {
		return Branch{}, Revision{}, fmt.Errorf("read branch %s: %w", b.ID, err)
	}
	return b, head, nil
}

func insertBranch(ctx context.Context, q db.Querier, b Branch) error {
	origin := ""
	if !b.Origin.At.IsZero() {
		var err error
		if origin, err = encodeOrigin(b.Origin); err != nil {
			return err
		}
	}
	_, err := q.ExecContext(ctx, `INSERT INTO content_branch
		(id, space_id, kind, head_revision_id, initial_revision_id, base_revision_id, created_at, moved_at, origin)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		b.ID, b.Space, string(b.Kind), b.Head, b.Initial, b.Base, b.CreatedAt.UnixMicro(), b.MovedAt.UnixMicro(),
		origin)
	if db.IsUnique(err) {
		return errs.Wrap(err, errs.Conflict, "Space %q has its content already.", b.Space)
	}
	if err != nil {
		return fmt.Errorf("insert branch: %w", err)
	}
	return nil
}

// Branch returns a branch of a space, main when branchID is ""; an errs.NotFound error when there is none.
func (s *Service) Branch(ctx context.Context, spaceID id.Space, branchID id.Branch) (Branch, error) {
	b, _, err := readBranch(ctx, s.deps.DB.Read(), spaceID, branchID)
	return b, err
}

// Head returns a view of the head of a space's main branch.
func (s *Service) Head(ctx context.Context, spaceID id.Space) (*View, error) {
	return s.BranchHead(ctx, spaceID, "")
}

// BranchHead returns a view of the head of a branch, of main when branchID is "".
func (s *Service) BranchHead(ctx context.Context, spaceID id.Space, branchID id.Branch) (*View, error) {
	_, head, err := readBranch(ctx, s.deps.DB.Read(), spaceID, branchID)
	if err != nil {
		return nil, err
	}
	s.revisions.Set(string(head.ID), head)
	return s.viewOf(s.deps.DB.Read(), head), nil
}

// Heads returns the ids of the heads of main by space, in one query for up to 500 spaces. A space without content is
// absent.
func (s *Service) Heads(ctx context.Context, spaceIDs []id.Space) (map[id.Space]id.Revision, error) {
	moved, err := s.MovedHeads(ctx, spaceIDs)
	heads := make(map[id.Space]id.Revision, len(moved))
	for space, head := range moved {
		heads[space] = head.Revision
	}
	return heads, err
}

// MovedHead is the head of main with the moment since which it is.
type MovedHead struct {
	Revision id.Revision
	At       time.Time
}

// MovedHeads is Heads with the moments in which they became what they are: by a change, a merge, an import or a
// rollback.
func (s *Service) MovedHeads(ctx context.Context, spaceIDs []id.Space) (map[id.Space]MovedHead, error) {
	heads := make(map[id.Space]MovedHead, len(spaceIDs))
	for start := 0; start < len(spaceIDs); start += 500 {
		chunk := spaceIDs[start:min(start+500, len(spaceIDs))]
		args := make([]any, len(chunk))
		for i, space := range chunk {
			args[i] = space
		}
		if err := s.readHeads(ctx, heads, args); err != nil {
			return nil, fmt.Errorf("read heads: %w", err)
		}
	}
	return heads, nil
}

func (s *Service) readHeads(ctx context.Context, heads map[id.Space]MovedHead, spaces []any) error {
	return db.Each(ctx, s.deps.DB.Read(), "", func(row db.Scanner) error {
		var space id.Space
		var head MovedHead
		var moved int64
		if err := row.Scan(&space, &head.Revision, &moved); err != nil {
			return err
		}
		head.At = time.UnixMicro(moved).UTC()
		heads[space] = head
		return nil
	}, `SELECT space_id, head_revision_id, moved_at FROM content_branch
		WHERE kind = 'main' AND space_id IN (`+db.Placeholders(1, len(spaces))+`)`, spaces...)
}

// Init gives a new space its content: an empty revision and the main branch, in the caller's transaction.
func (s *Service) Init(ctx context.Context, q db.Querier, spaceID id.Space, userID id.User, nowMicros int64) error {
	return s.start(ctx, q, Revision{Space: spaceID, Author: userID, CreatedAt: time.UnixMicro(nowMicros).UTC()},
		Origin{})
}

// Duplicate gives a new space the content of any revision, in the caller's transaction. It copies nothing, so it costs
// the same for a space of any size. The new space has its own history, which begins there, and the origin of the branch
// that the revision was made on.
func (s *Service) Duplicate(ctx context.Context, q db.Querier, fromRevision id.Revision, toSpace id.Space,
	userID id.User, nowMicros int64) error {
	from, err := pinRevision(ctx, q, fromRevision)
	if err != nil {
		return err
	}
	branch, _, err := readBranch(ctx, q, from.Space, from.Branch)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return err
	}
	first := Revision{Space: toSpace, Author: userID, Root: from.Root, Paths: from.Paths,
		CreatedAt: time.UnixMicro(nowMicros).UTC()}
	return s.start(ctx, q, first, branch.Origin)
}

// start makes the first revision and the main branch of a space.
func (s *Service) start(ctx context.Context, q db.Querier, first Revision, origin Origin) error {
	first.ID, first.Branch = id.Revision(id.New("revision")), id.Branch(id.New("branch"))
	first.Type, first.Generation = TypeEdits, 1
	if err := insertRevision(ctx, q, first); err != nil {
		return err
	}
	branch := Branch{
		ID: first.Branch, Space: first.Space, Kind: MainBranch, Head: first.ID, Initial: first.ID, Base: first.ID,
		CreatedAt: first.CreatedAt, MovedAt: first.CreatedAt, Origin: origin,
	}
	if err := insertBranch(ctx, q, branch); err != nil {
		return err
	}
	return s.headMoved(ctx, q, HeadMoved{Branch: branch, After: s.viewOf(q, first)})
}

// CreateBranch makes a branch for a change request from a revision of main, in the caller's transaction. It copies
// nothing.
func (s *Service) CreateBranch(ctx context.Context, q db.Querier, spaceID id.Space, fromRevision id.Revision,
	nowMicros int64) (Branch, error) {
	// The branch's reference to its head keeps the revision from now on.
	from, err := readRevision(ctx, q, fromRevision)
	if err != nil {
		return Branch{}, err
	}
	if from.Space != spaceID {
		return Branch{}, errs.NotFoundf("Space %q has no revision %q.", spaceID, fromRevision)
	}
	var main id.Branch
	err = q.QueryRowContext(ctx, `SELECT id FROM content_branch WHERE space_id = $1 AND kind = 'main'`,
		spaceID).Scan(&main)
	if errors.Is(err, db.ErrNoRows) {
		return Branch{}, errs.NotFoundf("There is no content for a space %q.", spaceID)
	}
	if err != nil {
		return Branch{}, fmt.Errorf("read main branch: %w", err)
	}
	if from.Branch != main {
		return Branch{}, errs.New(errs.Invalid, "Revision %q was made in a change request; begin a change request "+
			"from a revision of the space's main content.", fromRevision)
	}
	at := time.UnixMicro(nowMicros).UTC()
	branch := Branch{
		ID: id.Branch(id.New("branch")), Space: spaceID, Kind: ChangeRequest, Head: from.ID, Initial: from.ID,
		Base:      from.ID,
		CreatedAt: at, MovedAt: at,
	}
	if err := insertBranch(ctx, q, branch); err != nil {
		return Branch{}, err
	}
	return branch, s.headMoved(ctx, q, HeadMoved{Branch: branch, After: s.viewOf(q, from)})
}

// pinRevision reads a revision in a transaction and keeps Collect from deleting it before the transaction ends: the
// update that changes nothing holds the row.
func pinRevision(ctx context.Context, q db.Querier, revisionID id.Revision) (Revision, error) {
	result, err := q.ExecContext(ctx, `UPDATE content_revision SET author = author WHERE id = $1`, revisionID)
	if err != nil {
		return Revision{}, fmt.Errorf("hold revision: %w", err)
	}
	if found, err := result.RowsAffected(); err != nil || found == 0 {
		if err == nil {
			err = errs.NotFoundf("There is no revision %q.", revisionID)
		}
		return Revision{}, err
	}
	return readRevision(ctx, q, revisionID)
}

// headMoved runs the functions of Hooks.OnHead.
func (s *Service) headMoved(ctx context.Context, q db.Querier, moved HeadMoved) error {
	for _, react := range s.hooks.Get().OnHead {
		if err := react(ctx, q, moved); err != nil {
			return err
		}
	}
	return nil
}

// DropSpace gives up the content of a space that is deleted for good, in the caller's transaction: its branches are
// gone at once, its revisions and all that only they reach when Collect next runs.
func (s *Service) DropSpace(ctx context.Context, q db.Querier, spaceID id.Space, nowMicros int64) error {
	if strings.TrimSpace(string(spaceID)) == "" {
		return errs.Invalidf("space", "is empty")
	}
	if _, err := q.ExecContext(ctx, `DELETE FROM content_branch WHERE space_id = $1`, spaceID); err != nil {
		return fmt.Errorf("delete branches: %w", err)
	}
	if _, err := q.ExecContext(ctx,
		`INSERT INTO content_dropped (space_id, dropped_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, spaceID,
		nowMicros); err != nil {
		return fmt.Errorf("mark space as dropped: %w", err)
	}
	return nil
}
