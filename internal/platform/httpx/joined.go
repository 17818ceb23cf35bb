package httpx

import (
	"context"
	"net"
	"net/http"
)

// joinFrom is how long a piece of a body must be for its answer to be joined: shorter ones leave net/http together with
// the header, in one write.
const joinFrom = 4 << 10

// joinedListener makes connections of a listener that can send the header of an answer together with its body.
type joinedListener struct{ net.Listener }

// Accept implements net.Listener.
func (l joinedListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if tcp, ok := accepted.(*net.TCPConn); ok {
		return &joinedConn{TCPConn: tcp}, err
	}
	return accepted, err
}

// joinedConn is a connection on which two writes of an answer can leave in one call of the kernel. net/http writes the
// header and the beginning of a long body first and the rest then; alone, the first costs as much as a packet and
// wakes the reader for nothing. Only the handler of the request that is being answered may call writeJoined.
type joinedConn struct {
	*net.TCPConn
	holding bool
	held    []byte // what was written first, kept for its memory afterwards
}

// Write implements net.Conn.
func (c *joinedConn) Write(p []byte) (int, error) {
	if !c.holding {
		return c.TCPConn.Write(p)
	}
	if len(c.held) == 0 {
		c.held = append(c.held, p...)
		return len(p), nil
	}
	c.holding = false
	both := net.Buffers{c.held, p}
	sent, err := both.WriteTo(c.TCPConn)
	first := len(c.held)
	c.held = c.held[:0]
	return max(int(sent)-first, 0), err
}

// writeJoined writes a piece of a body to w, whose connection this is, and joins the first two writes that come of it.
// All has been sent when it returns, save for what w keeps to itself.
func (c *joinedConn) writeJoined(w http.ResponseWriter, body []byte) (int, error) {
	c.holding = true
	n, err := w.Write(body)
	c.holding = false
	if len(c.held) > 0 { // there was no second one
		_, unsent := c.TCPConn.Write(c.held)
		c.held = c.held[:0]
		if err == nil {
			err = unsent
		}
	}
	return n, err
}

type joinedKey struct{}

// withConn lets joinedFrom find the connection of a request.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if joined, ok := c.(*joinedConn); ok {
		return context.WithValue(ctx, joinedKey{}, joined)
	}
	return ctx
}

// joinedFrom returns the connection of the request that ctx belongs to; nil when its writes cannot be joined.
func joinedFrom(ctx context.Context) *joinedConn {
	joined, _ := ctx.Value(joinedKey{}).(*joinedConn)
	return joined
}
