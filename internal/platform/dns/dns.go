// Package dns owns how the domain name system is asked for the records that prove whose a domain is.
package dns

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"
)

// Resolver asks for records.
type Resolver struct{ resolver *net.Resolver }

// dialLimit bounds how long reaching a name server may take.
const dialLimit = 3 * time.Second

// NewResolver returns a Resolver that asks the server at an address, or those of this machine where it is "".
func NewResolver(server string) *Resolver {
	if server == "" {
		return &Resolver{net.DefaultResolver}
	}
	dialer := net.Dialer{Timeout: dialLimit}
	return &Resolver{&net.Resolver{PreferGo: true, Dial: func(ctx context.Context,
		network, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, server)
	}}}
}

// TXT returns the TXT records of a name; none is no error.
func (r *Resolver) TXT(ctx context.Context, name string) ([]string, error) {
	records, err := r.resolver.LookupTXT(ctx, rooted(name))
	return records, unlessMissing(err)
}

// CNAME returns the name that another one stands for; none is no error.
func (r *Resolver) CNAME(ctx context.Context, name string) (string, error) {
	canonical, err := r.resolver.LookupCNAME(ctx, rooted(name))
	return canonical, unlessMissing(err)
}

// rooted is a name that is looked for as it is, and not below the search domains of this machine as well: a record
// there proves nothing.
func rooted(name string) string { return strings.TrimSuffix(name, ".") + "." }

func unlessMissing(err error) error {
	if failure, ok := errors.AsType[*net.DNSError](err); ok && failure.IsNotFound {
		return nil
	}
	return err
}
