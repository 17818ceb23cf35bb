package script

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestExport(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"CommonJS", "// @ts-check\nconst {themes} = require('prism');\n/** @type {import('x').C} */\nconst config = " +
			"{title: 'T', a: themes.github, f() { return 1 }, presets: [['classic', {docs: {routeBasePath: " +
			"'/'}}]]};\n" +
			"module.exports = config;\n",
			`{"title":"T","a":null,"presets":[["classic",{"docs":{"routeBasePath":"/"}}]]}`},
		{"TypeScript", "import type {SidebarsConfig} from '@docusaurus/plugin-content-docs';\nconst sidebars: " +
			"SidebarsConfig = {\n  docs: ['intro', {type: 'category', label: 'A', items: ['a/b']}],\n};\nexport " +
			"default " +
			"sidebars;\n", `{"docs":["intro",{"type":"category","label":"A","items":["a/b"]}]}`},
		{"defineConfig", "import { defineConfig } from 'vitepress'\nimport path from 'node:path'\nconst nav = " +
			"[{text: " +
			"'x'}] as const\nexport default defineConfig({ cleanUrls: true, themeConfig: { nav }, vite: { r: " +
			"path.resolve(__dirname, 'x') } } satisfies Config)\n",
			`{"cleanUrls":true,"themeConfig":{"nav":[{"text":"x"}]},"vite":{"r":null}}`},
		{"Starlight", "import { defineConfig } from 'astro/config';\nimport starlight from " +
			"'@astrojs/starlight';\nexport " +
			"default defineConfig({ integrations: [starlight({ title: 'D', sidebar: [{ label: 'G', autogenerate: { " +
			"directory: 'g' } }] })] });\n",
			`{"integrations":[{"name":"starlight","options":{"title":"D","sidebar":[{` +
				`"label":"G","autogenerate":{"directory":"g"}}]}}]}`},
		{"a function", "export default async function () { return {} }\n", `{}`},
	} {
		got, err := Export(test.source)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var a, b any
		if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(test.want), &b) != nil {
			t.Fatalf("%s: %s", test.name, got)
		}
		if diff := cmp.Diff(b, a); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestHostileFiles holds that no file takes long, takes much, or reaches anything.
func TestHostileFiles(t *testing.T) {
	for name, source := range map[string]string{
		"endless": "while (true) {}", "memory": "const a = []; while (true) a.push(new Array(1e6).fill(1))",
		"recursion": "const f = () => f(); f()", "circle": "const a = {}; a.a = a; module.exports = a",
		"syntax": "export default {", "long": strings.Repeat(" ", MaxSource+1),
		"large": "module.exports = 'x'.repeat(1e7)", "throws": "throw new Error('no')",
	} {
		start := time.Now()
		if got, err := Export(source); err == nil {
			t.Errorf("%s: exports %.40s", name, got)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s takes %v", name, took)
		}
	}
	got, err := Export("module.exports = {a: typeof std, b: typeof os, c: typeof fetch, d: typeof globalThis.Go}")
	if err != nil || string(got) != `{"a":"undefined","b":"undefined","c":"undefined","d":"undefined"}` {
		t.Errorf("it reaches %s, %v", got, err)
	}
}

func FuzzExport(f *testing.F) {
	f.Add("import a, {b as c} from 'x'\nexport default {a: 1} as const\n")
	f.Fuzz(func(t *testing.T, source string) {
		plain(source)
	})
}
