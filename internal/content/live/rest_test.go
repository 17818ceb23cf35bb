package live_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/live"
)

// typist writes words into a page without a pause, until nobody takes them any more.
type typist struct {
	watcher *live.Watcher
	name    string
	// taken are the words that were acknowledged.
	taken []string
	err   error
}

func (y *typist) write(f *fixture) {
	version := int64(0)
	for i := 0; ; i++ {
		word := fmt.Sprintf("%s%d.", y.name, i)
		for {
			sent, err := y.watcher.Send(f.Context(), f.Editor(), live.Batch{ID: fmt.Sprint(y.name, i), Version: version,
				Steps: []json.RawMessage{insert(1, word)}})
			if err != nil || sent.Answer == live.Refused {
				y.err = err
				return
			}
			version = sent.Version
			if sent.Answer == live.Taken {
				version++
				break
			}
		}
		y.taken = append(y.taken, word)
	}
}

// TestWhoMergesIsNotKeptWaitingByTypists holds that a change request is merged, or archived, although people in two
// processes write in it without a pause, and that all they were told is taken is in it.
func TestWhoMergesIsNotKeptWaitingByTypists(t *testing.T) {
	merge := func(f *fixture) error {
		_, err := f.changes.Merge(f.Context(), f.Admin(), f.space, f.request.ID, "", false)
		return err
	}
	archive := func(f *fixture) error {
		_, err := f.changes.Update(f.Context(), f.Admin(), f.space, f.request.ID,
			change.Edit{Status: optional.Of(change.Archived)})
		return err
	}
	for name, end := range map[string]func(*fixture) error{"merge": merge, "archive": archive} {
		t.Run(name, func(t *testing.T) {
			each(t, "Text\n", func(f *fixture) {
				typists := []*typist{{watcher: f.join(0, "a"), name: "a"}, {watcher: f.join(1, "b"), name: "b"}}
				var writing sync.WaitGroup
				for _, y := range typists {
					writing.Go(func() { y.write(f) })
				}
				time.Sleep(300 * time.Millisecond) // they are in the middle of it
				err := end(f)
				if err != nil {
					f.Error(err)
					f.put("") // whatever has become of it, the typists are to end
					_ = merge(f)
				}
				writing.Wait()
				body := f.body()
				if len(typists[0].taken)+len(typists[1].taken) == 0 {
					f.Error("nobody wrote")
				}
				for _, y := range typists {
					missing := slices.DeleteFunc(slices.Clone(y.taken), func(word string) bool {
						return strings.Contains(body, word)
					})
					if y.err != nil || len(missing) > 0 {
						f.Errorf("%s: %v; of %d words these are lost: %q", y.name, y.err, len(y.taken), missing)
					}
				}
			})
		})
	}
}

// TestHoldEnds holds that people go on to write when a merge that held them has come to nothing.
func TestHoldEnds(t *testing.T) {
	each(t, "Text\n", func(f *fixture) {
		w := f.join(0, "a")
		until := time.Now().Add(time.Minute).UnixMicro()
		hold := func(until int64) {
			if _, err := f.db.Write().ExecContext(f.Context(), `UPDATE change_request SET held_until = $1 WHERE id = $2`,
				until, f.request.ID); err != nil {
				f.Error(err)
			}
		}
		hold(until) // of a process whose clock is far ahead
		f.send(w, "one", 0, live.Taken, insert(1, "A"))
		hold(time.Now().Add(5 * time.Second).UnixMicro())
		var holding sync.WaitGroup
		defer holding.Wait()
		holding.Go(func() {
			time.Sleep(200 * time.Millisecond)
			hold(0)
		})
		began := time.Now()
		f.send(w, "two", 1, live.Taken, insert(1, "B"))
		if waited := time.Since(began); waited < 150*time.Millisecond || waited > 4*time.Second {
			f.Errorf("waited %s", waited)
		}
	})
}
