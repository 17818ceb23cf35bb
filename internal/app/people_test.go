package app_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// TestPeopleByRole tries the operations on people as everybody: the first status that a role gets that may not, and
// that of those who may.
func TestPeopleByRole(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		tokens := map[string]string{}
		ids := map[string]string{}
		for _, role := range []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview,
			org.RoleCreate, org.RoleAdmin} {
			name := string(role)
			if role == org.RoleGuest {
				name = "guest"
			}
			tokens[name], ids[name] = s.person(role, name+"@example.org")
		}
		_, target := s.person(org.RoleRead, "target@example.org")
		_, mate := s.person(org.RoleRead, "mate@example.org")
		tokens["owner"], ids["owner"] = s.person(org.RoleRead, "owner@example.org")
		var team identified
		s.call(http.MethodPut, "/v1/orgs/"+s.organization+"/teams", map[string]any{"title": "Writers",
			"members": []string{ids["owner"], mate}}, http.StatusCreated, &team)
		s.call(http.MethodPut, "/v1/orgs/"+s.organization+"/teams/"+team.ID+"/members/"+ids["owner"],
			`{"role":"owner"}`, http.StatusNoContent, nil)
		var link identified
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/link-invites", `{"role":"read"}`, http.StatusCreated,
			&link)

		organization := "/v1/orgs/" + s.organization
		member, teamPath := organization+"/members/"+target, organization+"/teams/"+team.ID
		everybody := []string{"guest", "read", "comment", "edit", "review", "create", "admin", "owner"}
		readers, admins, owners := everybody[1:], []string{"admin"}, []string{"admin", "owner"}
		for _, test := range []struct {
			method, path, body string
			may                []string
			want               int
		}{
			{http.MethodGet, organization, "", everybody, 200},
			{http.MethodGet, organization + "/members", "", readers, 200},
			{http.MethodGet, member, "", readers, 200},
			{http.MethodGet, member + "/teams", "", readers, 200},
			{http.MethodGet, member + "/spaces", "", admins, 200},
			{http.MethodGet, organization + "/teams", "", readers, 200},
			{http.MethodGet, teamPath, "", readers, 200},
			{http.MethodGet, teamPath + "/members", "", readers, 200},
			{http.MethodPut, teamPath + "/members", `{"add":["` + target + `"]}`, owners, 204},
			{http.MethodPut, teamPath + "/members/" + target, `{"role":"member"}`, owners, 204},
			{http.MethodPut, organization + "/teams", `{"title":"T"}`, admins, 201},
			{http.MethodPatch, teamPath, `{"title":"Writers"}`, owners, 200},
			{http.MethodPatch, organization, `{"title":"Example"}`, admins, 200},
			{http.MethodPatch, member, `{"role":"read"}`, admins, 200},
			{http.MethodPost, member + "/sso", "", admins, 200},
			{http.MethodPost, organization + "/invites", `{"emails":["mate@example.org"]}`, admins, 200},
			{http.MethodGet, organization + "/link-invites", "", admins, 200},
			{http.MethodGet, organization + "/link-invites/" + link.ID, "", admins, 200},
			{http.MethodPost, organization + "/link-invites", `{"role":"read"}`, admins, 201},
			{http.MethodPatch, organization + "/link-invites/" + link.ID, `{"role":"read"}`, admins, 200},
			{http.MethodGet, organization + "/audit", "", admins, 200},
			{http.MethodGet, organization + "/audit/export", "", admins, 200},
			{http.MethodGet, organization + "/email-domains/example.org", "", admins, 200},
			{http.MethodPost, organization + "/ping", "", everybody, 200},
			{http.MethodGet, "/v1/users/" + target, "", everybody, 200},
			{http.MethodGet, "/v1/subdomains/example", "", everybody, 200},
			{http.MethodPatch, "/v1/users/" + target, `{"displayName":"X"}`, nil, 0},
			{http.MethodDelete, teamPath + "/members/" + target, "", owners, 205},
		} {
			for _, who := range everybody {
				var body any
				if test.body != "" {
					body = test.body
				}
				got := s.raw(test.method, test.path, tokens[who], body)
				may := false
				for _, each := range test.may {
					may = may || each == who
				}
				// What an owner has taken away is not there for the admin after them.
				gone := test.method == http.MethodDelete && got.status == http.StatusNotFound
				if may && got.status != test.want && !gone {
					t.Errorf("%s: %s %s answers %d %.200s", who, test.method, test.path, got.status, got.body)
				}
				// For a guest who is not in it, a team is not there.
				if !may && got.status != http.StatusForbidden && (got.status != http.StatusNotFound || who != "guest") {
					t.Errorf("%s: %s %s answers %d %.200s", who, test.method, test.path, got.status, got.body)
				}
				if got.status < 300 {
					s.check(test.method, test.path, got)
				}
			}
		}
	})
}

// TestPeopleOfOtherOrganizationsAreNotThere holds that an admin reaches nobody and nothing of another organization
// under the address of their own, and nothing that is gone.
func TestPeopleOfOtherOrganizationsAreNotThere(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		var other, team, own identified
		var link struct{ ID string }
		s.call(http.MethodPost, "/v1/orgs", `{"title":"Other"}`, http.StatusCreated, &other)
		s.call(http.MethodPut, "/v1/orgs/"+other.ID+"/teams", `{"title":"Theirs"}`, http.StatusCreated, &team)
		s.call(http.MethodPost, "/v1/orgs/"+other.ID+"/link-invites", `{"role":"read"}`, http.StatusCreated, &link)
		stranger, err := app.AddUser(t.Context(), s.storage, app.NewMember{Email: "stranger@example.net",
			Name: "Stranger", Organization: other.ID, Role: "read"}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		organization := "/v1/orgs/" + s.organization
		s.call(http.MethodPut, organization+"/teams", `{"title":"Ours"}`, http.StatusCreated, &own)
		for _, address := range []string{"/members/" + stranger.User.ID, "/teams/" + team.ID,
			"/link-invites/" + link.ID} {
			for _, method := range []string{http.MethodGet, http.MethodDelete} {
				if got := s.raw(method, organization+address, s.token, nil); got.status != http.StatusNotFound {
					t.Errorf("%s %s answers %d %.200s", method, address, got.status, got.body)
				}
			}
		}
		s.call(http.MethodDelete, organization+"/teams/"+own.ID+"/members/"+stranger.User.ID, nil, http.StatusNotFound,
			nil)
		s.call(http.MethodDelete, organization+"/teams/"+own.ID, nil, http.StatusResetContent, nil)
		s.call(http.MethodDelete, organization+"/teams/"+own.ID, nil, http.StatusNotFound, nil)
		s.call(http.MethodGet, "/v1/orgs/"+other.ID+"/teams/"+team.ID, nil, http.StatusOK, nil)
	})
}

// TestInvitationsSayWhatIsWrong holds that who invites people learns which of the addresses is wrong, and which field.
func TestInvitationsSayWhatIsWrong(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		organization := "/v1/orgs/" + s.organization
		space := s.space("Shared")
		for _, test := range []struct{ path, body, want string }{
			{"/invites", `{"emails":["a@example.org",{"email":"b@example.org","role":"boss"}]}`, "emails[1].role: "},
			{"/invites", `{"emails":["a@example.org","` + strings.Repeat("a", 300) + `@example.org"]}`, "emails[1]: "},
			{"/invites", `{"emails":["a@example.org",7]}`, "body.emails[1]: has none of the forms"},
			{"/invites", `{"emails":[{"role":"read"}]}`, "body.emails[0]: has none of the forms"},
			{"/link-invites", `{"level":"read"}`, "role: is missing"},
			{"/link-invites", `{"space":"` + space + `"}`, "level: is missing"},
			{"/link-invites", `{"level":"read","role":"read","space":"` + space + `"}`, "role: is not of such a link"},
			{"/link-invites", `{"level":"read","role":"read"}`, "level: is not of such a link"},
		} {
			got := s.raw(http.MethodPost, organization+test.path, s.token, test.body)
			var said struct{ Error struct{ Message string } }
			if err := json.Unmarshal(got.body, &said); err != nil || got.status != http.StatusBadRequest ||
				!strings.Contains(said.Error.Message, test.want) {
				t.Errorf("%s: %d %s", test.body, got.status, got.body)
			}
		}
	})
}

// TestInviteFromMailToMember goes the way of a new person: an invite by e-mail, its page in the browser, and a session.
func TestInviteFromMailToMember(t *testing.T) {
	post := mailtest.NewServer(t)
	withMail := func(settings *config.Serve) {
		settings.SMTPURL, settings.MailFrom = post.URL, "Recto <docs@example.org>"
	}
	onBothWith(t, withMail, func(t *testing.T, s *server) {
		address := path.Base(t.Name()) + "@people.example"
		var invited struct {
			Users   []string
			Invited int
			Invites []apiInvite
		}
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/invites",
			map[string]any{"emails": []any{map[string]any{"email": address, "role": "edit"}}}, http.StatusOK, &invited)
		if len(invited.Users) != 0 || invited.Invited != 1 || len(invited.Invites) != 1 ||
			invited.Invites[0].URLs.Accept != "" {
			t.Fatal(invited)
		}
		message := strings.NewReplacer("=\r\n", "", "=\n", "", "=3D", "=").Replace(post.To(t, address, 1)[0].Data)
		page := regexp.MustCompile(`/invites/org_\w+/invite_[a-z2-7]+`).FindString(message)
		if got := s.raw(http.MethodGet, page, "", nil); got.status != http.StatusOK ||
			!strings.Contains(string(got.body), address) {
			t.Fatalf("%d %s", got.status, got.body)
		}
		form := func(name, origin string) answer {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+page,
				strings.NewReader(url.Values{"name": {name}, "password": {"difference engine"}}.Encode()))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			request.Header.Set("Origin", origin)
			return s.send(request)
		}
		if got := form("New", "https://evil.example"); got.status != http.StatusForbidden {
			t.Errorf("a form of another site: %d", got.status)
		}
		if got := form(" ", s.base); got.status != http.StatusBadRequest || !strings.Contains(string(got.body),
			"The name") {
			t.Errorf("%d %s", got.status, got.body)
		}
		got := form("Newcomer", s.base)
		if got.status != http.StatusSeeOther || got.header.Get("Set-Cookie") == "" {
			t.Fatalf("%d %s", got.status, got.body)
		}
		var members struct {
			Items []struct {
				Role string
				User struct{ DisplayName, Email string }
			}
		}
		s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/members?search="+url.QueryEscape(address), nil,
			http.StatusOK, &members)
		if len(members.Items) != 1 || members.Items[0].Role != "edit" ||
			members.Items[0].User.DisplayName != "Newcomer" {
			t.Error(members)
		}
		if got := s.raw(http.MethodGet, page, "", nil); got.status != http.StatusNotFound {
			t.Errorf("a used invite answers %d", got.status)
		}
	})
}

// TestOrganizationWithEverything makes an organization with a site, and gives it a logo that browsers may show.
func TestOrganizationWithEverything(t *testing.T) {
	pictures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = w.Write(
			[]byte(
				"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00" +
					"\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
	}))
	defer pictures.Close()
	s := onSQLite(t, fetching)
	var made struct {
		ID, UseCase    string
		DefaultContent struct{ Type, Site string }
		URLs           struct{ Logo string }
	}
	s.call(http.MethodPost, "/v1/orgs?withDefaultSite=true&openapiUrl="+url.QueryEscape(pictures.URL+"/api.json"),
		`{"title":"Second","useCase":"notes"}`, http.StatusCreated, &made)
	s.call(http.MethodGet, "/v1/orgs/"+made.ID+"/sites/"+made.DefaultContent.Site, nil, http.StatusOK, nil)
	s.call(http.MethodGet, "/v1/orgs/"+made.ID+"/openapi/api", nil, http.StatusOK, nil)
	s.call(http.MethodPatch, "/v1/orgs/"+made.ID, map[string]any{"logo": pictures.URL + "/logo",
		"mergeRules": map[string]any{"type": "none"}}, http.StatusOK, &made)
	logo := s.raw(http.MethodGet, made.URLs.Logo, "", nil)
	if logo.status != http.StatusOK || logo.header.Get("Content-Type") != "image/gif" ||
		!strings.Contains(logo.header.Get("Content-Security-Policy"), "sandbox") {
		t.Error(logo.status, logo.header)
	}
	s.call(http.MethodPatch, "/v1/orgs/"+made.ID, map[string]any{"defaultContent": map[string]any{"type": "site",
		"site": "site_x"}}, http.StatusBadRequest, nil)
	if got := s.raw(http.MethodPost, "/v1/orgs?openapiUrl=ftp://x", s.token,
		`{"title":"Third"}`); got.status != http.StatusBadRequest {
		t.Error(got.status)
	}
}

// TestLinksIntoContent lets people in as guests of one space, and tells the log.
func TestLinksIntoContent(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Open")
		creator, _ := s.person(org.RoleCreate, "creator@example.org")
		var link struct {
			ID, Level string
			Role      *string
			Space     identified
		}
		made := s.callAs(creator, http.MethodPost, "/v1/orgs/"+s.organization+"/link-invites",
			map[string]any{"space": space, "level": "comment"}, http.StatusCreated, &link)
		if link.Level != "comment" || link.Role != nil || link.Space.ID != space {
			t.Errorf("%s", made.body)
		}
		for _, body := range []string{`{"space":"` + space + `","level":"admin"}`, `{"role":"read"}`} {
			if got := s.raw(http.MethodPost, "/v1/orgs/"+s.organization+"/link-invites", creator,
				body); got.status != http.StatusForbidden {
				t.Errorf("%s: %d", body, got.status)
			}
		}
		var other identified
		s.call(http.MethodPost, "/v1/orgs", `{"title":"Others"}`, http.StatusCreated, &other)
		if got := s.raw(http.MethodPost, "/v1/orgs/"+other.ID+"/link-invites", s.token,
			`{"space":"`+space+`","level":"read"}`); got.status != http.StatusNotFound {
			t.Errorf("a link of another organization: %d", got.status)
		}
		guest := s.memberOf(other.ID, "guest@people.example")
		s.callAs(guest, http.MethodPost, "/v1/orgs/"+s.organization+"/invites/"+link.ID, nil, http.StatusOK, nil)
		var seen struct{ Permissions struct{ Comment, Edit bool } }
		s.callAs(guest, http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &seen)
		if !seen.Permissions.Comment || seen.Permissions.Edit {
			t.Error(seen)
		}
		var log struct {
			Items []struct {
				Action  string
				Address string
				Actor   struct{ User struct{ Email string } }
			}
		}
		s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/audit?target="+space, nil, http.StatusOK, &log)
		if len(log.Items) != 1 || log.Items[0].Action != "space-permission.grant" ||
			log.Items[0].Actor.User.Email != "guest@people.example" || log.Items[0].Address == "" {
			t.Errorf("%+v", log)
		}
		all := s.raw(http.MethodGet, "/v1/orgs/"+s.organization+"/audit/export", s.token, nil)
		if strings.Contains(string(all.body), link.ID) {
			t.Error("the log has the secret of a link")
		}
		for line := range strings.Lines(string(all.body)) {
			if !json.Valid([]byte(line)) {
				t.Errorf("not a line of JSON: %s", line)
			}
		}
	})
}

// memberOf adds a reader to another organization and returns their token.
func (s *server) memberOf(organizationID, email string) string {
	s.t.Helper()
	made, err := app.AddUser(s.t.Context(), s.storage, app.NewMember{Email: email, Name: "Someone",
		Organization: organizationID, Role: "read"}, slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Fatal(err)
	}
	return made.Secret
}
