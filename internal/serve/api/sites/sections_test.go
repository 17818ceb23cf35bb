package sites_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestFirstSectionLeavesWhatIsThere: what a site shows at its root becomes a section of its own when another one is
// added, at the same addresses, and the answer says what has moved; deleting a section says which spaces leave the
// site.
func TestFirstSectionLeavesWhatIsThere(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Handbook", "public", apptest.OnePage)
		type siteSpace struct {
			ID    string
			Space apptest.Identified
		}
		type section struct {
			ID, Title, Path string
			Default         bool
			SiteSpaces      []siteSpace
			Moved           *struct {
				SiteSection string
				SiteSpaces  []string
			}
		}
		var there struct{ Items []siteSpace }
		s.Call(http.MethodGet, site.Path+"/site-spaces", nil, http.StatusOK, &there)
		other := s.Space("Reference")
		s.Call(http.MethodPost, "/v1/spaces/"+other+"/content", `{"changes":[`+apptest.OnePage+`]}`, http.StatusOK, nil)
		add := func(body map[string]any) (made section) {
			t.Helper()
			s.Call(http.MethodPost, site.Path+"/sections", body, http.StatusCreated, &made)
			return made
		}
		sections := func() []section {
			t.Helper()
			var list struct{ Items []section }
			s.Call(http.MethodGet, site.Path+"/sections", nil, http.StatusOK, &list)
			return list.Items
		}
		made := add(map[string]any{"spaceId": other, "title": "API"})
		all := sections()
		if len(all) != 2 || all[0].Title != "Handbook" || !all[0].Default || len(all[0].SiteSpaces) != 1 ||
			all[0].SiteSpaces[0].ID != there.Items[0].ID ||
			all[1].ID != made.ID || all[1].Default || len(all[1].SiteSpaces) != 1 ||
			all[1].SiteSpaces[0].Space.ID != other {
			t.Fatalf("the sections are %+v", all)
		}
		if made.Moved == nil || made.Moved.SiteSection != all[0].ID || len(made.Moved.SiteSpaces) != 1 ||
			made.Moved.SiteSpaces[0] != there.Items[0].ID {
			t.Errorf("the answer says %+v", made.Moved)
		}
		for path, want := range map[string]int{"start": 200, "": 200, "api/start": 200} {
			if got := s.Raw(http.MethodGet, site.Home+path, "", nil); got.Status != want {
				t.Errorf("%q answers %d", path, got.Status)
			}
		}
		if second := add(map[string]any{"spaceId": other, "title": "Again"}); second.Moved != nil {
			t.Errorf("another section moves %+v", second.Moved)
		}

		// The space is in another section too, so that it stays; the next time it leaves.
		remove := func(id, prefer string) (apptest.Answer, []siteSpace) {
			t.Helper()
			request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.Base+site.Path+"/sections/"+id,
				nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+s.Token)
			if prefer != "" {
				request.Header.Set("Prefer", prefer)
			}
			got := s.Send(request)
			s.Check(http.MethodDelete, site.Path+"/sections/"+id, got)
			var said struct{ SiteSpaces []siteSpace }
			into(got, t, &said)
			return got, said.SiteSpaces
		}
		all = sections()
		if got, _ := remove(all[2].ID, ""); got.Status != http.StatusNoContent || len(got.Body) > 0 ||
			got.Header.Get("Removed-Site-Spaces") != "" {
			t.Errorf("a section whose space stays: %d %v %s", got.Status, got.Header, got.Body)
		}
		got, left := remove(made.ID, "return=representation")
		if got.Status != http.StatusOK || got.Header.Get("Removed-Site-Spaces") != all[1].SiteSpaces[0].ID ||
			len(left) != 1 || left[0].Space.ID != other {
			t.Errorf("a section whose space leaves: %d %v %s", got.Status, got.Header, got.Body)
		}
		var entries struct {
			Items []struct {
				Action  string
				Details struct{ Spaces []string }
			}
		}
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/audit?limit=1", nil, http.StatusOK, &entries)
		if len(entries.Items) != 1 || entries.Items[0].Action != "site-section.remove" ||
			strings.Join(entries.Items[0].Details.Spaces, ",") != other {
			t.Errorf("the audit log says %+v", entries.Items)
		}
		// Those of the last section go back to the root: none leaves.
		if got, _ := remove(all[0].ID, ""); got.Status != http.StatusNoContent ||
			got.Header.Get("Removed-Site-Spaces") != "" {
			t.Errorf("the last section: %d %v", got.Status, got.Header)
		}
		if got := s.Raw(http.MethodGet, site.Home+"start", "", nil); got.Status != http.StatusOK {
			t.Errorf("without sections: %d", got.Status)
		}

		// A section for the space that is there is the section of what is there.
		same := add(map[string]any{"spaceId": site.Space, "title": "Guide"})
		if all := sections(); len(all) != 1 || all[0].Title != "Guide" || len(all[0].SiteSpaces) != 1 ||
			same.Moved == nil || same.Moved.SiteSection != same.ID {
			t.Errorf("the sections are %+v, and %+v has moved", all, same.Moved)
		}
	})
}

// into decodes the body of an answer that has one.
func into(a apptest.Answer, t *testing.T, out any) {
	t.Helper()
	if len(a.Body) == 0 {
		return
	}
	if err := json.Unmarshal(a.Body, out); err != nil {
		t.Fatal(err)
	}
}
