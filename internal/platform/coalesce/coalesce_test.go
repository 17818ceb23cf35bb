package coalesce

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestNeverOlderThanTheQuestion holds the promise under load: a caller never sees a value from before it asked.
func TestNeverOlderThanTheQuestion(t *testing.T) {
	var group Group[string, int64]
	var version, calls atomic.Int64
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 2000 {
				known := version.Add(1)
				got, err := group.Do(t.Context(), "key", func(context.Context, string) (int64, error) {
					calls.Add(1)
					return version.Load(), nil
				})
				if err != nil || got < known {
					t.Errorf("answer %d for a question asked at %d: %v", got, known, err)
					return
				}
			}
		})
	}
	wait.Wait()
	if calls.Load() > 16000 {
		t.Errorf("%d calls for 16000 questions", calls.Load())
	}
	if len(group.lines) != 0 {
		t.Errorf("%d lines are left behind", len(group.lines))
	}
}

// TestThoseWhoComeMeanwhileShareTheNextCall holds that a running call is not joined, and that one call answers all who
// wait behind it.
func TestThoseWhoComeMeanwhileShareTheNextCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var group Group[int, int]
		var calls atomic.Int64
		release := make(chan struct{})
		ask := func(context.Context, int) (int, error) {
			call := calls.Add(1)
			if call == 1 {
				<-release
			}
			return int(call), nil
		}
		answers := make(chan int, 6)
		go func() {
			got, _ := group.Do(t.Context(), 1, ask)
			answers <- got
		}()
		synctest.Wait()
		for range 5 {
			go func() {
				got, _ := group.Do(t.Context(), 1, ask)
				answers <- got
			}()
		}
		synctest.Wait()
		close(release)
		if first := <-answers; first != 1 && first != 2 {
			t.Errorf("first answer %d", first)
		}
		sum := 0
		for range 5 {
			sum += <-answers
		}
		synctest.Wait()
		if calls.Load() != 2 {
			t.Errorf("%d calls for six questions", calls.Load())
		}
	})
}

func TestErrorsPanicsAndContexts(t *testing.T) {
	var group Group[int, int]
	want := errors.New("no")
	if _, err := group.Do(t.Context(), 1, func(context.Context, int) (int, error) { return 0, want }); !errors.Is(err,
		want) {
		t.Errorf("error = %v", err)
	}
	_, err := group.Do(t.Context(), 1, func(context.Context, int) (int, error) { panic("boom") })
	if err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("panic = %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		var group Group[int, int]
		release := make(chan struct{})
		go func() {
			_, _ = group.Do(t.Context(), 1, func(ctx context.Context, _ int) (int, error) {
				<-release
				return 1, ctx.Err()
			})
		}()
		synctest.Wait()
		leaving, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() {
			_, err := group.Do(leaving, 1, func(context.Context, int) (int, error) { return 2, nil })
			left <- err
		}()
		synctest.Wait()
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that leaves gets %v", err)
		}
		close(release)
		synctest.Wait()
	})
}

// TestAnswersAreKeptWhileNothingChanges holds that an answer is given again while the version is the same and it is
// younger than a second, and not one moment longer; that errors are not; and that an unknown version keeps nothing.
func TestAnswersAreKeptWhileNothingChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, known := 0, true
		var version Version
		group := Group[string, int]{Version: func() (Version, bool) { return version, known }}
		ask := func(context.Context, string) (int, error) {
			calls++
			if calls == 1 {
				return 0, errors.New("not now")
			}
			return calls, nil
		}
		for _, step := range []struct {
			name    string
			prepare func()
			want    int
		}{
			{"the first fails", func() {}, 0},
			{"an error is not kept", func() {}, 2},
			{"nothing has changed", func() {}, 2},
			{"still young", func() { time.Sleep(keepTime - time.Millisecond) }, 2},
			{"too old", func() { time.Sleep(2 * time.Millisecond) }, 3},
			{"a commit", func() { version[5]++ }, 4},
			{"the version before", func() { version[5]-- }, 5},
			{"unknown", func() { known = false }, 6},
			{"unknown again", func() {}, 7},
		} {
			step.prepare()
			if got, _ := group.Do(t.Context(), "key", ask); got != step.want {
				t.Errorf("%s: got %d, want %d", step.name, got, step.want)
			}
		}
		// Another key has an answer of its own, and keys without end do not stay.
		known = true
		for i := range 2 * keepMost {
			_, _ = group.Do(t.Context(), strconv.Itoa(i), ask)
		}
		if len(group.kept) > keepMost {
			t.Errorf("%d answers are kept", len(group.kept))
		}
	})
}
