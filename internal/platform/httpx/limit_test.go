package httpx

import (
	"fmt"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(LimiterConfig{PerSecond: 2, Burst: 3})
		for i := range 3 {
			want := Decision{OK: true, Limit: 3, Remaining: 2 - i, Reset: time.Duration(i+1) * 500 * time.Millisecond}
			if diff := cmp.Diff(want, limiter.Allow("a")); diff != "" {
				t.Errorf("request %d (-want +got):\n%s", i+1, diff)
			}
		}
		want := Decision{Limit: 3, Reset: 1500 * time.Millisecond, RetryAfter: 500 * time.Millisecond}
		if diff := cmp.Diff(want, limiter.Allow("a")); diff != "" {
			t.Errorf("over the limit (-want +got):\n%s", diff)
		}
		if !limiter.Allow("b").OK {
			t.Error("another key is refused")
		}
		time.Sleep(500 * time.Millisecond)
		if !limiter.Allow("a").OK {
			t.Error("refused after the time to wait")
		}
		if limiter.Allow("a").OK {
			t.Error("a wait gave more than one")
		}
		time.Sleep(time.Hour)
		for range 3 {
			limiter.Allow("a")
		}
		if limiter.Allow("a").OK {
			t.Error("a long pause gave more than the burst")
		}
	})
}

func TestLimiterForgetsOldKeysOnly(t *testing.T) {
	limiter := NewLimiter(LimiterConfig{PerSecond: 0.001, Burst: 1, MaxKeys: 100})
	limiter.Allow("busy")
	for i := range 10_000 {
		limiter.Allow(fmt.Sprint(i))
		if limiter.Allow("busy").OK {
			t.Fatalf("a key in use was forgotten after %d others", i)
		}
		if kept := len(limiter.current) + len(limiter.previous); kept > 100 {
			t.Fatalf("%d keys are kept", kept)
		}
	}
}

func TestLimiterAtOnce(t *testing.T) {
	limiter := NewLimiter(LimiterConfig{PerSecond: 0, Burst: 100})
	var allowed atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if limiter.Allow("a").OK {
					allowed.Add(1)
				}
			}
		})
	}
	group.Wait()
	if allowed.Load() != 100 {
		t.Errorf("%d of a burst of 100 went on", allowed.Load())
	}
}

func TestDecisionHeaders(t *testing.T) {
	header := http.Header{}
	Decision{Limit: 10, Remaining: 0, Reset: 2500 * time.Millisecond, RetryAfter: 200 * time.Millisecond}.SetHeaders(
		header)
	want := http.Header{"Ratelimit-Limit": {"10"}, "Ratelimit-Remaining": {"0"}, "Ratelimit-Reset": {"3"},
		"Retry-After": {"1"}}
	if diff := cmp.Diff(want, header); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	header = http.Header{}
	Decision{OK: true, Limit: 10, Remaining: 9}.SetHeaders(header)
	if header.Get("Retry-After") != "" {
		t.Error("an allowed request is told to retry")
	}
}

func TestAddressKey(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.9":           "203.0.113.9",
		"::ffff:203.0.113.9":    "203.0.113.9",
		"2001:db8:1:2:3:4:5:6":  "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::1":  "2001:db8:1:2::/64",
		"fe80::1%eth0":          "fe80::/64",
		"2001:db8:1:3:ffff::1":  "2001:db8:1:3::/64",
		"2001:db8:1:3:ffff::99": "2001:db8:1:3::/64",
	} {
		if got := AddressKey(netip.MustParseAddr(address)); got != want {
			t.Errorf("the key of %s is %s, want %s", address, got, want)
		}
	}
	if AddressKey(netip.Addr{}) == "" {
		t.Error("an unknown address has no key")
	}
}

func BenchmarkLimiter(b *testing.B) {
	limiter := NewLimiter(LimiterConfig{PerSecond: 1e9, Burst: 1 << 30})
	for b.Loop() {
		limiter.Allow("203.0.113.9")
	}
}
