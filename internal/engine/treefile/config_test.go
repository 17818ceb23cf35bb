package treefile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestConfig(t *testing.T) {
	tests := []struct {
		name, file string
		want       Config
	}{
		{"empty", "", DefaultConfig()},
		{"comments", "# nothing\n", DefaultConfig()},
		{"all", "root: ./docs/\nstructure:\n  readme: ./intro.md\n  summary: toc/SUMMARY.md\nredirects:\n  old/path: " +
			"new.md\n  /help: ./support.md#a\n",
			Config{Root: "docs", Readme: "intro.md", Summary: "toc/SUMMARY.md",
				Redirects: map[string]string{"old/path": "new.md", "help": "support.md#a"}}},
		{"absolute root", "root: /\n", DefaultConfig()},
		{"unknown keys", "x: 1\nroot: a\n", Config{Root: "a", Readme: "README.md", Summary: "SUMMARY.md",
			Redirects: map[string]string{}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseConfig([]byte(test.file))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			again, err := ParseConfig(WriteConfig(got))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("written it reads differently\n%s", diff)
			}
		})
	}
}

func TestVariables(t *testing.T) {
	got, err := ParseVariables([]byte("version: 1.5\nname: \"x\"\nbig_one: 2\nflag: false\ndate: 2024-01-02\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"version": 1.5, "name": "x", "big_one": 2.0, "flag": false, "date": "2024-01-02"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	again, err := ParseVariables(WriteVariables(got))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("written they read differently\n%s", diff)
	}
	if empty, err := ParseVariables(nil); err != nil || len(empty) != 0 || len(WriteVariables(empty)) != 0 {
		t.Errorf("no variables: %v, %v", empty, err)
	}
}

func TestConfigurationRefuses(t *testing.T) {
	config := func(s string) error { _, err := ParseConfig([]byte(s)); return err }
	variables := func(s string) error { _, err := ParseVariables([]byte(s)); return err }
	tests := []struct {
		name string
		read func(string) error
		file string
		want string
		kind errs.Kind
	}{
		{"config syntax", config, "a: [", "not valid YAML", errs.Invalid},
		{"config list", config, "- a", ".gitbook.yaml", errs.Invalid},
		{"config leaves its folder", config, "root: ../x", "root", errs.Invalid},
		{"config summary leaves its folder", config, "structure: {summary: a/../../x}", "structure.summary",
			errs.Invalid},
		{"config wrong type", config, "structure: {readme: [a]}", "structure.readme", errs.Invalid},
		{"config structure", config, "structure: x", "structure", errs.Invalid},
		{"config redirects", config, "redirects: [a]", "redirects", errs.Invalid},
		{"config redirect", config, "redirects: {a: [b]}", "redirects.a", errs.Invalid},
		{"config size", config, strings.Repeat("#", MaxConfig+1), "bytes", errs.TooLarge},
		{"variables list", variables, "- a", "vars.yaml", errs.Invalid},
		{"variable name", variables, "1a: x", "1a", errs.Invalid},
		{"variable value", variables, "a: [1]", "a", errs.Invalid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.read(test.file)
			if err == nil || errs.KindOf(err) != test.kind || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v", err)
			}
		})
	}
}
