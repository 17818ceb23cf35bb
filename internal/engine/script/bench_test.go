package script

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// large is a module of a megabyte, as bundles are: many functions, of which few run.
func large() string {
	var b strings.Builder
	for n := 0; b.Len() < 1<<20; n++ {
		fmt.Fprintf(&b, "function f%[1]d(a, b) { if (a > %[1]d) { return { name: 'f%[1]d', a }; } return b; }\n", n)
	}
	return b.String() + handle(`return Response.json({ ok: f1(2, 3) })`)
}

func BenchmarkStart(b *testing.B) {
	for name, source := range map[string]string{"small": handle(`return new Response()`), "1MB": large()} {
		program, err := Compile(source, V2)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				i, err := program.Start(b.Context(), Host{}, Limits{})
				if err != nil {
					b.Fatal(err)
				}
				i.Close()
			}
		})
	}
}

// BenchmarkCompile is what the first call of a script takes longer where its program is not kept.
func BenchmarkCompile(b *testing.B) {
	source := large()
	for b.Loop() {
		if _, err := Compile(source, V2); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDispatch sends 50 trivial events a second.
func BenchmarkDispatch(b *testing.B) {
	i := start(b, handle(`return new Response(request.method)`), V2, Host{}, Limits{})
	var took []time.Duration
	for b.Loop() {
		from := time.Now()
		send(b, i, get("https://example.org/v1"))
		took = append(took, time.Since(from))
		time.Sleep(20*time.Millisecond - time.Since(from))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
	b.ReportMetric(float64(took[(len(took)-1)*99/100].Microseconds()), "µs-p99")
}

// BenchmarkMemory measures what an idle instance takes, by what the process does.
func BenchmarkMemory(b *testing.B) {
	for name, source := range map[string]string{"small": handle(`return new Response()`), "1MB": large()} {
		b.Run(name, func(b *testing.B) {
			program, err := Compile(source, V2)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				const instances = 20
				before := resident(b)
				for range instances {
					i, err := program.Start(b.Context(), Host{}, Limits{})
					if err != nil {
						b.Fatal(err)
					}
					b.Cleanup(i.Close)
				}
				b.ReportMetric(float64(resident(b)-before)/instances/(1<<20), "MiB/instance")
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

// TestInstancesGiveBackWhatTheyTake makes and closes many instances.
func TestInstancesGiveBackWhatTheyTake(t *testing.T) {
	program, err := Compile(handle(`return new Response(new Blob(["x".repeat(1e5)]))`), V2)
	if err != nil {
		t.Fatal(err)
	}
	cycle := func(n int) int {
		for range n {
			i, err := program.Start(t.Context(), Host{}, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			send(t, i, get("https://example.org/"))
			i.Close()
		}
		return resident(t)
	}
	before := cycle(50)
	if after := cycle(1000); after-before > 20<<20 {
		t.Errorf("1,000 instances left %d MiB", (after-before)>>20)
	}
}
