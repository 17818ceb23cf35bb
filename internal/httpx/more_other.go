//go:build !linux

package httpx

import "net"

// gather returns the listener as it is: sending two writes together is only known here on Linux.
func gather(listener net.Listener) net.Listener { return listener }
