package identities_test

import (
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
)

// apiProvider is an identity provider of either kind.
type apiProvider struct {
	Object, ID, Label, SSOURL, EntityID, Certificate, Issuer, ClientID, Status string
	HasClientSecret                                                            bool
	DefaultRole                                                                *string
	DefaultTeam                                                                *apptest.Identified
	Service                                                                    struct {
		ACSURL, StartURL, EntityID, RedirectURL string
	}
	URLs struct{ Location string }
}

func TestIdentityProviders(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		all := "/v1/orgs/" + s.Organization
		var made apiProvider
		created := s.Call(http.MethodPost, all+"/saml", `{"label":"Login"}`, http.StatusCreated, &made)
		if made.Object != "saml-provider" || made.Status != "pending" || made.DefaultRole == nil ||
			*made.DefaultRole != "read" || made.DefaultTeam != nil ||
			created.Header.Get("Location") != made.URLs.Location || made.URLs.Location != s.Base+all+"/saml/"+made.ID ||
			!strings.HasPrefix(made.Service.ACSURL, s.Base+"/signin/saml/") {
			t.Errorf("%+v", made)
		}
		one := all + "/saml/" + made.ID
		s.Call(http.MethodPatch, one,
			`{"ssoURL":"https://idp.example/sso","entityID":"https://idp.example","defaultRole":null,"label":"Other"}`,
			http.StatusOK, &made)
		if made.SSOURL != "https://idp.example/sso" || made.EntityID != "https://idp.example" ||
			made.DefaultRole != nil || made.Label != "Other" {
			t.Errorf("%+v", made)
		}
		for _, body := range []string{
			`{"label":""}`, `{"label":null}`, `{"label":"` + strings.Repeat("x", 31) + `"}`,
			`{"certificate":"nonsense"}`, `{"ssoURL":"ftp://x"}`,
			`{"defaultRole":"owner"}`, `{"defaultTeam":"team_` + strings.Repeat("0", 26) + `"}`, `{"entityID":5}`,
		} {
			s.Call(http.MethodPatch, one, body, http.StatusBadRequest, nil)
		}
		s.Call(http.MethodPost, all+"/saml", `{}`, http.StatusBadRequest, nil)
		var list struct {
			Items []apiProvider
			Count int
		}
		s.Call(http.MethodGet, all+"/saml?limit=1", nil, http.StatusOK, &list)
		if list.Count != 1 || len(list.Items) != 1 || list.Items[0].ID != made.ID || list.Items[0].Label != "Other" {
			t.Errorf("%+v", list)
		}
		var logins struct{ Items []apptest.Identified }
		s.Call(http.MethodGet, all+"/sso", nil, http.StatusOK, &logins)
		if logins.Items == nil || len(logins.Items) != 0 {
			t.Errorf("%+v", logins)
		}
		metadata := s.Raw(http.MethodGet, made.Service.EntityID, "", nil)
		if metadata.Status != http.StatusOK || !strings.Contains(string(metadata.Body), made.Service.ACSURL) ||
			metadata.Header.Get("Content-Type") != "application/samlmetadata+xml" {
			t.Errorf("metadata: %d %s", metadata.Status, metadata.Body)
		}
		if start := s.Raw(http.MethodGet, made.Service.StartURL, "", nil); start.Status != http.StatusForbidden ||
			!strings.Contains(string(start.Body), "settings are not complete") {
			t.Errorf("start: %d %s", start.Status, start.Body)
		}
		s.Call(http.MethodDelete, one, nil, http.StatusNoContent, nil)
		s.Call(http.MethodDelete, one, nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, one, nil, http.StatusNotFound, nil)
		if metadata := s.Raw(http.MethodGet, made.Service.EntityID, "", nil); metadata.Status != http.StatusNotFound {
			t.Errorf("metadata of nobody: %d", metadata.Status)
		}

		s.Call(http.MethodPost, all+"/oidc",
			`{"label":"Open","issuer":"https://login.example","clientID":"recto","clientSecret":"hush-hush","defaultRole":"admin"}`, http.StatusCreated, &made)
		if made.Object != "oidc-provider" || made.Status != "active" || !made.HasClientSecret ||
			made.DefaultRole == nil || *made.DefaultRole != "admin" {
			t.Errorf("%+v", made)
		}
		one = all + "/oidc/" + made.ID
		for _, answer := range []apptest.Answer{s.Call(http.MethodGet, one, nil, http.StatusOK, nil),
			s.Call(http.MethodGet, all+"/oidc", nil, http.StatusOK, nil)} {
			if strings.Contains(string(answer.Body), "hush") {
				t.Errorf("the secret is shown: %s", answer.Body)
			}
		}
		s.Call(http.MethodGet, all+"/sso", nil, http.StatusOK, &logins)
		if len(logins.Items) != 1 || logins.Items[0].ID != made.ID {
			t.Errorf("%+v", logins)
		}
		if page := s.Raw(http.MethodGet, "/signin", "", nil); !strings.Contains(string(page.Body),
			"Continue with Open") {
			t.Errorf("the sign-in page: %s", page.Body)
		}
		s.Call(http.MethodGet, all+"/saml/"+made.ID, nil, http.StatusNotFound, nil)
		s.Call(http.MethodPatch, one, `{"clientSecret":null}`, http.StatusOK, &made)
		if made.Status != "pending" || made.HasClientSecret {
			t.Errorf("%+v", made)
		}
		s.Call(http.MethodDelete, one, nil, http.StatusNoContent, nil)
	})
}

// TestIdentityRoles tries every operation of single sign-on in every role.
func TestIdentityRoles(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		all := "/v1/orgs/" + s.Organization
		var other apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs",
			`{"title":"Others","emailDomains":[],"type":"business","useCase":"docsSite"}`, http.StatusCreated, &other)
		outsider, err := app.AddUser(t.Context(), s.Storage, app.NewMember{Email: "eve@example.org", Name: "Eve",
			Organization: id.Organization(other.ID), Role: "admin"}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		tokens := map[string]string{"outsider": outsider.Secret, "guest": s.Member("", "guest@example.org")}
		for _, role := range []string{"read", "comment", "edit", "review", "create", "admin"} {
			tokens[role] = s.Member(org.Role(role), role+"@example.org")
		}
		for role, token := range tokens {
			// Each role tries things of its own making, so that one that may delete takes nothing from the others.
			var saml, oidc apptest.Identified
			s.Call(http.MethodPost, all+"/saml", `{"label":"Login"}`, http.StatusCreated, &saml)
			s.Call(http.MethodPost, all+"/oidc", `{"label":"Login"}`, http.StatusCreated, &oidc)
			s.Call(http.MethodPost, all+"/sso/emergency-code", nil, http.StatusCreated, nil)
			for _, operation := range []struct {
				method, path, body string
				success            int
			}{
				{http.MethodGet, "/saml", "", http.StatusOK},
				{http.MethodPost, "/saml", `{"label":"New"}`, http.StatusCreated},
				{http.MethodGet, "/saml/" + saml.ID, "", http.StatusOK},
				{http.MethodPatch, "/saml/" + saml.ID, `{"label":"Changed"}`, http.StatusOK},
				{http.MethodDelete, "/saml/" + saml.ID, "", http.StatusNoContent},
				{http.MethodGet, "/oidc", "", http.StatusOK},
				{http.MethodPost, "/oidc", `{"label":"New"}`, http.StatusCreated},
				{http.MethodGet, "/oidc/" + oidc.ID, "", http.StatusOK},
				{http.MethodPatch, "/oidc/" + oidc.ID, `{"label":"Changed"}`, http.StatusOK},
				{http.MethodDelete, "/oidc/" + oidc.ID, "", http.StatusNoContent},
				{http.MethodGet, "/sso", "", http.StatusOK},
				{http.MethodGet, "/sso/emergency-code", "", http.StatusOK},
				{http.MethodPost, "/sso/emergency-code", "", http.StatusCreated},
				{http.MethodDelete, "/sso/emergency-code", "", http.StatusNoContent},
			} {
				want := http.StatusForbidden
				switch role {
				case "admin":
					want = operation.success
				case "outsider":
					want = http.StatusNotFound
				default:
					if operation.path == "/sso" {
						want = operation.success // it is how members get in
					}
				}
				var body any
				if operation.body != "" {
					body = operation.body
				}
				got := s.Raw(operation.method, all+operation.path, token, body)
				if got.Status != want {
					t.Errorf("%s: %s %s answers %d, want %d: %.200s", role, operation.method, operation.path,
						got.Status, want, got.Body)
				}
				if got.Status == operation.success {
					s.Check(operation.method, all+operation.path, got)
				}
			}
			// Whoever may do something in their own organization finds nothing of this one there.
			for _, path := range []string{"/saml/" + saml.ID, "/oidc/" + oidc.ID} {
				if got := s.Raw(http.MethodGet, "/v1/orgs/"+other.ID+path, outsider.Secret,
					nil); got.Status != http.StatusNotFound {
					t.Errorf("%s in another organization: %d", path, got.Status)
				}
			}
		}
	})
}

func TestEmergencyCodeSignsIn(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		path := "/v1/orgs/" + s.Organization + "/sso/emergency-code"
		s.Call(http.MethodGet, path, nil, http.StatusNotFound, nil)
		var made struct {
			Code string
			User struct{ Email string }
		}
		s.Call(http.MethodPost, path, nil, http.StatusCreated, &made)
		if made.User.Email != "ada@example.org" || len(made.Code) != 29 {
			t.Errorf("%+v", made)
		}
		if again := s.Call(http.MethodGet, path, nil, http.StatusOK, nil); strings.Contains(string(again.Body),
			made.Code) {
			t.Error("the code is shown again")
		}
		send := func(code, origin string) apptest.Answer {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+"/signin/sso/emergency",
				strings.NewReader(url.Values{"code": {code}}.Encode()))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			request.Header.Set("Sec-Fetch-Site", origin)
			return s.Send(request)
		}
		if got := send(made.Code, "cross-site"); got.Status != http.StatusForbidden ||
			!strings.Contains(string(got.Body), "came from another site") {
			t.Errorf("from another site: %d %s", got.Status, got.Body)
		}
		if got := send("AAAAA", "same-origin"); got.Status != http.StatusForbidden ||
			got.Header.Get("Set-Cookie") != "" {
			t.Errorf("another code: %d %v", got.Status, got.Header)
		}
		if got := send(made.Code, "same-origin"); got.Status != http.StatusSeeOther ||
			!strings.Contains(got.Header.Get("Set-Cookie"), "recto_session") {
			t.Errorf("the code: %d %v", got.Status, got.Header)
		}
		if got := send(made.Code, "same-origin"); got.Status != http.StatusForbidden {
			t.Errorf("the code a second time: %d", got.Status)
		}
		s.Call(http.MethodGet, path, nil, http.StatusNotFound, nil)
	})
}

// TestEnforcedSSO holds that a password opens the organization no more, and the emergency code does.
func TestEnforcedSSO(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		all := "/v1/orgs/" + s.Organization
		if refused := s.Call(http.MethodPatch, all, `{"sso":true}`, http.StatusConflict, nil); !strings.Contains(
			string(refused.Body), "no identity provider") {
			t.Errorf("%s", refused.Body)
		}
		var provider apptest.Identified
		s.Call(http.MethodPost, all+"/oidc",
			`{"label":"Open","issuer":"https://login.example","clientID":"recto","clientSecret":"x"}`,
			http.StatusCreated, &provider)
		ada := s.SignedIn()
		for _, says := range []string{"lock yourself out", "createOrganizationEmergencyCode",
			"/signin/oidc/" + provider.ID} {
			if refused := s.Call(http.MethodPatch, all, `{"sso":true}`, http.StatusConflict, nil); !strings.Contains(
				string(refused.Body), says) {
				t.Errorf("%q is not in %s", says, refused.Body)
			}
		}
		made := newEmergencyCode(ada, s.Organization)
		s.Call(http.MethodPatch, all, `{"sso":true}`, http.StatusOK, nil)
		form := url.Values{"email": {"ada@example.org"}, "password": {"analytical engine"}}.Encode()
		headers := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}}
		b := s.NewBrowser()
		inside := func() int { return b.Send(http.MethodGet, all, "", apptest.OwnPage).Status }
		page := b.Send(http.MethodPost, "/signin", form, headers)
		if page.Status != http.StatusOK || inside() != http.StatusForbidden {
			t.Errorf("a password: %d, and the organization answers %d", page.Status, inside())
		}
		s.Call(http.MethodDelete, all+"/oidc/"+provider.ID, nil, http.StatusConflict, nil)
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		b = apptest.Browser{Client: &http.Client{Jar: jar}, S: s}
		page = b.Send(http.MethodPost, "/signin/sso/emergency", url.Values{"code": {made}}.Encode(), headers)
		page = profile(b, page)
		if page.Status != http.StatusOK || !strings.Contains(string(page.Body), "ada@example.org") {
			t.Errorf("the code: %d %s", page.Status, page.Body)
		}
		if inside() != http.StatusOK {
			t.Errorf("the code opens the organization with %d", inside())
		}
		s.Call(http.MethodPatch, all, `{"sso":false}`, http.StatusOK, nil)
		s.Call(http.MethodDelete, all+"/oidc/"+provider.ID, nil, http.StatusNoContent, nil)
		s.SignedIn()
	})
}

// TestEnforcingAfterSigningIn holds that an admin who came by the organization's provider may enforce it, and one who
// did not may not.
func TestEnforcingAfterSigningIn(t *testing.T) {
	apptest.OnBothWith(t, withName, func(t *testing.T, s *apptest.Server) {
		f := withProviders(s)
		enforce := func(token string, want int) {
			t.Helper()
			f.CallAs(token, http.MethodPatch, "/v1/orgs/"+f.evil, `{"sso":true}`, want, nil)
		}
		enforce(f.token, http.StatusConflict)
		f.invite("v@example.org", "admin")
		b := f.NewBrowser()
		signedInAs(f.Server, f.bySAML(b, "v@example.org"), "v@example.org")
		token := newToken(b, "v")
		enforce(f.token, http.StatusConflict)
		enforce(token, http.StatusOK)
		// What is on stays on for everybody, and who changes something else is not asked.
		f.CallAs(f.token, http.MethodPatch, "/v1/orgs/"+f.evil, `{"sso":true,"title":"Same"}`, http.StatusOK, nil)
		f.CallAs(f.token, http.MethodPatch, "/v1/orgs/"+f.evil, `{"sso":false}`, http.StatusOK, nil)
		enforce(f.token, http.StatusConflict)
	})
}

func TestSignInAddressesRefuse(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	none := strings.Repeat("0", 26)
	form := url.Values{"SAMLResponse": {strings.Repeat("A", 1<<20)}}.Encode()
	for _, each := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{http.MethodGet, "/signin/saml/saml_" + none, "", http.StatusNotFound, "no such SAML provider"},
		{http.MethodGet, "/signin/oidc/oidc_" + none, "", http.StatusNotFound, "no such OpenID Connect provider"},
		{http.MethodPost, "/signin/saml/saml_" + none + "/acs", "SAMLResponse=x", http.StatusNotFound,
			"no such SAML provider"},
		{http.MethodPost, "/signin/saml/saml_" + none + "/acs", form, http.StatusBadRequest, "larger than"},
		{http.MethodGet, "/signin/oidc/oidc_" + none + "/callback?code=x&state=y", "", http.StatusNotFound,
			"no such OpenID Connect provider"},
		{http.MethodGet, "/signin/sso/finish?ticket=x", "", http.StatusForbidden, "finished already"},
		{http.MethodGet, "/signin/sso/elsewhere", "", http.StatusNotFound, "no page"},
		{http.MethodGet, "/signin/sso?organization=nobody", "", http.StatusNotFound, "No organization with this name"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), each.method, s.Base+each.path,
			strings.NewReader(each.body))
		if err != nil {
			t.Fatal(err)
		}
		if each.body != "" {
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			request.Header.Set("Sec-Fetch-Site", "cross-site")
		}
		got := s.Send(request)
		if got.Status != each.status || !strings.Contains(string(got.Body), each.says) ||
			!strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s %s: %d %.600s", each.method, each.path, got.Status, got.Body)
		}
	}
}
