package website

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// maxShape is how many pages of one shape are followed that neither the navigation nor the sitemap names.
const maxShape = 500

// maxTries is how often a page is asked for when the server is busy.
const maxTries = 4

// entry is what is known of one address.
type entry struct {
	key     string
	address *url.URL
	// queued says that it is or was in the queue.
	queued bool
	// named says that the navigation or the sitemap names it, linked that some page's content does.
	named, linked bool
	// canonical is the key of the entry that this one is another name of, "" for itself.
	canonical string
	page      *parsed
	file      *source.File
	// external is where the address redirects to when that is outside the scope.
	external string
	// problem says why there is neither page nor file; missing says that the site itself has nothing there.
	problem string
	missing bool
}

// crawl is one crawl. Workers only fetch and parse; everything else happens in one goroutine, in the order in which
// addresses became known.
type crawl struct {
	client  *fetch.Client
	options Options
	dir     string
	scope   scope
	robots  robots
	limiter *limiter

	entries map[string]*entry
	queue   []*entry
	sums    map[[sha256.Size]byte]*entry
	shapes  map[string]int
	pages   int
	images  map[string]*source.File
	// inline are images that are written into pages, by the addresses that stand for them.
	inline map[string]string
	// imageErrors says why an image could not be had.
	imageErrors map[string]string
	// saved counts the downloads; workers count too.
	saved       atomic.Int64
	report      source.Report
	start       *entry
	navigations []pageNavigation
	navSums     map[[sha256.Size]byte]bool
	// descriptions counts how many pages have a description.
	descriptions map[string]int
}

// pageNavigation is a navigation and the page that shows it.
type pageNavigation struct {
	on  *entry
	nav *navigation
}

func newCrawl(client *fetch.Client, options Options, dir string) *crawl {
	return &crawl{
		client: client, options: options, dir: dir, limiter: &limiter{interval: options.Interval},
		entries: map[string]*entry{}, sums: map[[sha256.Size]byte]*entry{}, shapes: map[string]int{},
		navSums: map[[sha256.Size]byte]bool{}, images: map[string]*source.File{}, inline: map[string]string{},
		imageErrors: map[string]string{},
	}
}

func (c *crawl) run(ctx context.Context, start *url.URL) (*source.Tree, error) {
	for hops := 0; ; hops++ {
		var err error
		if c.robots, err = readRobots(ctx, c.client, start); err != nil {
			return nil, err
		}
		c.limiter.interval = max(c.limiter.interval, c.robots.delay())
		moved, err := c.readStart(ctx, start)
		if err != nil {
			return nil, err
		}
		if moved == nil {
			break
		}
		if hops == maxMoves {
			return nil, errs.New(errs.Invalid, "%s leads from place to place; import the address where the pages are",
				start.Redacted())
		}
		start = moved
	}
	if !c.options.Single {
		for _, u := range c.sitemap(ctx, c.start.address) {
			c.enqueue(u, true, false)
		}
		c.follow(c.start.page)
		if err := c.readAll(ctx); err != nil {
			return nil, err
		}
	}
	if err := c.readImages(ctx); err != nil {
		return nil, err
	}
	return c.tree(), nil
}

// maxMoves is how often the start page may lead out of its own scope before the crawl gives up.
const maxMoves = 3

// readStart reads the page that the crawl starts from. When that leads out of its scope it returns where to: the site
// has moved, its new place is what to read.
func (c *crawl) readStart(ctx context.Context, start *url.URL) (moved *url.URL, err error) {
	if !c.robots.allows(start) {
		return nil, errs.New(errs.Invalid, "the robots.txt of %s does not allow reading %s", start.Host,
			start.Redacted())
	}
	c.scope = newScope(start)
	answer := c.fetch(ctx, start)
	switch {
	case answer.err != nil:
		return nil, answer.err
	case answer.status != http.StatusOK:
		return nil, errs.New(errs.Invalid, "%s answers with status %d (%s); check the address", start.Redacted(),
			answer.status, http.StatusText(answer.status))
	case !c.scope.contains(answer.final):
		return answer.final, nil
	case answer.page == nil:
		return nil, errs.New(errs.Invalid, "%s is not an HTML page but %s", start.Redacted(), answer.contentType)
	}
	c.start = &entry{key: key(answer.final), address: answer.final, named: true, linked: true}
	c.entries[c.start.key] = c.start
	if other := key(start); other != c.start.key {
		c.entries[other] = &entry{key: other, address: start, canonical: c.start.key}
	}
	c.push(c.start)
	if frame := answer.page.frame; frame != nil && c.scope.contains(frame) && c.robots.allows(frame) {
		if inFrame := c.fetch(ctx, frame); inFrame.page != nil && inFrame.page.nav != nil {
			answer.page.nav = inFrame.page.nav
			answer.page.nav.inContent = false
		}
	}
	c.take(c.start, answer)
	return nil, nil
}

// enqueue makes an address known. It returns nil for addresses that are not followed.
func (c *crawl) enqueue(u *url.URL, named, linked bool) *entry {
	if !c.scope.contains(u) {
		return nil
	}
	k := key(u)
	if known := c.entries[k]; known != nil {
		known.named = known.named || named
		if linked && !known.linked {
			known.linked = true
			if known.problem == notForPages && known.canonical == "" {
				// Now that content links to it, it is a download.
				known.problem = ""
				c.push(known)
			}
		}
		return known
	}
	e := &entry{key: k, address: u, named: named, linked: linked}
	c.entries[k] = e
	e.problem = c.unwanted(e)
	if e.problem != "" {
		if e.problem != notForPages {
			c.report.Skipped.Addf(u.String(), "%s", e.problem)
		}
		return e
	}
	c.push(e)
	return e
}

func (c *crawl) push(e *entry) {
	e.queued = true
	c.queue = append(c.queue, e)
}

// notForPages is the problem of files that only the furniture of pages links to.
const notForPages = "part of the site's furniture"

// unwanted says why an address is not read, "" when it is.
func (c *crawl) unwanted(e *entry) string {
	switch why := c.scope.refusal(e.address); {
	case why != "":
		return why
	case !c.robots.allows(e.address):
		return "robots.txt does not allow it"
	case e.address.RawQuery != "" && !e.named && e.key != withoutQuery(e.key):
		return "an address with a query that neither the navigation nor the sitemap names"
	case !likelyPage(e.address) && (!e.linked || isMachinery(e.address)):
		return notForPages
	}
	if !e.named {
		s := shape(e.key)
		if c.shapes[s]++; s != e.key && c.shapes[s] > maxShape {
			return fmt.Sprintf("more than %d addresses differ in their numbers only", maxShape)
		}
	}
	return ""
}

// readAll works the queue off, several requests at a time, results in order.
func (c *crawl) readAll(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	answers := map[*entry]chan answer{}
	slots := make(chan struct{}, c.options.Concurrency)
	launched := 1 // the start page is done
	for done := 1; done < len(c.queue); done++ {
		for ; launched < len(c.queue) && launched < done+c.options.Concurrency*2 && !c.full(launched-done); launched++ {
			e := c.queue[launched]
			result := make(chan answer, 1)
			answers[e] = result
			workers.Go(func() {
				select {
				case slots <- struct{}{}:
				case <-ctx.Done():
					result <- answer{err: ctx.Err()}
					return
				}
				defer func() { <-slots }()
				result <- c.fetchOne(ctx, e)
			})
		}
		e := c.queue[done]
		if answers[e] == nil {
			launched = done + 1
			c.report.Skipped.Addf(e.address.String(), "over the limit of %d pages", c.options.Limit)
			e.problem = "over the limit"
			continue
		}
		got := <-answers[e]
		delete(answers, e)
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("crawl %s: %w", c.start.address.Redacted(), context.Cause(ctx))
		}
		c.take(e, got)
		c.options.Progress(c.pages, max(len(c.queue), c.pages), e.address.String())
	}
	return nil
}

// full reports whether the limit is reached when the given number of requests that are under way all give a page.
func (c *crawl) full(underWay int) bool {
	return c.options.Limit > 0 && c.pages+underWay >= c.options.Limit
}

// answer is what a request came to.
type answer struct {
	final       *url.URL
	status      int
	contentType string
	page        *parsed
	file        *source.File
	err         error
}

// fetchOne reads an entry, again when the server is busy.
func (c *crawl) fetchOne(ctx context.Context, e *entry) answer {
	return c.fetchAs(ctx, e.address, e.linked)
}

func (c *crawl) fetch(ctx context.Context, u *url.URL) answer { return c.fetchAs(ctx, u, false) }

func (c *crawl) fetchAs(ctx context.Context, u *url.URL, download bool) answer {
	for try := 1; ; try++ {
		if err := c.limiter.wait(ctx); err != nil {
			return answer{err: err}
		}
		got, retryAfter := c.once(ctx, u, download)
		busy := got.status == http.StatusTooManyRequests || got.status == http.StatusServiceUnavailable ||
			errs.Is(got.err, errs.Unreachable)
		if !busy || try == maxTries || ctx.Err() != nil {
			return got
		}
		if retryAfter == 0 {
			retryAfter = c.options.Retry * time.Duration(try)
		}
		if err := sleep(ctx, min(retryAfter, time.Minute)); err != nil {
			return answer{err: err}
		}
	}
}

// once makes one request.
func (c *crawl) once(ctx context.Context, u *url.URL, download bool) (answer, time.Duration) {
	limits := fetch.Limits{Bytes: maxPageBytes, Time: requestTime, Redirects: 10,
		Accept: "text/html,application/xhtml+xml,*/*;q=0.5"}
	if download && !likelyPage(u) {
		limits.Bytes, limits.Time = maxFileBytes, downloadTime
	}
	response, err := c.client.Get(ctx, u.String(), limits)
	if err != nil {
		return answer{err: err}, 0
	}
	defer response.Body.Close()
	got := answer{final: response.URL, status: response.Status, contentType: response.ContentType}
	if response.Status != http.StatusOK {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return got, time.Duration(max(seconds, 0)) * time.Second
	}
	if !c.scope.contains(response.URL) && c.start != nil {
		return got, 0
	}
	content := bufio.NewReader(response.Body)
	sniff, _ := content.Peek(512)
	if !isHTML(response.ContentType, sniff) {
		if download {
			got.file, got.err = c.save(content, response.URL, response.ContentType)
		}
		return got, 0
	}
	got.page, got.err = parsePage(content, response.Header.Get("Content-Type"), response.URL, c.scope)
	return got, 0
}

// take works an answer in.
func (c *crawl) take(e *entry, got answer) {
	switch {
	case got.err != nil:
		c.fail(e, got.err.Error(), false)
		return
	case got.status == http.StatusNotFound || got.status == http.StatusGone:
		c.fail(e, fmt.Sprintf("the site answers with status %d", got.status), true)
		return
	case got.status != http.StatusOK:
		c.fail(e, fmt.Sprintf("the site answers with status %d", got.status), false)
		return
	case !c.scope.contains(got.final):
		e.external = got.final.String()
		return
	}
	if final := key(got.final); final != e.key {
		if known := c.entries[final]; known != nil && known != e {
			e.canonical = final
			if known.page != nil || known.file != nil || known.queued {
				return
			}
		}
		moved := &entry{key: final, address: got.final, named: e.named, linked: e.linked}
		if moved.problem = c.unwantedMove(moved); moved.problem != "" {
			c.entries[final] = moved
			e.canonical = final
			c.report.Skipped.Addf(got.final.String(), "%s", moved.problem)
			return
		}
		c.entries[final], e.canonical = moved, final
		e = moved
	}
	switch {
	case got.file != nil:
		e.file = got.file
	case got.page == nil:
		e.problem = notForPages
	default:
		c.takePage(e, got.page)
	}
}

// unwantedMove holds the target of a redirect to what a link has to keep.
func (c *crawl) unwantedMove(e *entry) string {
	if !c.robots.allows(e.address) {
		return "robots.txt does not allow it"
	}
	return c.scope.refusal(e.address)
}

func (c *crawl) fail(e *entry, message string, missing bool) {
	e.problem, e.missing = message, missing
	c.report.Skipped.Addf(e.address.String(), "%s", message)
}

func (c *crawl) takePage(e *entry, page *parsed) {
	if first := c.sums[page.sum]; first != nil && first != e && len(page.body) > 0 {
		// Another address of a page that is there already. Its links are that page's, so they are not followed:
		// this ends most endless sites.
		e.canonical = first.key
		return
	}
	if c.options.Limit > 0 && c.pages >= c.options.Limit {
		e.problem = "over the limit"
		return
	}
	c.sums[page.sum] = e
	e.page = page
	page.kept, page.body = c.options.Texts.Keep(page.body), nil
	c.pages++
	maps.Copy(c.inline, page.inline)
	for _, what := range slices.Sorted(maps.Keys(page.lost)) {
		c.report.NotUnderstood.Addf(e.address.String(), "left out: %s (%d)", what, page.lost[what])
	}
	if c.options.Single {
		page.nav = nil
		return
	}
	if page.nav != nil {
		// Most pages of a site show the same list.
		if sum := page.nav.sum(e.key); !c.navSums[sum] {
			c.navSums[sum] = true
			c.navigations = append(c.navigations, pageNavigation{e, page.nav})
			c.enqueueItems(page.nav.items)
		}
		page.nav = nil
	}
	if e != c.start {
		c.follow(page) // the start page's own links come after the sitemap
	}
}

// follow makes the addresses known that a page links to.
func (c *crawl) follow(page *parsed) {
	for _, u := range page.contentLinks {
		c.enqueue(u, false, true)
	}
	for _, u := range page.links {
		c.enqueue(u, false, false)
	}
}

func (c *crawl) enqueueItems(items []*navItem) {
	for _, item := range items {
		if item.address != nil {
			c.enqueue(item.address, true, false)
		}
		c.enqueueItems(item.children)
	}
}
