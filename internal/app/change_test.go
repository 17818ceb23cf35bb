package app_test

import (
	"net/http"
	"testing"
)

// changeRequest is the wire form of a change request as far as tests look at it.
type changeRequest struct {
	ID, Status, Subject, Space, Revision, RevisionInitial, RevisionMergedAncestor, RevisionMerged string
	Number, Comments                                                                              int
	Outdated                                                                                      bool
	Description                                                                                   any
	CreatedBy, MergedBy                                                                           struct{ ID, DisplayName string }
	URLs                                                                                          struct{ App, Location string }
}

// changeRequestList is a page of change requests.
type changeRequestList struct {
	Items []changeRequest
	Count int
	Next  *struct{ Page string }
}

func TestChangeRequests(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		base := "/v1/spaces/" + space + "/change-requests"
		var first, second changeRequest
		got := s.call(http.MethodPost, base, nil, http.StatusCreated, &first)
		if got.header.Get("Location") != s.base+base+"/"+first.ID || first.URLs.Location != got.header.Get("Location") {
			t.Errorf("Location %q of %+v", got.header.Get("Location"), first)
		}
		s.call(http.MethodPost, base, `{"subject":"Second","status":"open","description":{"markdown":"Why *so*."}}`, http.StatusCreated, &second)
		if first.Number != 1 || first.Status != "draft" || second.Number != 2 || second.Status != "open" || second.Description == nil || second.CreatedBy.DisplayName != "Ada" {
			t.Errorf("made %+v and %+v", first, second)
		}
		for _, name := range []string{second.ID, "2"} {
			var read changeRequest
			s.call(http.MethodGet, base+"/"+name, nil, http.StatusOK, &read)
			if read.ID != second.ID || read.Subject != "Second" {
				t.Errorf("%s: %+v", name, read)
			}
		}
		var list changeRequestList
		s.call(http.MethodGet, base, nil, http.StatusOK, &list)
		if list.Count != 1 || len(list.Items) != 1 || list.Items[0].ID != second.ID {
			t.Errorf("open ones: %+v", list)
		}
		s.call(http.MethodGet, base+"?status=draft", nil, http.StatusOK, &list)
		if list.Count != 1 || list.Items[0].ID != first.ID {
			t.Errorf("drafts: %+v", list)
		}
		var counted struct{ ChangeRequests, ChangeRequestsOpen, ChangeRequestsDraft int }
		s.call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &counted)
		if counted.ChangeRequests != 2 || counted.ChangeRequestsOpen != 1 || counted.ChangeRequestsDraft != 1 {
			t.Errorf("counters %+v", counted)
		}
	})
}
