package link

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// How much one run of CheckExternal asks, and how politely.
const (
	maxChecks      = 300    // addresses in a run
	maxChecksHost  = 20     // addresses of one host in a run
	hostsAtOnce    = 4      // hosts that are asked at the same time; each is asked one address at a time
	maxExternal    = 20_000 // addresses of one space
	maxExternalURL = 2_000  // bytes of an address that is checked
	checkTime      = 15 * time.Second
	failuresBroken = 3 // failures in a row that may pass, until a link counts as broken
)

// When an address is asked again.
const (
	againFine    = 7 * 24 * time.Hour
	againGone    = 24 * time.Hour
	againFailed  = 2 * time.Hour
	againRefused = 30 * 24 * time.Hour
)

// CheckReport says what a run of CheckExternal has done.
type CheckReport struct {
	Asked, Failing int
}

// CheckExternal asks some of the external addresses that live content links to whether they answer: those whose last
// answer is too old. Spaces are those that SpacesOf yields. An address is broken when it answers that nothing is there
// (404, 410), and when it did not answer, or answered with an error of its server, three times in a row. One that wants
// the reader to sign in, and one that this server may not reach, are not broken.
func (s *Service) CheckExternal(ctx context.Context) (CheckReport, error) {
	if s.deps.Fetch == nil {
		return CheckReport{}, nil
	}
	if err := s.discover(ctx); err != nil {
		return CheckReport{}, fmt.Errorf("find external links: %w", err)
	}
	due, err := s.due(ctx)
	if err != nil {
		return CheckReport{}, err
	}
	byHost := map[string][]check{}
	var hosts []string
	asked := 0
	for _, each := range due {
		address, err := url.Parse(each.url)
		host := ""
		if err == nil {
			host = strings.ToLower(address.Host)
		}
		if len(byHost[host]) == 0 {
			hosts = append(hosts, host)
		}
		if len(byHost[host]) < maxChecksHost && asked < maxChecks {
			byHost[host] = append(byHost[host], each)
			asked++
		}
	}
	report := CheckReport{Asked: asked}
	var mutex sync.Mutex
	var failure error
	queue := make(chan []check)
	var workers sync.WaitGroup
	for range hostsAtOnce {
		workers.Go(func() {
			for checks := range queue {
				failing, err := s.askHost(ctx, checks)
				mutex.Lock()
				report.Failing += failing
				failure = errors.Join(failure, err)
				mutex.Unlock()
			}
		})
	}
	for _, host := range hosts {
		if len(byHost[host]) > 0 {
			queue <- byHost[host]
		}
	}
	close(queue)
	workers.Wait()
	return report, failure
}

// check is an address with what is known of it.
type check struct {
	url      string
	reason   string
	failures int
}

// askHost asks the addresses of one host, with pauses.
func (s *Service) askHost(ctx context.Context, checks []check) (failing int, err error) {
	for i, each := range checks {
		if i > 0 {
			pause := time.NewTimer(s.deps.pause())
			select {
			case <-ctx.Done():
				pause.Stop()
				return failing, ctx.Err()
			case <-pause.C:
			}
		}
		after, again := s.ask(ctx, each)
		if ctx.Err() != nil {
			return failing, ctx.Err()
		}
		if err := s.saveCheck(ctx, after, again); err != nil {
			return failing, err
		}
		if after.reason != "" {
			failing++
		}
	}
	return failing, nil
}

// pause is the time between two questions to one host.
func (d Deps) pause() time.Duration {
	if d.CheckPause > 0 {
		return d.CheckPause
	}
	return time.Second
}

// ask asks one address and says what is known of it then, and when it is to be asked again.
func (s *Service) ask(ctx context.Context, c check) (check, time.Duration) {
	limits := fetch.Limits{Bytes: 64 << 20, Time: checkTime}
	status, err := s.status(ctx, c.url, limits)
	if refused, ok := errors.AsType[*fetch.RefusedError](err); ok && refused != nil {
		return check{url: c.url}, againRefused
	}
	switch {
	case err == nil && (status == http.StatusNotFound || status == http.StatusGone):
		return check{url: c.url, reason: AddressGone, failures: c.failures + 1}, jitter(againGone)
	case err == nil && status < http.StatusInternalServerError:
		return check{url: c.url}, jitter(againFine)
	}
	// The server is in trouble, or not there. Links do not break because of a bad hour.
	after := check{url: c.url, reason: c.reason, failures: c.failures + 1}
	if after.failures < failuresBroken {
		return after, jitter(againFailed)
	}
	after.reason = NoAnswer
	return after, jitter(againGone)
}

// status is what an address answers: to HEAD, and to GET where HEAD does not say that it is fine, since many servers do
// not know it.
func (s *Service) status(ctx context.Context, address string, limits fetch.Limits) (int, error) {
	response, err := s.deps.Fetch.Head(ctx, address, limits)
	if err == nil {
		response.Body.Close()
		if response.Status < http.StatusBadRequest {
			return response.Status, nil
		}
	}
	if refused, ok := errors.AsType[*fetch.RefusedError](err); ok {
		return 0, refused
	}
	response, err = s.deps.Fetch.Get(ctx, address, limits)
	if errs.Is(err, errs.TooLarge) {
		return http.StatusOK, nil
	}
	if err != nil {
		return 0, err
	}
	response.Body.Close()
	return response.Status, nil
}

// jitter spreads what was asked in one run over later ones.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/10) }

// externalURL is the address that a link to it is checked by: without a fragment. It is "" for one that is not checked.
func externalURL(written string) string {
	if strings.HasPrefix(written, "//") {
		written = "https:" + written
	}
	written, _, _ = strings.Cut(written, "#")
	if len(written) > maxExternalURL || strings.ContainsRune(written, 0) || fetch.CheckURL(written) != nil {
		return ""
	}
	return written
}

// discover brings the list of addresses up to date with the live content of every space.
func (s *Service) discover(ctx context.Context) error {
	var after id.Space
	for {
		spaces, err := s.liveSpaces(ctx, after)
		if err != nil || len(spaces) == 0 {
			if err == nil {
				err = s.dropUnlinked(ctx)
			}
			return err
		}
		for _, spaceID := range spaces {
			after = spaceID
			view, err := s.deps.Content.Head(ctx, spaceID)
			if errs.Is(err, errs.NotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if err := s.discoverIn(ctx, spaceID, view); err != nil {
				return err
			}
		}
	}
}

func (s *Service) discoverIn(ctx context.Context, spaceID id.Space, view *store.View) error {
	root := view.Revision().Root
	same, err := s.discovered(ctx, spaceID, root)
	if err != nil || same {
		return err
	}
	found, err := s.index(ctx, view)
	if err != nil {
		return err
	}
	urls := map[string]struct{}{}
	for link, err := range s.walk(ctx, found.root, outside, nil) {
		if err != nil {
			return err
		}
		if address := externalURL(link.Target.URL); address != "" {
			urls[address] = struct{}{}
		}
		if len(urls) == maxExternal {
			break
		}
	}
	return s.saveExternal(ctx, spaceID, root, urls)
}
