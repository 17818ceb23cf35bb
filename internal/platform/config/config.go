// Package config owns the settings of the program: their names, defaults, sources and checks.
//
// A setting is a flag of a command, given as a kong struct. Options makes every flag of every command also a variable
// RECTO_NAME of the environment and a key of the YAML configuration file. The command line wins over the environment,
// that over the file, and that over the default. Nothing here is global: arguments and environment are passed in.
package config

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/embedding"
	"github.com/rectodocs/recto/internal/platform/mask"
)

// Global are the settings of every command.
type Global struct {
	// Config is the path of the configuration file. Options has read it before the command line is parsed.
	Config string `placeholder:"FILE" help:"Configuration file in YAML; its keys are the names of flags."`
	// LogLevel is the least that is logged: debug, info, warn or error.
	LogLevel string `enum:"debug,info,warn,error" default:"info" help:"Least level to log: ${enum}."`
	// LogFormat is json or text.
	LogFormat string `enum:"json,text" default:"json" help:"Form of the log: ${enum}."`
}

// Logger returns the log that the settings describe, written to w. No secret gets into it, see package mask.
func (g Global) Logger(w io.Writer) *slog.Logger {
	var level slog.Level
	// Only the four names get past the check of the flag; the zero level is info.
	_ = level.UnmarshalText([]byte(g.LogLevel))
	options := &slog.HandlerOptions{Level: level}
	if g.LogFormat == "text" {
		return mask.Logger(slog.New(slog.NewTextHandler(w, options)))
	}
	return mask.Logger(slog.New(slog.NewJSONHandler(w, options)))
}

// Storage are the settings of every command that works on stored data.
type Storage struct {
	// Data is the folder for everything on local disk.
	Data string `placeholder:"DIR" default:"./data" help:"Folder for the embedded database, files and search indexes."`
	// DatabaseURL is empty for the embedded database in Data.
	DatabaseURL string `name:"database-url" placeholder:"URL" help:"Database: sqlite:PATH or postgres://…; SQLite in the data folder when not given."`
	// BlobURL is empty for a folder in Data.
	BlobURL string `name:"blob-url" placeholder:"URL" help:"Store of files: dir:PATH or s3://BUCKET/PREFIX?endpoint=…; a folder in the data folder when not given."`
}

// Database returns the URL of the database.
func (s Storage) Database() string {
	return cmp.Or(s.DatabaseURL, "sqlite:"+filepath.Join(s.Data, "recto.db"))
}

// Blobs returns the address of the store of files.
func (s Storage) Blobs() string { return cmp.Or(s.BlobURL, "dir:"+filepath.Join(s.Data, "blobs")) }

// Search returns the folder of the search indexes. It is a cache, and belongs to one process.
func (s Storage) Search() string { return filepath.Join(s.Data, "search") }

// Validate checks the settings; kong calls it.
func (s Storage) Validate() error {
	var problems problems
	if strings.TrimSpace(s.Data) == "" {
		problems.add("data", "must name a folder, such as ./data")
	}
	// The values may hold passwords, so no message repeats one.
	if s.DatabaseURL != "" && !hasScheme(s.DatabaseURL, "sqlite", "postgres", "postgresql") {
		problems.add("database-url", "must begin with sqlite: or postgres://")
	}
	if s.BlobURL != "" && !hasScheme(s.BlobURL, "dir", "s3") {
		problems.add("blob-url", "must begin with dir: or s3://")
	}
	return problems.err()
}

// Role says which part of the work a process does.
type Role string

// The roles of a process: answer requests, work on jobs, or both.
const (
	RoleAll    Role = "all"
	RoleWeb    Role = "web"
	RoleWorker Role = "worker"
)

// Web reports whether the process answers requests.
func (r Role) Web() bool { return r == RoleAll || r == RoleWeb }

// Worker reports whether the process works on jobs.
func (r Role) Worker() bool { return r == RoleAll || r == RoleWorker }

// Serve are the settings of the server, made to be embedded in a kong struct.
type Serve struct {
	Storage
	// Listen is the address to answer on: this machine's own unless something else is said, so that nobody else reaches
	// a server by accident.
	Listen string `placeholder:"ADDR" default:"localhost:8080" help:"Address to listen on; :8080 for every address of the machine."`
	// BaseURL is empty for one made from Listen; see Base.
	BaseURL string `name:"base-url" placeholder:"URL" help:"Address under which people reach this server; http://localhost:PORT when not given."`
	// SitesDomain is empty when sites are below the base URL.
	SitesDomain string `name:"sites-domain" placeholder:"NAME" help:"Domain whose subdomains are the organizations' sites; without it sites are at BASE-URL/sites/."`
	// IntegrationsURL is empty when integrations answer below the base URL alone.
	IntegrationsURL string `name:"integrations-url" placeholder:"URL" help:"Address of a host of its own, without cookies, at which integrations answer with the content of blocks; BASE-URL when not given."`
	// DNSServer is the name server that is asked for the records which prove whose a domain is, "" for those of the
	// machine.
	DNSServer string `name:"dns-server" placeholder:"HOST:PORT" help:"Name server to ask for the records that prove whose a domain or hostname is; those of the machine when not given."`
	// FetchAllow are networks that outgoing requests may reach although they are not public.
	FetchAllow []netip.Prefix `name:"fetch-allow" placeholder:"CIDR" help:"Private networks that imports may fetch from; none when not given."`
	// TrustedProxies are networks whose X-Forwarded-For and X-Forwarded-Host headers are trusted.
	TrustedProxies []netip.Prefix `name:"trusted-proxies" placeholder:"CIDR" help:"Networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Host headers are trusted; none when not given."`
	// RateLimit is how many requests to the API a token may make in a minute; 0 for no limit. Requests without a token
	// get a tenth of it for each address.
	RateLimit int `name:"rate-limit" placeholder:"N" default:"6000" help:"API requests that a token may make in a minute; 0 for no limit."`
	// MetricsToken is what a request for /metrics has to bring, "" for nothing.
	MetricsToken string `name:"metrics-token" placeholder:"TOKEN" help:"Bearer token that /metrics asks for, better given as RECTO_METRICS_TOKEN; without one it answers everybody."`
	// CheckExternalLinks makes the server ask, in the background, whether external addresses in content answer.
	CheckExternalLinks bool `name:"check-external-links" help:"Ask now and then whether the external addresses in content answer, and list those that do not as broken."`
	// TranslateURL is the endpoint of machine translation, "" to leave it off; TranslateModel is the model to ask there
	// and TranslateKey what the endpoint wants to see, "" for nothing.
	TranslateURL   string `name:"translate-url" placeholder:"URL" help:"Endpoint of machine translation with chat completions as OpenAI has them, such as https://api.example.com/v1/chat/completions; off when not given."`
	TranslateModel string `name:"translate-model" placeholder:"NAME" help:"Model that the endpoint of machine translation is asked for."`
	TranslateKey   string `name:"translate-key" placeholder:"KEY" help:"Key for the endpoint of machine translation; better given as RECTO_TRANSLATE_KEY."`
	// EmbeddingsURL is the endpoint that search asks for vectors, "" to search by words alone; EmbeddingsModel is the
	// model to ask there, EmbeddingsKey what the endpoint wants to see, "" for nothing.
	EmbeddingsURL   string `name:"embeddings-url" placeholder:"URL" help:"Endpoint of embeddings that search asks beside the words, as OpenAI has it (…/v1/embeddings) or Ollama (http://localhost:11434/api/embed); off when not given."`
	EmbeddingsModel string `name:"embeddings-model" placeholder:"NAME" help:"Model that the endpoint of embeddings is asked for."`
	EmbeddingsKey   string `name:"embeddings-key" placeholder:"KEY" help:"Key for the endpoint of embeddings; better given as RECTO_EMBEDDINGS_KEY."`
	// EmbeddingsContent says whose texts are sent there.
	EmbeddingsContent EmbeddedContent `name:"embeddings-content" enum:"public,all" default:"public" help:"Texts that are sent to the endpoint of embeddings: ${enum}. Public ones are those that everybody may read on a public site."`
	// RendererURL is the address of a program that shows the sites elsewhere and is told of changes, "" for none, and
	// RendererSecret what it knows this server by.
	RendererURL    string `name:"renderer-url" placeholder:"URL" help:"Address of a program that shows the sites elsewhere, to be told of what changes at URL/~gitbook/revalidate; nobody is told when not given."`
	RendererSecret string `name:"renderer-secret" placeholder:"SECRET" help:"Secret that the program at --renderer-url has, too, and knows this server by; better given as RECTO_RENDERER_SECRET."`
	// SecretKey is 32 bytes in base64, or empty for a file in Data that is made when it is not there.
	SecretKey string `name:"secret-key" placeholder:"BASE64" help:"Key of 32 bytes in base64 that secrets in the database are encrypted with, the same in every process; kept in the data folder when not given."`
	// SMTPURL is the address of the mail server; without it no e-mail is sent. It may hold a password.
	SMTPURL string `name:"smtp-url" placeholder:"URL" help:"Mail server to send through: smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start; no e-mail is sent when not given."`
	// MailFrom is whom e-mail is from.
	MailFrom string `name:"mail-from" placeholder:"ADDRESS" help:"Sender of e-mail, such as \"Recto <docs@example.com>\"; needed with --smtp-url."`
	// CreateOrganizations says who may create organizations beside those that the operator sets up.
	CreateOrganizations Creators `name:"create-organizations" enum:"administrators,everyone,nobody" default:"administrators" help:"Who may create organizations through the API: ${enum}. Administrators are those of the organization that recto init made, and those whom recto user add made administrators."`
	// CheapPasswords makes a hash of a password cost next to nothing. No flag, variable or file says so: it is for
	// tests, in which people sign in thousands of times.
	CheapPasswords bool `kong:"-"`
	// SettleTime is how long what is written or told together waits for more of it: records of calls of integrations,
	// views that they are told of, and what the program at RendererURL is told. 0 means a second. No flag, variable or
	// file says so: it is for tests, which wait for that hundreds of times.
	SettleTime time.Duration `kong:"-"`
	// CheckTime is how long an answer of a check of readiness that costs something is kept. 0 means five seconds. It is
	// for tests as well.
	CheckTime time.Duration `kong:"-"`
	// Role is what this process does.
	Role Role `enum:"all,web,worker" default:"all" help:"What this process does: ${enum}."`
}

// defaultListen is the default of the setting listen.
const defaultListen = "localhost:8080"

// Creators are those who may create organizations.
type Creators string

// Who may create organizations.
const (
	// CreatorsAdministrators are those whom the operator chose.
	CreatorsAdministrators Creators = "administrators"
	CreatorsEveryone       Creators = "everyone"
	CreatorsNobody         Creators = "nobody"
)

// EmbeddedContent says which texts leave the server to be embedded.
type EmbeddedContent string

// What may be embedded.
const (
	// EmbedPublic is what everybody may read on a published site.
	EmbedPublic EmbeddedContent = "public"
	EmbedAll    EmbeddedContent = "all"
)

// Defaults returns the settings of a server for which nothing is said, with another data folder.
func Defaults(data string) Serve {
	return Serve{Storage: Storage{Data: data}, Listen: defaultListen, RateLimit: 6000,
		CreateOrganizations: CreatorsAdministrators, EmbeddingsContent: EmbedPublic, Role: RoleAll}
}

// Base returns the address under which people reach the server, without a slash at the end.
func (s Serve) Base() string {
	if s.BaseURL != "" {
		return strings.TrimRight(s.BaseURL, "/")
	}
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return "http://localhost:8080" // Validate has refused it
	}
	if address, err := netip.ParseAddr(host); host == "" || err == nil && address.IsUnspecified() {
		host = "localhost"
	}
	if port == "80" {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return "http://" + host
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Integrations returns the address below which integrations answer with the content of blocks, without a slash at the
// end.
func (s Serve) Integrations() string {
	if s.IntegrationsURL != "" {
		return strings.TrimRight(s.IntegrationsURL, "/")
	}
	return s.Base()
}

// Validate checks the settings; kong calls it.
func (s Serve) Validate() error {
	var problems problems
	problems.join(s.Storage.Validate())
	if host, port, err := net.SplitHostPort(s.Listen); err != nil {
		problems.add("listen", "must be HOST:PORT or :PORT, such as :8080 or 127.0.0.1:8080")
	} else {
		if number, err := strconv.ParseUint(port, 10, 16); err != nil || port == "" || strconv.FormatUint(number,
			10) != port {
			problems.add("listen", "has the port %q; it must be a number from 0 to 65535", port)
		}
		if strings.ContainsAny(host, "/ @") {
			problems.add("listen", "has the host %q; write it without a scheme or a path", host)
		}
	}
	if s.BaseURL != "" {
		checkAddress(&problems, "base-url", s.BaseURL)
	}
	if s.IntegrationsURL != "" {
		checkAddress(&problems, "integrations-url", s.IntegrationsURL)
		if s.Integrations() == s.Base() {
			problems.add("integrations-url", "must be on another host than base-url; leave it out otherwise")
		}
	}
	if s.SitesDomain != "" && !isDomain(s.SitesDomain) {
		problems.add("sites-domain",
			"must be a domain name in lower case without scheme, port or path, such as docs.example.com")
	}
	if s.DNSServer != "" && !isHostPort(s.DNSServer) {
		problems.add("dns-server", "must be HOST:PORT, such as 192.0.2.53:53 or [2001:db8::53]:53")
	}
	// The key is a secret, so the message does not repeat it.
	if key, err := base64.StdEncoding.DecodeString(s.SecretKey); s.SecretKey != "" && (err != nil || len(key) != 32) {
		problems.add("secret-key", "must be 32 bytes in base64; openssl rand -base64 32 makes one")
	}
	if s.SMTPURL != "" {
		// The value may hold a password, so the message does not repeat it.
		if !hasScheme(s.SMTPURL, "smtp", "smtps") {
			problems.add("smtp-url", "must begin with smtp:// or smtps://")
		}
		if s.MailFrom == "" {
			problems.add("mail-from", "must say whom e-mail is from, such as Recto <docs@example.com>")
		}
	}
	if s.TranslateURL != "" {
		if address, err := url.Parse(s.TranslateURL); err != nil || address.Scheme != "http" &&
			address.Scheme != "https" || address.Host == "" || address.User != nil {
			problems.add("translate-url", "must be an address such as https://api.example.com/v1/chat/completions")
		}
		if s.TranslateModel == "" {
			problems.add("translate-model", "must name the model that the endpoint is asked for")
		}
	}
	s.checkEmbeddings(&problems)
	s.checkRenderer(&problems)
	// The token is a secret, so the message does not repeat it.
	if strings.IndexFunc(s.MetricsToken, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		problems.add("metrics-token",
			"must be printable ASCII without spaces, as a header carries it; openssl rand -hex 32 makes one")
	}
	if s.RateLimit < 0 {
		problems.add("rate-limit", "must be a number of requests, or 0 for no limit")
	}
	if s.Role != RoleAll && s.Role != RoleWeb && s.Role != RoleWorker {
		problems.add("role", "must be all, web or worker")
	}
	if c := s.CreateOrganizations; c != CreatorsAdministrators && c != CreatorsEveryone && c != CreatorsNobody {
		problems.add("create-organizations", "must be administrators, everyone or nobody")
	}
	return problems.err()
}

// checkEmbeddings checks the settings of embeddings. Neither the address nor the key is repeated: both may be secrets.
func (s Serve) checkEmbeddings(problems *problems) {
	if s.EmbeddingsURL == "" {
		if s.EmbeddingsModel != "" || s.EmbeddingsKey != "" {
			problems.add("embeddings-url", "must name the endpoint; leave out the model and the key to switch it off")
		}
	} else {
		if problem := embedding.Check(s.EmbeddingsURL); problem != "" {
			problems.add("embeddings-url", "%s", problem)
		}
		if strings.TrimSpace(s.EmbeddingsModel) == "" {
			problems.add("embeddings-model", "must name the model that the endpoint is asked for")
		}
	}
	if strings.IndexFunc(s.EmbeddingsKey, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		problems.add("embeddings-key", "must be printable ASCII without spaces, as a header carries it")
	}
	if c := s.EmbeddingsContent; c != EmbedPublic && c != EmbedAll {
		problems.add("embeddings-content", "must be public or all")
	}
}

// minRendererSecret is the fewest bytes of the secret of a renderer: fewer could be guessed from what it is sent.
const minRendererSecret = 16

// checkRenderer checks the settings of the renderer. The secret is not repeated.
func (s Serve) checkRenderer(problems *problems) {
	if s.RendererURL == "" {
		if s.RendererSecret != "" {
			problems.add("renderer-url", "must name the renderer; leave out renderer-secret to tell nobody of changes")
		}
		return
	}
	address, err := url.Parse(s.RendererURL)
	switch {
	case err != nil, address.Scheme != "http" && address.Scheme != "https", address.Hostname() == "":
		problems.add("renderer-url", "must be an address such as http://localhost:3000")
	case address.User != nil, address.RawQuery != "", address.ForceQuery, address.Fragment != "":
		problems.add("renderer-url", "must have no user, query or fragment")
	case strings.Contains(address.Path, "/~gitbook"):
		problems.add("renderer-url", "must be where the renderer is; /~gitbook/revalidate is added to it")
	}
	if len(s.RendererSecret) < minRendererSecret {
		problems.add("renderer-secret", "must hold at least %d characters, the same as the renderer has; "+
			"openssl rand -hex 32 makes one", minRendererSecret)
	} else if strings.TrimSpace(s.RendererSecret) != s.RendererSecret {
		problems.add("renderer-secret", "begins or ends with a space or a line break; take it away here and there")
	}
}

// checkAddress checks the address of a whole host.
func checkAddress(problems *problems, name, text string) {
	address, err := url.Parse(text)
	switch {
	case err != nil, address.Scheme != "http" && address.Scheme != "https", address.Hostname() == "":
		problems.add(name, "must be an address such as https://docs.example.com")
	case address.User != nil, address.RawQuery != "", address.ForceQuery, address.Fragment != "":
		problems.add(name, "must have no user, query or fragment")
	case strings.Trim(address.Path, "/") != "":
		problems.add(name, "must have no path: the server answers at the root of its host")
	}
}

// isDomain reports whether s is a host name of at least one label (RFC 1123), in lower case.
func isDomain(s string) bool {
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			c := label[i]
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
				return false
			}
		}
	}
	return true
}

// isHostPort reports whether s is a host name or address with a port that can be reached.
func isHostPort(s string) bool {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return false
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return false
	}
	_, err = netip.ParseAddr(host)
	return err == nil || isDomain(strings.ToLower(host))
}

func hasScheme(address string, schemes ...string) bool {
	scheme, _, found := strings.Cut(address, ":")
	if !found {
		return false
	}
	return slices.Contains(schemes, scheme)
}

// problems collects what is wrong, so that one run shows all of it.
type problems []errs.Detail

func (p *problems) add(setting, format string, args ...any) {
	*p = append(*p, errs.Detail{Path: "--" + setting, Message: fmt.Sprintf(format, args...)})
}

func (p *problems) join(err error) {
	if other, ok := errors.AsType[*errs.Error](err); ok {
		*p = append(*p, other.Details...)
	}
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	texts := make([]string, len(p))
	for i, detail := range p {
		texts[i] = detail.Path + " " + detail.Message
	}
	return &errs.Error{Kind: errs.Invalid, Message: strings.Join(texts, "; "), Details: p}
}
