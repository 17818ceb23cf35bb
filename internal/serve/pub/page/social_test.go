package page

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rectodocs/recto/internal/engine/social"
)

// TestDrawingIsBounded holds that few wait for a picture, and that all who wait get theirs.
func TestDrawingIsBounded(t *testing.T) {
	d := &drawing{turn: make(chan struct{}, 1)}
	d.turn <- struct{}{} // another picture is being drawn
	var done sync.WaitGroup
	var drawn, refused atomic.Int64
	first := make(chan struct{}, maxDrawing+4)
	for range maxDrawing + 4 {
		done.Go(func() {
			picture, ok, err := d.draw(t.Context(), social.Card{Title: "Title"})
			switch {
			case err != nil:
				t.Error(err)
			case !ok:
				refused.Add(1)
				first <- struct{}{}
			case len(picture) > 0:
				drawn.Add(1)
			}
		})
	}
	for range 4 {
		<-first // they do not wait
	}
	<-d.turn
	done.Wait()
	if drawn.Load() != maxDrawing || refused.Load() != 4 {
		t.Errorf("%d pictures, %d refused", drawn.Load(), refused.Load())
	}
	if d.waiting.Load() != 0 {
		t.Errorf("%d are said to wait", d.waiting.Load())
	}
}
