package dbtest

import (
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Gate stands between a program and its PostgreSQL database, for tests of what happens when the database goes away.
type Gate struct {
	dial func() (net.Conn, error)

	mutex sync.Mutex
	shut  bool
	open  map[net.Conn]bool
}

// PostgresGate makes a migrated, empty PostgreSQL database behind a gate that is open, and returns the URL that leads
// through the gate.
func PostgresGate(t testing.TB) (*Gate, string) {
	t.Helper()
	address, err := url.Parse(PostgresURL(t))
	if err != nil {
		t.Fatal(err)
	}
	network, target := "tcp", address.Host
	if folder := address.Query().Get("host"); folder != "" {
		network, target = "unix", filepath.Join(folder, ".s.PGSQL.5432")
	} else if address.Port() == "" {
		target = net.JoinHostPort(address.Hostname(), "5432")
	}
	// A unix socket's address holds 107 bytes, which the folder of a test may take up by its name.
	folder, err := os.MkdirTemp("", "recto-gate-")
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(folder, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	g := &Gate{dial: func() (net.Conn, error) { return net.Dial(network, target) }, open: map[net.Conn]bool{}}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { g.pass(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		g.Shut()
		serving.Wait()
		_ = os.RemoveAll(folder)
	})
	query := address.Query()
	query.Set("host", folder)
	through := &url.URL{Scheme: address.Scheme, User: address.User, Host: "", Path: address.Path,
		RawQuery: query.Encode()}
	return g, through.String()
}

// Shut cuts all connections and refuses new ones until Open.
func (g *Gate) Shut() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.shut = true
	for conn := range g.open {
		_ = conn.Close()
	}
}

// Open lets connections through again.
func (g *Gate) Open() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.shut = false
}

// enter notes a connection, unless the gate is shut.
func (g *Gate) enter(conn net.Conn) bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if !g.shut {
		g.open[conn] = true
	}
	return !g.shut
}

func (g *Gate) leave(conn net.Conn) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	delete(g.open, conn)
	_ = conn.Close()
}

// pass carries bytes both ways until either side ends, or the gate is shut.
func (g *Gate) pass(client net.Conn) {
	defer client.Close()
	if !g.enter(client) {
		return
	}
	defer g.leave(client)
	server, err := g.dial()
	if err != nil {
		return
	}
	defer server.Close()
	if !g.enter(server) {
		return
	}
	defer g.leave(server)
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
	})
	_, _ = io.Copy(server, client)
	_ = server.Close()
	back.Wait()
}
