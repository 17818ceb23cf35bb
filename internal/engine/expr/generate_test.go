package expr

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// variable is a name that random expressions may use, with its value here and in JavaScript.
type variable struct {
	name   string
	kind   kind
	value  any
	source string
}

// kind is what a random expression is meant to yield; anything takes all of them.
type kind int

const (
	anything kind = iota
	number
	text
	boolean
	list
	numbers // a list of finite numbers
	object
	expression // a regular expression
)

// variables are the context of random expressions.
func variables() []variable {
	return []variable{
		{"n", number, 42.0, `42`}, {"half", number, -2.5, `-2.5`}, {"zero", number, 0.0, `0`},
		{"minus0", number, math.Copysign(0, -1), `-0`}, {"nan", number, math.NaN(), `NaN`},
		{"inf", number, math.Inf(1), `Infinity`}, {"huge", number, 1.5e21, `1.5e21`}, {"tiny", number, 5e-7, `5e-7`},
		{"max", number, math.MaxFloat64, `Number.MAX_VALUE`}, {"least", number, 5e-324, `5e-324`},
		{"safe", number, 9007199254740993.0, `9007199254740993`},
		{"s", text, "Hello, World", `"Hello, World"`}, {"blank", text, "", `""`}, {"spaced", text, " 12\n", `" 12\n"`},
		{"wide", text, "naïve ß 😀\u00a0Ωk", `"naïve ß 😀\u00a0Ωk"`}, {"hex", text, "0x1F", `"0x1F"`},
		{"digits", text, "10,9,-8.5", `"10,9,-8.5"`},
		{"yes", boolean, true, `true`}, {"no", boolean, false, `false`}, {"none", anything, nil, `null`},
		{"ints", numbers, []any{3.0, 10.0, 2.0, -1.0, 10.0}, `[3, 10, 2, -1, 10]`},
		{"words", list, []any{"b", "a", "", "Á", "aa", "10", "9"}, `["b", "a", "", "Á", "aa", "10", "9"]`},
		{"mixed", list, []any{1.0, "1", nil, true, math.NaN(), []any{1.0, []any{2.0}}, map[string]any{"a": 1.0}},
			`[1, "1", null, true, NaN, [1, [2]], {a: 1}]`},
		{"o", object, map[string]any{"a": 1.0, "b": "two", "c": []any{1.0, 2.0}, "d": map[string]any{"e": nil},
			"10": 0.0},
			`{a: 1, b: "two", c: [1, 2], d: {e: null}, 10: 0}`},
		{"rows", list, []any{map[string]any{"a": 2.0, "b": "x"}, map[string]any{"a": 1.0}, map[string]any{"b": ""}},
			`[{a: 2, b: "x"}, {a: 1}, {b: ""}]`},
	}
}

// source is a random expression: as it is here, and as JavaScript computes the same from it. The two differ by calls of
// functions of oracle.mjs around values, which say where the languages part, and by nothing else, so that both parse
// the same operators.
type source struct {
	ours, js string
	// primary says that a member can be read without parentheses around it.
	primary bool
}

// generator makes random expressions.
type generator struct {
	*rand.Rand
	// parameters are the names that callbacks around bind.
	parameters []variable
	arrows     int
}

func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// form puts parts into a format with as many %s.
func form(format string, parts ...source) source {
	ours, js := make([]any, len(parts)), make([]any, len(parts))
	for i, part := range parts {
		ours[i], js[i] = part.ours, part.js
	}
	return source{ours: fmt.Sprintf(format, ours...), js: fmt.Sprintf(format, js...)}
}

func plain(s string) source { return source{ours: s, js: s} }

func primary(s source) source {
	s.primary = true
	return s
}

// whole marks what may make half of a surrogate pair.
func whole(s source) source {
	s.js = "$whole(" + s.js + ")"
	return primary(s)
}

// receiver is an expression that a member is read of.
func (g *generator) receiver(s source) source {
	if !s.primary {
		s.ours = "(" + s.ours + ")"
	}
	if len(g.parameters) > 0 {
		s.js = "(" + s.js + ")"
	} else {
		s.js = "$there((" + s.js + "))"
	}
	return primary(s)
}

// spread is an expression whose elements a list takes in.
func (g *generator) spread(s source) source {
	return primary(source{ours: "(" + s.ours + ")", js: "$list((" + s.js + "))"})
}

// expression makes one of a kind, now and then of another.
func (g *generator) expression(of kind, depth int) source {
	if g.IntN(12) == 0 {
		of = anything
	}
	if of == anything {
		of = pick(g.Rand, number, number, text, text, boolean, list, numbers, object, expression)
	}
	if depth <= 0 || g.IntN(7) == 0 {
		return g.leaf(of)
	}
	if g.IntN(9) == 0 {
		return g.choice(of, depth-1)
	}
	switch of {
	case number:
		return g.number(depth - 1)
	case text:
		return g.text(depth - 1)
	case boolean:
		return g.boolean(depth - 1)
	case list, numbers:
		return g.list(of, depth-1)
	case object:
		return g.object(depth - 1)
	}
	return g.leaf(of)
}

// operand is an expression in parentheses, or bare, so that precedence decides.
func (g *generator) operand(of kind, depth int) source {
	made := g.expression(of, depth)
	if g.IntN(2) == 0 {
		return form("(%s)", made)
	}
	return made
}

func (g *generator) leaf(of kind) source {
	if of == expression {
		return g.pattern(pick(g.Rand, "", "g", "i", "gi", "m", "s", "u"))
	}
	if g.IntN(2) == 0 {
		known := slices.Concat(variables(), g.parameters, g.parameters)
		matching := slices.DeleteFunc(known, func(v variable) bool { return v.kind != of && v.kind != anything })
		if len(matching) > 0 {
			return primary(plain(pick(g.Rand, matching...).name))
		}
	}
	switch of {
	case number:
		return plain(pick(g.Rand, "0", "1", "2", "3", "7", "0.5", "2.5", "1.005", ".1", "5.", "1e3", "1e21", "1e-7",
			"123456.789",
			"0xff", "0b101", "0o17", "1_000", "2147483648", "4294967295", "9007199254740993", "-1", "-0", "- 3",
			strconv.FormatFloat(g.NormFloat64()*100, 'g', -1, 64)))
	case text:
		return primary(plain(pick(g.Rand, `""`, `"a"`, `'b'`, `"it's"`, `'say "x"'`, `"\n\t"`, `"\u00e9"`, `"\x41"`,
			`"\u{1F600}"`, `"10"`, `" 7 "`, `"-0"`, `"1e3"`, `"0b11"`, `"Infinity"`, `"length"`, `"aXbXc"`, `"$&$1$$"`,
			`"toString"`, "`tick`", `"ǆ İ ﬁ"`, `"null"`)))
	case boolean:
		return primary(plain(pick(g.Rand, "true", "false")))
	case list:
		return primary(plain(pick(g.Rand, `[1]`, `["a", "b"]`, `[null]`, `[[1, 2], [3]]`, `["", 0, false]`)))
	case numbers:
		return primary(plain(pick(g.Rand, `[1, 2, 3]`, `[5, -5, 0.5]`, `[100]`)))
	case object:
		return primary(plain(pick(g.Rand, `({a: 1})`, `({"b": "x", 3: 4})`, `({})`)))
	}
	return primary(plain("null"))
}

func (g *generator) choice(of kind, depth int) source {
	switch g.IntN(5) {
	case 0:
		return form("%s ? %s : %s", g.operand(anything, depth), g.operand(of, depth), g.operand(of, depth))
	case 1:
		if g.IntN(3) == 0 {
			// Beside && and || it needs parentheses in JavaScript and not here, see TestOutsideJavaScript.
			return primary(form("((%s) ?? (%s))", g.expression(anything, depth), g.expression(of, depth)))
		}
		return form("%s "+pick(g.Rand, "&&", "||")+" %s", g.operand(anything, depth), g.operand(of, depth))
	case 2:
		return primary(form("(%s, %s)", g.expression(anything, depth), g.expression(of, depth)))
	case 3:
		if g.arrows < 4 {
			g.arrows++
			argument := g.expression(of, depth)
			return whole(form("(%s)(%s)", g.callback(depth, of, of), argument))
		}
	}
	return g.read(depth)
}

// read is a member of something.
func (g *generator) read(depth int) source {
	if g.IntN(2) == 0 {
		name := pick(g.Rand, "a", "b", "c", "d", "length", "missing")
		return primary(form("%s."+name, g.receiver(g.expression(pick(g.Rand, object, list, text), depth))))
	}
	receiver := g.receiver(g.expression(pick(g.Rand, object, list, text), depth))
	key := g.expression(pick(g.Rand, number, text), depth)
	key.js = "$key((" + key.js + "))"
	return whole(form("%s[%s]", receiver, key))
}

func (g *generator) number(depth int) source {
	switch g.IntN(6) {
	case 0, 1:
		if g.IntN(8) == 0 {
			// Powers that are exact; what others are rounded to is the engine's choice.
			return plain(pick(g.Rand, "2", "3", "10", "0.5", "yes", "none", "zero", "minus0", "inf", "nan", `"2"`,
				"n") + " ** " +
				pick(g.Rand, "0", "1", "2", "3", "inf", "nan", "minus0", `"2"`, "3 ** 2", "yes"))
		}
		operator := pick(g.Rand, "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>")
		of := pick(g.Rand, number, number, number, anything)
		return form("%s "+operator+" %s", g.operand(of, depth), g.operand(of, depth))
	case 2:
		return form(pick(g.Rand, "- ", "+ ", "~ ")+"%s", g.operand(pick(g.Rand, number, text, anything), depth))
	case 3:
		name := pick(g.Rand, "indexOf", "lastIndexOf", "charCodeAt", "codePointAt", "search")
		return g.textCall(name, depth)
	case 4:
		return g.listCall(pick(g.Rand, "indexOf", "lastIndexOf", "findIndex", "findLastIndex", "reduce", "push",
			"unshift"), list, depth)
	}
	return primary(form("%s.length", g.receiver(g.expression(pick(g.Rand, text, list), depth))))
}

func (g *generator) text(depth int) source {
	switch g.IntN(8) {
	case 0:
		return form("%s + %s", g.operand(text, depth), g.operand(anything, depth))
	case 1:
		return primary(form("`<${%s}${%s}>`", g.expression(anything, depth), g.expression(anything, depth)))
	case 2:
		return form("typeof %s", g.operand(anything, depth))
	case 3:
		return g.numberCall(depth)
	case 4:
		return g.listCall(pick(g.Rand, "join", "toString", "reduceRight"), list, depth)
	}
	return g.textCall(pick(g.Rand, "at", "charAt", "slice", "substring", "substr", "padStart", "padEnd", "repeat",
		"concat",
		"normalize", "toLowerCase", "toUpperCase", "trim", "trimStart", "trimEnd", "toString", "valueOf", "replace",
		"replace",
		"replaceAll"), depth)
}

func (g *generator) boolean(depth int) source {
	switch g.IntN(7) {
	case 0, 1:
		of := pick(g.Rand, number, text, anything)
		if g.IntN(2) == 0 {
			return form("%s "+pick(g.Rand, "==", "!=", "===", "!==")+" %s", g.operand(of, depth), g.operand(of, depth))
		}
		// Several without parentheses are read from the right, see TestOutsideJavaScript.
		operator := pick(g.Rand, "<", ">", "<=", ">=")
		return primary(form("(%s "+operator+" %s)", g.operand(of, depth), g.operand(of, depth)))
	case 2:
		return form("! %s", g.operand(anything, depth))
	case 3:
		return g.listCall(pick(g.Rand, "includes", "every", "some"), list, depth)
	case 4:
		return g.patternCall(depth)
	case 5:
		if g.IntN(2) == 0 {
			container := g.object(depth)
			container.js = "$container((" + container.js + "))"
			return primary(form("(%s in %s)", g.operand(text, depth), container))
		}
		return primary(form("%s.hasOwnProperty(%s)", g.receiver(g.expression(pick(g.Rand, object, list, text), depth)),
			g.expression(pick(g.Rand, text, number), depth)))
	}
	return g.textCall(pick(g.Rand, "includes", "startsWith", "endsWith"), depth)
}

func (g *generator) list(of kind, depth int) source {
	if of == numbers {
		switch g.IntN(3) {
		case 0:
			return g.listCall("sort", numbers, depth)
		case 1:
			return g.listCall(pick(g.Rand, "slice", "reverse", "filter"), numbers, depth)
		}
		return primary(form("[%s, ...%s]", plain(strconv.Itoa(g.IntN(20)-5)), g.spread(g.leaf(numbers))))
	}
	switch g.IntN(6) {
	case 0:
		return primary(form("[%s, %s]", g.expression(anything, depth), g.expression(anything, depth)))
	case 1:
		return primary(form("[...%s, %s]", g.spread(g.expression(list, depth)), g.expression(anything, depth)))
	case 2:
		return g.textCall(pick(g.Rand, "split", "split", "match"), depth)
	case 3:
		receiver, flags := g.receiver(g.expression(text, depth)), pick(g.Rand, "g", "gi")
		return primary(whole(form("[...%s.matchAll(%s)]", receiver, g.pattern(flags))))
	}
	return g.listCall(pick(g.Rand, "slice", "concat", "flat", "filter", "map", "flatMap", "with", "sort", "toSorted",
		"reverse",
		"toReversed", "find", "findLast", "at", "pop", "shift", "forEach"), list, depth)
}

func (g *generator) object(depth int) source {
	switch g.IntN(3) {
	case 0:
		name := g.expression(text, depth)
		name.js = "$name(" + name.js + ")"
		return primary(form("({a: %s, [%s]: %s})", g.expression(anything, depth), name, g.expression(anything, depth)))
	case 1:
		spread := g.expression(pick(g.Rand, object, list, text), depth)
		spread.ours, spread.js = "("+spread.ours+")", "$members(("+spread.js+"))"
		return primary(form("({...%s, b: %s})", spread, g.expression(anything, depth)))
	}
	return g.leaf(object)
}

// callback makes an arrow function of one to three parameters.
func (g *generator) callback(depth int, first, result kind) source {
	around := g.parameters
	defer func() { g.parameters = around }()
	names := []string{"x", "y", "z"}
	level := strconv.Itoa(len(around) / 3)
	// The scope always has three names, of which only those that are declared here are used.
	declared := 1 + g.IntN(3)
	g.parameters = slices.Clone(around)
	for i, name := range names[:declared] {
		of := first
		if i == 1 {
			of = number
		} else if i == 2 {
			of = list
		}
		g.parameters = append(g.parameters, variable{name: name + level, kind: of})
	}
	list := "(" + strings.Join(func() (out []string) {
		for _, name := range names[:declared] {
			out = append(out, name+level)
		}
		return out
	}(), ", ") + ")"
	body := g.expression(result, depth-1)
	if g.IntN(4) == 0 {
		return form(list+" => { return %s; }", body)
	}
	return form(list+" => (%s)", body)
}

// small is an argument that counts or says a place: mostly a small number.
func (g *generator) small(depth int) source {
	if g.IntN(5) == 0 {
		return g.expression(pick(g.Rand, number, anything), depth)
	}
	return plain(pick(g.Rand, "0", "1", "2", "3", "5", "20", "-1", "-2", "-30", "1.7", `"2"`, "nan", "inf", "yes",
		"none"))
}

func (g *generator) textCall(name string, depth int) source {
	receiver := g.receiver(g.expression(text, depth))
	var arguments []source
	switch name {
	case "includes", "startsWith", "endsWith", "indexOf", "lastIndexOf":
		arguments = []source{g.expression(text, depth), g.small(depth)}
	case "at", "charAt", "charCodeAt", "codePointAt":
		arguments = []source{g.small(depth)}
	case "slice", "substring", "substr":
		arguments = []source{g.small(depth), g.small(depth)}
	case "padStart", "padEnd":
		arguments = []source{plain(pick(g.Rand, "0", "3", "9", "15.5", "-1", "nan")), g.expression(text, depth)}
	case "repeat":
		arguments = []source{plain(pick(g.Rand, "0", "1", "2.9", "3", "-1", "nan", `"2"`))}
	case "concat":
		arguments = []source{g.expression(anything, depth), g.expression(anything, depth)}
	case "normalize":
		arguments = []source{plain(pick(g.Rand, `"NFC"`, `"NFD"`, `"NFKC"`, `"NFKD"`, `"x"`))}
	case "search", "match":
		arguments = []source{g.pattern(pick(g.Rand, "", "g", "i"))}
		return whole(form("%s."+name+"(%s)", receiver, arguments[0]))
	case "split":
		arguments = []source{g.expression(pick(g.Rand, text, text, expression), depth), g.small(depth)}
	case "replace":
		arguments = []source{g.expression(pick(g.Rand, text, expression), depth), g.replacement(depth)}
		return whole(form("%s."+name+"(%s, %s)", receiver, arguments[0], arguments[1]))
	case "replaceAll":
		sought := g.expression(text, depth)
		if g.IntN(2) == 0 {
			sought = g.pattern(pick(g.Rand, "g", "gi", "gm"))
		}
		return whole(form("%s."+name+"(%s, %s)", receiver, sought, g.replacement(depth)))
	}
	return g.called(receiver, name, arguments)
}

// called leaves the last arguments out now and then.
func (g *generator) called(receiver source, name string, arguments []source) source {
	arguments = arguments[:len(arguments)-g.IntN(len(arguments)/2+1)]
	format := "%s." + name + "(" + strings.TrimSuffix(strings.Repeat("%s, ", len(arguments)), ", ") + ")"
	return whole(form(format, append([]source{receiver}, arguments...)...))
}

func (g *generator) replacement(depth int) source {
	if g.arrows < 4 && g.IntN(3) == 0 {
		g.arrows++
		return g.callback(depth, text, text)
	}
	return primary(plain(pick(g.Rand, `""`, `"-"`, `"[$&]"`, `"$$"`, `"$1$2"`, `"$0$10"`, "\"$`\"", `"$'"`, `"$"`,
		`"$<x>"`)))
}

func (g *generator) listCall(name string, of kind, depth int) source {
	receiver := g.receiver(g.expression(of, depth))
	if pick(g.Rand, true, false) && of == list {
		receiver = g.receiver(g.leaf(list))
	}
	var arguments []source
	switch name {
	case "includes", "indexOf", "lastIndexOf":
		arguments = []source{g.expression(anything, depth)}
		if g.IntN(3) == 0 {
			arguments = append(arguments, g.small(depth))
		}
	case "every", "some", "find", "findIndex", "findLast", "findLastIndex", "filter", "map", "flatMap", "forEach":
		if g.arrows >= 4 {
			return g.leaf(list)
		}
		g.arrows++
		first, result := anything, anything
		if of == numbers {
			first, result = number, boolean
		}
		return whole(form("%s."+name+"(%s)", receiver, g.callback(depth, first, result)))
	case "reduce", "reduceRight":
		if g.arrows >= 4 {
			return g.leaf(number)
		}
		g.arrows++
		function := g.callback(depth, anything, pick(g.Rand, text, number))
		if g.IntN(3) == 0 {
			return whole(form("%s."+name+"(%s)", receiver, function))
		}
		return whole(form("%s."+name+"(%s, %s)", receiver, function, g.expression(text, depth)))
	case "sort", "toSorted":
		receiver.js = "$copy(" + receiver.js + ")"
		if of == numbers && g.arrows < 4 {
			g.arrows++
			// What an order of other values that contradicts itself gives is the engine's choice.
			receiver = plain(pick(g.Rand, "[...ints, 7]", "[5, -5, 0.5]", "[3, 1, 2, 3]"))
			return whole(form("%s."+name+"("+pick(g.Rand, "(a, b) => a - b", "(a, b) => b - a",
				"(a, b) => a % 3 - b % 3")+")", receiver))
		}
	case "reverse", "pop", "shift":
		receiver.js = "$copy(" + receiver.js + ")"
	case "push", "unshift":
		receiver.js = "$copy(" + receiver.js + ")"
		arguments = []source{g.expression(anything, depth), g.expression(anything, depth)}
	case "at", "flat":
		arguments = []source{g.small(depth)}
	case "slice":
		arguments = []source{g.small(depth), g.small(depth)}
	case "concat":
		arguments = []source{g.expression(anything, depth), g.expression(list, depth)}
	case "with":
		return whole(form("%s.with(%s, %s)", receiver, g.small(depth), g.expression(anything, depth)))
	case "join":
		arguments = []source{g.expression(pick(g.Rand, text, text, anything), depth)}
	}
	return g.called(receiver, name, arguments)
}

func (g *generator) numberCall(depth int) source {
	name := pick(g.Rand, "toString", "toFixed", "toPrecision", "toExponential", "valueOf")
	receiver := g.receiver(g.expression(number, depth))
	switch name {
	case "toString":
		return primary(form("%s.toString("+pick(g.Rand, "", "2", "8", "10", "16", "36", "3", "1")+")", receiver))
	case "valueOf":
		return primary(form("%s.valueOf()", receiver))
	}
	return primary(form("%s."+name+"("+pick(g.Rand, "", "0", "1", "2", "5", "20", "100", "101", `"3"`)+")", receiver))
}

func (g *generator) patternCall(depth int) source {
	receiver, argument := g.receiver(g.pattern(pick(g.Rand, "", "i", "m", "s", "u"))),
		g.expression(pick(g.Rand, text, anything), depth)
	return whole(form("%s."+pick(g.Rand, "test", "exec")+"(%s)", receiver, argument))
}

// pattern is a literal of a regular expression.
func (g *generator) pattern(flags string) source {
	atom := func() string {
		if !strings.Contains(flags, "i") && g.IntN(12) == 0 {
			return pick(g.Rand, `\W`, "[^a-z,]") // ignoring case, see TestOutsideJavaScript
		}
		return pick(g.Rand, "a", "b", "X", "l", "o", " ", ",", ".", `\d`, `\w`, `\s`, `\S`, `\D`, "[a-z]",
			`\b`, "^", "$",
			"(a|b)", "(?:l+)", "(o)?", `\.`, "ß", `[\s\d]`, `(\w)\1`, "(?=o)", "(?!l)", `\u0041`, `\x6c`, "é",
			"(?<x>l)")
	}
	var out strings.Builder
	for range 1 + g.IntN(3) {
		made := atom()
		if strings.Contains(made, "<x>") && strings.Contains(out.String(), "<x>") {
			continue
		}
		out.WriteString(made)
		if !strings.ContainsAny(made, "^$?") && made != `\b` {
			out.WriteString(pick(g.Rand, "", "", "", "*", "+", "?", "{2}", "+?", "*?"))
		}
	}
	return primary(plain("/" + out.String() + "/" + flags))
}
