package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/client"
)

type checkCommand struct {
	Source string `arg:"" default:"." help:"A folder or a ZIP of Markdown, or one file; the folder it is started in when not given."`
	From   string `placeholder:"GENERATOR" help:"What the folder is written for, as in recto import; found out when not given."`
	Format string `enum:"text,json,sarif" default:"text" help:"How to print what was found: text, json, or sarif for services that show it beside the code."`
	Strict bool   `help:"Fail for warnings, too."`
}

// Help is what recto check --help says in front of the flags.
func (c *checkCommand) Help() string {
	return "It reads the docs as an import does, and says with file and line which links, anchors, images and " +
		"operations of APIs lead nowhere (errors), what is not understood (warnings), and what would be left out " +
		"(notes). It " +
		"exits with 1 when there are errors. It needs no server and changes nothing."
}

// Severities of what a check finds.
const (
	severityError   = "error"
	severityWarning = "warning"
	severityNote    = "note"
)

// finding is one thing that a check has found. Its JSON form is printed.
type finding struct {
	File string `json:"file"`
	// Line counts from 1; 0 stands for the whole file.
	Line     int    `json:"line,omitempty"`
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	Target   string `json:"target,omitempty"`
	Message  string `json:"message"`
}

// checked is what a check prints as JSON.
type checked struct {
	// Generator is what the folder was read as.
	Generator string    `json:"generator,omitempty"`
	Pages     int       `json:"pages"`
	Files     int       `json:"files"`
	Errors    int       `json:"errors"`
	Warnings  int       `json:"warnings"`
	Notes     int       `json:"notes"`
	Findings  []finding `json:"findings"`
}

// Run checks and reports.
func (c *checkCommand) Run(e environment) error {
	var done client.Import
	progress := progressLine{terminal: isTerminal(e.stderr)}
	err := app.Scratch(e.ctx, programVersion(), slog.New(slog.DiscardHandler), func(ctx context.Context,
		server, token, space string) (err error) {
		remote, err := client.New(server, token)
		if err != nil {
			return err
		}
		done, err = remote.Import(ctx, client.ImportRequest{
			Source: c.Source, From: c.From, Space: space, NoGit: true,
			Progress: func(state client.Import) {
				if progress.terminal {
					progress.show(e.stderr, state)
				}
			},
			Warn: func(text string) { fmt.Fprintln(e.stderr, text) },
		})
		return err
	})
	progress.end(e.stderr)
	if err != nil {
		return err
	}
	result := found(done.Report)
	switch c.Format {
	case "json":
		err = e.printJSON(result)
	case "sarif":
		err = e.printJSON(sarif(result, programVersion()))
	default:
		_, err = fmt.Fprint(e.stdout, result.text())
	}
	if err != nil {
		return err
	}
	if result.Errors > 0 || c.Strict && result.Warnings > 0 {
		return errs.New(errs.Precondition, "The docs are not in order: %s.", result.counts())
	}
	return nil
}

// found makes findings of the report of an import, in the order of files and lines.
func found(report client.Report) checked {
	result := checked{Pages: report.Pages, Files: report.Files, Errors: report.Broken.Total,
		Warnings: report.NotUnderstood.Total, Notes: report.Skipped.Total, Findings: []finding{}}
	if report.Detected != nil {
		result.Generator = report.Detected.Generator
	}
	for _, part := range []struct {
		notes          client.Notes
		severity, rule string
	}{
		{report.Broken, severityError, "broken-link"}, {report.NotUnderstood, severityWarning, "not-understood"},
		{report.Skipped, severityNote, "left-out"},
	} {
		for _, note := range part.notes.Items {
			made := finding{Severity: part.severity, Rule: part.rule, Target: note.Target, Message: note.Message}
			made.File, made.Line = place(note.Place)
			if made.Rule == "broken-link" {
				made.Rule = brokenRule(note)
			}
			result.Findings = append(result.Findings, made)
		}
	}
	slices.SortStableFunc(result.Findings, func(a, b finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return result
}

// brokenRule says what kind of destination leads nowhere.
func brokenRule(note client.Note) string {
	switch {
	case strings.Contains(note.Message, "anchor"):
		return "broken-anchor"
	case strings.Contains(note.Message, "description"):
		return "broken-operation"
	}
	return "broken-link"
}

// place parts "guide/setup.md:12" into the file and the line.
func place(text string) (file string, line int) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return text, 0
	}
	line, err := strconv.Atoi(text[at+1:])
	if err != nil || line < 1 {
		return text, 0
	}
	return text[:at], line
}

// text writes a line for each finding, as compilers do, and one that counts.
func (c checked) text() string {
	var out strings.Builder
	for _, each := range c.Findings {
		at := each.File
		if each.Line > 0 {
			at += ":" + strconv.Itoa(each.Line)
		}
		fmt.Fprintf(&out, "%s: %s: %s [%s]\n", at, each.Severity, strings.TrimSpace(each.Target+" "+each.Message),
			each.Rule)
	}
	if more := c.Errors + c.Warnings + c.Notes - len(c.Findings); more > 0 {
		fmt.Fprintf(&out, "… and %d more.\n", more)
	}
	fmt.Fprintf(&out, "Checked %s and %s", counted(c.Pages, "page"), counted(c.Files, "file"))
	if c.Generator != "" {
		fmt.Fprintf(&out, ", read as %s", c.Generator)
	}
	fmt.Fprintf(&out, ": %s.\n", c.counts())
	return out.String()
}

func (c checked) counts() string {
	return counted(c.Errors, "error") + ", " + counted(c.Warnings, "warning") + ", " + counted(c.Notes, "note")
}

// counted is a number of things in words.
func counted(number int, thing string) string {
	if number != 1 {
		thing += "s"
	}
	return strconv.Itoa(number) + " " + thing
}
