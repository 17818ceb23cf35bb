package translation_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/change/changetest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/job"
)

// patience is how long a test waits for a job before it fails.
const patience = 30 * time.Second

// fixture is the service under test with its jobs at work, in an organization with one member for each role.
type fixture struct {
	*testing.T
	*translation.Service
	*orgtest.Fixture
	db      *db.DB
	content *store.Service
	changes *change.Service
	spaces  *space.Service
}

// each runs a test with a new fixture on both databases.
func each(t *testing.T, test func(f *fixture)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		t.Parallel()
		test(newFixture(t, d, nil))
	})
}

// newFixture makes a fixture with a machine that translates, or none.
func newFixture(t *testing.T, d *db.DB, provider translation.Provider) *fixture {
	t.Helper()
	f := &fixture{T: t, Fixture: orgtest.New(t, d), db: d}
	f.content, f.changes, f.spaces = changetest.New(t, d, changetest.Options{Heads: store.Hooks{
		OnHead: []func(context.Context, db.Querier, store.HeadMoved) error{
			func(ctx context.Context, q db.Querier, moved store.HeadMoved) error { return f.OnHead(ctx, q, moved) },
		}}})
	log := slog.New(slog.DiscardHandler)
	jobs := job.New(d, log)
	f.Service = requiredtest.Wire(translation.New(translation.Deps{DB: d, Accounts: f.Accounts, Spaces: f.spaces,
		Content: f.content,
		Changes: f.changes, Jobs: jobs, Provider: provider, Log: log}), translation.Hooks{})
	if err := jobs.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := jobs.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return f
}

// document makes a space with pages, given as title and Markdown.
func (f *fixture) document(pairs ...string) id.Space {
	f.Helper()
	made, err := f.spaces.Create(f.Context(), f.Admin(), f.Organization, space.NewSpace{Title: "Guide"})
	if err != nil {
		f.Fatal(err)
	}
	f.write(made.ID, "", pairs...)
	return made.ID
}

func pageID(title string) string { return "page_" + strings.ToLower(title) }

// write puts pages, given as title and Markdown, on a branch of a space ("" is main). A page keeps the id that its
// first title has given it when the title is written as "First=Second".
func (f *fixture) write(spaceID id.Space, branch id.Branch, pairs ...string) {
	f.Helper()
	var puts []store.Put
	for i := 0; i < len(pairs); i += 2 {
		first, title, renamed := strings.Cut(pairs[i], "=")
		if !renamed {
			title = first
		}
		puts = append(puts, store.Put{Body: []byte(pairs[i+1]), Entry: &entity.Entry{
			ID: pageID(first), Kind: entity.KindPage, Type: entity.PageDocument, Title: title,
			Slug: strings.ToLower(first)}})
	}
	_, err := f.content.Commit(f.Context(), store.CommitRequest{Space: spaceID, Branch: branch,
		Author: f.Admin().User.ID, Put: puts})
	if err != nil {
		f.Fatal(err)
	}
}

// page reads the title and the Markdown of a page on a branch of a space ("" is main).
func (f *fixture) page(spaceID id.Space, branch id.Branch, id string) (title, markdown string) {
	f.Helper()
	view, err := f.content.BranchHead(f.Context(), spaceID, branch)
	if err != nil {
		f.Fatal(err)
	}
	e, err := view.Entry(f.Context(), id)
	if err != nil {
		f.Fatal(err)
	}
	body, err := view.Body(f.Context(), e)
	if err != nil {
		f.Fatal(err)
	}
	return e.Title, string(body)
}

// variant is a language of a translation as its owner uses it.
type variant struct {
	*fixture
	source id.Space
	id     id.Translation
	code   string
}

// translate has a space translated to German.
func (f *fixture) translate(spaceID id.Space) variant {
	f.Helper()
	made, err := f.Create(f.Context(), f.Admin(), f.Organization, from(spaceID, "en", "de"))
	if err != nil {
		f.Fatal(err)
	}
	v := variant{f, spaceID, made.ID, "de"}
	v.followed()
	return v
}

// from are settings to translate a space.
func from(spaceID id.Space, language string, codes ...string) translation.Settings {
	return translation.Settings{Source: optional.Of(translation.Source{Space: spaceID, Language: language}),
		Languages: optional.Of(codes)}
}

func (v variant) language() translation.Language {
	v.Helper()
	found, err := v.Language(v.Context(), v.Admin(), v.Organization, v.id, v.code)
	if err != nil {
		v.Fatal(err)
	}
	return found
}

// until waits until the language is as wanted.
func (v variant) until(wanted func(translation.Language) bool) translation.Language {
	v.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		now := v.language()
		if wanted(now) {
			return now
		}
		if time.Now().After(deadline) {
			v.Fatalf("the variant is %s: %s", now.State, now.Error)
		}
	}
}

// followed waits until the variant has followed its source and no machine works on it.
func (v variant) followed() translation.Language {
	v.Helper()
	return v.until(func(now translation.Language) bool {
		if now.State == translation.Failed {
			v.Fatalf("the variant has failed: %s", now.Error)
		}
		return now.State == translation.Completed && now.Machine.State != translation.Pending &&
			now.Machine.State != translation.Running
	})
}

// segments returns the texts of a page, "" for all pages.
func (v variant) segments(entry string) []translation.Segment {
	v.Helper()
	found, err := v.Segments(v.Context(), v.Admin(), v.Organization, v.id, v.code,
		translation.SegmentFilter{Entry: entry}, paging.Request{})
	if err != nil {
		v.Fatal(err)
	}
	return found.Items
}

// put translates one text.
func (v variant) put(segmentID, text string) translation.Segment {
	v.Helper()
	after, _, err := v.Translate(v.Context(), v.Admin(), v.Organization, v.id, v.code, segmentID, text)
	if err != nil {
		v.Fatal(err)
	}
	return after
}

// follow asks the variant to catch up.
func (v variant) follow() {
	v.Helper()
	if _, err := v.Follow(v.Context(), v.Admin(), v.Organization, v.id, v.code); err != nil {
		v.Fatal(err)
	}
}

// merge merges the open change request of the variant.
func (v variant) merge(now translation.Language) {
	v.Helper()
	if _, err := v.changes.Merge(v.Context(), v.Admin(), now.Space, now.ChangeRequest, "", false); err != nil {
		v.Fatal(err)
	}
}

// proposed reads a page on the branch of the open change request.
func (v variant) proposed(now translation.Language, id string) (title, markdown string) {
	v.Helper()
	request, err := v.changes.Get(v.Context(), v.Admin(), now.Space, now.ChangeRequest)
	if err != nil {
		v.Fatal(err)
	}
	return v.page(now.Space, request.Branch, id)
}

func wantKind(t *testing.T, err error, kind errs.Kind, text string) {
	t.Helper()
	if !errs.Is(err, kind) || !strings.Contains(fmt.Sprint(err), text) {
		t.Errorf("got error %v, want one of kind %d with %q", err, kind, text)
	}
}
