package httpx

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// slowServer answers under limits on bodies. A path says what the handler does with the body.
func slowServer(t *testing.T, limits BodyLimits) (address string, read chan error) {
	t.Helper()
	read = make(chan error, 1000)
	edge := Edge{Log: slog.New(slog.DiscardHandler), Bodies: limits}
	server := httptest.NewServer(edge.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/refused":
			w.WriteHeader(http.StatusUnauthorized)
			return
		case "/known":
			ProveBody(r.Context())
			w.WriteHeader(http.StatusNotFound)
			return
		case "/proven":
			ProveBody(r.Context())
		}
		_, err := io.Copy(io.Discard, r.Body)
		read <- err
		if err != nil {
			w.WriteHeader(http.StatusRequestTimeout)
			return
		}
		// The request goes on after its body, for longer than the body had.
		select {
		case <-r.Context().Done():
			if r.URL.Path == "/proven" { // whose client stays
				t.Error("the request was ended after its body was read")
			}
		case <-time.After(min(limits.Grace, 300*time.Millisecond) + 100*time.Millisecond):
		}
	})))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), read
}

// send begins a request with a body of a length and returns its connection.
func send(t *testing.T, address, path string, length int) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", path,
		length); err != nil {
		t.Fatal(err)
	}
	return conn
}

// answer reads the answer on a connection.
func answer(t *testing.T, conn net.Conn) (*http.Response, *bufio.Reader) {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(conn)
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	return response, reader
}

// answered is answer, and then reads the end of the connection when the server ends it.
func answered(t *testing.T, conn net.Conn) (response *http.Response, ended bool) {
	t.Helper()
	response, reader := answer(t, conn)
	if !response.Close {
		return response, false
	}
	_, err := reader.ReadByte()
	return response, err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

// trickle sends a body a byte at a time.
func trickle(conn net.Conn, length int, pause time.Duration) {
	for range length {
		if _, err := conn.Write([]byte("x")); err != nil {
			return
		}
		time.Sleep(pause)
	}
}

// TestSlowBodiesEnd holds that a body that does not come, or comes a byte at a time, ends the request in its time, and
// that one of somebody who has proven who they are takes as long as it needs.
func TestSlowBodiesEnd(t *testing.T) {
	t.Parallel() // it waits most of the time
	limits := BodyLimits{Grace: 300 * time.Millisecond, MinimumRate: 100, Unproven: 400 * time.Millisecond}
	address, read := slowServer(t, limits)

	nothing := send(t, address, "/", 10)
	if response, ended := answered(t, nothing); response.StatusCode != http.StatusRequestTimeout || !ended {
		t.Errorf("a body that does not come: %d, ended %v", response.StatusCode, ended)
	}
	if err := <-read; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the handler reads %v", err)
	}

	bytewise := send(t, address, "/", 100_000)
	go trickle(bytewise, 100_000, 5*time.Millisecond) // above the least rate
	if response, _ := answered(t, bytewise); response.StatusCode != http.StatusRequestTimeout {
		t.Errorf("a body without a name, a byte at a time: %d", response.StatusCode)
	}
	<-read

	proven := send(t, address, "/proven", 200)
	go trickle(proven, 200, 5*time.Millisecond)
	if response, _ := answered(t, proven); response.StatusCode != http.StatusOK {
		t.Errorf("a slow body of somebody who is known: %d", response.StatusCode)
	}
	if err := <-read; err != nil {
		t.Errorf("it was cut: %v", err)
	}
	stalled := send(t, address, "/proven", 200)
	if response, _ := answered(t, stalled); response.StatusCode != http.StatusRequestTimeout {
		t.Errorf("a body of somebody who is known that does not come: %d", response.StatusCode)
	}
}

// TestRefusalsDoNotWaitForBodies holds that who is refused is told so before the body comes, and that the connection
// ends.
func TestRefusalsDoNotWaitForBodies(t *testing.T) {
	t.Parallel() // the server waits for who is refused to read why
	address, _ := slowServer(t, BodyLimits{Grace: time.Hour, Unproven: time.Hour})
	conn := send(t, address, "/refused", 100_000)
	if response, ended := answered(t, conn); response.StatusCode != http.StatusUnauthorized || !ended {
		t.Errorf("%d, ended %v", response.StatusCode, ended)
	}
}

// TestOpenBodiesAreBounded holds that an address has a bounded number of open bodies while it has not proven who it is,
// that others are told to come back, and that ended ones count no more.
func TestOpenBodiesAreBounded(t *testing.T) {
	t.Parallel() // the server waits for who is refused to read why
	address, read := slowServer(t, BodyLimits{Grace: time.Hour, Unproven: time.Hour, PerAddress: 5, Total: 100})
	var open []net.Conn
	for range 5 {
		open = append(open, send(t, address, "/", 1))
	}
	refused := func() bool {
		response, _ := answer(t, send(t, address, "/refused", 1))
		if response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") == "" {
			t.Error("it is not said when to come back")
		}
		return response.StatusCode == http.StatusServiceUnavailable
	}
	wait := func(what string, want bool) {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); refused() != want; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(what)
			}
		}
	}
	wait("a sixth body is taken", true)
	response, err := http.Get("http://" + address + "/refused")
	if err != nil || response.StatusCode != http.StatusUnauthorized {
		t.Errorf("a request without a body: %v, %v", response, err)
	}
	response.Body.Close()
	if _, err := io.Copy(open[0], strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	<-read
	wait("a body that has come whole still counts", false)
	_ = open[1].Close()
	wait("a body whose client has gone still counts", false)
}

// TestRefusedClientsSeeTheAnswer holds that a client that sends a body at once reads why it is refused, whether it is
// known or not, and not that the connection was closed.
func TestRefusedClientsSeeTheAnswer(t *testing.T) {
	address, _ := slowServer(t, BodyLimits{})
	for range 200 {
		for path, want := range map[string]int{"/refused": http.StatusUnauthorized, "/known": http.StatusNotFound} {
			response, err := http.Post("http://"+address+path, "text/plain",
				strings.NewReader(strings.Repeat("x", 100_000)))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
			if response.StatusCode != want || response.Close != (path == "/refused") {
				t.Fatalf("%s: %d, the connection ends: %v", path, response.StatusCode, response.Close)
			}
		}
	}
}
