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
	SiteList
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
	s.render(w, r, http.StatusOK, "start", view{Title: "Start", Content: content})
	return nil
}
