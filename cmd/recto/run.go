package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/config"
)

// Exit codes of the program.
const (
	exitOK    = 0
	exitError = 1 // the command failed; one line on standard error says why
	exitUsage = 2 // the command line is wrong
)

// commandLine is the grammar of the command line.
type commandLine struct {
	config.Global

	Serve       serveCommand       `cmd:"" help:"Answer requests and run jobs."`
	Demo        demoCommand        `cmd:"" help:"Publish a folder or a website of yours, or the manual, as a site and serve it; nothing needs to be there before."`
	Init        initCommand        `cmd:"" help:"Make the database, an organization and its admin; prints their ids and a token."`
	User        userCommand        `cmd:"" help:"Manage people."`
	Token       tokenCommand       `cmd:"" help:"Manage tokens."`
	Migrate     migrateCommand     `cmd:"" help:"Bring the database up to date."`
	Verify      verifyCommand      `cmd:"" help:"Check everything that a server keeps; exits with 1 when something is damaged."`
	Check       checkCommand       `cmd:"" help:"Check a folder of docs: links, anchors, images, operations of APIs and what is not understood, with file and line."`
	Import      importCommand      `cmd:"" help:"Import a folder, a file, an export of another tool or an address into a space of a running server."`
	Export      exportCommand      `cmd:"" help:"Write a space of a running server as a Markdown tree."`
	Login       loginCommand       `cmd:"" help:"Sign in to a running server with the browser, or keep a token that is given or read from standard input."`
	Logout      logoutCommand      `cmd:"" help:"Forget the token that is kept for a server, and end it there if the browser signed in."`
	Whoami      whoamiCommand      `cmd:"" help:"Print whom the token stands for."`
	Integration integrationCommand `cmd:"" help:"Integrations."`
	Markdown    markdownCommand    `cmd:"" help:"Show what a page becomes."`
	Eval        evalCommand        `cmd:"" help:"Print the value of an expression as JSON."`
	Openapi     openAPICommand     `cmd:"" name:"openapi" help:"Print the OpenAPI document."`
	Version     versionCommand     `cmd:"" help:"Print the version."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version and end."`
}

// environment is what every command gets.
type environment struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
	log            *slog.Logger
}

// variables reads variables of the environment.
type variables func(name string) string

// printJSON writes a value as one line of JSON to standard output.
func (e environment) printJSON(value any) error {
	encoder := json.NewEncoder(e.stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// exited carries the code with which kong wants to end, after --help for one.
type exited int

// generators are what recto import reads a folder as that it is told to.
const generators = "folders,gitbook,mdbook,mkdocs,docusaurus,vitepress,hugo,starlight,mintlify,nextra,sphinx,jekyll," +
	"asciidoctor"

// named are what the tags of commands and flags name.
func named(version string) kong.Vars { return kong.Vars{"version": version, "generators": generators} }

// run runs one command and returns the exit code of the program. Results go to stdout, progress and errors to stderr.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader,
	stdout, stderr io.Writer) (code int) {
	defer func() {
		switch ended := recover().(type) {
		case nil:
		case exited:
			code = int(ended)
		default:
			panic(ended) // nobody would learn of it otherwise
		}
	}()
	options, err := config.Options(args, getenv)
	if err != nil {
		return fail(stderr, err)
	}
	var grammar commandLine
	environment := environment{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr}
	parser, err := kong.New(&grammar, append(options,
		kong.Name("recto"),
		kong.Description("A documentation platform that you run yourself. The manual: recto demo."),
		kong.Writers(stdout, stderr),
		kong.Bind(variables(getenv)),
		kong.Exit(func(code int) { panic(exited(code)) }),
		named("recto "+programVersion()),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Help(func(options kong.HelpOptions, shown *kong.Context) error {
			return help(options, shown, environment, getenv)
		}),
	)...)
	if err != nil {
		return fail(stderr, err)
	}
	if len(args) == 0 || args[0] == "help" {
		args = append(args[min(1, len(args)):], "--help")
	}
	if isMade(parser.Model, args) {
		return runMade(parser.Model, environment, args, getenv)
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(stderr, "recto: %s\nrecto --help lists the commands, recto COMMAND --help the flags of one.\n", err)
		return exitUsage
	}
	environment.log = grammar.Logger(stderr)
	if err := parsed.Run(environment); err != nil {
		return fail(stderr, err)
	}
	return exitOK
}

// help prints the help of a command of kong's, and with that of the program what the API's operations make.
func help(options kong.HelpOptions, shown *kong.Context, e environment, getenv func(string) string) error {
	selected := shown.Selected()
	if selected != nil && len(selected.Children) == 0 {
		return kong.DefaultHelpPrinter(options, shown)
	}
	root, err := made(shown.Model, e, nil, getenv)
	if err != nil {
		return err
	}
	if selected != nil {
		found, _, err := root.Find(kongWords(selected))
		if err != nil {
			return fmt.Errorf("find the command: %w", err)
		}
		return found.Help()
	}
	if err := kong.DefaultHelpPrinter(options, shown); err != nil {
		return err
	}
	printMade(e.stdout, shown.Model, root)
	return nil
}

// fail prints an error as one line and returns the exit code for it.
func fail(stderr io.Writer, err error) int {
	message := err.Error()
	if refusal, ok := errors.AsType[*errs.Error](err); ok {
		message = refusal.Message
		if refusal.Cause != nil {
			message += ": " + refusal.Cause.Error()
		}
	}
	fmt.Fprintln(stderr, "recto:", strings.ReplaceAll(strings.TrimSpace(message), "\n", "\n  "))
	return exitError
}

// version is set by the linker for releases; see the Makefile.
var version = ""

// programVersion returns the release's version, or what the build knows of itself.
func programVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return "development " + setting.Value[:min(12, len(setting.Value))]
		}
	}
	return "development"
}
