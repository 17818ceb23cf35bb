package site_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/redirect"
)

// drawn describes a structure: sections as title(space space), groups as title[…], a star behind what is default.
func drawn(structure site.Structure) string {
	var draw func(nodes []site.Node) string
	star := func(is bool) string {
		if is {
			return "*"
		}
		return ""
	}
	draw = func(nodes []site.Node) string {
		var list []string
		for _, node := range nodes {
			switch {
			case node.Space != nil:
				list = append(list, node.Space.Path+star(node.Space.Default))
			case node.Section != nil:
				list = append(list, node.Section.Path+star(node.Section.Default)+"("+paths(node.Section.Spaces)+")")
			default:
				list = append(list, node.Group.Title+"["+draw(node.Group.Children)+"]")
			}
		}
		return strings.Join(list, " ")
	}
	return draw(structure.Nodes)
}

// shape is the structure of a site as the admin sees it.
func (h *fixture) shape(t *testing.T, siteID id.Site) string {
	t.Helper()
	structure, err := h.Structure(t.Context(), h.Admin(), h.Organization, siteID)
	if err != nil {
		t.Fatal(err)
	}
	return drawn(structure)
}

func (h *fixture) section(t *testing.T, siteID id.Site, spaceID id.Space, title string) site.Section {
	t.Helper()
	made, err := h.AddSection(t.Context(), h.Admin(), h.Organization, siteID, site.NewSection{Space: spaceID,
		Title: title})
	if err != nil {
		t.Fatal(err)
	}
	return made.Section
}

// remove deletes a section.
func (h *fixture) remove(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	sectionID id.Section) error {
	_, err := h.RemoveSection(ctx, caller, organizationID, siteID, sectionID)
	return err
}

func TestStructure(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		a, b, c := h.addSpace(t, "A"), h.addSpace(t, "B"), h.addSpace(t, "C")
		made := h.addSite(t, site.NewSite{Title: "Docs", Spaces: []id.Space{a.ID, b.ID}})
		check := func(what, want string) {
			t.Helper()
			mustEqual(t, what, h.shape(t, made.ID), want)
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		guide := h.section(t, made.ID, a.ID, "Guide")
		if added, err := h.AddSpace(ctx, h.Admin(), h.Organization, made.ID, c.ID, guide.ID); err != nil {
			t.Fatal(err)
		} else {
			guide.Spaces = append(guide.Spaces, added)
		}
		check("the first section takes the root in", "guide*(a* b c)")
		reference := h.section(t, made.ID, c.ID, "Reference")
		blog := h.section(t, made.ID, c.ID, "Guide")
		check("more sections", "guide*(a* b c) reference(c*) guide-1(c*)")
		group, err := h.AddGroup(ctx, h.Admin(), h.Organization, made.ID,
			site.NewGroup{Title: "More", Sections: []id.Section{blog.ID, guide.ID}})
		must(err)
		check("a group", "reference(c*) More[guide-1(c*) guide*(a* b c)]")
		inner, err := h.AddGroup(ctx, h.Admin(), h.Organization, made.ID,
			site.NewGroup{Title: "Inner", Parent: group.ID})
		must(err)
		_, err = h.AddGroup(ctx, h.Admin(), h.Organization, made.ID, site.NewGroup{Title: "Deep", Parent: inner.ID})
		wantKind(t, err, errs.Invalid, "parent")
		_, err = h.AddToGroup(ctx, h.Admin(), h.Organization, made.ID, inner.ID, reference.ID)
		must(err)
		check("a group in a group", "More[guide-1(c*) guide*(a* b c) Inner[reference(c*)]]")
		move := func(moved site.Pointer, place site.Place) error {
			_, err := h.Sort(ctx, h.Admin(), h.Organization, made.ID, moved, place)
			return err
		}
		section := func(s site.Section) *site.Pointer { return &site.Pointer{Kind: site.ItemSection, ID: string(s.ID)} }
		toGroup := func(g site.Group) *site.Pointer { return &site.Pointer{Kind: site.ItemGroup, ID: string(g.ID)} }
		wantKind(t, move(*toGroup(group), site.Place{Before: section(reference)}), errs.Invalid, "itself")
		wantKind(t, move(*section(guide), site.Place{Before: section(blog), After: section(reference)}), errs.Invalid,
			"position")
		wantKind(t, move(*section(guide), site.Place{Before: section(guide)}), errs.Invalid, "position.before")
		wantKind(t, move(site.Pointer{Kind: site.ItemSection, ID: string(group.ID)}, site.Place{}), errs.NotFound,
			"section")
		must(move(*section(reference), site.Place{After: section(blog)}))
		check("moved up", "More[guide-1(c*) reference(c*) guide*(a* b c) Inner[]]")
		must(move(*section(guide), site.Place{}))
		check("moved to the end", "More[guide-1(c*) reference(c*) Inner[]] guide*(a* b c)")
		must(move(site.Pointer{Kind: site.ItemSpace, ID: string(guide.Spaces[2].ID)},
			site.Place{Before: &site.Pointer{Kind: site.ItemSpace, ID: string(reference.Spaces[0].ID)}}))
		check("a space in another section", "More[guide-1(c*) reference(c-1 c*) Inner[]] guide*(a* b)")
		must(h.RemoveSpace(ctx, h.Admin(), h.Organization, made.ID, guide.Spaces[0].ID))
		check("the next one is the default", "More[guide-1(c*) reference(c-1 c*) Inner[]] guide*(b*)")
		logged := func() (entries int) {
			t.Helper()
			must(d.Read().QueryRowContext(ctx, `SELECT count(*) FROM audit_entry`).Scan(&entries))
			return entries
		}
		before := logged()
		_, err = h.UpdateSpace(ctx, h.Admin(), h.Organization, made.ID, reference.Spaces[0].ID, site.SpaceChange{})
		must(err)
		_, err = h.UpdateSection(ctx, h.Admin(), h.Organization, made.ID, blog.ID,
			site.SectionChange{Title: optional.Of(blog.Title)})
		must(err)
		_, err = h.UpdateGroup(ctx, h.Admin(), h.Organization, made.ID, group.ID, site.GroupChange{})
		must(err)
		if after := logged(); after != before {
			t.Errorf("changes of nothing left %d entries in the audit log", after-before)
		}
		must(h.RemoveGroup(ctx, h.Admin(), h.Organization, made.ID, group.ID))
		check("without the group", "guide-1(c*) reference(c-1 c*) Inner[] guide*(b*)")
		must(h.remove(ctx, h.Admin(), h.Organization, made.ID, guide.ID))
		check("without the default section", "guide-1*(c*) reference(c-1 c*) Inner[]")
		must(h.remove(ctx, h.Admin(), h.Organization, made.ID, blog.ID))
		must(h.remove(ctx, h.Admin(), h.Organization, made.ID, reference.ID))
		check("the last section leaves its spaces", "c-1 c*")
		for _, test := range []struct{ path, want string }{{"c", "taken"}, {"Größe", "path"}, {"a/b", "path"},
			{"llms.txt", "file"}, {"a.md", "file"}, {".", "path"}, {"", "path"}} {
			_, err := h.UpdateSpace(ctx, h.Admin(), h.Organization, made.ID, guide.Spaces[2].ID,
				site.SpaceChange{Path: optional.Of(test.path)})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("path %q: %v", test.path, err)
			}
		}
		for _, condition := range []string{"", "a ===", "if (x) {}", strings.Repeat("1+", 600) + "1", "a\x00"} {
			_, err := h.UpdateSpace(ctx, h.Admin(), h.Organization, made.ID, guide.Spaces[2].ID,
				site.SpaceChange{Condition: optional.Of(condition)})
			wantKind(t, err, errs.Invalid, "condition")
		}
	})
}

// TestStructureUnderRandomOperations does random things to a site and holds after each what must always be so: one
// default among siblings, unique paths, addresses that name one space each, an order that only moves change, and lists
// that agree with the structure.
func TestStructureUnderRandomOperations(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaces := []id.Space{h.addSpace(t, "Alpha").ID, h.addSpace(t, "Beta").ID, h.addSpace(t, "Alpha").ID}
		for seed := range uint64(3) {
			random := rand.New(rand.NewPCG(seed, 7))
			made := h.addSite(t, site.NewSite{Title: "Random"})
			if _, err := h.Publish(t.Context(), h.Admin(), h.Organization, made.ID); err != nil {
				t.Fatal(err)
			}
			for step := range 70 {
				before := h.shape(t, made.ID)
				what, err := h.something(t, random, made.ID, spaces)
				if kind := errs.KindOf(err); err != nil && kind != errs.Conflict && kind != errs.Invalid &&
					kind != errs.NotFound {
					t.Fatalf("seed %d, step %d: %s: %v", seed, step, what, err)
				}
				if after := h.shape(t, made.ID); err != nil && after != before {
					t.Fatalf("seed %d, step %d: %s failed with %v and changed\n%s\n%s", seed, step, what, err, before,
						after)
				}
				if err := h.consistent(t, made.ID); err != nil {
					t.Fatalf("seed %d, step %d: after %s: %v\n%s\n%s", seed, step, what, err, before,
						h.shape(t, made.ID))
				}
			}
		}
	})
}

// something does one random thing to a site.
func (h *fixture) something(t *testing.T, random *rand.Rand, siteID id.Site, spaces []id.Space) (string, error) {
	t.Helper()
	ctx, admin := t.Context(), h.Admin()
	structure, err := h.Structure(ctx, admin, h.Organization, siteID)
	if err != nil {
		t.Fatal(err)
	}
	sections, err := h.ListSections(ctx, admin, h.Organization, siteID, paging.Request{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	groups, err := h.ListGroups(ctx, admin, h.Organization, siteID, paging.Request{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var pointers []site.Pointer
	for _, space := range flat(structure) {
		pointers = append(pointers, site.Pointer{Kind: site.ItemSpace, ID: string(space.ID)})
	}
	for _, section := range sections.Items {
		pointers = append(pointers, site.Pointer{Kind: site.ItemSection, ID: string(section.ID)})
	}
	for _, group := range groups.Items {
		pointers = append(pointers, site.Pointer{Kind: site.ItemGroup, ID: string(group.ID)})
	}
	any := func(kind site.ItemKind) string {
		for range 20 {
			if len(pointers) == 0 {
				break
			}
			if p := pointers[random.IntN(len(pointers))]; p.Kind == kind || kind == "" {
				return p.ID
			}
		}
		return "none"
	}
	space := spaces[random.IntN(len(spaces))]
	path := []string{"alpha", "beta", "v1", "v2", "guide"}[random.IntN(5)]
	switch random.IntN(13) {
	case 0:
		_, err := h.AddSpace(ctx, admin, h.Organization, siteID, space, "")
		return "add space", err
	case 1:
		_, err := h.AddSpace(ctx, admin, h.Organization, siteID, space, id.Section(any(site.ItemSection)))
		return "add space to section", err
	case 2:
		_, err := h.AddSection(ctx, admin, h.Organization, siteID, site.NewSection{Space: space})
		return "add section", err
	case 3:
		_, err := h.AddGroup(ctx, admin, h.Organization, siteID, site.NewGroup{Title: fmt.Sprint("G", random.IntN(100)),
			Sections: []id.Section{id.Section(any(site.ItemSection))}})
		return "add group", err
	case 4:
		return "remove space", h.RemoveSpace(ctx, admin, h.Organization, siteID, id.SiteSpace(any(site.ItemSpace)))
	case 5:
		return "remove section", h.remove(ctx, admin, h.Organization, siteID, id.Section(any(site.ItemSection)))
	case 6:
		return "remove group", h.RemoveGroup(ctx, admin, h.Organization, siteID, id.SectionGroup(any(site.ItemGroup)))
	case 7:
		_, err := h.UpdateSpace(ctx, admin, h.Organization, siteID, id.SiteSpace(any(site.ItemSpace)),
			site.SpaceChange{Path: optional.Of(path), Space: optional.Of(space)})
		return "change space", err
	case 8:
		_, err := h.UpdateSection(ctx, admin, h.Organization, siteID, id.Section(any(site.ItemSection)),
			site.SectionChange{Path: optional.Of(path), DefaultSpace: optional.Of(any(site.ItemSpace))})
		return "change section", err
	case 9:
		_, err := h.Update(ctx, admin, h.Organization, siteID,
			site.Change{DefaultSiteSection: optional.Of(id.Section(any(site.ItemSection)))})
		return "default section", err
	case 10:
		_, err := h.Update(ctx, admin, h.Organization, siteID,
			site.Change{DefaultSiteSpace: optional.Of(id.SiteSpace(any(site.ItemSpace)))})
		return "default space", err
	}
	if len(pointers) == 0 {
		return "nothing", nil
	}
	moved := pointers[random.IntN(len(pointers))]
	other := pointers[random.IntN(len(pointers))]
	place := []site.Place{{Before: &other}, {After: &other}, {}}[random.IntN(3)]
	_, err = h.Sort(ctx, admin, h.Organization, siteID, moved, place)
	return fmt.Sprintf("move %s to %+v", moved.Kind, place), err
}

// consistent says what of a site's structure is not as it must be.
func (h *fixture) consistent(t *testing.T, siteID id.Site) error {
	t.Helper()
	ctx, admin := t.Context(), h.Admin()
	structure, err := h.Structure(ctx, admin, h.Organization, siteID)
	if err != nil {
		return err
	}
	listed, err := h.ListSpaces(ctx, admin, h.Organization, siteID, optional.Value[bool]{},
		paging.Request{Limit: 1000})
	if err != nil || listed.Count != len(listed.Items) || paths(listed.Items) != paths(flat(structure)) {
		return fmt.Errorf("the list of spaces is %s of %d: %w", paths(listed.Items), listed.Count, err)
	}
	root, err := h.ListSpaces(ctx, admin, h.Organization, siteID, optional.Of(true), paging.Request{Limit: 1000})
	if err != nil || len(listed.Items) > 0 && len(root.Items) != 1 {
		return fmt.Errorf("%d spaces at the root: %w", len(root.Items), err)
	}
	siblings, defaults, addresses := map[string]bool{}, map[id.Section]int{}, map[string]bool{}
	for _, space := range listed.Items {
		if siblings[string(space.Section)+"/"+space.Path] {
			return fmt.Errorf("the path %s occurs twice", space.Path)
		}
		siblings[string(space.Section)+"/"+space.Path] = true
		if space.Default {
			defaults[space.Section]++
		}
		if addresses[space.PublishedURL] {
			return fmt.Errorf("the address %s names two spaces", space.PublishedURL)
		}
		addresses[space.PublishedURL] = true
		if defaults[space.Section] > 1 {
			return errors.New("two defaults among siblings")
		}
	}
	for _, space := range listed.Items {
		if defaults[space.Section] != 1 {
			return errors.New("no default among siblings")
		}
	}
	sections, err := h.ListSections(ctx, admin, h.Organization, siteID, paging.Request{Limit: 1000})
	if err != nil {
		return err
	}
	main := 0
	for _, section := range sections.Items {
		if siblings["section "+section.Path] {
			return fmt.Errorf("the path %s occurs twice", section.Path)
		}
		siblings["section "+section.Path] = true
		if section.Default {
			main++
		}
	}
	if len(sections.Items) > 0 && main != 1 {
		return fmt.Errorf("%d default sections", main)
	}
	served, err := h.Resolve(ctx, "acme", h.basename(t, siteID))
	if err != nil || len(served.Spaces) != len(listed.Items) {
		return fmt.Errorf("%d spaces are served: %w", len(served.Spaces), err)
	}
	for i, space := range served.Spaces {
		if space.ID != listed.Items[i].ID || space.URL != listed.Items[i].PublishedURL {
			return fmt.Errorf("%s is served at %s", space.Path, space.URL)
		}
		if at, ok := served.Locate(space.Address + "page"); !ok || at.Space.ID != space.ID || at.Rest != "page" {
			return fmt.Errorf("the address %s leads to %s", space.Address, at.Space.Address)
		}
	}
	return nil
}

func (h *fixture) basename(t *testing.T, siteID id.Site) string {
	t.Helper()
	found, err := h.Get(t.Context(), h.Admin(), h.Organization, siteID)
	if err != nil {
		t.Fatal(err)
	}
	return found.Basename
}

func TestStructureUnderRace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		space := h.addSpace(t, "Guide")
		made := h.addSite(t, site.NewSite{Title: "Race", Spaces: []id.Space{space.ID}})
		if _, err := h.Publish(t.Context(), h.Admin(), h.Organization, made.ID); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		failures := make([]error, 6)
		for i := range failures {
			wg.Go(func() {
				_, failures[i] = h.AddSection(t.Context(), h.Admin(), h.Organization, made.ID,
					site.NewSection{Space: space.ID})
			})
		}
		wg.Wait()
		if err := errors.Join(append(failures, h.consistent(t, made.ID))...); err != nil {
			t.Error(err)
		}
		sections, err := h.ListSections(t.Context(), h.Admin(), h.Organization, made.ID, paging.Request{})
		if err != nil || sections.Count != len(failures) {
			t.Fatal(sections.Count, err)
		}
		for i, section := range sections.Items {
			wg.Go(func() {
				switch i % 3 {
				case 0:
					failures[i] = h.remove(t.Context(), h.Admin(), h.Organization, made.ID, section.ID)
				case 1:
					_, failures[i] = h.Update(t.Context(), h.Admin(), h.Organization, made.ID,
						site.Change{DefaultSiteSection: optional.Of(section.ID)})
				default:
					_, failures[i] = h.Sort(t.Context(), h.Admin(), h.Organization, made.ID,
						site.Pointer{Kind: site.ItemSection, ID: string(section.ID)}, site.Place{})
				}
			})
		}
		wg.Wait()
		if err := errors.Join(append(failures, h.consistent(t, made.ID))...); err != nil {
			t.Error(err)
		}
	})
}

func TestRedirectRules(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		space := h.addSpace(t, "Guide")
		made := h.addSite(t, site.NewSite{Title: "Docs", Spaces: []id.Space{space.ID}})
		guide := h.section(t, made.ID, space.ID, "Guide")
		other, err := h.AddSpace(t.Context(), h.Admin(), h.Organization, made.ID, h.addSpace(t, "Other").ID, guide.ID)
		if err != nil {
			t.Fatal(err)
		}
		guide.Spaces = append(guide.Spaces, other)
		section := redirect.Destination{Kind: redirect.DestinationSection, Section: guide.ID}
		external := func(address string) redirect.Destination {
			return redirect.Destination{Kind: redirect.DestinationExternal, URL: address}
		}
		for _, test := range []struct {
			redirect redirect.Redirect
			want     string
		}{
			{redirect.Redirect{Source: "old", Destination: section}, "source"},
			{redirect.Redirect{Source: "/", Destination: section}, "source"},
			{redirect.Redirect{Source: "/*", Destination: section}, "source"},
			{redirect.Redirect{Source: "/a*b", Destination: section}, "source"},
			{redirect.Redirect{Source: "//evil", Destination: section}, "source"},
			{redirect.Redirect{Source: "/a//b", Destination: section}, "source"},
			{redirect.Redirect{Source: "/a?b", Destination: section}, "source"},
			{redirect.Redirect{Source: "/a/../b", Destination: section}, "source"},
			{redirect.Redirect{Source: "/%2e%2e/b", Destination: section}, "source"},
			{redirect.Redirect{Source: "/a%0ab", Destination: section}, "source"},
			{redirect.Redirect{Source: "/a%zz", Destination: section}, "source"},
			{redirect.Redirect{Source: "/~/search", Destination: section}, "source"},
			{redirect.Redirect{Source: "/%7E/*", Destination: section}, "source"},
			{redirect.Redirect{Source: "/sitemap.xml", Destination: section}, "source"},
			{redirect.Redirect{Source: "/" + strings.Repeat("a", 512), Destination: section}, "source"},
			{redirect.Redirect{Source: "/a", Capture: true, Destination: section}, "captureWildcard"},
			{redirect.Redirect{Source: "/a", Destination: external("javascript:alert(1)")}, "destination.url"},
			{redirect.Redirect{Source: "/a", Destination: external("//evil.example")}, "destination.url"},
			{redirect.Redirect{Source: "/a", Destination: external("https://user@evil.example/")}, "destination.url"},
			{redirect.Redirect{Source: "/a", Destination: external("http://localhost:8080/sites/acme/docs/b")},
				"destination.url"},
			{redirect.Redirect{Source: "/a", Destination: redirect.Destination{Kind: redirect.DestinationSection,
				Section: "none"}},
				"destination.siteSectionId"},
			{redirect.Redirect{Source: "/a", Destination: redirect.Destination{Kind: redirect.DestinationSpace,
				SiteSpace: "none"}},
				"destination.siteSpaceId"},
			{redirect.Redirect{Source: "/a", Destination: redirect.Destination{Kind: redirect.DestinationPage,
				SiteSpace: guide.Spaces[0].ID, Page: "none"}}, "destination.pageId"},
			{redirect.Redirect{Source: "/a", Destination: redirect.Destination{Kind: "else"}}, "destination.kind"},
			{redirect.Redirect{Source: "/other", Destination: redirect.Destination{Kind: redirect.DestinationSpace,
				SiteSpace: guide.Spaces[1].ID}}, "itself"},
			{redirect.Redirect{Source: "/other/*", Capture: true,
				Destination: redirect.Destination{Kind: redirect.DestinationSpace,
					SiteSpace: guide.Spaces[1].ID}}, "itself"},
		} {
			_, err := h.CreateRedirect(t.Context(), h.Admin(), h.Organization, made.ID, test.redirect)
			wantKind(t, err, errs.Invalid, test.want)
		}
		for i := range 5 {
			_, err := h.CreateRedirect(t.Context(), h.Admin(), h.Organization, made.ID,
				redirect.Redirect{Source: fmt.Sprintf("/from/%d", 4-i), Destination: section, Draft: i == 4})
			if err != nil {
				t.Fatal(err)
			}
		}
		for order, want := range map[string]string{"": "/from/4 /from/3 /from/2 /from/1",
			"source": "/from/1 /from/2 /from/3 /from/4", "updatedAt": "/from/4 /from/3 /from/2 /from/1"} {
			var sources []string
			page := paging.Request{Limit: 1}
			for {
				found, err := h.ListRedirects(t.Context(), h.Admin(), h.Organization, made.ID,
					redirect.Filter{OrderBy: order, Search: "from"}, page)
				if err != nil || found.Count != 4 {
					t.Fatal(found.Count, err)
				}
				for _, each := range found.Items {
					sources = append(sources, each.Source)
				}
				if page.After = found.Next; found.Next == nil {
					break
				}
			}
			mustEqual(t, "order by "+order, strings.Join(sources, " "), want)
		}
	})
}
