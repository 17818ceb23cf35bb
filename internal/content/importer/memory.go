package importer

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Imports share the memory of a process. What one needs follows from the number of its pages and files, which is known
// roughly before it is read. An import takes its share of sharesInAll before it reads and waits in line for it, so that
// the largest runs alone and small ones run beside each other.
const (
	// sharesInAll is what the largest import takes: as many entries as an archive may have.
	sharesInAll = 200_000
	// leastShares is what any import takes, and unknownShares what one takes whose size nobody knows: a website, a
	// wiki.
	leastShares   = 2_000
	unknownShares = 50_000
	// bytesOfEntry is the least that an entry takes in an archive: two headers with a short name, and a few words.
	bytesOfEntry = 160
	// spareMemory is how much more memory than at its beginning a process takes during large imports, in bytes, before
	// it collects garbage more often.
	spareMemory = 320 << 20
)

// memory shares the memory of the process between imports.
type memory struct {
	shares *semaphore.Weighted

	mutex   sync.Mutex
	running int
	largest int64 // of those that have run since the limit was set
	limited bool
}

func newMemory(shares int64) *memory { return &memory{shares: semaphore.NewWeighted(shares)} }

// sharesOfUpload is what an upload of some bytes takes.
func sharesOfUpload(bytes int64) int64 { return min(max(bytes/bytesOfEntry, leastShares), sharesInAll) }

// acquire waits until there is room for an import, which is over when release is called. waits is called when it has to
// wait.
func (m *memory) acquire(ctx context.Context, shares int64, waits func()) (release func(), err error) {
	if !m.shares.TryAcquire(shares) {
		waits()
		if err := m.shares.Acquire(ctx, shares); err != nil {
			return nil, context.Cause(ctx)
		}
	}
	m.begin(shares)
	return sync.OnceFunc(func() {
		m.end()
		m.shares.Release(shares)
	}), nil
}

// begin sets a soft limit of memory for as long as imports run, unless the operator has set one. The collector keeps to
// it as far as what lives allows: a large import makes garbage faster than the collector would otherwise come.
func (m *memory) begin(shares int64) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.running++
	m.largest = max(m.largest, shares)
	if m.limited || debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	debug.SetMemoryLimit(int64(stats.Sys-stats.HeapReleased) + spareMemory)
	m.limited = true
}

// end takes the limit away after the last import, and gives the memory of large ones back to the system.
func (m *memory) end() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.running--; m.running > 0 {
		return
	}
	if m.limited {
		debug.SetMemoryLimit(math.MaxInt64)
		m.limited = false
	}
	if m.largest > sharesInAll/10 {
		debug.FreeOSMemory()
	}
	m.largest = 0
}
