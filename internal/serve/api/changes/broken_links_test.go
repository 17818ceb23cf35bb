package changes_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestMergeRuleOfBrokenLinks holds that a change request which breaks a link elsewhere says so, and that a custom rule
// can refuse it.
func TestMergeRuleOfBrokenLinks(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		path := "/v1/spaces/" + space
		var made struct {
			Changes []struct{ Page struct{ ID string } }
		}
		s.Call(http.MethodPost, path+"/content", `{"changes":[
			{"operation":"insert_page","title":"Target","ref":"target"},
			{"operation":"insert_page","title":"Source","document":{"markdown":"See [the target](/pages/target).\n"}}]}`, http.StatusOK, &made)
		s.Call(http.MethodPatch, path,
			`{"mergeRules":{"type":"rules","rules":[{"rule":"custom","expression":"changeRequest.links.broken === 0","message":"Mend the links first."}]}}`, http.StatusOK, nil)
		request := path + "/change-requests/1"
		s.Call(http.MethodPost, path+"/change-requests", `{"subject":"Remove the target"}`, http.StatusCreated, nil)
		s.Call(http.MethodPost, request+"/content", `{"changes":[{"operation":"delete_page","page":"`+made.Changes[0].
			Page.ID+`"}]}`, http.StatusOK, nil)

		var links struct {
			Count int
			Stats struct {
				Broken struct{ Total, ChangeRequest int }
			}
		}
		s.Call(http.MethodGet, request+"/links?added=true", nil, http.StatusOK, &links)
		if links.Count != 1 || links.Stats.Broken.ChangeRequest != 1 {
			t.Errorf("links that it breaks: %+v", links)
		}
		var changes struct{ BrokenLinks *int }
		s.Call(http.MethodGet, request+"/changes", nil, http.StatusOK, &changes)
		if changes.BrokenLinks == nil || *changes.BrokenLinks != 1 {
			t.Errorf("the change request says that it breaks %v links", changes.BrokenLinks)
		}
		refused := s.Call(http.MethodPost, request+"/merge", nil, http.StatusConflict, nil)
		if !strings.Contains(string(refused.Body), "Mend the links first.") {
			t.Errorf("refused with %s", refused.Body)
		}
		s.Call(http.MethodPost, request+"/content", `{"changes":[{"operation":"update_page","page":"`+made.Changes[1].
			Page.ID+`","document":{"markdown":"See nothing.\n"}}]}`, http.StatusOK, nil)
		s.Call(http.MethodPost, request+"/merge", nil, http.StatusOK, nil)
	})
}
