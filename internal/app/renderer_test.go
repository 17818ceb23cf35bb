package app_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
)

const rendererSecret = "a secret of nobody but two"

// toldRenderer is a program that shows sites elsewhere. It takes nothing before it is up.
type toldRenderer struct {
	up   atomic.Bool
	mu   sync.Mutex
	tags []string
}

func (r *toldRenderer) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var said struct{ Tags []string }
	if err := json.NewDecoder(request.Body).Decode(&said); err != nil || !r.up.Load() {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tags = append(r.tags, said.Tags...)
}

// noted returns the tags that wait, and lets them go.
func noted(t *testing.T, d *db.DB) []string {
	t.Helper()
	var tags []string
	err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		var err error
		tags, err = db.All(ctx, q, "list tags", db.Column[string], `SELECT tag FROM renderer_tag ORDER BY tag`)
		if err == nil {
			_, err = q.ExecContext(ctx, `DELETE FROM renderer_tag`)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tags
}

// TestTheRendererIsToldOfEveryChange changes all that readers of a site may see, and holds which tags come with it, in
// its transaction. Each operation that changes a site has its row.
func TestTheRendererIsToldOfEveryChange(t *testing.T) {
	databases := map[string]func(*testing.T) config.Storage{"sqlite": apptest.InSQLite, "postgres": apptest.InPostgres}
	for name, storage := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Each has a renderer of its own, which comes up at its end.
			r := &toldRenderer{}
			server := httptest.NewServer(r)
			t.Cleanup(server.Close)
			s := apptest.Start(t, storage(t), func(settings *config.Serve) {
				settings.RendererURL, settings.RendererSecret = server.URL, rendererSecret
			})
			tellOfEveryChange(t, s, r)
		})
	}
}

// tellOfEveryChange is the test on one server, whose renderer is down.
func tellOfEveryChange(t *testing.T, s *apptest.Server, r *toldRenderer) {
	t.Helper()
	p, d := s.SiteParts(), s.Database()
	organization, book := "/v1/orgs/"+s.Organization, s.Space("Book")
	site := "site:" + strings.TrimPrefix(p.Site, organization+"/sites/")
	guide := "space:" + p.Space
	s.Publish("diagrams", nil)
	specification := "organization:" + s.Organization + ":openapi:pets"
	s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
	var look map[string]any
	s.Call(http.MethodGet, p.Site+"/customization", nil, http.StatusOK, &look)
	look["title"] = "Another"
	noted(t, d)

	done := map[string]bool{}
	step := func(method, path string, body any, status int, want ...string) (made apptest.Identified) {
		t.Helper()
		got := s.Call(method, path, body, status, nil)
		_ = json.Unmarshal(got.Body, &made) // some answers have no body
		if tags := noted(t, d); !slices.Equal(tags, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s %s: told of %q, want %q", method, path, tags, want)
		}
		done[method+" "+path] = true
		return made
	}
	// Content: written directly, imported, merged; and what is not main, which nobody else sees.
	content := `{"changes":[{"operation":"insert_page","title":"A","document":{"markdown":"A.\n"}}]}`
	step(http.MethodPost, "/v1/spaces/"+p.Space+"/content", content, http.StatusOK, guide)
	step(http.MethodPost, "/v1/spaces/"+p.Space+"/content/upload?name=b.zip",
		apptest.Zipped(t, map[string]string{"b.md": "# B\n"}), http.StatusCreated, guide)
	change := "/v1/spaces/" + p.Space + "/change-requests/" +
		step(http.MethodPost, "/v1/spaces/"+p.Space+"/change-requests", `{"subject":"C"}`, http.StatusCreated).ID
	step(http.MethodPost, change+"/content", strings.ReplaceAll(content, "A", "C"), http.StatusOK)
	step(http.MethodPost, change+"/merge", nil, http.StatusOK, guide)
	step(http.MethodPost, "/v1/spaces/"+book+"/content", content, http.StatusOK, "space:"+book)
	// Spaces themselves, which sites name.
	step(http.MethodPatch, "/v1/spaces/"+p.Space, `{"title":"Handbook"}`, http.StatusOK, guide, site)
	step(http.MethodPatch, "/v1/spaces/"+book, `{"title":"Handbook"}`, http.StatusOK, "space:"+book)
	step(http.MethodDelete, "/v1/spaces/"+p.Space, nil, http.StatusNoContent, guide, site)
	step(http.MethodPost, "/v1/spaces/"+p.Space+"/restore", nil, http.StatusOK, guide, site)
	// Sites.
	destination := map[string]any{"kind": "site-section", "siteSectionId": p.Section}
	space, section := p.Site+"/site-spaces/"+p.Variant, p.Site+"/sections/"
	group, redirect := p.Site+"/section-groups/"+p.Group, p.Site+"/redirects/"+p.Redirect
	for _, each := range []struct {
		method, path string
		body         any
		status       int
	}{
		{http.MethodPatch, p.Site, `{"title":"Manuals"}`, 200},
		{http.MethodPost, p.Site + "/publish", nil, 200},
		{http.MethodPatch, p.Site, `{"visibility":"unlisted"}`, 200},
		{http.MethodPost, p.Site + "/unpublish", nil, 200},
		{http.MethodPatch, p.Site + "/structure/sort", map[string]any{"item": map[string]any{"type": "site-section",
			"id": p.Other}, "position": map[string]any{"before": map[string]any{"type": "site-section",
			"id": p.Section}}}, 200},
		{http.MethodPost, p.Site + "/site-spaces", map[string]any{"spaceId": book}, 201},
		{http.MethodPatch, space, `{"path":"elsewhere"}`, 200},
		{http.MethodPatch, space + "/customization", `{"title":"Here"}`, 200},
		{http.MethodDelete, space + "/customization", nil, 205},
		{http.MethodPost, section[:len(section)-1], map[string]any{"spaceId": book, "title": "Book"}, 201},
		{http.MethodPatch, section + p.Section, `{"title":"First"}`, 200},
		{http.MethodPost, p.Site + "/section-groups", `{"title":"More"}`, 201},
		{http.MethodPatch, group, `{"title":"Many"}`, 200},
		{http.MethodPost, group + "/sections", map[string]any{"sectionId": p.Other}, 201},
		{http.MethodDelete, group + "/sections/" + p.Other, nil, 205},
		{http.MethodDelete, group, nil, 205},
		{http.MethodPut, p.Site + "/customization", look, 200},
		{http.MethodPost, p.Site + "/redirects", map[string]any{"source": "/other", "destination": destination},
			201},
		{http.MethodPatch, redirect, `{"permanent":true}`, 200},
		{http.MethodDelete, redirect, nil, 204},
		{http.MethodPut, p.Site + "/adaptive-schema",
			`{"jsonSchema":{"type":"object","properties":{},"additionalProperties":false}}`, 200},
		{http.MethodPatch, p.Site + "/publishing/auth", `{"backend":"custom","fallbackURL":"https://example.org/"}`,
			200},
		{http.MethodPost, p.Site + "/publishing/auth/regenerate", nil, 200},
		{http.MethodDelete, space, nil, 205},
		{http.MethodDelete, section + p.Other, nil, 204},
	} {
		step(each.method, each.path, each.body, each.status, site)
	}
	// Nothing that a reader sees.
	step(http.MethodPatch, p.Site, `{"title":"Manuals"}`, 200)
	// Integrations and specifications.
	const diagrams = "integration:diagrams"
	step(http.MethodPost, "/v1/integrations/diagrams", s.Publication(nil), http.StatusOK, diagrams)
	installed := "/v1/integrations/diagrams/installations/" + step(http.MethodPost,
		"/v1/integrations/diagrams/installations", map[string]any{"organization": s.Organization},
		http.StatusCreated, diagrams).ID
	step(http.MethodPost, installed+"/spaces", map[string]any{"space": p.Space}, http.StatusCreated, diagrams)
	step(http.MethodPatch, installed+"/spaces/"+p.Space, `{"externalIds":["a"]}`, http.StatusOK, diagrams)
	step(http.MethodDelete, installed+"/spaces/"+p.Space, nil, http.StatusResetContent, diagrams)
	step(http.MethodPatch, installed, `{"site_selection":"all"}`, http.StatusOK, diagrams)
	step(http.MethodDelete, installed, nil, http.StatusResetContent, diagrams)
	step(http.MethodDelete, "/v1/integrations/diagrams", nil, http.StatusNoContent, diagrams)
	s.PutSpec("pets", strings.Replace(apptest.PetsSpec, "Pets", "Animals", 1), http.StatusOK)
	if tags := noted(t, d); !slices.Equal(tags, []string{specification}) {
		t.Errorf("told of %q by a new version", tags)
	}
	s.PutSpec("pets", strings.Replace(apptest.PetsSpec, "Pets", "Animals", 1), http.StatusOK)
	if tags := noted(t, d); len(tags) != 0 {
		t.Errorf("told of %q by the same version", tags)
	}
	step(http.MethodDelete, organization+"/openapi/pets", nil, http.StatusResetContent, specification)
	step(http.MethodDelete, p.Site, nil, http.StatusNoContent, site)
	everyChangeOfASite(t, s, done)

	// It comes up and is told of what waits.
	var late apptest.Identified
	s.Call(http.MethodPost, organization+"/sites", `{"title":"Late"}`, http.StatusCreated, &late)
	r.up.Store(true)
	for deadline := time.Now().Add(3 * time.Minute); !r.was("site:" + late.ID); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the renderer is not told:\n%s", s.Log)
		}
	}
	if strings.Contains(s.Log.String(), rendererSecret) {
		t.Errorf("the log has the secret:\n%s", s.Log)
	}
}

// was reports whether the renderer was told of a tag.
func (r *toldRenderer) was(tag string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.tags, tag)
}

// unseen are operations on a site that leave what readers see as it is, or are others' names for one that was tried.
var unseen = map[string]string{
	"trackEventsInSiteById": "reports", "streamAskInSite": "reads", "searchSiteContent": "reads",
	"createSiteShareLink": "who comes by it has another token", "updateSiteShareLinkById": "as above",
	"deleteSiteShareLinkById": "as above", "moveSiteSpace": "is sortSiteStructure",
	"moveSiteSection": "is sortSiteStructure", "moveSiteSectionGroup": "is sortSiteStructure",
}

// everyChangeOfASite holds that each operation that changes a site was tried.
func everyChangeOfASite(t *testing.T, s *apptest.Server, done map[string]bool) {
	t.Helper()
	for path, item := range s.Document["paths"].(map[string]any) {
		if !strings.Contains(path, "/sites/{siteId}") || strings.HasPrefix(path, "/v1/integrations/") {
			continue
		}
		for method, operation := range item.(map[string]any) {
			name, _ := operation.(map[string]any)["operationId"].(string)
			if method == "get" || name == "" || unseen[name] != "" {
				continue
			}
			form := regexp.MustCompile("^" + strings.ToUpper(method) + " " +
				regexp.MustCompile(`\{[^}]+\}`).ReplaceAllString(path, "[^/]+") + "$")
			if !slices.ContainsFunc(slices.Collect(maps.Keys(done)), form.MatchString) {
				t.Errorf("%s (%s %s) was not tried", name, method, path)
			}
		}
	}
}
