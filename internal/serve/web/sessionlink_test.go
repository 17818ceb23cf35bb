package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// sessionLink makes a link to the app, and returns its path and its secret.
func sessionLink(s *site) (path, secret string) {
	address := s.pages.SessionLink(s.base, s.user, "/app/spaces/space_1")
	_, secret, _ = strings.Cut(address, "?link=")
	return strings.TrimPrefix(address, s.base), secret
}

func TestSessionLink(t *testing.T) {
	s := start(t)
	path, secret := sessionLink(s)
	b := s.browser()
	// Whatever looks at the link before people do leaves it as it is, and learns no more than the link's owner.
	for range 3 {
		b.want(b.get(path), http.StatusOK, path, "Ada &lt;L&gt;", `action="/signin/link"`)
	}
	b.want(b.get("/account"), http.StatusOK, "/signin?next=%2Faccount")
	b.want(b.post("/signin/link", url.Values{"link": {secret}}), http.StatusOK, "/app/spaces/space_1", "The app")
	// Used up for everybody else, it leads on whom it signed in.
	b.want(b.get(path), http.StatusOK, "/app/spaces/space_1")
	other := s.browser()
	other.want(other.get(path), http.StatusNotFound, path, "used already")
	other.want(other.post("/signin/link", url.Values{"link": {secret}}), http.StatusNotFound, "/signin/link",
		"used already")
	other.want(other.get("/account"), http.StatusOK, "/signin?next=%2Faccount")
}

func TestSessionLinkRefusals(t *testing.T) {
	s := start(t)
	b := s.browser()
	for _, secret := range []string{"", "rcs_", "rcs_" + strings.Repeat("a", 40)} {
		b.want(b.get("/signin/link?link="+secret), http.StatusNotFound, "/signin/link?link="+secret, "used already")
		b.want(b.post("/signin/link", url.Values{"link": {secret}}), http.StatusNotFound, "/signin/link")
	}
	path, secret := sessionLink(s)
	// A form of another site signs nobody in, and leaves the link as it is.
	request, err := http.NewRequest(http.MethodPost, s.base+"/signin/link",
		strings.NewReader(url.Values{"link": {secret}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	answer, err := b.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("a form of another site: %d", answer.StatusCode)
	}
	b.want(b.get(path), http.StatusOK, path, "Ada")
	s.passed.Add(int64(24 * time.Hour))
	b.want(b.get(path), http.StatusNotFound, path, "expired")
	b.want(b.post("/signin/link", url.Values{"link": {secret}}), http.StatusNotFound, "/signin/link")
}
