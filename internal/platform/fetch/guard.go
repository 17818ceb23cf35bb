package fetch

import (
	"fmt"
	"net/netip"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"
)

// RefusedError says that an address was resolved to an IP address that is not dialed.
type RefusedError struct {
	// Addr is the refused IP address.
	Addr netip.Addr
	// Cause is what the guard said.
	Cause error
}

// Error does not name the address, since it may become part of a message for anybody; see Addr.
func (e *RefusedError) Error() string { return "the address is not public" }

// Unwrap returns what the guard said.
func (e *RefusedError) Unwrap() error { return e.Cause }

func suggestRange(addr netip.Addr) string {
	return netip.PrefixFrom(addr, addr.BitLen()).String()
}

// guard decides at dial time, when a name has become an address, whether to go there.
type guard struct{ guardian *ssrf.Guardian }

func newGuard(allow []netip.Prefix) guard {
	var four, six []netip.Prefix
	for _, prefix := range allow {
		if prefix.Addr().Is4In6() && prefix.Bits() >= 96 {
			prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
		}
		if prefix = prefix.Masked(); prefix.Addr().Is4() {
			four = append(four, prefix)
		} else {
			six = append(six, prefix)
		}
	}
	return guard{ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(four...), ssrf.WithAllowedV6Prefixes(six...))}
}

// check is the dialer's Control function: it runs for every socket, after name resolution and before connecting.
func (g guard) check(network, address string, _ syscall.RawConn) error {
	port, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("parse dialed address %q: %w", address, err)
	}
	// An address of IPv4 in IPv6 clothes gets the rules of IPv4, without a zone that could hide it from a prefix.
	addr := port.Addr().Unmap().WithZone("")
	if !strings.HasPrefix(network, "tcp") {
		return &RefusedError{Addr: addr, Cause: fmt.Errorf("%w: %s", ssrf.ErrProhibitedNetwork, network)}
	}
	if err := g.guardian.SafeAddr(addr); err != nil {
		return &RefusedError{Addr: addr, Cause: err}
	}
	return nil
}
