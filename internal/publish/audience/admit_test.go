package audience_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
)

// TestPreviewOpensNothingElse asks for the preview of one of several spaces that conditions hide: the others stay
// hidden, and so does the one as soon as the preview may not be seen.
func TestPreviewOpensNothingElse(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t))
	const hidden = "visitor.claims.staff === true"
	for name, spaces := range map[string][]site.ServedSpace{
		"sections": {
			{ID: "open", Space: "a", Section: "one", Default: true},
			{ID: "previewed", Space: "b", Section: "two", Default: true, Path: "b"},
			{ID: "beside", Space: "c", Section: "two", Path: "c"},
			{ID: "alike", Space: "d", Section: "three", Default: true},
		},
		"variants": {
			{ID: "open", Space: "a", Default: true},
			{ID: "previewed", Space: "b", Path: "two", Condition: hidden},
			{ID: "alike", Space: "d", Path: "three", Condition: hidden},
		},
	} {
		served := &site.Served{Spaces: spaces}
		if name == "sections" {
			served.Sections = []site.ServedSection{{ID: "one", Path: "one", Default: true},
				{ID: "two", Path: "two", Condition: hidden}, {ID: "three", Path: "three", Condition: hidden}}
		}
		for _, visibility := range []site.Visibility{site.VisibilityPublic, site.VisibilityShareLink} {
			for _, may := range []bool{true, false} {
				served.Site = site.Site{ID: f.site.ID, Organization: f.organization, Visibility: visibility}
				verdict, err := f.service.Admit(t.Context(), served, audience.Visitor{Path: "two/~/changes/1/",
					MayPreview: func(_ context.Context, space site.ServedSpace, _ audience.Preview) (bool, error) {
						return may && space.ID == "previewed", nil
					}})
				if err != nil {
					t.Fatal(err)
				}
				var left []id.SiteSpace
				if verdict.Site != nil {
					for _, space := range verdict.Site.Spaces {
						left = append(left, space.ID)
					}
				}
				want := map[site.Visibility]map[bool]string{
					site.VisibilityPublic:    {true: "[open previewed]", false: "[open]"},
					site.VisibilityShareLink: {true: "[previewed]", false: "[]"},
				}[visibility][may]
				if got := fmt.Sprint(left); got != want {
					t.Errorf("%s on a %s site, may preview: %t: there is %s, want %s", name, visibility, may, got, want)
				}
			}
		}
	}
}
