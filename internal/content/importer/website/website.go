// Package website owns reading a documentation website into a source.Tree.
//
// A crawl starts at one address and stays below its path on its host. It obeys robots.txt, waits between requests,
// and takes the order and nesting of pages from the site's navigation, then its sitemap, then the links in the order
// in which they are met. The result does not depend on which answer arrives first. Every page's main content becomes
// Markdown, images and downloads become files, and links keep their full addresses until Tree.Resolve says where they
// lead. Endless sites (calendars, folders that contain themselves, session ids) end by rules, not by a page cap; a
// cap is the caller's choice.
package website

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Options says how to crawl. The zero value is polite and unlimited.
type Options struct {
	// Limit is the largest number of pages; 0 means all.
	Limit int
	// Single reads the start page alone, with its images.
	Single bool
	// Concurrency is how many requests run at once; 0 means 4.
	Concurrency int
	// Interval is the least time between the starts of two requests; 0 means 50 ms, negative none. A Crawl-delay in
	// robots.txt that is longer wins, up to 10 s.
	Interval time.Duration
	// Retry is how long to wait before a failed request is tried again when the server does not say; 0 means 1 s.
	Retry time.Duration
	// Texts takes the bodies; its folder is where downloads wait for the import. nil means one in the system's folder.
	Texts *source.Texts
	// Progress is called after every page with how many are done and how many are known.
	Progress func(done, total int, message string)
}

// Limits of single answers.
const (
	maxPageBytes    = 10 << 20
	maxFileBytes    = 100 << 20
	maxSitemapBytes = 50 << 20
	maxRobotsBytes  = 500 << 10
	requestTime     = 60 * time.Second
	downloadTime    = 10 * time.Minute
)

// robotName is what robots.txt is asked for.
const robotName = "Recto"

func (o Options) withDefaults() Options {
	if o.Concurrency <= 0 {
		o.Concurrency = 4
	}
	if o.Interval == 0 {
		o.Interval = 50 * time.Millisecond
	}
	if o.Retry == 0 {
		o.Retry = time.Second
	}
	if o.Texts == nil {
		o.Texts = &source.Texts{}
	}
	if o.Progress == nil {
		o.Progress = func(int, int, string) {}
	}
	return o
}

// Crawl reads the site below an address. The caller closes the tree, which removes the downloads. It fails when the
// start page cannot be read; what fails later is in the report.
func Crawl(ctx context.Context, client *fetch.Client, address string, options Options) (*source.Tree, error) {
	if err := fetch.CheckURL(address); err != nil {
		return nil, err
	}
	start, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, errs.Invalidf("url", "%q is not an address", address)
	}
	options = options.withDefaults()
	dir, err := os.MkdirTemp(options.Texts.Dir, "recto-crawl-*")
	if err != nil {
		return nil, fmt.Errorf("make folder for downloads: %w", err)
	}
	c := newCrawl(client, options, dir)
	tree, err := c.run(ctx, start)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	tree.Close = func() error { return os.RemoveAll(dir) }
	return tree, nil
}
