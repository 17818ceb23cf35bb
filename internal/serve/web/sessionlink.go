package web

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/secrets"
)

// sessionLinkSecrets are those of session links.
var sessionLinkSecrets = secrets.Kind{Prefix: "rcs_", Bytes: 25}

// sessionLinkLife is how long a session link works that nobody uses.
const sessionLinkLife = 24 * time.Hour

// sessionLinks are the session links of a program, by the hashes of their secrets.
type sessionLinks struct {
	mutex  sync.Mutex
	byHash map[string]*sessionLink
}

type sessionLink struct {
	user    account.User
	next    string
	expires time.Time
	used    bool
}

// SessionLink returns an address, below that of the server, which signs in as a user once and opens the local path
// next. It is for whoever has started the program; see the package.
func (s *Server) SessionLink(baseURL string, user account.User, next string) string {
	secret := sessionLinkSecrets.New()
	s.links.mutex.Lock()
	defer s.links.mutex.Unlock()
	if s.links.byHash == nil {
		s.links.byHash = map[string]*sessionLink{}
	}
	s.links.byHash[string(secrets.Hash(secret))] = &sessionLink{user: user, next: LocalPath(next),
		expires: s.Now().Add(sessionLinkLife)}
	return strings.TrimRight(baseURL, "/") + "/signin/link?link=" + url.QueryEscape(secret)
}

// take returns the link of a secret, as it was before, and uses it up when use says so.
func (l *sessionLinks) take(secret string, now time.Time, use bool) (sessionLink, bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	link := l.byHash[string(secrets.Hash(secret))]
	if link == nil || !now.Before(link.expires) {
		return sessionLink{}, false
	}
	found := *link
	link.used = link.used || use
	return found, true
}

// noSessionLink is what people see of a link that does not work, whyever.
func noSessionLink() error {
	return errs.NotFoundf("This link was used already, has expired, or was made by a program that has ended. " +
		"Start it again for another one.")
}

// sessionLinkContent is what the page of a session link shows.
type sessionLinkContent struct {
	Link, Name, Email string
	// Again is whom somebody is signed in as.
	Again string
}

// sessionLinkPage asks whether to sign in. It leaves the link as it is. Whom a used link has signed in it leads on.
func (s *Server) sessionLinkPage(w http.ResponseWriter, r *http.Request) error {
	secret := r.FormValue("link")
	link, ok := s.links.take(secret, s.Now(), false)
	if !ok {
		return noSessionLink()
	}
	caller, signedIn, err := s.Sessions.Caller(w, r)
	if err != nil {
		return err
	}
	if signedIn && caller.User.ID == link.user.ID {
		redirect(w, link.next)
		return nil
	}
	if link.used {
		return noSessionLink()
	}
	content := sessionLinkContent{Link: secret, Name: link.user.DisplayName, Email: link.user.Email}
	if signedIn {
		content.Again = caller.User.DisplayName
	}
	s.render(w, r, http.StatusOK, "sessionlink", view{Title: "Sign in", Content: content})
	return nil
}

// useSessionLink signs in as the link's user and uses the link up.
func (s *Server) useSessionLink(w http.ResponseWriter, r *http.Request) error {
	link, ok := s.links.take(r.PostFormValue("link"), s.Now(), true)
	if !ok || link.used {
		return noSessionLink()
	}
	return s.Sessions.SignIn(w, r, account.Identified{User: link.user}, account.ByLink, link.next)
}
