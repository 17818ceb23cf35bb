package app_test

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// ofNobody are samples that belong to no organization, or that mean something in each: names, words and numbers.
var ofNobody = []string{"name", "page", "others", "customization", "pagePath", "language", "emailDomain",
	"changeRequestId", "conflicting", "merged", "specSlug"}

// otherwise are the answers that are not 404, by operation and parameter.
var otherwise = map[string]int{
	// Names of integrations are one list for all organizations.
	"publishIntegration integrationName": http.StatusConflict,
}

// TestIDsOfOtherOrganizationsAreNotFound asks for each operation with one id of another organization in the place of
// one of its own: in the path nothing is found, and in the body nothing is done.
func TestIDsOfOtherOrganizationsAreNotFound(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		// The first admin made the other organization, and has nothing to do with it any more.
		elsewhere := *s
		elsewhere.Organization, elsewhere.Token = s.Elsewhere()
		var admin apptest.Identified
		s.Call(http.MethodGet, "/v1/user", nil, http.StatusOK, &admin)
		s.Raw(http.MethodDelete, "/v1/orgs/"+elsewhere.Organization+"/members/"+admin.ID, elsewhere.Token, nil)
		if got := s.Raw(http.MethodGet, "/v1/orgs/"+elsewhere.Organization, s.Token,
			nil); got.Status != http.StatusNotFound {
			t.Fatalf("the first admin is in the other organization: %d", got.Status)
		}

		everything := func(s *apptest.Server) map[string]string {
			w := &world{Server: s, page: "https://example.com", others: elsewhere.Organization, offline: true}
			samples := w.samples()
			for _, prepare := range []func(*apptest.Server, map[string]string){withGroupedSection, withShareLink,
				withTranslation, withIntegration, withCustomization} {
				prepare(s, samples)
			}
			samples["compressed"] = compressedRequest(samples)
			return samples
		}
		own, foreign := everything(s), everything(&elsewhere)
		trials := maps.Clone(partA)
		maps.Copy(trials, partB)
		tried := 0
		for _, each := range operations(s) {
			what := trials[each.id]
			if what.anyone || what.least == nobody {
				continue
			}
			ask := func(name string) apptest.Answer {
				samples := maps.Clone(own)
				maps.Copy(samples, what.at)
				samples[name] = foreign[name]
				// What else is missing is so in both organizations.
				for _, name := range parameter.FindAllString(each.pattern+what.body, -1) {
					if name = strings.Trim(name, "{}"); samples[name] == "" {
						samples[name] = "none"
					}
				}
				return s.Try(each.method, fill(t, each.pattern, samples, url.PathEscape)+
					fill(t, what.query, samples, url.QueryEscape), s.Token,
					fill(t, what.body, samples, nil))
			}
			differs := func(name string) bool {
				return !slices.Contains(ofNobody, name) && what.at[name] == "" && foreign[name] != "" &&
					foreign[name] != own[name]
			}
			for _, name := range parameter.FindAllString(each.pattern, -1) {
				if name = strings.Trim(name, "{}"); !differs(name) {
					continue
				}
				tried++
				if got := ask(name); got.Status != cmp.Or(otherwise[each.id+" "+name], http.StatusNotFound) {
					t.Errorf("%s (%s %s) with another organization's %s: %d %.200s", each.id, each.method, each.pattern,
						name, got.Status, got.Body)
				}
			}
			for _, name := range parameter.FindAllString(what.body, -1) {
				if name = strings.Trim(name, "{}"); !differs(name) || strings.Contains(each.pattern, "{"+name+"}") {
					continue
				}
				tried++
				if got := ask(name); got.Status != http.StatusNotFound && got.Status != http.StatusBadRequest {
					t.Errorf("%s (%s %s) with another organization's %s in its body: %d %.200s", each.id, each.method,
						each.pattern, name, got.Status, got.Body)
				}
			}
		}
		if tried < 300 {
			t.Errorf("only %d ids were tried", tried)
		}
		for _, path := range []string{
			"/teams/{teamId}", "/link-invites/{inviteId}", "/members/{userId}", "/saml/{samlProviderId}",
			"/sites/{siteId}", "/translations/{translationSettingsId}",
		} {
			elsewhere.Call(http.MethodGet, "/v1/orgs/"+elsewhere.Organization+fill(t, path, foreign, nil), nil,
				http.StatusOK, nil)
		}
	})
}
