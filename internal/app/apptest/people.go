package apptest

import (
	"bytes"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
)

// EveryoneCreates lets everybody create organizations.
func EveryoneCreates(settings *config.Serve) { settings.CreateOrganizations = config.CreatorsEveryone }

// Invite is an invite by e-mail in answers.
type Invite struct {
	Object, ID, Email, State, Delivery, ExpiresAt string
	Role                                          *string
	URLs                                          struct{ Location, Accept string }
}

// SomebodysPassword is that of people in these tests.
const SomebodysPassword = "difference engine"

// BrowserWith returns a browser in which somebody with an address has signed in by password.
func (s *Server) BrowserWith(email string) Browser {
	s.T.Helper()
	if _, err := app.SetPassword(s.T.Context(), s.Storage, email, SomebodysPassword,
		slog.New(slog.DiscardHandler)); err != nil {
		s.T.Fatal(err)
	}
	b := s.NewBrowser()
	page := b.Send(http.MethodPost, "/signin", url.Values{"email": {email}, "password": {SomebodysPassword},
		"next": {"/account"}}.Encode(), FromPage)
	if page.Status != http.StatusOK || !strings.Contains(string(page.Body), email) {
		s.T.Fatalf("signing in: %d %s", page.Status, page.Body)
	}
	return b
}

// Invite invites an address and returns the invite.
func (s *Server) Invite(organization, token, email string) Invite {
	s.T.Helper()
	var made struct{ Invites []Invite }
	s.CallAs(token, http.MethodPost, "/v1/orgs/"+organization+"/invites", map[string]any{"emails": []string{email}},
		http.StatusOK, &made)
	if len(made.Invites) != 1 {
		s.T.Fatalf("%s was not invited", email)
	}
	return made.Invites[0]
}

// OrganizationsOf are the titles of the organizations that a token's person belongs to.
func (s *Server) OrganizationsOf(token string) (titles []string) {
	s.T.Helper()
	var list struct{ Items []struct{ Title string } }
	s.CallAs(token, http.MethodGet, "/v1/orgs", nil, http.StatusOK, &list)
	for _, each := range list.Items {
		titles = append(titles, each.Title)
	}
	return titles
}

// Guest is the role of who is in an organization for single spaces.
const Guest org.Role = "guest"

// Ladder is the roles from the lowest.
var Ladder = []org.Role{Guest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
	org.RoleAdmin}

// Try sends a request whose body is as a trial describes it.
func (s *Server) Try(method, path, token, body string) Answer {
	s.T.Helper()
	switch body {
	case "":
		return s.Raw(method, path, token, nil)
	case "text":
		return s.Raw(method, path, token, []byte("# Text\n\nWords.\n"))
	case "file":
		var form bytes.Buffer
		writer := multipart.NewWriter(&form)
		part, err := writer.CreateFormFile("file", "a.txt")
		if err != nil {
			s.T.Fatal(err)
		}
		_, _ = part.Write([]byte("a"))
		if err := writer.Close(); err != nil {
			s.T.Fatal(err)
		}
		request, err := http.NewRequestWithContext(s.T.Context(), method, s.Base+path, &form)
		if err != nil {
			s.T.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", writer.FormDataContentType())
		return s.Send(request)
	}
	return s.Raw(method, path, token, body)
}

// Hostname is the organization's.
func (s *Server) Hostname() string {
	s.T.Helper()
	var organization struct{ Hostname string }
	s.Call(http.MethodGet, "/v1/orgs/"+s.Organization, nil, http.StatusOK, &organization)
	return organization.Hostname
}

// Collection makes a collection; parent may be empty.
func (s *Server) Collection(title, parent string) string {
	s.T.Helper()
	body := map[string]any{"title": title}
	if parent != "" {
		body["parent"] = parent
	}
	var made Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/collections", body, http.StatusCreated, &made)
	return made.ID
}

// Person adds somebody with a role and returns their token and id.
func (s *Server) Person(role org.Role, email string) (token, userID string) {
	s.T.Helper()
	token = s.Member(role, email)
	var user Identified
	s.CallAs(token, http.MethodGet, "/v1/user", nil, http.StatusOK, &user)
	return token, user.ID
}

// Team makes a team with members, which has no operation yet.
func (s *Server) Team(title string, userIDs ...string) string {
	s.T.Helper()
	using := s.people
	if using == nil {
		database, err := db.Open(s.T.Context(), db.Config{URL: s.Storage.Database()})
		if err != nil {
			s.T.Fatal(err)
		}
		defer database.Close()
		using = s.openPeople(database)
	}
	admin, err := using.accounts.Authenticate(s.T.Context(), s.Token)
	if err != nil {
		s.T.Fatal(err)
	}
	made, err := using.organizations.CreateTeam(s.T.Context(), admin, id.Organization(s.Organization), title,
		userIDs...)
	if err != nil {
		s.T.Fatal(err)
	}
	return string(made.ID)
}
