// Package author owns what authors of integrations do on their own computer: a template to begin with, the manifest,
// the script as one module, publishing, and a server for development that runs the script as the real one does.
//
// A manifest is a YAML file with the fields of the operation publishIntegration, in which script, icon and
// previewImages are paths of files beside it, and secrets may name variables of the environment.
package author

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/client"
)

// manifestNames are the files that commands look for: that which New writes, and that of the API family's command line.
var manifestNames = []string{"integration.yaml", "gitbook-manifest.yaml"}

// ManifestIn returns the path of the manifest in a folder; where there is none, that of the one that New would write.
func ManifestIn(folder string) string {
	for _, name := range manifestNames {
		if file := filepath.Join(folder, name); isFile(file) {
			return file
		}
	}
	return filepath.Join(folder, manifestNames[0])
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// noOrganization stands in a manifest that New has written without an organization.
const noOrganization = "my-organization"

//go:embed template
var template embed.FS

// New writes a small integration with a name into a new folder. Without an organization, "", its author has to put one
// into the manifest.
func New(folder, name, organization string) error {
	if !nameForm.MatchString(name) {
		return fmt.Errorf("%q is no name: letters, digits, dots, dashes and underscores are accepted", name)
	}
	if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty; name a new folder", folder)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look into the folder: %w", err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	files, err := template.ReadDir("template")
	if err != nil {
		return err
	}
	for _, file := range files {
		content, err := template.ReadFile("template/" + file.Name())
		if err != nil {
			return err
		}
		content = bytes.ReplaceAll(content, []byte("TITLE"), []byte(titleOf(name)))
		content = bytes.ReplaceAll(content, []byte("NAME"), []byte(name))
		content = bytes.ReplaceAll(content, []byte("ORGANIZATION"), []byte(cmp.Or(organization, noOrganization)))
		if err := os.WriteFile(filepath.Join(folder, file.Name()), content, 0o644); err != nil {
			return fmt.Errorf("write the template: %w", err)
		}
	}
	return nil
}

// titleOf makes a title of a name: it has 2 to 30 characters.
func titleOf(name string) string {
	if len(name) < 2 {
		return "Integration " + name
	}
	return name[:min(len(name), 30)]
}

var nameForm = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$`)

// Integration is what a manifest says.
type Integration struct {
	// Name is the integration's.
	Name string
	// Fields are those of the publication, without the script.
	Fields map[string]any
	// Script is the path of the file that the script begins with.
	Script string

	folder string
}

// Load reads a manifest. secret returns a variable of the environment.
func Load(file string, secret func(name string) string) (Integration, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Integration{}, fmt.Errorf("there is no manifest at %s; name one, or a folder with %s. "+
			"recto integration new NAME writes one", file, strings.Join(manifestNames, " or "))
	}
	if err != nil {
		return Integration{}, fmt.Errorf("read the manifest: %w", err)
	}
	fields := map[string]any{}
	if err := yaml.Unmarshal(raw, &fields); err != nil {
		return Integration{}, fmt.Errorf("%s is no YAML: %w", file, err)
	}
	in := Integration{Fields: fields, folder: filepath.Dir(file)}
	in.Name, _ = fields["name"].(string)
	if !nameForm.MatchString(in.Name) {
		return Integration{}, fmt.Errorf("%s: name is missing, or is not of letters, digits, dots and dashes", file)
	}
	script, _ := fields["script"].(string)
	if script == "" {
		return Integration{}, fmt.Errorf("%s: script is missing; it is the path of a file", file)
	}
	if in.Script, err = in.inside(script); err != nil {
		return Integration{}, fmt.Errorf("%s: script: %w", file, err)
	}
	delete(fields, "name")
	delete(fields, "script")
	delete(fields, "envs") // what is different on servers of somebody else
	fields["runtime"] = "v2"
	if icon, ok := fields["icon"].(string); ok {
		if fields["icon"], err = in.picture(icon); err != nil {
			return Integration{}, fmt.Errorf("%s: icon: %w", file, err)
		}
	}
	if images, ok := fields["previewImages"].([]any); ok {
		for i, each := range images {
			name, _ := each.(string)
			if images[i], err = in.picture(name); err != nil {
				return Integration{}, fmt.Errorf("%s: previewImages: %w", file, err)
			}
		}
	}
	if secrets, ok := fields["secrets"].(map[string]any); ok {
		for name, each := range secrets {
			text, _ := each.(string)
			if secrets[name], err = filled(text, secret); err != nil {
				return Integration{}, fmt.Errorf("%s: secrets: %w", file, err)
			}
		}
	}
	return in, nil
}

var variable = regexp.MustCompile(`\$\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`)

// filled puts variables of the environment into a text: ${{ env.NAME }}.
func filled(text string, secret func(name string) string) (string, error) {
	var missing error
	text = variable.ReplaceAllStringFunc(text, func(match string) string {
		name := variable.FindStringSubmatch(match)[1]
		value := secret(name)
		if value == "" {
			missing = fmt.Errorf("the environment has no variable %s", name)
		}
		return value
	})
	return text, missing
}

// inside returns the path of a file that a manifest names, which has to lie beside or below it.
func (i Integration) inside(name string) (string, error) {
	if local := filepath.Clean(filepath.FromSlash(name)); filepath.IsLocal(local) {
		return filepath.Join(i.folder, local), nil
	}
	return "", fmt.Errorf("%q lies outside of the manifest's folder", name)
}

// picture returns a picture file as the API takes it.
func (i Integration) picture(name string) (string, error) {
	file, err := i.inside(name)
	if err != nil {
		return "", err
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(raw), nil
}

// Build makes one ES module of the script and all that it imports.
func (i Integration) Build() (string, error) {
	script, err := filepath.Abs(i.Script)
	if err != nil {
		return "", err
	}
	built := api.Build(api.BuildOptions{
		EntryPoints: []string{script}, Bundle: true, Write: false, Format: api.FormatESModule,
		Target: api.ES2022, Platform: api.PlatformBrowser, LogLevel: api.LogLevelSilent,
		Conditions: []string{"worker", "browser"}, MainFields: []string{"worker", "browser", "module", "main"},
		MinifySyntax: true, MinifyWhitespace: true, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		Loader: map[string]api.Loader{".svg": api.LoaderText, ".css": api.LoaderText, ".html": api.LoaderText,
			".raw.js": api.LoaderText},
		// What integrations of the API family count on: the runtime that they import makes elements of their JSX, and
		// asks for a mode.
		JSX: api.JSXAutomatic, JSXImportSource: "@gitbook/runtime",
		Define: map[string]string{"MODE": `"production"`, "process.env.NODE_ENV": `"production"`},
	})
	if len(built.Errors) > 0 {
		lines := api.FormatMessages(built.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return "", errors.New("the script cannot be built:\n" + strings.TrimSpace(strings.Join(lines, "")))
	}
	if len(built.OutputFiles) != 1 {
		return "", fmt.Errorf("the script makes %d files, and has to make one", len(built.OutputFiles))
	}
	return string(built.OutputFiles[0].Contents), nil
}

// Published is what the server answers to a publication.
type Published struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	URLs    struct {
		App string `json:"app"`
	} `json:"urls"`
}

// Publish builds and publishes an integration; organization, if not "", is instead of the manifest's.
func (i Integration) Publish(ctx context.Context, server *client.Client, organization string) (Published, error) {
	built, err := i.Build()
	if err != nil {
		return Published{}, err
	}
	i.Fields["script"] = built
	if organization != "" {
		i.Fields["organization"] = organization
	}
	if i.Fields["organization"] == noOrganization {
		return Published{}, fmt.Errorf("the manifest names no organization of yours: "+
			"put its hostname in the place of %s, or give --org", noOrganization)
	}
	var done Published
	return done, call(ctx, server, http.MethodPost, i.path(), i.Fields, &done)
}

// path is where the integration is in the API.
func (i Integration) path() string { return "/v1/integrations/" + url.PathEscape(i.Name) }

// call sends JSON and reads JSON.
func call(ctx context.Context, server *client.Client, method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("the manifest has something that is no JSON: %w", err)
	}
	answer, err := server.Call(ctx, method, path, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(answer.Body).Decode(out); err != nil {
		return fmt.Errorf("read the server's answer: %w", err)
	}
	return nil
}
