package notifications_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

type notified struct {
	Items []struct {
		Object, ID, Kind, ReadAt, Page, Comment, Reply, Text string
		Actor                                                apptest.Identified
		ChangeRequest                                        *struct {
			Number  int
			Subject string
		}
		Import *struct{ Pages, Files int }
		URLs   struct{ App string }
	}
	Count int
}

// TestEverybodyIsToldOfWhatConcernsThem walks a change request from the request for a review to its merge.
func TestEverybodyIsToldOfWhatConcernsThem(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, map[string]string{"README.md": "# Welcome\n\nFirst words.\n"}))
		grace, graceID := s.Person(org.RoleReview, "grace@example.org")
		outsider, _ := s.Person(org.RoleRead, "reader@example.org")
		list := "/v1/orgs/" + s.Organization + "/notifications"
		told := func(token, query string) (kinds []string, found notified) {
			t.Helper()
			s.CallAs(token, http.MethodGet, list+query, nil, http.StatusOK, &found)
			for _, item := range found.Items {
				kinds = append(kinds, item.Kind)
			}
			return kinds, found
		}
		wants := func(token string, want ...string) notified {
			t.Helper()
			kinds, found := told(token, "")
			if !slices.Equal(kinds, want) || found.Count != len(want) {
				t.Fatalf("told of %q, %d in all, want %q", kinds, found.Count, want)
			}
			return found
		}
		// Nobody is told of an import that they waited for.
		wants(s.Token)
		uploadInBackground(t, s, space)
		if found := wants(s.Token, "import"); found.Items[0].Text != "1 page, 0 files" ||
			found.Items[0].Import == nil || found.Items[0].Import.Pages != 1 || found.Items[0].Import.Files != 0 {
			t.Errorf("an import that is over: %+v", found.Items[0])
		}

		request := "/v1/spaces/" + space + "/change-requests"
		var made struct{ Number int }
		s.Call(http.MethodPost, request, map[string]any{"subject": "Better words"}, http.StatusCreated, &made)
		request += "/1"
		s.Call(http.MethodPost, request+"/requested-reviewers", map[string]any{"users": []string{graceID}},
			http.StatusOK, nil)
		item := wants(grace, "review-request").Items[0]
		if item.Import != nil || item.ChangeRequest == nil || item.ChangeRequest.Number != 1 ||
			item.ChangeRequest.Subject != "Better words" || item.Actor.ID == "" ||
			!strings.HasSuffix(item.URLs.App, "/app/spaces/"+space+"/changes/1") {
			t.Errorf("a request for a review: %+v", item)
		}
		var comment, reply apptest.Identified
		s.CallAs(grace, http.MethodPost, request+"/comments", markdown("What of **this**?"), http.StatusOK, &comment)
		s.Call(http.MethodPost, request+"/comments/"+comment.ID+"/replies", markdown("That."), http.StatusOK, &reply)
		if item := wants(grace, "reply", "review-request").Items[0]; item.Text != "That." || item.Reply != reply.ID ||
			!strings.HasSuffix(item.URLs.App, "/app/spaces/"+space+"/changes/1?comment="+comment.ID) {
			t.Errorf("a reply: %+v", item)
		}
		s.Call(http.MethodPut, request+"/comments/"+comment.ID+"/replies/"+reply.ID, markdown("Nothing secret."),
			http.StatusOK, nil)
		if item := wants(grace, "reply", "review-request").Items[0]; item.Text != "Nothing secret." {
			t.Errorf("a reply that was changed is told as %q", item.Text)
		}
		s.Call(http.MethodPut, request+"/comments/"+comment.ID, map[string]any{"resolved": true}, http.StatusOK, nil)
		wants(grace, "resolve", "reply", "review-request")
		s.Call(http.MethodDelete, request+"/comments/"+comment.ID+"/replies/"+reply.ID, nil, http.StatusNoContent, nil)
		wants(grace, "resolve", "review-request")
		s.CallAs(grace, http.MethodPost, request+"/reviews", map[string]any{"status": "approved"},
			http.StatusCreated, nil)
		wants(s.Token, "review", "import")
		s.Call(http.MethodPost, request+"/merge", nil, http.StatusOK, nil)
		wants(grace, "merge", "resolve", "review-request")
		wants(s.Token, "review", "import")

		// Whoever is named in a comment is told so once.
		mention := markdown("See [Grace](/users/" + graceID + ` "mention").`)
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/comments", mention, http.StatusOK, &comment)
		s.Call(http.MethodPut, "/v1/spaces/"+space+"/comments/"+comment.ID, mention, http.StatusOK, nil)
		found := wants(grace, "mention", "merge", "resolve", "review-request")
		if item := found.Items[0]; item.Text != "See @Someone." {
			t.Errorf("a mention is told as %q", item.Text)
		}
		wants(outsider)

		s.CallAs(outsider, http.MethodPost, list+"/read", map[string]any{"notifications": []string{found.Items[0].ID}},
			http.StatusNoContent, nil)
		s.CallAs(grace, http.MethodPost, list+"/read", map[string]any{"notifications": []string{found.Items[1].ID}},
			http.StatusNoContent, nil)
		kinds, _ := told(grace, "?read=false")
		if !slices.Equal(kinds, []string{"mention", "resolve", "review-request"}) {
			t.Errorf("not read are %q", kinds)
		}
		s.Call(http.MethodDelete, "/v1/spaces/"+space+"/comments/"+comment.ID, nil, http.StatusNoContent, nil)
		if kinds, _ := told(grace, "?read=false"); !slices.Equal(kinds, []string{"resolve", "review-request"}) {
			t.Errorf("after the comment is gone %q", kinds)
		}

		settings := "/v1/user/notification-settings"
		var chosen struct{ Mail string }
		s.CallAs(grace, http.MethodPut, settings, map[string]any{"mail": "never"}, http.StatusOK, nil)
		s.CallAs(grace, http.MethodGet, settings, nil, http.StatusOK, &chosen)
		if chosen.Mail != "never" {
			t.Errorf("the setting is %q", chosen.Mail)
		}
		s.Refused(http.MethodPut, settings, map[string]any{"mail": "weekly"}, http.StatusBadRequest, "at-once")
		_, elsewhere := s.Elsewhere()
		if got := s.Raw(http.MethodGet, list, elsewhere, nil); got.Status != http.StatusNotFound {
			t.Errorf("somebody of another organization gets %d", got.Status)
		}
	})
}

func markdown(text string) map[string]any {
	return map[string]any{"body": map[string]any{"markdown": text}}
}

// uploadInBackground imports a page without waiting, and returns when it is there.
func uploadInBackground(t *testing.T, s *apptest.Server, space string) {
	t.Helper()
	file := apptest.Zipped(t, map[string]string{"news.md": "# News\n\nOf today.\n"})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+"/v1/spaces/"+space+
		"/content/upload?name=news.zip", bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.Token)
	request.Header.Set("Prefer", "respond-async")
	got := s.Send(request)
	if got.Status != http.StatusAccepted {
		t.Fatalf("started: %d %s", got.Status, got.Body)
	}
	var record struct{ State string }
	for deadline := time.Now().Add(30 * time.Second); record.State != "done"; time.Sleep(20 * time.Millisecond) {
		s.Call(http.MethodGet, strings.TrimPrefix(got.Header.Get("Location"), s.Base), nil, 200, &record)
		if record.State == "failed" || time.Now().After(deadline) {
			t.Fatalf("import: %+v", record)
		}
	}
}
