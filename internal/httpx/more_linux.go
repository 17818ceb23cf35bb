package httpx

import (
	"io"
	"net"
	"syscall"
)

// headSize is how much net/http gathers before it writes: the first so many bytes of a long answer are its head and the
// beginning of its body, and the rest follows at once in a write of its own.
const headSize = 4 << 10

// msgMore tells the kernel that more follows (send(2), MSG_MORE). Package syscall does not have it.
const msgMore = 0x8000

// gather makes connections of a listener send the two writes of a long answer together: alone, the first costs as much
// as a packet and wakes the reader for nothing. The kernel does not hold it back for more than 200 ms should
// nothing follow.
func gather(listener net.Listener) net.Listener { return gathering{listener} }

type gathering struct{ net.Listener }

// Accept implements net.Listener.
func (l gathering) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	tcp, ok := accepted.(*net.TCPConn)
	if !ok {
		return accepted, nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return accepted, nil // it works without
	}
	return &gatheringConn{TCPConn: tcp, raw: raw}, nil
}

type gatheringConn struct {
	*net.TCPConn
	raw syscall.RawConn
}

// Write implements net.Conn.
func (c *gatheringConn) Write(p []byte) (int, error) {
	if len(p) != headSize {
		return c.TCPConn.Write(p)
	}
	sent, failure := 0, error(nil)
	err := c.raw.Write(func(descriptor uintptr) bool {
		for {
			sent, failure = syscall.SendmsgN(int(descriptor), p, nil, nil, msgMore|syscall.MSG_NOSIGNAL)
			if failure != syscall.EINTR {
				return failure != syscall.EAGAIN
			}
		}
	})
	if err != nil {
		return 0, err
	}
	if failure != nil {
		return 0, &net.OpError{Op: "write", Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: failure}
	}
	if sent == len(p) {
		return sent, nil
	}
	rest, err := c.TCPConn.Write(p[sent:])
	return sent + rest, err
}

// ReadFrom keeps files going from kernel to kernel.
func (c *gatheringConn) ReadFrom(source io.Reader) (int64, error) { return c.TCPConn.ReadFrom(source) }
