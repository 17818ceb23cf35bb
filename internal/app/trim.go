package app

import (
	"context"
	"runtime/debug"
	"time"
)

// trimAfter is how long after its start a program gives back what only its start needed: the work of an instance that
// is used at once does not wait for that.
const trimAfter = 5 * time.Second

// trimLater gives memory back to the system some time after the start, unless the function that it returns is called
// before. The start leaves 10 MB of garbage, which an idle server would keep. It costs one collection.
func trimLater(ctx context.Context) (stop func()) {
	waiting, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		timer := time.NewTimer(trimAfter)
		defer timer.Stop()
		select {
		case <-waiting.Done():
		case <-timer.C:
			debug.FreeOSMemory()
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
