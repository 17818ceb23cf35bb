package expr

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

// sample is the context of the tables.
func sample() map[string]any {
	return map[string]any{
		"visitor": map[string]any{"claims": map[string]any{
			"plan":   "pro",
			"admin":  true,
			"seats":  12.0,
			"groups": []any{"beta", "staff"},
			"empty":  "",
			"zero":   0.0,
			"none":   nil,
			"unsigned": map[string]any{
				"language": "fr",
				"isBeta":   false,
			},
		}},
		"space": map[string]any{"vars": map[string]any{"product": "Recto", "version": "2.10",
			"limits": map[string]any{"rows": 3}}},
		"page": map[string]any{"vars": map[string]any{"title": "Set-up", "emoji": "a😀b"}},
		"arr":  []any{1.0, 2.0, 3.0},
		"objs": []any{map[string]any{"n": "x", "on": true}, map[string]any{"n": "y"}},
		"n":    5.0,
		"s":    "hello world",
	}
}

var (
	undefined = Undefined{}
	missing   = Missing{}
	nan       = math.NaN()
)

func TestEval(t *testing.T) {
	tests := []struct {
		source string
		want   any
	}{
		// Literals.
		{`'a'`, "a"}, {`"b\n"`, "b\n"}, {`"\u{1F600}"`, "😀"}, {`42`, 42.0}, {`0x1F`, 31.0}, {`1_000`, 1000.0},
		{`1_0.5`, 10.5},
		{`.5`, 0.5}, {`1e3`, 1000.0}, {`0b101`, 5.0}, {`0o17`, 15.0}, {`017`, 15.0},
		{`9007199254740993`, 9007199254740992.0}, {`true`, true}, {`false`, false},
		{`null`, nil}, {`undefined`, undefined}, {`1;`, 1.0}, {`/* a */ 1 // b`, 1.0}, {`(1)`, 1.0},
		{`typeof /x/`, "object"},
		// Templates.
		{"`a${1 + 1}b`", "a2b"}, {"`${nope}`", "undefined"}, {"`${null}`", "null"}, {"`${[1,[2,3]]}`", "1,2,3"},
		{"`${({})}`", "[object Object]"}, {"`x\n`", "x\n"},
		{"`${visitor.claims.plan} on ${space.vars.product}`", "pro on Recto"},
		// Arithmetic.
		{`1 + 2 * 3`, 7.0}, {`(1 + 2) * 3`, 9.0}, {`7 % 4`, 3.0}, {`-7 % 4`, -3.0}, {`2 ** 10`, 1024.0},
		{`2 ** 3 ** 2`, 512.0}, {`1 / 0`, math.Inf(1)}, {`0 / 0`, nan},
		{`"3" * "4"`, 12.0}, {`"a" * 1`, nan}, {`"1" + 2`, "12"}, {`1 + "2"`, "12"}, {`1 + null`, 1.0},
		{`1 + undefined`, nan}, {`"a" + undefined`, "aundefined"}, {`"a" + null`, "anull"},
		{`true + true`, 2.0}, {`[] + []`, ""}, {`[1] + 1`, "11"}, {`({}) + ""`, "[object Object]"}, {`1 ** NaN`, nan},
		{`0.1 + 0.2`, 0.30000000000000004},
		{`5 & 3`, 1.0}, {`5 | 3`, 7.0}, {`5 ^ 3`, 6.0}, {`~5`, -6.0}, {`1 << 33`, 2.0}, {`-1 >> 1`, -1.0},
		{`-1 >>> 0`, 4294967295.0}, {`2 ** 32 | 0`, 0.0}, {`2147483648 | 0`, -2147483648.0},
		// Comparison.
		{`1 < 2`, true}, {`"a" < "b"`, true}, {`"10" < "9"`, true}, {`"10" < 9`, false}, {`2 >= 2`, true},
		{`null >= 0`, true}, {`undefined >= 0`, false}, {`"b" > "a"`, true}, {`1 <= 0`, false},
		{`1 == "1"`, true}, {`1 === "1"`, false}, {`null == undefined`, true}, {`null === undefined`, false},
		{`0 == ""`, true}, {`0 == null`, false}, {`"" == false`, true},
		{`[1] == 1`, true}, {`"a" != "b"`, true}, {`1 !== 1`, false}, {`nope === undefined`, true},
		{`arr === arr`, true}, {`[1] === [1]`, false}, {`visitor === visitor`, true}, {`({}) === ({})`, false},
		{`"in" in ({in: 1})`, true}, {`"x" in ({in: 1})`, false}, {`"toString" in ({})`, true}, {`"ell" in s`, true},
		{`2 in arr`, true}, {`9 in arr`, false}, {`"beta" in visitor.claims.groups`, true},
		// Logic keeps its operands.
		{`1 && 2`, 2.0}, {`0 && 2`, 0.0}, {`"" || "x"`, "x"}, {`"y" || nope()`, "y"}, {`null ?? 1`, 1.0},
		{`0 ?? 1`, 0.0}, {`nope ?? "d"`, "d"}, {`nope || "d"`, "d"}, {`!0`, true}, {`!"a"`, false},
		{`!!visitor.claims.admin`, true},
		{`true ? 1 : 2`, 1.0}, {`"" ? 1 : 2`, 2.0}, {`1, 2, 3`, 3.0}, {`(nope, 1)`, 1.0},
		// Unary.
		{`+"4"`, 4.0}, {`-"4"`, -4.0}, {`+""`, 0.0}, {`+"0x10"`, 16.0}, {`+"1_0"`, nan}, {`+" 7 "`, 7.0}, {`+[]`, 0.0},
		{`+{}`, nan}, {`+true`, 1.0}, {`+null`, 0.0}, {`+nope`, nan},
		{`typeof 1`, "number"}, {`typeof "a"`, "string"}, {`typeof nope`, "undefined"}, {`typeof null`, "object"},
		{`typeof arr`, "object"}, {`typeof s.trim`, "function"}, {`typeof (x => x)`, "function"},
		{`typeof nope.a`, "symbol"}, {`void 0`, undefined}, {`n++`, 6.0}, {`++n`, 6.0}, {`n--`, 4.0}, {`(n++, n)`, 6.0},
		{`s++`, "hello world1"}, {`nope++`, nan}, {`delete visitor.claims`, true}, {`delete visitor.claims.plan`, true},
		{`delete s.length`, undefined},
		// Members.
		{`visitor.claims.plan`, "pro"}, {`visitor["claims"]["plan"]`, "pro"}, {`visitor.claims.unsigned.language`,
			"fr"}, {`space.vars.limits.rows`, 3.0}, {`visitor.claims.groups[0]`, "beta"},
		{`visitor.claims.groups.length`, 2.0},
		{`visitor.claims.missing`, undefined}, {`visitor.claims.none`, nil}, {`arr[9]`, undefined}, {`arr["1"]`, 2.0},
		{`arr[-1]`, undefined}, {`s[1]`, "e"}, {`s.length`, 11.0}, {`page.vars.emoji.length`, 4.0},
		{`arr[nope]`, undefined}, {`arr[null]`, undefined},
		// Nothing of the host, and no way up.
		{`Math`, undefined}, {`Number`, undefined}, {`Date`, undefined}, {`JSON`, undefined}, {`Object`, undefined},
		{`NaN`, undefined}, {`Infinity`, undefined}, {`globalThis`, undefined}, {`process`, undefined},
		{`parseInt`, undefined}, {`this`, undefined},
		{`constructor`, undefined}, {`__proto__`, undefined}, {`s.constructor`, undefined},
		{`s["constructor"]`, undefined}, {`s.__proto__`, undefined}, {`arr["__proto__"]`, undefined},
		{`s.constructor.constructor("return 1")()`, undefined}, {`({}).__defineGetter__`, undefined},
		{`1 + s.constructor`, undefined},
		{`Math.max(1, 2)`, undefined}, {`new Date()`, undefined}, {`nope()`, undefined}, {`s.nope()`, undefined},
		{`"a" + nope()`, undefined}, {`parseInt("1") || 2`, undefined},
		// The missing value: truthy alone, the end of a larger expression, undefined one level deeper.
		{`visitor.claims.missing.deep`, missing}, {`nope.a`, missing}, {`arr[9].x`, missing}, {`nope["a"]`, missing},
		{`visitor.claims.none.x`, missing}, {`visitor.claims.empty.length`, missing}, {`visitor.claims.zero.toFixed`,
			missing},
		{`!nope.a`, false}, {`nope.a ? "yes" : "no"`, "yes"}, {`nope.a === undefined`, undefined},
		{`nope.a !== 1`, undefined}, {`1 === nope.a`, undefined}, {`nope.a && true`, undefined},
		{`nope.a || true`, undefined}, {`nope.a ?? 1`, undefined}, {`true && nope.a`, undefined},
		{`false && nope.a`, false}, {`true || nope.a`, true}, {`1 ?? nope.a`, 1.0},
		{`(nope.a === 1) || true`, undefined}, {`nope.a.b`, undefined}, {`nope.a.b ?? "d"`, "d"},
		{`nope.a.b.c`, missing}, {`nope.a + 1`, undefined}, {`[nope]`, errors.New("not defined")},
		{`[visitor.claims.missing.deep]`, undefined}, {`s.includes(nope.a)`, undefined}, {`nope.a()`, undefined},
		{`[visitor.claims.missing]`, []any{undefined}}, {`void nope.a`, undefined}, {`(nope.a, 1)`, 1.0},
		// Lists and objects.
		{`[1, "a", null]`, []any{1.0, "a", nil}}, {`[...arr, 4]`, []any{1.0, 2.0, 3.0, 4.0}}, {`[..."ab"]`, []any{}},
		{`({a: 1, "b": 2, [s]: 3})`, map[string]any{"a": 1.0, "b": 2.0, "hello world": 3.0}},
		{`({...visitor.claims.unsigned, x: 1})`, map[string]any{"language": "fr", "isBeta": false, "x": 1.0}},
		{`({n})`, map[string]any{"n": 5.0}}, {`({a: {b: 1}}).a.b`, 1.0},
		{`({__proto__: 1, a: 2})`, map[string]any{"a": 2.0}}, {`({1: 2})[1]`, 2.0}, {`({}).hasOwnProperty("a")`, false},
		{`visitor.claims.hasOwnProperty("plan")`, true},
		// Texts.
		{`s.at(-1)`, "d"}, {`s.at(99)`, undefined}, {`s.startsWith("hello")`, true}, {`s.startsWith("world", 6)`, true},
		{`s.endsWith("world")`, true}, {`s.endsWith("hello", 5)`, true}, {`s.includes("lo w")`, true},
		{`s.includes("h", 1)`, false},
		{`s.toUpperCase()`, "HELLO WORLD"}, {`"ÀÉ".toLowerCase()`, "àé"}, {`" a ".trim()`, "a"},
		{`" a ".trimStart()`, "a "}, {`" a ".trimEnd()`, " a"}, {`s.charAt(4)`, "o"}, {`s.charAt(99)`, ""},
		{`s.charCodeAt(0)`, 104.0}, {`s.charCodeAt(99)`, nan}, {`page.vars.emoji.codePointAt(1)`, 128512.0},
		{`s.slice(0, 5)`, "hello"}, {`s.slice(-5)`, "world"}, {`s.substring(5, 0)`, "hello"}, {`s.substr(-5, 2)`, "wo"},
		{`page.vars.emoji.slice(1, 3)`, "😀"}, {`s.indexOf("o")`, 4.0}, {`s.indexOf("o", 5)`, 7.0},
		{`s.indexOf("z")`, -1.0}, {`s.lastIndexOf("o")`, 7.0}, {`page.vars.emoji.indexOf("b")`, 3.0},
		{`s.split(" ")`, []any{"hello", "world"}}, {`"ab".split("")`, []any{"a", "b"}},
		{`"a,b,c".split(",", 2)`, []any{"a", "b"}}, {`"abc".split()`, []any{"abc"}},
		{`"a1b22c".split(/\d+/)`, []any{"a", "b", "c"}}, {`"".split("")`, undefined},
		{`s.replace("o", "0")`, "hell0 world"}, {`s.replaceAll("o", "0")`, "hell0 w0rld"},
		{`s.replace(/o/g, "0")`, "hell0 w0rld"}, {`s.replace(/(\w+) (\w+)/, "$2 $1")`, "world hello"},
		{`s.replace(/o/g, x => x.toUpperCase())`, "hellO wOrld"}, {`"a.b".replace(".", "$&$&")`, "a..b"},
		{`"ab".replaceAll("", "-")`, "-a-b-"},
		{`"7".padStart(3, "0")`, "007"}, {`"7".padEnd(3)`, "7  "}, {`"ab".repeat(2)`, "abab"},
		{`"a".concat("b", 1)`, "ab1"}, {`s.toString()`, "hello world"}, {`"a".localeCompare("b")`, -1.0},
		{`"e\u0301".normalize().length`, 1.0}, {`s.valueOf()`, "hello world"},
		{`s.match(/o/g)`, []any{"o", "o"}}, {`s.match(/z/)`, nil}, {`s.match(/(h)(x)?/)`, []any{"h", "h", undefined}},
		{`s.search(/w/)`, 6.0}, {`s.match("wor")[0]`, "wor"},
		// Patterns.
		{`/^hel+o/.test(s)`, true}, {`/HELLO/i.test(s)`, true}, {`s =~ /wor/`, true}, {`s =~ /zzz/`, false},
		{`nope =~ /undef/`, true}, {`/(\d+)-\1/.test("12-12")`, true}, {`/a(?=b)/.test("ab")`, true},
		{`/a(?!b)/.test("ab")`, false}, {`/x(.)/.exec("axb")`, []any{"xb", "b"}}, {`/a/.source`, "a"},
		{"`${/a/gi}`", "/a/gi"}, {`/\s/.test("\u00a0")`, true}, {`/^b$/im.test("A\nB")`, true},
		{`/^b$/.test("a\nb")`, false}, {`/a.b/s.test("a\nb")`, true}, {`/./u.test("😀")`, true},
		// Lists' methods.
		{`arr.at(-1)`, 3.0}, {`arr.includes(2)`, true}, {`arr.includes("2")`, false}, {`arr.some(x => x > 2)`, true},
		{`arr.every(x => x > 2)`, false}, {`[].every(x => false)`, true}, {`[].some(x => true)`, false},
		{`arr.map(x => x * 2)`, []any{2.0, 4.0, 6.0}}, {`arr.map((x, i) => i)`, []any{0.0, 1.0, 2.0}},
		{`arr.filter(x => x % 2)`, []any{1.0, 3.0}},
		{`arr.reduce((a, b) => a + b)`, 6.0}, {`arr.reduce((a, b) => a + b, "")`, "123"},
		{`arr.reduceRight((a, b) => a + b, "")`, "321"}, {`arr.find(x => x > 1)`, 2.0},
		{`arr.find(x => x > 9)`, undefined}, {`arr.findIndex(x => x > 1)`, 1.0}, {`arr.findLast(x => x < 3)`, 2.0},
		{`arr.indexOf(3)`, 2.0}, {`arr.lastIndexOf(9)`, -1.0},
		{`arr.join("-")`, "1-2-3"}, {`[1, null, undefined_ = 2]`, errors.New("assignment")},
		{`arr.slice(1)`, []any{2.0, 3.0}}, {`arr.slice(-2, -1)`, []any{2.0}},
		{`arr.concat([4], 5)`, []any{1.0, 2.0, 3.0, 4.0, 5.0}}, {`[[1], [2, [3]]].flat()`, []any{1.0, 2.0, []any{3.0}}},
		{`arr.flatMap(x => [x, x])`, []any{1.0, 1.0, 2.0, 2.0, 3.0, 3.0}},
		{`[3, 10, 2].sort()`, []any{10.0, 2.0, 3.0}}, {`[3, 10, 2].sort((a, b) => a - b)`, []any{2.0, 3.0, 10.0}},
		{`arr.reverse()`, []any{3.0, 2.0, 1.0}}, {`(arr.reverse(), arr[0])`, 1.0}, {`arr.push(4)`, 4.0},
		{`arr.pop()`, 3.0}, {`arr.shift()`, 1.0}, {`arr.toString()`, "1,2,3"}, {`arr.forEach(x => x)`, undefined},
		{`arr.with(0, 9)`, []any{9.0, 2.0, 3.0}},
		{`objs.map(o => o.n)`, []any{"x", "y"}}, {`objs.filter(o => o.on).length`, 1.0},
		{`objs.some(o => o.on === true)`, true}, {`objs.find(o => o.n === "y").n`, "y"},
		{`objs.map(o => o.n).join()`, "x,y"}, {`arr.map(function(x) { return x + 1 })`, []any{2.0, 3.0, 4.0}},
		{`arr.map(x => { return x })`, []any{1.0, 2.0, 3.0}}, {`arr.map(x => arr.filter(y => y > x).length)`,
			[]any{2.0, 1.0, 0.0}}, {`arr.map(x => s.length + x)`, []any{12.0, 13.0, 14.0}},
		{`(x => x + 1)(1)`, 2.0}, {`((a, b) => b)(1)`, undefined}, {`arr.map(({x}) => x)`, undefined},
		{`arr.map((...x) => x)`, undefined}, {`arr.map((x = 1) => x)`, undefined}, {`s.slice.call(s, 0, 5)`, "hello"},
		{`arr.map(s.charAt)`, []any{"e", "l", "l"}},
		// Numbers.
		{`(255).toString(16)`, "ff"}, {`(0.5).toString(2)`, "0.1"}, {`(1.005).toFixed(1)`, "1.0"},
		{`(1234.5).toPrecision(2)`, "1.2e+3"}, {`(12).toPrecision(4)`, "12.00"},
		{`(12345).toExponential(2)`, "1.23e+4"}, {`visitor.claims.seats.toFixed(1)`, "12.0"},
		{`true.toString()`, "true"}, {`visitor.claims.seats > 10 && visitor.claims.plan === "pro"`, true},
	}
	for _, test := range tests {
		got, err := evaluate(t, test.source)
		if want, ok := test.want.(error); ok {
			if err == nil || !strings.Contains(err.Error(), want.Error()) {
				t.Errorf("%s: got %v, error %v, want an error with %q", test.source, got, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.source, err)
			continue
		}
		if diff := cmp.Diff(test.want, got, cmp.Comparer(sameFloat)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.source, diff)
		}
	}
	if len(tests) < 150 {
		t.Errorf("only %d cases", len(tests))
	}
}

func sameFloat(a, b float64) bool { return a == b || a != a && b != b }

func evaluate(t *testing.T, source string) (any, error) {
	t.Helper()
	program, err := Parse(source)
	if err != nil {
		return nil, err
	}
	return program.Eval(t.Context(), sample(), Limits{})
}

func TestEvalErrors(t *testing.T) {
	tests := []string{
		``, `   `, `// only a comment`, `;`, `1; 2`, "1\n2", `{a: 1}`, `{}`, `while (1) 1`, `const a = 1`, `if (1) 2`,
		`function f() {}`, `(`, `1 +`, `'a`, `a b`, `return 1`,
		`a?.b`, `visitor?.claims`, `arr?.[0]`, `nope?.()`, `n = 1`, `n += 1`, `visitor.claims.plan = "x"`, `[a] = [1]`,
		`n ||= 1`, `await n`, `import("x")`, `class {}`, `(class {})`, `async () => 1`, `new.target`, `super.x`,
		`"a" in nope`, `"a" in 1`, `"a" in null`, `"a" in visitor.claims.missing`, `1 in nope.a`, `n instanceof Nope`,
		`arr instanceof Array`, `10n`, "tag`x`", `[1,,2]`, `[nope]`, `({a: nope})`, `({nope})`, `[undefined]`,
		`({a() {}})`, `({get a() { return 1 }})`,
		"`${nope.a}`", `+nope.a`, `-nope.a`, `~nope.a`, `nope.a++`, `"abc" =~ /b/`, `s =~ "b"`, `s.includes(/x/)`,
		`s.repeat(-1)`, `(1).toString(99)`, `(1).toFixed(101)`, `arr.map(1)`, `[].reduce((a, b) => a)`,
		`arr.map(x => nope)`, `arr.map(x => x.a.b)`, `arr.map(x => { if (x) return 1 })`, `arr.map(x => x?.y)`,
		`s.replaceAll(/o/, "x")`, `/a/y`, `/a/gg`, `/a/q`, `/(/`, `/[/`, `arr.map(async x => x)`, `s.at(...1)`,
		`yield 1`, `let x`, `debugger`, `label: 1`, "\xff",
	}
	for _, source := range tests {
		if got, err := evaluate(t, source); err == nil {
			t.Errorf("%s: got %#v, want an error", source, got)
		} else if kind := errs.KindOf(err); kind != errs.Invalid && kind != errs.TooLarge {
			t.Errorf("%s: error %v of kind %d", source, err, kind)
		}
	}
}

func TestBoolean(t *testing.T) {
	tests := map[string]bool{
		"": true, "  \n": true, "true": true, "false": false, "1": true, "0": false, "''": false, "nope": false,
		"null": false, "nope.a": true, "!nope.a": false,
		"visitor.claims.plan == 'pro'": true, "visitor.claims.plan == 'free'": false,
		"visitor.claims.unsigned.isBeta": false, "visitor.claims.missing": false,
		"visitor.claims.missing.deep": true, "visitor.claims.missing.deep === true": false, "syntax error": false,
		"nope?.a": false, "'a' in nope": false, "[]": true, "({})": true,
		"visitor.claims.groups.includes('beta')": true, "{": false,
	}
	for source, want := range tests {
		if got := Boolean(t.Context(), source, sample()); got != want {
			t.Errorf("Boolean(%q) = %v, want %v", source, got, want)
		}
	}
	if Boolean(t.Context(), "visitor.claims.unsigned.x", nil) != true {
		t.Error("a member of a missing parent is not truthy over an empty context")
	}
	if Boolean(t.Context(), "visitor.claims.unsigned.x === true", nil) {
		t.Error("a comparison passes without a context")
	}
}

func TestFormat(t *testing.T) {
	tests := []struct {
		value any
		want  string
	}{
		{"a b", "a b"}, {"", ""}, {true, "true"}, {false, "false"}, {1.0, "1"}, {1.5, "1.5"},
		{math.Copysign(0, -1), "0"}, {1e21, "1e+21"}, {1e-7, "1e-7"},
		{123456789012345680000.0, "123456789012345680000"}, {0.000001, "0.000001"}, {math.NaN(), "NaN"},
		{math.Inf(-1), "-Infinity"},
		{7, "7"}, {int64(8), "8"}, {nil, ""}, {Undefined{}, ""}, {Missing{}, ""}, {[]any{1.0}, ""},
		{map[string]any{"a": 1.0}, ""}, {5e-324, "5e-324"}, {1.7976931348623157e308, "1.7976931348623157e+308"},
	}
	for _, test := range tests {
		if got := Format(test.value); got != test.want {
			t.Errorf("Format(%v) = %q, want %q", test.value, got, test.want)
		}
	}
}

func TestPlain(t *testing.T) {
	value, err := evaluate(t, `[1, nan = 0]`)
	if err == nil {
		t.Fatalf("got %v", value)
	}
	value, err = evaluate(t, `({a: 0/0, b: [visitor.claims.missing, x => x, "s"], c: null, d: 1/0})`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": nil, "b": []any{nil, nil, "s"}, "c": nil, "d": nil}
	if diff := cmp.Diff(want, Plain(value)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestVariables(t *testing.T) {
	tests := []struct {
		source  string
		want    []string
		visitor bool
	}{
		{`visitor.claims.plan === "pro" && space.vars.x`, []string{"space.vars.x", "visitor.claims.plan"}, true},
		{`space.vars.list.some(x => x.y === page.vars.z)`, []string{"page.vars.z", "space.vars.list.some"}, false},
		{"`${page.vars.a}` + [space.vars.b][0] + ({c: space.vars.c}).c", []string{"page.vars.a", "space.vars.b",
			"space.vars.c"}, false},
		{`visitor["claims"] ? 1 : function(a) { return a.b }`, []string{"visitor"}, true},
		{`1 + 1`, []string{}, false},
		{`!x && -y, [...z]`, []string{"x", "y", "z"}, true},
	}
	for _, test := range tests {
		program, err := Parse(test.source)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, program.Variables()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.source, diff)
		}
		if got := program.UsesVisitor(); got != test.visitor {
			t.Errorf("%s: UsesVisitor = %v", test.source, got)
		}
	}
}

func TestContextIsUnchanged(t *testing.T) {
	variables := sample()
	for _, source := range []string{`n++`, `delete visitor.claims.plan`, `arr.sort((a, b) => b - a)`, `arr.reverse()`,
		`arr.push(1)`, `({...visitor}).claims`} {
		program, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := program.Eval(t.Context(), variables, Limits{}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(sample(), variables); diff != "" {
		t.Errorf("the context changed (-want +got):\n%s", diff)
	}
}

func TestParseCondition(t *testing.T) {
	if _, err := ParseCondition(strings.Repeat(" ", MaxCondition) + "1"); !errs.Is(err, errs.TooLarge) {
		t.Errorf("got %v, want TooLarge", err)
	}
	program, err := ParseCondition("visitor.claims.x")
	if err != nil || program.Source() != "visitor.claims.x" {
		t.Errorf("got %v, %v", program, err)
	}
}

// hostile are sources that cost a naive evaluator its stack, its memory or its time.
func hostile() map[string]string {
	return map[string]string{
		"parentheses":        strings.Repeat("(", 4000),
		"closed parentheses": strings.Repeat("(", 2000) + "1" + strings.Repeat(")", 2000),
		"brackets":           strings.Repeat("[", 4000),
		"braces":             "(" + strings.Repeat("{a:", 1300),
		"far too many":       strings.Repeat("(", 3_000_000),
		"nots":               strings.Repeat("!", 4095) + "1",
		"minus":              strings.Repeat("- ", 2047) + "1",
		"typeof":             strings.Repeat("typeof ", 580) + "1",
		"void":               strings.Repeat("void ", 800) + "1",
		"conditionals":       strings.Repeat("1?1:", 1000) + "1",
		"inner conditionals": strings.Repeat("1?", 1000) + "1" + strings.Repeat(":1", 1000),
		"powers":             strings.Repeat("2**", 1300) + "2",
		"arrows":             strings.Repeat("a=>", 1300) + "1",
		"arrow parameters":   strings.Repeat("(a=", 60) + "1" + strings.Repeat(")=>1", 60),
		"eight arrows":       strings.Repeat("(a=", 8) + "1" + strings.Repeat(")=>1", 8),
		"async arrows":       strings.Repeat("async(a=", 8) + "1" + strings.Repeat(")=>1", 8),
		"yields":             "(function*(){" + strings.Repeat("yield ", 600) + "1})",
		"templates":          strings.Repeat("`${", 600) + "1" + strings.Repeat("}`", 600),
		"dots":               "a" + strings.Repeat(".a", 2000),
		"calls":              "a" + strings.Repeat("()", 2000),
		"sum":                "1" + strings.Repeat("+1", 2000),
		"ors":                "a" + strings.Repeat("||a", 1300),
		"new":                strings.Repeat("new ", 1000) + "a",
		"regex nesting":      "/" + strings.Repeat("(", 1500) + strings.Repeat(")", 1500) + "/.test('a')",
		"regex repeats":      `/((((a{99}){99}){99}){99}){99}/.test("a")`,
		"regex backtracking": `/^(?=(a+)+$)(a+)+$/.test("` + strings.Repeat("a", 2000) + `!")`,
		"regex many": `"` + strings.Repeat("a", 1000) + `!".split("").map(x => /(a+)+\1$/.test("` +
			strings.Repeat("a", 60) + `!"))`,
		"regex on long text": `/(x+x+)+y/.test("x".repeat(60000))`,
		"repeat":             `"a".repeat(1e9)`,
		"repeat nested":      `"a".repeat(65536).split("").map(x => "a".repeat(65536))`,
		"pad":                `"a".padStart(1e12)`,
		"doubling":           `[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28].reduce((a, b) => a + a, "aaaaaaaa")`,
		"list doubling":      `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".split("").reduce((a, b) => a.concat(a), [1])`,
		"template doubling":  "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\".split('').reduce((a, b) => `${a}${a}`, 'xy')",
		"flat map":           `"aaaaaaaaaaaaaaaaaaaaaa".split("").reduce((a, b) => a.flatMap(x => [x, x]), [1])`,
		"join separator":     `"a".repeat(9000).split("").join("b".repeat(60000))`,
		"replace":            `"a".repeat(60000).replaceAll("a", "b".repeat(60000))`,
		"replace prefix":     "\"a\".repeat(60000).replace(/a/g, \"$`\")",
		"split":              `"a".repeat(65536).split("")`,
		"self application":   `(x => x(x))(x => x(x))`,
		"y combinator":       `(f => (x => f(y => x(x)(y)))(x => f(y => x(x)(y))))(f => n => f(n))(1)`,
		"nested loops":       `"a".repeat(300).split("").map(a => "a".repeat(300).split("").map(b => a + b))`,
		"sort":               `"a".repeat(9000).split("").sort((a, b) => "x".repeat(60000) < "y")`,
		"cyclic text":        `[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]] + ""`,
		"big shift":          `1 << 1e300`,
		"big number":         `9e999 ** 9e999`,
		"long number":        strings.Repeat("9", 4000),
		"source map":         "1\n//# sourceMappingURL=file:///etc/passwd",
		"comment open":       "/*" + strings.Repeat("*", 4000),
		"identifier escapes": strings.Repeat(`\u0061`, 600),
		"nul":                "\x00",
		"index":              `arr[1e300]`,
		"radix":              `(1e300).toString(2)`,
		"normalize":          `"\u0344".repeat(20000).normalize("NFD")`,
	}
}

func TestHostile(t *testing.T) {
	for name, source := range hostile() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			value, err := evaluate(t, source)
			if took := time.Since(start); took > time.Second {
				t.Errorf("took %v (%v)", took, err)
			}
			if kind := errs.KindOf(err); err != nil && kind != errs.Invalid && kind != errs.TooLarge {
				t.Errorf("error %v of kind %d", err, kind)
			}
			if text, ok := value.(string); ok && len(text) > 64<<10 {
				t.Errorf("made %d bytes", len(text))
			}
		})
	}
}

func TestSharedBudget(t *testing.T) {
	program, err := Parse(`"a".repeat(100).split("").map(x => x + x).join("")`)
	if err != nil {
		t.Fatal(err)
	}
	budget := 100_000
	count := 0
	for ; count < 1000; count++ {
		if _, err = program.Eval(t.Context(), nil, Limits{Shared: &budget}); err != nil {
			break
		}
	}
	if !errs.Is(err, errs.TooLarge) || count < 2 {
		t.Errorf("%d evaluations, then %v", count, err)
	}
}

func TestSourceMapIsNotRead(t *testing.T) {
	value, err := evaluate(t, "1\n//# sourceMappingURL=/dev/zero")
	if err != nil || value != 1.0 {
		t.Errorf("got %v, %v", value, err)
	}
}

func FuzzEval(f *testing.F) {
	for _, source := range hostile() {
		if len(source) <= MaxSource {
			f.Add(source)
		}
	}
	for _, source := range []string{"visitor.claims.plan === 'pro'", "`${n}`", "arr.map(x => x + 1)", "s =~ /a/",
		"({a: [1, ...arr]})", "s.replace(/o/g, '$1')", "n++ + --n"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		start := time.Now()
		defer func() {
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		}()
		program, err := Parse(source)
		if err != nil {
			return
		}
		program.Variables()
		value, err := program.Eval(t.Context(), sample(), Limits{})
		if err != nil {
			if kind := errs.KindOf(err); kind != errs.Invalid && kind != errs.TooLarge {
				t.Fatalf("error %v of kind %d", err, kind)
			}
			return
		}
		Format(value)
		Plain(value)
		again, err := program.Eval(t.Context(), sample(), Limits{})
		if err != nil || Format(again) != Format(value) {
			t.Fatalf("a second evaluation gives %v, %v after %v", again, err, value)
		}
	})
}

func BenchmarkEval(b *testing.B) {
	program, err := Parse(`visitor.claims.seats > 10 && visitor.claims.plan === "pro"`)
	if err != nil {
		b.Fatal(err)
	}
	variables := sample()
	for b.Loop() {
		if _, err := program.Eval(b.Context(), variables, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestComparedValues(t *testing.T) {
	for source, want := range map[string]map[string][]any{
		`visitor.claims.plan === "pro" || "free" == visitor.claims.plan`:                                         {"visitor.claims.plan": {"pro", "free"}},
		`!(visitor.claims.beta !== true) && visitor.claims.seats === 3`:                                          {"visitor.claims.beta": {true}, "visitor.claims.seats": {3.0}},
		`visitor.claims.groups.includes("staff")`:                                                                {"visitor.claims.groups": {"staff"}},
		`["a", "b"].includes(visitor.claims.unsigned.plan)`:                                                      {"visitor.claims.unsigned.plan": {"a", "b"}},
		`visitor.claims.groups.some(g => visitor.claims.lead === g || g === "x" || visitor.claims.lead === "y")`: {"g": {"x"}, "visitor.claims.lead": {"y"}},
		`visitor.claims.email.endsWith("@example.org")`:                                                          {},
		`visitor.claims.plan > 3`:                                                                                {},
		`visitor.claims.plan === visitor.claims.other`:                                                           {},
	} {
		program, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, program.Compared()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
	}
}
