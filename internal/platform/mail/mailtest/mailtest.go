// Package mailtest owns what tests need of e-mail: a sender that keeps messages, and a small mail server that does.
package mailtest

import (
	"context"
	"io"
	"net"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mailer "github.com/rectodocs/recto/internal/platform/mail"
)

// Kept is a mail.Sender that keeps messages. The zero value is ready; it is safe for use by many goroutines.
type Kept struct {
	mutex    sync.Mutex
	messages []mailer.Message
	// Fail, when it is not nil, is what Send returns instead of keeping a message.
	Fail error
}

// Send keeps a message.
func (k *Kept) Send(_ context.Context, m mailer.Message) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.Fail != nil {
		return k.Fail
	}
	k.messages = append(k.messages, m)
	return nil
}

// Messages returns what was sent so far.
func (k *Kept) Messages() []mailer.Message {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return slices.Clone(k.messages)
}

// Received is a message as it came to the mail server.
type Received struct {
	From, To string
	Header   mail.Header
	// Data is the whole body, in whatever encoding it came.
	Data string
}

// Server is a mail server on loopback that keeps what it gets. It speaks as much of SMTP (RFC 5321) as that needs.
type Server struct {
	// URL is its address for --smtp-url.
	URL      string
	mutex    sync.Mutex
	received []Received
}

// NewServer starts a mail server that ends with the test.
func NewServer(t testing.TB) *Server {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{URL: "smtp://" + listener.Addr().String()}
	var connections sync.WaitGroup
	connections.Go(func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // closed
			}
			connections.Go(func() {
				defer connection.Close()
				_ = connection.SetDeadline(time.Now().Add(time.Minute))
				s.serve(textproto.NewConn(connection))
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		connections.Wait()
	})
	return s
}

// Received returns what has come so far.
func (s *Server) Received() []Received {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.received)
}

// To waits for the messages to an address until there are n of them.
func (s *Server) To(t testing.TB, address string, n int) []Received {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var found []Received
		for _, each := range s.Received() {
			if each.To == address {
				found = append(found, each)
			}
		}
		if len(found) >= n {
			return found
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d messages to %s came", len(found), n, address)
		}
	}
}

func (s *Server) serve(c *textproto.Conn) {
	say := func(line string) bool { return c.PrintfLine("%s", line) == nil }
	var message Received
	for ok := say("220 test"); ok; {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(line, ":")
		switch upper := strings.ToUpper(verb); {
		case strings.HasPrefix(upper, "MAIL FROM"):
			message, ok = Received{From: inAngles(rest)}, say("250 ok")
		case strings.HasPrefix(upper, "RCPT TO"):
			message.To, ok = inAngles(rest), say("250 ok")
		case strings.HasPrefix(upper, "DATA"):
			if ok = say("354 go on"); !ok {
				return
			}
			parsed, err := mail.ReadMessage(c.DotReader())
			if err != nil {
				return
			}
			body, err := io.ReadAll(parsed.Body)
			if err != nil {
				return
			}
			message.Header, message.Data = parsed.Header, string(body)
			s.mutex.Lock()
			s.received = append(s.received, message)
			s.mutex.Unlock()
			ok = say("250 ok")
		case strings.HasPrefix(upper, "QUIT"):
			say("221 bye")
			return
		default:
			ok = say("250 ok")
		}
	}
}

func inAngles(text string) string {
	_, rest, _ := strings.Cut(text, "<")
	address, _, _ := strings.Cut(rest, ">")
	return address
}
