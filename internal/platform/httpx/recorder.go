package httpx

import (
	"bufio"
	"io"
	"net"
	"net/http"
)

// recorder notes what a handler answers.
type recorder struct {
	http.ResponseWriter
	status  int // 0 until the header is written
	bytes   int64
	aborted bool
	body    *boundedBody // nil for a request without one
	conn    *joinedConn  // nil when the writes of the answer cannot be joined
}

// refuseRest ends the connection after an answer that refuses a request of somebody unknown before its body was read.
// The server would else wait for the rest of the body before it sends the answer.
func (r *recorder) refuseRest(status int) {
	if r.body != nil && r.body.isUnwanted(status) {
		r.Header().Set("Connection", "close")
	}
}

// Unwrap lets http.ResponseController reach flushing, deadlines and the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	// Informational answers come before the one that counts.
	if r.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		r.status = status
		r.refuseRest(status)
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.write(p)
	r.bytes += int64(n)
	return n, err
}

// write sends the header together with what comes first of a long body.
func (r *recorder) write(p []byte) (int, error) {
	if r.conn == nil || r.bytes > 0 || len(p) < joinFrom {
		return r.ResponseWriter.Write(p)
	}
	return r.conn.writeJoined(r.ResponseWriter, p)
}

// ReadFrom lets the server send a file without copying it through this program.
func (r *recorder) ReadFrom(source io.Reader) (int64, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := io.Copy(r.ResponseWriter, source)
	r.bytes += n
	return n, err
}

// Flush implements http.Flusher for libraries that look for it.
func (r *recorder) Flush() {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	// A writer that cannot flush sends when it has to.
	_ = http.NewResponseController(r.ResponseWriter).Flush()
}

// Hijack implements http.Hijacker for libraries that look for it.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	connection, buffers, err := http.NewResponseController(r.ResponseWriter).Hijack()
	if err == nil && r.status == 0 {
		r.status = http.StatusSwitchingProtocols
	}
	return connection, buffers, err
}

// code returns the status that the client got.
func (r *recorder) code() int {
	if r.status == 0 {
		return http.StatusOK // the server's answer to a handler that writes nothing
	}
	return r.status
}
