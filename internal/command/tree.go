package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rectodocs/recto/internal/client"
)

// Host is what the commands get from the program.
type Host struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Setting returns what the environment or the configuration file says of a flag, "" for nothing.
	Setting func(flag string) string
	// Token returns the token that recto login has kept for a server, "" without one.
	Token func(server string) (string, error)
}

// Usage is a wrong command line.
type Usage struct{ Message string }

// Error returns the message.
func (u *Usage) Error() string { return u.Message }

func usage(format string, args ...any) error { return &Usage{fmt.Sprintf(format, args...)} }

// DefaultServer is the address that commands talk to when nothing is said.
const DefaultServer = "http://localhost:8080"

// flags that every command has, or that steer it; a field of a body of that name is --field-NAME.
var reserved = []string{"server", "token", "org", "json", "all", "limit", "body", "file", "output", "help", "config"}

// Root returns an empty tree of commands, whose errors are returned and not printed.
func Root(host Host) *cobra.Command {
	root := &cobra.Command{Use: "recto", SilenceErrors: true, SilenceUsage: true,
		Short: "A documentation platform that you run yourself."}
	root.SetIn(host.Stdin)
	root.SetOut(host.Stdout)
	root.SetErr(host.Stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%v", err) })
	root.SetHelpCommand(&cobra.Command{Hidden: true})
	return root
}

// Add puts a command for each operation below root. Two operations with one name are an error.
func Add(root *cobra.Command, operations []Operation, host Host) error {
	for _, op := range operations {
		words := Name(op)
		parent := root
		for _, word := range words[:len(words)-1] {
			parent = group(parent, word)
		}
		verb := words[len(words)-1]
		if child(parent, verb) != nil {
			return fmt.Errorf("the operation %s has the name %q, which is taken", op.ID, strings.Join(words, " "))
		}
		parent.AddCommand(leaf(op, verb, host))
	}
	describe(root)
	return nil
}

func child(parent *cobra.Command, name string) *cobra.Command {
	at := slices.IndexFunc(parent.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
	if at < 0 {
		return nil
	}
	return parent.Commands()[at]
}

// group returns the command below parent that holds others, and makes it when it is not there.
func group(parent *cobra.Command, name string) *cobra.Command {
	if found := child(parent, name); found != nil {
		return found
	}
	made := Group(name, "")
	if !parent.HasParent() {
		made.Short = groups[name]
	}
	parent.AddCommand(made)
	return made
}

// describe says of groups for which nothing is written what they hold.
func describe(c *cobra.Command) {
	var names []string
	for _, child := range c.Commands() {
		describe(child)
		names = append(names, child.Name())
	}
	if c.Short == "" && len(names) > 0 {
		c.Short = "Commands: " + strings.Join(names, ", ") + "."
	}
}

// groups says what is behind the groups of the first level.
var groups = map[string]string{
	"audit": "The audit log.", "change": "Change requests.", "collection": "Collections of spaces.",
	"comment": "Comments on main content.", "file": "Files of a space.", "integration": "Integrations.",
	"invite": "Invitations by e-mail.", "link-invite": "Invitations by link.", "me": "You, your tokens and sessions.",
	"member": "People of an organization.", "notification": "What you are told.", "org": "Organizations.",
	"page": "Pages of a space's main content.", "revision": "Revisions of a space.", "site": "Published sites.",
	"space": "Spaces.", "spec": "OpenAPI descriptions.", "team": "Teams.", "translation": "Translations.",
	"trash": "Deleted spaces.", "url": "What an address shows.", "user": "Users.", "sso": "Single sign-on.",
	"saml": "SAML providers.", "oidc": "OpenID Connect providers.", "email-domain": "Organizations by e-mail domain.",
	"installation": "Installed integrations.", "subdomain": "Hostnames of organizations.",
	"merge-rule": "Rules of merging.", "pdf": "PDFs that were made.",
}

// Group returns a command that only holds others.
func Group(name, help string) *cobra.Command {
	return &cobra.Command{Use: name, Short: help, RunE: func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage("%q is no command of %q%s %s --help lists them",
				args[0], c.CommandPath(), cmp.Or(Suggestion(c, args[0]), ";"), c.CommandPath())
		}
		return c.Help()
	}}
}

// Suggestion returns what to say of the command that was probably meant by a word that is none of c's:
// `, did you mean "list"?`. It is empty when none is like it.
func Suggestion(c *cobra.Command, word string) string {
	// So many letters may be wrong, missing or too many; two are half of a short word.
	c.SuggestionsMinimumDistance = min(2, max(1, len(word)-3))
	var names []string
	for _, name := range c.SuggestionsFor(word) {
		names = append(names, strconv.Quote(name))
	}
	if len(names) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(names, " or ") + "?"
}

// leaf returns the command of one operation.
func leaf(op Operation, verb string, host Host) *cobra.Command {
	var use strings.Builder
	use.WriteString(verb)
	for _, name := range op.Arguments {
		use.WriteString(" " + argument(name))
	}
	long := firstOf(op.Summary, op.ID) + "."
	if op.Description != "" {
		long += "\n\n" + op.Description
	}
	long += fmt.Sprintf("\n\nThis is the operation %s of the API: %s %s.", op.ID, op.Method, op.Path)
	command := &cobra.Command{
		Use: use.String(), Short: op.Summary, Long: long,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == len(op.Arguments) {
				return nil
			}
			return usage("%s takes %s: %s", c.CommandPath(), count(len(op.Arguments), "argument"), c.UseLine())
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := command.Flags()
	flags.SortFlags = false
	for _, field := range op.Query {
		addField(command, field, field.Name)
	}
	for _, field := range op.Body {
		addField(command, field, bodyFlag(op, field))
	}
	switch op.Media {
	case "application/json":
		flags.String("body", "", "JSON body: a `FILE`, - for standard input, or JSON itself; flags win over it")
	case "multipart/form-data":
		flags.StringArray("file", nil, "`FILE` to send; may be given more than once")
	case "application/octet-stream":
		flags.String("body", "", "`FILE` to send, or - for standard input")
	}
	if op.Paged {
		flags.Int("limit", defaultLimit, "Most items to list")
		flags.Bool("all", false, "List all items")
	}
	if op.Organization {
		flags.String("org", "", "`ID` of the organization; yours when you have one (RECTO_ORG)")
	}
	flags.Bool("json", false, "Print the answer as JSON")
	flags.StringP("output", "o", "", "Write the answer to a new `FILE` instead of standard output")
	AddRemote(flags)
	command.RunE = func(c *cobra.Command, args []string) error { return run(c, op, args, host) }
	return command
}

// AddRemote adds the flags of every command that talks to a server.
func AddRemote(flags *pflag.FlagSet) {
	flags.String("server", "", "Address of the server (default "+DefaultServer+", RECTO_SERVER)")
	flags.String("token", "", "A token of yours there; that of recto login when not given (RECTO_TOKEN)")
	flags.String("config", "", "Configuration `FILE` in YAML; its keys are the names of flags (RECTO_CONFIG)")
}

// bodyFlag returns the flag of a field of the body: its own name unless that is taken.
func bodyFlag(op Operation, field Field) string {
	name := kebab(field.Name)
	if slices.Contains(reserved, name) ||
		slices.ContainsFunc(op.Query, func(f Field) bool { return flagName(f.Name) == name }) {
		return "field-" + name
	}
	return name
}

// flagName returns the flag of a parameter.
func flagName(name string) string {
	name = kebab(name)
	if slices.Contains(reserved, name) {
		return "field-" + name
	}
	return name
}

func addField(command *cobra.Command, field Field, name string) {
	name, help := flagName(name), strings.TrimSuffix(strings.Join(strings.Fields(field.Help), " "), ".")
	if strings.HasPrefix(name, "field-field-") {
		name = strings.TrimPrefix(name, "field-")
	}
	if len(field.Enum) > 0 {
		help = strings.TrimPrefix(help+"; one of "+strings.Join(field.Enum, ", "), "; ")
	}
	if field.Nullable && field.Type != "array" && field.Type != "boolean" {
		help = strings.TrimPrefix(help+"; null for none", "; ")
	}
	if field.Required {
		help = strings.TrimPrefix(help+" (required)", " ")
	}
	help = strings.ReplaceAll(help, "`", "'") // pflag takes a back quote for the name of the value
	switch flags := command.Flags(); field.Type {
	case "boolean":
		flags.Bool(name, false, help)
	case "array":
		flags.StringSlice(name, nil, help)
	default:
		flags.String(name, "", help)
	}
	complete := cobra.NoFileCompletions
	if len(field.Enum) > 0 {
		complete = cobra.FixedCompletions(field.Enum, cobra.ShellCompDirectiveNoFileComp)
	}
	// It fails for a flag that is not there or that has one already, and the flag was made here.
	_ = command.RegisterFlagCompletionFunc(name, complete)
}

func count(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun
	case 1:
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Remote returns the client that a command's flags and settings name, and the server's address.
func Remote(c *cobra.Command, host Host) (*client.Client, error) {
	server := Server(c, host)
	token := setting(c, host, "token")
	if token == "" && host.Token != nil {
		kept, err := host.Token(server)
		if err != nil {
			return nil, err
		}
		token = kept
	}
	return client.New(server, token)
}

// Server returns the address of the server that a command talks to.
func Server(c *cobra.Command, host Host) string {
	return firstOf(setting(c, host, "server"), DefaultServer)
}

// setting returns a flag's value, else what the environment or the configuration file says.
func setting(c *cobra.Command, host Host, name string) string {
	value, _ := c.Flags().GetString(name)
	if value == "" && host.Setting != nil {
		return host.Setting(name)
	}
	return value
}
