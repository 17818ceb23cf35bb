package searches_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
)

const aboutVessels = `{"operation":"insert_page","title":"Start","document":{"markdown":"Welcome.\n"}},
	{"operation":"insert_page","title":"Harbour","document":{"markdown":"A vessel waits.\n"}}`

// TestSearchAsksConnectedEmbeddings holds that a server with an endpoint of embeddings finds what is said in other
// words, in the API and on sites, for those who may read it and nobody else; that only what everybody may read is sent
// where nothing else is said, and all where that is.
func TestSearchAsksConnectedEmbeddings(t *testing.T) {
	model := &apptest.EmbeddingModel{}
	apptest.OnBothWith(t, apptest.WithEmbeddings(t, model, config.EmbedPublic), func(t *testing.T, s *apptest.Server) {
		open := s.NewSite("Open", "public", aboutVessels)
		unlisted := s.NewSite("Unlisted", "unlisted", strings.ReplaceAll(aboutVessels, "vessel", "old vessel"))
		private := s.Space("Private")
		s.Call(http.MethodPost, "/v1/spaces/"+private+"/content",
			`{"changes":[`+strings.ReplaceAll(aboutVessels, "vessel", "secret vessel")+`]}`, http.StatusOK, nil)
		reader := s.Member(org.RoleRead, "reader@example.org")
		type found struct {
			Items []struct {
				Title    string
				Sections []struct{ Body string }
			}
		}
		search := func(token, space string) (titles []string) {
			t.Helper()
			var answer found
			s.CallAs(token, http.MethodGet, "/v1/spaces/"+space+"/search?query=ship", nil, http.StatusOK, &answer)
			for _, each := range answer.Items {
				titles = append(titles, each.Title)
			}
			return titles
		}
		wait := func(what string, is func() bool) {
			t.Helper()
			for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%s: sent were %q", what, model.Sent())
				}
			}
		}
		wait("a member finds nothing", func() bool {
			return slices.Equal(search(reader, open.Space), []string{"Harbour"})
		})
		visitor := apptest.NewVisitor(t)
		wait("a visitor finds nothing", func() bool {
			return strings.Contains(visitor.Search(open.Home, "ship").Text, "A vessel waits.")
		})
		for range 10 {
			if got := append(search(reader, unlisted.Space), search(s.Token, private)...); len(got) > 0 {
				t.Fatalf("by vectors that nobody may have made is found %v", got)
			}
		}
		for _, text := range model.Sent() {
			if strings.Contains(text, "old vessel") || strings.Contains(text, "secret vessel") {
				t.Errorf("%q was sent", text)
			}
		}
	})

	all := &apptest.EmbeddingModel{}
	s := apptest.OnSQLite(t, apptest.WithEmbeddings(t, all, config.EmbedAll))
	space := s.Space("Private")
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[`+aboutVessels+`]}`, http.StatusOK, nil)
	s.Call(http.MethodPatch, "/v1/spaces/"+space, `{"defaultLevel":null}`, http.StatusOK, nil)
	reader := s.Member(org.RoleRead, "reader@example.org")
	var answer struct{ Items []struct{ Title string } }
	for end := time.Now().Add(20 * time.Second); len(answer.Items) == 0; time.Sleep(10 * time.Millisecond) {
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/search?query=ship", nil, http.StatusOK, &answer)
		if time.Now().After(end) {
			t.Fatalf("nothing is found, sent were %q", all.Sent())
		}
	}
	s.CallAs(reader, http.MethodGet, "/v1/spaces/"+space+"/search?query=ship", nil, http.StatusNotFound, nil)
	var groups struct{ Items []any }
	s.CallAs(reader, http.MethodGet, "/v1/orgs/"+s.Organization+"/search?query=ship", nil, http.StatusOK, &groups)
	if len(groups.Items) > 0 {
		t.Errorf("who may not read the space finds %v", groups.Items)
	}
}

// TestSearchAsksNobodyByDefault holds that no text leaves a server whose operator has connected nothing.
func TestSearchAsksNobodyByDefault(t *testing.T) {
	model := &apptest.EmbeddingModel{}
	s := apptest.OnSQLite(t, func(settings *config.Serve) {
		apptest.WithEmbeddings(t, model, config.EmbedAll)(settings)
		defaults := config.Defaults("")
		settings.EmbeddingsURL, settings.EmbeddingsModel = defaults.EmbeddingsURL, defaults.EmbeddingsModel
		settings.EmbeddingsKey, settings.EmbeddingsContent = defaults.EmbeddingsKey, defaults.EmbeddingsContent
	})
	site := s.NewSite("Open", "public", aboutVessels)
	for range 20 {
		var answer struct{ Items []struct{ Title string } }
		s.Call(http.MethodGet, "/v1/spaces/"+site.Space+"/search?query=ship", nil, http.StatusOK, &answer)
		if len(answer.Items) > 0 {
			t.Fatalf("found %v", answer.Items)
		}
		time.Sleep(5 * time.Millisecond)
	}
	if sent := model.Sent(); len(sent) > 0 {
		t.Errorf("sent were %q", sent)
	}
}
