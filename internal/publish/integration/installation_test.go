package integration

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestTargets holds that an integration is installed on nothing that it is not for.
func TestTargets(t *testing.T) {
	each(t, func(f *fixture) {
		ctx, admin := f.Context(), f.Admin()
		f.publish("sites", func(p *Publication) { p.Target = TargetSite })
		installation := f.install("sites")
		_, err := f.InstallOn(ctx, admin, "sites", installation, OnSpaces, string(f.addSpace(admin, f.Organization)))
		wantKind(f.T, err, errs.Conflict, "not for spaces")
		_, err = f.UpdateInstallation(ctx, admin, "sites", installation,
			Change{SpaceSelection: optional.Of(SelectAll)})
		wantKind(f.T, err, errs.Invalid, "space_selection")
		f.change("sites", installation, all())
		for target, want := range map[Target]int{"": 1, TargetOrganization: 1, TargetSite: 1, TargetSpace: 0} {
			list, err := f.StatusesInOrganization(ctx, admin, f.Organization, target, paging.Request{})
			if err != nil || list.Count != want || len(list.Items) != want {
				f.Errorf("%q: %+v %v", target, list, err)
			}
		}
		siteID := f.addSite()
		if got := f.names(f.InSite(ctx, admin, f.Organization, siteID, "", paging.Request{})); got != "sites" {
			f.Errorf("on the site: %q", got)
		}
		// With the next version it is for organizations alone.
		f.publish("sites", func(p *Publication) { p.Target = TargetOrganization })
		if got := f.names(f.InSite(ctx, admin, f.Organization, siteID, "", paging.Request{})); got != "" {
			f.Errorf("on the site, later: %q", got)
		}
	})
}

func TestChangesThatAreRefused(t *testing.T) {
	each(t, func(f *fixture) {
		f.publish("tracker", func(p *Publication) {
			p.Configurations = configurations(t, `{"account":{"properties":{"key":{"type":"string"},
				"zone":{"type":"string","enum":["eu","us"],"default":"eu"}},"required":["key","zone"]}}`)
		})
		installation := f.install("tracker")
		_, err := f.Install(f.Context(), f.Admin(), "tracker", f.Organization)
		wantKind(f.T, err, errs.Conflict, "installed in this organization already")
		configured := func(text string) Change {
			return Change{Configuration: optional.Of(json.RawMessage(text))}
		}
		deep := func(levels int) Change {
			return configured(`{"key":"k","a":` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + `}`)
		}
		for name, test := range map[string]struct {
			change Change
			says   string
		}{
			"type":             {configured(`{"key":5}`), "configuration.key"},
			"list":             {configured(`{"key":"k","zone":"asia"}`), "configuration.zone"},
			"no object":        {configured(`[]`), "configuration"},
			"deep":             {deep(100), "levels"},
			"very deep":        {deep(20_000), ""},
			"large":            {configured(`{"key":"` + strings.Repeat("k", 64<<10) + `"}`), "bytes"},
			"six external ids": {Change{ExternalIDs: optional.Of(strings.Split("123456", ""))}, "externalIds"},
			"long external id": {Change{ExternalIDs: optional.Of([]string{strings.Repeat("1", 256)})},
				"externalIds[0]"},
			"selection": {Change{SpaceSelection: optional.Of(Selection("some"))}, "space_selection"},
		} {
			_, err := f.UpdateInstallation(f.Context(), f.Admin(), "tracker", installation, test.change)
			if err == nil {
				f.Errorf("%s is taken", name)
			}
			wantKind(f.T, err, errs.Invalid, test.says)
		}
		after, err := f.Installation(f.Context(), f.Admin(), "tracker", installation)
		if err != nil || after.Status != Pending || len(after.ExternalIDs) != 0 || len(after.Configuration) != 1 {
			f.Errorf("what was refused has changed it: %+v %v", after, err)
		}
	})
}

// TestInstallationOfOthers holds that an installation is there for its organization alone, and what is left of it when
// the integration is no more offered.
func TestInstallationOfOthers(t *testing.T) {
	each(t, func(f *fixture) {
		ctx, eve := f.Context(), f.Stranger
		f.publish("tracker", func(p *Publication) { p.Blocks = []Block{{ID: "b", Title: "Block"}} })
		theirs, err := f.Install(ctx, eve, "tracker", f.Other)
		if err != nil {
			t.Fatal(err)
		}
		// Even who has published it finds no installation of others.
		creator := f.Members[org.RoleCreate]
		_, err = f.Installation(ctx, creator, "tracker", theirs.ID)
		wantKind(f.T, err, errs.NotFound, "")
		list, err := f.Installations(ctx, creator, "tracker", "", paging.Request{})
		if err != nil || list.Count != 0 || len(list.Items) != 0 {
			f.Errorf("an installation of others is listed: %+v %v", list, err)
		}
		there := f.addSpace(eve, f.Other)
		_, err = f.InstallOn(ctx, eve, "tracker", theirs.ID, OnSpaces, string(f.addSpace(f.Admin(), f.Organization)))
		wantKind(f.T, err, errs.NotFound, "")
		if _, err = f.InstallOn(ctx, eve, "tracker", theirs.ID, OnSpaces, string(there)); err != nil {
			t.Fatal(err)
		}
		blocks, err := f.BlocksInSpace(ctx, eve, there)
		if err != nil || len(blocks) != 1 || blocks[0].Name != "tracker" || blocks[0].Blocks[0].ID != "b" {
			f.Errorf("blocks: %+v %v", blocks, err)
		}

		f.publish("tracker", func(p *Publication) { p.Visibility = Private })
		if theirs, err = f.Installation(ctx, eve, "tracker", theirs.ID); err != nil || theirs.Status != Paused {
			f.Errorf("of a private integration of others: %+v %v", theirs, err)
		}
		if _, err := f.Get(ctx, eve, "tracker"); err != nil {
			f.Errorf("what is installed is not there: %v", err)
		}
		if got := f.names(f.InSpace(ctx, eve, there, "", paging.Request{})); got != "" {
			f.Errorf("in the space: %q", got)
		}
		f.publish("tracker", nil)
		if got := f.names(f.InSpace(ctx, eve, there, "", paging.Request{})); got != "tracker" {
			f.Errorf("in the space, public again: %q", got)
		}
		// A space leaves its integrations behind with its organization.
		if _, err := f.Organizations.AddUser(ctx, org.NewMember{Email: f.Admin().User.Email, Organization: f.Other,
			Role: org.RoleAdmin}); err != nil {
			t.Fatal(err)
		}
		if _, err := f.spaces.Transfer(ctx, f.Admin(), there, space.Target{Organization: f.Organization}); err != nil {
			t.Fatal(err)
		}
		left, err := f.ContentOf(ctx, eve, "tracker", theirs.ID, OnSpaces, paging.Request{})
		if err != nil || left.Count != 0 {
			f.Errorf("a space that left is listed: %+v %v", left, err)
		}
		if err := f.Unpublish(ctx, f.Admin(), "tracker"); err != nil {
			t.Fatal(err)
		}
		f.publish("tracker", nil)
		_, err = f.Installation(ctx, eve, "tracker", theirs.ID)
		wantKind(f.T, err, errs.NotFound, "")
	})
}

// TestSiteScripts holds which scripts integrations put on a site.
func TestSiteScripts(t *testing.T) {
	each(t, func(f *fixture) {
		ctx, admin := f.Context(), f.Admin()
		policy := "script-src https://count.example"
		f.publish("counter", func(p *Publication) {
			p.Scopes, p.Policy.Text = []Scope{ScopeScript, ScopeCookies}, &policy
			p.Configurations = configurations(t, `{"site":{"properties":{"key":{"type":"string"}},"required":["key"]}}`)
		})
		f.publish("reader", func(p *Publication) { p.Scopes = []Scope{"site:views:read"} })
		f.publish("banner", func(p *Publication) { p.Target = TargetSite })
		f.publish("spaces", func(p *Publication) { p.Target = TargetSpace })
		siteID := f.addSite()
		f.change("reader", f.install("reader"), all())
		f.change("banner", f.install("banner"), all())
		f.install("spaces")
		counter := f.install("counter")
		want := func(when, want string) {
			f.Helper()
			scripts, _, err := f.SiteScripts(ctx, siteID)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, each := range scripts {
				found = append(found, fmt.Sprint(each.Integration, " ", each.Cookies, " ", each.Policy))
				if !strings.HasPrefix(each.Script, "http://localhost:8080/") {
					f.Errorf("the script is at %q", each.Script)
				}
			}
			if got := strings.Join(found, ", "); got != want {
				f.Errorf("%s: %q, want %q", when, got, want)
			}
		}
		want("before", "banner false ")
		if _, err := f.InstallOn(ctx, admin, "counter", counter, OnSites, string(siteID)); err != nil {
			t.Fatal(err)
		}
		want("without a configuration", "banner false ")
		if _, err := f.UpdateOn(ctx, admin, "counter", counter, OnSites, string(siteID),
			Change{Configuration: optional.Of(json.RawMessage(`{"key":"k"}`))}); err != nil {
			t.Fatal(err)
		}
		want("configured", "banner false , counter true "+policy)
	})
}
