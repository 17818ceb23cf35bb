package expr

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/propertytest"
)

// answer is what JavaScript makes of an expression, see oracle.mjs.
type answer struct {
	kind  string // value, error or outside
	value any
}

// ask lets Node.js compute expressions over the variables.
func ask(t *testing.T, expressions []string) []answer {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("the oracle of expressions needs Node.js 20 or newer: ", err)
	}
	var members []string
	for _, v := range variables() {
		members = append(members, v.name+": "+v.source)
	}
	var in bytes.Buffer
	encoder := json.NewEncoder(&in)
	for _, line := range append([]string{"({" + strings.Join(members, ", ") + "})"}, expressions...) {
		if err := encoder.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), node, "oracle.mjs")
	command.Stdin, command.Stderr = &in, os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := make([]answer, 0, len(expressions))
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var pair [2]any
		if err := json.Unmarshal(lines.Bytes(), &pair); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer{kind: pair[0].(string), value: pair[1]})
	}
	if len(answers) != len(expressions) {
		t.Fatalf("%d answers to %d expressions: %v", len(answers), len(expressions), lines.Err())
	}
	return answers
}

// tagged writes a value as oracle.mjs does.
func tagged(value any) any {
	switch v := value.(type) {
	case Undefined:
		return map[string]any{"undefined": true}
	case float64:
		if v == 0 && 1/v < 0 {
			return map[string]any{"number": "-0"}
		}
		return map[string]any{"number": formatNumber(v)}
	case *callable:
		return map[string]any{"function": true}
	case *pattern:
		return map[string]any{"pattern": v.String()}
	case Missing:
		return map[string]any{"missing": true}
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = tagged(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			out[name] = tagged(member)
		}
		return map[string]any{"object": out}
	}
	return value
}

func contextOfVariables() map[string]any {
	context := map[string]any{}
	for _, v := range variables() {
		context[v.name] = v.value
	}
	return context
}

// differs says how our answer differs from JavaScript's, "" when it does not.
func differs(t *testing.T, ours string, context map[string]any, theirs answer) string {
	var value any
	program, err := Parse(ours)
	if err == nil {
		value, err = program.Eval(t.Context(), context, Limits{})
	}
	if errs.Is(err, errs.TooLarge) {
		return "" // our limits, which JavaScript does not have
	}
	if theirs.kind == "error" {
		// What JavaScript refuses is an error, or undefined.
		if _, undefined := value.(Undefined); err == nil && !undefined {
			return fmt.Sprintf("%#v, JavaScript refuses: %v", value, theirs.value)
		}
		return ""
	}
	if err != nil {
		return fmt.Sprintf("error %v, JavaScript %v", err, encoded(theirs.value))
	}
	if a, b := encoded(tagged(value)), encoded(theirs.value); a != b {
		return fmt.Sprintf("%s, JavaScript %s", a, b)
	}
	return ""
}

func encoded(value any) string {
	out, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

func propertyCases(t *testing.T) int {
	t.Helper()
	return propertytest.Cases(t, 2000, 1)
}

// TestAgreesWithJavaScript holds that random expressions have one answer here and in a JavaScript engine.
func TestAgreesWithJavaScript(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	made := make([]source, propertyCases(t))
	asked := make([]string, len(made))
	for i := range made {
		g := &generator{Rand: random}
		made[i] = g.expression(anything, 1+random.IntN(4))
		asked[i] = made[i].js
	}
	context := contextOfVariables()
	values := 0
	var wrong []string
	for i, theirs := range ask(t, asked) {
		if theirs.kind == "outside" {
			continue
		}
		if theirs.kind == "value" {
			values++
		}
		if how := differs(t, made[i].ours, context, theirs); how != "" {
			wrong = append(wrong, made[i].ours+"\n\tis "+how)
		}
	}
	slices.SortFunc(wrong, func(a, b string) int { return len(a) - len(b) })
	for _, how := range wrong[:min(len(wrong), 20)] {
		t.Error(how)
	}
	if len(wrong) > 0 {
		t.Errorf("%d of %d differ", len(wrong), len(made))
	}
	if values*2 < len(made) {
		t.Errorf("only %d of %d expressions have a value in JavaScript", values, len(made))
	}
}

// TestOutsideJavaScript holds where expressions and JavaScript part, and that they do: what existing content was
// written for, what immutable values and texts of UTF-8 ask for, and what the standard leaves to the engine.
func TestOutsideJavaScript(t *testing.T) {
	tests := []struct{ why, source, ours, theirs string }{
		{"members of falsy values are missing", `blank.length`, `{"missing":true}`, `{"number":"0"}`},
		{"members of what is not there are missing", `none.a`, `{"missing":true}`, `error`},
		{"calling what is no function gives undefined", `n()`, `{"undefined":true}`, `error`},
		{"unknown names are undefined", `nobody`, `{"undefined":true}`, `error`},
		{"null names no member", `({null: 1})[none]`, `{"undefined":true}`, `{"number":"1"}`},
		{"a list takes in lists alone", `[..."ab"]`, `[]`, `["a","b"]`},
		{"a list takes in lists alone", `[...1]`, `[]`, `error`},
		{"functions have few members", `s.at.length`, `{"undefined":true}`, `{"number":"1"}`},
		{"some names reach no member", `o.constructor === undefined`, `{"undefined":true}`, `false`},
		{"an object's own toString is a member like others", `({toString: 1}) + ""`, `"[object Object]"`, `error`},
		{"matches are plain lists", `s.match(/l/).index`, `{"undefined":true}`, `{"number":"2"}`},
		{"in finds texts and elements", `"b" in words`, `true`, `false`},
		{"++ counts before it answers", `n++`, `{"number":"43"}`, `{"number":"42"}`},
		{"values do not change", `(ints.reverse(), ints[0])`, `{"number":"3"}`, `{"number":"10"}`},
		{"an empty list is equal to no list", `(x => x === x)([])`, `false`, `true`},
		{"texts have no halves of surrogate pairs", `wide.charCodeAt(8) + wide[8]`, `"55357�"`, `outside`},
		{"patterns match code points", `"😀".replace(/./, "")`, `""`, `outside`},
		{"a group may be named twice", `/(?<x>l)(?<x>l)/.test("all")`, `true`, `error`},
		{"classes take letters in where case is ignored", `/(?!l)\W/i.test("s")`, `true`, `false`},
		{"?? stands beside &&", `(n) ?? (yes) && no`, `{"number":"42"}`, `error`},
		{"comparisons are read from the right", `3 > 2 > 1`, `true`, `false`},
		{"texts compare by code points in every language", `"a".localeCompare("B")`, `{"number":"1"}`,
			`{"number":"-1"}`},
		{"numbers are written alike in every language", `(1234.5).toLocaleString()`, `"1234.5"`, `"1,234.5"`},
		{"large numbers in other bases are exact", `huge.toString(3)`,
			`"111201010200202121212012121210111010012101120"`, `outside`},
		{"the last digits of powers", `2.5 ** n`, `{"number":"51698788284564230"}`, `{"number":"51698788284564220"}`},
	}
	asked := make([]string, len(tests))
	for i, test := range tests {
		asked[i] = test.source
	}
	for i, theirs := range ask(t, asked) {
		test := tests[i]
		program, err := Parse(test.source)
		if err != nil {
			t.Errorf("%s: %v", test.source, err)
			continue
		}
		value, err := program.Eval(t.Context(), contextOfVariables(), Limits{})
		if err != nil || encoded(tagged(value)) != test.ours {
			t.Errorf("%s: %s: got %s, %v, want %s", test.why, test.source, encoded(tagged(value)), err, test.ours)
		}
		got := encoded(theirs.value)
		if theirs.kind != "value" {
			got = theirs.kind
		}
		if got != test.theirs {
			t.Errorf("%s: %s: JavaScript says %s (%v), want %s", test.why, test.source, got, theirs.value, test.theirs)
		}
	}
}
