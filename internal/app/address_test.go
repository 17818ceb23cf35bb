package app

import (
	"net"
	"testing"
)

func TestIsLoopback(t *testing.T) {
	for ip, want := range map[string]bool{
		"127.0.0.1": true, "127.8.0.1": true, "::1": true, "::ffff:127.0.0.1": true,
		"0.0.0.0": false, "::": false, "192.0.2.1": false, "2001:db8::1": false,
	} {
		if got := isLoopback(&net.TCPAddr{IP: net.ParseIP(ip), Port: 8080}); got != want {
			t.Errorf("%s: %v, want %v", ip, got, want)
		}
	}
	if isLoopback(&net.UnixAddr{Name: "/run/recto"}) {
		t.Error("a socket is no address of this machine's own")
	}
}
