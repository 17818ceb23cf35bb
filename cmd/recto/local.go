package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/rectodocs/recto/internal/app"
)

// maxInput bounds a file that a local command reads.
const maxInput = 16 << 20

// readInput reads a file whole.
func readInput(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	if len(content) > maxInput {
		return nil, fmt.Errorf("%s is larger than %d MB", path, maxInput>>20)
	}
	return content, nil
}

type markdownCommand struct {
	File string `arg:"" help:"A Markdown file in the dialect."`
	To   string `enum:"document,html,text,markdown" default:"html" help:"What to print: ${enum}."`
}

// Run prints what a page becomes.
func (c *markdownCommand) Run(e environment) error {
	source, err := readInput(c.File)
	if err != nil {
		return err
	}
	return app.Show(e.ctx, source, c.To, e.stdout)
}

type evalCommand struct {
	Expression string `arg:"" help:"The expression."`
	Context    string `placeholder:"FILE" help:"JSON file with an object: the variables."`
}

// Run prints the value of an expression.
func (c *evalCommand) Run(e environment) error {
	variables := map[string]any{}
	if c.Context != "" {
		raw, err := readInput(c.Context)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(raw, &variables); err != nil {
			return fmt.Errorf("%s is not a JSON object: %w", c.Context, err)
		}
	}
	value, err := app.Evaluate(e.ctx, c.Expression, variables)
	if err != nil {
		return err
	}
	return e.printJSON(value)
}

type openAPICommand struct {
	BaseURL string `name:"base-url" placeholder:"URL" default:"http://localhost:8080" help:"Address of the server that the document names."`
}

// Run prints the OpenAPI document.
func (c *openAPICommand) Run(e environment) error {
	document, err := app.OpenAPI(c.BaseURL, programVersion())
	if err != nil {
		return err
	}
	_, err = e.stdout.Write(append(document, '\n'))
	return err
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(e environment) error {
	_, err := fmt.Fprintln(e.stdout, "recto", programVersion())
	return err
}
