package httpx

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics holds the numbers that /metrics shows, in a registry of its own.
type Metrics struct {
	registry *prometheus.Registry
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

// NewMetrics returns Metrics with the numbers of the process, the Go runtime and HTTP.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "recto_http_request_duration_seconds",
			Help:    "Time from the first byte of a request's header to the end of its handler.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route", "status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "recto_http_requests_in_flight",
			Help: "Requests being handled.",
		}),
	}
	m.registry.MustRegister(m.duration, m.inFlight, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler answers /metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// begin counts a request in and returns what counts it out.
func (m *Metrics) begin() func(method, route string, status int, duration time.Duration) {
	if m == nil {
		return func(string, string, int, time.Duration) {}
	}
	m.inFlight.Inc()
	return func(method, route string, status int, duration time.Duration) {
		m.inFlight.Dec()
		m.duration.WithLabelValues(knownMethod(method), route, strconv.Itoa(status)).Observe(duration.Seconds())
	}
}

// knownMethod keeps made-up methods from making series.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	default:
		return "other"
	}
}
