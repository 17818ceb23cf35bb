package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rectodocs/recto/internal/client"
)

// remote are the flags of commands that talk to a running server.
type remote struct {
	Server string `placeholder:"URL" default:"http://localhost:8080" help:"Address of the server."`
	Token  string `placeholder:"TOKEN" help:"A token of yours there; that of recto login when not given."`
}

// client returns a client with the token that is given, or the one that is kept for the server.
func (r remote) client() (*client.Client, error) {
	token := r.Token
	if token == "" {
		kept, err := keptToken(r.Server)
		if err != nil {
			return nil, err
		}
		token = kept
	}
	return client.New(r.Server, token)
}

type importCommand struct {
	remote
	Source string `arg:"" help:"A folder, a ZIP (also an export of Confluence or Notion), a Word, Markdown or HTML file, or the address of a website, a wiki, a Git repository or a Google document."`
	Space  string `required:"" placeholder:"ID" help:"Space that takes the content; pages that are there already, by their path, are brought up to date."`
	Limit  int    `placeholder:"N" help:"Most pages to take from a website; all when not given."`
	Kind   string `name:"source" placeholder:"KIND" help:"What the source is (website, docx, markdown, html, zip, confluence, notion, github-wiki, google-docs); found out when not given."`
	From   string `enum:",${generators}" default:"" placeholder:"GENERATOR" help:"What a folder or ZIP is written for (${generators}); found out when not given, and the summary says what was found."`
	Change string `name:"change-request" placeholder:"NUMBER" help:"Change request that takes the content, by number or id; the main content when not given."`
	Page   string `placeholder:"ID" help:"Page that takes the content: a single document becomes its body, other pages go below it."`
	Mirror bool   `help:"Make the space, or what is below --page, the same as the source: pages that the source does not have are removed, and those that have another path there move. What would be removed is shown first, and asked for on a terminal."`
	DryRun bool   `name:"dry-run" help:"Change nothing; say what would be added, updated, moved and removed."`
	Yes    bool   `short:"y" help:"With --mirror: do not ask before pages are removed."`
	NoGit  bool   `name:"no-git" help:"Do not note which Git repository a folder or page lies in."`
	Branch string `name:"git-ref" placeholder:"NAME" help:"Branch that links to edit a page lead to; the one that is checked out when not given."`
	JSON   bool   `name:"json" help:"Print the record of the import as JSON instead of a summary."`
}

// Run imports and shows progress on standard error.
func (c *importCommand) Run(e environment) error {
	remote, err := c.client()
	if err != nil {
		return err
	}
	if c.NoGit && c.Branch != "" {
		return errors.New("--git-ref names a branch to note and --no-git notes none; leave one of them out")
	}
	if c.Mirror && !c.DryRun && !c.Yes {
		if err := c.confirm(e, remote); err != nil {
			return err
		}
	}
	done, err := c.run(e, remote, c.DryRun)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(done)
	}
	_, err = fmt.Fprint(e.stdout, done.Summary())
	return err
}

// run imports, or says what an import would do.
func (c *importCommand) run(e environment, remote *client.Client, dryRun bool) (client.Import, error) {
	progress := progressLine{terminal: isTerminal(e.stderr)}
	defer progress.end(e.stderr)
	return remote.Import(e.ctx, client.ImportRequest{
		Source: c.Source, Kind: c.Kind, From: c.From, Space: c.Space, ChangeRequest: c.Change, Page: c.Page,
		Limit: c.Limit, Mirror: c.Mirror, DryRun: dryRun, NoGit: c.NoGit, Branch: c.Branch,
		Progress: func(state client.Import) { progress.show(e.stderr, state) },
		Warn:     func(text string) { fmt.Fprintln(e.stderr, text) },
	})
}

// confirm shows what would be removed and asks whether it may be.
func (c *importCommand) confirm(e environment, remote *client.Client) error {
	planned, err := c.run(e, remote, true)
	if err != nil {
		return err
	}
	if planned.Report.Changes == nil || planned.Report.Changes.Removed.Total == 0 {
		return nil
	}
	fmt.Fprint(e.stderr, planned.Summary())
	if !isTerminal(e.stdin) {
		return errors.New("pages would be removed; run it again with --yes when that is right")
	}
	fmt.Fprint(e.stderr, "Remove these pages? [y/N] ")
	answer, err := bufio.NewReader(e.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was changed")
	}
	return nil
}

// progressLine writes the progress of an import: one line that changes on a terminal, a line for each change elsewhere.
type progressLine struct {
	terminal bool
	last     string
}

func (p *progressLine) show(w interface{ Write([]byte) (int, error) }, state client.Import) {
	text := state.Message
	if state.Total > 0 {
		text = fmt.Sprintf("%s (%d of %d)", text, state.Done, state.Total)
	} else if state.Done > 0 {
		text = fmt.Sprintf("%s (%d)", text, state.Done)
	}
	if text == p.last || strings.TrimSpace(text) == "" || state.State == "failed" {
		return
	}
	if p.terminal {
		fmt.Fprintf(w, "\r%s%s", text, strings.Repeat(" ", max(0, len(p.last)-len(text))))
	} else {
		fmt.Fprintln(w, text)
	}
	p.last = text
}

// end finishes the line that changes.
func (p *progressLine) end(w interface{ Write([]byte) (int, error) }) {
	if p.terminal && p.last != "" {
		fmt.Fprintln(w)
	}
}

func isTerminal(w any) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

type exportCommand struct {
	remote
	Space  string `arg:"" help:"Id of the space."`
	Output string `short:"o" required:"" placeholder:"PATH" help:"New or empty folder to write to; with --pdf a new file."`
	PDF    bool   `name:"pdf" help:"Write a PDF instead of Markdown."`
	Page   string `placeholder:"ID" help:"With --pdf: only this page and those below it."`
}

// Run exports.
func (c *exportCommand) Run(e environment) error {
	remote, err := c.client()
	if err != nil {
		return err
	}
	if c.Page != "" && !c.PDF {
		return errors.New("--page goes with --pdf; an export of Markdown is always of the whole space")
	}
	if c.PDF {
		size, err := remote.ExportPDF(e.ctx, c.Space, c.Page, c.Output)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(e.stdout, "Wrote %d bytes to %s.\n", size, c.Output)
		return err
	}
	files, err := remote.Export(e.ctx, c.Space, c.Output)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "Wrote %d files to %s.\n", files, c.Output)
	return err
}
