package store_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// drop gives up a space.
func (f *fixture) drop(space id.Space) {
	f.Helper()
	err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
		return f.s.DropSpace(ctx, q, space, f.clock.now().UnixMicro())
	})
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) collect() store.CollectReport {
	f.Helper()
	report, err := f.s.Collect(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	return report
}

func TestCollectDeletesWhatADroppedSpaceHadAlone(t *testing.T) {
	each(t, func(f *fixture) {
		shared, err := storetest.Fill(t.Context(), f.s, f.space, 300)
		if err != nil {
			t.Fatal(err)
		}
		empty := []int{f.count("content_node"), f.count("content_body"), f.count("content_blob")}
		err = f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			return f.s.Duplicate(ctx, q, shared.ID, "space_gone", "user_test", f.clock.now().UnixMicro())
		})
		if err != nil {
			t.Fatal(err)
		}
		storetest.NewSpace(t.Context(), t, f.s, f.db, "space_gone_too")
		hash, size, err := f.s.PutFile(t.Context(), strings.NewReader("only there"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			e := page(fmt.Sprintf("g%d", i), "")
			f.commit(store.CommitRequest{Space: "space_gone",
				Put: []store.Put{{Entry: e, Body: fmt.Appendf(nil, "gone %d", i)}}})
		}
		f.commit(store.CommitRequest{Space: "space_gone_too", Put: put(&entity.Entry{
			ID: "file_x", Kind: entity.KindFile, Name: "x", ContentType: "text/plain", Size: size, Blob: hash,
		})})
		if report := f.collect(); report.Nodes+report.Bodies+report.Files+report.Revisions > 0 {
			t.Errorf("nothing is garbage, collected %+v", report)
		}
		f.clock.ahead = 3 * store.DefaultGrace
		if report := f.collect(); report.Nodes+report.Bodies+report.Files+report.Revisions > 0 {
			t.Errorf("nothing is garbage after days, collected %+v", report)
		}
		f.drop("space_gone")
		f.drop("space_gone_too")
		if _, err := f.s.Head(t.Context(), "space_gone"); !errs.Is(err, errs.NotFound) {
			t.Errorf("the head of a dropped space: %v", err)
		}
		f.clock.ahead = 0
		if report := f.collect(); report.Revisions != 23 || report.Spaces != 2 || report.Nodes+report.Bodies+
			report.Files > 0 {
			t.Errorf("before the grace period is over: %+v", report)
		}
		f.clock.ahead = 3 * store.DefaultGrace
		if report := f.collect(); report.Bodies != 20 || report.Files != 1 || report.Nodes == 0 {
			t.Errorf("after it: %+v", report)
		}
		left := []int{f.count("content_node"), f.count("content_body"), f.count("content_blob")}
		for i := range left {
			if left[i] != empty[i] {
				t.Errorf("nodes, bodies and files are %v, before there were %v", left, empty)
			}
		}
		if _, _, err := f.s.OpenFile(t.Context(), hash); !errs.Is(err, errs.NotFound) {
			t.Errorf("the file is still there: %v", err)
		}
		f.readAll(f.space)
	})
}

// readAll reads everything of the head of a space with nothing cached.
func (f *fixture) readAll(space id.Space) {
	f.Helper()
	s := storetest.NewService(f.T, f.db, store.Deps{})
	v, err := s.Head(f.Context(), space)
	if err != nil {
		f.Fatal(err)
	}
	if err := verify(f.Context(), v); err != nil {
		f.Fatalf("space %s: %v", space, err)
	}
}

func TestCollectSparesWhatIsTouchedAgain(t *testing.T) {
	each(t, func(f *fixture) {
		// A body and a file that were stored days ago and are in no revision.
		hash, size, err := f.s.PutFile(t.Context(), strings.NewReader("file"))
		if err != nil {
			t.Fatal(err)
		}
		f.commit(store.CommitRequest{Space: f.space, Put: []store.Put{{Entry: page("a", ""), Body: []byte("text")}}})
		body := f.entry("a").Body
		storetest.NewSpace(t.Context(), t, f.s, f.db, "space_other")
		f.drop(f.space)
		f.clock.ahead = 3 * store.DefaultGrace
		named := page("b", "")
		named.Body = body
		file := &entity.Entry{ID: "file_x", Kind: entity.KindFile, Name: "x", ContentType: "text/plain", Size: size,
			Blob: hash}
		f.commit(store.CommitRequest{Space: "space_other", Put: put(named, file)})
		if report := f.collect(); report.Bodies+report.Files > 0 {
			t.Errorf("collected %+v", report)
		}
		f.readAll("space_other")
		if opened, _, err := f.s.OpenFile(t.Context(), hash); err != nil {
			t.Error(err)
		} else {
			opened.Close()
		}
	})
}

// TestCollectSparesWhatComesBackWhileItRuns has commits want what the collection under way has found to be in no
// revision: bodies and nodes that are written again, little and much at a time, and bodies and files that are only
// named.
func TestCollectSparesWhatComesBackWhileItRuns(t *testing.T) {
	each(t, func(f *fixture) {
		hash, size, err := f.s.PutFile(t.Context(), strings.NewReader("file"))
		if err != nil {
			t.Fatal(err)
		}
		// With their times given, the same pages make the same nodes.
		pages := storetest.Pages(400)
		for _, p := range pages {
			p.Entry.CreatedAt, p.Entry.UpdatedAt = 1, 1
		}
		small := pages[:1]
		fill := func(space id.Space, puts []store.Put) {
			t.Helper()
			storetest.NewSpace(t.Context(), t, f.s, f.db, space)
			f.commit(store.CommitRequest{Space: space, Put: puts})
		}
		fill("space_large", pages)
		fill("space_small", small)
		fill("space_named", []store.Put{{Entry: page("a", ""), Body: []byte("named")}})
		named := page("b", "")
		body, err := contentBody(f, "space_named", "a")
		if err != nil {
			t.Fatal(err)
		}
		named.Body = body
		for _, space := range []id.Space{"space_large", "space_small", "space_named"} {
			f.drop(space)
		}
		f.clock.ahead = 3 * store.DefaultGrace
		report, err := f.s.CollectAround(t.Context(), func() {
			fill("space_large_again", pages)
			fill("space_small_again", small)
			fill("space_named_again", put(named, &entity.Entry{
				ID: "file_x", Kind: entity.KindFile, Name: "x", ContentType: "text/plain", Size: size, Blob: hash,
			}))
			if n, err := f.s.DeleteBodies(t.Context(), [][]byte{unhex(t, body)}); err != nil || n != 0 {
				t.Errorf("a body that has come back was deleted: %d, %v", n, err)
			}
		})
		if err != nil || report.Revisions != 6 || report.Files != 0 {
			t.Errorf("collected %+v, %v", report, err)
		}
		for _, space := range []id.Space{"space_large_again", "space_small_again", "space_named_again"} {
			f.readAll(space)
		}
		if opened, _, err := f.s.OpenFile(t.Context(), hash); err != nil {
			t.Error(err)
		} else {
			opened.Close()
		}
	})
}

// TestDuplicateKeepsWhatACollectionIsAboutToDelete duplicates a revision of a space that has been dropped, in a
// transaction that is still open when a collection comes along.
func TestDuplicateKeepsWhatACollectionIsAboutToDelete(t *testing.T) {
	each(t, func(f *fixture) {
		from, err := storetest.Fill(t.Context(), f.s, f.space, 200)
		if err != nil {
			t.Fatal(err)
		}
		f.drop(f.space)
		f.clock.ahead = 3 * store.DefaultGrace
		collected := make(chan error, 1)
		var once sync.Once
		err = f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			if err := f.s.Duplicate(ctx, q, from.ID, "space_copy", "user_test", 1); err != nil {
				return err
			}
			once.Do(func() {
				go func() {
					_, err := f.s.Collect(t.Context())
					collected <- err
				}()
			})
			// Long enough for the collection to get through, if nothing stopped it.
			time.Sleep(300 * time.Millisecond)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-collected; err != nil {
			t.Errorf("collect: %v", err)
		}
		f.readAll("space_copy")
		err = f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			return f.s.Duplicate(ctx, q, from.ID, "space_late", "user_test", 1)
		})
		if !errs.Is(err, errs.NotFound) {
			t.Errorf("a duplicate of what is gone: %v", err)
		}
	})
}

// contentBody returns the hash of the body of a page in the head of a space.
func contentBody(f *fixture, space id.Space, name string) (string, error) {
	v, err := f.s.Head(f.Context(), space)
	if err != nil {
		return "", err
	}
	e, err := v.Entry(f.Context(), pageID(name))
	if err != nil {
		return "", err
	}
	return e.Body, nil
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	decoded, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

func TestCollectAsksWhoElseNeedsAFile(t *testing.T) {
	each(t, func(f *fixture) {
		blobs, err := blob.OpenStore("dir:" + t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		needed := ""
		c := &clock{}
		s := storetest.NewServiceWith(t, f.db, store.Deps{Blobs: blobs, Now: c.now}, store.Hooks{BlobInUse: func(
			_ context.Context, _ db.Querier, hash string) (bool, error) {
			return hash == needed, nil
		}})
		if needed, _, err = s.PutFile(t.Context(), strings.NewReader("needed")); err != nil {
			t.Fatal(err)
		}
		if _, _, err = s.PutFile(t.Context(), strings.NewReader("noted")); err != nil {
			t.Fatal(err)
		}
		if _, _, err = blobs.Put(t.Context(), strings.NewReader("stray")); err != nil {
			t.Fatal(err)
		}
		if report, err := s.Collect(t.Context()); err != nil || report.Files != 0 {
			t.Errorf("collected %+v, %v", report, err)
		}
		c.ahead = 3 * store.DefaultGrace
		if report, err := s.Collect(t.Context()); err != nil || report.Files != 2 {
			t.Errorf("collected %+v, %v", report, err)
		}
		if _, err := blobs.Stat(t.Context(), needed); err != nil {
			t.Error(err)
		}
	})
}

func TestCollectGoesOnAfterBeingStopped(t *testing.T) {
	each(t, func(f *fixture) {
		if _, err := storetest.Fill(t.Context(), f.s, f.space, 800); err != nil {
			t.Fatal(err)
		}
		storetest.NewSpace(t.Context(), t, f.s, f.db, "space_kept")
		f.commit(store.CommitRequest{Space: "space_kept",
			Put: []store.Put{{Entry: page("a", ""), Body: []byte("kept")}}})
		f.drop(f.space)
		f.clock.ahead = 3 * store.DefaultGrace
		stopped := 0
		for steps := 40; ; steps += 150 {
			_, err := f.s.Collect(newCountdown(t.Context(), steps))
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			stopped++
		}
		if bodies := f.count("content_body"); bodies != 1 || stopped == 0 {
			t.Errorf("%d bodies are left, stopped %d times", bodies, stopped)
		}
		f.readAll("space_kept")
	})
}

// TestCollectBesideWriters collects all the time, with the shortest grace period that is safe for writers this fast,
// while spaces are edited, reverted, duplicated and dropped. Every head stays readable with nothing cached.
func TestCollectBesideWriters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const writers = 4
		const grace = 1200 * time.Millisecond
		f := newFixture(t, d, store.Deps{Grace: grace})
		for w := range writers {
			storetest.NewSpace(t.Context(), t, f.s, d, id.Space(fmt.Sprintf("space_w%d", w)))
		}
		var collected, commits, refused atomic.Int64
		// A busy machine needs longer until there is garbage that is old enough.
		begun := time.Now()
		going := func() bool {
			enough := collected.Load() > 0 && commits.Load() > refused.Load()
			return time.Since(begun) < 3*grace || !enough && time.Since(begun) < time.Minute
		}
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				random := rand.New(rand.NewPCG(uint64(w), 3))
				for i := 0; going(); i++ {
					err := f.churn(random, id.Space(fmt.Sprintf("space_w%d", w)), w, i)
					switch {
					case errs.Is(err, errs.Unavailable):
						// With so short a grace period rows are touched so often that writers of the same bodies can
						// be told to try again.
						refused.Add(1)
					case err != nil:
						t.Errorf("writer %d: %v", w, err)
						return
					default:
						commits.Add(1)
					}
				}
			})
		}
		group.Go(func() {
			for going() {
				report, err := f.s.Collect(t.Context())
				if err != nil {
					t.Errorf("collect: %v", err)
					return
				}
				collected.Add(int64(report.Nodes + report.Bodies))
			}
		})
		group.Wait()
		for w := range writers {
			f.readAll(id.Space(fmt.Sprintf("space_w%d", w)))
		}
		if collected.Load() == 0 || commits.Load() <= refused.Load() {
			t.Error("too little went on for the test to show anything")
		}
		t.Logf("%d nodes and bodies collected beside %d commits, %d told to try again", collected.Load(),
			commits.Load(), refused.Load())
	})
}

// churn changes a space so that old content comes back and other content becomes garbage.
func (f *fixture) churn(random *rand.Rand, space id.Space, w, i int) error {
	ctx := f.Context()
	var puts []store.Put
	for range 1 + random.IntN(80) {
		// Few bodies, so that what has become garbage is wanted again.
		p, owner := random.IntN(40), w
		if random.IntN(10) == 0 {
			owner = -1
		}
		puts = append(puts, store.Put{Entry: page(fmt.Sprintf("p%d", p), ""), Body: fmt.Appendf(nil, "text %d of %d",
			random.IntN(200), owner)})
	}
	unique := map[string]store.Put{}
	for _, p := range puts {
		unique[p.Entry.ID] = p
	}
	puts = puts[:0]
	for _, p := range unique {
		puts = append(puts, p)
	}
	copied := fmt.Sprintf("%sx%d", space, i)
	head, err := f.s.HeadID(ctx, space)
	if err != nil {
		return err
	}
	err = f.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return f.s.Duplicate(ctx, q, head, id.Space(copied), "user_test", f.clock.now().UnixMicro())
	})
	if err != nil {
		return err
	}
	// The edit goes to the copy, which takes the place of the original or is thrown away.
	if _, err := f.s.Commit(ctx, store.CommitRequest{Space: id.Space(copied), Put: puts}); err != nil {
		return err
	}
	if random.IntN(3) == 0 {
		_, err := f.s.Commit(ctx, store.CommitRequest{Space: space, Put: puts})
		if err != nil {
			return err
		}
	}
	return f.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return f.s.DropSpace(ctx, q, id.Space(copied), f.clock.now().UnixMicro())
	})
}
