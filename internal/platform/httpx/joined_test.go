package httpx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// pieces is a ResponseWriter that writes a body to a connection in two pieces, and looks at the reader in between.
type pieces struct {
	http.ResponseWriter
	to      net.Conn
	between func()
}

func (p pieces) Write(body []byte) (int, error) {
	half := len(body) / 2
	n, err := p.to.Write(body[:half])
	p.between()
	if err != nil {
		return n, err
	}
	m, err := p.to.Write(body[half:])
	return n + m, err
}

// connected returns both ends of a connection that is joined on the server's side.
func connected(t *testing.T) (*joinedConn, net.Conn) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	accepted, err := joinedListener{listener}.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = accepted.Close() })
	return accepted.(*joinedConn), client
}

func TestTheFirstTwoWritesLeaveTogether(t *testing.T) {
	server, client := connected(t)
	for _, body := range []string{"first and second", "once more"} {
		writer := pieces{to: server, between: func() {
			if len(server.held) != len(body)/2 {
				t.Errorf("%d of %d bytes are held between the writes", len(server.held), len(body))
			}
		}}
		if n, err := server.writeJoined(writer, []byte(body)); n != len(body) || err != nil {
			t.Fatalf("wrote %d of %d: %v", n, len(body), err)
		}
		got := make([]byte, len(body))
		if _, err := io.ReadFull(client, got); err != nil || string(got) != body {
			t.Errorf("the reader got %q, %v", got, err)
		}
	}
}

func TestAJoinedWriteToAReaderWhoLeftFails(t *testing.T) {
	server, client := connected(t)
	if err := errors.Join(client.Close(), server.SetWriteDeadline(time.Now().Add(-time.Second))); err != nil {
		t.Fatal(err)
	}
	if n, err := server.writeJoined(pieces{to: server, between: func() {}}, make([]byte, 10)); err == nil || n > 5 {
		t.Errorf("two writes: %d bytes, %v", n, err)
	}
	if _, err := server.writeJoined(oncePiece{to: server}, make([]byte, 10)); err == nil {
		t.Error("what was held was not sent, and nobody knows")
	}
}

// oncePiece is a ResponseWriter that keeps all but the beginning of a body to itself.
type oncePiece struct {
	http.ResponseWriter
	to net.Conn
}

func (p oncePiece) Write(body []byte) (int, error) {
	_, err := p.to.Write(body[:1])
	return len(body), err
}

// TestLongAnswersArriveWhole sends answers around the size of net/http's buffer, written at once, in parts and from a
// file, over kept connections, to readers that take their time, and holds that each arrives as it was.
func TestLongAnswersArriveWhole(t *testing.T) {
	sizes := []int{0, 1, joinFrom - 300, joinFrom - 1, joinFrom, joinFrom + 1, 2 * joinFrom, 81 << 10, 4 << 20}
	for range 40 {
		sizes = append(sizes, rand.IntN(3*joinFrom))
	}
	body := make([]byte, 4<<20)
	for i := range body {
		body[i] = byte(rand.Uint32())
	}
	path := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	handler := Edge{Log: slog.New(slog.DiscardHandler)}.Wrap(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			var size, step int
			if _, err := fmt.Sscanf(r.URL.Path, "/%d/%d", &size, &step); err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "application/octet-stream")
			switch step {
			case 0:
				_, _ = w.Write(body[:size])
			case 1:
				file, err := os.Open(path)
				if err != nil {
					t.Error(err)
					return
				}
				defer func() { _ = file.Close() }()
				_, _ = io.Copy(w, io.LimitReader(file, int64(size)))
			default:
				for rest := body[:size]; len(rest) > 0; {
					n := min(step, len(rest))
					_, _ = w.Write(rest[:n])
					rest = rest[n:]
				}
			}
		}))
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- Serve(ctx, listener, ServerConfig{Handler: handler, Log: slog.New(slog.DiscardHandler)})
	}()
	client := &http.Client{Timeout: 30 * time.Second}
	for _, size := range sizes {
		for _, step := range []int{0, 1, 1000, joinFrom} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
				fmt.Sprintf("http://%s/%d/%d", listener.Addr(), size, step), nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := client.Do(request)
			if err != nil {
				t.Fatalf("%d bytes by %d: %v", size, step, err)
			}
			if size > 1<<20 {
				time.Sleep(20 * time.Millisecond) // the buffers fill up, so that writes are cut
			}
			got, err := io.ReadAll(response.Body)
			if closing := response.Body.Close(); err != nil || closing != nil {
				t.Fatalf("%d bytes by %d: %v, %v", size, step, err, closing)
			}
			if !bytes.Equal(got, body[:size]) {
				t.Fatalf("%d bytes by %d: %d came, or others", size, step, len(got))
			}
		}
	}
	client.CloseIdleConnections()
	end()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
