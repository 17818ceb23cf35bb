// Package oas reads descriptions of HTTP APIs (OpenAPI 2.0, 3.0 and 3.1, in JSON or YAML) and turns them into something
// to read.
//
// Read parses a description, follows its references, brings it up to OpenAPI 3.1 and says what is wrong with it, with
// line and column. A Document then answers what a reader asks: which operations there are, what one takes and answers,
// what a model looks like. Bundle writes the document with everything it refers to, and Open reads that back.
//
// Expand turns an operation, a webhook or models into blocks of a page, and Pages lays a whole description out as a
// tree of pages. Both are pure functions of the document: the same description gives the same pages under the same
// slugs.
//
// The package is pure: files that a description refers to come in through Options.Load, and are refused without it. It
// holds against hostile input: bytes, values, depth, the size that aliases unfold to, the number of references' files
// and what one operation prints are all bounded, and cycles are cut. What is over a bound is a Problem, never a crash.
package oas

import (
	"context"
	"fmt"
)

// Format is the language that a description is written in.
type Format string

// Formats.
const (
	JSON Format = "json"
	YAML Format = "yaml"
)

// Limits of one description with everything that it refers to.
const (
	// MaxBytes is the size of all files together, in bytes.
	MaxBytes = 10 << 20
	// MaxFiles is how many files a description may refer to.
	MaxFiles = 50
	// maxValues bounds the values (texts, numbers, lists, objects) that are read.
	maxValues = 1_500_000
	// maxUnfolded bounds the values once YAML aliases are written out.
	maxUnfolded = 2_000_000
	// maxDepth bounds how deep values nest.
	maxDepth = 256
	// maxProblems bounds how many problems are reported.
	maxProblems = 100
	// maxBundle bounds the bytes of a bundle.
	maxBundle = 48 << 20
)

// Problem is something that is wrong with a description.
type Problem struct {
	// File is the address of the file that it is in, "" for the description itself.
	File string
	// Line and Column count from 1; both are 0 when the problem has no place.
	Line, Column int
	// Message says what is wrong and what would be right.
	Message string
	// Warning marks what can be read all the same.
	Warning bool
}

// String returns the problem with its place, for people.
func (p Problem) String() string {
	place := p.File
	if p.Line > 0 {
		if place != "" {
			place += ", "
		}
		place += fmt.Sprintf("line %d, column %d", p.Line, p.Column)
	}
	if place == "" {
		return p.Message
	}
	return place + ": " + p.Message
}

// Options say how a description is read. The zero value reads it on its own.
type Options struct {
	// Address is where the description comes from; references to other files are relative to it. "" means nowhere: then
	// only references with a whole address can be followed.
	Address string
	// Load returns the bytes at an address that the description refers to. Nil refuses all such references. Its error
	// becomes a problem, except when the context has ended.
	Load func(ctx context.Context, address string) ([]byte, error)
}

// Read parses a description and brings it up to OpenAPI 3.1. The document is nil when a problem that is no warning was
// found. The error is the context's; everything that is wrong with the description is a Problem.
func Read(ctx context.Context, source []byte, options Options) (*Document, []Problem, error) {
	r := &reader{ctx: ctx, options: options, left: MaxBytes, values: maxValues}
	root := r.read(source, "")
	if root == nil {
		return nil, r.problems, ctx.Err()
	}
	d := &Document{files: []File{{Root: root}}, format: FormatOf(source)}
	version := r.version(root)
	if version == 0 {
		return nil, r.problems, ctx.Err()
	}
	r.gather(d)
	if r.failed() {
		return nil, r.problems, ctx.Err()
	}
	u := upgrader{done: map[*Node]bool{}}
	if version == 2 {
		u.swagger(d.files[0].Root)
	}
	for _, file := range d.files {
		u.schemas(file.Root, false)
	}
	r.resolve(d)
	if !r.failed() {
		r.validate(d.files[0].Root)
	}
	if err := ctx.Err(); err != nil {
		return nil, r.problems, err
	}
	if r.failed() {
		return nil, r.problems, nil
	}
	d.prepare()
	return d, r.problems, nil
}

// reader is the state of one Read.
type reader struct {
	ctx      context.Context
	options  Options
	problems []Problem
	fatal    bool
	left     int // bytes that may still be read
	values   int // values that may still be read
	file     string
}

func (r *reader) failed() bool { return r.fatal || r.ctx.Err() != nil }

// fail reports a problem at a node; nil means the whole file.
func (r *reader) fail(n *Node, format string, args ...any) { r.report(n, false, format, args...) }

// warn reports what can be read all the same.
func (r *reader) warn(n *Node, format string, args ...any) { r.report(n, true, format, args...) }

func (r *reader) report(n *Node, warning bool, format string, args ...any) {
	r.fatal = r.fatal || !warning
	if len(r.problems) >= maxProblems {
		// An error still has to be seen when there were many warnings before it.
		if last := &r.problems[maxProblems-1]; !warning && last.Warning {
			*last = r.problem(n, warning, format, args...)
		}
		return
	}
	r.problems = append(r.problems, r.problem(n, warning, format, args...))
}

func (r *reader) problem(n *Node, warning bool, format string, args ...any) Problem {
	p := Problem{File: r.file, Message: fmt.Sprintf(format, args...), Warning: warning}
	if n != nil {
		p.Line, p.Column = int(n.Line), int(n.Column)
	}
	return p
}

// read parses one file; nil when it cannot be read.
func (r *reader) read(source []byte, address string) *Node {
	r.file = address
	defer func() { r.file = "" }()
	if len(source) > r.left {
		r.fail(nil, "the description and the files it refers to have more than %d MB together", MaxBytes>>20)
		return nil
	}
	r.left -= len(source)
	root, problem := parse(source, &r.values)
	if problem != nil {
		problem.File = address
		r.fatal = true
		r.problems = append(r.problems, *problem)
		return nil
	}
	return root
}

// version returns the major version of a description, 0 when it is none that can be read.
func (r *reader) version(root *Node) int {
	if root.Kind != Object {
		r.fail(root, "an API description is an object that begins with \"openapi\" or \"swagger\", not %s", root.Kind)
		return 0
	}
	if v := root.Get("openapi"); v != nil {
		switch {
		case !v.scalar():
			r.fail(v, "openapi is the version as a text, such as \"3.1.0\"")
		case hasVersion(v.Text, "3.0"), hasVersion(v.Text, "3.1"), hasVersion(v.Text, "3.2"):
			return 3
		default:
			r.fail(v, "OpenAPI %.20q cannot be read; use 2.0, 3.0 or 3.1", v.Text)
		}
		return 0
	}
	if v := root.Get("swagger"); v != nil {
		if v.scalar() && hasVersion(v.Text, "2.0") || v.scalar() && v.Text == "2" {
			return 2
		}
		r.fail(v, "only version 2.0 of Swagger can be read")
		return 0
	}
	r.fail(root, "this is no API description: neither \"openapi\" nor \"swagger\" says its version")
	return 0
}

func hasVersion(text, version string) bool {
	return text == version || len(text) > len(version) && text[:len(version)+1] == version+"."
}
