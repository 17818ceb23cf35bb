package steps

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// open starts an engine that ends with the test.
func open(t testing.TB) *Engine {
	t.Helper()
	e, err := New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

const hello = `{"object":"document","data":{"schemaVersion":2},"nodes":[` +
	`{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[` +
	`{"object":"text","leaves":[{"object":"leaf","text":"Hello","marks":[]}]}]},` +
	`{"object":"block","type":"divider","isVoid":true,"data":{}}]}`

func raws(steps ...string) []json.RawMessage {
	var list []json.RawMessage
	for _, step := range steps {
		list = append(list, json.RawMessage(step))
	}
	return list
}

func TestEngine(t *testing.T) {
	e := open(t)
	if err := e.Load([]byte(hello)); err != nil {
		t.Fatal(err)
	}
	insert := `{"stepType":"replace","from":6,"to":6,"slice":{"content":[{"type":"text","text":" 🙂"}]}}`
	applied, err := e.Apply(raws(insert))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[` +
		`{"object":"text","leaves":[{"object":"leaf","text":"Hello 🙂","marks":[]}]}]}`
	if len(applied.Changed) != 1 || string(applied.Changed[0]) != want {
		t.Errorf("changed is %s, want %s", applied.Changed, want)
	}
	snapshot, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	document, err := e.Document()
	if err != nil {
		t.Fatal(err)
	}
	other := open(t)
	if err := other.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	if again, err := other.Document(); err != nil || string(again) != string(document) {
		t.Errorf("restored is %s, %v, want %s", again, err, document)
	}
	back, err := e.Change([]byte(hello))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Apply(back); err != nil {
		t.Fatal(err)
	}
	if document, err := e.Document(); err != nil || string(document) != hello {
		t.Errorf("changed back it is %s, %v", document, err)
	}
	_, err = e.Apply(raws(`{"stepType":"replace","from":1,"to":99}`))
	if refused, ok := errors.AsType[*Refused](err); !ok || refused.Index != 0 {
		t.Errorf("a step behind the end gives %v", err)
	}
	// Sixteen digits without a sign, as the app in a browser has them.
	if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(e.Schema()) || e.Schema() != other.Schema() {
		t.Errorf("the schema is named %q and %q", e.Schema(), other.Schema())
	}
}

// TestLastLine holds that a document which ends with a block that nothing can be typed into has a line below it, as
// editors have it. All of them have the same one, and it is not written before it holds something.
func TestLastLine(t *testing.T) {
	e := open(t)
	if err := e.Load([]byte(hello)); err != nil {
		t.Fatal(err)
	}
	snapshot, err := e.Snapshot()
	if err != nil || !strings.Contains(string(snapshot), `"filler":true`) {
		t.Errorf("there is no line below a divider: %s, %v", snapshot, err)
	}
	if document, err := e.Document(); err != nil || string(document) != hello {
		t.Errorf("the line is written: %s, %v", document, err)
	}
	if back, err := e.Change([]byte(hello)); err != nil || len(back) > 0 {
		t.Errorf("to the same document there are steps: %s, %v", back, err)
	}
}

// TestLongSessions types in a long paragraph until the texts of all its versions would take several times the memory
// that the script has: an engine keeps the present document and the one before, whatever asked for places in others.
func TestLongSessions(t *testing.T) {
	const long, keys = 100_000, 200
	e := open(t)
	if err := e.Load([]byte(strings.Replace(hello, "Hello", strings.Repeat("漢", long), 1))); err != nil {
		t.Fatal(err)
	}
	// Each version is 200 kB.
	e.vm.SetMemoryLimit(20 << 20)
	for n := range keys {
		key := json.RawMessage(fmt.Sprintf(`{"stepType":"replace","from":%[1]d,"to":%[1]d,`+
			`"slice":{"content":[{"type":"text","text":"字"}]}}`, 1+n*7))
		if _, err := e.Apply([]json.RawMessage{key}); err != nil {
			t.Fatalf("key %d: %v", n, err)
		}
	}
}
