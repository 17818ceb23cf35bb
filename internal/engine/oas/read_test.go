package oas

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// unpack returns a description under testdata.
func unpack(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.Open("testdata/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	source, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// mustRead reads a description without problems.
func mustRead(t testing.TB, source string) *Document {
	t.Helper()
	d, problems, err := Read(t.Context(), []byte(source), Options{})
	if err != nil || d == nil {
		t.Fatalf("read: %v %v", problems, err)
	}
	return d
}

// TestPublicDescriptions reads large descriptions as they are in use, of all three versions and both formats.
func TestPublicDescriptions(t *testing.T) {
	for _, test := range []struct {
		name, title                   string
		format                        Format
		operations, webhooks, schemas int
		tags                          int
		method, path, summary         string
		parameters                    []string
		body, answer                  string // types of the first forms
	}{
		{"github.json", "GitHub's official OpenAPI spec + Octokit extension", JSON, 1223, 0, 969, 49, "get",
			"/repos/{owner}/{repo}/issues", "List repository issues",
			[]string{"owner", "repo", "milestone", "state", "assignee", "type", "creator", "mentioned",
				"issue_field_values", "labels", "sort", "direction", "since", "per_page", "page"}, "",
			"array of issue"},
		{"docker.yaml", "Docker Engine API", YAML, 108, 0, 160, 15, "post", "/containers/create", "Create a container",
			[]string{"name", "platform"}, "object", "ContainerCreateResponse"},
		{"figma.yaml", "Figma API", YAML, 54, 0, 231, 18, "get", "/v1/files/{file_key}", "Get file JSON",
			[]string{"file_key", "version", "ids", "depth", "geometry", "plugin_data", "branch_data"}, "", "object"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := unpack(t, test.name)
			d, problems, err := Read(t.Context(), source, Options{})
			if err != nil || d == nil {
				t.Fatalf("read: %v %v", problems, err)
			}
			bundle, err := d.Bundle()
			if err != nil {
				t.Fatal(err)
			}
			again, err := Open(bundle, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range []*Document{d, again} {
				if d.Title() != test.title || len(d.Operations()) != test.operations ||
					len(d.Webhooks()) != test.webhooks || len(d.Schemas()) != test.schemas ||
					len(d.Tags()) != test.tags {
					t.Errorf("%q: %d operations, %d webhooks, %d schemas, %d tags", d.Title(), len(d.Operations()),
						len(d.Webhooks()), len(d.Schemas()), len(d.Tags()))
				}
				o := d.Operation(strings.ToUpper(test.method), test.path)
				if o == nil {
					t.Fatal("an operation is not there")
				}
				b := NewBudget()
				var names []string
				for _, p := range o.Parameters(b) {
					names = append(names, p.Name)
				}
				if diff := cmp.Diff(test.parameters, names); diff != "" || o.Summary != test.summary {
					t.Errorf("%s: parameters (-want +got):\n%s", o.Summary, diff)
				}
				body := ""
				if made := o.Body(b); made != nil {
					body = made.Content[0].Schema.TypeName()
				}
				answer := o.Responses(b)[0].Content[0].Schema.TypeName()
				if body != test.body || answer != test.answer {
					t.Errorf("it takes %q and answers %q", body, answer)
				}
				for _, o := range d.Operations() {
					b := NewBudget()
					if o.Parameters(b); len(o.Responses(b)) == 0 || b.Schemas < -10_000 {
						t.Errorf("%s %s: no responses, or %d over the budget", o.Method, o.Path, -b.Schemas)
					}
				}
			}
			if d.Format() != test.format {
				t.Errorf("format %s", d.Format())
			}
		})
	}
}

// TestMemory holds that what the largest accepted document takes is within bounds.
func TestMemory(t *testing.T) {
	source := unpack(t, "github.json")
	// Once more under other names, to come close to the limit.
	source = bytes.Replace(source, []byte(`"components":{`), append([]byte(`"x-more":{"a":"`),
		append(bytes.Repeat([]byte("a"), MaxBytes-len(source)-100), []byte(`"},"components":{`)...)...), 1)
	if len(source) > MaxBytes {
		t.Fatalf("%d bytes", len(source))
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	d, problems, err := Read(t.Context(), source, Options{})
	if d == nil || err != nil {
		t.Fatalf("read: %v %v", problems, err)
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 256<<20 {
		t.Errorf("reading allocates %d MB", allocated>>20)
	}
	if took > 20*time.Second {
		t.Errorf("reading takes %s", took)
	}
}

const head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"

// TestHostileInput holds that what nobody writes in good faith becomes a problem, soon and within the memory of honest
// input.
func TestHostileInput(t *testing.T) {
	var aliases strings.Builder
	aliases.WriteString("a: &a [1,1,1,1,1,1,1,1,1]\n")
	for c := 'b'; c < 'l'; c++ {
		aliases.WriteString(fmt.Sprintf("%c: &%c [%s]\n", c, c,
			strings.TrimSuffix(strings.Repeat("*"+string(c-1)+",", 9), ",")))
	}
	var paths strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&paths, `%s"/p%d":{"get":{"responses":{"200":{"description":"ok"}}}}`,
			strings.Repeat(",", min(i, 1)), i)
	}
	var files strings.Builder
	for i := range MaxFiles + 1 {
		fmt.Fprintf(&files, "    A%d: {$ref: 'https://example.com/%d.yaml'}\n", i, i)
	}
	for _, test := range []struct {
		name, source string
		says         string // "" for one that can be read
	}{
		{"aliases that grow", head + "paths: {}\n" + aliases.String(), "aliases unfold"},
		{"alias of itself", head + "x: &x [*x]\n", "holds itself"},
		{"alias of itself as a merge", head + "x: &x\n  <<: *x\n", "holds itself"},
		{"alias of nothing", head + "x: *y\n", "line 3"},
		{"deep JSON", `{"openapi":"3.0.0","x":` + strings.Repeat("[", 1_000_000), "deeper than 256"},
		{"deep flow YAML", head + "x: " + strings.Repeat("[", 1_000_000), "depth"},
		{"deep block YAML", head + "x:\n  " + strings.Repeat("- ", 100_000) + "a\n", "depth"},
		{"many values in JSON", `{"openapi":"3.0.0","x":[` + strings.Repeat("1,", 3_000_000) + "1]}",
			"more than 1500000 values"},
		{"many values in YAML", head + "x: [" + strings.Repeat("a,", 3_000_000) + "a]", "more than 1500000 values"},
		{"too large", head + "x: " + strings.Repeat("a", MaxBytes), "more than 10 MB"},
		{"100,000 paths", `{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{` + paths.String() + "}}",
			""},
		{"huge enum", head + "paths: {}\ncomponents: {schemas: {A: {enum: [" + strings.Repeat("a,", 200_000) + "a]}}}",
			""},
		{"references in a circle",
			head + "components:\n  schemas:\n    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: " +
				"'#/components/schemas/A'}\n",
			"line 5, column 15: the reference \"#/components/schemas/B\" leads back to itself"},
		{"a reference to itself", head + "components: {schemas: {A: {$ref: '#/components/schemas/A'}}}\n",
			"back to itself"},
		{"a reference below itself",
			head + "components: {schemas: {A: {$ref: '#/components/schemas/A/properties/x'}}}\n", "names nothing"},
		{"other files", head + "components:\n  schemas:\n" + files.String(), "not followed"},
		{"a file of the server", head + "components: {schemas: {A: {$ref: 'file:///etc/passwd'}}}\n",
			"no address that can be followed"},
		{"invalid UTF-8", "openapi: 3.1.0\ninfo: {title: \"a\xff\"}\n", "line 2, column 17: the file is not UTF-8"},
		{"invalid UTF-8 in JSON", "{\"openapi\": \"3.1.0\", \"a\xff\": 1}", "line 1, column 24: the file is not UTF-8"},
		{"nothing", "", "empty"},
		{"only spaces", " \n\t\n", "empty"},
		{"a byte order mark", "\ufeff", "empty"},
		{"several documents", head + "paths: {}\n---\n" + head, "YAML"},
		{"a member twice", `{"openapi":"3.0.0","openapi":"3.0.0"}`, "twice"},
		{"a member twice in YAML", head + "info: {}\n", "line 3, column 1"},
		{"a list as a name", head + "? [a]\n: b\n", "text"},
		{"binary", "\x00\x01\x02\x03", ""},
		{"control characters in JSON", "{\"openapi\":\"3.0.0\",\"x\":\"\x01\"}", "line 1, column 25"},
		{"a number that is none", `{"openapi":"3.0.0","x":01}`, ""},
		{"unfinished escape", `{"openapi":"3.0.0","x":"\u12`, "line 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			d, problems, err := Read(t.Context(), []byte(test.source), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it takes %s", took)
			}
			if test.says == "" {
				if d == nil && len(problems) == 0 {
					t.Error("neither a document nor a problem")
				}
				return
			}
			if d != nil || len(problems) == 0 {
				t.Fatalf("it was read: %v", problems)
			}
			for _, problem := range problems {
				if !problem.Warning {
					if !strings.Contains(problem.String(), test.says) {
						t.Errorf("it says %.300q", problem)
					}
					break
				}
			}
		})
	}
}

// TestProblems holds that what is wrong is found where it is.
func TestProblems(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"a text", "just text", "line 1, column 1: an API description is an object"},
		{"no version", "info: {}", "line 1, column 1: this is no API description"},
		{"another version", "openapi: 4.0.0", "line 1, column 10: OpenAPI \"4.0.0\" cannot be read"},
		{"version 1", "swagger: '1.2'", "line 1, column 10: only version 2.0"},
		{"version as an object", "openapi: {a: b}", "line 1, column 10: openapi is the version"},
		{"no info", "openapi: 3.0.0\npaths: {}", "line 1, column 1: the description has no \"info\""},
		{"no title", "openapi: 3.0.0\ninfo: {version: '1'}\npaths: {}", "line 2, column 7: info needs \"title\""},
		{"no paths", "openapi: 3.0.0\ninfo: {title: T, version: '1'}",
			"line 1, column 1: the description has no paths"},
		{"paths as a list", head + "paths: []", "line 3, column 8: \"paths\" has to be an object, not a list"},
		{"a path without a slash", head + "paths:\n  pets: {}",
			"line 4, column 3: the path \"pets\" has to begin with a slash"},
		{"a path as a text", head + "paths:\n  /pets: list",
			"line 4, column 10: the path \"/pets\" has to be an object"},
		{"an operation as a text", head + "paths:\n  /pets:\n    get: list",
			"line 5, column 10: \"get\" has to be an object"},
		{"a parameter without a name", head + "paths:\n  /pets:\n    get:\n      parameters:\n        - in: query",
			"line 7, column 11: a parameter needs \"name\""},
		{"a parameter elsewhere", head + "paths: {/a: {parameters: [{name: a, in: head}]}}",
			"line 3, column 41: a parameter is in the query"},
		{"a wrong status", head + "paths: {/a: {get: {responses: {ok: {description: a}}}}}",
			"line 3, column 32: \"ok\" is no status"},
		{"required as a text", head + "components: {schemas: {A: {required: name}}}",
			"line 3, column 38: \"required\" has to be a list"},
		{"a schema as a number", head + "components: {schemas: {A: {properties: {a: 1}}}}",
			"line 3, column 44: a schema has to be an object"},
		{"tags as texts", head + "tags: [a]\npaths: {}", "line 3, column 8: an entry of \"tags\" has to be an object"},
		{"a dangling reference", head + "components: {schemas: {A: {items: {$ref: '#/components/schemas/B'}}}}",
			"line 3, column 42: \"#/components/schemas/B\" names nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, problems, err := Read(t.Context(), []byte(test.source), Options{})
			if d != nil || err != nil || len(problems) == 0 || !strings.HasPrefix(problems[0].String(), test.want) {
				t.Errorf("read: %t, %v, problems %v", d != nil, err, problems)
			}
		})
	}
	d, problems, err := Read(t.Context(),
		[]byte(
			head+"paths:\n  /a/{id}: {get: {operationId: a}, put: {operationId: a}}\ncomponents: {schemas: {A: "+
				"{type: text}}}"), Options{})
	if d == nil || err != nil || len(problems) != 4 {
		t.Fatalf("warnings: %v %v", problems, err)
	}
	for _, problem := range problems {
		if !problem.Warning || problem.Line == 0 || problem.Column == 0 {
			t.Errorf("%+v", problem)
		}
	}
	// References in data of the API are none.
	mustRead(t, head+"paths: {}\ncomponents: {schemas: {A: {example: {$ref: nowhere}, default: {$ref: '#/x'}, x-y: "+
		"{$ref: 'z'}, properties: {$ref: {type: string}}}}}")
}

// TestOtherFiles holds that files are loaded by the function that is given, once each, and resolved from where they
// are.
func TestOtherFiles(t *testing.T) {
	loaded := map[string]int{}
	load := func(_ context.Context, address string) ([]byte, error) {
		loaded[address]++
		switch address {
		case "https://example.com/api/models/pet.yaml":
			return []byte("Pet: {type: object, properties: {owner: {$ref: 'owner.json'}, parent: {$ref: '#/Pet'}, " +
				"top: {$ref: '../openapi.yaml#/components/schemas/Top'}}}"), nil
		case "https://example.com/api/models/owner.json":
			return []byte(`{"type": "string", "nullable": true}`), nil
		}
		return nil, errors.New("it is not there")
	}
	source := strings.Replace(head, "3.1.0", "3.0.0", 1) + "paths: {/a: {get: {responses: {'200': {description: a, " +
		"content: {application/json: {schema: {$ref: 'models/pet.yaml#/Pet'}}}}}}}}\ncomponents: {schemas: {Top: " +
		"{type: integer}}}\n"
	options := Options{Address: "https://example.com/api/openapi.yaml", Load: load}
	d, problems, err := Read(t.Context(), []byte(source), options)
	if d == nil || err != nil {
		t.Fatalf("read: %v %v", problems, err)
	}
	if len(loaded) != 2 || loaded["https://example.com/api/models/pet.yaml"] != 1 {
		t.Errorf("loaded: %v", loaded)
	}
	bundle, err := d.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Open(bundle, options.Address)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Document{d, again} {
		pet := d.Operation("get", "/a").Responses(NewBudget())[0].Content[0].Schema
		var types []string
		for _, p := range pet.Properties {
			types = append(types, p.Name+" "+p.Schema.TypeName())
		}
		if diff := cmp.Diff([]string{"owner owner.json or null", "parent Pet", "top Top"}, types); diff != "" ||
			!pet.Properties[1].Schema.Cut {
			t.Errorf("properties (-want +got):\n%s", diff)
		}
	}
	missing := strings.ReplaceAll(source, "pet.yaml", "none.yaml")
	if d, problems, _ := Read(t.Context(), []byte(missing), options); d != nil ||
		!strings.Contains(problems[0].String(),
			"line 3, column 100: the file \"https://example.com/api/models/none.yaml\" cannot be loaded: it is not "+
				"there") {
		t.Errorf("a missing file: %v", problems)
	}
	broken := func(context.Context, string) ([]byte, error) { return []byte("{"), nil }
	if d, problems, _ := Read(t.Context(), []byte(source), Options{Address: options.Address, Load: broken}); d != nil ||
		!strings.HasPrefix(problems[0].String(), "https://example.com/api/models/pet.yaml, line 1") {
		t.Errorf("a broken file: %v", problems)
	}
	many := func(_ context.Context, address string) ([]byte, error) {
		return []byte("{$ref: '" + address + "a'}"), nil
	}
	if d, problems, _ := Read(t.Context(), []byte(source), Options{Address: options.Address, Load: many}); d != nil ||
		!strings.Contains(problems[0].String(), "more than 50 files") {
		t.Errorf("files without end: %v", problems)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if d, _, err := Read(ended, []byte(source), options); d != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("under an ended context: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(head + "paths: {/a/{id}: {get: {responses: {'200': {$ref: '#/components/responses/A'}}}}}\n" +
		"components: {responses: {A: {description: a}}}"))
	f.Add(
		[]byte(
			`{"swagger":"2.0","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{"parameters":[{"in":"body","name":"b","schema":{"$ref":"#/definitions/A"}}],"responses":{"200":{"description":"","schema":{"type":"file"}}}}}},"definitions":{"A":{"allOf":[{"$ref":"#/definitions/A"}]}}}`))
	f.Add([]byte("openapi: 3.0.0\ninfo: &i {title: a, version: 1}\nx: *i\npaths: {/a: {get: {<<: *i, parameters: " +
		"[{$ref: '#/paths'}]}}}\n"))
	f.Add([]byte("{a: [1, 0x1F, .5, ~, 'it''s'], \"b\": \"\\ud83d\\ude00\\u0000\"}"))
	f.Fuzz(func(t *testing.T, source []byte) {
		d, problems, err := Read(t.Context(), source, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d == nil {
			if len(problems) == 0 {
				t.Fatal("neither a document nor a problem")
			}
			return
		}
		bundle, err := d.Bundle()
		if err != nil {
			return
		}
		again, err := Open(bundle, "")
		if err != nil {
			t.Fatalf("a bundle cannot be read back: %v\n%s", err, bundle)
		}
		if second, err := again.Bundle(); err != nil || !bytes.Equal(bundle, second) {
			t.Fatalf("a bundle changes: %v\n%s\n%s", err, bundle, second)
		}
		if len(again.Operations()) != len(d.Operations()) {
			t.Fatal("operations get lost")
		}
		exercise(d)
	})
}

// exercise looks at everything that a document offers.
func exercise(d *Document) {
	d.Tags()
	d.Servers()
	d.Weight()
	for i, o := range append(d.Operations(), d.Webhooks()...) {
		if i > 20 {
			break
		}
		b := NewBudget()
		o.Parameters(b)
		o.Body(b)
		o.Responses(b)
		o.Security()
		o.Server()
		written(o.blocks(b))
	}
	for i, name := range d.Schemas() {
		if i < 20 {
			d.Schema(name, NewBudget()).TypeName()
		}
	}
	d.Pages(Layout{Models: true}).Len()
	d.Pages(Layout{ByOperation: true}).Len()
}
