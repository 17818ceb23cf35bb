package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestFirstSectionLeavesWhatIsThere: what a site shows at its root becomes a section of its own when another one is
// added, at the same addresses, and the answer says what has moved; deleting a section says which spaces leave the
// site.
func TestFirstSectionLeavesWhatIsThere(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site := s.audienceSite("Handbook", "public", onePage)
		type siteSpace struct {
			ID    string
			Space identified
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
		s.call(http.MethodGet, site.path+"/site-spaces", nil, http.StatusOK, &there)
		other := s.space("Reference")
		s.call(http.MethodPost, "/v1/spaces/"+other+"/content", `{"changes":[`+onePage+`]}`, http.StatusOK, nil)
		add := func(body map[string]any) (made section) {
			t.Helper()
			s.call(http.MethodPost, site.path+"/sections", body, http.StatusCreated, &made)
			return made
		}
		sections := func() []section {
			t.Helper()
			var list struct{ Items []section }
			s.call(http.MethodGet, site.path+"/sections", nil, http.StatusOK, &list)
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
			if got := s.raw(http.MethodGet, site.home+path, "", nil); got.status != want {
				t.Errorf("%q answers %d", path, got.status)
			}
		}
		if second := add(map[string]any{"spaceId": other, "title": "Again"}); second.Moved != nil {
			t.Errorf("another section moves %+v", second.Moved)
		}

		// The space is in another section too, so that it stays; the next time it leaves.
		remove := func(id, prefer string) (answer, []siteSpace) {
			t.Helper()
			request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.base+site.path+"/sections/"+id,
				nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+s.token)
			if prefer != "" {
				request.Header.Set("Prefer", prefer)
			}
			got := s.send(request)
			s.check(http.MethodDelete, site.path+"/sections/"+id, got)
			var said struct{ SiteSpaces []siteSpace }
			got.into(t, &said)
			return got, said.SiteSpaces
		}
		all = sections()
		if got, _ := remove(all[2].ID, ""); got.status != http.StatusNoContent || len(got.body) > 0 ||
			got.header.Get("Removed-Site-Spaces") != "" {
			t.Errorf("a section whose space stays: %d %v %s", got.status, got.header, got.body)
		}
		got, left := remove(made.ID, "return=representation")
		if got.status != http.StatusOK || got.header.Get("Removed-Site-Spaces") != all[1].SiteSpaces[0].ID ||
			len(left) != 1 || left[0].Space.ID != other {
			t.Errorf("a section whose space leaves: %d %v %s", got.status, got.header, got.body)
		}
		var entries struct {
			Items []struct {
				Action  string
				Details struct{ Spaces []string }
			}
		}
		s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/audit?limit=1", nil, http.StatusOK, &entries)
		if len(entries.Items) != 1 || entries.Items[0].Action != "site-section.remove" ||
			strings.Join(entries.Items[0].Details.Spaces, ",") != other {
			t.Errorf("the audit log says %+v", entries.Items)
		}
		// Those of the last section go back to the root: none leaves.
		if got, _ := remove(all[0].ID, ""); got.status != http.StatusNoContent ||
			got.header.Get("Removed-Site-Spaces") != "" {
			t.Errorf("the last section: %d %v", got.status, got.header)
		}
		if got := s.raw(http.MethodGet, site.home+"start", "", nil); got.status != http.StatusOK {
			t.Errorf("without sections: %d", got.status)
		}

		// A section for the space that is there is the section of what is there.
		same := add(map[string]any{"spaceId": site.space, "title": "Guide"})
		if all := sections(); len(all) != 1 || all[0].Title != "Guide" || len(all[0].SiteSpaces) != 1 ||
			same.Moved == nil || same.Moved.SiteSection != same.ID {
			t.Errorf("the sections are %+v, and %+v has moved", all, same.Moved)
		}
	})
}

// into decodes the body of an answer that has one.
func (a answer) into(t *testing.T, out any) {
	t.Helper()
	if len(a.body) == 0 {
		return
	}
	if err := json.Unmarshal(a.body, out); err != nil {
		t.Fatal(err)
	}
}
