package reader

import (
	"strings"
	"testing"
	"time"
)

// TestDeadline stops a parse that the budgets let through.
func TestDeadline(t *testing.T) {
	g := newGuard([]byte("a\nb"))
	now := time.Now()
	g.now = func() time.Time { return now.Add(time.Hour) }
	defer func() {
		refused, ok := recover().(refusal)
		if !ok || !strings.Contains(refused.err.Error(), "line 2, column 1") {
			t.Errorf("recovered %v", refused)
		}
	}()
	for range 2_000 {
		g.tick(2)
	}
	t.Error("no deadline")
}
