package author

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func none(string) string { return "" }

// TestTheTemplateIsWhole: what New writes can be read and built, and is one module without imports.
func TestTheTemplateIsWhole(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "greeter")
	if err := New(folder, "greeter", "example"); err != nil {
		t.Fatal(err)
	}
	in, err := Load(filepath.Join(folder, manifestNames[0]), none)
	if err != nil {
		t.Fatal(err)
	}
	if in.Name != "greeter" || in.Fields["organization"] != "example" || in.Fields["runtime"] != "v2" ||
		in.Fields["script"] != nil {
		t.Errorf("%+v", in)
	}
	built, err := in.Build()
	if err != nil || !strings.Contains(built, "as default") || strings.Contains(built, "import ") {
		t.Errorf("%v %s", err, built)
	}
}

// TestBeginnersAreTold holds that who has no manifest or no organization yet learns what to do, and that a title fits
// whatever the name is.
func TestBeginnersAreTold(t *testing.T) {
	folder := t.TempDir()
	if _, err := Load(ManifestIn(folder), none); err == nil || !strings.Contains(err.Error(), "integration new NAME") {
		t.Errorf("a folder without a manifest: %v", err)
	}
	for name, title := range map[string]string{"x": "Integration x", "greeter": "greeter",
		strings.Repeat("long", 20): strings.Repeat("long", 20)[:30]} {
		at := filepath.Join(folder, name)
		if err := New(at, name, ""); err != nil {
			t.Fatal(err)
		}
		in, err := Load(ManifestIn(at), none)
		if err != nil || in.Fields["title"] != title || in.Name != name {
			t.Errorf("%s: %+v, %v", name, in.Fields, err)
		}
		if _, err := in.Publish(t.Context(), nil, ""); err == nil || !strings.Contains(err.Error(), "--org") {
			t.Errorf("%s without an organization: %v", name, err)
		}
	}
}

func TestManifestsThatAreRefused(t *testing.T) {
	for says, manifest := range map[string]string{
		"no YAML":            "a: [",
		"name is missing":    "script: a.ts",
		"is missing":         "name: a",
		"outside":            "name: a\nscript: /etc/passwd",
		"icon":               "name: a\nscript: a.ts\nicon: ../../etc/passwd",
		"previewImages":      "name: a\nscript: a.ts\npreviewImages: [absent.png]",
		"no variable ABSENT": "name: a\nscript: a.ts\nsecrets: {K: 'x${{ env.ABSENT }}'}",
	} {
		folder := t.TempDir()
		write(t, folder, map[string]string{"m.yaml": manifest, "a.ts": ""})
		if _, err := Load(filepath.Join(folder, "m.yaml"), none); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

func TestPicturesAndSecrets(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"a.ts": "export default {};", "i.png": "png",
		"m.yaml": "name: a\nscript: a.ts\nicon: i.png\npreviewImages: [i.png]\nsecrets: {K: '<${{ env.KEY }}>'}"})
	in, err := Load(filepath.Join(folder, "m.yaml"), func(name string) string { return "of " + name })
	if err != nil {
		t.Fatal(err)
	}
	if in.Fields["icon"] != "cG5n" || in.Fields["previewImages"].([]any)[0] != "cG5n" ||
		in.Fields["secrets"].(map[string]any)["K"] != "<of KEY>" {
		t.Errorf("%+v", in.Fields)
	}
}

// TestIntegrationsOfTheFamilyAreBuilt: a manifest and a script as the command line of the API family takes them, with
// elements in the script and another script as a text.
func TestIntegrationsOfTheFamilyAreBuilt(t *testing.T) {
	folder := t.TempDir()
	runtime := filepath.Join(folder, "node_modules", "@gitbook", "runtime")
	if err := os.MkdirAll(runtime, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, runtime, map[string]string{
		"package.json": `{"name": "@gitbook/runtime", "exports": {"./jsx-runtime": "./elements.ts"}}`,
		"elements.ts": `export const jsx = (type: string, props: object) =>
			({type, ...props, drawn: "by the runtime"});`,
	})
	write(t, folder, map[string]string{
		"gitbook-manifest.yaml": "name: a\nscript: ./a.tsx\nenvs: {test: {organization: theirs}}",
		"a.tsx": `import counter from "./counter.raw.js";
			const local = process.env.NODE_ENV !== "production" || MODE !== "production";
			export default { fetch: () => new Response(JSON.stringify([<divider size="small" />, counter, local])) };`,
		"counter.raw.js": `window.views = "<KEY>";`,
	})
	in, err := Load(filepath.Join(folder, "gitbook-manifest.yaml"), none)
	if err != nil {
		t.Fatal(err)
	}
	if _, there := in.Fields["envs"]; there {
		t.Error("what is for servers of somebody else is published")
	}
	built, err := in.Build()
	if err != nil || !strings.Contains(built, `window.views = "<KEY>";`) ||
		!strings.Contains(built, "by the runtime") || strings.Contains(built, "MODE") ||
		strings.Contains(built, "process") {
		t.Errorf("%v %s", err, built)
	}
}
