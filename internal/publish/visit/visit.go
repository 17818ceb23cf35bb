// Package visit owns what integrations are told of readers of published sites: that somebody has viewed a page, and
// what they said of it.
//
// Views wait in memory for a second and are written together, so no reader ever waits for that, and a site that is read
// much costs one transaction a second; when more come than can be kept, the newest are dropped and counted in the log.
// Close writes what waits, so that a server which is told to end loses none. One that is killed loses those of the last
// second, at most: to keep these, too, each reading of a page would have to wait for a disk. What a reader says of a
// page is told in the transaction that keeps it.
//
// An integration learns no more of a reader than the reader allows. Whoever has not agreed to cookies is told apart for
// a day at most, has no cookies and an address without its end. What this server itself keeps in cookies is told to
// nobody.
package visit

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// Reader is who reads a page, as far as their browser says it.
type Reader struct {
	Address             netip.Addr
	UserAgent, Language string
	// Cookies are those that the site may see: none where it shares its host with sites of others.
	Cookies map[string]string
	// Granted says that they have agreed to cookies.
	Granted bool
	// URL is where they are, Referrer where they came from, "" for nowhere.
	URL, Referrer string
}

// Page is a page of a published site.
type Page struct {
	Site      id.Site
	SiteSpace id.SiteSpace
	Space     id.Space
	Page      string
}

// Deps is what a Service stands on.
type Deps struct {
	DB           *db.DB
	Integrations *integration.Service
	// Key makes readers' ids; secret bytes that every process shares.
	Key []byte
	Log *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	// SettleTime is how long a view waits to be told of with others; 0 means a second.
	SettleTime time.Duration `optional:"a second"`
}

// Service tells integrations of readers. It is safe for use by many goroutines.
type Service struct {
	deps Deps

	mu      sync.Mutex
	waiting []view
	dropped int
	timed   bool
	writing sync.WaitGroup
}

// view is one view of a page.
type view struct {
	page   Page
	reader Reader
	at     time.Time
}

// Bounds of what waits.
const (
	// maxWaiting is how many views wait in memory, atOnce how many are written in one transaction.
	maxWaiting, atOnce = 5000, 200
	// settleTime is how long views wait by default, patience how long it may take to write them.
	settleTime, patience = time.Second, 30 * time.Second
	// maxText is the most bytes of an address or the name of a browser that are told, maxCookies those of all cookies.
	maxText, maxCookies = 2048, 4096
)

// New returns a Service. It panics without what it needs. Close ends it.
func New(deps Deps) *Service {
	required.Must(deps)
	deps.SettleTime = cmp.Or(deps.SettleTime, settleTime)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{deps: deps}
}

// Viewed notes that somebody has viewed a page. It never waits.
func (s *Service) Viewed(page Page, reader Reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) >= maxWaiting {
		s.dropped++
		return
	}
	s.waiting = append(s.waiting, view{page, reader, s.deps.Now()})
	if !s.timed {
		s.timed = true
		s.writing.Add(1)
		time.AfterFunc(s.deps.SettleTime, func() {
			defer s.writing.Done()
			s.write()
		})
	}
}

// Close writes what waits.
func (s *Service) Close() {
	s.write()
	s.writing.Wait()
}

// write puts the views that wait into the queues of who listens.
func (s *Service) write() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s.mu.Lock()
	list, dropped := s.waiting, s.dropped
	s.waiting, s.dropped, s.timed = nil, 0, false
	s.mu.Unlock()
	if dropped > 0 {
		s.deps.Log.WarnContext(ctx, "integrations were not told of views, there were too many at once",
			slog.Int("views", dropped))
	}
	for len(list) > 0 {
		some := list[:min(len(list), atOnce)]
		list = list[len(some):]
		err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			for _, each := range some {
				event := s.event("site_view", each.page, each.reader, each.at)
				if err := s.deps.Integrations.TellPage(ctx, q, each.page.Site, each.page.Space,
					integration.ScopeViews, event); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			s.deps.Log.WarnContext(ctx, "tell integrations of views", slog.Any("error", err))
		}
	}
}

// Given returns what tells integrations what a reader has said of a page, in the transaction that keeps it.
func (s *Service) Given(siteSpace id.SiteSpace, reader Reader) feedback.Told {
	return func(ctx context.Context, q db.Querier, answer feedback.Answer) error {
		event := s.event("page_feedback", Page{Site: answer.Site, SiteSpace: siteSpace, Space: answer.Space,
			Page: answer.Page}, reader, s.deps.Now())
		said := map[string]any{"rating": "bad"}
		if answer.Helpful {
			said["rating"] = "good"
		}
		if answer.Comment != "" {
			said["comment"] = answer.Comment
		}
		event["feedback"] = said
		return s.deps.Integrations.TellPage(ctx, q, answer.Site, answer.Space, integration.ScopeFeedback, event)
	}
}

func (s *Service) event(kind string, page Page, reader Reader, at time.Time) map[string]any {
	event := map[string]any{"type": kind, "visitor": s.visitor(page.Site, reader, at), "url": cut(reader.URL),
		"referrer": cut(reader.Referrer)}
	for name, value := range map[string]string{"spaceId": string(page.Space), "siteSpaceId": string(page.SiteSpace),
		"pageId": page.Page} {
		if value != "" {
			event[name] = value
		}
	}
	return event
}

// visitor is what an event says of a reader.
func (s *Service) visitor(siteID id.Site, reader Reader, at time.Time) map[string]any {
	address, cookies := masked(reader.Address), map[string]string{}
	if reader.Granted {
		address = reader.Address
		size := 0
		for name, value := range reader.Cookies {
			if size += len(name) + len(value); size > maxCookies || own(name) {
				continue
			}
			cookies[name] = value
		}
	}
	mac := hmac.New(sha256.New, s.deps.Key)
	for _, part := range []string{string(siteID), at.UTC().Format(time.DateOnly), reader.Address.String(),
		reader.UserAgent} {
		mac.Write([]byte(part + "\x00")) // which never fails
	}
	visitor := map[string]any{"anonymousId": hex.EncodeToString(mac.Sum(nil)[:16]), "cookies": cookies,
		"userAgent": cut(reader.UserAgent), "ip": ""}
	if address.IsValid() {
		visitor["ip"] = address.String()
	}
	if reader.Language != "" {
		visitor["language"] = cut(reader.Language)
	}
	return visitor
}

// own reports whether a cookie is one that this server sets for itself.
func own(name string) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "__Host-"), "__Secure-")
	return strings.HasPrefix(name, "recto") || strings.HasPrefix(name, "rct_")
}

// masked takes away the end of an address, by which a household is told from its neighbours.
func masked(address netip.Addr) netip.Addr {
	bits := 48
	if address = address.Unmap(); address.Is4() {
		bits = 24
	}
	prefix, err := address.Prefix(bits)
	if err != nil {
		return netip.Addr{} // of a request that has no address
	}
	return prefix.Addr()
}

func cut(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxText)], "")
}
