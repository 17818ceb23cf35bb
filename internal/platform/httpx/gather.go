package httpx

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// headSize is how much net/http gathers before it writes: the first so many bytes of a long answer are its head and the
// beginning of its body, and the rest follows at once in a write of its own.
const headSize = 4 << 10

// closingTime bounds what is still said to a reader when a connection is closed.
const closingTime = time.Second

// gather makes connections of a listener send the two writes of a long answer in one call of the kernel: alone, the
// first costs as much as a packet and wakes the reader for nothing.
func gather(listener net.Listener) net.Listener { return gathering{listener} }

type gathering struct{ net.Listener }

// Accept implements net.Listener.
func (l gathering) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := accepted.(*net.TCPConn); ok {
		return &gatheringConn{TCPConn: tcp}, nil
	}
	return accepted, nil
}

// gatheringConn holds the beginning of an answer back until the next write. An answer may be exactly that long: what is
// held is sent at the latest when net/http turns to something else, which it does by setting a deadline for reading, or
// by closing.
type gatheringConn struct {
	*net.TCPConn

	mutex sync.Mutex // closing may come from another goroutine
	held  *[headSize]byte
}

var heads = sync.Pool{New: func() any { return new([headSize]byte) }}

// take returns what is held, nil for nothing, which is from then on for the caller to send.
func (c *gatheringConn) take() *[headSize]byte {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	held := c.held
	c.held = nil
	return held
}

// release sends what is held.
func (c *gatheringConn) release() error {
	held := c.take()
	if held == nil {
		return nil
	}
	defer heads.Put(held)
	_, err := c.TCPConn.Write(held[:])
	return err
}

// Write implements net.Conn.
func (c *gatheringConn) Write(p []byte) (int, error) {
	held := c.take()
	if held != nil {
		defer heads.Put(held)
		both := net.Buffers{held[:], p}
		sent, err := both.WriteTo(c.TCPConn)
		return max(int(sent)-headSize, 0), err
	}
	if len(p) != headSize || !bytes.HasPrefix(p, []byte("HTTP/1.")) {
		return c.TCPConn.Write(p)
	}
	held = heads.Get().(*[headSize]byte)
	copy(held[:], p)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.held = held
	return len(p), nil
}

// ReadFrom keeps files going from kernel to kernel.
func (c *gatheringConn) ReadFrom(source io.Reader) (int64, error) {
	if err := c.release(); err != nil {
		return 0, err
	}
	return c.TCPConn.ReadFrom(source)
}

// SetReadDeadline implements net.Conn.
func (c *gatheringConn) SetReadDeadline(t time.Time) error {
	unsent := c.release()
	// Whoever waits for the deadline must not wait in vain.
	return errors.Join(unsent, c.TCPConn.SetReadDeadline(t))
}

// SetDeadline implements net.Conn.
func (c *gatheringConn) SetDeadline(t time.Time) error {
	unsent := c.release()
	// Whoever waits for the deadline must not wait in vain.
	return errors.Join(unsent, c.TCPConn.SetDeadline(t))
}

// CloseWrite ends what is sent and leaves the other direction open.
func (c *gatheringConn) CloseWrite() error {
	unsent := c.release()
	return errors.Join(unsent, c.TCPConn.CloseWrite())
}

// Close implements net.Conn.
func (c *gatheringConn) Close() error {
	if held := c.take(); held != nil {
		// A reader who does not listen must not keep the program from ending.
		_ = c.SetWriteDeadline(time.Now().Add(closingTime))
		_, _ = c.TCPConn.Write(held[:])
		heads.Put(held)
	}
	return c.TCPConn.Close()
}
