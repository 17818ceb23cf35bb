package apptest

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/base/id"
)

// Browser is somebody's browser at the server.
type Browser struct {
	*http.Client
	S *Server
}

// AdasPassword is that of the first admin, once SignedIn was called.
const AdasPassword = "analytical engine"

// SignedIn gives the first admin a password and returns a browser in which they have signed in with it.
func (s *Server) SignedIn() Browser {
	s.T.Helper()
	if _, err := app.SetPassword(s.T.Context(), s.Storage, "ada@example.org", AdasPassword,
		slog.New(slog.DiscardHandler)); err != nil {
		s.T.Fatal(err)
	}
	return s.BrowserOf(AdasPassword)
}

// BrowserOf returns a browser in which the first admin has signed in.
func (s *Server) BrowserOf(password string) Browser {
	s.T.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.T.Fatal(err)
	}
	b := Browser{&http.Client{Jar: jar}, s}
	form := url.Values{"email": {"ada@example.org"}, "password": {password}, "next": {"/account"}}
	page := b.Send(http.MethodPost, "/signin", form.Encode(), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}})
	if page.Status != http.StatusOK || !strings.Contains(string(page.Body), "Profile") {
		s.T.Fatalf("signing in: %d %s", page.Status, page.Body)
	}
	return b
}

// Send sends a request with the cookies and follows redirects.
func (b Browser) Send(method, path, body string, header http.Header) Answer {
	b.S.T.Helper()
	request, err := http.NewRequestWithContext(b.S.T.Context(), method, b.S.Base+path, strings.NewReader(body))
	if err != nil {
		b.S.T.Fatal(err)
	}
	for name := range header {
		request.Header.Set(name, header.Get(name))
	}
	response, err := b.Do(request)
	if err != nil {
		b.S.T.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		b.S.T.Fatal(err)
	}
	return Answer{Status: response.StatusCode, Header: response.Header, Body: raw}
}

// OwnPage are the headers of a request that a page of the server makes.
var OwnPage = http.Header{"Sec-Fetch-Site": {"same-origin"}, "Content-Type": {"application/json"}}

// Address is that of the server, by which cookies are kept.
func (b Browser) Address() *url.URL {
	address, err := url.Parse(b.S.Base)
	if err != nil {
		b.S.T.Fatal(err)
	}
	return address
}

// FromPage are the headers of a form of the server's own pages.
var FromPage = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}}

// OperatorAdds is recto user add; it returns the token.
func (s *Server) OperatorAdds(email, organization, role string) string {
	s.T.Helper()
	made, err := app.AddUser(s.T.Context(), s.Storage, app.NewMember{Email: email, Name: "Somebody",
		Organization: id.Organization(organization), Role: role}, slog.New(slog.DiscardHandler))
	if err != nil {
		s.T.Fatal(err)
	}
	return made.Secret
}

// NewBrowser is a browser that knows nothing.
func (s *Server) NewBrowser() Browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.T.Fatal(err)
	}
	return Browser{&http.Client{Jar: jar}, s}
}

// Exec changes what no operation changes.
func (s *Server) Exec(statement string, args ...any) {
	s.T.Helper()
	if s.opened == nil {
		s.opened = s.Database()
	}
	if _, err := s.opened.Write().ExecContext(s.T.Context(), statement, args...); err != nil {
		s.T.Fatal(err)
	}
}

// UserOf returns the id of whom a token stands for.
func (s *Server) UserOf(token string) string {
	s.T.Helper()
	var user Identified
	s.CallAs(token, http.MethodGet, "/v1/user", nil, http.StatusOK, &user)
	return user.ID
}
