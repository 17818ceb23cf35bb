package config

import (
	"bytes"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

// cli is what a program's commands look like.
type cli struct {
	Global
	Serve serveCommand `cmd:"" help:"Serve."`
	Token struct {
		Create struct {
			Storage
			Name string `required:"" help:"Name of the token."`
			Days int    `default:"30" help:"Days that it is valid"`
			Loud bool   `help:"Say more."`
		} `cmd:"" help:"Create a token."`
	} `cmd:"" help:"Tokens."`
}

type serveCommand struct {
	Serve
}

// parse runs a command line with an environment.
func parse(t *testing.T, environment map[string]string, args ...string) (cli, string, error) {
	t.Helper()
	var (
		parsed cli
		help   bytes.Buffer
	)
	options, err := Options(args, func(name string) string { return environment[name] })
	if err != nil {
		return parsed, "", err
	}
	parser, err := kong.New(&parsed, append(options, kong.Name("recto"), kong.Writers(&help, &help),
		kong.Exit(func(int) {}))...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return parsed, help.String(), err
}

func writeFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recto.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var comparePrefixes = cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })

func TestDefaults(t *testing.T) {
	got, _, err := parse(t, nil, "serve")
	if err != nil {
		t.Fatal(err)
	}
	want := Defaults("./data")
	if diff := cmp.Diff(want, got.Serve.Serve, comparePrefixes); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	if got.LogLevel != "info" || got.LogFormat != "json" {
		t.Errorf("log settings are %+v", got.Global)
	}
	derived := []string{want.Database(), want.Blobs(), want.Search(), want.Base()}
	if diff := cmp.Diff([]string{"sqlite:data/recto.db", "dir:data/blobs", "data/search", "http://localhost:8080"},
		derived); diff != "" {
		t.Errorf("derived (-want +got):\n%s", diff)
	}
}

func TestSourcesInOrder(t *testing.T) {
	path := writeFile(t, `
# from the file
listen: ":1001"
base-url: https://file.example.com
sites-domain: file.example.com
role: web
fetch-allow: [10.0.0.0/8, 192.168.1.7]
trusted-proxies: 10.1.0.0/16,fd00::/8
log-level: warn
days: 7
loud: true
data:
`)
	environment := map[string]string{
		"RECTO_CONFIG": path, "RECTO_LISTEN": ":1002", "RECTO_BASE_URL": "https://environment.example.com",
		"RECTO_ROLE": "",
	}
	got, _, err := parse(t, environment, "serve", "--listen", ":1003")
	if err != nil {
		t.Fatal(err)
	}
	want := Serve{
		Storage: Storage{Data: "./data"}, Listen: ":1003", BaseURL: "https://environment.example.com",
		SitesDomain:    "file.example.com",
		FetchAllow:     []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.168.1.7/32")},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd00::/8")},
		RateLimit:      6000, CreateOrganizations: CreatorsAdministrators, EmbeddingsContent: EmbedPublic,
		Role: RoleWeb,
	}
	if diff := cmp.Diff(want, got.Serve.Serve, comparePrefixes); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	if got.LogLevel != "warn" {
		t.Errorf("the log level is %s", got.LogLevel)
	}

	// The same file serves a command with other flags, and the environment can give what is required.
	token, _, err := parse(t, map[string]string{"RECTO_NAME": "ci"}, "token", "create", "--config="+path)
	if err != nil {
		t.Fatal(err)
	}
	if token.Token.Create.Name != "ci" || token.Token.Create.Days != 7 || !token.Token.Create.Loud {
		t.Errorf("token settings are %+v", token.Token.Create)
	}
}

func TestParseRefuses(t *testing.T) {
	file := func(content string) []string { return []string{"serve", "--config", writeFile(t, content)} }
	tests := []struct {
		name        string
		args        []string
		environment map[string]string
		want        string
	}{
		{"unknown key", file("lissten: x"), nil, `unknown setting "lissten"`},
		{"underscore", file("base_url: x"), nil, `write "base-url"`},
		{"key twice", file("listen: :1\nlisten: :2"), nil, "listen"},
		{"no mapping", file("- listen"), nil, "must be a mapping"},
		{"not YAML", file("a: [b"), nil, "not YAML"},
		{"nested", file("listen: {port: 1}"), nil, "line 1: listen must be a plain value"},
		{"nested list", file("\nfetch-allow: [[a]]"), nil, "line 2: fetch-allow must be a list of plain values"},
		{"alias bomb", file("a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]"), nil, "plain values"},
		{"too large", file(strings.Repeat("#", maxFile+1)), nil, "over 1 MB"},
		{"config in the file", file("config: other.yaml"), nil, "unknown setting"},
		{"no file", []string{"serve", "--config", "/nowhere/recto.yaml"}, nil, "cannot read"},
		{"bad network", []string{"serve", "--fetch-allow", "10.0.0.0/33"}, nil, "10.0.0.0/33"},
		{"bad network in the environment", []string{"serve"}, map[string]string{"RECTO_FETCH_ALLOW": "localhost"},
			"localhost"},
		{"bad role", []string{"serve", "--role", "boss"}, nil, "boss"},
		{"bad role in the environment", []string{"serve"}, map[string]string{"RECTO_ROLE": "boss"}, "boss"},
		{"bad level", []string{"serve", "--log-level", "loud"}, nil, "loud"},
		{"bad address", []string{"serve", "--listen", "8080"}, nil, "--listen must be HOST:PORT"},
		{"bad storage", []string{"token", "create", "--name", "x", "--database-url", "mysql://x"}, nil,
			"--database-url must begin with"},
		{"missing", []string{"token", "create"}, nil, "--name"},
	}
	for _, test := range tests {
		_, _, err := parse(t, test.environment, test.args...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one with %q", test.name, err, test.want)
		}
	}
}

func TestHelpNamesVariables(t *testing.T) {
	_, help, _ := parse(t, nil, "serve", "--help")
	for _, want := range []string{"--database-url=URL", "(RECTO_DATABASE_URL)", "(RECTO_CONFIG)",
		"(default info, RECTO_LOG_LEVEL)"} {
		if !strings.Contains(strings.Join(strings.Fields(help), " "), want) {
			t.Errorf("the help lacks %s:\n%s", want, help)
		}
	}
}

func TestConfigPath(t *testing.T) {
	environment := func(name string) string { return map[string]string{"RECTO_CONFIG": "env"}[name] }
	for want, args := range map[string][]string{
		"env":  {"serve"},
		"a":    {"serve", "--config", "a"},
		"b=c":  {"--config=b=c", "serve"},
		"last": {"serve", "--listen", ":1", "--config", "last"},
	} {
		if got := configPath(args, environment); got != want {
			t.Errorf("%q: got %q", args, got)
		}
	}
	if got := configPath([]string{"eval", "--", "--config", "a"}, func(string) string { return "" }); got != "" {
		t.Errorf("an argument after -- is taken for the file: %q", got)
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Serve)
		want   string // empty when it is valid
	}{
		{"defaults", func(*Serve) {}, ""},
		{"any port", func(s *Serve) { s.Listen = "127.0.0.1:0" }, ""},
		{"IPv6", func(s *Serve) { s.Listen = "[::1]:8080" }, ""},
		{"no port", func(s *Serve) { s.Listen = "localhost" }, "--listen"},
		{"large port", func(s *Serve) { s.Listen = ":70000" }, "65535"},
		{"port by name", func(s *Serve) { s.Listen = ":http" }, "--listen"},
		{"a URL", func(s *Serve) { s.Listen = "http://:8080" }, "--listen"},
		{"https", func(s *Serve) { s.BaseURL = "https://docs.example.com/" }, ""},
		{"no scheme", func(s *Serve) { s.BaseURL = "docs.example.com" }, "--base-url"},
		{"ftp", func(s *Serve) { s.BaseURL = "ftp://docs.example.com" }, "--base-url"},
		{"path", func(s *Serve) { s.BaseURL = "https://example.com/docs" }, "no path"},
		{"query", func(s *Serve) { s.BaseURL = "https://example.com?" }, "query"},
		{"user", func(s *Serve) { s.BaseURL = "https://me@example.com" }, "user"},
		{"garbage", func(s *Serve) { s.BaseURL = "https://%zz" }, "--base-url"},
		{"machine translation", func(s *Serve) {
			s.TranslateURL, s.TranslateModel = "https://api.example.com/v1/chat/completions", "m"
		}, ""},
		{"no model", func(s *Serve) { s.TranslateURL = "https://api.example.com/" }, "--translate-model"},
		{"no endpoint", func(s *Serve) { s.TranslateURL, s.TranslateModel = "ftp://api.example.com/", "m" },
			"--translate-url"},
		{"embeddings of OpenAI", func(s *Serve) {
			s.EmbeddingsURL, s.EmbeddingsModel, s.EmbeddingsKey = "https://api.example.com/v1/embeddings", "m", "k"
		}, ""},
		{"embeddings of Ollama", func(s *Serve) {
			s.EmbeddingsURL, s.EmbeddingsModel = "http://localhost:11434/api/embed", "m"
		}, ""},
		{"embeddings without a model", func(s *Serve) { s.EmbeddingsURL = "http://localhost/v1/embeddings" },
			"--embeddings-model"},
		{"embeddings without an address", func(s *Serve) { s.EmbeddingsModel = "m" }, "--embeddings-url"},
		{"embeddings of no known form", func(s *Serve) {
			s.EmbeddingsURL, s.EmbeddingsModel = "http://localhost:11434/", "m"
		}, "/api/embed"},
		{"embeddings of another scheme", func(s *Serve) {
			s.EmbeddingsURL, s.EmbeddingsModel = "ftp://localhost/v1/embeddings", "m"
		}, "--embeddings-url"},
		{"embeddings with a password in the address", func(s *Serve) {
			s.EmbeddingsURL, s.EmbeddingsModel = "http://me:pw@localhost/v1/embeddings", "m"
		}, "--embeddings-url"},
		{"embeddings with a key that no header carries", func(s *Serve) {
			s.EmbeddingsURL, s.EmbeddingsModel, s.EmbeddingsKey = "http://localhost/v1/embeddings", "m", "a\nb"
		}, "--embeddings-key"},
		{"renderer", func(s *Serve) {
			s.RendererURL, s.RendererSecret = "http://10.0.0.7:3000/docs/", strings.Repeat("s", 16)
		}, ""},
		{"renderer without a secret", func(s *Serve) { s.RendererURL = "http://localhost:3000" }, "openssl rand"},
		{"renderer with a short secret", func(s *Serve) {
			s.RendererURL, s.RendererSecret = "http://localhost:3000", strings.Repeat("s", 15)
		}, "at least 16"},
		{"renderer with a line break in the secret", func(s *Serve) {
			s.RendererURL, s.RendererSecret = "http://localhost:3000", strings.Repeat("s", 16)+"\n"
		}, "line break"},
		{"secret without a renderer", func(s *Serve) { s.RendererSecret = strings.Repeat("s", 16) }, "--renderer-url"},
		{"renderer of another scheme", func(s *Serve) {
			s.RendererURL, s.RendererSecret = "localhost:3000", strings.Repeat("s", 16)
		}, "--renderer-url must be an address"},
		{"renderer with a password in the address", func(s *Serve) {
			s.RendererURL, s.RendererSecret = "http://me:pw@localhost/", strings.Repeat("s", 16)
		}, "no user"},
		{"renderer with the path that is added", func(s *Serve) {
			s.RendererURL, s.RendererSecret = "http://localhost/~gitbook/revalidate", strings.Repeat("s", 16)
		}, "is added"},
		{"embeddings of all", func(s *Serve) { s.EmbeddingsContent = EmbedAll }, ""},
		{"embeddings of some", func(s *Serve) { s.EmbeddingsContent = "some" }, "--embeddings-content"},
		{"name server", func(s *Serve) { s.DNSServer = "192.0.2.53:53" }, ""},
		{"name server by name", func(s *Serve) { s.DNSServer = "ns.example.com:5353" }, ""},
		{"name server with IPv6", func(s *Serve) { s.DNSServer = "[2001:db8::53]:53" }, ""},
		{"name server without port", func(s *Serve) { s.DNSServer = "192.0.2.53" }, "--dns-server"},
		{"name server without host", func(s *Serve) { s.DNSServer = ":53" }, "--dns-server"},
		{"name server at port 0", func(s *Serve) { s.DNSServer = "192.0.2.53:0" }, "--dns-server"},
		{"name server with scheme", func(s *Serve) { s.DNSServer = "udp://192.0.2.53:53" }, "--dns-server"},
		{"domain", func(s *Serve) { s.SitesDomain = "docs.example.com" }, ""},
		{"one label", func(s *Serve) { s.SitesDomain = "localhost" }, ""},
		{"upper case", func(s *Serve) { s.SitesDomain = "Docs.example.com" }, "--sites-domain"},
		{"wildcard", func(s *Serve) { s.SitesDomain = "*.example.com" }, "--sites-domain"},
		{"port in domain", func(s *Serve) { s.SitesDomain = "example.com:80" }, "--sites-domain"},
		{"dot at the end", func(s *Serve) { s.SitesDomain = "example.com." }, "--sites-domain"},
		{"long label", func(s *Serve) { s.SitesDomain = strings.Repeat("a", 64) + ".com" }, "--sites-domain"},
		{"no data", func(s *Serve) { s.Data = " " }, "--data"},
		{"postgres", func(s *Serve) { s.DatabaseURL = "postgres://host/name" }, ""},
		{"database path", func(s *Serve) { s.DatabaseURL = "recto.db" }, "--database-url"},
		{"blob path", func(s *Serve) { s.BlobURL = "/var/blobs" }, "--blob-url"},
		{"rate limit", func(s *Serve) { s.RateLimit = -1 }, "--rate-limit"},
		{"metrics token", func(s *Serve) { s.MetricsToken = "0123abcdef" }, ""},
		{"metrics token that no header carries", func(s *Serve) { s.MetricsToken = "two words" }, "--metrics-token"},
		{"no rate limit", func(s *Serve) { s.RateLimit = 0 }, ""},
		{"role", func(s *Serve) { s.Role = "boss" }, "--role"},
		{"creators", func(s *Serve) { s.CreateOrganizations = "friends" }, "--create-organizations"},
		{"nobody creates", func(s *Serve) { s.CreateOrganizations = CreatorsNobody }, ""},
	}
	for _, test := range tests {
		settings := Defaults("data")
		test.change(&settings)
		err := settings.Validate()
		if test.want == "" && err != nil || test.want != "" &&
			(err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got error %v, want %q", test.name, err, test.want)
		}
		if err != nil && !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: the error is of kind %v", test.name, errs.KindOf(err))
		}
	}
	all := Serve{Storage: Storage{DatabaseURL: "x:secret"}, Listen: "x", BaseURL: "x", SitesDomain: "X", Role: "x"}
	err := all.Validate()
	for _, want := range []string{"--data", "--database-url", "--listen", "--base-url", "--sites-domain", "--role"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("one run does not show %s: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("the message shows the value: %v", err)
	}
}

func TestBase(t *testing.T) {
	for listen, want := range map[string]string{
		":8080":          "http://localhost:8080",
		"0.0.0.0:9000":   "http://localhost:9000",
		"[::]:9000":      "http://localhost:9000",
		"127.0.0.1:9000": "http://127.0.0.1:9000",
		"[::1]:9000":     "http://[::1]:9000",
		"[::1]:80":       "http://[::1]",
		":80":            "http://localhost",
	} {
		if got := (Serve{Listen: listen}).Base(); got != want {
			t.Errorf("%s: got %s, want %s", listen, got, want)
		}
	}
	if got := (Serve{Listen: ":1", BaseURL: "https://docs.example.com/"}).Base(); got != "https://docs.example.com" {
		t.Errorf("got %s", got)
	}
}

func TestRole(t *testing.T) {
	for role, want := range map[Role][2]bool{RoleAll: {true, true}, RoleWeb: {true, false}, RoleWorker: {false, true}} {
		if role.Web() != want[0] || role.Worker() != want[1] {
			t.Errorf("%s: web %v, worker %v", role, role.Web(), role.Worker())
		}
	}
}

func TestLogger(t *testing.T) {
	var out bytes.Buffer
	Global{LogLevel: "warn", LogFormat: "text"}.Logger(&out).Info("hidden")
	Global{LogLevel: "warn", LogFormat: "text"}.Logger(&out).Warn("shown")
	Global{LogLevel: "debug", LogFormat: "json"}.Logger(&out).Debug("debugged")
	got := out.String()
	if strings.Contains(got, "hidden") || !strings.Contains(got, "msg=shown") || !strings.Contains(got,
		`"msg":"debugged"`) {
		t.Errorf("log:\n%s", got)
	}
}
