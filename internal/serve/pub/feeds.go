package pub

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// feedEntries is how many pages the feed has: those that changed last.
const feedEntries = 30

// sitemapSize is how many addresses one sitemap holds; the protocol allows 50,000. More pages make it an index.
const sitemapSize = 40_000

// serveList sends something else than a page that is made of the edition. Like pages, it is made once.
func (s *scope) serveList(w http.ResponseWriter, r *http.Request, kind, contentType string,
	write func(context.Context, *bytes.Buffer) error) error {
	ctx := context.WithoutCancel(r.Context()) // others may wait for the same list
	made, err := s.once("\x00"+kind, func() (*response.Response, error) {
		var out bytes.Buffer
		if err := write(ctx, &out); err != nil {
			return nil, err
		}
		header := http.Header{"Content-Type": {contentType}, "Cache-Control": {"no-cache"},
			"Content-Security-Policy": {response.ListPolicy}}
		if s.site.Site.Visibility != site.VisibilityPublic {
			header["X-Robots-Tag"] = []string{"noindex"}
		}
		return response.New(header, out.Bytes()), nil
	})
	if err != nil {
		return fmt.Errorf("make %s: %w", kind, err)
	}
	made.Serve(w, r)
	return nil
}

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

// serveFeed sends the Atom feed of the pages that changed last.
func (s *scope) serveFeed(w http.ResponseWriter, r *http.Request) error {
	return s.serveList(w, r, "feed", "application/atom+xml; charset=utf-8",
		func(ctx context.Context, out *bytes.Buffer) error {
			parts, err := s.parts(ctx)
			if err != nil {
				return err
			}
			type entry struct {
				in   *scope
				node *store.TreeNode
			}
			var pages []entry
			changed := s.edition.View.Revision().CreatedAt
			for _, part := range parts {
				for node := range part.edition.ForMachines {
					pages = append(pages, entry{part, node})
				}
				if at := part.edition.View.Revision().CreatedAt; at.After(changed) {
					changed = at
				}
			}
			slices.SortStableFunc(pages, func(a, b entry) int {
				return cmp.Compare(b.node.Entry.UpdatedAt, a.node.Entry.UpdatedAt)
			})
			pages = pages[:min(len(pages), feedEntries)]
			feed := atomFeed{
				ID: s.address, Title: s.title(), Updated: stamp(changed), Author: atomAuthor{s.title()},
				Generator: "Recto",
				Links: []atomLink{{Rel: "self", Type: "application/atom+xml", Href: s.address + "feed.xml"},
					{Rel: "alternate", Type: "text/html", Href: s.address}},
			}
			if len(pages) > 0 && pages[0].node.Entry.UpdatedAt > 0 {
				feed.Updated = stamp(time.UnixMicro(pages[0].node.Entry.UpdatedAt))
			}
			for _, page := range pages {
				feed.Entries = append(feed.Entries, page.in.feedEntry(page.node, feed.Updated))
			}
			return writeXML(out, feed)
		})
}

// feedEntry is a page as an entry of a feed.
func (s *scope) feedEntry(node *store.TreeNode, updated string) atomEntry {
	entry := atomEntry{
		ID: s.address + "#" + node.Entry.ID, Title: edition.PlainTitle(edition.Title(node.Entry)),
		Summary: strings.TrimSpace(node.Entry.Description), Updated: updated,
		Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: s.pageAddress(node)}},
	}
	if node.Entry.UpdatedAt > 0 {
		entry.Updated = stamp(time.UnixMicro(node.Entry.UpdatedAt))
	}
	if node.Entry.CreatedAt > 0 {
		entry.Published = stamp(time.UnixMicro(node.Entry.CreatedAt))
	}
	return entry
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func writeXML(out *bytes.Buffer, document any) error {
	out.WriteString(xml.Header)
	if err := xml.NewEncoder(out).Encode(document); err != nil {
		return fmt.Errorf("encode list: %w", err)
	}
	out.WriteByte('\n')
	return nil
}

type sitemap struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Address  string `xml:"loc"`
	Modified string `xml:"lastmod,omitempty"`
}

type sitemapIndex struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Maps    []sitemapURL `xml:"sitemap"`
}

// serveSitemap sends the sitemap, or for many pages the index of its parts, "sitemap-1.xml" and on. Done is false when
// the name is none of these. The map of the site's root also lists the maps of its other spaces.
func (s *scope) serveSitemap(w http.ResponseWriter, r *http.Request, name string) (done bool, err error) {
	part := 0
	if name != "sitemap.xml" {
		number, ok := strings.CutPrefix(strings.TrimSuffix(name, ".xml"), "sitemap-")
		if part, err = strconv.Atoi(number); err != nil || !ok || part < 1 || strconv.Itoa(part) != number {
			return false, nil
		}
	}
	if s.site.Site.Visibility != site.VisibilityPublic {
		return false, nil
	}
	pages := slices.Collect(s.edition.ForMachines)
	parts := (len(pages) + sitemapSize - 1) / sitemapSize
	others := s.otherSpaces()
	if part > max(parts, 1) {
		return false, nil
	}
	return true, s.serveList(w, r, name, "application/xml; charset=utf-8",
		func(_ context.Context, out *bytes.Buffer) error {
			if part == 0 && (parts > 1 || len(others) > 0) {
				index := sitemapIndex{}
				for i := range max(parts, 1) {
					index.Maps = append(index.Maps, sitemapURL{Address: s.address + "sitemap-" + strconv.Itoa(i+1) +
						".xml"})
				}
				for _, other := range others {
					index.Maps = append(index.Maps, sitemapURL{Address: other + "sitemap.xml"})
				}
				return writeXML(out, index)
			}
			first := max(part-1, 0) * sitemapSize
			list := sitemap{}
			for _, node := range pages[first:min(first+sitemapSize, len(pages))] {
				entry := sitemapURL{Address: s.pageAddress(node)}
				if node.Entry.UpdatedAt > 0 {
					entry.Modified = stamp(time.UnixMicro(node.Entry.UpdatedAt))
				}
				list.URLs = append(list.URLs, entry)
			}
			return writeXML(out, list)
		})
}

// otherSpaces are the addresses of the site's other spaces, for lists at the site's root.
func (s *scope) otherSpaces() []string {
	if !s.atRoot() {
		return nil
	}
	var others []string
	for _, space := range s.site.Spaces {
		if space.ID != s.space.ID && space.Head != "" {
			others = append(others, space.URL)
		}
	}
	return others
}

// serveRobots sends robots.txt of a site. Crawlers only read it at the root of a host.
func (s *scope) serveRobots(w http.ResponseWriter, r *http.Request) error {
	return s.serveList(w, r, "robots", "text/plain; charset=utf-8", func(_ context.Context, out *bytes.Buffer) error {
		if s.site.Site.Visibility != site.VisibilityPublic {
			out.WriteString("User-agent: *\nDisallow: " + s.home + "\n")
			return nil
		}
		if s.site.Site.AgentsContext == site.AgentsExcluded {
			s.server.agents.Disallow(out, s.root)
			out.WriteByte('\n')
		}
		out.WriteString("User-agent: *\nDisallow: " + s.home + "~/search\nAllow: " + s.home + "\n\nSitemap: " +
			s.address + "sitemap.xml\n")
		return nil
	})
}

// serveHostRobots sends robots.txt of an organization's host, the only one that crawlers read there: which sites are
// not for agents. Every site says for itself what may be kept.
func (s *Server) serveHostRobots(w http.ResponseWriter, r *http.Request, organization string) error {
	without, err := s.deps.Sites.WithoutAgents(r.Context(), organization)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if len(without) > 0 {
		paths := make([]string, len(without))
		for i, basename := range without {
			paths[i] = "/" + url.PathEscape(basename) + "/"
		}
		s.agents.Disallow(&out, paths...)
		out.WriteByte('\n')
	}
	out.WriteString("User-agent: *\nDisallow: /*/~/search\nAllow: /\n")
	response.New(http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Cache-Control": {"max-age=3600"}},
		out.Bytes()).Serve(w, r)
	return nil
}

// indexPart is how many pages the list of all pages shows at once.
const indexPart = 1000

// servePageIndex sends the list of all pages, in parts.
func (s *scope) servePageIndex(w http.ResponseWriter, r *http.Request) error {
	pages := s.edition.Reading
	parts := max((len(pages)+indexPart-1)/indexPart, 1)
	part := 1
	if asked := r.URL.Query().Get("part"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil || n < 1 || n > parts {
			return s.missing(w, r, "")
		}
		part = n
	}
	v := s.newView()
	said := s.theme().Words
	v.Heading = said.AllPages
	v.Title = v.Heading + " · " + v.Site.Title
	v.NoIndex = true
	v.Navigation = s.navigation(nil)
	v.Count = words.Count(len(pages), said.OnePage, said.ManyPages, said.NoPages)
	for _, node := range pages[(part-1)*indexPart : min(part*indexPart, len(pages))] {
		v.Pages = append(v.Pages, linkView{Title: edition.PlainTitle(edition.Label(node.Entry)), URL: s.pageURL(node)})
	}
	address := s.home + "~/pages?part="
	if part > 1 {
		v.Previous = &linkView{Title: fmt.Sprintf(said.Part, part-1), URL: address + strconv.Itoa(part-1)}
	}
	if part < parts {
		v.Next = &linkView{Title: fmt.Sprintf(said.Part, part+1), URL: address + strconv.Itoa(part+1)}
	}
	page, err := s.page(v, "index", 0)
	if err != nil {
		return err
	}
	page.Serve(w, r)
	return nil
}
