package link_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// author makes random changes of a small space in which everything collides: few slugs, few paths, few anchors.
type author struct {
	t      *testing.T
	random *rand.Rand
	store  *store.Service
	db     *db.DB
	space  id.Space
	branch id.Branch // "" is main
	// accepted counts the commits that were not refused.
	accepted *int
}

func (a *author) pick(words ...string) string { return words[a.random.IntN(len(words))] }

func (a *author) view() *store.View {
	a.t.Helper()
	view, err := a.store.BranchHead(a.t.Context(), a.space, a.branch)
	if err != nil {
		a.t.Fatal(err)
	}
	return view
}

func (a *author) ids(of func(*entity.Entry) bool) []string {
	a.t.Helper()
	view := a.view()
	tree, err := view.Pages(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	files, err := view.Files(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	reusables, err := view.ReusableContents(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	var ids []string
	for id, node := range tree.ByID {
		if of(node.Entry) {
			ids = append(ids, id)
		}
	}
	for _, e := range slices.Concat(files, reusables) {
		if of(e) {
			ids = append(ids, e.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// some returns one of the ids, or one that may be gone or never was.
func (a *author) some(kind string) string { return fmt.Sprintf("%s_%026d", kind, a.random.IntN(14)) }

func (a *author) path() string {
	name := a.pick("a", "b", "c", "a/b", "b/c", "a/b/c", "guide/a")
	return a.pick("", "", "/", "../", "./", "../../") + name + a.pick("", ".md", ".md", "/README.md", "/")
}

func (a *author) destination() string {
	anchor := a.pick("", "", "#one", "#two", "#three", "#one-1", "#two-1")
	switch a.random.IntN(12) {
	case 0:
		return a.pick("#one", "#two", "#three", "#one-1")
	case 1, 2:
		return "/pages/" + a.some("page") + anchor
	case 3:
		return "/files/" + a.some("file")
	case 4:
		return a.pick(".gitbook/assets/x.png", "/.gitbook/assets/y.png", "../.gitbook/assets/x.png", "images/x.png")
	case 5:
		return a.pick("https://example.org/a", "mailto:a@example.org", "https://recto.example/app/spaces/1",
			"/spaces/other/pages/x", "/spaces/"+string(a.space)+"/pages/"+a.some("page"))
	case 6:
		return a.pick("README.md", "/README.md", "../README.md", ".", "%61.md")
	default:
		return a.path() + anchor
	}
}

func (a *author) body() []byte {
	var b strings.Builder
	for range a.random.IntN(5) {
		switch a.random.IntN(6) {
		case 0, 1:
			fmt.Fprintf(&b, "## %s\n\n", a.pick("One", "Two", "Three"))
		case 2:
			fmt.Fprintf(&b, "{%% include \"%s\" %%}\n\n", a.pick("/reusable-content/"+a.some("content"),
				"/.gitbook/includes/one.md", "../.gitbook/includes/two.md", "/a.md"))
		case 3:
			fmt.Fprintf(&b, "![](<%s>)\n\n", a.destination())
		default:
			fmt.Fprintf(&b, "See [this](<%s>) and [that](<%s>).\n\n", a.destination(), a.destination())
		}
	}
	return []byte(b.String())
}

func (a *author) filePath() string {
	return a.pick("", "", "", "a.md", "b.md", "a/b.md", "README.md", "images/x.png", ".gitbook/includes/one.md")
}

// step makes one random commit. Changes that the rules of content refuse are left out.
func (a *author) step() {
	a.t.Helper()
	request := store.CommitRequest{Space: a.space, Branch: a.branch, Author: "user_test",
		FixSlugs: a.random.IntN(2) == 0}
	for range 1 + a.random.IntN(3) {
		a.change(&request)
	}
	seen := map[string]bool{}
	request.Put = slices.DeleteFunc(request.Put, func(p store.Put) bool {
		again := seen[p.Entry.ID]
		seen[p.Entry.ID] = true
		return again
	})
	request.Delete = slices.DeleteFunc(request.Delete, func(id string) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
	_, err := a.store.Commit(a.t.Context(), request)
	var conflict *store.ConflictError
	if err == nil {
		*a.accepted++
	}
	if err != nil && !errors.As(err, &conflict) && !errs.Is(err, errs.Conflict) && !errs.Is(err, errs.NotFound) &&
		!errs.Is(err, errs.Invalid) {
		a.t.Fatalf("commit: %v", err)
	}
}

func (a *author) change(request *store.CommitRequest) {
	pages := a.ids(func(e *entity.Entry) bool { return e.Kind == entity.KindPage })
	parents := append(a.ids(func(e *entity.Entry) bool {
		return e.Type == entity.PageDocument || e.Type == entity.PageGroup
	}), "", "")
	existing := func(ids []string) *entity.Entry {
		if len(ids) == 0 {
			return nil
		}
		e, err := a.view().Entry(a.t.Context(), ids[a.random.IntN(len(ids))])
		if err != nil {
			a.t.Fatal(err)
		}
		return e.Clone()
	}
	switch choice := a.random.IntN(13); choice {
	case 0, 1, 2: // a new page
		e := &entity.Entry{
			ID: fmt.Sprintf("page_%026d", a.random.IntN(14)), Kind: entity.KindPage, Type: entity.PageDocument,
			Title: "T", Slug: a.pick("a", "b", "c", "README", "guide"), Parent: parents[a.random.IntN(len(parents))],
			Path: a.filePath(),
		}
		put := store.Put{Entry: e}
		switch a.random.IntN(6) {
		case 0:
			e.Type, e.Path = entity.PageGroup, ""
		case 1:
			e.Type, e.Path, e.Target = entity.PageLink, "", &doc.Ref{Kind: "page", Page: a.some("page")}
		default:
			put.Body = a.body()
		}
		request.Put = append(request.Put, put)
	case 3, 4: // another body
		if e := existing(a.ids(func(e *entity.Entry) bool {
			return e.Type == entity.PageDocument || e.Kind == entity.KindReusable
		})); e != nil {
			request.Put = append(request.Put, store.Put{Entry: e, Body: a.body()})
		}
	case 5: // moved
		if e := existing(pages); e != nil {
			e.Parent, e.Position = parents[a.random.IntN(len(parents))], ""
			if a.random.IntN(2) == 0 {
				e.Position = entity.Positions(5)[a.random.IntN(5)]
			}
			request.Put = append(request.Put, store.Put{Entry: e})
		}
	case 6: // renamed
		if e := existing(pages); e != nil {
			e.Slug, e.Path = a.pick("a", "b", "c", "guide"), ""
			if e.Type == entity.PageDocument {
				e.Path = a.filePath()
			}
			request.Put = append(request.Put, store.Put{Entry: e})
		}
	case 7:
		if e := existing(pages); e != nil && a.random.IntN(2) == 0 {
			request.Delete = append(request.Delete, e.ID)
		}
	case 8: // a cover
		if e := existing(a.ids(func(e *entity.Entry) bool { return e.Type == entity.PageDocument })); e != nil {
			e.Cover = &entity.Cover{Ref: &doc.Ref{Kind: "file", File: a.some("file")}}
			request.Put = append(request.Put, store.Put{Entry: e})
		}
	case 9: // a file
		blob, size, err := a.store.PutFile(a.t.Context(), strings.NewReader("picture"))
		if err != nil {
			a.t.Fatal(err)
		}
		name := a.pick("x.png", "y.png")
		path := a.pick("", "images/"+name)
		request.Put = append(request.Put, store.Put{Entry: &entity.Entry{
			ID: a.some("file"), Kind: entity.KindFile, Name: name, Path: path, ContentType: "image/png", Size: size,
			Blob: blob,
		}})
	case 10: // a reusable content
		request.Put = append(request.Put, store.Put{Entry: &entity.Entry{
			ID: a.some("content"), Kind: entity.KindReusable, Title: a.pick("One", "Two"),
			Path: a.pick("", "", ".gitbook/includes/one.md"),
		}, Body: a.body()})
	case 11:
		if e := existing(a.ids(func(e *entity.Entry) bool {
			return e.Kind == entity.KindFile || e.Kind == entity.KindReusable
		})); e != nil {
			request.Delete = append(request.Delete, e.ID)
		}
	case 12: // a document becomes a group, and the other way round
		if e := existing(a.ids(func(e *entity.Entry) bool {
			return e.Type == entity.PageDocument || e.Type == entity.PageGroup
		})); e != nil {
			if e.Type == entity.PageDocument {
				e = &entity.Entry{ID: e.ID, Kind: e.Kind, Type: entity.PageGroup, Title: e.Title, Slug: e.Slug,
					Parent: e.Parent, Position: e.Position}
				request.Put = append(request.Put, store.Put{Entry: e})
				break
			}
			e.Type = entity.PageDocument
			request.Put = append(request.Put, store.Put{Entry: e, Body: a.body()})
		}
	}
}

// holds compares the index that was derived step by step with one from nothing.
func holds(ctx context.Context, t *testing.T, links *link.Service, view *store.View) {
	t.Helper()
	derived, err := links.Derived(ctx, view)
	if err != nil {
		t.Fatal(err)
	}
	anew, err := links.FromNothing(ctx, view)
	if err != nil {
		t.Fatal(err)
	}
	if derived == anew {
		return
	}
	kept, err := links.Dump(ctx, view, false)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := links.Dump(ctx, view, true)
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(kept, func(key, value string) bool { return strings.HasPrefix(key, "r") })
	maps.DeleteFunc(fresh, func(key, value string) bool { return strings.HasPrefix(key, "r") })
	t.Fatalf("derived %s, from nothing %s\n%s", derived, anew, cmp.Diff(fresh, kept))
}

func TestDerivedIndexIsTheOneFromNothing(t *testing.T) {
	// A case is some fifty edits and indexes on a database: a share of RECTO_PROPERTY_CASES.
	cases := propertytest.Cases(t, 12, 1000)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		content := storetest.NewService(t, d, store.Deps{})
		// How an index is derived has nothing to do with the database: a tenth on PostgreSQL, with edits of their own.
		cases, first := cases, 0
		if d.Dialect() == db.Postgres {
			cases, first = max(6, cases/10), 1_000_000
		}
		all := 0
		for seed := first; seed < first+cases; seed++ {
			random := rand.New(rand.NewPCG(uint64(seed), 7))
			space := fmt.Sprintf("space_%d", seed)
			storetest.NewSpace(t.Context(), t, content, d, id.Space(space))
			links := requiredtest.Wire(link.New(link.Deps{DB: d, Content: content, BaseURL: "https://recto.example"}),
				link.Hooks{})
			accepted := 0
			main := &author{t: t, random: random, store: content, db: d, space: id.Space(space), accepted: &accepted}
			for range 14 {
				main.step()
				if random.IntN(3) > 0 { // now and then several commits at once
					holds(t.Context(), t, links, main.view())
				}
			}
			main.mergeSomething(links)
			holds(t.Context(), t, links, main.view())
			if accepted < 5 {
				t.Errorf("case %d: only %d commits were accepted", seed, accepted)
			}
			all += accepted
		}
		if all < 12*cases {
			t.Errorf("%d commits were accepted in %d cases: the cases say too little", all, cases)
		}
	})
}

// mergeSomething makes a change request, edits it and main, and merges when that can be.
func (a *author) mergeSomething(links *link.Service) {
	a.t.Helper()
	var branch store.Branch
	head := a.view().Revision().ID
	err := a.db.Tx(a.t.Context(), func(ctx context.Context, q db.Querier) error {
		var err error
		branch, err = a.store.CreateBranch(ctx, q, a.space, head, time.Now().UnixMicro())
		return err
	})
	if err != nil {
		a.t.Fatal(err)
	}
	other := *a
	other.branch = branch.ID
	for range 4 {
		other.step()
		holds(a.t.Context(), a.t, links, other.view())
	}
	a.step()
	holds(a.t.Context(), a.t, links, a.view())
	_, err = a.store.MergeBranch(a.t.Context(), store.MergeRequest{Space: a.space, Branch: branch.ID,
		Author: "user_test"})
	if err != nil && !errs.Is(err, errs.Conflict) && !errs.Is(err, errs.Invalid) {
		a.t.Fatal(err)
	}
}
