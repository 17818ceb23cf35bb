package httpx

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLongAnswersArriveWhole sends answers around the size that is gathered, written at once, in parts and from a file,
// over kept connections, to readers that take their time, and holds that each arrives as it was.
func TestLongAnswersArriveWhole(t *testing.T) {
	sizes := []int{0, 1, headSize - 300, headSize - 1, headSize, headSize + 1, 2 * headSize, 81 << 10, 4 << 20}
	for range 40 {
		sizes = append(sizes, rand.IntN(3*headSize))
	}
	body := make([]byte, 4<<20)
	for i := range body {
		body[i] = byte(rand.Uint32())
	}
	path := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var size, step int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d/%d", &size, &step); err != nil {
			t.Error(err)
		}
		if r.URL.RawQuery == "close" {
			w.Header().Set("Connection", "close")
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
	})}
	go func() { _ = server.Serve(gather(listener)) }()
	defer func() { _ = server.Close() }()
	client := &http.Client{Timeout: 30 * time.Second}
	for _, size := range sizes {
		for _, step := range []int{0, 1, 1000, headSize} {
			for _, end := range []string{"", "?close"} {
				response, err := client.Get(fmt.Sprintf("http://%s/%d/%d%s", listener.Addr(), size, step, end))
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
	}
}

// TestAWriteToAReaderWhoLeftFails holds that an error of the gathered write is one of the connection.
func TestAWriteToAReaderWhoLeftFails(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	served, err := gather(listener).Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = served.Close() }()
	if _, ok := served.(*gatheringConn); !ok {
		t.Fatalf("the connection is a %T", served)
	}
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if _, err = served.Write(make([]byte, headSize)); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err == nil {
		t.Error("a reader who left still takes bytes")
	}
	if err := served.SetWriteDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := served.Write(make([]byte, headSize)); err == nil {
		t.Error("a write after the deadline works")
	}
}
