package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/config"
)

type verifyCommand struct {
	config.Storage
	Mend bool `help:"Give up damaged search and link indexes, which are made anew."`
	JSON bool `name:"json" help:"Print one JSON object instead of lines."`
}

// Run verifies and reports.
func (c *verifyCommand) Run(e environment) error {
	line := func(p app.Problem) {
		mended := ""
		if p.Mended {
			mended = " (mended)"
		}
		fmt.Fprintf(e.stdout, "%s: %s: %s%s\n", p.Part, p.Where, p.Problem, mended)
	}
	if c.JSON {
		line = nil
	}
	result, err := app.Verify(e.ctx, c.Storage, c.Mend, line)
	if err != nil {
		return err
	}
	if c.JSON {
		if err := e.printJSON(result); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(e.stdout, summary(result))
	}
	if !result.OK {
		return errs.New(errs.Precondition,
			"Something is damaged; the manual says how to mend it (Databases and files).")
	}
	return nil
}

// summary says in a line what was checked.
func summary(result app.Verification) string {
	words := map[string]string{"linkIndexes": "link indexes", "searchIndexes": "search indexes"}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(result.Checked)) {
		word := name
		if words[name] != "" {
			word = words[name]
		}
		parts = append(parts, fmt.Sprint(result.Checked[name], " ", word))
	}
	text := "Checked " + strings.Join(parts, ", ") + "."
	if result.Skipped > 0 {
		text += fmt.Sprintf(" %d search indexes were not looked at, because a running server has them open.",
			result.Skipped)
	}
	return text + fmt.Sprintf(" Problems: %d.", len(result.Problems))
}
