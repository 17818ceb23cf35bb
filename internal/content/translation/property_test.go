package translation_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/segment"
)

// translatedBlock is what a block of the source and its translation ought to be.
type translatedBlock struct {
	text, target string // the target is "" while the source text shows
	state        segment.State
}

// TestVariantsFollowAnything edits a source at random, translates at random and merges now and then, and holds the
// texts and states that the service tells against a model: no translation is lost unless its source has changed or
// gone.
func TestVariantsFollowAnything(t *testing.T) {
	each(t, func(f *fixture) {
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 28))
			v := &following{random: r, page: pageID("123" + strconv.FormatUint(seed, 10))}
			v.begin(f)
			for step := range 14 {
				v.step(step)
				v.compare(seed, step)
			}
		}
	})
}

type following struct {
	variant
	random *rand.Rand
	blocks []translatedBlock
	words  int
	page   string
}

func (f *following) sentence() string {
	f.words++
	var words []string
	for i := range 6 {
		words = append(words, fmt.Sprintf("w%dx%d", f.words, i))
	}
	return strings.Join(words, " ") + fmt.Sprintf(" [link](https://example.com/%d) and `code%d`.", f.words, f.words)
}

func (f *following) source() string {
	var b strings.Builder
	for _, block := range f.blocks {
		b.WriteString(block.text + "\n\n")
	}
	return b.String()
}

func (f *following) begin(in *fixture) {
	for range 5 {
		f.blocks = append(f.blocks, translatedBlock{text: f.sentence(), state: segment.Missing})
	}
	f.variant = in.translate(in.document(f.name(), f.source()))
}

// name is the title that gives the page its id. It has no words, so that it is no text to translate.
func (f *following) name() string { return strings.TrimPrefix(f.page, "page_") }

func (f *following) step(step int) {
	f.Helper()
	switch now := f.followed(); f.random.IntN(6) {
	case 0, 1:
		f.editSource(step)
	case 2, 3:
		f.translateOne(step)
	case 4:
		if now.ChangeRequest != "" {
			f.merge(now)
		}
	case 5:
		// Asking again changes nothing.
		f.follow()
	}
}

func (f *following) editSource(step int) {
	f.Helper()
	for range 1 + f.random.IntN(2) {
		at := f.random.IntN(len(f.blocks))
		switch kind := f.random.IntN(4); {
		case kind == 0 || len(f.blocks) < 2:
			f.blocks = slices.Insert(f.blocks, at, translatedBlock{text: f.sentence(), state: segment.Missing})
		case kind == 1:
			f.blocks = slices.Delete(f.blocks, at, at+1)
		case kind == 2:
			moved := f.blocks[at]
			f.blocks = slices.Delete(f.blocks, at, at+1)
			f.blocks = slices.Insert(f.blocks, f.random.IntN(len(f.blocks)+1), moved)
		default:
			block := &f.blocks[at]
			fields := strings.Fields(block.text)
			fields[f.random.IntN(6)] = fmt.Sprintf("c%d", step)
			block.text = strings.Join(fields, " ")
			if block.target != "" {
				block.state = segment.Stale
			}
		}
	}
	f.write(f.variant.source, "", f.name(), f.source())
}

// translateOne translates a block.
func (f *following) translateOne(step int) {
	f.Helper()
	segments := f.segments(f.page)
	at := f.random.IntN(len(segments))
	target := fmt.Sprintf("Übersetzung %d.%d <2/> mit <1>Verweis</1>.", step, f.random.IntN(1000))
	f.put(segments[at].ID, target)
	f.blocks[at].target, f.blocks[at].state = target, segment.Translated
}

func (f *following) compare(seed uint64, step int) {
	f.Helper()
	counts := f.followed().Counts
	segments := f.segments(f.page)
	if len(segments) != len(f.blocks) {
		f.Fatalf("seed %d step %d: %d segments of %d blocks", seed, step, len(segments), len(f.blocks))
	}
	want := map[segment.State]int{}
	for i, one := range segments {
		block := f.blocks[i]
		want[block.state]++
		if one.State != block.state || block.target != "" && wordsOf(one.Target) != wordsOf(block.target) ||
			block.target == "" && one.Target != one.Source.Text {
			f.Fatalf("seed %d step %d: %q is %s with %q, want %s with %q", seed, step, one.Source.Text, one.State,
				one.Target, block.state, block.target)
		}
	}
	if counts.Translated != want[segment.Translated] || counts.Stale != want[segment.Stale] ||
		counts.Missing != want[segment.Missing] {
		f.Fatalf("seed %d step %d: counts are %+v, want %v", seed, step, counts, want)
	}
}

var placeholderPattern = regexp.MustCompile(`</?\d+/?>`)

// wordsOf is a translation without the numbers of its placeholders: a stale one may have those of an earlier source.
func wordsOf(target string) string { return placeholderPattern.ReplaceAllString(target, "<>") }
