package website

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"io"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Bounds on sitemaps.
const (
	maxSitemaps    = 50
	maxSitemapURLs = 500_000
)

// sitemap returns the addresses that the site's sitemaps list within the scope, in their order.
func (c *crawl) sitemap(ctx context.Context, start *url.URL) []*url.URL {
	var queue []string
	queued := map[string]bool{}
	add := func(address string) {
		u, err := start.Parse(strings.TrimSpace(address))
		if err != nil || hostOf(u) != c.scope.host || queued[u.String()] || len(queue) >= maxSitemaps {
			return
		}
		queued[u.String()] = true
		queue = append(queue, u.String())
	}
	for _, address := range c.robots.sitemaps() {
		add(address)
	}
	add(c.scope.prefix + "sitemap.xml")
	add("/sitemap.xml")
	var found []*url.URL
	for i := 0; i < len(queue); i++ {
		pages, more := c.readSitemap(ctx, queue[i])
		for _, address := range more {
			add(address)
		}
		for _, address := range pages {
			u, err := start.Parse(strings.TrimSpace(address))
			if err == nil && c.scope.contains(u) && len(found) < maxSitemapURLs {
				found = append(found, u)
			}
		}
	}
	return found
}

// readSitemap returns the pages and further sitemaps that one sitemap names. A sitemap that cannot be read names none.
func (c *crawl) readSitemap(ctx context.Context, address string) (pages, sitemaps []string) {
	u, err := url.Parse(address)
	if err != nil || !c.robots.allows(u) {
		return nil, nil
	}
	if c.limiter.wait(ctx) != nil {
		return nil, nil
	}
	response, body, err := c.client.ReadAll(ctx, address, fetch.Limits{Bytes: maxSitemapBytes, Time: requestTime})
	if err != nil || response.Status != 200 {
		return nil, nil
	}
	var content io.Reader = bytes.NewReader(body)
	if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(content)
		if err != nil {
			return nil, nil
		}
		content = io.LimitReader(unpacked, maxSitemapBytes)
	}
	return parseSitemap(content)
}

// parseSitemap reads as much of a sitemap as is well-formed.
func parseSitemap(content io.Reader) (pages, sitemaps []string) {
	decoder := xml.NewDecoder(content)
	decoder.Strict = false
	parent := ""
	for len(pages) < maxSitemapURLs {
		token, err := decoder.Token()
		if err != nil {
			break
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch element.Name.Local {
		case "url", "sitemap":
			parent = element.Name.Local
		case "loc":
			var address string
			if err := decoder.DecodeElement(&address, &element); err != nil {
				return pages, sitemaps
			}
			switch parent {
			case "sitemap":
				sitemaps = append(sitemaps, address)
			case "url":
				pages = append(pages, address)
			}
		}
	}
	return pages, sitemaps
}
