package steps

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// long returns a document of so many paragraphs.
func long(blocks int) []byte {
	var b strings.Builder
	b.WriteString(`{"object":"document","data":{"schemaVersion":2},"nodes":[`)
	for i := range blocks {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[`+
			`{"object":"text","leaves":[`+
			`{"object":"leaf","text":"Paragraph %d, which says what a paragraph of some length says. ","marks":[]},`+
			`{"object":"leaf","text":"It has a bold end.","marks":[{"object":"mark","type":"bold"}]}]}]}`, i)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

func BenchmarkStart(b *testing.B) {
	open(b)
	for b.Loop() {
		e, err := New(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		e.Close()
	}
}

func BenchmarkLoad2000Blocks(b *testing.B) {
	e, document := open(b), long(2000)
	for b.Loop() {
		if err := e.Load(document); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSnapshot2000Blocks(b *testing.B) {
	e := open(b)
	if err := e.Load(long(2000)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := e.Snapshot(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStepIn2000Blocks(b *testing.B) {
	e := open(b)
	if err := e.Load(long(2000)); err != nil {
		b.Fatal(err)
	}
	step := []json.RawMessage{json.RawMessage(
		`{"stepType":"replace","from":50000,"to":50000,"slice":{"content":[{"type":"text","text":"x"}]}}`)}
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := e.Apply(step); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	b.ReportMetric(float64(quantile(took, 0.5).Microseconds()), "µs-p50")
	b.ReportMetric(float64(quantile(took, 0.99).Microseconds()), "µs-p99")
}

// quantile returns how long that part of all took at most.
func quantile(took []time.Duration, part float64) time.Duration {
	slices.Sort(took)
	return took[int(float64(len(took)-1)*part)]
}

// BenchmarkMemory measures what a session of 2,000 blocks and an empty one take, by what the process does.
func BenchmarkMemory(b *testing.B) {
	for _, blocks := range []int{1, 2000} {
		b.Run(fmt.Sprintf("blocks=%d", blocks), func(b *testing.B) {
			document := long(blocks)
			open(b)
			for b.Loop() {
				const engines = 8
				before := resident(b)
				for range engines {
					if err := open(b).Load(document); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(resident(b)-before)/engines/(1<<20), "MiB/engine")
			}
		})
	}
}

// resident returns how much memory the process has, in bytes.
func resident(t testing.TB) int {
	t.Helper()
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
