package httpx

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"time"
)

// BodyLimits bound the bodies of requests while they are on their way, so that many slow ones keep nobody out. What
// counts is the time that the server waits for the client, not the time that it takes itself.
type BodyLimits struct {
	// Grace is how long a body may let the server wait beyond what MinimumRate, in bytes a second, allows for what has
	// come. 0 means 20 s and 1 KiB/s.
	Grace       time.Duration
	MinimumRate int
	// Unproven is how long the body of a request may let wait before ProveBody, in all; 0 means 30 s.
	Unproven time.Duration
	// PerAddress and Total are how many bodies of unproven requests may be open, of an address and in all; 0 means 64
	// and 1,000.
	PerAddress, Total int
}

// bodies counts the open bodies of requests that have not proven who makes them.
type bodies struct {
	limits BodyLimits

	mutex     sync.Mutex
	total     int
	byAddress map[string]int
}

func newBodies(limits BodyLimits) *bodies {
	orTime := func(value *time.Duration, standard time.Duration) {
		if *value == 0 {
			*value = standard
		}
	}
	orCount := func(value *int, standard int) {
		if *value == 0 {
			*value = standard
		}
	}
	orTime(&limits.Grace, 20*time.Second)
	orTime(&limits.Unproven, 30*time.Second)
	orCount(&limits.MinimumRate, 1<<10)
	orCount(&limits.PerAddress, 64)
	orCount(&limits.Total, 1000)
	return &bodies{limits: limits, byAddress: map[string]int{}}
}

// open returns the body of a request under the limits, and false when too many are open. Callers end it.
func (b *bodies) open(w http.ResponseWriter, r *http.Request, client netip.Addr) (*boundedBody, bool) {
	key := AddressKey(client)
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.total >= b.limits.Total || b.byAddress[key] >= b.limits.PerAddress {
		return nil, false
	}
	b.total++
	b.byAddress[key]++
	return &boundedBody{ReadCloser: r.Body, of: b, key: key, connection: http.NewResponseController(w)}, true
}

// boundedBody is a body that is read within the limits.
type boundedBody struct {
	io.ReadCloser
	of         *bodies
	key        string
	connection *http.ResponseController

	mutex  sync.Mutex
	proven bool
	ended  bool // no longer counted
	whole  bool // it was read to its end

	// Of the goroutine that reads.
	read   int64
	waited time.Duration
}

// errSlowBody is what reading a body returns when it comes too slowly. It is os.ErrDeadlineExceeded for errors.Is.
var errSlowBody = slowBody{}

type slowBody struct{}

func (slowBody) Error() string { return "the body of the request comes too slowly" }
func (slowBody) Unwrap() error { return os.ErrDeadlineExceeded }

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	patience := b.patience()
	if patience <= 0 {
		return 0, errSlowBody
	}
	start := time.Now()
	// What is no connection, as in tests of handlers, has no deadlines.
	_ = b.connection.SetReadDeadline(start.Add(patience))
	n, err := b.ReadCloser.Read(p)
	b.waited += time.Since(start)
	b.read += int64(n)
	switch {
	case err == io.EOF:
		b.mutex.Lock()
		b.whole = true
		b.mutex.Unlock()
		// The connection is watched on while the handler works: what ended now would end the request. And a body that
		// has taken long leaves the whole time for the answer.
		_ = b.connection.SetReadDeadline(start.Add(readTimeout))
		_ = b.connection.SetWriteDeadline(start.Add(writeTimeout))
		b.end()
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errSlowBody
	}
	return n, err
}

// patience is how much longer the server waits for the client.
func (b *boundedBody) patience() time.Duration {
	limits := b.of.limits
	left := limits.Grace + time.Duration(b.read)*time.Second/time.Duration(limits.MinimumRate) - b.waited
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if !b.proven {
		left = min(left, limits.Unproven-b.waited)
	}
	return left
}

// prove lifts the limits of bodies that anybody can send.
func (b *boundedBody) prove() {
	b.mutex.Lock()
	b.proven = true
	b.mutex.Unlock()
	b.end()
}

// end stops counting the body.
func (b *boundedBody) end() {
	b.mutex.Lock()
	ended := b.ended
	b.ended = true
	b.mutex.Unlock()
	if ended {
		return
	}
	b.of.mutex.Lock()
	defer b.of.mutex.Unlock()
	b.of.total--
	if b.of.byAddress[b.key]--; b.of.byAddress[b.key] == 0 {
		delete(b.of.byAddress, b.key)
	}
}

// lingerTime is how long what a refused client still sends is read: one that finds the connection closed while it sends
// may never see the answer.
const lingerTime = 2 * time.Second

// isUnwanted reports whether an answer refuses the request of somebody unknown whose body was not read.
func (b *boundedBody) isUnwanted(status int) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return status >= http.StatusBadRequest && !b.proven && !b.whole
}

// leave ends the body when its request was answered. The server reads some of what is left of it before it looks at the
// connection again, which would keep that open.
func (b *boundedBody) leave(answer *recorder) {
	b.end()
	b.mutex.Lock()
	whole := b.whole
	b.mutex.Unlock()
	if whole {
		return
	}
	patience := max(0, b.patience())
	if b.isUnwanted(answer.code()) {
		patience = min(patience, lingerTime)
	}
	_ = b.connection.SetReadDeadline(time.Now().Add(patience))
}

// ProveBody says that whoever makes the request that ctx belongs to has proven who they are: its body may take as long
// as it needs, as long as it comes at the least rate.
func ProveBody(ctx context.Context) {
	if under := exchangeFrom(ctx); under != nil && under.body != nil {
		under.body.prove()
	}
}
