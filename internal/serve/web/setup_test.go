package web_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/web"
)

// setupForm is a form that sets the server up.
func setupForm() url.Values {
	return url.Values{"code": {setupCode}, "title": {"Example <1>"}, "name": {"Grace"}, "email": {"grace@example.org"},
		"password": {"analytical engine"}}
}

func TestSetup(t *testing.T) {
	s := empty(t)
	b := s.browser()
	for _, path := range []string{"/", "/signin", "/app", "/account"} {
		b.want(b.get(path), http.StatusOK, "/setup", "Set up Recto", `name="code"`)
	}
	if got := b.get("/setup"); strings.Contains(got.body, "--base-url") {
		t.Errorf("at its own address a server is told of another one:\n%s", got.body)
	}
	own := s.pages.Host
	s.pages.Host = "localhost:8080"
	b.want(b.get("/setup"), http.StatusOK, "/setup", "start it with --base-url http://127.0.0.1:")
	s.pages.Host = own
	path := strings.TrimPrefix(web.SetupAddress(s.base, setupCode), s.base)
	got := b.get(path)
	b.want(got, http.StatusOK, path, `type="hidden" name="code" value="`+setupCode+`"`)
	if got.header.Get("Referrer-Policy") != "same-origin" || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", got.header)
	}
	// As people type it.
	form := setupForm()
	form.Set("code", " abcdefgh ijkl-mnop")
	b.want(b.post("/setup", form), http.StatusOK, "/app", "The app")
	b.want(b.get("/account"), http.StatusOK, "/account", "grace@example.org")
	user, err := s.accounts.UserByEmail(t.Context(), "grace@example.org")
	if err != nil {
		t.Fatal(err)
	}
	memberships, err := s.organizations.ListForUser(t.Context(), account.Caller{User: user}, paging.Request{})
	if err != nil || len(memberships.Items) != 1 || memberships.Items[0].Role != org.RoleAdmin ||
		memberships.Items[0].Organization.Title != "Example <1>" {
		t.Errorf("%+v, %v", memberships, err)
	}
	// It is closed for good, for who set it up too, and the code is worth nothing.
	other := s.browser()
	other.want(other.get(path), http.StatusOK, "/", "Sign in")
	form.Set("email", "eve@example.org")
	other.want(other.post("/setup", form), http.StatusBadRequest, "/setup", "set up already")
	if _, err := s.accounts.UserByEmail(t.Context(), "eve@example.org"); err == nil {
		t.Error("a second person was made an administrator")
	}
	other.want(other.post("/signin", url.Values{"email": {"grace@example.org"}, "password": {"analytical engine"}}),
		http.StatusOK, "/app")
}

func TestSetupRefusals(t *testing.T) {
	s := empty(t)
	b := s.browser()
	for name, test := range map[string]struct {
		change url.Values
		status int
		text   string
	}{
		"no code":          {url.Values{"code": {""}}, http.StatusForbidden, "not the code"},
		"another code":     {url.Values{"code": {"ABCD-EFGH-IJKL-MNOQ"}}, http.StatusForbidden, "not the code"},
		"part of the code": {url.Values{"code": {"ABCD"}}, http.StatusForbidden, "not the code"},
		"no title":         {url.Values{"title": {" "}}, http.StatusBadRequest, `id="title-problem"`},
		"a short title":    {url.Values{"title": {"E"}}, http.StatusBadRequest, `id="title-problem"`},
		"no name":          {url.Values{"name": nil}, http.StatusBadRequest, `id="name-problem"`},
		"no address":       {url.Values{"email": {"grace"}}, http.StatusBadRequest, `id="email-problem"`},
		"a weak password":  {url.Values{"password": {"password1"}}, http.StatusBadRequest, `id="password-problem"`},
		"a short password": {url.Values{"password": {"1"}}, http.StatusBadRequest, `id="password-problem"`},
	} {
		t.Run(name, func(t *testing.T) {
			form := setupForm()
			maps.Copy(form, test.change)
			got := b.post("/setup", form)
			b.want(got, test.status, "/setup", test.text)
			if strings.Contains(got.body, "analytical engine") {
				t.Error("the page shows the password")
			}
			if test.status == http.StatusBadRequest && !strings.Contains(got.body, setupCode) {
				t.Error("the page asks for the code again")
			}
		})
	}
	// A form of another site.
	got := b.do(http.MethodPost, "/setup", setupForm(), http.Header{"Sec-Fetch-Site": {"cross-site"}})
	b.want(got, http.StatusForbidden, "/setup", "came from another site")
	if begun, err := s.organizations.IsSetUp(t.Context()); begun || err != nil {
		t.Errorf("set up: %v, %v", begun, err)
	}
}

// Of several who set the server up at once, one does.
func TestSetupRace(t *testing.T) {
	s := empty(t)
	var group sync.WaitGroup
	arrived := make(chan string, 4)
	for i := range 4 {
		group.Go(func() {
			form := setupForm()
			form.Set("email", string(rune('a'+i))+"@example.org")
			arrived <- s.browser().post("/setup", form).path
		})
	}
	group.Wait()
	close(arrived)
	count := map[string]int{}
	for path := range arrived {
		count[path]++
	}
	if count["/app"] != 1 || count["/setup"] != 3 {
		t.Errorf("%v", count)
	}
}

func TestStartPage(t *testing.T) {
	s := start(t)
	b := s.browser()
	got := b.get("/")
	b.want(got, http.StatusOK, "/", "Guide &lt;1&gt;", `href="/sites/example/guide/"`, `href="/signin"`)
	if strings.Contains(got.body, "Handbook") {
		t.Error("a visitor sees the sites of a team")
	}
	b.get("/signin/sso")
	b.want(b.get("/"), http.StatusOK, "/", "Your sites", "Handbook", "not for everybody", "Other sites",
		`href="/app"`)
	// A host that leads here and is not the server's own tells of no site.
	s.pages.Host = "docs.example.org"
	for _, b := range []browser{b, s.browser()} {
		if got := b.get("/"); strings.Contains(got.body, "Guide") || strings.Contains(got.body, "Handbook") {
			t.Errorf("another host lists sites:\n%s", got.body)
		}
	}
	// Who is signed in learns why, and how to mend it.
	b.want(b.get("/"), http.StatusOK, "/", "its links lead", "--base-url http://127.0.0.1:")
	if got := s.browser().get("/"); strings.Contains(got.body, "--base-url") {
		t.Errorf("a visitor is told of the settings of the server:\n%s", got.body)
	}
}

func TestSetupCode(t *testing.T) {
	if got := web.SetupCode([]byte("0123456789abcdef")); got != "GAYT-EMZU-GU3D-OOBZ" {
		t.Error(got)
	}
}
