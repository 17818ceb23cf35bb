// Package hostname owns which hostnames and proxies sites may have, and how a hostname is proven to be its owner's.
//
// It promises that a name of another's domain is never taken for proven: the domain has to name the site, or the
// organization's own host as what it stands for.
package hostname

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Max is the longest hostname or proxy in characters.
const Max = 512

var (
	pattern      = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$`)
	proxyPattern = regexp.MustCompile(`^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(/[\w-]+)+$`)
)

// Valid reports whether a host, without a port, has the form of a hostname that a site may have.
func Valid(host string) bool { return len(host) <= Max && pattern.MatchString(host) }

// ValidProxy reports whether a text has the form of a proxy: a host and a path.
func ValidProxy(proxy string) bool { return len(proxy) <= Max && proxyPattern.MatchString(proxy) }

// Record is the record of the domain name system that proves that a hostname is its owner's.
type Record struct {
	// Type is TXT; Name is where it has to be, and Value what it has to hold.
	Type, Name, Value string
}

// RecordFor returns the record that proves a hostname of the site that has the token.
func RecordFor(host, token string) Record {
	return Record{Type: "TXT", Name: "_recto." + host, Value: "recto-site=" + token}
}

// Lookups ask the domain name system. A name without the record is no error of TXT, and its own canonical name.
type Lookups struct {
	TXT   func(ctx context.Context, name string) ([]string, error)
	CNAME func(ctx context.Context, name string) (string, error)
}

// lookupLimit is how long asking for a proof may take.
const lookupLimit = 5 * time.Second

// Proven asks whether the domain of a hostname has its record, or stands for alias, a host of the organization; "" is
// none.
func (l Lookups) Proven(ctx context.Context, host, token, alias string) bool {
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	record := RecordFor(host, token)
	values, err := l.TXT(ctx, record.Name)
	if err == nil && slices.ContainsFunc(values, func(v string) bool { return strings.TrimSpace(v) == record.Value }) {
		return true
	}
	if alias == "" {
		return false
	}
	name, err := l.CNAME(ctx, host)
	return err == nil && strings.EqualFold(strings.TrimSuffix(name, "."), alias)
}
