package live_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/live"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
)

// ended waits until a client is told that it is over.
func ended(f *fixture, w *live.Watcher) live.Reason {
	f.Helper()
	for deadline := time.After(time.Minute); ; {
		events, err := w.Next(f.Context())
		if err != nil {
			f.Fatal(err)
		}
		for _, e := range events {
			if e.Ended != "" {
				return e.Ended
			}
		}
		select {
		case <-w.Wait():
		case <-deadline:
			f.Fatal("nobody says that it is over")
		}
	}
}

// TestSweepWritesWhatAKilledProcessLeft holds that text which a process took and never wrote becomes a revision by
// another one, after a while and not before.
func TestSweepWritesWhatAKilledProcessLeft(t *testing.T) {
	each(t, "Text\n", func(f *fixture) {
		f.send(f.join(0, "a"), "one", 0, live.Taken, insert(1, "My "))
		f.lives[0].Kill()
		f.lives[1].Sweep(f.Context())
		if got := f.body(); got != "Text\n" {
			f.Fatalf("swept at once: %q", got)
		}
		f.later = 46 * time.Second
		f.lives[1].Sweep(f.Context())
		if got := f.body(); got != "My Text\n" {
			f.Errorf("the branch has %q", got)
		}
		if r, err := f.changes.Get(f.Context(), f.Admin(), f.space, f.request.ID); err != nil || r.Unwritten {
			f.Errorf("swept, and yet there is something: %+v %v", r.Unwritten, err)
		}
	})
}

// TestEnginesAreFew holds that a process keeps the engines that were used last, and makes others anew.
func TestEnginesAreFew(t *testing.T) {
	each(t, "Text\n", func(f *fixture) {
		pages := make([]string, live.MaxEngines+6)
		for i := range pages {
			pages[i] = id.New("page")
		}
		f.putPages("Text\n", pages...)
		watchers := make([]*live.Watcher, len(pages))
		for i, page := range pages {
			w, reason, err := f.enter(0, fmt.Sprint("c", i), page, f.Editor())
			if err != nil || reason != "" {
				f.Fatalf("page %d: %s %v", i, reason, err)
			}
			watchers[i] = w
			f.send(w, "one", 0, live.Taken, insert(1, "A"))
		}
		few := func() {
			f.Helper()
			if open := f.engines.Load(); open > live.MaxEngines {
				f.Errorf("%d engines, want %d at most", open, live.MaxEngines)
			}
		}
		few()
		// The first ones have lost theirs.
		for i, w := range watchers[:8] {
			f.send(w, "two", 1, live.Taken, insert(2, "B"))
			if _, err := w.Flush(f.Context()); err != nil {
				f.Fatal(err)
			}
			if got := f.bodyOf(pages[i]); got != "ABText\n" {
				f.Errorf("page %d has %q", i, got)
			}
		}
		few()
	})
}

// TestEndOfAProcess holds that a process which ends tells everybody, writes what there is, and lets nobody in any more.
func TestEndOfAProcess(t *testing.T) {
	each(t, "Text\n", func(f *fixture) {
		ctx, end := context.WithCancel(f.Context())
		over := make(chan struct{})
		go func() { f.lives[0].Run(ctx); close(over) }()
		w := f.join(0, "a")
		f.send(w, "one", 0, live.Taken, insert(1, "My "))
		end()
		if reason := ended(f, w); reason != live.Closed {
			f.Errorf("ended as %q", reason)
		}
		w.Leave(f.Context())
		<-over
		if got := f.body(); got != "My Text\n" {
			f.Errorf("the branch has %q", got)
		}
		if _, _, err := f.enter(0, "b", f.page, f.Editor()); !errs.Is(err, errs.Unavailable) {
			f.Errorf("let in after the end: %v", err)
		}
		// Another process goes on.
		f.send(f.join(1, "b"), "two", 1, live.Taken, insert(1, "Oh, "))
	})
}

// TestSessionsHaveRoomForSoMany holds the limits of connections of a person and of a session, and that somebody who
// comes again takes their own place.
func TestSessionsHaveRoomForSoMany(t *testing.T) {
	each(t, "Text\n", func(f *fixture) {
		callers := []account.Caller{f.Editor(), f.Admin(), f.Reviewer()}
		for i := len(callers); i*live.MaxPerson < live.MaxRoom+live.MaxPerson; i++ {
			callers = append(callers, f.Join(f.T, org.RoleEdit, fmt.Sprintf("more%d@example.org", i)))
		}
		var last *live.Watcher
		for i := range live.MaxRoom {
			w, reason, err := f.enter(0, fmt.Sprint("c", i), f.page, callers[i/live.MaxPerson])
			if err != nil || reason != "" {
				f.Fatalf("client %d: %s %v", i, reason, err)
			}
			last = w
		}
		late := callers[live.MaxRoom/live.MaxPerson]
		for who, caller := range map[string]account.Caller{"late": late, "greedy": f.Editor()} {
			if _, _, err := f.enter(0, who, f.page, caller); !errs.Is(err, errs.TooMany) {
				f.Errorf("%s: %v", who, err)
			}
		}
		if _, _, err := f.enter(0, "c0", f.page, f.Editor()); err != nil {
			f.Errorf("who comes again: %v", err)
		}
		last.Leave(f.Context())
		if _, _, err := f.enter(0, "late", f.page, late); err != nil {
			f.Errorf("after somebody has left: %v", err)
		}
	})
}
