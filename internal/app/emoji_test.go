package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestAnEmptyEmojiIsNone holds that "" is no emoji wherever one can be sent: on making, where there is none, and where
// there is one, which it takes away. A space without an emoji answers with "", so that what was read can be sent back.
func TestAnEmptyEmojiIsNone(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		type pictured struct {
			ID, Emoji string
			URLs      struct{ Icon string }
		}
		var space pictured
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", `{"title":"Guide","emoji":""}`,
			http.StatusCreated, &space)
		at := "/v1/spaces/" + space.ID
		set := func(body string) (got pictured) {
			t.Helper()
			s.Call(http.MethodPatch, at, body, http.StatusOK, &got)
			return got
		}
		if got := set(`{"emoji":"1f680"}`); got.Emoji != "🚀" {
			t.Fatalf("an emoji: %+v", got)
		}
		if got := set(`{"emoji":""}`); got.Emoji != "" {
			t.Errorf("taken away: %+v", got)
		}
		const icon = "https://example.org/i.png"
		if got := set(`{"emoji":"","icon":"` + icon + `"}`); got.URLs.Icon != icon {
			t.Errorf("an icon beside no emoji: %+v", got)
		}
		if got := set(`{"title":"Guide","emoji":""}`); got.URLs.Icon != icon {
			t.Errorf("what was read and sent back has taken the icon away: %+v", got)
		}
		if got := set(`{"icon":""}`); got.URLs.Icon != "" {
			t.Errorf("no icon: %+v", got)
		}

		var written struct {
			Changes []struct{ Page struct{ ID string } }
		}
		s.Call(http.MethodPost, at+"/content", `{"changes":[{"operation":"insert_page","title":"Start","emoji":""}]}`,
			http.StatusOK, &written)
		page := written.Changes[0].Page.ID
		for emoji, want := range map[string]string{"1f4d8": "1f4d8", "": ""} {
			s.Call(http.MethodPost, at+"/content", `{"changes":[{"operation":"update_page","page":"`+page+`","emoji":"`+
				emoji+`"}]}`, http.StatusOK, nil)
			got := s.Call(http.MethodGet, at+"/content/page/"+page, nil, http.StatusOK, nil)
			if strings.Contains(string(got.Body), `"emoji":"`) != (want != "") {
				t.Errorf("%q: %s", emoji, got.Body)
			}
		}

		site, _ := s.PublishedSite("Docs", space.ID)
		customization := "/v1/orgs/" + s.Organization + "/sites/" + site + "/customization"
		var whole map[string]any
		s.Call(http.MethodGet, customization, nil, http.StatusOK, &whole)
		for _, emoji := range []string{"1f4d8", ""} {
			whole["favicon"] = map[string]any{"emoji": emoji}
			var got struct{ Favicon map[string]any }
			s.Call(http.MethodPut, customization, whole, http.StatusOK, &got)
			if has := got.Favicon["emoji"] != nil; has != (emoji != "") {
				t.Errorf("favicon %q: %v", emoji, got.Favicon)
			}
		}
	})
}
