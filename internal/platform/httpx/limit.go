package httpx

import (
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// LimiterConfig says how much each key may do.
type LimiterConfig struct {
	// PerSecond is the lasting rate.
	PerSecond float64
	// Burst is how much may come at once after a pause.
	Burst int
	// MaxKeys bounds the memory: a key that has not been seen while this many others were is forgotten, and starts with
	// a full bucket when it comes back. 0 means 100,000, which take about 20 MB.
	MaxKeys int
}

// Limiter is a token bucket for each of many keys. It counts in this process alone. It is safe for use by many
// goroutines.
type Limiter struct {
	config LimiterConfig
	now    func() time.Time

	mutex sync.Mutex
	// Two generations make an approximate least-recently-used order: a key that is used moves to the current one, and
	// when that is half full the previous one is dropped.
	current, previous map[string]*rate.Limiter
}

// Decision is a Limiter's answer about one request.
type Decision struct {
	// OK says whether the request may go on.
	OK bool
	// Limit is the burst, Remaining what is left of it.
	Limit, Remaining int
	// Reset is how long it takes until the burst is full again.
	Reset time.Duration
	// RetryAfter is how long to wait before the next request would go on; 0 when this one does.
	RetryAfter time.Duration
}

// NewLimiter returns a Limiter whose buckets are all full.
func NewLimiter(config LimiterConfig) *Limiter {
	if config.MaxKeys <= 0 {
		config.MaxKeys = 100_000
	}
	config.Burst = max(config.Burst, 1)
	return &Limiter{config: config, now: time.Now, current: map[string]*rate.Limiter{}}
}

// Allow takes one token of the key's bucket when there is one.
func (l *Limiter) Allow(key string) Decision {
	now := l.now()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	bucket := l.bucket(key)
	decision := Decision{Limit: l.config.Burst, OK: bucket.AllowN(now, 1)}
	tokens := bucket.TokensAt(now)
	decision.Remaining = max(0, int(math.Floor(tokens)))
	decision.Reset = l.wait(float64(l.config.Burst) - tokens)
	if !decision.OK {
		decision.RetryAfter = l.wait(1 - tokens)
	}
	return decision
}

// wait returns how long it takes to gain some tokens.
func (l *Limiter) wait(tokens float64) time.Duration {
	if tokens <= 0 {
		return 0
	}
	if l.config.PerSecond <= 0 {
		return time.Hour // never; an hour is long enough to say
	}
	return time.Duration(tokens / l.config.PerSecond * float64(time.Second))
}

func (l *Limiter) bucket(key string) *rate.Limiter {
	if bucket, ok := l.current[key]; ok {
		return bucket
	}
	if len(l.current) >= (l.config.MaxKeys+1)/2 {
		l.previous, l.current = l.current, map[string]*rate.Limiter{}
	}
	bucket, ok := l.previous[key]
	if ok {
		delete(l.previous, key)
	} else {
		bucket = rate.NewLimiter(rate.Limit(l.config.PerSecond), l.config.Burst)
	}
	l.current[key] = bucket
	return bucket
}

// SetHeaders tells the client about its limit: RateLimit-Limit, -Remaining and -Reset (whole seconds), and Retry-After
// when the request was refused.
func (d Decision) SetHeaders(header http.Header) {
	header.Set("RateLimit-Limit", strconv.Itoa(d.Limit))
	header.Set("RateLimit-Remaining", strconv.Itoa(d.Remaining))
	header.Set("RateLimit-Reset", strconv.Itoa(seconds(d.Reset)))
	if !d.OK {
		header.Set("Retry-After", strconv.Itoa(max(1, seconds(d.RetryAfter))))
	}
}

// seconds rounds up.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// AddressKey returns the key of an address for a Limiter: the address itself for IPv4, and its /64 network for IPv6,
// because that is what one customer gets.
func AddressKey(address netip.Addr) string {
	address = address.Unmap()
	if address.Is6() {
		if prefix, err := address.WithZone("").Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return address.String()
}
