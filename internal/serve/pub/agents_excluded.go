package pub

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/publish/site"
)

//go:embed agents.txt
var agentList string

// agents are the programs that a site may exclude; see agents.txt.
type agents struct {
	// names are in lower case, robots as robots.txt has them.
	names, robots []string
	// signatures are hosts, in lower case.
	signatures []string
}

// readAgents reads the kept list.
func readAgents(list string) (*agents, error) {
	found := &agents{}
	for number, line := range strings.Split(list, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		kind, name, _ := strings.Cut(line, " ")
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			return nil, fmt.Errorf("line %d of the list of agents names nobody", number+1)
		case kind == "agent":
			found.names, found.robots = append(found.names, strings.ToLower(name)), append(found.robots, name)
		case kind == "robots":
			found.robots = append(found.robots, name)
		case kind == "signature":
			found.signatures = append(found.signatures, strings.ToLower(name))
		default:
			return nil, fmt.Errorf("line %d of the list of agents begins with %q", number+1, kind)
		}
	}
	return found, nil
}

// maxAgent is how many bytes of a header are looked at: what a program calls itself stands near its beginning.
const maxAgent = 2 << 10

// sent reports whether a request is from a program of the list, by what it says itself.
func (a *agents) sent(r *http.Request) bool {
	for _, header := range r.Header["User-Agent"] {
		header = strings.ToLower(header[:min(len(header), maxAgent)])
		for _, name := range a.names {
			if hasName(header, name) {
				return true
			}
		}
	}
	for _, header := range r.Header["Signature-Agent"] {
		header = strings.ToLower(header[:min(len(header), maxAgent)])
		for _, host := range a.signatures {
			if hasName(header, host) {
				return true
			}
		}
	}
	return false
}

// hasName reports whether a text has a name that is not a part of a longer one; both are in lower case.
func hasName(text, name string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(name)
		if (at == 0 || !inName(text[at-1]) && text[at-1] != '-') && (end == len(text) || !inName(text[end])) {
			return true
		}
		from = at + 1
	}
}

func inName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// excludes reports whether a request is from an agent whom the site does not want. What agents may not read they may
// learn from robots.txt, which stays there for them.
func (s *Server) excludes(r *http.Request, asked request) bool {
	return asked.found.site.Site.AgentsContext == site.AgentsExcluded && asked.rest != "robots.txt" && s.agents.sent(r)
}

// serveExcluded answers an agent whom the site does not want. No cache keeps the answer, so that it is shown to nobody
// else.
func serveExcluded(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	if r.Method != http.MethodHead {
		// An error here is a reader who has left.
		_, _ = io.WriteString(w,
			"This site is for people: its owner has excluded AI agents and the crawlers that gather for them.\n")
	}
}

// disallow writes the rules of robots.txt by which agents keep out of a path.
func (a *agents) disallow(out io.StringWriter, path string) {
	for _, name := range a.robots {
		_, _ = out.WriteString("User-agent: " + name + "\n") // it goes into memory
	}
	_, _ = out.WriteString("Disallow: " + path + "\n")
}
