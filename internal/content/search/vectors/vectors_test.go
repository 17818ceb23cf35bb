package vectors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/platform/embedding"
)

func cases(t *testing.T) int {
	t.Helper()
	return propertytest.Cases(t, 2000, 1)
}

// TestCutLosesNothing holds that the passages of any document have all of its words in order, say what they belong to,
// are of a bounded length, and end between characters.
func TestCutLosesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"word", "Wörter", "所有権", " ", "\n", ". ", "a", strings.Repeat("x", 300),
		strings.Repeat("é", 900)}
	made := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	for range max(2000, cases(t)/5) {
		title := made(4)
		sections := make([]Section, random.IntN(4))
		for i := range sections {
			sections[i] = Section{made(4), made(40)}
		}
		passages := Cut(title, sections)
		words := func(text string) string { return strings.Join(strings.Fields(text), "") }
		got := make([]string, len(sections))
		for _, passage := range passages {
			if !utf8.ValidString(passage.Text) || len(passage.Text) > passageBytes+2*headingBytes+2 {
				t.Fatalf("a passage of %d bytes: %q", len(passage.Text), passage.Text)
			}
			heading := shortened(title)
			if own := sections[passage.Section].Heading; own != "" && own != heading {
				heading = strings.TrimSpace(heading + "\n" + shortened(own))
			}
			rest, ok := strings.CutPrefix(passage.Text, heading)
			if !ok {
				t.Fatalf("%q does not begin with %q", passage.Text, heading)
			}
			got[passage.Section] += words(rest)
		}
		if len(passages) == maxPassages {
			continue
		}
		for i, section := range sections {
			if want := words(section.Text); got[i] != want {
				t.Fatalf("section %d has %q, want %q", i, got[i], want)
			}
		}
	}
}

// TestCut holds what passages look like.
func TestCut(t *testing.T) {
	got := Cut("Title", []Section{{"", "Summary."}, {"", "Before."}, {"One", ""}, {"Two", "Text."}})
	want := []Passage{{0, "Title\nSummary."}, {1, "Title\nBefore."}, {2, "Title\nOne"}, {3, "Title\nTwo\nText."}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Cut("Title", []Section{{"", ""}}); !slices.Equal(got, []Passage{{0, "Title"}}) {
		t.Errorf("an empty page has %v", got)
	}
	if got := Cut("", []Section{{"", " \n"}}); len(got) != 0 {
		t.Errorf("nothing has %v", got)
	}
	if got := Cut("Title", []Section{{"", strings.Repeat("word ", 200_000)}}); len(got) != maxPassages {
		t.Errorf("a very long page has %d passages", len(got))
	}
}

// randomVector returns numbers that have a direction.
func randomVector(random *rand.Rand, dimensions int) []float32 {
	numbers := make([]float32, dimensions)
	for i := range numbers {
		numbers[i] = float32(random.NormFloat64() * math.Exp2(float64(random.IntN(3))))
	}
	return numbers
}

func cosine(a, b []float32) float64 {
	dot, first, second := 0.0, 0.0, 0.0
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		first += float64(a[i]) * float64(a[i])
		second += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(first*second)
}

// TestSimilarityIsThatOfTheNumbers holds that a byte for each dimension is enough.
func TestSimilarityIsThatOfTheNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range cases(t) / 10 {
		dimensions := 1 + random.IntN(400)
		a, b := randomVector(random, dimensions), randomVector(random, dimensions)
		if got, want := similarity(quantised(a), quantised(b)), cosine(a, b); math.Abs(float64(got)-want) > 0.02 {
			t.Fatalf("%d dimensions: %v, want %v", dimensions, got, want)
		}
	}
	if huge := quantised([]float32{3e38, 3e38}); similarity(huge, huge) < 0.99 {
		t.Errorf("of huge numbers: %v", similarity(huge, huge))
	}
}

// add adds made-up vectors with the hashes of some names.
func add(t *testing.T, s *set, random *rand.Rand, dimensions int, names ...string) {
	t.Helper()
	var hashes []Hash
	var vectors []Vector
	for _, name := range names {
		hashes = append(hashes, hashOf(name))
		vectors = append(vectors, quantised(randomVector(random, dimensions)))
	}
	if err := s.add(hashes, vectors); err != nil {
		t.Fatal(err)
	}
}

// TestSetsOutliveTheProcess holds that vectors are read again as they were, that what was written by halves or damaged
// is left out and written again, and that another model finds nothing.
func TestSetsOutliveTheProcess(t *testing.T) {
	path, random := filepath.Join(t.TempDir(), "vectors", "space_x"), rand.New(rand.NewPCG(5, 6))
	open := func(model string) *set {
		t.Helper()
		s, err := openSet(path, model)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := open("m")
	add(t, first, random, 24, "a", "b", "c")
	add(t, first, random, 24, "c", "d") // c is known
	again := open("m")
	if again.len() != 4 {
		t.Fatalf("%d vectors are read again", again.len())
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		one, _ := first.now().at(first.row(hashOf(name)))
		other, ok := again.now().at(again.row(hashOf(name)))
		if !ok || !slices.Equal(one.bytes, other.bytes) || one.scale != other.scale {
			t.Errorf("%s was %v and is %v", name, one, other)
		}
	}
	if err := again.add([]Hash{hashOf("e")}, []Vector{quantised([]float32{1, 2})}); !errors.Is(err, errDimensions) {
		t.Errorf("other dimensions: %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	record := recordRest + 24
	for length := range len(whole) {
		if err := os.WriteFile(path, whole[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		torn := open("m")
		if want := max(0, (length-headBytes)/record); length >= headBytes && torn.len() != want ||
			length < headBytes && torn.len() != 0 {
			t.Fatalf("of %d bytes are read %d vectors", length, torn.len())
		}
		add(t, torn, random, 24, "z")
		if after := open("m"); after.len() != torn.len() || after.row(hashOf("z")) < 0 {
			t.Fatalf("after %d bytes and another vector are read %d, want %d", length, after.len(), torn.len())
		}
	}
	for range 200 {
		damaged := slices.Clone(whole)
		at := random.IntN(len(damaged))
		damaged[at] ^= 1 << random.IntN(8)
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		held := open("m")
		for _, name := range []string{"a", "b", "c", "d"} {
			row := held.row(hashOf(name))
			if row < 0 {
				continue
			}
			one, _ := first.now().at(first.row(hashOf(name)))
			other, _ := held.now().at(row)
			if !slices.Equal(one.bytes, other.bytes) || one.scale != other.scale {
				t.Fatalf("with byte %d damaged, %s is another vector", at, name)
			}
		}
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if other := open("another"); other.len() != 0 {
		t.Errorf("another model has %d vectors", other.len())
	}
	if back := open("m"); back.len() != 0 {
		t.Errorf("the vectors of a model that was left are there: %d", back.len())
	}
}

// page is a document of pieces made for tests.
type madePage struct {
	texts         []string
	gone, private bool
}

type madePiece struct {
	number uint64
	pages  []madePage
}

func (p madePiece) Number() uint64    { return p.number }
func (p madePiece) Count() int        { return len(p.pages) }
func (p madePiece) Lives(at int) bool { return !p.pages[at].gone }

func (p madePiece) MaySend(at int) bool { return !p.pages[at].private }

func (p madePiece) Passages(at int) ([]Passage, error) {
	var passages []Passage
	for i, text := range p.pages[at].texts {
		passages = append(passages, Passage{i, text})
	}
	return passages, nil
}

// model embeds texts by their letters; fails may refuse some.
type model struct {
	mu    sync.Mutex
	name  string
	sent  []string
	fails func(texts []string) error
	wide  int
}

func (m *model) Name() string { return m.name }

func (m *model) Model() string { return m.name }

func (m *model) Embed(ctx context.Context, purpose embedding.Purpose, texts []string,
	_ time.Duration) ([][]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if purpose == embedding.Passage && texts[0] != references[0] {
		m.sent = append(m.sent, texts...)
	}
	if m.fails != nil && texts[0] != references[0] {
		if err := m.fails(texts); err != nil {
			return nil, err
		}
	}
	return letters(m.wide, texts), ctx.Err()
}

func letters(wide int, texts []string) [][]float32 {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float32, max(wide, 26))
		vectors[i][0] = 0.1
		for _, r := range strings.ToLower(text) {
			if r >= 'a' && r <= 'z' {
				vectors[i][r-'a']++
			}
		}
	}
	return vectors
}

func started(t *testing.T, m *model) *Service {
	t.Helper()
	k := New(Deps{Embedder: m, Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler), Wait: 5 * time.Second,
		Pause: 30 * time.Millisecond})
	t.Cleanup(k.Close)
	return k
}

// work does all that there is to do.
func work(t *testing.T, s *Space, pieces ...Piece) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.Work(t.Context(), pieces); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNearestIsThatOfAllVectors holds that what is found is what comparing every passage finds, for any pieces and any
// documents that are allowed.
func TestNearestIsThatOfAllVectors(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range max(20, cases(t)/500) {
		m := &model{name: "m"}
		k := started(t, m)
		space := k.Space("space_x")
		var pieces []Piece
		for number := range 1 + random.IntN(3) {
			piece := madePiece{number: uint64(number)}
			for range random.IntN(30) {
				one := madePage{gone: random.IntN(5) == 0, private: random.IntN(5) == 0}
				for range 1 + random.IntN(4) {
					text := words(random, 6)
					if one.private {
						text += " private"
					}
					one.texts = append(one.texts, text)
				}
				piece.pages = append(piece.pages, one)
			}
			pieces = append(pieces, piece)
		}
		work(t, space, pieces...)
		if len(pieces) == 0 || !space.Some() {
			continue
		}
		asked := words(random, 4)
		query, ok := k.Query(t.Context(), asked)
		if !ok {
			t.Fatalf("%q has no vector", asked)
		}
		vector := letters(0, []string{asked})[0]
		known := map[string]bool{}
		for _, text := range m.sent {
			if strings.Contains(text, "private") {
				t.Fatalf("%q was sent", text)
			}
			if known[text] {
				t.Fatalf("%q was sent twice", text)
			}
			known[text] = true
		}
		for _, each := range pieces {
			piece := each.(madePiece)
			allowed := func(document uint32) bool { return document%3 != 0 && !piece.pages[document].gone }
			got := map[uint32]Found{}
			if err := space.Nearest(piece, query, allowed, func(f Found) { got[f.Document] = f }); err != nil {
				t.Fatal(err)
			}
			for at, one := range piece.pages {
				best := -1.0
				for _, text := range one.texts {
					if known[text] {
						best = max(best, cosine(vector, letters(0, []string{text})[0]))
					}
				}
				found, ok := got[uint32(at)]
				if want := best >= 0 && allowed(uint32(at)); ok != want ||
					ok && (math.Abs(float64(found.Similarity)-best) > 0.03 || found.Section >= len(one.texts)) {
					t.Fatalf("document %d is found: %t %+v, want %t %v", at, ok, found, want, best)
				}
				if !one.private && !one.gone {
					for _, text := range one.texts {
						if !known[text] {
							t.Fatalf("%q has no vector", text)
						}
					}
				}
			}
		}
	}
}

func words(random *rand.Rand, most int) string {
	var text []string
	for range 1 + random.IntN(most) {
		text = append(text, strings.Repeat(string(rune('a'+random.IntN(26))), 1+random.IntN(3)))
	}
	return strings.Join(text, " ") + " xyz"
}

// TestTextsThatAreRefusedGoWithout holds that a text which the endpoint does not take keeps no other from its vector,
// and is not sent again and again; and that one which refuses all texts is taken for one that fails.
func TestTextsThatAreRefusedGoWithout(t *testing.T) {
	m := &model{name: "m", fails: func(texts []string) error {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "bad") }) {
			return errs.New(errs.Invalid, "refused")
		}
		return nil
	}}
	k := started(t, m)
	space := k.Space("space_x")
	piece := madePiece{pages: []madePage{{texts: []string{"one", "bad", "two"}}, {texts: []string{"three"}}}}
	work(t, space, piece)
	if space.set.len() != 3 || space.Wants([]uint64{0}) {
		t.Errorf("%d have vectors", space.set.len())
	}
	m.sent = nil
	work(t, space, piece)
	if len(m.sent) > 0 {
		t.Errorf("sent again: %q", m.sent)
	}

	m.fails = func([]string) error { return errs.New(errs.Invalid, "refused") }
	other := k.Space("space_y")
	work(t, other, piece)
	m.fails = nil
	time.Sleep(50 * time.Millisecond)
	if !other.Wants([]uint64{0}) {
		t.Error("what was refused as a whole is given up")
	}
	work(t, other, piece)
	if other.set.len() != 4 {
		t.Errorf("afterwards %d have vectors", other.set.len())
	}
}

// TestVectorsThatNothingUsesGo holds that the vectors of texts that are no more leave the file when they are most, and
// that the others stay.
func TestVectorsThatNothingUsesGo(t *testing.T) {
	m := &model{name: "m"}
	k := started(t, m)
	space := k.Space("space_x")
	many := madePiece{number: 1}
	for i := range 2 * spare {
		many.pages = append(many.pages, madePage{texts: []string{fmt.Sprintf("text %x", i)}})
	}
	few := madePiece{number: 2, pages: many.pages[:100]}
	work(t, space, many)
	if space.set.len() != 2*spare {
		t.Fatalf("%d vectors", space.set.len())
	}
	m.sent = nil
	work(t, space, few)
	again, err := openSet(k.path("space_x"), "m")
	if err != nil || again.len() != 100 || space.set.len() != 100 || len(m.sent) > 0 {
		t.Errorf("%d are left, %d in the file, %d were sent, %v", space.set.len(), again.len(), len(m.sent), err)
	}
	query, ok := k.Query(t.Context(), "text 1")
	found := 0
	err = space.Nearest(few, query, func(uint32) bool { return true }, func(Found) { found++ })
	if !ok || err != nil || found != 100 {
		t.Errorf("%d are found, %t, %v", found, ok, err)
	}
}

// TestQueriesAreBounded holds that short queries are not sent, that the same one is sent once, and that no more are
// sent than may be.
func TestQueriesAreBounded(t *testing.T) {
	asked := map[string]int{}
	m := &model{name: "m", fails: func(texts []string) error {
		asked[texts[0]]++
		return nil
	}}
	k := started(t, m)
	if _, ok := k.Query(t.Context(), "before anything is known"); ok || len(asked) > 0 {
		t.Errorf("before the model is known: %v", asked)
	}
	if err := k.learn(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "ab", "所有", "  a  "} {
		if _, ok := k.Query(t.Context(), text); ok {
			t.Errorf("%q was sent", text)
		}
	}
	for range 5 {
		if query, ok := k.Query(t.Context(), "the  same "); !ok || query.Near <= 0 || query.Near >= 1 {
			t.Errorf("the same: %+v, %t", query.Near, ok)
		}
	}
	if asked["the same"] != 1 || len(asked) != 1 {
		t.Errorf("asked %v", asked)
	}
	answered := 0
	for i := range 200 {
		if _, ok := k.Query(t.Context(), fmt.Sprintf("query %d", i)); ok {
			answered++
		}
	}
	if answered < queriesInARow-1 || answered > queriesInARow+queriesEachSecond*5 {
		t.Errorf("%d of 200 in a row were answered", answered)
	}
}

// TestRoundsTakeTurns holds that work of one name is done once at a time, in turn with that of others, and ends with
// the service.
func TestRoundsTakeTurns(t *testing.T) {
	k := started(t, &model{name: "m"})
	var mu sync.Mutex
	var order []string
	done := make(chan struct{})
	round := func(name string, times int) func(context.Context) bool {
		return func(context.Context) bool {
			mu.Lock()
			defer mu.Unlock()
			if order = append(order, name); len(order) == 6 {
				close(done)
			}
			times--
			return times > 0
		}
	}
	hold := make(chan struct{})
	k.Enqueue("first", func(context.Context) bool { <-hold; return false })
	for range 3 {
		k.Enqueue("a", round("a", 4))
		k.Enqueue("b", round("b", 2))
	}
	close(hold)
	<-done
	mu.Lock()
	got := strings.Join(order, "")
	mu.Unlock()
	if got != "ababaa" {
		t.Errorf("the order is %s", got)
	}
	k.Close()
	k.Enqueue("late", func(context.Context) bool { t.Error("work after the end"); return false })
}

// BenchmarkNearest measures finding the nearest of some passages of 384 dimensions.
func BenchmarkNearest(b *testing.B) {
	for _, passages := range []int{10_000, 100_000, 500_000} {
		b.Run(strconv.Itoa(passages), func(b *testing.B) {
			random := rand.New(rand.NewPCG(9, 10))
			vectors := &set{path: filepath.Join(b.TempDir(), "x"), rows: map[Hash]int32{}, dimensions: 384}
			t := &table{set: vectors}
			kinds := make([]Vector, 997)
			for i := range kinds {
				kinds[i] = quantised(randomVector(random, 384))
			}
			rows := make([]int32, passages)
			for i := range passages {
				vectors.keep(hashOf(strconv.Itoa(i)), kinds[i%len(kinds)])
				t.entries = append(t.entries, entry{uint32(i / 5), uint32(i % 5)})
				rows[i] = int32(i)
			}
			t.setRows(rows)
			query := quantised(randomVector(random, 384))
			b.ReportAllocs()
			for b.Loop() {
				best := float32(0)
				t.scan(query, func(uint32) bool { return true }, func(f Found) { best = max(best, f.Similarity) })
			}
		})
	}
}
