package website

import (
	"context"
	"net/url"
	"sync"
	"time"

	"github.com/temoto/robotstxt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// maxCrawlDelay is the longest pause that robots.txt can ask for.
const maxCrawlDelay = 10 * time.Second

// robots is what a host's robots.txt says. The zero value allows everything.
type robots struct {
	data  *robotstxt.RobotsData
	group *robotstxt.Group
}

// readRobots reads a host's robots.txt. A host without one allows everything; one whose robots.txt fails says that
// nothing may be read for now.
func readRobots(ctx context.Context, client *fetch.Client, start *url.URL) (robots, error) {
	address := url.URL{Scheme: start.Scheme, Host: start.Host, Path: "/robots.txt"}
	response, body, err := client.ReadAll(ctx, address.String(), fetch.Limits{Bytes: maxRobotsBytes, Time: requestTime})
	switch {
	case errs.Is(err, errs.TooLarge):
		return robots{}, nil
	case err != nil:
		return robots{}, err
	case response.Status >= 500:
		return robots{}, errs.New(errs.Unreachable,
			"%s answers with status %d; without it nothing of the site may be read, try again later", address.String(),
			response.Status)
	case response.Status >= 400:
		return robots{}, nil
	}
	data, err := robotstxt.FromBytes(body)
	if err != nil {
		// What cannot be read forbids nothing.
		return robots{}, nil
	}
	return robots{data: data, group: data.FindGroup(robotName)}, nil
}

// allows reports whether an address may be read.
func (r robots) allows(u *url.URL) bool {
	if r.group == nil {
		return true
	}
	return r.group.Test(u.RequestURI())
}

func (r robots) delay() time.Duration {
	if r.group == nil {
		return 0
	}
	return min(max(r.group.CrawlDelay, 0), maxCrawlDelay)
}

func (r robots) sitemaps() []string {
	if r.data == nil {
		return nil
	}
	return r.data.Sitemaps
}

// limiter spaces the starts of requests.
type limiter struct {
	mutex    sync.Mutex
	interval time.Duration
	next     time.Time
}

// wait returns when the next request may start, or with the context's error.
func (l *limiter) wait(ctx context.Context) error {
	if l.interval <= 0 {
		return ctx.Err()
	}
	l.mutex.Lock()
	now := time.Now()
	at := l.next
	if at.Before(now) {
		at = now
	}
	l.next = at.Add(l.interval)
	l.mutex.Unlock()
	return sleep(ctx, at.Sub(now))
}

// sleep waits for a time, or until the context ends, whose error it then returns.
func sleep(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
