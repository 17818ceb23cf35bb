package integration

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
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/script"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/site"
)

// fixture is the service under test in an organization with one member for each role.
type fixture struct {
	*testing.T
	*Service
	*orgtest.Fixture
	db     *db.DB
	spaces *space.Service
	sites  *site.Service
	// told is what scripts were told.
	told []Happening
}

// each runs a test with a new fixture on both databases.
func each(t *testing.T, test func(f *fixture)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		t.Parallel()
		f := &fixture{T: t, Fixture: orgtest.New(t, d), db: d}
		content := storetest.NewService(t, d, store.Deps{})
		f.spaces = requiredtest.Wire(space.New(space.Deps{DB: d}),
			space.Hooks{InitContent: content.Init, Came: func(ctx context.Context, q db.Querier,
				spaceID id.Space) error {
				return f.SpaceCame(ctx, q, spaceID)
			}, Leaves: func(ctx context.Context, q db.Querier, spaceID id.Space) error {
				return f.SpaceLeaves(ctx, q, spaceID)
			},
				DropContent: func(context.Context, db.Querier, id.Space) error { return nil }})
		f.sites = requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: d, Spaces: f.spaces,
			BaseURL: "http://localhost:8080"})), site.Hooks{Made: func(ctx context.Context, q db.Querier,
			siteID id.Site) error {
			return f.SiteCame(ctx, q, siteID)
		}, Gone: func(ctx context.Context, q db.Querier, siteID id.Site) error {
			return f.SiteLeaves(ctx, q, siteID)
		}})
		box, err := seal.NewBox(make([]byte, seal.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		f.Service = New(Deps{DB: d, Organizations: f.Organizations, Content: content, Sites: f.sites, Secrets: box,
			Key:     make([]byte, 32),
			BaseURL: "http://localhost:8080"})
		f.SetHooks(Hooks{
			Compiled: func(string, Runtime, *script.Program) {},
			Tell: func(_ context.Context, _ db.Querier, what Happening) error {
				f.told = append(f.told, what)
				return nil
			},
		})
		test(f)
	})
}

// publication is a Publication that is accepted, with what change does to it.
func (f *fixture) publication(change func(*Publication)) Publication {
	in := Publication{Organization: f.Organization, Title: "Tracker", Description: "Links to tickets.",
		Script: "addEventListener('fetch', () => {});",
		Scopes: []Scope{ScopeScript, "space:content:read"}, Visibility: Public}
	if change != nil {
		change(&in)
	}
	return in
}

// publish publishes an integration as the admin.
func (f *fixture) publish(name string, change func(*Publication)) Integration {
	f.Helper()
	made, err := f.Publish(f.Context(), f.Admin(), name, f.publication(change))
	if err != nil {
		f.Fatal(err)
	}
	return made
}

// install installs an integration in the organization as the admin, and returns the id of the installation.
func (f *fixture) install(name string) string {
	f.Helper()
	made, err := f.Install(f.Context(), f.Admin(), name, f.Organization)
	if err != nil {
		f.Fatal(err)
	}
	return made.ID
}

// change changes an installation as the admin.
func (f *fixture) change(name, installationID string, change Change) {
	f.Helper()
	if _, err := f.UpdateInstallation(f.Context(), f.Admin(), name, installationID, change); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) addSite() id.Site {
	f.Helper()
	made, err := f.sites.Create(f.Context(), f.Admin(), f.Organization, site.NewSite{Title: "Docs"})
	if err != nil {
		f.Fatal(err)
	}
	return made.ID
}

func (f *fixture) addSpace(caller account.Caller, organization id.Organization) id.Space {
	f.Helper()
	made, err := f.spaces.Create(f.Context(), caller, organization, space.NewSpace{Title: "Guide"})
	if err != nil {
		f.Fatal(err)
	}
	return made.ID
}

// listed are the names of all integrations under a filter.
func (f *fixture) listed(caller account.Caller, filter Filter) string {
	f.Helper()
	return f.names(f.List(f.Context(), caller, filter, paging.Request{}))
}

// names are the names on the only page of a list.
func (f *fixture) names(page paging.Page[Integration], err error) string {
	f.Helper()
	if err != nil || page.Count != len(page.Items) || page.Next != nil {
		f.Fatal(page.Count, len(page.Items), page.Next, err)
	}
	var names []string
	for _, each := range page.Items {
		names = append(names, each.Name)
	}
	return strings.Join(names, " ")
}

func all() Change { return Change{SiteSelection: optional.Of(SelectAll)} }

func wantKind(t *testing.T, err error, kind errs.Kind, text string) {
	t.Helper()
	if !errs.Is(err, kind) || !strings.Contains(fmt.Sprint(err), text) {
		t.Errorf("got error %.300v, want one of kind %d with %q", err, kind, text)
	}
}
