package segment_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/segment"
)

var placeholders = regexp.MustCompile(`</?\d+/?>|&\w+;`)

// pseudo is a reversible translation: the letters of A to Z change their case, placeholders stay.
func pseudo(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		next := placeholders.FindStringIndex(text[at:])
		end := len(text)
		if next != nil {
			end = at + next[0]
		}
		for _, r := range text[at:end] {
			switch {
			case r < 0x80 && unicode.IsUpper(r):
				r = unicode.ToLower(r)
			case r < 0x80:
				r = unicode.ToUpper(r)
			}
			b.WriteRune(r)
		}
		if next == nil {
			break
		}
		b.WriteString(text[end : at+next[1]])
		at += next[1]
	}
	return b.String()
}

func body(t *testing.T, text string) *segment.Body {
	t.Helper()
	b, err := segment.ReadBody([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const everything = `## Getting *started* <code class="expression">space.vars.name</code>

See [the **guide**](guide.md#a) and ` + "`go build`" + ` & <kbd>x</kbd> a < b ![Alt text](i.png) :smile:.

* One
* Two
  1. Deep

| Name | What |
| ---- | ---- |
| a *b* | c |

{% hint style="info" %}
Careful[^1].
{% endhint %}

{% tabs %}
{% tab title="First" %}
Inside.
{% endtab %}
{% endtabs %}

<details><summary>More</summary>

Hidden.

</details>

<figure><img src="a.png" alt="A picture"><figcaption><p>Caption</p></figcaption></figure>

<a href="x.md" class="button primary">Press me</a>

` + "```go\nfunc main() {}\n```" + `

[^1]: A note.
`

func TestUnitsShowWhatIsTranslated(t *testing.T) {
	b := body(t, everything)
	var got []string
	for _, unit := range b.Units {
		got = append(got, unit.Kind+": "+unit.Text)
	}
	want := []string{
		"heading-1: Getting <1>started</1> <2/>",
		"paragraph: See <1>the <2>guide</2></1> and <3/> &amp; <4/> a &lt; b <5>Alt text</5> <6/>.",
		"paragraph: One", "paragraph: Two", "paragraph: Deep",
		"column-title: Name", "column-title: What", "paragraph: a <1>b</1>", "paragraph: c",
		"paragraph: <1>Careful</1>.", "paragraph: A note.",
		"tab-title: First", "paragraph: Inside.", "paragraph: More", "paragraph: Hidden.",
		"image-alt: A picture", "paragraph: Caption", "paragraph: <1>Press me</1>",
	}
	if !slices.Equal(got, want) {
		t.Errorf("units:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	before, after := b.Units[1].Markdown(1)
	if before != "[" || after != "](guide.md#a)" {
		t.Errorf("a link is %q … %q", before, after)
	}
	if before, _ := b.Units[1].Markdown(3); before != "`go build`" {
		t.Errorf("code is %q", before)
	}
}

// TestFormattedTitlesAreTranslatedOnce takes a column's title with its links, not once more as a word.
func TestFormattedTitlesAreTranslatedOnce(t *testing.T) {
	source := body(t, "| Name | [Guide](a.md) | ![Sketch](b.png) |\n| --- | --- | --- |\n| c | d | e |\n")
	var got []string
	for _, unit := range source.Units {
		got = append(got, unit.Kind+": "+unit.Text)
	}
	want := []string{"column-title: Name", "column-title: <1>Guide</1>", "column-title: <1>Sketch</1>", "paragraph: c",
		"paragraph: d", "paragraph: e"}
	if !slices.Equal(got, want) {
		t.Errorf("units %q, want %q", got, want)
	}
	there := translated(t, source, source, segment.NewMemory(nil), pseudo)
	for _, kept := range []string{"[gUIDE](a.md)", "nAME", "b.png"} {
		if !strings.Contains(string(there.Markdown), kept) {
			t.Errorf("%s is not in\n%s", kept, there.Markdown)
		}
	}
}

// TestTranslationComesBack translates everything and back.
func TestTranslationComesBack(t *testing.T) {
	source := body(t, everything)
	there := translated(t, source, source, segment.NewMemory(nil), pseudo)
	if strings.Contains(string(there.Markdown), "Hidden") || !strings.Contains(string(there.Markdown), "hIDDEN") {
		t.Fatalf("not translated:\n%s", there.Markdown)
	}
	for _, untouched := range []string{"func main() {}", "guide.md#a", "`go build`",
		`<code class="expression">space.vars.name</code>`, `id="getting-started`, "x.md"} {
		if !strings.Contains(string(there.Markdown), untouched) {
			t.Errorf("%s is gone:\n%s", untouched, there.Markdown)
		}
	}
	back := translated(t, source, there, segment.NewMemory(nil), func(string) string { return "" })
	// Headings keep the anchor that they were given; all else is as it was.
	undone := regexp.MustCompile(` <a href="#[^"]*" id="[^"]*"></a>`).ReplaceAllString(string(back.Markdown), "")
	if !doc.Equal(body(t, undone).Document, source.Document) {
		t.Errorf("came back as:\n%s", back.Markdown)
	}
}

// translated gives every unit of a source a translation in the target, "" being the source text.
func translated(t *testing.T, source, target *segment.Body, m *segment.Memory,
	translate func(string) string) *segment.Body {
	t.Helper()
	a := source.Align(target, m)
	contents := map[int]segment.Content{}
	for i, unit := range source.Units {
		text := translate(unit.Text)
		if text == "" {
			text = unit.Text
		}
		if err := unit.Check(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		contents[i] = unit.Translated(text)
	}
	text, homeless := segment.Translate(source, target, a, contents)
	if len(homeless) > 0 {
		t.Fatalf("no place for %v", homeless)
	}
	return body(t, string(text))
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	c := body(t, "See [a](b.md) and `c`.").Units[0].Content
	for text, want := range map[string]string{
		"<1>x</1> <2/>":        "",
		"<2/> <1>x</1> 1 < 2":  "",
		"<1>x</1>":             "<2/> is missing",
		"<2/>":                 "<1> is missing",
		"<1>x</1><1>x</1><2/>": "twice",
		"<1>x<2/>":             "not closed",
		"</1><1>x<2/>":         "opened last",
		"<1/><2/>":             "stands around text",
		"<1>a</1><2>b</2>":     "stands for itself",
		"<1>a</1><2/><3/>":     "only 2",
	} {
		err := c.Check(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestStatesFollowTheSource(t *testing.T) {
	m := segment.NewMemory(nil)
	first := body(t, "# x\n\nOne two three four.\n\nAlpha beta gamma.\n\nLast words here.\n")
	first.Absorb(first, m, nil)
	german := body(t, "# x\n\nEins zwei drei vier.\n\nAlpha beta gamma.\n\nLetzte Worte hier.\n")
	first.Absorb(german, m, nil)

	second := body(t, "# x\n\nOne two three five.\n\nQuite new.\n\nAlpha beta gamma.\n\nLast words here.\n")
	after := body(t, string(segment.Weave(first, second, german, m)))
	const want = "# x\n\nEins zwei drei vier.\n\nQuite new.\n\nAlpha beta gamma.\n\nLetzte Worte hier.\n"
	if string(after.Markdown) != want {
		t.Errorf("woven:\n%s", after.Markdown)
	}
	expectStates(t, second, after, m, "stale missing missing translated")

	// Back again: the old translation fits again.
	again := body(t, string(segment.Weave(second, first, after, m)))
	expectStates(t, first, again, m, "translated missing translated")

	// Gone and moved.
	third := body(t, "Last words here.\n\nOne two three five.\n")
	moved := body(t, string(segment.Weave(second, third, after, m)))
	if want := "Letzte Worte hier.\n\nEins zwei drei vier.\n"; string(moved.Markdown) != want {
		t.Errorf("woven:\n%s", moved.Markdown)
	}
	expectStates(t, third, moved, m, "translated stale")
}

// TestShortTextsBecomeStale holds that a text of few words that changes keeps its translation, which is stale then:
// half of its words are one or two. What is new beside it has none, and what is gone takes its translation along.
func TestShortTextsBecomeStale(t *testing.T) {
	for name, test := range map[string]struct{ before, german, after, want, states string }{
		"a word more":  {"Run it.\n", "Führe es aus.\n", "Run it now.\n", "Führe es aus.\n", "stale"},
		"another word": {"Save\n", "Sichern\n", "Store\n", "Sichern\n", "stale"},
		"another mark": {"Done.\n", "Fertig.\n", "Done!\n", "Fertig.\n", "stale"},
		"another case": {"get started\n", "Loslegen\n", "Get Started\n", "Loslegen\n", "stale"},
		"between others": {"First words stay.\n\nRun it.\n\nLast words stay.\n",
			"Eins bleibt.\n\nFühre es aus.\n\nZwei bleibt.\n", "First words stay.\n\nStop.\n\nLast words stay.\n",
			"Eins bleibt.\n\nFühre es aus.\n\nZwei bleibt.\n", "translated stale translated"},
		"items of a list": {"* One\n* Two\n", "* Eins\n* Zwei\n", "* Three\n* Two\n", "* Eins\n* Zwei\n",
			"stale translated"},
		"one beside it": {"Run it.\n", "Führe es aus.\n", "Run it.\n\nNow.\n", "Führe es aus.\n\nNow.\n",
			"translated missing"},
		"two in the place": {"Run it.\n", "Führe es aus.\n", "Now.\n\nThen.\n", "Now.\n\nThen.\n",
			"missing missing"},
		"gone": {"Run it.\n\nStay here.\n", "Führe es aus.\n\nBleib hier.\n", "Stay here.\n",
			"Bleib hier.\n", "translated"},
		"another kind": {"Run it.\n", "Führe es aus.\n", "## Stop now\n", "## Stop now\n", "missing"},
		"a long text rewritten": {"All of these words are here today.\n", "Alle diese Wörter sind heute hier.\n",
			"Nothing remains of what somebody wrote.\n", "Nothing remains of what somebody wrote.\n", "missing"},
		"never translated": {"Run it.\n", "Run it.\n", "Run it now.\n", "Run it now.\n", "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			m := segment.NewMemory(nil)
			before, after := body(t, test.before), body(t, test.after)
			before.Absorb(before, m, nil)
			german := body(t, test.german)
			before.Absorb(german, m, nil)
			woven := body(t, string(segment.Weave(before, after, german, m)))
			if string(woven.Markdown) != test.want {
				t.Errorf("woven: %q, want %q", woven.Markdown, test.want)
			}
			expectStates(t, after, woven, m, test.states)
			// It is as it was when the source goes back.
			back := body(t, string(segment.Weave(after, before, woven, m)))
			if test.states == "stale" {
				expectStates(t, before, back, m, "translated")
			}
		})
	}
}

// TestOneChangeOfShortTextsLosesNothing changes one of many short texts at a time, to anything, and holds that its
// translation stays as a stale one and that all others are as they were.
func TestOneChangeOfShortTextsLosesNothing(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 8))
		kinds := []string{"%s\n", "## %s\n", "* %s\n", "> %s\n"}
		count := 1 + r.IntN(6)
		shapes, texts, german := make([]string, count), make([]string, count), make([]string, count)
		short := func() string {
			words := make([]string, 1+r.IntN(5))
			for i := range words {
				words[i] = fmt.Sprintf("w%d", r.IntN(1_000_000))
			}
			return strings.Join(words, " ")
		}
		for i := range count {
			shapes[i], texts[i], german[i] = kinds[r.IntN(len(kinds))], short(), fmt.Sprintf("Wort %d", i)
		}
		document := func(texts []string) *segment.Body {
			var out strings.Builder
			for i, text := range texts {
				out.WriteString(fmt.Sprintf(shapes[i], text) + "\n")
			}
			return body(t, out.String())
		}
		m := segment.NewMemory(nil)
		source, target := document(texts), document(german)
		source.Absorb(target, m, nil)
		at := r.IntN(count)
		texts[at] = short()
		changed := document(texts)
		woven := body(t, string(segment.Weave(source, changed, target, m)))
		a := changed.Absorb(woven, m, nil)
		for i := range count {
			want := segment.Translated
			if i == at {
				want = segment.Stale
			}
			if a.State[i] != want || woven.All[a.Target[i]].Text != german[i] {
				t.Fatalf("seed %d: text %d is %s, want %s:\n%s", seed, i, a.State[i], want, woven.Markdown)
			}
		}
	}
}

func expectStates(t *testing.T, source, target *segment.Body, m *segment.Memory, want string) {
	t.Helper()
	var got []string
	for i, state := range source.Absorb(target, m, nil).State {
		if source.Units[i].Text == "x" {
			continue
		}
		got = append(got, string(state))
	}
	if strings.Join(got, " ") != want {
		t.Errorf("states are %v, want %s", got, want)
	}
}

func TestALinkThatMovesLeavesItsTextTranslated(t *testing.T) {
	m := segment.NewMemory(nil)
	first := body(t, "Read [this](a.md) and `x`.\n")
	first.Absorb(first, m, nil)
	german := body(t, "`x` und [dies](a.md) lesen.\n")
	second := body(t, "Read [this](b.md) and `x`.\n")
	after := body(t, string(segment.Weave(first, second, german, m)))
	if want := "`x` und [dies](b.md) lesen.\n"; string(after.Markdown) != want {
		t.Errorf("woven:\n%s", after.Markdown)
	}
	expectStates(t, second, after, m, "translated")
}

func TestWhatATranslatorAddsStays(t *testing.T) {
	m := segment.NewMemory(nil)
	first := body(t, "One two three four.\n\nAlpha beta gamma.\n\nLast words here.\n")
	first.Absorb(first, m, nil)
	german := body(t, "Eins zwei drei vier.\n\nAnmerkung der Übersetzung.\n\nAlpha Beta Gamma.\n\nLetzte Worte hier.\n")
	second := body(t, "One two three four.\n\nAlpha beta gamma.\n\nLast words here.\n\nAnd more text.\n")
	after := body(t, string(segment.Weave(first, second, german, m)))
	if want := "Eins zwei drei vier.\n\nAnmerkung der Übersetzung.\n\nAlpha Beta Gamma.\n\nLetzte Worte hier.\n\nAnd " +
		"more text.\n"; string(after.Markdown) != want {
		t.Errorf("woven:\n%s", after.Markdown)
	}
	expectStates(t, second, after, m, "translated translated translated missing")
}

// model is a source block in the property test with what its translation ought to be.
type model struct {
	text   string
	target string // "" while the source text is shown
	state  segment.State
}

// TestNoTranslationIsLost edits a source at random and translates at random, and holds text and state of every block
// against a model.
func TestNoTranslationIsLost(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 19))
		next := 0
		words := func() string {
			next++
			var b []string
			for i := range 6 {
				b = append(b, fmt.Sprintf("w%dx%d", next, i))
			}
			return strings.Join(b, " ") + "."
		}
		var blocks []model
		for range 3 + r.IntN(8) {
			blocks = append(blocks, model{text: words(), state: segment.Missing})
		}
		memory := segment.NewMemory(nil)
		known := map[string]string{} // the latest translation of a text
		source := body(t, markdownOf(r, blocks, false))
		target := body(t, markdownOf(r, blocks, false))
		source.Absorb(target, memory, nil)
		for step := range 8 {
			switch r.IntN(3) {
			case 0: // a translator writes in the target
				at := r.IntN(len(blocks))
				next++
				blocks[at].target, blocks[at].state = fmt.Sprintf("Übersetzung%d von etwas.", next), segment.Translated
				known[blocks[at].text] = blocks[at].target
				target = body(t, markdownOf(r, blocks, true))
				source.Absorb(target, memory, nil)
			default: // the source changes
				changed := slices.Clone(blocks)
				for range 1 + r.IntN(2) {
					changed = edited(r, changed, known, words, step)
				}
				if len(changed) == 0 {
					continue
				}
				after := body(t, markdownOf(r, changed, false))
				target = body(t, string(segment.Weave(source, after, target, memory)))
				source, blocks = after, changed
			}
			want := markdownOf(r, blocks, true)
			if string(target.Markdown) != want {
				t.Fatalf("seed %d step %d: target is\n%s\nwant\n%s", seed, step, target.Markdown, want)
			}
			a := source.Absorb(target, memory, nil)
			for i, block := range blocks {
				if a.State[i] != block.state {
					t.Fatalf("seed %d step %d: %q is %s, want %s\n%s", seed, step, block.text, a.State[i], block.state,
						target.Markdown)
				}
			}
		}
	}
}

// edited makes one change of a source.
func edited(r *rand.Rand, blocks []model, known map[string]string, words func() string, step int) []model {
	at := 0
	if len(blocks) > 0 {
		at = r.IntN(len(blocks))
	}
	switch kind := r.IntN(4); {
	case kind == 0 || len(blocks) == 0:
		return slices.Insert(blocks, at, model{text: words(), state: segment.Missing})
	case kind == 1 && len(blocks) > 1:
		return slices.Delete(blocks, at, at+1)
	case kind == 2:
		moved := blocks[at]
		rest := slices.Delete(slices.Clone(blocks), at, at+1)
		return slices.Insert(rest, r.IntN(len(rest)+1), moved)
	default:
		block := &blocks[at]
		fields := strings.Fields(block.text)
		fields[r.IntN(len(fields))] = fmt.Sprintf("c%d", step)
		block.text = strings.Join(fields, " ")
		if block.target != "" {
			block.state = segment.Stale
		}
		if best, ok := known[block.text]; ok {
			block.target, block.state = best, segment.Translated
		}
		return blocks
	}
}

func markdownOf(_ *rand.Rand, blocks []model, target bool) string {
	var b strings.Builder
	for i, block := range blocks {
		if i > 0 {
			b.WriteString("\n")
		}
		if target && block.target != "" {
			b.WriteString(block.target + "\n")
		} else {
			b.WriteString(block.text + "\n")
		}
	}
	return b.String()
}

func TestWordsAreCounted(t *testing.T) {
	for text, want := range map[string]int{"One two-three <1>four</1>": 3, "日本語 text": 4, "": 0, "<1/> …": 0} {
		if got := (segment.Content{Text: text}).Words(); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}

func FuzzTranslate(f *testing.F) {
	f.Add(everything)
	f.Fuzz(func(t *testing.T, text string) {
		source, err := segment.ReadBody([]byte(text))
		if err != nil {
			return
		}
		m := segment.NewMemory(nil)
		a := source.Absorb(source, m, nil)
		contents := map[int]segment.Content{}
		for i, unit := range source.Units {
			if err := unit.Check(unit.Text); err != nil {
				t.Fatalf("%s: %v", unit.Text, err)
			}
			contents[i] = unit.Content
		}
		same, _ := segment.Translate(source, source, a, contents)
		if string(same) != text {
			t.Fatalf("changed by nothing:\n%q\n%q", text, same)
		}
		if _, err := markdown.Parse(segment.Weave(source, source, source, m)); err != nil {
			t.Fatal(err)
		}
	})
}
