// Package segments owns when the search library makes and merges the segments that indexes consist of: while somebody
// searches, that leaves processors free, see turns.Background.
package segments

import (
	"runtime"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/rectodocs/recto/internal/content/search/turns"
)

// Many is how many pages are added at once by an update that nobody waits for. Fewer may be what a query waits for:
// they do not wait for their turn.
const Many = 128

// Background is what the work on the indexes of this process takes its turns from.
var Background = turns.NewBackground(runtime.GOMAXPROCS(0))

// Register has the library make the segments of the indexes that are opened from then on in turn.
var Register = sync.OnceFunc(func() { scorch.RegisterSegmentPlugin(&plugin{}, true) })

// plugin is the library's own kind of segments.
type plugin struct{ zap.ZapPlugin }

// NewUsing makes a segment of documents.
func (p *plugin) NewUsing(documents []index.Document,
	config map[string]any) (made segment.Segment, bytes uint64, err error) {
	if len(documents) >= Many {
		defer Background.Step(nil)()
	}
	return p.ZapPlugin.NewUsing(documents, config)
}

// MergeUsing makes one segment of several, without the documents that were deleted from them.
func (p *plugin) MergeUsing(merged []segment.Segment, deleted []*roaring.Bitmap, path string, stop chan struct{},
	report segment.StatsReporter, config map[string]any) (numbers [][]uint64, bytes uint64, err error) {
	defer Background.Step(stop)()
	return p.ZapPlugin.MergeUsing(merged, deleted, path, stop, report, config)
}
