package machine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// feedEntries is how many pages the feed has: those that changed last.
const feedEntries = 30

type atomFeed struct {
	XMLName   xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID        string      `xml:"id"`
	Title     string      `xml:"title"`
	Updated   string      `xml:"updated"`
	Links     []atomLink  `xml:"link"`
	Author    atomAuthor  `xml:"author"`
	Generator string      `xml:"generator"`
	Entries   []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomAuthor struct {
	Name string `xml:"name"`
}

type atomEntry struct {
	ID        string     `xml:"id"`
	Title     string     `xml:"title"`
	Updated   string     `xml:"updated"`
	Published string     `xml:"published,omitempty"`
	Links     []atomLink `xml:"link"`
	Summary   string     `xml:"summary,omitempty"`
}

// ServeFeed sends the Atom feed of the pages that changed last.
func ServeFeed(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	return serveList(w, r, s, "feed", "application/atom+xml; charset=utf-8",
		func(ctx context.Context, out *bytes.Buffer) error {
			parts, err := s.Parts(ctx)
			if err != nil {
				return err
			}
			type entry struct {
				in   *scope.Scope
				node *store.TreeNode
			}
			var pages []entry
			changed := s.Edition.View.Revision().CreatedAt
			for _, part := range parts {
				for node := range part.Edition.ForMachines {
					pages = append(pages, entry{part, node})
				}
				if at := part.Edition.View.Revision().CreatedAt; at.After(changed) {
					changed = at
				}
			}
			slices.SortStableFunc(pages, func(a, b entry) int {
				return cmp.Compare(b.node.Entry.UpdatedAt, a.node.Entry.UpdatedAt)
			})
			pages = pages[:min(len(pages), feedEntries)]
			feed := atomFeed{
				ID: s.Address, Title: s.Title(), Updated: stamp(changed), Author: atomAuthor{s.Title()},
				Generator: "Recto",
				Links: []atomLink{{Rel: "self", Type: "application/atom+xml", Href: s.Address + "feed.xml"},
					{Rel: "alternate", Type: "text/html", Href: s.Address}},
			}
			if len(pages) > 0 && pages[0].node.Entry.UpdatedAt > 0 {
				feed.Updated = stamp(time.UnixMicro(pages[0].node.Entry.UpdatedAt))
			}
			for _, page := range pages {
				feed.Entries = append(feed.Entries, feedEntry(page.in, page.node, feed.Updated))
			}
			return writeXML(out, feed)
		})
}

// feedEntry is a page as an entry of a feed.
func feedEntry(s *scope.Scope, node *store.TreeNode, updated string) atomEntry {
	entry := atomEntry{
		ID: s.Address + "#" + node.Entry.ID, Title: edition.PlainTitle(edition.Title(node.Entry)),
		Summary: strings.TrimSpace(node.Entry.Description), Updated: updated,
		Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: s.PageAddress(node)}},
	}
	if node.Entry.UpdatedAt > 0 {
		entry.Updated = stamp(time.UnixMicro(node.Entry.UpdatedAt))
	}
	if node.Entry.CreatedAt > 0 {
		entry.Published = stamp(time.UnixMicro(node.Entry.CreatedAt))
	}
	return entry
}
