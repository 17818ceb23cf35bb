package importer_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestBodiesAreNotInMemoryTogether imports pages with far more text than the import keeps in memory at any of its
// steps.
func TestBodiesAreNotInMemoryTogether(t *testing.T) {
	const pages, size, most = 800, 80 << 10, 24 << 20
	random := rand.New(rand.NewPCG(1, 2))
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	for i := range pages {
		w, err := writer.Create(fmt.Sprintf("part-%d/page-%d.md", i%20, i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(w, "# Page %d\n\n", i)
		for written := 0; written < size; written += 64 {
			fmt.Fprintf(w, "%x\n%s\n", random.Uint64(), strings.Repeat("word ", 9))
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	live := func() int64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	before, peak, steps := live(), int64(math.MinInt64), 0
	request := importer.Request{Space: spaceID, Upload: bytes.NewReader(archive.Bytes()), Name: "docs.zip"}
	result, err := h.Import(t.Context(), h.admin, request, func(importer.Progress) {
		if steps++; steps%100 == 0 {
			peak = max(peak, live()-before)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("at most %d bytes more than before", peak)
	// Each folder is a page, too.
	if result.ImportedResources != pages+20 || steps < pages {
		t.Errorf("%d pages in %d steps", result.ImportedResources, steps)
	}
	if peak > most {
		t.Errorf("the import had %d bytes in memory, want at most %d of %d", peak, most, pages*size)
	}
}

// TestLargeImportsWaitForEachOther holds that imports that need all of the memory run one after the other, say that
// they wait, and that one that waits can be cancelled.
func TestLargeImportsWaitForEachOther(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	h.ShareMemory(importer.LeastShares)
	first, second, third := h.newSpace(t), h.newSpace(t), h.newSpace(t)
	request := func(spaceID id.Space) importer.Request {
		return importer.Request{Space: spaceID, Upload: strings.NewReader("# A"), Name: "a.md"}
	}
	started, waiting, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan error, 2)
	go func() {
		once := false
		_, err := h.Import(t.Context(), h.admin, request(first), func(p importer.Progress) {
			if p.Done > 0 && !once {
				once = true
				close(started)
				<-goOn
			}
		})
		ended <- err
	}()
	<-started
	go func() {
		once := false
		_, err := h.Import(t.Context(), h.admin, request(second), func(p importer.Progress) {
			if strings.HasPrefix(p.Message, "waiting") && !once {
				once = true
				close(waiting)
			}
			if p.Done == 0 {
				return
			}
			select {
			case <-goOn:
			default:
				t.Error("the second import reads while the first one does")
			}
		})
		ended <- err
	}()
	<-waiting
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := h.Import(ctx, h.admin, request(third), func(p importer.Progress) {
		if strings.HasPrefix(p.Message, "waiting") {
			cancel(stop)
		}
	})
	if !errors.Is(err, stop) {
		t.Errorf("an import that waits and is cancelled: %v", err)
	}
	close(goOn)
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
