// Package agents owns the list of AI agents and of crawlers that gather for them, agents.txt: how they call themselves
// in requests and in robots.txt. What a site does with them is not decided here.
package agents

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"strings"
)

//go:embed agents.txt
var kept string

// List is the agents that a site may exclude. It does not change.
type List struct {
	// names are in lower case, robots as robots.txt has them.
	names, robots []string
	// signatures are hosts, in lower case.
	signatures []string
}

// Load reads the list that comes with the program, agents.txt.
func Load() (*List, error) { return read(kept) }

func read(text string) (*List, error) {
	found := &List{}
	for number, line := range strings.Split(text, "\n") {
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

// Sent reports whether a request is from a program of the list, by what it says itself.
func (l *List) Sent(r *http.Request) bool {
	for _, header := range r.Header["User-Agent"] {
		header = strings.ToLower(header[:min(len(header), maxAgent)])
		for _, name := range l.names {
			if hasName(header, name) {
				return true
			}
		}
	}
	for _, header := range r.Header["Signature-Agent"] {
		header = strings.ToLower(header[:min(len(header), maxAgent)])
		for _, host := range l.signatures {
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

// Disallow writes the rules of robots.txt by which agents keep out of some paths.
func (l *List) Disallow(out io.StringWriter, paths ...string) {
	for _, name := range l.robots {
		_, _ = out.WriteString("User-agent: " + name + "\n") // it goes into memory
	}
	for _, path := range paths {
		_, _ = out.WriteString("Disallow: " + path + "\n")
	}
}
