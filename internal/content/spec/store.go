package spec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/platform/db"
)

const columns = `id, organization_id, slug, source_url, source_blob, state, error_code, errors, last_version_id, generation,
	processed_at, created_at, updated_at`

// insert adds a specification, and reports false when its slug is taken.
func insert(ctx context.Context, q db.Querier, s Spec, due time.Time) (bool, error) {
	result, err := q.ExecContext(ctx, `
		INSERT INTO openapi_spec (id, organization_id, slug, source_url, source_blob, state, error_code, errors,
		last_version_id,
			generation, processed_at, due_at, changed_at, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, '', '[]', '', $7, NULL, $8, $9, $9, $9)
		ON CONFLICT (organization_id, slug) DO NOTHING`,
		s.ID, s.Organization, s.Slug, s.SourceURL, s.sourceBlob, string(s.State), s.generation, due.UnixMicro(),
		s.CreatedAt.UnixMicro())
	return changed(result, err)
}

func changed(result interface{ RowsAffected() (int64, error) }, err error) (bool, error) {
	if err != nil {
		return false, fmt.Errorf("write specification: %w", err)
	}
	count, err := result.RowsAffected()
	return count > 0, err
}

// restart gives a specification a source and makes it wait to be processed.
func restart(ctx context.Context, q db.Querier, s Spec, now, due time.Time) error {
	_, err := q.ExecContext(ctx, `
		UPDATE openapi_spec SET source_url = $3, source_blob = $4, state = 'pending', generation = generation + 1,
		due_at = $5, updated_at = $6
		WHERE organization_id = $1 AND slug = $2`,
		s.Organization, s.Slug, s.SourceURL, s.sourceBlob, due.UnixMicro(), now.UnixMicro())
	if err != nil {
		return fmt.Errorf("restart specification: %w", err)
	}
	return nil
}

func scan(row db.Scanner) (Spec, error) {
	var s Spec
	var state, code, problems string
	var processed *int64
	var created, updated int64
	err := row.Scan(&s.ID, &s.Organization, &s.Slug, &s.SourceURL, &s.sourceBlob, &state, &code, &problems,
		&s.LastVersion,
		&s.generation, &processed, &created, &updated)
	if err != nil {
		return Spec{}, err
	}
	s.State, s.Error = State(state), ErrorCode(code)
	s.CreatedAt, s.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	if processed != nil {
		s.ProcessedAt = time.UnixMicro(*processed).UTC()
	}
	if err := json.Unmarshal([]byte(problems), &s.Problems); err != nil {
		return Spec{}, fmt.Errorf("decode errors of specification: %w", err)
	}
	return s, nil
}

func bySlug(ctx context.Context, q db.Querier, organizationID id.Organization, slug string) (Spec, error) {
	if checkSlug(slug) != nil {
		return Spec{}, noSpec(slug)
	}
	s, err := scan(q.QueryRowContext(ctx,
		`SELECT `+columns+` FROM openapi_spec WHERE organization_id = $1 AND slug = $2`, organizationID, slug))
	return found(s, err, slug)
}

func byID(ctx context.Context, q db.Querier, specID string) (Spec, error) {
	s, err := scan(q.QueryRowContext(ctx, `SELECT `+columns+` FROM openapi_spec WHERE id = $1`, specID))
	return found(s, err, specID)
}

func found(s Spec, err error, name string) (Spec, error) {
	if errors.Is(err, db.ErrNoRows) {
		return Spec{}, noSpec(name)
	}
	if err != nil {
		return Spec{}, fmt.Errorf("read specification: %w", err)
	}
	return s, nil
}

func noSpec(name string) error {
	return errs.NotFoundf("There is no OpenAPI specification %.100q in this organization.", name)
}

// list returns up to one more than a page of specifications, and how many there are in all.
func list(ctx context.Context, q db.Querier, organizationID id.Organization, page paging.Request) ([]Spec, int, error) {
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM openapi_spec WHERE organization_id = $1 AND used_at IS NULL`,
		organizationID).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count specifications: %w", err)
	}
	after := ""
	if len(page.After) == 1 {
		after = page.After[0]
	}
	specs, err := db.All(ctx, q, "list specifications", scan, `SELECT `+columns+
		` FROM openapi_spec WHERE organization_id = $1 AND slug > $2 AND used_at IS NULL ORDER BY slug LIMIT $3`,
		organizationID, after, page.Size()+1)
	if err != nil {
		return nil, 0, err
	}
	return specs, count, nil
}

func remove(ctx context.Context, q db.Querier, specID string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM openapi_spec WHERE id = $1`, specID); err != nil {
		return fmt.Errorf("delete specification: %w", err)
	}
	return nil
}

// begin marks a specification as being processed. It reports false when there is nothing to do any more: it is gone, a
// newer request waits, or the work is done.
func begin(ctx context.Context, q db.Querier, specID string, generation int64, now time.Time) (bool, error) {
	return changed(q.ExecContext(ctx, `UPDATE openapi_spec SET state = 'progress', updated_at = $3
		WHERE id = $1 AND generation = $2 AND state IN ('pending', 'progress')`, specID, generation, now.UnixMicro()))
}

// finish writes what processing has found, unless a newer request came meanwhile.
func finish(ctx context.Context, q db.Querier, s Spec, now, due time.Time) (bool, error) {
	problems := s.Problems
	if problems == nil {
		problems = []Problem{}
	}
	encoded, err := json.Marshal(problems)
	if err != nil {
		return false, fmt.Errorf("encode errors of specification: %w", err)
	}
	return changed(q.ExecContext(ctx, `
		UPDATE openapi_spec SET state = 'complete', error_code = $3, errors = $4, processed_at = $5, due_at = $6,
		updated_at = $5
		WHERE id = $1 AND generation = $2 AND state = 'progress'`,
		s.ID, s.generation, string(s.Error), string(encoded), now.UnixMicro(), micros(due)))
}

// giveUp writes that processing a request has come to nothing, and when it is to be tried again.
func giveUp(ctx context.Context, q db.Querier, specID string, generation int64, problem Problem,
	now, due time.Time) error {
	encoded, err := json.Marshal([]Problem{problem})
	if err != nil {
		return fmt.Errorf("encode errors of specification: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		UPDATE openapi_spec SET state = 'complete', error_code = $3, errors = $4, processed_at = $5, due_at = $6,
		updated_at = $5
		WHERE id = $1 AND generation = $2 AND state IN ('pending', 'progress')`,
		specID, generation, string(ParseError), string(encoded), now.UnixMicro(), due.UnixMicro())
	if err != nil {
		return fmt.Errorf("give up specification: %w", err)
	}
	return nil
}

// due returns specifications that are to be processed again, those that wait longest first.
func due(ctx context.Context, q db.Querier, now time.Time, limit int) ([]Spec, error) {
	return db.All(ctx, q, "find specifications to refresh", scan,
		`SELECT `+columns+` FROM openapi_spec WHERE due_at IS NOT NULL AND due_at <= $1 ORDER BY due_at LIMIT $2`,
		now.UnixMicro(), limit)
}

// again makes a specification wait to be processed with the source that it has, if nobody else has done so.
func again(ctx context.Context, q db.Querier, s Spec, now, due time.Time) (bool, error) {
	return changed(q.ExecContext(ctx, `
		UPDATE openapi_spec SET state = 'pending', generation = generation + 1, due_at = $3, updated_at = $4
		WHERE id = $1 AND generation = $2 AND due_at <= $4`, s.ID, s.generation, due.UnixMicro(), now.UnixMicro()))
}

const versionColumns = `v.id, v.spec_id, s.slug, v.number, v.format, v.address, v.raw_blob, v.raw_size, v.bundle_blob, v.created_at`

func scanVersion(row db.Scanner) (Version, error) {
	var v Version
	var format string
	var created int64
	if err := row.Scan(&v.ID, &v.Spec, &v.Slug, &v.Number, &format, &v.address, &v.RawBlob, &v.RawSize, &v.BundleBlob,
		&created); err != nil {
		return Version{}, err
	}
	v.Format, v.CreatedAt = oas.Format(format), time.UnixMicro(created).UTC()
	return v, nil
}

func version(ctx context.Context, q db.Querier, s Spec, versionID string) (Version, error) {
	v, err := scanVersion(q.QueryRowContext(ctx, `
		SELECT `+versionColumns+` FROM openapi_spec_version v JOIN openapi_spec s ON s.id = v.spec_id
		WHERE v.id = $1 AND v.spec_id = $2`, versionID, s.ID))
	if errors.Is(err, db.ErrNoRows) {
		return Version{}, errs.NotFoundf(
			"The specification %q has no version %.80q. List its versions to see their ids.", s.Slug, versionID)
	}
	if err != nil {
		return Version{}, fmt.Errorf("read version of specification: %w", err)
	}
	return v, nil
}

// listVersions returns up to one more than a page of versions, the newest first, and how many there are in all.
func listVersions(ctx context.Context, q db.Querier, s Spec, page paging.Request) ([]Version, int, error) {
	before := int64(math.MaxInt64)
	if len(page.After) == 1 {
		var err error
		if before, err = strconv.ParseInt(page.After[0], 10, 64); err != nil {
			return nil, 0, fmt.Errorf("read page of versions: %w", err)
		}
	}
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM openapi_spec_version WHERE spec_id = $1`,
		s.ID).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count versions of specification: %w", err)
	}
	versions, err := db.All(ctx, q, "list versions of specification", scanVersion, `
		SELECT `+versionColumns+` FROM openapi_spec_version v JOIN openapi_spec s ON s.id = v.spec_id
		WHERE v.spec_id = $1 AND v.number < $2 ORDER BY v.number DESC LIMIT $3`, s.ID, before, page.Size()+1)
	if err != nil {
		return nil, 0, err
	}
	return versions, count, nil
}

// addVersion stores a version and makes it the latest one of its specification.
func addVersion(ctx context.Context, q db.Querier, v Version) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO openapi_spec_version (id, spec_id, number, format, address, raw_blob, raw_size, bundle_blob,
		created_at)
		VALUES ($1, $2, (SELECT COALESCE(MAX(number), 0) + 1 FROM openapi_spec_version WHERE spec_id = $2), $3, $4, $5,
		$6, $7, $8)`,
		v.ID, v.Spec, string(v.Format), v.address, v.RawBlob, v.RawSize, v.BundleBlob, v.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert version of specification: %w", err)
	}
	_, err = q.ExecContext(ctx, `UPDATE openapi_spec SET last_version_id = $2, changed_at = $3 WHERE id = $1`, v.Spec,
		v.ID, v.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("set latest version of specification: %w", err)
	}
	return nil
}

// BlobInUse reports whether a specification or one of its versions needs the bytes with a hash: content must not
// collect them.
func BlobInUse(ctx context.Context, q db.Querier, hash string) (bool, error) {
	var used bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM openapi_spec WHERE source_blob = $1)
			OR EXISTS (SELECT 1 FROM openapi_spec_version WHERE raw_blob = $1)
			OR EXISTS (SELECT 1 FROM openapi_spec_version WHERE bundle_blob = $1)`, hash).Scan(&used)
	if err != nil {
		return false, fmt.Errorf("look for specifications of a file: %w", err)
	}
	return used, nil
}
