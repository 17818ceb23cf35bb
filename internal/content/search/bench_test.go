package search_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/search/segments"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// generated fills a space with pages of made-up words: few of them are everywhere and most are rare, as in a language.
func (w *world) generated(pages int) id.Space {
	w.t.Helper()
	space := w.space()
	random := rand.New(rand.NewPCG(1, 2))
	frequent := rand.NewZipf(random, 1.1, 4, 30_000)
	word := func() string { return madeUp(frequent.Uint64()) }
	positions := entity.Positions(pages)
	for start := 0; start < pages; start += 1000 {
		var puts []store.Put
		for i := start; i < min(pages, start+1000); i++ {
			var body strings.Builder
			for section := range 4 {
				fmt.Fprintf(&body, "## %s %s\n\n", word(), word())
				for range 60 + section {
					body.WriteString(word() + " ")
				}
				body.WriteString("\n\n")
			}
			title := word() + " " + word() + " " + strconv.Itoa(i)
			puts = append(puts, store.Put{Entry: page(id.New("page"), "", positions[i], title),
				Body: []byte(body.String())})
		}
		w.put(space, puts...)
	}
	return space
}

// madeUp is the word with a number: short for low ones.
func madeUp(number uint64) string {
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	if number < uint64(len(vowels)) {
		return vowels[number : number+1] // as the single letters of a language
	}
	var text []byte
	for ; number > 0; number /= uint64(len(consonants) * len(vowels)) {
		pair := number % uint64(len(consonants)*len(vowels))
		text = append(text, consonants[pair/uint64(len(vowels))], vowels[pair%uint64(len(vowels))])
	}
	return string(text)
}

// worst are queries that cost the most: letters and beginnings that many words have, many words, and long ones with
// typos.
func worst() map[string]string {
	var all []string
	for number := range uint64(16) {
		all = append(all, madeUp(5+number))
	}
	long := make([]string, 0, 16)
	for i := range 16 {
		long = append(long, strings.Repeat(madeUp(uint64(4000+i)), 3))
	}
	return map[string]string{
		"a letter": "a", "a consonant": "b", "two letters": "be", "beginnings": "b c d f",
		"frequent words": strings.Join(all, " "), "long words": strings.Join(long, " "),
		"typos": "baceda bicide bocude bucado", "near words": "bababe becebi bidubo bobube",
		"a very long word": strings.Repeat("bace", 50), "signs": "b-a-c-e-d", "usual": madeUp(4321) + " " + madeUp(700),
	}
}

// BenchmarkWorstQueries measures what searches of 16,000 pages cost when nothing is kept of earlier ones.
func BenchmarkWorstQueries(b *testing.B) {
	pages := 16_000
	if given, err := strconv.Atoi(os.Getenv("RECTO_BENCH_PAGES")); err == nil {
		pages = given
	}
	w := newWorld(b, dbtest.SQLite(b))
	space := w.generated(pages)
	for deadline := time.Now().Add(10 * time.Minute); ; time.Sleep(time.Second) {
		found, err := w.search.Search(b.Context(), search.Query{Spaces: []id.Space{space}, Text: "warm", Limit: 1})
		if err != nil {
			b.Fatal(err)
		}
		if !found.Incomplete {
			break
		}
		if time.Now().After(deadline) {
			b.Fatal("the index is not built")
		}
	}
	for name, text := range worst() {
		b.Run(name, func(b *testing.B) {
			total := 0
			for i := 0; b.Loop(); i++ {
				found, err := w.search.Search(b.Context(), search.Query{Spaces: []id.Space{space},
					Text: text + strings.Repeat(" ", i%1000), Published: true, Limit: 8})
				if err != nil {
					b.Fatal(err)
				}
				total = found.Total
			}
			b.ReportMetric(float64(total), "found")
		})
	}
}

// BenchmarkLargeIndex measures searches of 100,000 made-up pages, first in peace, then while pages are being added, and
// says how much memory the process has. Garbage is collected as seldom as in the program. RECTO_BENCH_PAGES makes it
// another number of pages, and RECTO_BENCH_DIR keeps the index in a folder, for the next run.
func BenchmarkLargeIndex(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(200))
	pages := 100_000
	if given, err := strconv.Atoi(os.Getenv("RECTO_BENCH_PAGES")); err == nil {
		pages = given
	}
	index, err := search.OpenGenerated(filepath.Join(cmp.Or(os.Getenv("RECTO_BENCH_DIR"), b.TempDir()), "index"))
	if err != nil {
		b.Fatal(err)
	}
	words := func(seed uint64) (*rand.Rand, func() string) {
		random := rand.New(rand.NewPCG(1, seed))
		frequent := rand.NewZipf(random, 1.1, 4, 60_000)
		return random, func() string { return madeUp(frequent.Uint64()) }
	}
	random, word := words(1)
	_, written := words(2)
	add := func(count int) {
		word := written
		made := make([][]string, count)
		for i := range made {
			made[i] = []string{word() + " " + word()}
			for range 4 {
				var text strings.Builder
				fmt.Fprintf(&text, "%s %s\n", word(), word())
				for range 60 {
					text.WriteString(word() + " ")
				}
				made[i] = append(made[i], text.String())
			}
		}
		if err := index.Add(made); err != nil {
			b.Fatal(err)
		}
	}
	for index.Pages() < pages {
		add(1000)
	}
	typo := func() string {
		letters := []byte(word() + word())
		at := random.IntN(len(letters) - 1)
		letters[at], letters[at+1] = letters[at+1], letters[at]
		return string(letters)
	}
	kinds := map[string]func() string{
		"word": func() string { return word() + " " }, "two words": func() string { return word() + " " + word() },
		"five words":    func() string { return strings.Join([]string{word(), word(), word(), word(), word()}, " ") },
		"three letters": func() string { return (word() + "bac")[:3] }, "misspelt": typo,
	}
	for _, importing := range []bool{false, true} {
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for importing {
				select {
				case <-stop:
					return
				default:
					add(segments.Many)
				}
			}
		}()
		for _, name := range slices.Sorted(maps.Keys(kinds)) {
			b.Run(fmt.Sprintf("importing=%t/%s", importing, name), func(b *testing.B) {
				// Of its own thread, the processor's time is known: the clock says little on a busy machine.
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				var took, spent []time.Duration
				began, held := time.Now(), index.Pages()
				for b.Loop() {
					text := kinds[name]()
					start, before := time.Now(), processorTime(b)
					if _, err := index.Find(b.Context(), text); err != nil {
						b.Fatal(err)
					}
					took, spent = append(took, time.Since(start)), append(spent, processorTime(b)-before)
				}
				for unit, times := range map[string][]time.Duration{"": took, "cpu-": spent} {
					slices.Sort(times)
					b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-"+unit+"ms")
					b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-"+unit+"ms")
				}
				b.ReportMetric(float64(index.Pages()-held)/time.Since(began).Seconds(), "added/s")
				b.ReportMetric(resident(b, "VmRSS"), "resident-MB")
				b.ReportMetric(resident(b, "RssAnon"), "own-MB")
			})
		}
		close(stop)
		<-done
	}
	if err := index.Close(); err != nil {
		b.Fatal(err)
	}
}

// processorTime is how long this thread has worked.
func processorTime(b *testing.B) time.Duration {
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at); err != nil {
		b.Fatal(err)
	}
	return time.Duration(at.Nano())
}

// resident is how much memory the process has now: VmRSS with the pages of the index that the system keeps for it and
// takes back when it needs them, RssAnon without these.
func resident(b *testing.B, which string) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if name, value, _ := strings.Cut(line, ":"); name == which {
			kilobytes, err := strconv.ParseFloat(strings.Fields(value)[0], 64)
			if err != nil {
				b.Fatal(err)
			}
			return kilobytes / 1024
		}
	}
	b.Fatalf("the system does not say %s", which)
	return 0
}
