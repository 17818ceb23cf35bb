package main

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/command"
	"github.com/rectodocs/recto/internal/content/importer/generator"
)

// TestGenerators holds that recto import offers all that an import reads.
func TestGenerators(t *testing.T) {
	var names []string
	for _, name := range generator.Names() {
		names = append(names, string(name))
	}
	if got := strings.Join(names, ","); got != generators {
		t.Errorf("recto import offers %s, an import reads %s", generators, got)
	}
}

// TestEveryOperationHasACommand walks the operations of the API: each has a command of its own, which kong does not
// take for one of its own, whose words read as words, and whose flags show what they are for.
func TestEveryOperationHasACommand(t *testing.T) {
	document, err := app.OpenAPI("http://localhost:8080", "test")
	if err != nil {
		t.Fatal(err)
	}
	operations, err := command.Operations(document)
	if err != nil {
		t.Fatal(err)
	}
	if len(operations) < 300 {
		t.Fatalf("the document has only %d operations", len(operations))
	}
	model := kong.Must(&commandLine{}, named("test")).Model
	root, err := made(model, environment{}, nil, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range operations {
		words := command.Name(op)
		found, rest, err := root.Find(words)
		if err != nil || len(rest) > 0 || !strings.Contains(found.Long, "the operation "+op.ID+" of the API") {
			t.Errorf("%s has no command %q: %v", op.ID, strings.Join(words, " "), err)
			continue
		}
		if !isMade(model, append(words, "x")) {
			t.Errorf("%s has the command %q, which is one of kong's", op.ID, strings.Join(words, " "))
		}
		for i, word := range words {
			if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") != "" || i > 0 && words[i-1] == word {
				t.Errorf("%s has the command %q, which reads badly", op.ID, strings.Join(words, " "))
			}
		}
		if found.Short == "" {
			t.Errorf("%s has no summary", op.ID)
		}
	}
}

// TestKongIsMirrored holds that completion and manual pages know every command and flag of kong's.
func TestKongIsMirrored(t *testing.T) {
	model := kong.Must(&commandLine{}, named("test")).Model
	root, err := made(model, environment{}, nil, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range model.Leaves(true) {
		words := kongWords(leaf)
		found, rest, err := root.Find(words)
		if err != nil || len(rest) > 0 {
			t.Errorf("%q is not there: %v", strings.Join(words, " "), err)
			continue
		}
		for _, flag := range leaf.Flags {
			if !flag.Hidden && flag.Name != "help" && found.Flags().Lookup(flag.Name) == nil {
				t.Errorf("%q has no --%s", strings.Join(words, " "), flag.Name)
			}
		}
		if isMade(model, append(words, "x")) {
			t.Errorf("%q is not parsed by kong", strings.Join(words, " "))
		}
	}
}
