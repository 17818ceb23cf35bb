package orgs_test

import (
	"encoding/base64"
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
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// TestPeopleByRole tries the operations on people as everybody: the first status that a role gets that may not, and
// that of those who may.
func TestPeopleByRole(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		tokens := map[string]string{}
		ids := map[string]string{}
		for _, role := range []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview,
			org.RoleCreate, org.RoleAdmin} {
			name := string(role)
			if role == org.RoleGuest {
				name = "guest"
			}
			tokens[name], ids[name] = s.Person(role, name+"@example.org")
		}
		_, target := s.Person(org.RoleRead, "target@example.org")
		_, mate := s.Person(org.RoleRead, "mate@example.org")
		tokens["owner"], ids["owner"] = s.Person(org.RoleRead, "owner@example.org")
		var team apptest.Identified
		s.Call(http.MethodPut, "/v1/orgs/"+s.Organization+"/teams", map[string]any{"title": "Writers",
			"members": []string{ids["owner"], mate}}, http.StatusCreated, &team)
		s.Call(http.MethodPut, "/v1/orgs/"+s.Organization+"/teams/"+team.ID+"/members/"+ids["owner"],
			`{"role":"owner"}`, http.StatusNoContent, nil)
		var link apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/link-invites", `{"role":"read"}`, http.StatusCreated,
			&link)

		organization := "/v1/orgs/" + s.Organization
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
				got := s.Raw(test.method, test.path, tokens[who], body)
				may := false
				for _, each := range test.may {
					may = may || each == who
				}
				// What an owner has taken away is not there for the admin after them.
				gone := test.method == http.MethodDelete && got.Status == http.StatusNotFound
				if may && got.Status != test.want && !gone {
					t.Errorf("%s: %s %s answers %d %.200s", who, test.method, test.path, got.Status, got.Body)
				}
				// For a guest who is not in it, a team is not there.
				if !may && got.Status != http.StatusForbidden && (got.Status != http.StatusNotFound || who != "guest") {
					t.Errorf("%s: %s %s answers %d %.200s", who, test.method, test.path, got.Status, got.Body)
				}
				if got.Status < 300 {
					s.Check(test.method, test.path, got)
				}
			}
		}
	})
}

// TestPeopleOfOtherOrganizationsAreNotThere holds that an admin reaches nobody and nothing of another organization
// under the address of their own, and nothing that is gone.
func TestPeopleOfOtherOrganizationsAreNotThere(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		var other, team, own apptest.Identified
		var link struct{ ID string }
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Other"}`, http.StatusCreated, &other)
		s.Call(http.MethodPut, "/v1/orgs/"+other.ID+"/teams", `{"title":"Theirs"}`, http.StatusCreated, &team)
		s.Call(http.MethodPost, "/v1/orgs/"+other.ID+"/link-invites", `{"role":"read"}`, http.StatusCreated, &link)
		stranger, err := app.AddUser(t.Context(), s.Storage, app.NewMember{Email: "stranger@example.net",
			Name: "Stranger", Organization: id.Organization(other.ID), Role: "read"}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		organization := "/v1/orgs/" + s.Organization
		s.Call(http.MethodPut, organization+"/teams", `{"title":"Ours"}`, http.StatusCreated, &own)
		for _, address := range []string{"/members/" + string(stranger.User.ID), "/teams/" + team.ID,
			"/link-invites/" + link.ID} {
			for _, method := range []string{http.MethodGet, http.MethodDelete} {
				if got := s.Raw(method, organization+address, s.Token, nil); got.Status != http.StatusNotFound {
					t.Errorf("%s %s answers %d %.200s", method, address, got.Status, got.Body)
				}
			}
		}
		s.Call(http.MethodDelete, organization+"/teams/"+own.ID+"/members/"+string(stranger.User.ID), nil,
			http.StatusNotFound,
			nil)
		s.Call(http.MethodDelete, organization+"/teams/"+own.ID, nil, http.StatusResetContent, nil)
		s.Call(http.MethodDelete, organization+"/teams/"+own.ID, nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, "/v1/orgs/"+other.ID+"/teams/"+team.ID, nil, http.StatusOK, nil)
	})
}

// TestInvitationsSayWhatIsWrong holds that who invites people learns which of the addresses is wrong, and which field.
func TestInvitationsSayWhatIsWrong(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		organization := "/v1/orgs/" + s.Organization
		space := s.Space("Shared")
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
			got := s.Raw(http.MethodPost, organization+test.path, s.Token, test.body)
			var said struct{ Error struct{ Message string } }
			if err := json.Unmarshal(got.Body, &said); err != nil || got.Status != http.StatusBadRequest ||
				!strings.Contains(said.Error.Message, test.want) {
				t.Errorf("%s: %d %s", test.body, got.Status, got.Body)
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
	apptest.OnBothWith(t, withMail, func(t *testing.T, s *apptest.Server) {
		address := path.Base(t.Name()) + "@people.example"
		var invited struct {
			Users   []string
			Invited int
			Invites []apptest.Invite
		}
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/invites",
			map[string]any{"emails": []any{map[string]any{"email": address, "role": "edit"}}}, http.StatusOK, &invited)
		if len(invited.Users) != 0 || invited.Invited != 1 || len(invited.Invites) != 1 ||
			invited.Invites[0].URLs.Accept != "" {
			t.Fatal(invited)
		}
		message := strings.NewReplacer("=\r\n", "", "=\n", "", "=3D", "=").Replace(post.To(t, address, 1)[0].Data)
		page := regexp.MustCompile(`/invites/org_\w+/invite_[a-z2-7]+`).FindString(message)
		if got := s.Raw(http.MethodGet, page, "", nil); got.Status != http.StatusOK ||
			!strings.Contains(string(got.Body), address) {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		form := func(name, origin string) apptest.Answer {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+page,
				strings.NewReader(url.Values{"name": {name}, "password": {"difference engine"}}.Encode()))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			request.Header.Set("Origin", origin)
			return s.Send(request)
		}
		if got := form("New", "https://evil.example"); got.Status != http.StatusForbidden {
			t.Errorf("a form of another site: %d", got.Status)
		}
		if got := form(" ", s.Base); got.Status != http.StatusBadRequest || !strings.Contains(string(got.Body),
			"The name") {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		got := form("Newcomer", s.Base)
		if got.Status != http.StatusSeeOther || got.Header.Get("Set-Cookie") == "" {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		var members struct {
			Items []struct {
				Role string
				User struct{ DisplayName, Email string }
			}
		}
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/members?search="+url.QueryEscape(address), nil,
			http.StatusOK, &members)
		if len(members.Items) != 1 || members.Items[0].Role != "edit" ||
			members.Items[0].User.DisplayName != "Newcomer" {
			t.Error(members)
		}
		if got := s.Raw(http.MethodGet, page, "", nil); got.Status != http.StatusNotFound {
			t.Errorf("a used invite answers %d", got.Status)
		}
	})
}

// TestOrganizationWithEverything makes an organization with a site, and gives it a logo that browsers may show.
func TestOrganizationWithEverything(t *testing.T) {
	const gif = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00" +
		"\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	pictures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(gif))
	}))
	defer pictures.Close()
	s := apptest.OnSQLite(t, apptest.Fetching)
	var made struct {
		ID, UseCase    string
		DefaultContent struct{ Type, Site string }
		URLs           struct{ Logo string }
	}
	s.Call(http.MethodPost, "/v1/orgs?withDefaultSite=true&openapiUrl="+url.QueryEscape(pictures.URL+"/api.json"),
		`{"title":"Second","useCase":"notes"}`, http.StatusCreated, &made)
	s.Call(http.MethodGet, "/v1/orgs/"+made.ID+"/sites/"+made.DefaultContent.Site, nil, http.StatusOK, nil)
	s.Call(http.MethodGet, "/v1/orgs/"+made.ID+"/openapi/api", nil, http.StatusOK, nil)
	s.Call(http.MethodPatch, "/v1/orgs/"+made.ID, map[string]any{"logo": pictures.URL + "/logo",
		"mergeRules": map[string]any{"type": "none"}}, http.StatusOK, &made)
	logo := s.Raw(http.MethodGet, made.URLs.Logo, "", nil)
	if logo.Status != http.StatusOK || logo.Header.Get("Content-Type") != "image/gif" ||
		!strings.Contains(logo.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Error(logo.Status, logo.Header)
	}
	before := made.URLs.Logo
	s.Call(http.MethodPatch, "/v1/orgs/"+made.ID, map[string]any{"logo": "data:image/png;base64," +
		base64.StdEncoding.EncodeToString([]byte(gif))}, http.StatusOK, &made)
	if sent := s.Raw(http.MethodGet, made.URLs.Logo, "", nil); made.URLs.Logo != before || string(sent.Body) != gif ||
		sent.Header.Get("Content-Type") != "image/gif" {
		t.Error("what was sent along is not what was fetched:", made.URLs.Logo, sent.Header)
	}
	for _, wrong := range []string{"data:,x", "data:image/gif;base64,%%%", "data:image/svg+xml;base64,PHN2Zy8+",
		"data:text/html;base64,PHNjcmlwdD4=", "data:image/gif;base64," + strings.Repeat("A", 3<<20), "data:"} {
		s.Call(http.MethodPatch, "/v1/orgs/"+made.ID, map[string]any{"logo": wrong}, http.StatusBadRequest, nil)
	}
	s.Call(http.MethodPatch, "/v1/orgs/"+made.ID, map[string]any{"defaultContent": map[string]any{"type": "site",
		"site": "site_x"}}, http.StatusBadRequest, nil)
	if got := s.Raw(http.MethodPost, "/v1/orgs?openapiUrl=ftp://x", s.Token,
		`{"title":"Third"}`); got.Status != http.StatusBadRequest {
		t.Error(got.Status)
	}
}

// TestLinksIntoContent lets people in as guests of one space, and tells the log.
func TestLinksIntoContent(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Open")
		creator, _ := s.Person(org.RoleCreate, "creator@example.org")
		var link struct {
			ID, Level string
			Role      *string
			Space     apptest.Identified
		}
		made := s.CallAs(creator, http.MethodPost, "/v1/orgs/"+s.Organization+"/link-invites",
			map[string]any{"space": space, "level": "comment"}, http.StatusCreated, &link)
		if link.Level != "comment" || link.Role != nil || link.Space.ID != space {
			t.Errorf("%s", made.Body)
		}
		for _, body := range []string{`{"space":"` + space + `","level":"admin"}`, `{"role":"read"}`} {
			if got := s.Raw(http.MethodPost, "/v1/orgs/"+s.Organization+"/link-invites", creator,
				body); got.Status != http.StatusForbidden {
				t.Errorf("%s: %d", body, got.Status)
			}
		}
		var other apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Others"}`, http.StatusCreated, &other)
		if got := s.Raw(http.MethodPost, "/v1/orgs/"+other.ID+"/link-invites", s.Token,
			`{"space":"`+space+`","level":"read"}`); got.Status != http.StatusNotFound {
			t.Errorf("a link of another organization: %d", got.Status)
		}
		guest := memberOf(s, other.ID, "guest@people.example")
		s.CallAs(guest, http.MethodPost, "/v1/orgs/"+s.Organization+"/invites/"+link.ID, nil, http.StatusOK, nil)
		var seen struct{ Permissions struct{ Comment, Edit bool } }
		s.CallAs(guest, http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &seen)
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
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/audit?target="+space, nil, http.StatusOK, &log)
		if len(log.Items) != 1 || log.Items[0].Action != "space-permission.grant" ||
			log.Items[0].Actor.User.Email != "guest@people.example" || log.Items[0].Address == "" {
			t.Errorf("%+v", log)
		}
		all := s.Raw(http.MethodGet, "/v1/orgs/"+s.Organization+"/audit/export", s.Token, nil)
		if strings.Contains(string(all.Body), link.ID) {
			t.Error("the log has the secret of a link")
		}
		for line := range strings.Lines(string(all.Body)) {
			if !json.Valid([]byte(line)) {
				t.Errorf("not a line of JSON: %s", line)
			}
		}
	})
}

// memberOf adds a reader to another organization and returns their token.
func memberOf(s *apptest.Server, organizationID, email string) string {
	s.T.Helper()
	made, err := app.AddUser(s.T.Context(), s.Storage, app.NewMember{Email: email, Name: "Someone",
		Organization: id.Organization(organizationID), Role: "read"}, slog.New(slog.DiscardHandler))
	if err != nil {
		s.T.Fatal(err)
	}
	return made.Secret
}
