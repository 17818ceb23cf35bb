package spec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Blocks describes API blocks of a page, as render.Options.OpenAPI wants it.
type Blocks func(ctx context.Context, block doc.Type, data *doc.OpenAPIData) ([]*doc.Node, error)

// Files finds the file of a space that a block of a page names, and returns the hash of its bytes, "" for none.
type Files func(ctx context.Context, ref doc.Ref) (string, error)

// Models says where the readers of a page find a model of a specification, by the slug of that and the model's name.
type Models func(slug, name string) (doc.Ref, bool)

// What is described without a specification of the organization.
const (
	// maxLinked is how many addresses of others an organization's pages may name.
	maxLinked = 200
	// touchAfter is how exact used_at is, and forgetAfter how long an address is kept that no page asks for.
	touchAfter  = 24 * time.Hour
	forgetAfter = 30 * 24 * time.Hour
)

// Describe returns what describes the API blocks of one page: those of specifications from the specifications of an
// organization, those of files through files, which may be nil, and those of addresses from what was last fetched
// there. An address that nobody has asked for is fetched in the background, and State changes when it is there. What
// all blocks of the page may unfold is bounded together. Types have links to what models finds; it may be nil.
func (s *Service) Describe(organizationID id.Organization, files Files, models Models) Blocks {
	budget := oas.NewBudget()
	return func(ctx context.Context, block doc.Type, data *doc.OpenAPIData) ([]*doc.Node, error) {
		var description *oas.Document
		var err error
		switch ref := data.Ref; {
		case ref.Kind == doc.RefOpenAPI:
			description, err = s.Document(ctx, organizationID, ref.Spec)
		case ref.Kind == doc.RefURL && ref.IsExternal():
			description, err = s.linked(ctx, organizationID, ref.URL)
		case files != nil:
			var blob string
			if blob, err = files(ctx, ref); err == nil && blob != "" {
				description, err = s.inFile(ctx, blob)
			}
		}
		if err != nil || description == nil {
			return nil, err
		}
		budget.Model = nil
		if models != nil && data.Ref.Kind == doc.RefOpenAPI {
			budget.Model = func(name string) (doc.Ref, bool) { return models(data.Ref.Spec, name) }
		}
		return description.Expand(block, data, budget), nil
	}
}

// DescribeInSpace is Describe for the organization of a space.
func (s *Service) DescribeInSpace(ctx context.Context, spaceID id.Space, files Files) (Blocks, error) {
	organizationID, err := s.organizationOf(ctx, spaceID)
	if err != nil {
		return nil, err
	}
	return s.Describe(organizationID, files, nil), nil
}

// errNoDescription says that a file holds no description.
var errNoDescription = errors.New("the file holds no description of an API")

// inFile returns the description in a file, nil when it holds none. What it refers to has to be in it.
func (s *Service) inFile(ctx context.Context, blob string) (*oas.Document, error) {
	document, err := s.documents.Load(ctx, "file/"+blob, func(ctx context.Context) (*oas.Document, error) {
		file, size, err := s.deps.Content.OpenFile(ctx, blob)
		if err != nil {
			return nil, err
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
		if size > oas.MaxBytes {
			return nil, errNoDescription
		}
		source, err := s.read(ctx, blob)
		if err != nil {
			return nil, err
		}
		select {
		case s.parsing <- struct{}{}:
			defer func() { <-s.parsing }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		document, _, err := oas.Read(ctx, source, oas.Options{})
		if err == nil && document == nil {
			err = errNoDescription
		}
		return document, err
	})
	if errors.Is(err, errNoDescription) {
		return nil, nil
	}
	return document, err
}

// linked returns the description at an address, nil while there is none. A specification of the organization from that
// address is the one; otherwise the address is kept as one that nobody sees.
func (s *Service) linked(ctx context.Context, organizationID id.Organization, address string) (*oas.Document, error) {
	address, err := field.URL("src", address)
	if err != nil || fetch.CheckURL(address) != nil {
		return nil, nil // the block stays as it was written
	}
	slug, used, found, err := byAddress(ctx, s.deps.DB.Read(), organizationID, address)
	if err != nil {
		return nil, err
	}
	now := s.deps.Now()
	if !found || used != nil && now.Sub(*used) > touchAfter {
		// A page that is read does not fail because this could not be noted.
		if err := s.keep(ctx, organizationID, address, now); err != nil && ctx.Err() == nil {
			s.deps.Log.WarnContext(ctx, "keep the address of an API description", slog.Any("error", err))
		}
	}
	if !found {
		return nil, nil
	}
	return s.Document(ctx, organizationID, slug)
}

// keep notes that a page names an address, and has it fetched when it is new.
func (s *Service) keep(ctx context.Context, organizationID id.Organization, address string, now time.Time) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		result, err := q.ExecContext(ctx,
			`UPDATE openapi_spec SET used_at = $3 WHERE organization_id = $1 AND source_url = $2
				AND used_at IS NOT NULL`,
			organizationID, address, now.UnixMicro())
		if there, err := changed(result, err); err != nil || there {
			return err
		}
		var count int
		err = q.QueryRowContext(ctx,
			`SELECT count(*) FROM openapi_spec WHERE organization_id = $1 AND used_at IS NOT NULL`, organizationID).
			Scan(&count)
		if err != nil {
			return fmt.Errorf("count addresses of API descriptions: %w", err)
		}
		if count >= maxLinked {
			return nil
		}
		made := Spec{
			ID: id.New("spec"), Organization: organizationID, Slug: linkedSlug(address), SourceURL: address,
			State: Pending, generation: 1,
			CreatedAt: now, UpdatedAt: now,
		}
		added, err := insert(ctx, q, made, now.Add(abandonedAfter))
		if err != nil || !added {
			return err
		}
		if _, err := q.ExecContext(ctx, `UPDATE openapi_spec SET used_at = $2 WHERE id = $1`, made.ID,
			now.UnixMicro()); err != nil {
			return fmt.Errorf("note address of API description: %w", err)
		}
		_, err = s.deps.Jobs.Enqueue(ctx, q, processKind, processArgs{Spec: made.ID, Generation: made.generation})
		return err
	})
}

// linkedSlug is the slug of what is kept for an address: nobody can give it to a specification of theirs.
func linkedSlug(address string) string {
	sum := sha256.Sum256([]byte(address))
	return "~" + hex.EncodeToString(sum[:16])
}

// byAddress returns the id of the specification of an organization from an address, one with a version first, and when
// a page last used it if it is one that nobody has made.
func byAddress(ctx context.Context, q db.Querier, organizationID id.Organization,
	address string) (specID string, used *time.Time, found bool, err error) {
	var micros *int64
	err = q.QueryRowContext(ctx, `
		SELECT id, used_at FROM openapi_spec WHERE organization_id = $1 AND source_url = $2
		ORDER BY CASE WHEN last_version_id = '' THEN 1 ELSE 0 END, CASE WHEN used_at IS NULL THEN 0 ELSE 1 END, id
		LIMIT 1`, organizationID, address).Scan(&specID, &micros)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil, false, nil
	}
	if err != nil {
		return "", nil, false, fmt.Errorf("look for API description: %w", err)
	}
	if micros != nil {
		used = new(time.UnixMicro(*micros))
	}
	return specID, used, true, nil
}

// forget deletes addresses that no page has named for long.
func (s *Service) forget(ctx context.Context, now time.Time) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `DELETE FROM openapi_spec WHERE used_at IS NOT NULL AND used_at < $1`,
			now.Add(-forgetAfter).UnixMicro())
		if err != nil {
			return fmt.Errorf("forget addresses of API descriptions: %w", err)
		}
		return nil
	})
}
