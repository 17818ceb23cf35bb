package segments_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"

	"github.com/rectodocs/recto/internal/content/search/segments"
)

// TestSegmentsAreMadeInTurn holds that while somebody searches and other work has all turns, making a segment of many
// documents and merging segments wait, and that making one of a few does not.
func TestSegmentsAreMadeInTurn(t *testing.T) {
	segments.Register()
	index, err := bleve.NewUsing(t.TempDir()+"/index", bleve.NewIndexMapping(), scorch.Name, scorch.Name,
		map[string]any{"unsafe_batch": true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := index.Close(); err != nil {
			t.Error(err)
		}
	}()
	add := func(documents int) time.Duration {
		batch := index.NewBatch()
		for i := range documents {
			if err := batch.Index(fmt.Sprint(i), map[string]string{"text": "apples"}); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		if err := index.Batch(batch); err != nil {
			t.Fatal(err)
		}
		return time.Since(began)
	}
	defer segments.Background.Searching()()
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		defer segments.Background.Step(nil)()
	}
	if took := add(segments.Many); took < time.Second {
		t.Errorf("a segment of %d documents was made after %s, without a turn", segments.Many, took)
	}
	few := time.Hour // on a busy machine some take long by themselves
	for range 5 {
		few = min(few, add(segments.Many-1))
	}
	if few > 900*time.Millisecond {
		t.Errorf("a segment of %d documents was made after %s: it waits for a turn", segments.Many-1, few)
	}
	held, err := index.DocCount()
	if err != nil || held != segments.Many {
		t.Errorf("the index has %d documents of %d, %v", held, segments.Many, err)
	}
	advanced, err := index.Advanced()
	if err != nil {
		t.Fatal(err)
	}
	for began, merged := time.Now(), false; !merged; time.Sleep(time.Millisecond) {
		if err := advanced.(*scorch.Scorch).ForceMerge(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		reader, err := advanced.Reader()
		if err != nil {
			t.Fatal(err)
		}
		merged = len(reader.(*scorch.IndexSnapshot).Segments()) == 1 // some of them may not be written yet
		if err := reader.Close(); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); merged && took < time.Second {
			t.Errorf("segments were merged after %s, without a turn", took)
		}
	}
}
