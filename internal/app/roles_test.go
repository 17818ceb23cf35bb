package app_test

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
)

// trial says who may call an operation and what it answers them.
type trial struct {
	// least is the lowest role in the organization that may; "guest" for every member.
	least org.Role
	// anyone says that people of other organizations may, too; they are not tried then.
	anyone bool
	// body is JSON, or "file" for a form with a file, or "text" for bytes. {names} in it stand for samples, as in
	// paths.
	body string
	// query is what follows the path.
	query string
	// status is the answer to who may; 0 means 200.
	status int
	// at replaces samples, by the name of the parameter.
	at map[string]string
	// prepare brings the samples into the state that the operation needs, as the first admin.
	prepare func(s *apptest.Server, samples map[string]string)
}

// nobody is above all roles: what an operation does is for the person themselves, or for those who are not there yet.
const nobody org.Role = "nobody"

// TestOperationsForRoles goes through all operations of the document with the table of trials: everybody below the
// least role is refused; people of other organizations find nothing, nor do admins whom another organization alone
// vouches for; and the least role gets what the operation is for. Reads are answered for all roles from the least up.
// Each write has samples of its own, so that what a trial does to them is nobody else's.
func TestOperationsForRoles(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>Far</title><main><h1>Far</h1><p>Away.</p></main>"))
	}))
	defer page.Close()
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		s.Hurry()
		people := map[org.Role]string{org.RoleAdmin: s.Token}
		for _, role := range apptest.Ladder[:len(apptest.Ladder)-1] {
			people[role] = s.Member(cmp.Or(map[org.Role]org.Role{apptest.Guest: org.RoleGuest}[role], role),
				string(role)+"@example.org")
			if role == apptest.Guest {
				people[role] = s.Member(org.RoleGuest, "guest2@example.org")
			}
		}
		var others apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Others"}`, http.StatusCreated, &others)
		outsider, err := app.AddUser(t.Context(), s.Storage, app.NewMember{Email: "eve@example.com", Name: "Eve",
			Organization: id.Organization(others.ID), Role: "admin"}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		s.OperatorAdds("vera@example.org", others.ID, "admin")
		vouched := s.OperatorAdds("vera@example.org", s.Organization, "admin")
		s.Exec(`UPDATE account_token SET vouched_by = $1 WHERE user_id = $2`, others.ID, s.UserOf(vouched))
		w := &world{Server: s, page: page.URL, others: others.ID}
		shared := w.samples()
		trials := maps.Clone(partA)
		maps.Copy(trials, partB)
		tried := 0
		for _, each := range operations(s) {
			pattern, method, id := each.pattern, each.method, each.id
			what, ok := trials[id]
			if !ok {
				t.Errorf("%s (%s %s) has no trial", id, method, pattern)
				continue
			}
			tried++
			samples := maps.Clone(shared)
			switch {
			case method == http.MethodGet:
			case what.prepare != nil:
				samples = w.samples()
			default:
				samples = w.samples(named(pattern, what.body, what.query)...)
			}
			if what.prepare != nil {
				what.prepare(s, samples)
			}
			maps.Copy(samples, what.at)
			ask := func(token string) apptest.Answer {
				return s.Try(method, fill(t, pattern, samples, url.PathEscape)+
					fill(t, what.query, samples, url.QueryEscape), token,
					fill(t, what.body, samples, nil))
			}
			if !what.anyone && strings.Contains(pattern, "{") {
				for who, token := range map[string]string{"an outsider": outsider.Secret,
					"an admin whom another organization vouches for": vouched} {
					if got := ask(token); got.Status != http.StatusNotFound {
						t.Errorf("%s: %s gets %d %.200s", id, who, got.Status, got.Body)
					}
				}
			}
			for _, role := range apptest.Ladder {
				got := ask(people[role])
				switch {
				case what.least == nobody || slices.Index(apptest.Ladder, role) < slices.Index(apptest.Ladder,
					what.least):
					if got.Status != http.StatusForbidden && got.Status != http.StatusNotFound {
						t.Errorf("%s: %s gets %d, and only %s may: %.200s", id, role, got.Status, what.least, got.Body)
					}
					continue
				case got.Status != cmp.Or(what.status, http.StatusOK):
					t.Errorf("%s: %s gets %d, want %d: %.300s", id, role, got.Status,
						cmp.Or(what.status, http.StatusOK), got.Body)
				}
				if method != http.MethodGet {
					break // it has been done
				}
			}
		}
		if tried != len(trials) {
			t.Errorf("%d operations were tried and %d trials are there: some are of no operation", tried, len(trials))
		}
	})
}

// operation is one of the document that needs a token.
type operation struct{ pattern, method, id string }

// operations lists those of the document in a stable order.
func operations(s *apptest.Server) (all []operation) {
	paths := s.Document["paths"].(map[string]any)
	for _, pattern := range slices.Sorted(maps.Keys(paths)) {
		item := paths[pattern].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			described, ok := item[method].(map[string]any)
			if ok && described["security"] != nil {
				all = append(all, operation{pattern, strings.ToUpper(method), described["operationId"].(string)})
			}
		}
	}
	return all
}

var parameter = regexp.MustCompile(`\{[a-zA-Z]+\}`)

// named are the samples that texts name; each names the space at least.
func named(texts ...string) []string {
	names := []string{"spaceId"}
	for _, name := range parameter.FindAllString(strings.Join(texts, " "), -1) {
		names = append(names, strings.Trim(name, "{}"))
	}
	return names
}

// fill puts samples in the place of their names.
func fill(t *testing.T, text string, samples map[string]string, escape func(string) string) string {
	return parameter.ReplaceAllStringFunc(text, func(name string) string {
		sample, ok := samples[strings.Trim(name, "{}")]
		if !ok {
			t.Errorf("%s: there is no sample for %s", text, name)
		}
		if escape != nil {
			return escape(sample)
		}
		return sample
	})
}

// world makes samples.
type world struct {
	*apptest.Server
	page, others string
	// offline leaves the import out: there is nothing to fetch.
	offline    bool
	saml, oidc string // one of each for all: an organization has a limited number
	made       int
}

// samples makes one of everything, as the first admin, and returns what stands for each parameter. With names it makes
// no more than those need: most of the time that a trial takes is for its samples.
func (w *world) samples(names ...string) map[string]string {
	w.T.Helper()
	if w.made++; w.made == 1 {
		w.saml, w.oidc = provider(w.Server, "saml"), provider(w.Server, "oidc")
	}
	needs := func(any ...string) bool {
		return len(names) == 0 || slices.ContainsFunc(any, func(name string) bool {
			return slices.Contains(names, name)
		})
	}
	name := fmt.Sprintf("Sample %d", w.made)
	organization := "/v1/orgs/" + w.Organization
	made := func(method, at, body string, status int) string {
		w.T.Helper()
		var one apptest.Identified
		w.Call(method, at, body, status, &one)
		return one.ID
	}
	none := strings.Repeat("0", 26)
	all := map[string]string{
		"organizationId": w.Organization, "others": w.others, "page": w.page, "name": name,
		"emailDomain": "example.org", "subdomain": w.Hostname(),
		"customization": "{}", "sessionId": "session_" + none, "programId": "authorization_" + none,
		"shareLinkId":     "sharelink_" + none,
		"integrationName": "none", "installationId": "installation_" + none,
		"eventId":               "event_" + none,
		"translationSettingsId": "translation_" + none, "language": "de", "segmentId": "page_" + none + ".title",
		"samlProviderId": w.saml, "oidcProviderId": w.oidc, "siteSectionId": "section_" + none,
		"siteSectionGroupId": "group_" + none,
	}
	collection := made(http.MethodPost, organization+"/collections", `{"title":"`+name+`"}`, http.StatusCreated)
	spaceID := made(http.MethodPost, organization+"/spaces", `{"title":"`+name+`","parent":"`+collection+`"}`,
		http.StatusCreated)
	path := "/v1/spaces/" + spaceID
	var written struct {
		Revision      string
		Changes       []struct{ Page struct{ ID string } }
		InsertedFiles []struct{ ID string }
	}
	write := func(at, changes string) {
		w.T.Helper()
		w.Call(http.MethodPost, at+"/content", `{"changes":[`+changes+`]}`, http.StatusOK, &written)
	}
	write(path,
		`{"operation":"insert_page","title":"Secret","document":{"markdown":"One."}},{"operation":"insert_files","files":[{"name":"a.txt","base64":"YQ=="}]}`)
	pageID := written.Changes[0].Page.ID
	all["collectionId"], all["space"], all["spaceId"] = collection, spaceID, spaceID
	all["pageId"], all["pagePath"], all["documentId"], all["fileId"], all["revisionId"] = pageID, "secret", pageID,
		written.InsertedFiles[0].ID, written.Revision

	comments := func(scope string) (comment, reply string) {
		comment = made(http.MethodPost, scope+"/comments", `{"body":{"markdown":"Hm."}}`, http.StatusOK)
		return comment, made(http.MethodPost, scope+"/comments/"+comment+"/replies", `{"body":{"markdown":"Hm?"}}`,
			http.StatusOK)
	}
	if needs("commentId", "commentReplyId") {
		all["commentId"], all["commentReplyId"] = comments(path)
	}
	open := ""
	if needs("changeRequestId", "conflicting", "merged", "conflictId", "requestComment", "requestReply", "reviewId") {
		request := func(changes string) string {
			w.T.Helper()
			var one struct{ Number int }
			w.Call(http.MethodPost, path+"/change-requests", `{"subject":"Better","status":"open"}`, http.StatusCreated,
				&one)
			at := fmt.Sprintf("%s/change-requests/%d", path, one.Number)
			write(at, changes)
			return at
		}
		edit := func(text string) string {
			return `{"operation":"update_page","page":"` + pageID + `","document":{"markdown":"` + text + `"}}`
		}
		open = request(edit("Two."))
		conflicting, merged := request(edit("Three.")), request(`{"operation":"insert_page","title":"Merged"}`)
		w.Call(http.MethodPost, merged+"/merge", nil, http.StatusOK, nil)
		write(path, `{"operation":"insert_page","title":"Later"}`)
		// What the third request says of the page is in conflict with what a fourth has merged.
		fourth := request(edit("Four."))
		w.Call(http.MethodPost, fourth+"/merge", nil, http.StatusOK, nil)
		var conflicts struct{ Items []apptest.Identified }
		w.Call(http.MethodPost, conflicting+"/update", nil, http.StatusOK, nil)
		w.Call(http.MethodGet, conflicting+"/conflicts", nil, http.StatusOK, &conflicts)
		write(path, edit("One."))
		all["changeRequestId"], all["conflicting"], all["merged"], all["conflictId"] = number(open),
			number(conflicting), number(merged), conflicts.Items[0].ID
		all["requestComment"], all["requestReply"] = comments(open)
		all["reviewId"] = made(http.MethodPost, open+"/reviews", `{"status":"approved"}`, http.StatusCreated)
	}
	if needs("userId", "teamId") {
		_, person := w.Person(org.RoleRead, fmt.Sprintf("person%d@example.org", w.made))
		team := w.Team(name, person)
		for _, at := range []string{path, "/v1/collections/" + collection} {
			w.Call(http.MethodPost, at+"/permissions", `{"users":["`+person+`"],"role":"review"}`, http.StatusNoContent,
				nil)
			w.Call(http.MethodPost, at+"/permissions", `{"teams":["`+team+`"],"role":"read"}`, http.StatusNoContent,
				nil)
		}
		if open != "" {
			w.Call(http.MethodPost, open+"/requested-reviewers", `{"users":["`+person+`"]}`, http.StatusOK, nil)
		}
		all["userId"], all["teamId"] = person, team
	}
	if needs("specSlug", "versionId") {
		all["specSlug"] = fmt.Sprintf("pets-%d", w.made)
		all["versionId"] = w.PutSpec(all["specSlug"], apptest.PetsSpec, http.StatusCreated).LastVersion
	}
	if needs("importId") {
		if w.offline {
			w.Upload(spaceID, "a.md", []byte("# Text\n"))
		} else {
			w.Call(http.MethodPost, path+"/content/import", `{"url":"`+w.page+`/far","source":"website"}`,
				http.StatusCreated, nil)
		}
		var imports struct{ Items []apptest.Identified }
		w.Call(http.MethodGet, "/v1/org/"+w.Organization+"/imports?limit=1", nil, http.StatusOK, &imports)
		all["importId"] = imports.Items[0].ID
	}
	if needs("siteId", "siteSpaceId", "siteRedirectId") {
		site := made(http.MethodPost, organization+"/sites", `{"title":"`+name+`","visibility":"public","spaces":["`+
			spaceID+`"]}`, http.StatusCreated)
		var siteSpaces struct{ Items []apptest.Identified }
		w.Call(http.MethodGet, organization+"/sites/"+site+"/site-spaces", nil, http.StatusOK, &siteSpaces)
		all["siteId"], all["siteSpaceId"] = site, siteSpaces.Items[0].ID
		all["siteRedirectId"] = made(http.MethodPost, organization+"/sites/"+site+"/redirects",
			`{"source":"/old","destination":{"kind":"external","url":"https://example.org/"}}`, http.StatusCreated)
	}
	if needs("inviteId") {
		all["inviteId"] = made(http.MethodPost, organization+"/link-invites", `{"role":"read"}`, http.StatusCreated)
	}
	if needs("tokenId") {
		all["tokenId"] = made(http.MethodPost, "/v1/user/tokens", `{"name":"Sample"}`, http.StatusCreated)
	}
	return all
}

// number is that of a change request in its path.
func number(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
