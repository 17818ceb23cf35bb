package site_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site"
)

// fixture is an organization with one member per role, another organization with an admin, and the service under test.
type fixture struct {
	*site.Service
	*orgtest.Fixture
	db     *db.DB
	spaces *space.Service
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	h := &fixture{Fixture: orgtest.New(t, d), db: d}
	h.spaces = requiredtest.Wire(space.New(space.Deps{DB: d}),
		space.Hooks{InitContent: initContent, DropContent: dropContent})
	h.Service = requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: d, Spaces: h.spaces,
		BaseURL: "http://localhost:8080"})), site.Hooks{})
	return h
}

// initContent writes the rows of a first revision, whose package stands beside this one.
func initContent(ctx context.Context, q db.Querier, spaceID id.Space, userID id.User, nowMicros int64) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO content_revision (id, space_id, branch_id, generation, parents, type, root, paths_root, author,
		message, created_at)
		VALUES ($1, $2, $3, 0, '[]', 'edits', $4, $4, $5, '', $6)`,
		headOf(spaceID), spaceID, "branch of "+string(spaceID), []byte{}, userID, nowMicros)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `
		INSERT INTO content_branch (id, space_id, kind, head_revision_id, initial_revision_id, base_revision_id,
		created_at, moved_at)
		VALUES ($1, $2, 'main', $3, $3, $3, $4, $4)`, "branch of "+string(spaceID), spaceID, headOf(spaceID), nowMicros)
	return err
}

func dropContent(context.Context, db.Querier, id.Space) error { return nil }

func headOf(spaceID id.Space) id.Revision { return id.Revision("head of " + string(spaceID)) }

func (h *fixture) addSpace(t *testing.T, title string) space.Space {
	t.Helper()
	made, err := h.spaces.Create(t.Context(), h.Admin(), h.Organization, space.NewSpace{Title: title})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (h *fixture) setLevel(t *testing.T, spaceID id.Space, level optional.Value[access.Level]) {
	t.Helper()
	if _, err := h.spaces.Update(t.Context(), h.Admin(), spaceID, space.Change{DefaultLevel: level}); err != nil {
		t.Fatal(err)
	}
}

func (h *fixture) addSite(t *testing.T, in site.NewSite) site.Site {
	t.Helper()
	made, err := h.Create(t.Context(), h.Admin(), h.Organization, in)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// put puts a space on a site.
func (h *fixture) put(t *testing.T, siteID id.Site, spaceID id.Space) site.SiteSpace {
	t.Helper()
	added, err := h.AddSpace(t.Context(), h.Admin(), h.Organization, siteID, spaceID, "")
	if err != nil {
		t.Fatal(err)
	}
	return added
}

// listed describes the spaces of a site as a caller sees them: path, with a star behind the default one's.
func (h *fixture) listed(t *testing.T, caller account.Caller, siteID id.Site) string {
	t.Helper()
	siteSpaces, err := h.ListSpaces(t.Context(), caller, h.Organization, siteID, optional.Value[bool]{},
		paging.Request{Limit: 1000})
	if err != nil || siteSpaces.Count != len(siteSpaces.Items) || siteSpaces.Next != nil {
		t.Fatal(siteSpaces.Count, len(siteSpaces.Items), siteSpaces.Next, err)
	}
	return paths(siteSpaces.Items)
}

func paths(siteSpaces []site.SiteSpace) string {
	var list []string
	for _, s := range siteSpaces {
		mark := ""
		if s.Default {
			mark = "*"
		}
		list = append(list, s.Path+mark)
	}
	return strings.Join(list, " ")
}

// flat lists the spaces of a structure in its order.
func flat(structure site.Structure) []site.SiteSpace {
	var found []site.SiteSpace
	var walk func([]site.Node)
	walk = func(nodes []site.Node) {
		for _, node := range nodes {
			switch {
			case node.Space != nil:
				found = append(found, *node.Space)
			case node.Section != nil:
				found = append(found, node.Section.Spaces...)
			default:
				walk(node.Group.Children)
			}
		}
	}
	walk(structure.Nodes)
	return found
}

func wantKind(t *testing.T, err error, kind errs.Kind, text string) {
	t.Helper()
	if !errs.Is(err, kind) || !strings.Contains(err.Error(), text) {
		t.Errorf("got error %v, want one of kind %d with %q", err, kind, text)
	}
}

func mustEqual(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}
