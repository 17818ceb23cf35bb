package app_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// translatedBlock is what a block of the source and its translation ought to be.
type translatedBlock struct {
	text, target string // the target is "" while the source text shows
	state        string
}

// TestVariantsFollowAnything edits a source at random, translates at random and merges now and then, and holds the
// texts and states that the server tells against a model: no translation is lost unless its source has changed or gone.
func TestVariantsFollowAnything(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 28))
			f := &following{server: s, random: r}
			f.begin(seed)
			for step := range 14 {
				f.step(step)
				f.compare(seed, step)
			}
		}
	})
}

type following struct {
	*server
	random *rand.Rand
	blocks []translatedBlock

	words   int
	space   string
	page    string
	at      string
	variant string
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

func (f *following) begin(seed uint64) {
	f.t.Helper()
	for range 5 {
		f.blocks = append(f.blocks, translatedBlock{text: f.sentence(), state: "missing"})
	}
	space, pages := f.documented(fmt.Sprintf("Random %d", seed), map[string]string{"123": f.source()})
	f.space, f.page = space, pages["123"]
	all := "/v1/orgs/" + f.organization + "/translations"
	var made translationSettings
	f.call(http.MethodPost, all, map[string]any{"source": map[string]any{"space": space, "language": "en"},
		"languages": []string{"de"}}, http.StatusCreated, &made)
	f.at = all + "/" + made.ID + "/languages/de"
	f.variant = f.followed(f.at).Space
}

func (f *following) step(step int) {
	f.t.Helper()
	switch now := f.followed(f.at); f.random.IntN(6) {
	case 0, 1:
		f.editSource(step)
	case 2, 3:
		f.translateOne(step)
	case 4:
		if now.ChangeRequest != "" {
			f.call(http.MethodPost, "/v1/spaces/"+f.variant+"/change-requests/"+now.ChangeRequest+"/merge", nil,
				http.StatusOK, nil)
		}
	case 5:
		// Asking again changes nothing.
		f.call(http.MethodPost, f.at+"/follow", nil, http.StatusAccepted, nil)
	}
}

func (f *following) editSource(step int) {
	f.t.Helper()
	for range 1 + f.random.IntN(2) {
		at := f.random.IntN(len(f.blocks))
		switch kind := f.random.IntN(4); {
		case kind == 0 || len(f.blocks) < 2:
			f.blocks = slices.Insert(f.blocks, at, translatedBlock{text: f.sentence(), state: "missing"})
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
				block.state = "stale"
			}
		}
	}
	f.edit(f.space, f.page, f.source())
}

// translateOne translates a block through the API.
func (f *following) translateOne(step int) {
	f.t.Helper()
	segments := f.segments(f.at, "?pageId="+f.page)
	at := f.random.IntN(len(segments))
	target := fmt.Sprintf("Übersetzung %d.%d <2/> mit <1>Verweis</1>.", step, f.random.IntN(1000))
	f.call(http.MethodPut, f.at+"/segments/"+segments[at].ID, map[string]any{"target": target}, http.StatusOK, nil)
	f.blocks[at].target, f.blocks[at].state = target, "translated"
}

func (f *following) compare(seed uint64, step int) {
	f.t.Helper()
	counts := f.followed(f.at).Counts
	segments := f.segments(f.at, "?pageId="+f.page)
	if len(segments) != len(f.blocks) {
		f.t.Fatalf("seed %d step %d: %d segments of %d blocks", seed, step, len(segments), len(f.blocks))
	}
	want := map[string]int{}
	for i, one := range segments {
		block := f.blocks[i]
		want[block.state]++
		if one.State != block.state || block.target != "" && wordsOf(one.Target) != wordsOf(block.target) ||
			block.target == "" && one.Target != one.Source {
			f.t.Fatalf("seed %d step %d: %q is %s with %q, want %s with %q", seed, step, one.Source, one.State,
				one.Target, block.state, block.target)
		}
	}
	if counts.Translated != want["translated"] || counts.Stale != want["stale"] || counts.Missing != want["missing"] {
		f.t.Fatalf("seed %d step %d: counts are %+v, want %v", seed, step, counts, want)
	}
}

// wordsOf is a translation without the numbers of its placeholders: a stale one may have those of an earlier source.
func wordsOf(target string) string { return placeholderPattern.ReplaceAllString(target, "<>") }
