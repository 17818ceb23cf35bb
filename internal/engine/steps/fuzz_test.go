package steps

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/doc/doctest"
)

// count returns how many random steps are tried: RECTO_STEPS, or 400. On demand there are 100,000.
func count(t *testing.T) int {
	t.Helper()
	text := os.Getenv("RECTO_STEPS")
	if text == "" {
		return 400
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("RECTO_STEPS is %q, want a number", text)
	}
	return n
}

// recorder notes what is asked of the script and what it answers.
type recorder struct {
	asked   bytes.Buffer
	answers []string
}

func (r *recorder) call(t *testing.T, e *Engine, function string, arguments ...string) string {
	t.Helper()
	line, values := []any{function}, []any{}
	for _, argument := range arguments {
		line, values = append(line, argument), append(values, argument)
	}
	if err := json.NewEncoder(&r.asked).Encode(line); err != nil {
		t.Fatal(err)
	}
	answer, err := e.call(documentTime, function, values...)
	if err != nil {
		t.Fatalf("%s: %v", function, err)
	}
	r.answers = append(r.answers, answer)
	return answer
}

// compare asks the same of the script in Node.js.
func (r *recorder) compare(t *testing.T) {
	t.Helper()
	name, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("steps are compared with Node.js 20 or newer: ", err)
	}
	command := exec.CommandContext(t.Context(), name, "oracle.mjs", "script.js.gz")
	command.Stdin, command.Stderr = bytes.NewReader(r.asked.Bytes()), os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	asked := bytes.Split(r.asked.Bytes(), []byte("\n"))
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 256<<20)
	i := 0
	for ; lines.Scan(); i++ {
		var want any
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if text, _ := want.(string); text != r.answers[i] || want != nil && text == "" && r.answers[i] != "" {
			t.Fatalf("%.3000s\nanswers    %.3000s\nin Node.js %.3000s", asked[i], r.answers[i], lines.Bytes())
		}
	}
	if i != len(r.answers) || lines.Err() != nil {
		t.Fatalf("%d answers of %d: %v", i, len(r.answers), lines.Err())
	}
}

// randomDocument returns a document of the API: a sample of one kind of node, or one of many.
func randomDocument(t testing.TB, r *rand.Rand) []byte {
	t.Helper()
	for {
		made := doctest.Random(r, 1+r.IntN(12))
		if r.IntN(3) == 0 {
			// A part of one: samples show everything in every place.
			sample := samples()[r.IntN(len(samples()))].Document
			from := r.IntN(len(sample.Nodes))
			made = &doc.Document{Nodes: sample.Nodes[from:min(from+12, len(sample.Nodes))]}
		}
		raw, err := json.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		// Both make attributes that the API does not take.
		if json.Unmarshal(raw, &doc.Document{}) == nil {
			return raw
		}
	}
}

var samples = sync.OnceValue(func() []doctest.Sample {
	refs := []doc.Ref{doc.URL("https://example.org"), {Kind: doc.RefFile, File: "file_1"}}
	reusable := doc.Ref{Kind: doc.RefReusableContent, ReusableContent: "reusable_1"}
	return doctest.Samples(doctest.Targets{Links: refs, Files: refs[1:], Reusable: reusable})
})

// TestStepsAreThoseOfNode holds that random steps on random documents of every kind of node do in QuickJS what they do
// in Node.js: the same are taken, with the same blocks, and the same are refused for the same reason.
func TestStepsAreThoseOfNode(t *testing.T) {
	const each = 10
	seed := uint64(20261125)
	taken, refused, kinds := 0, map[string]int{}, map[string]bool{}
	for left := count(t); left > 0; {
		var record recorder
		for range 40 {
			if left <= 0 {
				break
			}
			seed++
			r := rand.New(rand.NewPCG(seed, 1))
			e := open(t)
			record.call(t, e, "load", string(randomDocument(t, r)))
			now := document(t, e)
			for _, each := range placedNodes(now) {
				kinds[each.Type] = true
			}
			for range min(each, left) {
				left--
				answer := record.call(t, e, "apply", list([]json.RawMessage{typist{r}.step(now)}))
				var result struct {
					Reason  string
					Changed []json.RawMessage
				}
				if err := json.Unmarshal([]byte(answer), &result); err != nil {
					t.Fatal(err)
				}
				switch {
				case result.Reason != "":
					refused[result.Reason]++
					continue
				case validate(result.Changed) != nil:
					record.call(t, e, "undo")
				}
				taken++
				now = document(t, e)
			}
			snapshot := record.call(t, e, "snapshot")
			written := record.call(t, e, "document")
			target := randomDocument(t, r)
			change := record.call(t, e, "change", string(target))
			record.call(t, e, "apply", change)
			record.call(t, e, "document")
			record.call(t, e, "restore", snapshot)
			if again := record.call(t, e, "document"); again != written {
				t.Fatalf("seed %d: restored is\n%s, not\n%s", seed, again, written)
			}
			e.Close()
		}
		record.compare(t)
	}
	t.Logf("%d steps taken, refused: %v", taken, refused)
	if total := count(t); taken < total/3 || taken > total*9/10 || len(kinds) < 30 {
		t.Errorf("of %d steps on %d kinds of nodes %d were taken: the steps are no good", total, len(kinds), taken)
	}
}

// filled returns a document without empty paragraphs, which Change leaves where they are.
func filled(t testing.TB, document []byte) []byte {
	t.Helper()
	whole := &doc.Document{}
	if err := json.Unmarshal(document, whole); err != nil {
		t.Fatal(err)
	}
	empty := func(n *doc.Node) bool {
		data, ok := n.Data.(*doc.ParagraphData)
		return ok && len(n.Nodes) == 0 && *data == doc.ParagraphData{} && n.ID == ""
	}
	whole.Nodes = slices.DeleteFunc(whole.Nodes, empty)
	whole.Walk(func(n *doc.Node) bool {
		n.Nodes = slices.DeleteFunc(n.Nodes, empty)
		return true
	})
	raw, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestChangeLeadsThere holds that the steps of Change make one document another.
func TestChangeLeadsThere(t *testing.T) {
	e := open(t)
	for seed := range uint64(count(t) / 4) {
		r := rand.New(rand.NewPCG(seed, 2))
		if err := e.Load(randomDocument(t, r)); err != nil {
			t.Fatal(err)
		}
		target := randomDocument(t, r)
		change, err := e.Change(target)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(change) > 0 {
			if _, err := e.Apply(change); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		got, err := e.Document()
		if err != nil {
			t.Fatal(err)
		}
		if diff := difference(t, filled(t, got), filled(t, target)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		none, err := e.Change(target)
		if err != nil || len(none) > 0 {
			t.Fatalf("seed %d: a document that is there already takes %s, %v", seed, none, err)
		}
	}
}

// refusal returns the refusal that an error is.
func refusal(t testing.TB, err error) *Refused {
	t.Helper()
	refused, ok := errors.AsType[*Refused](err)
	if !ok {
		t.Fatalf("want a refusal, got %v", err)
	}
	return refused
}
