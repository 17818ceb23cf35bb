package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/command"
	"github.com/rectodocs/recto/internal/platform/config"
)

// Two parsers share the command line. Kong parses the commands that are written here, as structs; cobra those that are
// made of the API's operations, and it completes words and writes manual pages of all. The second tree is made only
// when a command needs it, so that recto serve does not pay for it.

// isMade reports whether a command line is for the second tree: its first word is no command of kong's, or it is one
// that holds others and the next word is none of them.
func isMade(model *kong.Application, args []string) bool {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return false
	}
	node := kongChild(model.Node, args[0])
	if node == nil {
		return true
	}
	if len(node.Children) == 0 || len(args) == 1 {
		return false
	}
	return kongChild(node, args[1]) == nil
}

func kongChild(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name || slices.Contains(child.Aliases, name) {
			return child
		}
	}
	return nil
}

// kongWords returns the words of a command of kong's.
func kongWords(node *kong.Node) []string {
	var words []string
	for ; node.Parent != nil; node = node.Parent {
		words = append([]string{node.Name}, words...)
	}
	return words
}

// made returns the whole tree: what kong parses, to show and to complete, and what the API's operations make.
func made(model *kong.Application, e environment, args []string, getenv func(string) string) (*cobra.Command, error) {
	setting, err := config.Lookup(args, getenv)
	if err != nil {
		return nil, err
	}
	host := command.Host{Stdin: e.stdin, Stdout: e.stdout, Stderr: e.stderr, Setting: setting,
		Token: keptToken}
	root := command.Root(host)
	for _, child := range model.Children {
		root.AddCommand(mirror(child))
	}
	document, err := app.OpenAPI(command.DefaultServer, programVersion())
	if err != nil {
		return nil, err
	}
	operations, err := command.Operations(document)
	if err != nil {
		return nil, err
	}
	if err := command.Add(root, operations, host); err != nil {
		return nil, err
	}
	root.AddCommand(manCommand(root))
	root.InitDefaultCompletionCmd()
	return root, nil
}

// runMade runs a command of the second tree and returns the exit code of the program.
func runMade(model *kong.Application, e environment, args []string, getenv func(string) string) int {
	root, err := made(model, e, args, getenv)
	if err != nil {
		return fail(e.stderr, err)
	}
	root.SetArgs(args)
	// Cobra has no type for a word that is no command.
	if found, _, err := root.Find(args); found == root && err != nil && !strings.HasPrefix(args[0], "__") {
		fmt.Fprintf(e.stderr, "recto: unexpected argument %s%s\nrecto --help lists the commands.\n",
			args[0], command.Suggestion(root, args[0]))
		return exitUsage
	}
	if err := root.ExecuteContext(e.ctx); err != nil {
		fail(e.stderr, err)
		return command.ExitCode(err)
	}
	return exitOK
}

// mirror returns a command of kong's as one of cobra's, with its commands and flags. It is never run.
func mirror(node *kong.Node) *cobra.Command {
	if node.Type == kong.CommandNode && len(node.Children) > 0 {
		out := command.Group(node.Name, node.Help)
		for _, child := range node.Children {
			out.AddCommand(mirror(child))
		}
		return out
	}
	var use strings.Builder
	use.WriteString(node.Name)
	for _, positional := range node.Positional {
		use.WriteString(" " + strings.ToUpper(positional.Name))
	}
	out := &cobra.Command{Use: use.String(), Short: node.Help, Long: node.Help, Hidden: node.Hidden,
		RunE: func(c *cobra.Command, _ []string) error { return fmt.Errorf("%s is not run here", c.CommandPath()) }}
	for _, flag := range node.Flags {
		if flag.Hidden || flag.Name == "help" {
			continue
		}
		help := strings.ReplaceAll(config.FlagHelp(flag.Value), "`", "'")
		if flag.IsBool() {
			out.Flags().BoolP(flag.Name, shorthand(flag), false, help)
			continue
		}
		out.Flags().StringP(flag.Name, shorthand(flag), "", help)
		// A flag that may be left out has nothing as one of its values.
		if values := slices.DeleteFunc(flag.EnumSlice(), func(v string) bool { return v == "" }); flag.Enum != "" {
			// It fails for a flag that is not there or that has one already, and the flag was made here.
			_ = out.RegisterFlagCompletionFunc(flag.Name,
				cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	return out
}

func shorthand(flag *kong.Flag) string {
	if flag.Short == 0 {
		return ""
	}
	return string(flag.Short)
}

// manCommand writes the manual pages of the whole tree.
func manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write manual pages of all commands into a folder",
		Long: "Write manual pages of all commands into a folder that is there. man -l DIR/recto.1 shows the first.\n" +
			"SOURCE_DATE_EPOCH in the environment sets their date.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &command.Usage{Message: "recto man takes one argument: the folder to write to"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "Recto", Manual: "Recto"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("write the manual pages: %w", err)
			}
			return nil
		},
	}
}

// printMade lists the commands of the first level that kong does not know.
func printMade(w io.Writer, model *kong.Application, root *cobra.Command) {
	fmt.Fprintln(w, "\nCommands of a running server (made of its API; recto COMMAND --help shows more):")
	for _, child := range root.Commands() {
		if known := kongChild(model.Node, child.Name()); known == nil && child.IsAvailableCommand() {
			fmt.Fprintf(w, "  %-18s %s\n", child.Name(), child.Short)
		}
	}
}
