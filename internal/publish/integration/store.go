package integration

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// columns need the tables integration (i), organization (o) and the caller's membership in the owner (own), and the id
// of the caller as $1 and the caller's Reach as $2: what they came in with may not open all organizations of theirs.
var columns = `i.id, i.name, i.version, i.runtime, i.title, i.description, i.summary, i.visibility, i.target, i.scopes, i.categories,
	i.blocks, i.content_sources, i.configurations, i.external_links, i.policy, i.published,
	i.tunnel_url, i.tunnel_all, i.created_at, i.updated_at,
	o.id, o.title, o.hostname, o.type, o.plan, o.created_at, own.role,
	EXISTS (SELECT 1 FROM installation v WHERE v.organization_id = i.organization_id),
	EXISTS (SELECT 1 FROM organization_member a WHERE a.user_id = $1 AND ` + account.ReachCondition("a.organization_id",
	"$2") + ` AND a.role = 'admin'
		AND (i.visibility <> 'private' OR a.organization_id = i.organization_id))`

var tables = `integration i
	JOIN organization o ON o.id = i.organization_id
	LEFT JOIN organization_member own ON own.organization_id = i.organization_id AND own.user_id = $1
		AND ` + account.ReachCondition("own.organization_id", "$2")

func scan(row db.Scanner) (Integration, error) {
	var i Integration
	var scopes, categories, blocks, sources, configurations, links string
	var created, updated, ownerCreated int64
	var role sql.Null[string]
	err := row.Scan(&i.ID, &i.Name, &i.Version, &i.Runtime, &i.Title, &i.Description, &i.Summary, &i.Visibility,
		&i.Target, &scopes, &categories,
		&blocks, &sources, &configurations, &links, &i.Policy, &i.published, &i.tunnel.URL, &i.tunnel.All, &created,
		&updated,
		&i.Owner.ID, &i.Owner.Title, &i.Owner.Hostname, &i.Owner.Type, &i.Owner.Plan, &ownerCreated, &role,
		&i.Verified, &i.Permissions.Install)
	if err != nil {
		return Integration{}, err
	}
	i.CreatedAt, i.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	i.Owner.CreatedAt = time.UnixMicro(ownerCreated).UTC()
	i.ownerHas = org.Role(role.V).AtLeast(org.RoleRead)
	i.Permissions.Admin = org.Role(role.V).AtLeast(org.RoleAdmin)
	if i.Permissions.Admin && i.tunnel.URL != "" {
		i.Development = &i.tunnel
	}
	for text, into := range map[*string]any{
		&scopes: &i.Scopes, &categories: &i.Categories, &blocks: &i.Blocks, &sources: &i.ContentSources,
		&configurations: &i.Configurations, &links: &i.ExternalLinks,
	} {
		if err := json.Unmarshal([]byte(*text), into); err != nil {
			return Integration{}, fmt.Errorf("decode integration %s: %w", i.ID, err)
		}
	}
	return i, nil
}

func noIntegration(name string) error {
	return errs.NotFoundf("There is no integration %.100q, or you may not see it.", name)
}

// byName returns an integration that the caller may see, with its pictures.
func byName(ctx context.Context, q db.Querier, caller account.Caller, name string) (Integration, error) {
	if checkName(name) != nil {
		return Integration{}, noIntegration(name)
	}
	found, err := scan(q.QueryRowContext(ctx, `SELECT `+columns+` FROM `+tables+` WHERE i.name_key = $3`,
		caller.User.ID, caller.Reach(), nameKey(name)))
	if errors.Is(err, db.ErrNoRows) {
		return Integration{}, noIntegration(name)
	}
	if err != nil {
		return Integration{}, fmt.Errorf("read integration: %w", err)
	}
	if !found.published || caller.IsAgent() && caller.Agent.Integration != found.ID {
		return Integration{}, noIntegration(name)
	}
	if !caller.IsAgent() && found.Visibility == Private && !found.ownerHas {
		installed, err := installedByCaller(ctx, q, caller, found.ID)
		if err != nil {
			return Integration{}, err
		}
		if !installed {
			return Integration{}, noIntegration(name)
		}
	}
	withImages := []Integration{found}
	err = addImages(ctx, q, withImages)
	return withImages[0], err
}

// installedByCaller reports whether an organization of the caller, in which they are no guest, has installed it.
func installedByCaller(ctx context.Context, q db.Querier, caller account.Caller,
	integrationID id.Integration) (bool, error) {
	var is bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM organization_member m
			JOIN integration_installation n ON n.organization_id = m.organization_id AND n.parent_id IS NULL
			WHERE m.user_id = $1 AND `+account.ReachCondition("m.organization_id", "$2")+
		` AND m.role IS NOT NULL AND n.integration_id = $3)`,
		caller.User.ID, caller.Reach(), integrationID).Scan(&is)
	if err != nil {
		return false, fmt.Errorf("look for installations of the caller: %w", err)
	}
	return is, nil
}

// addImages reads the pictures of integrations.
func addImages(ctx context.Context, q db.Querier, integrations []Integration) error {
	if len(integrations) == 0 {
		return nil
	}
	args, at := make([]any, len(integrations)), map[id.Integration]*Integration{}
	for n := range integrations {
		args[n], at[integrations[n].ID] = integrations[n].ID, &integrations[n]
	}
	return db.Each(ctx, q, "list pictures of integrations", func(row db.Scanner) error {
		var integrationID id.Integration
		var one Image
		if err := row.Scan(&integrationID, &one.number, &one.Blob, &one.MediaType); err != nil {
			return err
		}
		i := at[integrationID]
		if one.number == 0 {
			i.Icon = &one
		} else {
			i.Previews = append(i.Previews, one)
		}
		return nil
	}, `
		SELECT integration_id, number, blob, media_type FROM integration_image
		WHERE integration_id IN (`+db.Placeholders(1, len(args))+`) ORDER BY integration_id, number`, args...)
}

// condition returns the SQL condition of a filter; $1 is the caller, $2 their Reach.
func (f Filter) condition(caller account.Caller) (string, db.Args) {
	conditions, args := []string{`i.published`}, db.Args{caller.User.ID, caller.Reach()}
	add := func(condition string) { conditions = append(conditions, condition) }
	switch {
	case f.within.organization != "":
		add(f.within.condition(&args))
	case f.visible != "":
		add(`(i.visibility = 'public' OR i.organization_id = ` + args.Add(f.visible) + `)`)
	case !f.onlyOwn:
		add(`i.visibility = 'public'`)
	}
	if f.Owner != "" {
		add(`i.organization_id = ` + args.Add(f.Owner))
	}
	if f.Search != "" {
		add(`i.search_key LIKE ` + args.Add(db.LikePattern(strings.ToLower(f.Search))) + ` ESCAPE '!'`)
	}
	if f.Target != "" {
		add(`i.target = ` + args.Add(string(f.Target)))
	}
	if f.fits == TargetSpace || f.fits == TargetSite {
		add(`i.target IN ('all', ` + args.Add(string(f.fits)) + `)`)
	}
	if has, ok := f.Blocks.Get(); ok {
		add(`i.has_blocks = ` + args.Add(has))
	}
	if has, ok := f.ContentSources.Get(); ok {
		add(`i.has_sources = ` + args.Add(has))
	}
	for _, label := range [][2]string{{"category", string(f.Category)}, {"scope", string(f.Scope)},
		{"domain", strings.ToLower(f.BlockDomain)}} {
		if label[1] != "" {
			add(`i.id IN (SELECT l.integration_id FROM integration_label l WHERE l.kind = ` + args.Add(label[0]) +
				` AND l.value = ` + args.Add(label[1]) + `)`)
		}
	}
	return strings.Join(conditions, " AND "), args
}

// condition asks for integrations that are installed at a place. One that has become private to another organization
// does not work any more, but the organization still sees that it has installed it.
func (p place) condition(args *db.Args) string {
	installed := `SELECT n.integration_id FROM integration_installation n WHERE n.organization_id = ` +
		args.Add(p.organization) + ` AND n.parent_id IS NULL`
	for _, content := range []struct {
		kind Kind
		id   string
	}{{OnSpaces, string(p.space)}, {OnSites, string(p.site)}} {
		if content.id != "" {
			kind := string(content.kind)
			return `i.id IN (` + installed + ` AND (n.` + kind + `_selection = 'all' OR EXISTS (
				SELECT 1 FROM integration_installation c WHERE c.parent_id = n.id AND c.` + kind + `_id = ` +
				args.Add(content.id) + `)))
				AND (i.visibility <> 'private' OR i.organization_id = ` + args.Add(p.organization) +
				`) AND i.target IN ('all', '` + kind + `')`
		}
	}
	return `i.id IN (` + installed + `)`
}

// maxSearch is the most characters of a search; what is longer is found nowhere.
const maxSearch = 200

// list returns a page of integrations by name.
func list(ctx context.Context, q db.Querier, caller account.Caller, filter Filter,
	page paging.Request) (paging.Page[Integration], error) {
	if len(filter.Search) > maxSearch || !field.Storable(filter.Search) || !field.Storable(string(filter.Owner)) {
		return paging.Page[Integration]{}, nil
	}
	condition, args := filter.condition(caller)
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM `+tables+` WHERE `+condition,
		args...).Scan(&count); err != nil {
		return paging.Page[Integration]{}, fmt.Errorf("count integrations: %w", err)
	}
	after := ""
	if len(page.After) == 1 {
		after = page.After[0]
	}
	query := `SELECT ` + columns + ` FROM ` + tables + ` WHERE ` + condition + ` AND i.name_key > ` + args.Add(after) +
		` ORDER BY i.name_key LIMIT ` + args.Add(page.Size()+1)
	found, err := db.All(ctx, q, "list integrations", scan, query, args...)
	if err != nil {
		return paging.Page[Integration]{}, err
	}
	list := paging.Page[Integration]{Items: found, Count: count}
	list.Cut(page.Size(), func(i Integration) []string { return []string{nameKey(i.Name)} })
	return list, addImages(ctx, q, list.Items)
}

// keptName returns what is kept under a name, published or not, and whose it is.
func keptName(ctx context.Context, q db.Querier,
	name string) (i Integration, owner id.Organization, found bool, err error) {
	var created int64
	err = q.QueryRowContext(ctx,
		`SELECT id, organization_id, name, version, secrets, created_at FROM integration WHERE name_key = $1`,
		nameKey(name)).
		Scan(&i.ID, &owner, &i.Name, &i.Version, &i.sealedSecrets, &created)
	if errors.Is(err, db.ErrNoRows) {
		return Integration{}, "", false, nil
	}
	if err != nil {
		return Integration{}, "", false, fmt.Errorf("look for integration: %w", err)
	}
	i.CreatedAt = time.UnixMicro(created).UTC()
	return i, owner, true, nil
}

func countOwned(ctx context.Context, q db.Querier, organization id.Organization) (int, error) {
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM integration WHERE organization_id = $1`, organization).
		Scan(&count); err != nil {
		return 0, fmt.Errorf("count integrations of organization: %w", err)
	}
	return count, nil
}

// put writes an integration.
func put(ctx context.Context, q db.Querier, organization id.Organization, i Integration, isNew bool) error {
	encoded := make([]any, 0, 6)
	for _, value := range []any{i.Scopes, i.Categories, emptyFor(i.Blocks), emptyFor(i.ContentSources),
		i.Configurations, emptyFor(i.ExternalLinks)} {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("encode integration: %w", err)
		}
		encoded = append(encoded, string(text))
	}
	query := `
		UPDATE integration SET published = TRUE, version = $2, runtime = $3, title = $4, search_key = $5,
		description = $6, summary = $7,
			visibility = $8, target = $9, scopes = $10, categories = $11, blocks = $12, content_sources = $13,
			configurations = $14,
			external_links = $15, has_blocks = $16, has_sources = $17, policy = $18, secrets = $19, updated_at = $20,
			asks_consent = $21
		WHERE id = $1`
	args := append([]any{
		i.ID, i.Version, string(i.Runtime), i.Title, strings.ToLower(i.Name + " " + i.Title), i.Description, i.Summary,
		string(i.Visibility), string(i.Target),
	}, encoded...)
	args = append(args, len(i.Blocks) > 0, len(i.ContentSources) > 0, i.Policy, i.sealedSecrets,
		i.UpdatedAt.UnixMicro(), i.asksConsent)
	if isNew {
		query = `
		INSERT INTO integration (id, version, runtime, title, search_key, description, summary, visibility, target,
		scopes, categories, blocks,
			content_sources, configurations, external_links, has_blocks, has_sources, policy, secrets, updated_at,
			asks_consent, published,
			organization_id, name, name_key, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, TRUE,
		$22, $23, $24, $25)`
		args = append(args, organization, i.Name, nameKey(i.Name), i.CreatedAt.UnixMicro())
	}
	if _, err := q.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("write integration: %w", err)
	}
	return nil
}

func emptyFor[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// putLabels replaces what an integration is found by.
func putLabels(ctx context.Context, q db.Querier, i Integration, domains []string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM integration_label WHERE integration_id = $1`, i.ID); err != nil {
		return fmt.Errorf("clear labels of integration: %w", err)
	}
	labels := make([][2]string, 0, len(i.Scopes)+len(i.Categories)+len(domains))
	for _, scope := range i.Scopes {
		labels = append(labels, [2]string{"scope", string(scope)})
	}
	for _, category := range i.Categories {
		labels = append(labels, [2]string{"category", string(category)})
	}
	for _, domain := range domains {
		labels = append(labels, [2]string{"domain", domain})
	}
	for _, label := range labels {
		_, err := q.ExecContext(ctx, `INSERT INTO integration_label (kind, value, integration_id) VALUES ($1, $2, $3)`,
			label[0], label[1], i.ID)
		if err != nil {
			return fmt.Errorf("write label of integration: %w", err)
		}
	}
	return nil
}

// putImages replaces the pictures of an integration.
func putImages(ctx context.Context, q db.Querier, integrationID id.Integration, images []Image) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM integration_image WHERE integration_id = $1`,
		integrationID); err != nil {
		return fmt.Errorf("clear pictures of integration: %w", err)
	}
	for _, each := range images {
		_, err := q.ExecContext(ctx,
			`INSERT INTO integration_image (integration_id, number, blob, media_type) VALUES ($1, $2, $3, $4)`,
			integrationID, each.number, each.Blob, each.MediaType)
		if err != nil {
			return fmt.Errorf("write picture of integration: %w", err)
		}
	}
	return nil
}

// addVersion keeps what was published, and lets go of the oldest beyond maxVersions.
func addVersion(ctx context.Context, q db.Querier, i Integration, blob string, size int64, by id.User) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO integration_version (integration_id, number, runtime, script_blob, script_size, policy, created_by,
		created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		i.ID, i.Version, string(i.Runtime), blob, size, i.Policy, by, i.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("write version of integration: %w", err)
	}
	_, err = q.ExecContext(ctx, `DELETE FROM integration_version WHERE integration_id = $1 AND number <= $2`, i.ID,
		i.Version-maxVersions)
	if err != nil {
		return fmt.Errorf("remove old versions of integration: %w", err)
	}
	return nil
}

// organizationsOf returns the organizations that have installed an integration.
func organizationsOf(ctx context.Context, q db.Querier, integrationID id.Integration) ([]id.Organization, error) {
	return db.All(ctx, q, "list organizations of integration", db.Column[id.Organization],
		`SELECT organization_id FROM integration_installation WHERE integration_id = $1 AND parent_id IS NULL`,
		integrationID)
}

// unpublish leaves of an integration its name, its owner and its version.
func unpublish(ctx context.Context, q db.Querier, integrationID id.Integration, now time.Time) error {
	for _, table := range []string{"integration_installation", "integration_label", "integration_image",
		"integration_version"} {
		if _, err := q.ExecContext(ctx, `DELETE FROM `+table+` WHERE integration_id = $1`, integrationID); err != nil {
			return fmt.Errorf("unpublish integration: %w", err)
		}
	}
	_, err := q.ExecContext(ctx, `
		UPDATE integration SET published = FALSE, title = '', search_key = '', description = '', summary = '',
		scopes = '[]', categories = '[]',
			blocks = '[]', content_sources = '[]', configurations = '{}', external_links = '[]', policy = '',
			secrets = '', tunnel_url = '', tunnel_all = FALSE, updated_at = $2
		WHERE id = $1`, integrationID, now.UnixMicro())
	if err != nil {
		return fmt.Errorf("unpublish integration: %w", err)
	}
	return nil
}

// BlobInUse reports whether an integration needs the bytes with a hash: content must not collect them.
func BlobInUse(ctx context.Context, q db.Querier, hash string) (bool, error) {
	var used bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM integration_version WHERE script_blob = $1)
			OR EXISTS (SELECT 1 FROM integration_image WHERE blob = $1)`, hash).Scan(&used)
	if err != nil {
		return false, fmt.Errorf("look for integrations of a file: %w", err)
	}
	return used, nil
}
