package web

import (
	"net/http"
	"strings"
)

// SiteList is what the start page shows of the server's sites.
type SiteList struct {
	// Own are those of the visitor's organizations, Public those of others that everybody may read.
	Own, Public []ListedSite
}

// ListedSite is a published site on the start page.
type ListedSite struct {
	// Title is the site's, Organization that of whose it is.
	Title, Organization string
	// URL is where it is read.
	URL string
	// Restricted says that not everybody may read it.
	Restricted bool
}

// startContent is what the start page shows.
type startContent struct {
	// Name is that of the person who is signed in, "" for nobody.
	Name string
	// Elsewhere says that the server takes another address for its own; only who is signed in is told.
	Elsewhere string
	SiteList
}

// elsewhere says that the server takes another address for its own than that of a request, "" when it does not.
func (s *Server) elsewhere(r *http.Request) string {
	if strings.EqualFold(r.Host, s.Host) {
		return ""
	}
	scheme, _, _ := strings.Cut(s.Issuer, "://")
	return "You reached this server at " + r.Host + ". It takes " + s.Issuer + " for its address, and its links lead " +
		"there. If people are to reach it here, start it with --base-url " + scheme + "://" + r.Host + "."
}

// startPage is what the server's own address shows: the sites that the visitor may open, and where to go. On a server
// that has nobody yet it leads to where that is set up.
func (s *Server) startPage(w http.ResponseWriter, r *http.Request) error {
	begun, err := s.isSetUp(r)
	if err != nil {
		return err
	}
	if !begun {
		redirect(w, "/setup")
		return nil
	}
	caller, _, err := s.Sessions.Caller(w, r)
	if err != nil {
		return err
	}
	content := startContent{Name: caller.User.DisplayName}
	if strings.EqualFold(r.Host, s.Host) {
		if content.SiteList, err = s.Sites(r.Context(), caller); err != nil {
			return err
		}
	}
	if content.Name != "" {
		content.Elsewhere = s.elsewhere(r)
	}
	s.render(w, r, http.StatusOK, "start", view{Title: "Start", Content: content})
	return nil
}
