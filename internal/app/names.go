package app

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"
)

// nameService asks the domain name system for the records that prove whose a domain is.
type nameService struct{ resolver *net.Resolver }

// dialLimit bounds how long reaching a name server may take.
const dialLimit = 3 * time.Second

// newNameService asks the server at an address, or those of this machine where it is "".
func newNameService(server string) nameService {
	if server == "" {
		return nameService{net.DefaultResolver}
	}
	dialer := net.Dialer{Timeout: dialLimit}
	return nameService{&net.Resolver{PreferGo: true, Dial: func(ctx context.Context,
		network, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, server)
	}}}
}

// txt returns the TXT records of a name; none is no error.
func (n nameService) txt(ctx context.Context, name string) ([]string, error) {
	records, err := n.resolver.LookupTXT(ctx, rooted(name))
	return records, unlessMissing(err)
}

// cname returns the name that another one stands for; none is no error.
func (n nameService) cname(ctx context.Context, name string) (string, error) {
	canonical, err := n.resolver.LookupCNAME(ctx, rooted(name))
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
