package oas

import (
	"encoding/json"
	"flag"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

const sampled = `openapi: 3.1.0
info: {title: Samples, version: "1"}
servers: [{url: "https://api.example.com"}]
paths:
  /pets:
    get: {responses: {"200": {description: ok}}}
    post:
      parameters: [{name: X-Trace, in: header, required: true, schema: {type: string}, example: "a'b\"c#{d}\\e$f"}]
      requestBody: {content: {application/json: {example: {name: "O'Hara \"\\n\" #{x} $y \\u0022", list: [1, true, null], empty: "", quotes: "\"\"\"\""}}}}
      responses: {"201": {description: made}}
  /form:
    put:
      requestBody: {content: {application/x-www-form-urlencoded: {example: {a: "1 & 2", b: "it's"}}}}
      responses: {"200": {description: ok}}
  /upload:
    patch:
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {file: {type: string, format: binary}, "no\"te": {type: string}}}}}}
      responses: {"200": {description: ok}}
  /text:
    query:
      requestBody: {content: {text/plain: {example: "plain \"text\" with \\ and '"}}}
      responses: {"200": {description: ok}}
    delete:
      requestBody: {content: {text/plain: {example: "plain \"text\" with \\ and '"}}}
      responses: {"200": {description: ok}}
`

// TestSamplesAreWellKept holds how samples are written in every language against a file, with texts that would break
// out of a careless one.
func TestSamplesAreWellKept(t *testing.T) {
	var all strings.Builder
	for _, o := range mustRead(t, sampled).Operations() {
		for _, sample := range o.Samples(NewBudget()) {
			all.WriteString("==== " + o.Method + " " + o.Path + " " + sample.Title + "\n" + sample.Code + "\n\n")
		}
	}
	file := filepath.Join("testdata", "samples.txt")
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), all.String()); diff != "" {
		t.Errorf("samples are others than in %s (-want +got); run with -update when that is right:\n%s", file, diff)
	}
}

// checks hold samples of one language against what reads that language, all in one file or process. Each gets the
// samples and returns the command with its input.
var checks = map[string]func(dir string, samples []string) (command []string, input string, err error){
	"bash": func(_ string, samples []string) ([]string, string, error) {
		return []string{"bash", "-n"}, wrapped(samples, "f%() {\n", "\n}\n"), nil
	},
	"javascript": func(_ string, samples []string) ([]string, string, error) {
		encoded, err := json.Marshal(samples)
		return []string{"node", "-e", `const make = (async () => {}).constructor;
for (const code of JSON.parse(require("fs").readFileSync(0))) new make("file", code);`}, string(encoded), err
	},
	"python": func(_ string, samples []string) ([]string, string, error) {
		encoded, err := json.Marshal(samples)
		return []string{"python3", "-c", "import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)"},
			string(encoded), err
	},
	"php": func(_ string, samples []string) ([]string, string, error) {
		for i, code := range samples {
			samples[i] = strings.TrimPrefix(code, "<?php")
		}
		return []string{"php", "-l"}, "<?php\n" + wrapped(samples, "function f%() {\n", "\n}\n"), nil
	},
	"ruby": func(_ string, samples []string) ([]string, string, error) {
		return []string{"ruby", "-c"}, wrapped(samples, "def f%\n", "\nend\n"), nil
	},
	"java": func(dir string, samples []string) ([]string, string, error) {
		imports := map[string]bool{}
		for i, code := range samples {
			for strings.HasPrefix(code, "import ") {
				line, rest, _ := strings.Cut(code, "\n")
				imports[line], code = true, rest
			}
			samples[i] = code
		}
		var source strings.Builder
		for line := range imports {
			source.WriteString(line + "\n")
		}
		source.WriteString("class Samples {\n" +
			wrapped(samples, "static void f%() throws Exception {\n", "\n}\n") + "}\n")
		file := filepath.Join(dir, "Samples.java")
		return []string{"javac", "-proc:none", "-d", dir, file}, "", os.WriteFile(file, []byte(source.String()), 0o644)
	},
}

// wrapped puts each sample into a function; "%" is its number.
func wrapped(samples []string, open, end string) string {
	var b strings.Builder
	for i, code := range samples {
		b.WriteString(strings.Replace(open, "%", strconv.Itoa(i), 1) + code + end)
	}
	return b.String()
}

// TestSamplesParse holds samples in every language for which this machine has a reader against it: hostile texts, and
// everything that a real description contains. Go is always there.
func TestSamplesParse(t *testing.T) {
	bySyntax := map[string][]string{}
	for _, source := range []string{sampled, string(unpack(t, "docker.yaml")), string(unpack(t, "figma.yaml"))} {
		for _, o := range mustRead(t, source).Operations() {
			for _, sample := range o.Samples(NewBudget()) {
				bySyntax[sample.Syntax] = append(bySyntax[sample.Syntax], sample.Code)
			}
		}
	}
	for _, code := range bySyntax["go"] {
		if _, err := parser.ParseFile(token.NewFileSet(), "sample.go", "package p\nfunc f() error {\n"+code+
			"\nreturn nil\n}\n", 0); err != nil {
			t.Errorf("%v\n%s", err, code)
		}
	}
	for syntax, check := range checks {
		command, input, err := check(t.TempDir(), bySyntax[syntax])
		if err != nil {
			t.Fatal(err)
		}
		program, err := exec.LookPath(command[0])
		if err != nil {
			t.Logf("%s is not on this machine: its samples are held by their golden file alone", command[0])
			continue
		}
		run := exec.CommandContext(t.Context(), program, command[1:]...)
		run.Stdin = strings.NewReader(input)
		if output, err := run.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.3000s", syntax, err, output)
		}
	}
}
