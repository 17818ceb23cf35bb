package spaces_test

import (
	"net/http"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestTransferLeavesPeopleBehind holds that a space which goes to another organization takes its change requests with
// it, and nothing that names people who are not there.
func TestTransferLeavesPeopleBehind(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Going")
		path := "/v1/spaces/" + space
		token := s.Member(org.Role("review"), "grace@example.org")
		var grace struct{ ID string }
		s.CallAs(token, http.MethodGet, "/v1/user", nil, http.StatusOK, &grace)
		s.Call(http.MethodPost, path+"/change-requests", `{"subject":"Kept"}`, http.StatusCreated, nil)
		s.Call(http.MethodPost, path+"/change-requests/1/requested-reviewers", `{"users":["`+grace.ID+`"]}`,
			http.StatusOK, nil)
		s.Call(http.MethodPatch, path,
			`{"mergeRules":{"type":"rules","rules":[{"rule":"require_specific_reviewers","users":["`+grace.ID+`"]}]}}`,
			http.StatusOK, nil)

		var other struct{ ID string }
		s.Call(http.MethodPost, "/v1/orgs",
			`{"title":"Others","emailDomains":[],"type":"business","useCase":"docsSite"}`, http.StatusCreated, &other)
		s.Call(http.MethodPost, path+"/transfer", `{"organization":"`+other.ID+`"}`, http.StatusOK, nil)

		var moved struct {
			Organization   string
			ChangeRequests int
			MergeRules     struct{ Type string }
		}
		s.Call(http.MethodGet, path, nil, http.StatusOK, &moved)
		if moved.Organization != other.ID || moved.ChangeRequests != 1 || moved.MergeRules.Type != "inherit" {
			t.Errorf("the space is %+v", moved)
		}
		var reviewers struct{ Count int }
		s.Call(http.MethodGet, path+"/change-requests/1/requested-reviewers", nil, http.StatusOK, &reviewers)
		if reviewers.Count != 0 {
			t.Errorf("%d requested reviewers came along", reviewers.Count)
		}
		var list struct{ Items []struct{ Subject string } }
		s.Call(http.MethodGet, "/v1/orgs/"+other.ID+"/change-requests", nil, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].Subject != "Kept" {
			t.Errorf("the change requests of the new organization are %+v", list)
		}
		s.CallAs(token, http.MethodGet, path, nil, http.StatusNotFound, nil)
	})
}
