package machine

import (
	"bytes"
	"context"
	"encoding/xml"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

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

// sitemapSize is how many addresses one sitemap holds; the protocol allows 50,000. More pages make it an index.
const sitemapSize = 40_000

// ServeSitemap sends the sitemap, or for many pages the index of its parts, "sitemap-1.xml" and on. Done is false when
// the name is none of these. The map of the site's root also lists the maps of its other spaces.
func ServeSitemap(w http.ResponseWriter, r *http.Request, s *scope.Scope, name string) (done bool, err error) {
	part := 0
	if name != "sitemap.xml" {
		number, ok := strings.CutPrefix(strings.TrimSuffix(name, ".xml"), "sitemap-")
		if part, err = strconv.Atoi(number); err != nil || !ok || part < 1 || strconv.Itoa(part) != number {
			return false, nil
		}
	}
	if s.Served.Site.Visibility != site.VisibilityPublic {
		return false, nil
	}
	pages := slices.Collect(s.Edition.ForMachines)
	parts := (len(pages) + sitemapSize - 1) / sitemapSize
	others := s.OtherSpaces()
	if part > max(parts, 1) {
		return false, nil
	}
	return true, serveList(w, r, s, name, "application/xml; charset=utf-8",
		func(_ context.Context, out *bytes.Buffer) error {
			if part == 0 && (parts > 1 || len(others) > 0) {
				index := sitemapIndex{}
				for i := range max(parts, 1) {
					index.Maps = append(index.Maps, sitemapURL{Address: s.Address + "sitemap-" + strconv.Itoa(i+1) +
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
				entry := sitemapURL{Address: s.PageAddress(node)}
				if node.Entry.UpdatedAt > 0 {
					entry.Modified = stamp(time.UnixMicro(node.Entry.UpdatedAt))
				}
				list.URLs = append(list.URLs, entry)
			}
			return writeXML(out, list)
		})
}
