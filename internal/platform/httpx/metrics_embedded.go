//go:build embedded

package httpx

import (
	"net/http"
	"time"
)

// This build counts nothing, see CONTRIBUTING.md.

// Metrics would hold the numbers that /metrics shows.
type Metrics struct{}

// NewMetrics returns nil.
func NewMetrics() *Metrics { return nil }

// Handler says where /metrics is.
func (*Metrics) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "This build of Recto has no metrics; build it without the tag embedded (make build).", http.StatusNotFound)
	})
}

func (*Metrics) begin() func(method, route string, status int, duration time.Duration) {
	return func(string, string, int, time.Duration) {}
}
