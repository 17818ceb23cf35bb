package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"modernc.org/quickjs"
)

func TestBoundRefuses(t *testing.T) {
	step := func(inside string) string { return `{"stepType":"attr","pos":0,"attr":"data","value":` + inside + `}` }
	many := make([]json.RawMessage, MaxSteps+1)
	for i := range many {
		many[i] = json.RawMessage(step("{}"))
	}
	for name, each := range map[string]struct {
		steps []json.RawMessage
		want  string // "" when it is taken
		index int
	}{
		"nothing":            {nil, "there is no step", -1},
		"as many as may be":  {many[1:], "", 0},
		"one more":           {many, "there are 201 steps; a batch has at most 200", -1},
		"as large as may be": {raws(step(`"` + strings.Repeat("x", MaxBytes-len(step(`""`))) + `"`)), "", 0},
		"one more byte": {
			raws(step(`"` + strings.Repeat("x", MaxBytes+1-len(step(`""`))) + `"`)),
			"more than", -1,
		},
		"as deep as may be":      {raws(step(strings.Repeat("[", 199) + strings.Repeat("]", 199))), "", 0},
		"one deeper":             {raws(step(strings.Repeat("[", 200) + strings.Repeat("]", 200))), "nested deeper", 0},
		"endlessly deep":         {raws("{}", strings.Repeat("[", MaxBytes-2)), "nested deeper", 1},
		"brackets in a text":     {raws(step(`"` + strings.Repeat("[", 300) + `\"["`)), "", 0},
		"no JSON":                {raws("{}", "steps"), "the JSON is broken", 1},
		"two values":             {raws("{} {}"), "the JSON is broken", 0},
		"more of the list":       {raws("{}],[{}"), "the JSON is broken", 0},
		"empty":                  {raws(""), "the JSON is broken", 0},
		"no number":              {raws(step("NaN")), "the JSON is broken", 0},
		"an open escape":         {raws(step(`"\`)), "the JSON is broken", 0},
		"an escape that ends":    {raws(step(`"\u12"`)), "the JSON is broken", 0},
		"a pair":                 {raws(step(`"\ud83d\uDE42 🙂"`)), "", 0},
		"a backslash":            {raws(step(`"\\ud83d"`)), "", 0},
		"a high half":            {raws(step(`"\ud83d"`)), "half of a character", 0},
		"a high half and others": {raws(step(`"\ud83d\u0041"`)), "half of a character", 0},
		"two high halves":        {raws(step(`"\uD83D\ud83d\ude42"`)), "half of a character", 0},
		"a low half":             {raws(step(`"x\ude42"`)), "half of a character", 0},
		"a half in a name":       {raws(step(`{"\udfff":1}`)), "half of a character", 0},
		"a half in bytes":        {raws(step("\"\xed\xa0\xbd\"")), "not UTF-8", 0},
		"broken bytes":           {raws(step("\"\xff\"")), "not UTF-8", 0},
	} {
		err := Bound(each.steps)
		if each.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if refused := refusal(t, err); !strings.Contains(refused.Error(), each.want) || refused.Index != each.index {
			t.Errorf("%s: %v at %d, want %q at %d", name, refused, refused.Index, each.want, each.index)
		}
	}
}

// hint is a document with a paragraph of a word and a smiley, and a hint with a paragraph.
const hint = `{"object":"document","data":{"schemaVersion":2},"nodes":[` +
	`{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[` +
	`{"object":"text","leaves":[{"object":"leaf","text":"Hello 🙂","marks":[]}]}]},` +
	`{"object":"block","type":"hint","isVoid":false,"data":{"style":"info"},"nodes":[` +
	`{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[` +
	`{"object":"text","leaves":[{"object":"leaf","text":"Inside","marks":[]}]}]}]}]}`

func TestApplyRefusesWhole(t *testing.T) {
	e := open(t)
	if err := e.Load([]byte(hint)); err != nil {
		t.Fatal(err)
	}
	before, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	good := `{"stepType":"replace","from":1,"to":1,"slice":{"content":[{"type":"text","text":"x"}]}}`
	attr := func(pos int, name, value string) string {
		return fmt.Sprintf(`{"stepType":"attr","pos":%d,"attr":%q,"value":%s}`, pos, name, value)
	}
	insert := func(content string) string {
		return `{"stepType":"replace","from":0,"to":0,"slice":{"content":[` + content + `]}}`
	}
	nested := strings.Repeat(`{"type":"blockquote","content":[`, 90) + `{"type":"paragraph"}` + strings.Repeat("]}", 90)
	for name, each := range map[string]struct {
		step, want string
		index      int
	}{
		"no object":              {`5`, "a step is an object", 1},
		"null":                   {`null`, "a step is an object", 1},
		"no kind":                {`{}`, "no such kind of step", 1},
		"a kind of every object": {`{"stepType":"constructor"}`, "no such kind of step", 1},
		"the document's own":     {`{"stepType":"docAttr","attr":"data","value":null}`, "no such kind of step", 1},
		"before the document":    {`{"stepType":"replace","from":-1,"to":1}`, "from is no place", 1},
		"behind it":              {`{"stepType":"replace","from":1,"to":1000}`, "to is no place", 1},
		"backwards":              {`{"stepType":"replace","from":3,"to":1}`, "to is no place", 1},
		"between two places":     {`{"stepType":"replace","from":1.5,"to":2}`, "from is no place", 1},
		"far away":               {`{"stepType":"replace","from":1,"to":1e400}`, "to is no place", 1},
		"a place in words":       {`{"stepType":"replace","from":"1","to":2}`, "from is no place", 1},
		"a gap outside": {
			`{"stepType":"replaceAround","from":3,"to":5,"gapFrom":2,"gapTo":4,"insert":0}`,
			"gapFrom is no", 1,
		},
		"open beyond its depth": {
			`{"stepType":"replace","from":1,"to":1,"slice":{"content":[{"type":"paragraph"}],"openStart":9}}`,
			"", 1,
		},
		"open backwards": {
			`{"stepType":"replace","from":1,"to":1,"slice":{"content":[{"type":"paragraph"}],"openEnd":-1}}`,
			"open to a depth", 1,
		},
		"a slice of a number":    {`{"stepType":"replace","from":1,"to":1,"slice":5}`, "a slice is an object", 1},
		"an unknown node":        {insert(`{"type":"script"}`), "script", 1},
		"a node of every object": {insert(`{"type":"__proto__"}`), "__proto__", 1},
		"a part alone":           {insert(`{"type":"listItem","content":[{"type":"paragraph"}]}`), "", 1},
		"a box without content":  {insert(`{"type":"hint"}`), "hint", 1},
		"a wrong box inside": {
			insert(`{"type":"hint","content":[{"type":"listUnordered","content":[{"type":"paragraph"}]}]}`),
			"listUnordered", 1,
		},
		"a text between blocks": {insert(`{"type":"text","text":"x"}`), "", 1},
		"a text of a number":    {insert(`{"type":"paragraph","content":[{"type":"text","text":5}]}`), "", 1},
		"marks on a block":      {insert(`{"type":"paragraph","marks":[{"type":"bold"}]}`), "", 1},
		"marks that exclude": {
			insert(`{"type":"paragraph","content":[{"type":"text","text":"x","marks":[` +
				`{"type":"bold"},{"type":"bold"}]}]}`),
			"marks", 1,
		},
		"data of a number":    {attr(0, "data", "5"), "attributes", 1},
		"data of a list":      {attr(0, "data", "[]"), "attributes", 1},
		"no data":             {attr(0, "data", "null"), "attributes", 1},
		"raw without JSON":    {insert(`{"type":"rawBlock"}`), "", 1},
		"raw that is no node": {insert(`{"type":"rawBlock","attrs":{"json":{}}}`), "object", -1},
		"raw that is an inline": {
			insert(`{"type":"rawBlock","attrs":{"json":{"object":"text","leaves":[]}}}`),
			"cannot stand here", -1,
		},
		"a style that there isn't": {attr(11, "data", `{"style":"purple"}`), `data.style: expected info`, -1},
		"a member of every object": {attr(11, "data", `{"__proto__":{"style":"danger"}}`), "__proto__", -1},
		"deeper than the API":      {insert(nested), "nested deeper than 88 levels", -1},
		"half of a character":      {`{"stepType":"replace","from":8,"to":9}`, "half of a character", -1},
		"a merged cell of a million": {insert(`{"type":"table","content":[` +
			`{"type":"tableHead","content":[{"type":"tableTitle"}]},` +
			`{"type":"tableRow","content":[{"type":"tableCell","attrs":{"colspan":1000000}}]}]}`), "attributes", 1},
	} {
		applied, err := e.Apply(raws(good, each.step))
		if err == nil {
			t.Fatalf("%s: taken, with %s", name, applied.Changed)
		}
		if refused := refusal(t, err); !strings.Contains(refused.Reason, each.want) || refused.Index != each.index {
			t.Errorf("%s: %v at %d, want %q at %d", name, refused, refused.Index, each.want, each.index)
		}
		if after, err := e.Snapshot(); err != nil || string(after) != string(before) {
			t.Fatalf("%s: the document is now %s, %v", name, after, err)
		}
		if err := e.Undo(); err == nil {
			t.Fatalf("%s: there was something to take back", name)
		}
	}
	if _, err := e.Apply(raws(good)); err != nil {
		t.Errorf("after all that: %v", err)
	}
	if err := e.Undo(); err != nil {
		t.Error(err)
	}
	if after, err := e.Snapshot(); err != nil || string(after) != string(before) {
		t.Errorf("taken back it is %s, %v", after, err)
	}
	var polluted any
	if err := e.guarded(time.Second, func() (err error) {
		polluted, err = e.vm.Eval(`typeof {}.style + typeof std + typeof os + typeof require`, quickjs.EvalGlobal)
		return err
	}); err != nil || polluted != strings.Repeat("undefined", 4) {
		t.Errorf("the script can reach %v, %v", polluted, err)
	}
}

// TestDepthGrowsNoFurther wraps a paragraph again and again, within a batch and over many.
func TestDepthGrowsNoFurther(t *testing.T) {
	e := open(t)
	if err := e.Load([]byte(hello)); err != nil {
		t.Fatal(err)
	}
	size := 7
	wrap := func(levels int) json.RawMessage {
		node := `{"type":"blockquote"}`
		for range levels - 1 {
			node = `{"type":"blockquote","content":[` + node + `]}`
		}
		step := fmt.Sprintf(`{"stepType":"replaceAround","from":0,"to":%d,"gapFrom":0,"gapTo":%d,"insert":%d,"slice":`+
			`{"content":[%s]}}`, size, size, levels, node)
		size += 2 * levels
		return json.RawMessage(step)
	}
	var batch []json.RawMessage
	for range MaxSteps {
		batch = append(batch, wrap(60))
	}
	_, err := e.Apply(batch)
	if refused := refusal(t, err); !strings.Contains(refused.Reason, "nested too deep") {
		t.Errorf("a batch of wraps: %v", refused)
	}
	size = 7
	for i := range 100 {
		if _, err = e.Apply([]json.RawMessage{wrap(1)}); err != nil {
			if i != 87 {
				t.Errorf("the wrap %d: %v", i, err)
			}
			break
		}
	}
	if refused := refusal(t, err); !strings.Contains(refused.Reason, "nested deeper than 88 levels") {
		t.Errorf("one wrap after the other: %v", refused)
	}
}

func TestWhatBreaksAnEngine(t *testing.T) {
	for name, script := range map[string]string{
		"an endless loop":       `for (;;) {}`,
		"one that catches":      `for (;;) { try { for (;;) {} } catch {} }`,
		"endless recursion":     `(function f() { f() })()`,
		"a text of a gigabyte":  `"x".repeat(2 ** 29) + "y".repeat(2 ** 29)`,
		"an endless list":       `const all = []; for (;;) all.push(new Array(1000).fill(0))`,
		"a list of itself":      `const a = []; a[0] = a; JSON.stringify(a)`,
		"what is thrown":        `throw null`,
		"a pattern without end": `/^(a+)+$/.test("a".repeat(40) + "b")`,
	} {
		t.Run(name, func(t *testing.T) {
			e := open(t)
			if err := e.Load([]byte(hello)); err != nil {
				t.Fatal(err)
			}
			snapshot, err := e.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			err = e.guarded(time.Second, func() error {
				_, err := e.vm.Eval(script, quickjs.EvalGlobal)
				return err
			})
			if !errors.Is(err, ErrBroken) {
				t.Errorf("got %v", err)
			}
			isBroken(t, e)
			e.Close()
			isBroken(t, e)
			next := open(t)
			if err := next.Restore(snapshot); err != nil {
				t.Errorf("the next engine: %v", err)
			}
		})
	}
	t.Run("a panic", func(t *testing.T) {
		e := open(t)
		if err := e.guarded(time.Second, func() error { panic("of the VM") }); !errors.Is(err, ErrBroken) {
			t.Errorf("got %v", err)
		}
		isBroken(t, e)
	})
	t.Run("a context that is over", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := New(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// isBroken checks that no method of an engine does anything.
func isBroken(t *testing.T, e *Engine) {
	t.Helper()
	_, apply := e.Apply(raws("{}"))
	_, snapshot := e.Snapshot()
	_, document := e.Document()
	_, change := e.Change([]byte(hello))
	load, restore := e.Load([]byte(hello)), e.Restore([]byte("{}"))
	for _, err := range []error{apply, snapshot, document, change, load, restore, e.Undo()} {
		if !errors.Is(err, ErrBroken) {
			t.Errorf("a broken engine answers %v", err)
		}
	}
}

func TestDocumentsThatAreNone(t *testing.T) {
	e := open(t)
	for name, text := range map[string]string{
		"no JSON":    `nodes`,
		"deep":       strings.Repeat(`{"nodes":[`, 600) + strings.Repeat("]}", 600),
		"half of it": `{"object":"document","nodes":[{"object":"block","type":"\ud800"}]}`,
		"bytes":      "\"\xff\"",
	} {
		if err := e.Load([]byte(text)); err == nil || errors.Is(err, ErrBroken) {
			t.Errorf("%s: loaded with %v", name, err)
		}
		if _, err := e.Change([]byte(text)); err == nil || errors.Is(err, ErrBroken) {
			t.Errorf("%s: changed with %v", name, err)
		}
	}
	if err := e.Load([]byte(hello)); err != nil {
		t.Error(err)
	}
}

// TestEnginesLeaveNothing starts and ends 200 engines, some of which break; a thousand where there is time for many
// steps.
func TestEnginesLeaveNothing(t *testing.T) {
	cycle := func(n int) {
		for i := range n {
			e, err := New(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Load([]byte(hint)); err != nil {
				t.Fatal(err)
			}
			if i%10 == 0 {
				err := e.guarded(time.Millisecond, func() error {
					_, err := e.vm.Eval(`const all = []; for (;;) all.push([])`, quickjs.EvalGlobal)
					return err
				})
				if !errors.Is(err, ErrBroken) {
					t.Fatalf("got %v", err)
				}
			}
			e.Close()
		}
	}
	cycle(40)
	before := resident(t)
	cycle(min(max(200, count(t)/100), 1000))
	if grown := resident(t) - before; grown > 16<<20 {
		t.Errorf("the engines left %d bytes", grown)
	}
}
