package integration

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// WithBlocks is an integration that works on a space and brings blocks.
type WithBlocks struct {
	Integration id.Integration
	Name        string
	// Installation is that of the organization.
	Installation string
	// Icon is the picture of the integration, nil for none.
	Icon   *Image
	Blocks []Block
	// Claims says that its web frames are told what the site knows of a visitor.
	Claims bool
	// State identifies what its blocks depend on besides their own properties: its version, and what is configured.
	State string
}

// BlocksIn returns the integrations that work on a space and bring blocks, by their names. It checks no access: it is
// for showing the space.
func (s *Service) BlocksIn(ctx context.Context, spaceID id.Space) ([]WithBlocks, error) {
	found, err := s.bringing(ctx, spaceID, "i.blocks", "i.has_blocks")
	var list []WithBlocks
	for _, each := range found {
		one := WithBlocks{Integration: each.root.integrationID, Name: each.root.integration,
			Installation: each.root.id, State: each.state}
		if each.icon.Blob != "" {
			one.Icon = &each.icon
		}
		if err := json.Unmarshal([]byte(each.brings), &one.Blocks); err != nil {
			return nil, fmt.Errorf("decode blocks of %s: %w", each.root.integrationID, err)
		}
		var scopes []Scope
		if err := json.Unmarshal([]byte(each.scopes), &scopes); err != nil {
			return nil, fmt.Errorf("decode scopes of %s: %w", each.root.integrationID, err)
		}
		one.Claims = slices.Contains(scopes, ScopeClaims)
		list = append(list, one)
	}
	return list, err
}

// WithSources is an integration that works on a space and brings sources of content.
type WithSources struct {
	Name string
	// Title is for people.
	Title string
	// Installation is that of the organization.
	Installation string
	Sources      []ContentSource
	// State identifies what its pages depend on besides their own properties: its version, and what is configured.
	State string
}

// SourcesIn returns the integrations that work on a space and bring sources of content, by their names. It checks no
// access: it is for showing the space.
func (s *Service) SourcesIn(ctx context.Context, spaceID id.Space) ([]WithSources, error) {
	found, err := s.bringing(ctx, spaceID, "i.content_sources", "i.has_sources")
	var list []WithSources
	for _, each := range found {
		one := WithSources{Name: each.root.integration, Title: each.title, Installation: each.root.id,
			State: each.state}
		if err := json.Unmarshal([]byte(each.brings), &one.Sources); err != nil {
			return nil, fmt.Errorf("decode sources of %s: %w", each.root.integrationID, err)
		}
		list = append(list, one)
	}
	return list, err
}

// bringing is an installation that works on a space, with what its integration brings.
type bringing struct {
	root                 root
	below                row
	version              int64
	title, brings, state string
	scopes               string
	icon                 Image
}

// bringing returns the installations that work on a space, of integrations that bring something: column has it, and has
// says whether there is any.
func (s *Service) bringing(ctx context.Context, spaceID id.Space, column, has string) ([]bringing, error) {
	rows, err := db.All(ctx, s.deps.DB.Read(), "list what integrations bring to a space",
		func(row db.Scanner) (bringing, error) {
			var one bringing
			err := one.root.scan(row, &one.version, &one.title, &one.scopes, &one.brings, orEmpty(&one.icon.Blob),
				orEmpty(&one.icon.MediaType), orEmpty(&one.below.id), orEmpty(&one.below.sealed))
			return one, err
		}, `
		SELECT `+rootColumns+`, i.version, i.title, i.scopes, `+column+`, p.blob, p.media_type, c.id, c.configuration
		FROM `+rootTables+` LEFT JOIN integration_image p ON p.integration_id = i.id AND p.number = 0
			LEFT JOIN integration_installation c ON c.parent_id = n.id AND c.space_id = $1
		WHERE n.organization_id = (SELECT s.organization_id FROM space s WHERE s.id = $1)
			AND n.parent_id IS NULL AND i.published AND `+has+`
			AND (n.space_selection = 'all' OR c.id IS NOT NULL)
		ORDER BY i.name_key`, spaceID)
	if err != nil {
		return nil, err
	}
	var list []bringing
	for _, each := range rows {
		values, err := s.values(each.below)
		if err != nil {
			return nil, err
		}
		status, err := s.contentStatus(each.root, OnSpaces, values)
		if err != nil {
			return nil, fmt.Errorf("read installation %s: %w", each.root.id, err)
		}
		if status != Active {
			continue
		}
		// What is sealed is sealed anew with each change.
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", each.version, each.root.sealed, each.below.sealed))
		each.state = hex.EncodeToString(sum[:12])
		list = append(list, each)
	}
	return list, nil
}

// BlocksState identifies what an organization has of integrations that bring blocks: it changes with each version, each
// installation, and what is configured. It is one read by an index.
func (s *Service) BlocksState(ctx context.Context, organizationID id.Organization) (string, error) {
	return s.bringingState(ctx, `i.has_blocks`, `$1`, string(organizationID))
}

// SourcesState is BlocksState for integrations that bring sources of content.
func (s *Service) SourcesState(ctx context.Context, organizationID id.Organization) (string, error) {
	return s.bringingState(ctx, `i.has_sources`, `$1`, string(organizationID))
}

// BlocksStateOfSpace is BlocksState for the organization of a space.
func (s *Service) BlocksStateOfSpace(ctx context.Context, spaceID id.Space) (string, error) {
	return s.bringingState(ctx, `i.has_blocks`, `(SELECT s.organization_id FROM space s WHERE s.id = $1)`,
		string(spaceID))
}

func (s *Service) bringingState(ctx context.Context, has, organization, argument string) (string, error) {
	hash := sha256.New()
	states, err := db.All(ctx, s.deps.DB.Read(), "read what integrations bring", func(row db.Scanner) (string, error) {
		var installation string
		var version, updated int64
		var published bool
		err := row.Scan(&installation, &version, &updated, &published)
		return fmt.Sprintf("%s %d %d %t ", installation, version, updated, published), err
	}, `
		SELECT n.id, i.version, n.updated_at, i.published
		FROM integration_installation n JOIN integration i ON i.id = n.integration_id
		WHERE n.organization_id = `+organization+` AND `+has+`
		ORDER BY n.id`, argument)
	if err != nil || len(states) == 0 {
		return "", err
	}
	for _, each := range states {
		hash.Write([]byte(each))
	}
	return hex.EncodeToString(hash.Sum(nil)[:12]), nil
}
