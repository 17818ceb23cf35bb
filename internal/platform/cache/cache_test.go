package cache_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/platform/cache"
)

func TestSetThenGet(t *testing.T) {
	kept := cache.Sized[int](100)
	if _, ok := kept.Get("a"); ok {
		t.Error("an empty cache has a value")
	}
	kept.Set("a", 1)
	kept.Set("a", 2)
	if got, ok := kept.Get("a"); !ok || got != 2 {
		t.Errorf("got %d, %t, want the value that was set last", got, ok)
	}
}

// A cache of pointers can hold nil, which is a value.
func TestNilIsAValue(t *testing.T) {
	kept := cache.Sized[*int](100)
	kept.Set("a", nil)
	if got, ok := kept.Get("a"); !ok || got != nil {
		t.Errorf("got %v, %t, want nil that is there", got, ok)
	}
}

func TestWeightIsBounded(t *testing.T) {
	kept := cache.Weighted(1000, func(_ string, value []byte) uint32 { return uint32(len(value)) })
	for i := range 10_000 {
		kept.Set(strconv.Itoa(i), make([]byte, 10))
	}
	there := func() (weight int) {
		for i := range 10_000 {
			value, _ := kept.Get(strconv.Itoa(i))
			weight += len(value)
		}
		return weight
	}
	// Old values are put out in the background, by later calls.
	for range 1000 {
		if there() <= 1000 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if got := there(); got == 0 || got > 1000 {
		t.Errorf("the values weigh %d, want more than nothing and at most 1000", got)
	}
	kept.Set("huge", make([]byte, 2000))
	for range 1000 {
		if _, ok := kept.Get("huge"); !ok {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("a value that is heavier than the whole cache stays")
}

func TestLoadIsSharedAndErrorsAreNotKept(t *testing.T) {
	kept := cache.Sized[string](100)
	failure := errors.New("the build failed")
	if _, err := kept.Load(t.Context(), "a", func(context.Context) (string, error) {
		return "", failure
	}); !errors.Is(err, failure) {
		t.Errorf("error %v, want the build's", err)
	}
	var builds atomic.Int32
	release := make(chan struct{})
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			got, err := kept.Load(t.Context(), "a", func(context.Context) (string, error) {
				builds.Add(1)
				<-release
				return "built", nil
			})
			if err != nil || got != "built" {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	close(release)
	callers.Wait()
	if builds.Load() != 1 {
		t.Errorf("%d builds for one key", builds.Load())
	}
}
