package computed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/mask"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// makeArgs name the result that a job makes.
type makeArgs struct {
	ID string `json:"id"`
}

func (s *Service) makeJob(ctx context.Context, args json.RawMessage) error {
	var in makeArgs
	if err := json.Unmarshal(args, &in); err != nil {
		return job.Permanent(err)
	}
	r, there, err := s.byID(ctx, in.ID)
	if err != nil || !there {
		return err
	}
	return s.make(ctx, r)
}

func (s *Service) sweepJob(ctx context.Context, _ json.RawMessage) error {
	now := s.deps.Now()
	due, err := s.due(ctx, now)
	if err != nil {
		return err
	}
	for _, rowID := range due {
		err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			return s.claim(ctx, q, rowID, now, false)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// make asks a script for a result and keeps it. What fails leaves what is there.
func (s *Service) make(ctx context.Context, r row) error {
	var source entity.Computed
	if err := json.Unmarshal([]byte(r.source), &source); err != nil {
		return job.Permanent(fmt.Errorf("decode source: %w", err))
	}
	sources, err := s.deps.Integrations.SourcesIn(ctx, r.space)
	if err != nil {
		return err
	}
	with, of := find(sources, source.Type)
	if with == nil || with.Installation != r.installation {
		if err := s.begin(ctx, r); err != nil {
			return err
		}
		return s.end(ctx, r, "", "", "The integration does not work on this space.")
	}
	organizationID, err := s.organizationOf(ctx, r.space)
	if err != nil {
		return err
	}
	state, dependencies, err := s.stateOf(ctx, with, organizationID, &source)
	if err != nil {
		return err
	}
	before, err := s.bodies(ctx, r)
	if err == nil {
		err = s.begin(ctx, r)
	}
	if err != nil {
		return err
	}
	m := &making{service: s, row: r, with: with, source: &source, dependencies: dependencies}
	limited, cancel := context.WithTimeout(ctx, makeTime)
	defer cancel()
	pages, problem := m.pages(limited, of.ID, before)
	if ctx.Err() != nil {
		return ctx.Err() // the server ends
	}
	encoded := ""
	if pages != nil {
		written, err := json.Marshal(pages)
		if err != nil {
			return fmt.Errorf("encode computed pages: %w", err)
		}
		if encoded = string(written); len(written) > maxResult {
			encoded, problem = "", fmt.Sprintf("The pages have %d bytes together; up to %d are accepted.", len(written),
				maxResult)
		}
	}
	return s.end(ctx, r, state, encoded, problem)
}

// bodies returns what the documents of a result say now, by their seeds.
func (s *Service) bodies(ctx context.Context, r row) (map[string]string, error) {
	encoded, err := s.pagesOf(ctx, r.id)
	if err != nil || encoded == "" {
		return nil, err
	}
	var pages []*keptPage
	if err := json.Unmarshal([]byte(encoded), &pages); err != nil {
		return nil, fmt.Errorf("decode computed pages: %w", err)
	}
	bodies := map[string]string{}
	var note func(pages []*keptPage)
	note = func(pages []*keptPage) {
		for _, page := range pages {
			if page.Type == entity.PageDocument && !page.Missing {
				bodies[page.Seed] = page.Body
			}
			note(page.Pages)
		}
	}
	note(pages)
	return bodies, nil
}

// making is one attempt at a result.
type making struct {
	service      *Service
	row          row
	with         *integration.WithSources
	source       *entity.Computed
	dependencies map[string]any
}

// maxFailures is how many documents in a row may fail before no more are asked for.
const maxFailures = 3

// maxNested is how many computed pages may be among the pages of one.
const maxNested = 20

// pages asks for the pages and for what stands on them. It returns nil when there are none, and what was wrong. A
// document that cannot be had keeps what it said before.
func (m *making) pages(ctx context.Context, sourceID string, before map[string]string) ([]*keptPage, string) {
	r := &reading{integration: m.with.Name, of: m.source, seeds: map[string]bool{}, named: map[name]string{},
		files: map[string]string{}}
	pages, err := m.revision(ctx, r, sourceID, m.source.Props, "", 1)
	for i := 0; err == nil && i < len(r.nested); i++ {
		of := r.nested[i]
		if i >= maxNested {
			return nil, m.problem(fmt.Errorf("there are more than %d computed pages", maxNested))
		}
		r.part = of.page.Seed
		of.page.Pages, err = m.revision(ctx, r, of.sourceID, of.page.Source.Props, of.page.Seed, of.depth+1)
	}
	if err == nil {
		err = r.settle()
	}
	if err != nil {
		return nil, m.problem(err)
	}
	if pages == nil {
		pages = []*keptPage{}
	}
	problem, failures := "", 0
	for _, each := range r.documents {
		if body, had := before[each.page.Seed]; had {
			each.page.Body, each.page.Missing = body, false
		}
		if failures >= maxFailures {
			continue
		}
		text, err := m.document(ctx, r, each)
		if err != nil {
			failures++
			problem = m.problem(fmt.Errorf("the page %.100q: %w", each.page.Title, err))
			continue
		}
		failures = 0
		each.page.Body, each.page.Missing = text, false
	}
	return pages, problem
}

// revision asks for the pages of a source, which stand below a page, and notes the files that come with them.
func (m *making) revision(ctx context.Context, r *reading, sourceID string, props map[string]any, above string,
	depth int) ([]*keptPage, error) {
	answer, err := m.call(ctx, "content_compute_revision", sourceID, props)
	if err != nil {
		return nil, err
	}
	var given struct {
		Pages []givenPage `json:"pages"`
		Files []givenFile `json:"files"`
	}
	if err := json.Unmarshal(answer, &given); err != nil {
		return nil, fmt.Errorf("the answer is no {pages: [{type, title, …}], files: [{id, downloadURL}]}: %w", err)
	}
	if err := r.take(given.Files); err != nil {
		return nil, err
	}
	return r.read(given.Pages, above, depth)
}

// document asks for what stands on a page.
func (m *making) document(ctx context.Context, r *reading, each *asked) (string, error) {
	answer, err := m.call(ctx, "content_compute_document", each.sourceID, each.page.Source.Props)
	if err != nil {
		return "", err
	}
	var given struct {
		Document json.RawMessage `json:"document"`
	}
	if err := json.Unmarshal(answer, &given); err != nil {
		return "", fmt.Errorf("the answer is no {document}: %w", err)
	}
	if len(given.Document) == 0 {
		return "", errors.New("the answer has no document")
	}
	return r.body(given.Document, each.part)
}

// call asks the script for something.
func (m *making) call(ctx context.Context, kind, sourceID string, props map[string]any) ([]byte, error) {
	if props == nil {
		props = map[string]any{}
	}
	answer, err := m.service.deps.Dispatch.Send(ctx, dispatch.Target{Integration: m.with.Name,
		Level: integration.Level{Installation: m.with.Installation, Space: m.row.space}}, dispatch.Event{"type": kind,
		"sourceId": sourceID, "props": props, "dependencies": m.dependencies}, nil)
	if err != nil {
		return nil, err
	}
	if answer.Status == http.StatusNotAcceptable {
		return nil, fmt.Errorf("it does not answer %s", kind)
	}
	if answer.Status != http.StatusOK {
		return nil, fmt.Errorf("it answered %s with %d: %.300s", kind, answer.Status, answer.Body)
	}
	return answer.Body, nil
}

// problem says to writers what was wrong.
func (m *making) problem(err error) string {
	text := strings.TrimSuffix(strings.ToValidUTF8(err.Error(), "�"), ".")
	return plainText(mask.Secrets(fmt.Sprintf("%s could not make these pages: %s.", m.with.Title, text)), 600)
}
