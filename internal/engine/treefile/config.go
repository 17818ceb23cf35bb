package treefile

import (
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// Config is the configuration of a content tree: .gitbook.yaml.
type Config struct {
	// Root is the folder that holds the content, relative to the file, "." for its own.
	Root string
	// Readme and Summary are the paths of the first page and of the table of contents, relative to Root.
	Readme, Summary string
	// Redirects maps old paths without a leading slash to files, both relative to Root.
	Redirects map[string]string
}

// MaxConfig is the largest configuration file in bytes.
const MaxConfig = 1 << 20

// DefaultConfig returns what an empty configuration means.
func DefaultConfig() Config {
	return Config{Root: ".", Readme: "README.md", Summary: "SUMMARY.md", Redirects: map[string]string{}}
}

// ParseConfig reads .gitbook.yaml; an empty file gives the defaults. Broken YAML, values of a wrong type and paths that
// leave the folder are refused with errs.Invalid, which names the key.
func ParseConfig(file []byte) (Config, error) {
	config := DefaultConfig()
	values, err := readYAML(file, ".gitbook.yaml")
	if err != nil {
		return Config{}, err
	}
	if values == nil {
		return config, nil
	}
	root, ok := values.(map[string]any)
	if !ok {
		return Config{}, errs.Invalidf(".gitbook.yaml", "expected keys such as root and structure")
	}
	if err := configPath(root, "root", "root", &config.Root); err != nil {
		return Config{}, err
	}
	if structure, ok := root["structure"].(map[string]any); ok {
		if err := configPath(structure, "readme", "structure.readme", &config.Readme); err != nil {
			return Config{}, err
		}
		if err := configPath(structure, "summary", "structure.summary", &config.Summary); err != nil {
			return Config{}, err
		}
	} else if root["structure"] != nil {
		return Config{}, errs.Invalidf("structure", "expected the keys readme and summary")
	}
	redirects, ok := root["redirects"].(map[string]any)
	if !ok && root["redirects"] != nil {
		return Config{}, errs.Invalidf("redirects", "expected old paths with the files that they lead to")
	}
	for _, from := range slices.Sorted(maps.Keys(redirects)) {
		to, ok := redirects[from].(string)
		if !ok {
			return Config{}, errs.Invalidf("redirects."+from, "expected a file")
		}
		config.Redirects[strings.Trim(from, "/")] = strings.TrimPrefix(to, "./")
	}
	return config, nil
}

// configPath reads a path that stays inside the folder.
func configPath(values map[string]any, key, name string, field *string) error {
	value, set := values[key]
	if !set || value == nil {
		return nil
	}
	text, ok := value.(string)
	if !ok {
		return errs.Invalidf(name, "expected a path")
	}
	clean := path.Clean(strings.TrimLeft(strings.ReplaceAll(text, `\`, "/"), "/"))
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return errs.Invalidf(name, "the path %q leaves the folder; use a path below it", text)
	}
	*field = clean
	return nil
}

// readYAML reads YAML as JSON values.
func readYAML(file []byte, name string) (any, error) {
	if len(file) > MaxConfig {
		return nil, errs.New(errs.TooLarge, "%s has %d bytes; it may have at most %d", name, len(file), MaxConfig)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(file, &root); err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "%s is not valid YAML (%s)", name, yamlReason(err))
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	values := nodeReader{}
	value := values.value(root.Content[0], 0)
	if values.refused {
		return nil, errs.New(errs.Invalid, "%s is nested too deeply or has too many aliases", name)
	}
	return value, nil
}

// WriteConfig writes .gitbook.yaml; it is empty when everything is the default.
func WriteConfig(c Config) []byte {
	defaults := DefaultConfig()
	mapping := &yaml.Node{Kind: yaml.MappingNode}
	add := func(to *yaml.Node, key string, value any) {
		to.Content = append(to.Content, yamlNode(key), yamlNode(value))
	}
	if c.Root != defaults.Root && c.Root != "" {
		add(mapping, "root", "./"+c.Root+"/")
	}
	structure := &yaml.Node{Kind: yaml.MappingNode}
	if c.Readme != defaults.Readme && c.Readme != "" {
		add(structure, "readme", c.Readme)
	}
	if c.Summary != defaults.Summary && c.Summary != "" {
		add(structure, "summary", c.Summary)
	}
	if len(structure.Content) > 0 {
		mapping.Content = append(mapping.Content, yamlNode("structure"), structure)
	}
	if len(c.Redirects) > 0 {
		redirects := map[string]any{}
		for from, to := range c.Redirects {
			redirects[from] = to
		}
		add(mapping, "redirects", redirects)
	}
	return dumpYAML(mapping)
}

// dumpYAML encodes nodes made by yamlNode; an empty mapping or list gives nothing.
func dumpYAML(node *yaml.Node) []byte {
	if len(node.Content) == 0 {
		return nil
	}
	source, err := yaml.Dump(node, yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err != nil {
		panic("encode YAML: " + err.Error()) // the nodes are made of scalars, lists and maps only
	}
	return source
}

// ParseVariables reads .gitbook/vars.yaml: a flat map of names to strings, numbers (float64) and booleans. A name
// starts with a letter and goes on with letters, digits and underscores.
func ParseVariables(file []byte) (map[string]any, error) {
	value, err := readYAML(file, "vars.yaml")
	if err != nil {
		return nil, err
	}
	variables := map[string]any{}
	if value == nil {
		return variables, nil
	}
	mapping, ok := value.(map[string]any)
	if !ok {
		return nil, errs.Invalidf("vars.yaml", "expected names with their values")
	}
	for _, name := range slices.Sorted(maps.Keys(mapping)) {
		if !isVariableName(name) {
			return nil, errs.Invalidf("vars.yaml: "+name,
				"a name starts with a letter and has only letters, digits and _")
		}
		if !isScalar(mapping[name]) {
			return nil, errs.Invalidf("vars.yaml: "+name, "expected a text, a number, true or false")
		}
		variables[name] = mapping[name]
	}
	return variables, nil
}

func isVariableName(name string) bool {
	for i, c := range []byte(name) {
		if !dialect.IsASCIILetter(c) && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return name != ""
}

// WriteVariables writes .gitbook/vars.yaml.
func WriteVariables(variables map[string]any) []byte { return dumpYAML(yamlNode(variables)) }
