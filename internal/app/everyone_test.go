package app_test

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
)

// samples makes one of everything and returns what stands for each parameter of a path. What takes long to make has an
// id that is well formed and nobody's: the things above it are real.
func samples(s *apptest.Server) map[string]string {
	s.T.Helper()
	space := s.Space("Closed")
	path := "/v1/spaces/" + space
	organization := "/v1/orgs/" + s.Organization
	var written struct {
		Revision      string
		Changes       []struct{ Page struct{ ID string } }
		InsertedFiles []struct{ ID string }
	}
	s.Call(http.MethodPost, path+"/content",
		`{"changes":[{"operation":"insert_page","title":"Secret"},{"operation":"insert_files","files":[{"name":"a.txt","base64":"YQ=="}]}]}`, http.StatusOK, &written)
	s.Call(http.MethodPost, path+"/change-requests", nil, http.StatusCreated, nil)
	made := func(method, at, body string, status int) string {
		var one apptest.Identified
		s.Call(method, at, body, status, &one)
		return one.ID
	}
	comment := made(http.MethodPost, path+"/comments", `{"body":{"markdown":"Hm."}}`, http.StatusOK)
	spec := s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
	none := strings.Repeat("0", 26)
	closedSite := made(http.MethodPost, organization+"/sites", `{"title":"Closed","visibility":"public","spaces":["`+
		space+`"]}`, http.StatusCreated)
	var siteSpaces struct{ Items []apptest.Identified }
	s.Call(http.MethodGet, organization+"/sites/"+closedSite+"/site-spaces", nil, http.StatusOK, &siteSpaces)
	s.Publish("closed", map[string]any{"visibility": "private"})
	installation := "/v1/integrations/closed/installations/" + s.Install("closed").ID
	s.Call(http.MethodPost, installation+"/spaces", `{"space":"`+space+`"}`, http.StatusCreated, nil)
	s.Call(http.MethodPost, installation+"/sites", `{"siteId":"`+closedSite+`"}`, http.StatusCreated, nil)
	return map[string]string{
		"integrationName": "closed", "installationId": strings.TrimPrefix(installation,
			"/v1/integrations/closed/installations/"),
		"organizationId": s.Organization, "spaceId": space, "collectionId": made(http.MethodPost,
			organization+"/collections", `{"title":"Closed"}`, http.StatusCreated),
		"pageId": written.Changes[0].Page.ID, "pagePath": "secret", "documentId": written.Changes[0].Page.ID,
		"fileId":     written.InsertedFiles[0].ID,
		"revisionId": written.Revision, "changeRequestId": "1", "commentId": comment,
		"commentReplyId": made(http.MethodPost, path+"/comments/"+comment+"/replies", `{"body":{"markdown":"Hm?"}}`,
			http.StatusOK),
		"eventId": "event_" + none, "specSlug": "pets", "versionId": spec.LastVersion,
		"siteId": closedSite, "siteSpaceId": siteSpaces.Items[0].ID, "shareLinkId": "sharelink_" + none,
		"siteSectionId": "sitesection_" + none, "siteSectionGroupId": "sectiongroup_" + none,
		"siteRedirectId": "siteredirect_" + none,
		"userId":         "user_" + none, "teamId": "team_" + none, "importId": "import_" + none,
		"conflictId": "conflict_" +
			none, "reviewId": "review_" + none,
		"reusableContentId": "content_" + none, "tokenId": "token_" + none, "sessionId": "session_" + none,
		"programId":      "authorization_" + none,
		"samlProviderId": made(http.MethodPost, organization+"/saml", `{"label":"Closed"}`, http.StatusCreated),
		"oidcProviderId": made(http.MethodPost, organization+"/oidc", `{"label":"Closed"}`, http.StatusCreated),
		"emailDomain":    "closed.example", "subdomain": "example", "inviteId": "invite_" + strings.Repeat("a", 32),
		"translationSettingsId": made(http.MethodPost, organization+"/translations", `{"title":"Closed"}`,
			http.StatusCreated), "language": "de", "segmentId": "page_" + none + ".title",
	}
}

// everybodysOwn are operations that change nothing but what is the caller's own: when they were last there, that they
// are in an organization that they are in, and what they have read.
var everybodysOwn = map[string]bool{"POST /v1/orgs/{organizationId}/ping": true,
	"POST /v1/orgs/{organizationId}/join": true, "POST /v1/orgs/{organizationId}/notifications/read": true}

// queries are what operations need behind their paths, or the last segments of these.
var queries = map[string]string{"/search": "?query=secret", "/value": "?expression=1", "/redirect": "?source=/secret",
	"/v1/orgs/{organizationId}/ask/stream": "?query=secret", "/embed": "?url=https://example.org/",
	"/render": "?request=" + apptest.Compressed(`{"componentId":"block","props":{},"context":{"type":"document"}}`)}

// TestEveryOperationForEveryone goes through all operations of the document, so that none is forgotten: people of
// another organization find nothing, and who may only read changes nothing. That reading works for those who may is
// shown by the tests of each area, with the roles between.
func TestEveryOperationForEveryone(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		samples := samples(s)
		var other apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs",
			`{"title":"Others","emailDomains":[],"type":"business","useCase":"docsSite"}`, http.StatusCreated, &other)
		outside, err := app.AddUser(t.Context(), s.Storage, app.NewMember{Email: "eve@example.org", Name: "Eve",
			Organization: id.Organization(other.ID), Role: "admin"}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		guest, guestID := s.Person(org.RoleGuest, "guest@example.org")
		people := map[string]string{"outsider": outside.Secret, "guest": guest, "reader": s.Member(org.Role("read"),
			"reader@example.org")}
		// A guest of the organization sees what was shared with them.
		s.Call(http.MethodPost, "/v1/spaces/"+samples["spaceId"]+"/permissions",
			`{"users":["`+guestID+`"],"role":"read"}`, http.StatusNoContent, nil)
		before := state(s, samples)

		operations := 0
		for pattern, item := range s.Document["paths"].(map[string]any) {
			for method, described := range item.(map[string]any) {
				operation, ok := described.(map[string]any)
				if !ok || operation["security"] == nil || !strings.Contains(pattern, "{") {
					continue
				}
				operations++
				path := regexp.MustCompile(`\{\w+\}`).ReplaceAllStringFunc(pattern, func(name string) string {
					sample, ok := samples[strings.Trim(name, "{}")]
					if !ok {
						t.Errorf("%s: there is no sample for %s", pattern, name)
					}
					return sample
				})
				if method == "get" {
					path += cmp.Or(queries[pattern], queries[pattern[strings.LastIndex(pattern, "/"):]])
				}
				method = strings.ToUpper(method)
				for who, token := range people {
					var body any
					if method != http.MethodGet {
						body = `{}`
					}
					got := s.Raw(method, path, token, body)
					allowed := map[int]bool{http.StatusNotFound: true}
					switch {
					case who != "outsider" && everybodysOwn[method+" "+pattern]:
						allowed[http.StatusOK], allowed[http.StatusNoContent] = true, true
					case method != http.MethodGet:
						// Input is looked at before the caller's role in some places; nothing changes either way.
						for _, status := range []int{http.StatusBadRequest, http.StatusForbidden, http.StatusConflict,
							http.StatusUnsupportedMediaType} {
							allowed[status] = true
						}
					case who != "outsider":
						allowed[http.StatusOK], allowed[http.StatusForbidden] = true, true
					}
					if !allowed[got.Status] {
						t.Errorf("%s: %s %s answers %d %.200s", who, method, pattern, got.Status, got.Body)
					}
				}
			}
		}
		if operations < 140 {
			t.Errorf("only %d operations were tried", operations)
		}
		if after := state(s, samples); after != before {
			t.Errorf("something has changed:\n%s\n%s", before, after)
		}
	})
}

// state is what an admin sees of the samples.
func state(s *apptest.Server, samples map[string]string) string {
	s.T.Helper()
	var all strings.Builder
	for _, path := range []string{
		"/v1/spaces/" + samples["spaceId"], "/v1/spaces/" + samples["spaceId"] + "/content",
		"/v1/spaces/" + samples["spaceId"] + "/change-requests/1",
		"/v1/spaces/" + samples["spaceId"] + "/comments", "/v1/spaces/" + samples["spaceId"] + "/permissions/users",
		"/v1/collections/" + samples["collectionId"],
		"/v1/orgs/" + samples["organizationId"] + "/openapi", "/v1/orgs/" + samples["organizationId"] + "/sites",
		"/v1/orgs/" + samples["organizationId"] + "/spaces",
		"/v1/orgs/" + samples["organizationId"] + "/saml", "/v1/orgs/" + samples["organizationId"] + "/oidc",
		"/v1/orgs/" + samples["organizationId"] + "/installations", "/v1/integrations/closed/spaces",
		"/v1/integrations/closed/sites",
	} {
		var value any
		s.Call(http.MethodGet, path, nil, http.StatusOK, &value)
		encoded, err := json.Marshal(value)
		if err != nil {
			s.T.Fatal(err)
		}
		all.Write(encoded)
		all.WriteByte('\n')
	}
	// The addresses of previews hold the time of the question.
	return regexp.MustCompile(`\?ticket=[^"]*`).ReplaceAllString(all.String(), "")
}
