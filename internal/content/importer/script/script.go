// Package script owns reading configuration files that are programs: what docusaurus.config.js, sidebars.ts,
// astro.config.mjs and .vitepress/config.ts export, as data.
//
// A file runs in an engine of its own that reaches nothing: no files, no network, no function of Go. Memory and time
// are limited. What it imports is a stand-in that can be called and read and is nothing as data; a function that gets
// one object, as defineConfig does, returns it. The few types that TypeScript adds to such files are taken off
// before. What a file exports can be wrong on purpose: it is data of strangers, like the rest of an import.
package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"modernc.org/quickjs"
)

// Limits of a file.
const (
	// MaxSource is the longest file that is run, in bytes.
	MaxSource = 1 << 20
	maxMemory = 64 << 20
	maxTime   = 2 * time.Second
	maxResult = 4 << 20
)

// ErrLarge says that a file is longer than MaxSource, or exports more than it may.
var ErrLarge = errors.New("the configuration is too large to be read")

var (
	importLine = regexp.MustCompile(`(?m)^[ \t]*import\s+(?:type\s+)?([\w$*{}\s,]+?)\s+from\s*['"][^'"]*['"]` +
		`(?:\s*(?:with|assert)\s*\{[^}]*\})?[ \t]*;?`)
	bareImport   = regexp.MustCompile(`(?m)^[ \t]*import\s*['"][^'"]*['"][ \t]*;?`)
	exportValue  = regexp.MustCompile(`(?m)^[ \t]*export\s+default\s`)
	exportNamed  = regexp.MustCompile(`(?m)^[ \t]*export\s+(const|let|var|function|async|class)\b`)
	exportList   = regexp.MustCompile(`(?m)^[ \t]*export\s*\{[^}]*\}[ \t]*;?`)
	importURL    = regexp.MustCompile(`\bimport\.meta\b`)
	typeOfValue  = regexp.MustCompile(`\b((?:const|let|var)\s+[\w$]+)\s*:\s*[\w$.]+(?:<[\w$.<>\[\], |'"]*>)?(?:\[\])?\s*=`)
	typeBehind   = regexp.MustCompile(`\}?(\s+(?:satisfies|as)\s+(?:const|[A-Z][\w$.]*(?:<[\w$.<>\[\], |'"]*>)?(?:\[\])?))`)
	interfaceDef = regexp.MustCompile(`(?ms)^[ \t]*(?:export\s+)?(?:interface\s+\w+[^{]*\{.*?^\}|type\s+\w+\s*=[^;]*;)`)
)

// prelude makes the stand-in for everything that a file imports or that Node has.
const prelude = `
const __any = (name) => new Proxy(function () {}, {
	get: (_, key) => key === Symbol.toPrimitive ? () => "" : key === "toJSON" ? () => null :
		key === "then" ? undefined : key === Symbol.iterator ? function* () {} : __any(String(key)),
	apply: (_, __, given) => {
		const data = given.filter((one) => one !== null && typeof one === "object");
		return data.length > 0 && /^(?:define|with|extend|merge)/.test(name) ? data[data.length - 1] :
			name === "starlight" ? {name: "starlight", options: data[0]} : __any(name);
	},
	construct: () => ({}),
});
const require = Object.assign((name) => __any(name), {resolve: (name) => name}), process = {env: {},
	cwd: () => "/", argv: []}, console = __any("console"),
	module = {exports: {}}, exports = module.exports, __dirname = "/", __filename = "/config.js",
		__meta = {url: "", env: {}};
`

// Export returns what a configuration file exports by default, or as CommonJS does, as JSON. Functions in it are left
// out.
func Export(source string) (json.RawMessage, error) {
	if len(source) > MaxSource {
		return nil, ErrLarge
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("start an engine for configuration: %w", err)
	}
	defer vm.Close()
	vm.SetMemoryLimit(maxMemory)
	timer := time.AfterFunc(maxTime, vm.Interrupt)
	defer timer.Stop()
	answer, err := vm.Eval(prelude+"(() => {\n"+plain(source)+`
	let found = module.exports;
	if (typeof found === "function") found = found({command: "build", mode: "production"}) ?? {};
	const seen = new Set();
	return JSON.stringify(found, (key, value) => {
		if (typeof value === "function" || typeof value === "bigint") return undefined;
		if (value instanceof RegExp) return undefined;
		return value;
	}) ?? "null";
})()`, quickjs.EvalGlobal)
	if err != nil {
		return nil, fmt.Errorf("run the configuration: %w", err)
	}
	written, ok := answer.(string)
	switch {
	case !ok:
		return nil, errors.New("the configuration exports nothing that can be read")
	case len(written) > maxResult:
		return nil, ErrLarge
	}
	return json.RawMessage(written), nil
}

// plain turns a module, be it in TypeScript, into the body of a function that sets module.exports.
func plain(source string) string {
	source = strings.TrimPrefix(source, "\uFEFF")
	var imported strings.Builder
	source = importLine.ReplaceAllStringFunc(source, func(line string) string {
		for _, name := range importedNames(importLine.FindStringSubmatch(line)[1]) {
			imported.WriteString("const " + name + " = __any(" + quote(name) + ");\n")
		}
		return strings.Repeat("\n", strings.Count(line, "\n"))
	})
	source = bareImport.ReplaceAllString(source, "")
	source = interfaceDef.ReplaceAllString(source, "")
	source = exportValue.ReplaceAllString(source, "module.exports = ")
	source = exportNamed.ReplaceAllString(source, "$1")
	source = exportList.ReplaceAllString(source, "")
	source = importURL.ReplaceAllString(source, "__meta")
	source = typeOfValue.ReplaceAllString(source, "$1 =")
	source = typeBehind.ReplaceAllStringFunc(source, func(found string) string {
		if strings.HasPrefix(found, "}") {
			return "}"
		}
		if strings.Contains(found, "satisfies") || strings.Contains(found, "as const") {
			return ""
		}
		return found
	})
	return imported.String() + source
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// importedNames returns the names that an import brings in: "a, {b, c as d}", "* as e".
func importedNames(clause string) []string {
	var names []string
	for part := range strings.FieldsFuncSeq(clause, func(r rune) bool { return r == ',' || r == '{' || r == '}' }) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(part), "type "))
		if len(words) == 0 {
			continue
		}
		if name := words[len(words)-1]; identifier.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}

func quote(name string) string { return `"` + name + `"` }
