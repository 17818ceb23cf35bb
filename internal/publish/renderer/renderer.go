// Package renderer owns telling a program that shows sites elsewhere what has changed, so that it asks again for what
// it keeps: the tables renderer_tag and renderer_job.
//
// A change is noted in its own transaction, as a tag. A moment later a job tells the renderer of all tags that came
// together: POST {renderer}/~gitbook/revalidate with {"tags": […]} and, in the header x-gitbook-signature, the HMAC
// of the body. It promises that the renderer is told at least once of each change that was committed, and after it was;
// that one which does not answer is told again until it does, for a day; and that without an address nothing is written
// and nothing is asked. What the renderer answers is not read.
package renderer

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
)

// path is where a renderer is told, below its address.
const path = "/~gitbook/revalidate"

// Deps is what a Service stands on.
type Deps struct {
	DB *db.DB
	// Jobs has not started yet.
	Jobs *job.Runner
	Log  *slog.Logger
	// URL is the address of the renderer. Since an operator names it, it may be anywhere, this machine's own among
	// them.
	URL string `optional:"there is no renderer"`
	// Secret is what the renderer knows the server by.
	Secret string `optional:"there is no renderer"`
	// AnswerTime is how long the renderer may take to answer; 0 means 10 seconds.
	AnswerTime time.Duration `optional:"10 seconds"`
	// SettleTime is how long a change waits for others that come with it, and the first pause after the renderer was
	// not told; 0 means a second.
	SettleTime time.Duration `optional:"a second"`
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Service tells the renderer. It is safe for use by many goroutines.
type Service struct {
	deps    Deps
	fetch   *fetch.Client
	address string
}

// New returns a Service, and registers its job if there is a renderer.
func New(deps Deps) *Service {
	required.Must(deps)
	deps.AnswerTime = cmp.Or(deps.AnswerTime, answerTime)
	deps.SettleTime = cmp.Or(deps.SettleTime, settleTime)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	s := &Service{deps: deps}
	if deps.URL == "" {
		return s
	}
	s.address = strings.TrimRight(deps.URL, "/") + path
	s.fetch = fetch.New(fetch.Options{Allow: fetch.Anywhere(), Log: deps.Log})
	deps.Jobs.Register(tellKind, s.run, job.Options{AtOnce: 1, MaxAttempts: maxAttempts,
		Backoff: s.pause, Ended: s.ended})
	return s
}

// SpaceChanged notes that a space has other content, or is another one itself, in the transaction that changes it.
func (s *Service) SpaceChanged(ctx context.Context, q db.Querier, spaceID id.Space) error {
	return s.note(ctx, q, "space:"+string(spaceID))
}

// SiteChanged is SpaceChanged for a site: what is on it, how it looks, whom it is for, where it leads.
func (s *Service) SiteChanged(ctx context.Context, q db.Querier, siteID id.Site) error {
	return s.note(ctx, q, "site:"+string(siteID))
}

// SpecificationChanged is SpaceChanged for a specification of an organization that has a new version, or is gone.
func (s *Service) SpecificationChanged(ctx context.Context, q db.Querier, organizationID id.Organization,
	slug string) error {
	return s.note(ctx, q, "organization:"+string(organizationID)+":openapi:"+slug)
}

// IntegrationChanged is SpaceChanged for an integration that was published or taken back, and for one that was
// installed somewhere, configured or removed.
func (s *Service) IntegrationChanged(ctx context.Context, q db.Querier, name string) error {
	return s.note(ctx, q, "integration:"+name)
}

// note keeps a tag until the renderer has been told of it, and has a job do that unless there is one.
func (s *Service) note(ctx context.Context, q db.Querier, tag string) error {
	if s.deps.URL == "" {
		return nil
	}
	now := s.deps.Now()
	_, err := q.ExecContext(ctx, `INSERT INTO renderer_tag (tag, change, since) VALUES ($1, $2, $3)
		ON CONFLICT (tag) DO UPDATE SET change = excluded.change`, tag, rand.Text(), now.UnixMicro())
	if err != nil {
		return fmt.Errorf("note a change for the renderer: %w", err)
	}
	// PostgreSQL sees by this read, and not by the insertion, that a job ends at the same moment.
	var there bool
	if err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM renderer_job)`).Scan(&there); err != nil {
		return fmt.Errorf("look whether the renderer is being told: %w", err)
	}
	if there {
		return nil
	}
	turn := rand.Text()
	result, err := q.ExecContext(ctx, `INSERT INTO renderer_job (the_one, turn) VALUES (1, $1) ON CONFLICT DO NOTHING`,
		turn)
	if err != nil {
		return fmt.Errorf("have the renderer told: %w", err)
	}
	if count, err := result.RowsAffected(); err != nil || count == 0 {
		return err
	}
	return s.enqueue(ctx, q, turn, now.Add(s.deps.SettleTime))
}
