package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/base/errs"
)

// maxFile is the most bytes that a configuration file may have.
const maxFile = 1 << 20

// Variable returns the name of the environment variable for a flag: RECTO_BASE_URL for base-url.
func Variable(flag string) string {
	return "RECTO_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Options returns what a kong parser needs so that its flags can also be given in the environment and in the
// configuration file, which it reads: the one named by --config in args, else by RECTO_CONFIG. An error is an
// *errs.Error that says what is wrong with the file.
func Options(args []string, getenv func(string) string) ([]kong.Option, error) {
	resolver := &resolver{getenv: getenv}
	if path := configPath(args, getenv); path != "" {
		values, err := readFile(path)
		if err != nil {
			return nil, err
		}
		resolver.path, resolver.values = path, values
	}
	return []kong.Option{
		kong.Resolvers(resolver),
		kong.ValueFormatter(FlagHelp),
		kong.TypeMapper(reflect.TypeFor[netip.Prefix](), kong.MapperFunc(decodePrefix)),
	}, nil
}

// configPath finds the configuration file's name before anything is parsed, because parsing needs the file.
func configPath(args []string, getenv func(string) string) string {
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if value, ok := strings.CutPrefix(arg, "--config="); ok {
			return value
		}
		if arg == "--config" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return getenv(Variable("config"))
}

// readFile reads a configuration file: one mapping whose values are scalars or lists of scalars.
func readFile(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "cannot read the configuration file %s", path)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "cannot read the configuration file %s", path)
	}
	if len(content) > maxFile {
		return nil, errs.New(errs.TooLarge, "the configuration file %s is over 1 MB", path)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		return nil, errs.New(errs.Invalid, "the configuration file %s is not YAML: %v", path, err)
	}
	if len(document.Content) == 0 {
		return nil, nil // an empty file
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, errs.New(errs.Invalid,
			"the configuration file %s must be a mapping of settings, such as \"listen: :8080\"", path)
	}
	values := map[string]string{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, node := root.Content[i], root.Content[i+1]
		if _, twice := values[key.Value]; twice {
			return nil, errs.New(errs.Invalid, "the configuration file %s has %q twice, again in line %d", path,
				key.Value, key.Line)
		}
		value, err := text(node)
		if err != nil {
			return nil, errs.New(errs.Invalid, "the configuration file %s, line %d: %s %v", path, key.Line, key.Value,
				err)
		}
		values[key.Value] = value
	}
	return values, nil
}

// text returns a node as it would stand on the command line.
func text(node *yaml.Node) (string, error) {
	switch {
	case node.Kind == yaml.ScalarNode && node.Tag == "!!null":
		return "", nil
	case node.Kind == yaml.ScalarNode:
		return node.Value, nil
	case node.Kind == yaml.SequenceNode:
		items := make([]string, 0, len(node.Content))
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return "", errors.New("must be a list of plain values")
			}
			// The command line separates items with commas.
			items = append(items, strings.ReplaceAll(item.Value, ",", `\,`))
		}
		return strings.Join(items, ","), nil
	default:
		return "", errors.New("must be a plain value or a list of them")
	}
}

// resolver gives kong the values of flags that are not on the command line.
type resolver struct {
	getenv func(string) string
	path   string
	values map[string]string
}

// Resolve implements kong.Resolver. An empty value counts as none, so that a variable can be unset by an empty one.
func (r *resolver) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if isControl(flag.Name) {
		return nil, nil
	}
	if value := r.getenv(Variable(flag.Name)); value != "" {
		return value, nil
	}
	if value := r.values[flag.Name]; value != "" {
		return value, nil
	}
	return nil, nil
}

// Validate implements kong.Resolver: it refuses keys that are no flag of any command.
func (r *resolver) Validate(application *kong.Application) error {
	known := map[string]bool{}
	err := kong.Visit(application, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && !isControl(flag.Name) {
			known[flag.Name] = true
		}
		return next(nil)
	})
	if err != nil {
		return fmt.Errorf("list the settings: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(r.values)) {
		if known[name] {
			continue
		}
		hint := ""
		if dashed := strings.ReplaceAll(strings.ToLower(name), "_", "-"); known[dashed] {
			hint = fmt.Sprintf("; write %q", dashed)
		}
		return errs.New(errs.Invalid, "the configuration file %s has the unknown setting %q%s", r.path, name, hint)
	}
	return nil
}

// isControl tells flags that steer the parser from settings.
func isControl(flag string) bool { return flag == "help" || flag == "config" || flag == "version" }

// FlagHelp returns a flag's help with its default and its environment variable.
func FlagHelp(value *kong.Value) string {
	if value.Flag == nil || value.Name == "help" || value.Name == "version" {
		return value.Help
	}
	note := Variable(value.Name)
	if value.HasDefault && value.Default != "" {
		note = "default " + value.Default + ", " + note
	}
	return strings.TrimSpace(strings.TrimSuffix(value.Help, ".") + " (" + note + ")")
}

// decodePrefix reads a network, or a single address as a network of one.
func decodePrefix(ctx *kong.DecodeContext, target reflect.Value) error {
	var given string
	if err := ctx.Scan.PopValueInto("network", &given); err != nil {
		return err
	}
	given = strings.TrimSpace(given)
	prefix, err := netip.ParsePrefix(given)
	if err != nil {
		address, addressErr := netip.ParseAddr(given)
		if addressErr != nil {
			return fmt.Errorf("%q is not a network such as 10.0.0.0/8", given)
		}
		prefix = netip.PrefixFrom(address, address.BitLen())
	}
	target.Set(reflect.ValueOf(prefix.Masked()))
	return nil
}
