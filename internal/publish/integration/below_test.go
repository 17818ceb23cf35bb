package integration

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/space"
)

// TestWhatIsBelowIsToldWhenItWorks holds that installations on a space and a site get their events when that of the
// organization begins to work, and ceases to, and none for a change that leaves them as they are.
func TestWhatIsBelowIsToldWhenItWorks(t *testing.T) {
	each(t, func(f *fixture) {
		ctx, admin := f.Context(), f.Admin()
		f.publish("tracker", func(p *Publication) {
			err := json.Unmarshal([]byte(`{"account":{"properties":{"key":{"type":"string"}},"required":["key"]}}`),
				&p.Configurations)
			if err != nil {
				f.Fatal(err)
			}
		})
		installation := f.install("tracker")
		site, space := f.addSite(), f.addSpace(admin, f.Organization)
		for kind, on := range map[Kind]string{OnSites: string(site), OnSpaces: string(space)} {
			if _, err := f.InstallOn(ctx, admin, "tracker", installation, kind, on); err != nil {
				f.Fatal(err)
			}
		}
		for _, step := range []struct {
			configuration string
			want          Status
			events        int
		}{{`{"key":"a"}`, Active, 3}, {`{"key":"b"}`, Active, 1}, {`{}`, Pending, 3}} {
			f.told = nil
			f.change("tracker", installation,
				Change{Configuration: optional.Of(json.RawMessage(step.configuration))})
			kinds := map[any]any{}
			for _, one := range f.told {
				kinds[one.Event["type"]] = one.Event["status"]
			}
			if len(f.told) != step.events || step.events == 3 && (kinds["site_installation_setup"] != step.want ||
				kinds["space_installation_setup"] != step.want) {
				f.Errorf("after %s it is told %+v", step.configuration, f.told)
			}
		}
	})
}

// TestWhatIsTakenInWithAllIsTold holds that spaces and sites that an installation takes in because all are get their
// events: when all are chosen, when they come, when it begins to work, when they leave, and when all are not any more.
func TestWhatIsTakenInWithAllIsTold(t *testing.T) {
	each(t, func(f *fixture) {
		ctx, admin := f.Context(), f.Admin()
		f.publish("tracker", func(p *Publication) {
			p.Configurations = configurations(t, `{"account":{"properties":{"key":{"type":"string"}},"required":["key"]},
				"space":{"properties":{"color":{"type":"string","default":"red"}}}}`)
		})
		installation := f.install("tracker")
		site, first := f.addSite(), f.addSpace(admin, f.Organization)
		own := f.addSpace(admin, f.Organization)
		if _, err := f.InstallOn(ctx, admin, "tracker", installation, OnSpaces, string(own)); err != nil {
			f.Fatal(err)
		}
		var second string
		step := func(name string, wants []string, do func() error) {
			f.Helper()
			f.told = nil
			if err := do(); err != nil {
				f.Fatalf("%s: %v", name, err)
			}
			told := []string{}
			for _, one := range f.told {
				previous, _ := one.Event["previous"].(map[string]any)
				told = append(told, fmt.Sprintf("%v %v%v %v %v %s", one.Event["type"], one.Level.Space, one.Level.Site,
					one.Event["status"], previous["status"], one.Before["color"]))
			}
			slices.Sort(told)
			slices.Sort(wants)
			if !slices.Equal(told, wants) {
				f.Errorf("%s: it is told\n%q, want\n%q", name, told, wants)
			}
		}
		configure := func(change Change) func() error {
			return func() error {
				_, err := f.UpdateInstallation(ctx, admin, "tracker", installation, change)
				return err
			}
		}
		const none = "<nil> %!s(<nil>)"
		setup := func(kind, on string, rest string) string { return kind + "_installation_setup " + on + " " + rest }
		step("all are chosen", []string{setup("space", string(first), "pending "+none),
			setup("site", string(site), "pending "+none)}, configure(Change{SpaceSelection: optional.Of(SelectAll),
			SiteSelection: optional.Of(SelectAll)}))
		step("nothing changes", []string{}, configure(Change{SpaceSelection: optional.Of(SelectAll)}))
		step("it works", []string{"installation_setup  active pending %!s(<nil>)",
			setup("space", string(first), `active pending "red"`), setup("space", string(own), `active pending "red"`),
			setup("site", string(site), "active pending %!s(<nil>)")},
			configure(Change{Configuration: optional.Of(json.RawMessage(`{"key":"a"}`))}))
		f.told = nil
		second = string(f.addSpace(admin, f.Organization))
		made := f.addSite()
		if len(f.told) != 2 || f.told[0].Level.Space != "" && string(f.told[0].Level.Space) != second ||
			f.told[1].Level.Site != made {
			f.Errorf("of what came it is told %+v", f.told)
		}
		step("a site is removed", []string{`site_installation_deleted  <nil> <nil> %!s(<nil>)`}, func() error {
			return f.sites.Delete(ctx, admin, f.Organization, made)
		})
		later := time.Now().Add(space.Retention + time.Hour)
		if err := f.spaces.Delete(ctx, admin, first); err != nil {
			f.Fatal(err)
		}
		step("a space is removed for good", []string{`space_installation_deleted  <nil> <nil> "red"`}, func() error {
			_, err := f.spaces.Purge(ctx, later)
			return err
		})
		step("only some are chosen", []string{`space_installation_deleted  <nil> <nil> "red"`},
			configure(Change{SpaceSelection: optional.Of(SelectSelected)}))
		step("it is removed", []string{`space_installation_deleted  <nil> <nil> "red"`,
			`site_installation_deleted  <nil> <nil> %!s(<nil>)`, `installation_deleted  <nil> <nil> %!s(<nil>)`},
			func() error { return f.Uninstall(ctx, admin, "tracker", installation) })
	})
}
