package main

import (
	"archive/zip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// await waits until an address answers with a status below 400: await URL
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await URL")
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		response, err := http.Get(args[0])
		if err == nil {
			response.Body.Close()
			if response.StatusCode < 400 {
				return
			}
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s does not answer: %v", args[0], err)
		}
	}
}

// fetched waits until what an address answers matches an expression: fetched URL REGEXP
func fetched(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fetched URL REGEXP")
	}
	expression, err := regexp.Compile(args[1])
	ts.Check(err)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		response, err := http.Get(args[0])
		ts.Check(err)
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		ts.Check(err)
		if expression.Match(body) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s answers %d %s", args[0], response.StatusCode, body)
		}
	}
}

// capture puts a field of the JSON object on standard output into a variable: capture VARIABLE FIELD
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture VARIABLE FIELD")
	}
	var object map[string]any
	line, _, _ := strings.Cut(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	ts.Check(json.Unmarshal([]byte(line), &object))
	value, ok := object[args[1]].(string)
	if !ok || value == "" {
		ts.Fatalf("no %s in %s", args[1], line)
	}
	ts.Setenv(args[0], value)
}

// match puts what the first group of an expression matches on standard output into a variable: match VARIABLE REGEXP
func match(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: match VARIABLE REGEXP")
	}
	expression, err := regexp.Compile(args[1])
	ts.Check(err)
	found := expression.FindStringSubmatch(ts.ReadFile("stdout"))
	if len(found) < 2 {
		ts.Fatalf("%s does not match", args[1])
	}
	ts.Setenv(args[0], found[1])
}

// pack writes a folder as a ZIP archive, which is what a Word document is, too: pack FOLDER FILE
func pack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: pack FOLDER FILE")
	}
	file, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	defer file.Close()
	archive := zip.NewWriter(file)
	ts.Check(archive.AddFS(os.DirFS(ts.MkAbs(args[0]))))
	ts.Check(archive.Close())
}
