package site

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site/customization"
	"github.com/rectodocs/recto/internal/publish/site/hostname"
)

// Served is a live site as the server needs it to answer a visitor.
type Served struct {
	// Organization is the id of the organization, OrganizationTitle and Hostname are its own.
	Organization      id.Organization
	OrganizationTitle string
	Hostname          string
	// Site has no Permissions: there is no caller.
	Site Site
	// Groups are those with sections in them, the outer before the inner. Sections are those with spaces, in the order
	// in which a reader meets them; there are none on a site whose spaces stand at its root.
	Groups   []ServedGroup
	Sections []ServedSection
	// Spaces are all spaces in the order of the sections, without the trash.
	Spaces []ServedSpace
	// Customization is how the site looks, and CustomizationVersion what changes with it and with that of any of its
	// spaces.
	Customization        customization.Customization
	CustomizationVersion int64
	// Scripts are those that integrations put on the site.
	Scripts []Script
	// Watched says that an integration is told of each view of a page.
	Watched bool
}

// ServedGroup is a menu of a live site.
type ServedGroup struct {
	ID id.SectionGroup
	// Parent is the id of the group that it is in; "" for none.
	Parent id.SectionGroup
	Title  string
	Icon   string
}

// ServedSection is a section of a live site.
type ServedSection struct {
	ID id.Section
	// Group is the id of the group that it is in; "" for none.
	Group       id.SectionGroup
	Title       string
	Description string
	Icon        string
	Path        string
	// Default says that the section is at the address of the site; there is exactly one such section.
	Default bool
	// Condition is an expression over the visitor; "" holds for all.
	Condition string
	// URL is the address of the section, with a slash at its end.
	URL string
}

// ServedSpace is a space on a live site: one of the variants of a section, or of the site when it has no sections.
type ServedSpace struct {
	// ID is the SiteSpace's, Space the space's, Section that of the section; "" for none.
	ID      id.SiteSpace
	Space   id.Space
	Section id.Section
	Path    string
	// Default says that the space is at the address of its section, or of the site. Of the variants of one section
	// there is exactly one.
	Default bool
	// Condition is an expression over the visitor; "" holds for all.
	Condition string
	Title     string
	Emoji     string
	Icon      string
	Language  string
	// Head is the id of the revision that is live; "" when the space has no content yet.
	Head id.Revision
	// Address is the path of the space below the site's root, percent-encoded: "" or with a slash at its end.
	Address string
	// URL is the address of the space, with a slash at its end.
	URL string
	// Customization is how the space looks on the site. It is shared and never changed.
	Customization *customization.Customization
}

// Section returns the section with an id, and false when there is none.
func (s *Served) Section(id id.Section) (ServedSection, bool) {
	i := slices.IndexFunc(s.Sections, func(section ServedSection) bool { return section.ID == id })
	if i < 0 {
		return ServedSection{}, false
	}
	return s.Sections[i], true
}

// Group returns the group with an id, and false when there is none.
func (s *Served) Group(id id.SectionGroup) (ServedGroup, bool) {
	i := slices.IndexFunc(s.Groups, func(group ServedGroup) bool { return group.ID == id })
	if i < 0 {
		return ServedGroup{}, false
	}
	return s.Groups[i], true
}

// Variants returns the spaces of a section in their order, those on the site itself for "". They are for reading.
func (s *Served) Variants(section id.Section) []ServedSpace {
	if section == "" && len(s.Sections) == 0 {
		return s.Spaces
	}
	var found []ServedSpace
	for _, space := range s.Spaces {
		if space.Section == section {
			found = append(found, space)
		}
	}
	return found
}

// Default returns the space at the site's own address, and false when there is none.
func (s *Served) Default() (ServedSpace, bool) {
	i := slices.IndexFunc(s.Spaces, func(space ServedSpace) bool { return space.Address == "" })
	if i < 0 {
		return ServedSpace{}, false
	}
	return s.Spaces[i], true
}

// Only returns what is left of a site with the spaces in a set alone, by their ids.
func (s *Served) Only(spaces map[id.Space]bool) *Served {
	return s.Keep(func(space ServedSpace) bool { return spaces[space.Space] })
}

// Keep returns what is left of a site without the spaces that are not kept, the sections without spaces, and the groups
// without sections; the site itself where all are kept. All that a visitor is answered with comes from what is left.
// Defaults stay where they are, so that an address means the same for everybody.
func (s *Served) Keep(keeps func(ServedSpace) bool) *Served {
	if !slices.ContainsFunc(s.Spaces, func(one ServedSpace) bool { return !keeps(one) }) {
		return s
	}
	filled := map[id.Section]bool{}
	spaces := make([]ServedSpace, 0, len(s.Spaces))
	for _, space := range s.Spaces {
		if keeps(space) {
			spaces = append(spaces, space)
			filled[space.Section] = true
		}
	}
	sections := make([]ServedSection, 0, len(s.Sections))
	used := map[id.SectionGroup]bool{}
	for _, section := range s.Sections {
		if !filled[section.ID] {
			continue
		}
		sections = append(sections, section)
		for group, ok := s.Group(section.Group); ok; group, ok = s.Group(group.Parent) {
			used[group.ID] = true
		}
	}
	groups := make([]ServedGroup, 0, len(s.Groups))
	for _, group := range s.Groups {
		if used[group.ID] {
			groups = append(groups, group)
		}
	}
	left := *s
	left.Spaces, left.Sections, left.Groups = spaces, sections, groups
	return &left
}

// Resolve returns the published site that answers at an organization's hostname and a basename, with its structure and
// the live revisions of its spaces, in one statement; errs.NotFound when there is none. A basename that the site had
// before finds it too, if no other site has it now, and so does a hostname that the organization had: those in the
// answer are then others. Whom the site's visibility lets in is for the caller to check, before anything of the site is
// shown.
//
// The conditions of sections and spaces are as they are written: it is for the caller to leave out what a visitor must
// not see, and what is default stays so.
func (s *Service) Resolve(ctx context.Context, hostname, basename string) (Served, error) {
	if !field.Storable(hostname) || !field.Storable(basename) {
		return Served{}, noSite()
	}
	rows, err := s.rowsByName(ctx, strings.ToLower(hostname), basename)
	if err != nil {
		return Served{}, err
	}
	return s.open(ctx, rows)
}

// rowsByName reads the rows of the site with a basename, or else of the one that had it last.
func (s *Service) rowsByName(ctx context.Context, hostname, basename string) ([]resolveRow, error) {
	rows, err := resolveRows(ctx, s.db.Read(), `o.hostname = $1 AND site.basename = $2`, hostname, basename)
	if err == nil && len(rows) == 0 {
		rows, err = resolveRows(ctx, s.db.Read(), `o.hostname = $1 AND site.id = (
			SELECT f.site_id FROM site_former_basename f WHERE f.organization_id = o.id AND f.basename = $2)`, hostname,
			basename)
	}
	if err == nil && len(rows) == 0 {
		// A hostname that the organization had before, with a basename that the site has or had.
		rows, err = resolveRows(ctx, s.db.Read(), `site.id = (
			SELECT n.id FROM organization_former_hostname h JOIN site n ON n.organization_id = h.organization_id
				AND (n.basename = $2 OR n.id = (SELECT f.site_id FROM site_former_basename f
				WHERE f.organization_id = h.organization_id AND f.basename = $2))
			WHERE h.hostname = $1 ORDER BY CASE WHEN n.basename = $2 THEN 0 ELSE 1 END LIMIT 1)`, hostname, basename)
	}
	return rows, err
}

// ResolveID is Resolve for the site with an id.
func (s *Service) ResolveID(ctx context.Context, siteID id.Site) (Served, error) {
	if !id.Valid("site", siteID) {
		return Served{}, noSite()
	}
	rows, err := resolveRows(ctx, s.db.Read(), `site.id = $1`, siteID)
	if err != nil {
		return Served{}, err
	}
	return s.open(ctx, rows)
}

// ResolveHost is Resolve for the site that answers at a host of its own, if that is proven to be its owner's.
func (s *Service) ResolveHost(ctx context.Context, host string) (Served, error) {
	if !hostname.Valid(host) {
		return Served{}, noSite()
	}
	rows, err := resolveRows(ctx, s.db.Read(), `site.custom_hostname = $1 AND site.hostname_proven`, host)
	if err != nil {
		return Served{}, err
	}
	return s.open(ctx, rows)
}

// ServesHost reports whether a host, in lower case and without a port, is proven to be that of a site. It is one
// indexed read.
func (s *Service) ServesHost(ctx context.Context, host string) (bool, error) {
	if !hostname.Valid(host) {
		return false, nil
	}
	return exists(ctx, s.db.Read(), `SELECT EXISTS (SELECT 1 FROM site WHERE custom_hostname = $1 AND hostname_proven)`,
		host)
}

// open makes the answer of the rows of a published site.
func (s *Service) open(ctx context.Context, rows []resolveRow) (Served, error) {
	if len(rows) == 0 || !rows[0].site.published {
		return Served{}, noSite()
	}
	served := s.serve(rows)
	if err := s.loadCustomization(ctx, &served); err != nil {
		return Served{}, err
	}
	return served, nil
}

// serve makes the answer of rows of one site.
func (s *Service) serve(rows []resolveRow) Served {
	row := rows[0].site
	site := row.site()
	site.DirectURL, site.PublishedURL = s.direct(row), s.address(row)
	served := Served{
		Organization: site.Organization, OrganizationTitle: rows[0].organizationTitle, Hostname: row.hostname,
		Site: site, CustomizationVersion: rows[0].customization.V,
	}
	served.arrange(rows)
	return served
}

// loadCustomization sets how a site looks, and each space on it.
func (s *Service) loadCustomization(ctx context.Context, served *Served) error {
	look, err := s.looks.Load(ctx, served.Site.ID, served.CustomizationVersion)
	if err != nil {
		return err
	}
	served.Customization = look.Site
	for i := range served.Spaces {
		served.Spaces[i].Customization = look.Space(served.Spaces[i].ID)
	}
	served.Scripts, served.Watched, err = s.scriptsOf(ctx, served.Site.ID)
	return err
}

// arrange makes the structure of rows.
func (s *Served) arrange(rows []resolveRow) {
	l, spaces := layoutOf(rows)
	for _, group := range l.groups {
		s.Groups = append(s.Groups, ServedGroup{ID: group.id, Parent: group.parent, Title: group.title,
			Icon: group.icon})
	}
	a := l.answers()
	for _, section := range l.sections {
		s.Sections = append(s.Sections, ServedSection{
			ID: section.id, Group: section.group, Title: section.title, Description: section.description,
			Icon: section.icon,
			Path: section.path, Default: section.id == a.section, Condition: section.condition,
			URL: below(s.Site.PublishedURL, a.sectionAddress(section.id)),
		})
	}
	for _, placed := range l.spaces {
		row := spaces[placed.id]
		address := a.address(placed)
		s.Spaces = append(s.Spaces, ServedSpace{
			ID: placed.id, Space: placed.space, Section: placed.section, Path: placed.path, Condition: placed.condition,
			Default: placed.id == a.spaces[placed.section], Title: row.title.V, Emoji: row.emoji.V, Icon: row.icon.V,
			Language: row.language.V, Head: row.head.V, Address: EscapeAddress(address), URL: below(s.Site.PublishedURL,
				address),
		})
	}
	s.Site.SiteSpaces = len(s.Spaces)
}

// layoutOf makes the layout of the rows of one site, without what is in the trash and without sections and groups in
// which nothing is, and returns the rows by SiteSpace.ID.
func layoutOf(rows []resolveRow) (*layout, map[id.SiteSpace]*resolveRow) {
	l := &layout{}
	spaces, seen := make(map[id.SiteSpace]*resolveRow, len(rows)), map[string]bool{}
	for i := range rows {
		row := &rows[i]
		if !row.space.Valid {
			// A site without spaces, or a space in the trash.
			continue
		}
		spaces[row.id.V] = row
		l.spaces = append(l.spaces, &placedRow{
			id: row.id.V, space: row.space.V, section: row.section.id.V, path: row.path.V, condition: row.condition.V,
			position: row.position.V, marked: row.isDefault.V,
		})
		if row.section.id.Valid && !seen[string(row.section.id.V)] {
			seen[string(row.section.id.V)] = true
			l.sections = append(l.sections, row.section.row())
		}
		for _, group := range []resolvedGroup{row.group, row.outer} {
			if group.id.Valid && !seen[string(group.id.V)] {
				seen[string(group.id.V)] = true
				l.groups = append(l.groups, group.row())
			}
		}
	}
	l.sort()
	return l, spaces
}

type resolveRow struct {
	site                         siteRow
	organizationTitle            string
	id                           sql.Null[id.SiteSpace]
	path, condition, position    sql.Null[string]
	isDefault                    sql.Null[bool]
	space                        sql.Null[id.Space]
	title, emoji, icon, language sql.Null[string]
	head                         sql.Null[id.Revision]
	section                      resolvedSection
	group, outer                 resolvedGroup
	customization                sql.Null[int64] // its version
}

type resolvedSection struct {
	id                                                  sql.Null[id.Section]
	group                                               sql.Null[id.SectionGroup]
	title, description, icon, path, condition, position sql.Null[string]
	isDefault                                           sql.Null[bool]
}

func (s resolvedSection) row() *sectionRow {
	return &sectionRow{
		id: s.id.V, group: s.group.V, title: s.title.V, description: s.description.V, icon: s.icon.V, path: s.path.V,
		condition: s.condition.V, position: s.position.V, marked: s.isDefault.V,
	}
}

type resolvedGroup struct {
	id, parent            sql.Null[id.SectionGroup]
	title, icon, position sql.Null[string]
}

func (g resolvedGroup) row() *groupRow {
	return &groupRow{id: g.id.V, parent: g.parent.V, title: g.title.V, icon: g.icon.V, position: g.position.V}
}

// resolveColumns are those of resolveRow, of the tables in resolveTables.
const (
	resolveColumns = siteFields + `, o.title, ss.id, ss.path, ss.condition, ss.position, ss.is_default,
		s.id, s.title, s.emoji, s.icon, s.language, b.head_revision_id,
		sec.id, sec.group_id, sec.title, sec.description, sec.icon, sec.path, sec.condition, sec.position, sec.is_default,
		g.id, g.parent_id, g.title, g.icon, g.position, og.id, og.parent_id, og.title, og.icon, og.position, sc.version`
	resolveTables = `
		LEFT JOIN site_space ss ON ss.site_id = site.id
		LEFT JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
		LEFT JOIN content_branch b ON b.space_id = s.id AND b.kind = 'main'
		LEFT JOIN site_section sec ON sec.id = ss.section_id
		LEFT JOIN site_section_group g ON g.id = sec.group_id
		LEFT JOIN site_section_group og ON og.id = g.parent_id
		LEFT JOIN site_customization sc ON sc.site_id = site.id`
)

// resolveRows returns a row for each space of the sites that meet a condition, and one for a site without spaces.
func resolveRows(ctx context.Context, q db.Querier, condition string, args ...any) ([]resolveRow, error) {
	return db.All(ctx, q, "resolve site", func(row db.Scanner) (resolveRow, error) {
		var r resolveRow
		into := append(r.site.own(), &r.organizationTitle, &r.id, &r.path, &r.condition, &r.position, &r.isDefault,
			&r.space, &r.title, &r.emoji, &r.icon, &r.language, &r.head,
			&r.section.id, &r.section.group, &r.section.title, &r.section.description, &r.section.icon, &r.section.path,
			&r.section.condition, &r.section.position, &r.section.isDefault)
		for _, group := range []*resolvedGroup{&r.group, &r.outer} {
			into = append(into, &group.id, &group.parent, &group.title, &group.icon, &group.position)
		}
		into = append(into, &r.customization)
		err := row.Scan(into...)
		return r, err
	}, `
		SELECT `+resolveColumns+`
		FROM organization o
		JOIN site ON site.organization_id = o.id`+resolveTables+`
		WHERE `+condition, args...)
}

func (s *Service) scriptsOf(ctx context.Context, siteID id.Site) (scripts []Script, watched bool, err error) {
	if s.hooks.Get().Scripts == nil {
		return nil, false, nil
	}
	return s.hooks.Get().Scripts(ctx, siteID)
}
