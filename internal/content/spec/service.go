package spec

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Create adds a specification and has it processed. It needs the right to create content in the organization, and fails
// with errs.Conflict when the slug is taken.
func (s *Service) Create(ctx context.Context, caller account.Caller, organizationID id.Organization, slug string,
	source Source) (Spec, error) {
	made, _, err := s.put(ctx, caller, organizationID, slug, source, true)
	return made, err
}

// Upsert adds a specification under a slug, or gives the one that is there a source; the same one has it processed
// again. created says which it was.
func (s *Service) Upsert(ctx context.Context, caller account.Caller, organizationID id.Organization, slug string,
	source Source) (put Spec, created bool, err error) {
	return s.put(ctx, caller, organizationID, slug, source, false)
}

func (s *Service) put(ctx context.Context, caller account.Caller, organizationID id.Organization, slug string,
	source Source, create bool) (Spec, bool, error) {
	// Before the text is stored, so that nobody stores what they may not.
	if _, err := s.access.RequireOrganization(ctx, caller, organizationID, access.CreateContent); err != nil {
		return Spec{}, false, err
	}
	if err := checkSlug(slug); err != nil {
		return Spec{}, false, err
	}
	address, err := source.check()
	if err != nil {
		return Spec{}, false, err
	}
	wanted := Spec{Organization: organizationID, Slug: slug, SourceURL: address}
	if source.Text != nil {
		if wanted.sourceBlob, _, err = s.deps.Content.PutFile(ctx, strings.NewReader(*source.Text)); err != nil {
			return Spec{}, false, err
		}
	}
	var made Spec
	var created bool
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, err := access.RequireOrganization(ctx, q, caller, organizationID, access.CreateContent)
		if err != nil {
			return err
		}
		if made, created, err = s.store(ctx, q, wanted, create); err != nil {
			return err
		}
		made.permit(organization)
		_, err = s.deps.Jobs.Enqueue(ctx, q, processKind, processArgs{Spec: made.ID, Generation: made.generation})
		return err
	})
	if err != nil {
		return Spec{}, false, err
	}
	return made, created, nil
}

// store writes a new specification or gives the one with the slug a source.
func (s *Service) store(ctx context.Context, q db.Querier, wanted Spec, create bool) (Spec, bool, error) {
	now := s.deps.Now()
	wanted.ID, wanted.State, wanted.generation = id.New("spec"), Pending, 1
	wanted.CreatedAt, wanted.UpdatedAt = now, now
	added, err := insert(ctx, q, wanted, now.Add(abandonedAfter))
	if err != nil || added {
		return wanted, added, err
	}
	if create {
		return Spec{}, false, errs.Conflictf(
			"The organization has a specification %q already; change it with PUT, or choose another slug.", wanted.Slug)
	}
	if err := restart(ctx, q, wanted, now, now.Add(abandonedAfter)); err != nil {
		return Spec{}, false, err
	}
	there, err := bySlug(ctx, q, wanted.Organization, wanted.Slug)
	return there, false, err
}

func (s *Spec) permit(organization access.Organization) {
	s.Permissions = Permissions{View: true, Edit: organization.Permissions.CreateOpenAPISpec}
}

// Get returns a specification by its slug; errs.NotFound when there is none.
func (s *Service) Get(ctx context.Context, caller account.Caller, organizationID id.Organization,
	slug string) (Spec, error) {
	organization, err := s.access.RequireOrganization(ctx, caller, organizationID, access.ViewSpecs)
	if err != nil {
		return Spec{}, err
	}
	found, err := bySlug(ctx, s.deps.DB.Read(), organizationID, slug)
	if err != nil {
		return Spec{}, err
	}
	found.permit(organization)
	return found, nil
}

// Named is Get for the name that a reference in content has: the slug or the id.
func (s *Service) Named(ctx context.Context, caller account.Caller, organizationID id.Organization,
	name string) (Spec, error) {
	if !id.Valid("spec", name) {
		return s.Get(ctx, caller, organizationID, name)
	}
	found, err := byID(ctx, s.deps.DB.Read(), name)
	if err == nil && found.Organization != organizationID {
		err = noSpec(name)
	}
	if err != nil {
		return Spec{}, err
	}
	return s.Get(ctx, caller, organizationID, found.Slug)
}

// List returns a page of the specifications of an organization by slug, with their number.
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID id.Organization,
	page paging.Request) (specs paging.Page[Spec], err error) {
	organization, err := s.access.RequireOrganization(ctx, caller, organizationID, access.ViewSpecs)
	if err != nil {
		return paging.Page[Spec]{}, err
	}
	specs.Items, specs.Count, err = list(ctx, s.deps.DB.Read(), organizationID, page)
	if err != nil {
		return paging.Page[Spec]{}, err
	}
	for i := range specs.Items {
		specs.Items[i].permit(organization)
	}
	specs.Cut(page.Size(), func(s Spec) []string { return []string{s.Slug} })
	return specs, nil
}

// Delete removes a specification with all versions.
func (s *Service) Delete(ctx context.Context, caller account.Caller, organizationID id.Organization,
	slug string) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := access.RequireOrganization(ctx, q, caller, organizationID, access.ViewSpecs); err != nil {
			return err
		}
		found, err := bySlug(ctx, q, organizationID, slug)
		if err != nil {
			return err
		}
		if _, err := access.RequireOrganization(ctx, q, caller, organizationID, access.CreateContent); err != nil {
			return err
		}
		if err := remove(ctx, q, found.ID); err != nil {
			return err
		}
		return s.tellChanged(ctx, q, found)
	})
}

// Versions returns a page of the versions of a specification, the newest first, with their number.
func (s *Service) Versions(ctx context.Context, caller account.Caller, organizationID id.Organization, slug string,
	page paging.Request) (versions paging.Page[Version], err error) {
	found, err := s.Get(ctx, caller, organizationID, slug)
	if err != nil {
		return paging.Page[Version]{}, err
	}
	versions.Items, versions.Count, err = listVersions(ctx, s.deps.DB.Read(), found, page)
	if err != nil {
		return paging.Page[Version]{}, err
	}
	versions.Cut(page.Size(), func(v Version) []string {
		return []string{strconv.FormatInt(v.Number, 10)}
	})
	return versions, nil
}

// Version returns a version of a specification by its id.
func (s *Service) Version(ctx context.Context, caller account.Caller, organizationID id.Organization, slug,
	versionID string) (Version, error) {
	found, err := s.Get(ctx, caller, organizationID, slug)
	if err != nil {
		return Version{}, err
	}
	return version(ctx, s.deps.DB.Read(), found, versionID)
}

// Latest returns the latest version of a specification; errs.NotFound while there is none.
func (s *Service) Latest(ctx context.Context, caller account.Caller, organizationID id.Organization,
	slug string) (Version, error) {
	found, err := s.Get(ctx, caller, organizationID, slug)
	if err != nil {
		return Version{}, err
	}
	if found.LastVersion == "" {
		return Version{}, errs.NotFoundf("The specification %q has no version yet: %s.", slug, found.waitsFor())
	}
	return version(ctx, s.deps.DB.Read(), found, found.LastVersion)
}

// waitsFor says why there is no version.
func (s Spec) waitsFor() string {
	if s.Error == "" {
		return "its state is " + string(s.State)
	}
	return "processing it ended with " + string(s.Error) + "; change its source with PUT"
}

// Raw returns the document of a version as it was written.
func (s *Service) Raw(ctx context.Context, v Version) ([]byte, error) { return s.read(ctx, v.RawBlob) }

// Bundle returns the document of a version in OpenAPI 3.1 with all that it refers to, as oas.Document.Bundle writes it.
func (s *Service) Bundle(ctx context.Context, v Version) ([]byte, error) {
	return s.read(ctx, v.BundleBlob)
}

func (s *Service) read(ctx context.Context, hash string) ([]byte, error) {
	file, size, err := s.deps.Content.OpenFile(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("open document of specification: %w", err)
	}
	defer file.Close()
	var b bytes.Buffer
	b.Grow(int(size))
	if _, err := io.Copy(&b, file); err != nil {
		return nil, fmt.Errorf("read document of specification: %w", err)
	}
	return b.Bytes(), nil
}

// micros turns a time that may be zero into a column that may be NULL.
func micros(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	return new(t.UnixMicro())
}
