package searches_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/serve/api/searches"
)

// TestSearchStatusIsOfOneOrganization holds that the state of search counts the spaces of the organization that was
// asked about and of no other, that a refresh begins for these alone, and that neither the key nor the address of the
// endpoint is told.
func TestSearchStatusIsOfOneOrganization(t *testing.T) {
	model := &apptest.EmbeddingModel{}
	apptest.OnBothWith(t, apptest.WithEmbeddings(t, model, config.EmbedPublic), func(t *testing.T, s *apptest.Server) {
		s.NewSite("Open", "public", aboutVessels)
		private := s.Space("Private")
		s.Call(http.MethodPost, "/v1/spaces/"+private+"/content",
			`{"changes":[`+strings.ReplaceAll(aboutVessels, "vessel", "secret vessel")+`]}`, http.StatusOK, nil)
		var others, theirs apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Others"}`, http.StatusCreated, &others)
		s.Call(http.MethodPost, "/v1/orgs/"+others.ID+"/spaces", `{"title":"Theirs"}`, http.StatusCreated, &theirs)
		status := func(organization string) (status searches.SearchStatus) {
			t.Helper()
			var raw json.RawMessage
			s.Call(http.MethodGet, "/v1/orgs/"+organization+"/search/status", "", http.StatusOK, &raw)
			if text := string(raw); strings.Contains(text, "sesame") || strings.Contains(text, "127.0.0.1") {
				t.Errorf("the key or the address is in %s", text)
			}
			if err := json.Unmarshal(raw, &status); err != nil {
				t.Fatal(err)
			}
			return status
		}
		want := searches.SearchStatus{Object: "search-status", Index: searches.SearchIndexStatus{Spaces: 2},
			Embeddings: &searches.EmbeddingStatus{Model: "small", Content: "public"}}
		if difference := cmp.Diff(want, status(s.Organization)); difference != "" {
			t.Errorf("before anything is read (-want +got):\n%s", difference)
		}
		var begun searches.SearchStatus
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/search/refresh", "", http.StatusAccepted, &begun)
		if begun.Object != "search-status" {
			t.Errorf("the answer to a refresh is %+v", begun)
		}
		want.Index = searches.SearchIndexStatus{Spaces: 2, Current: 2, Pages: 4}
		want.Embeddings = &searches.EmbeddingStatus{Model: "small", Content: "public", Spaces: 2, Passages: 4,
			Embedded: 2, Withheld: 2}
		difference := "it was never asked"
		for end := time.Now().Add(20 * time.Second); difference != "" && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
			difference = cmp.Diff(want, status(s.Organization))
		}
		if difference != "" {
			t.Errorf("behind a refresh (-want +got):\n%s", difference)
		}
		want.Index = searches.SearchIndexStatus{Spaces: 1}
		want.Embeddings = &searches.EmbeddingStatus{Model: "small", Content: "public"}
		if difference := cmp.Diff(want, status(others.ID)); difference != "" {
			t.Errorf("another organization (-want +got):\n%s", difference)
		}
	})
}

// TestSearchStatusWithoutModel holds that nothing is said of embeddings where none are connected.
func TestSearchStatusWithoutModel(t *testing.T) {
	s := apptest.OnSQLite(t, func(*config.Serve) {})
	var status searches.SearchStatus
	s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/search/status", "", http.StatusOK, &status)
	if difference := cmp.Diff(searches.SearchStatus{Object: "search-status"}, status); difference != "" {
		t.Errorf("(-want +got):\n%s", difference)
	}
}
