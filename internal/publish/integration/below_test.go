package integration

import (
	"encoding/json"
	"testing"

	"github.com/rectodocs/recto/internal/base/optional"
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
