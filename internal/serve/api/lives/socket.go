package lives

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"golang.org/x/time/rate"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Limits of a connection.
const (
	// maxMessage is the largest message of a client: a batch of steps, and what is around them.
	maxMessage = 1<<20 + 64<<10
	// perSecond and burst are how many messages are read. Who sends more waits.
	perSecond = 40
	burst     = 120
	// greetTime is how long a connection may take to say hello, writeTime how long it may take to read a message.
	greetTime = 15 * time.Second
	writeTime = 20 * time.Second
	// pingEvery is how often a connection is tried, and pingTime how long the answer may take.
	pingEvery = 25 * time.Second
	pingTime  = 15 * time.Second
	// checkEvery is how often the rights of a client are looked at.
	checkEvery = time.Minute
)

type openLivePageInput struct{ PagePath }

// open lets a client in by a WebSocket.
func (h *Handlers) open(ctx context.Context, in *openLivePageInput) (*huma.StreamResponse, error) {
	if err := h.require(ctx, in.PagePath); err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			if err := h.requirePage(ctx.Context(), in.PagePath); err != nil {
				body, defect := failure.Of(err)
				if defect {
					failure.Log(ctx.Context(), h.Log, "openLivePage", err)
				}
				failure.Write(w, body)
				return
			}
			w.Header().Set("Upgrade", "websocket")
			w.Header().Set("Connection", "Upgrade")
			failure.Write(w, failure.New(http.StatusUpgradeRequired,
				"This address is a WebSocket. Where those do not pass, POST messages to it."))
			return
		}
		h.serve(w, r, h.newClient(operation.Caller(ctx.Context()), in.place()))
	}}, nil
}

// serve is a connection until its end.
func (h *Handlers) serve(w http.ResponseWriter, r *http.Request, c *client) {
	// Where a request may come from is decided with the session's cookie, for every operation; see API.identify.
	connection, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // it has answered
	}
	defer func() { _ = connection.CloseNow() }()
	connection.SetReadLimit(maxMessage)
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	defer c.leave(ctx)
	s := socket{Conn: connection, client: c, caller: c.caller}
	if err := s.run(ctx, cancel); err != nil {
		if message, polite := isPolite(err); polite {
			_ = connection.Close(websocket.StatusPolicyViolation, shortened(message))
			return
		}
		failure.Log(ctx, h.Log, "openLivePage", err)
		_ = connection.Close(websocket.StatusInternalError, "")
		return
	}
	_ = connection.Close(websocket.StatusNormalClosure, "")
}

// shortened is a text that fits into a frame that closes.
func shortened(text string) string {
	const most = 120
	if len(text) <= most {
		return text
	}
	for text = text[:most]; !utf8.ValidString(text); {
		text = text[:len(text)-1]
	}
	return text
}

// socket is a connection.
type socket struct {
	*websocket.Conn
	client *client
	caller account.Caller
}

// errGone says that the other side is gone.
var errGone = errors.New("the client is gone")

// run answers messages and tells what happens.
func (s *socket) run(ctx context.Context, cancel context.CancelFunc) error {
	incoming, broken := make(chan ClientMessage), make(chan error, 1)
	go func() { broken <- s.read(ctx, incoming) }()
	go s.ping(ctx, cancel)
	checking := time.NewTicker(checkEvery)
	defer checking.Stop()
	greeting := time.NewTimer(greetTime)
	defer greeting.Stop()
	for !s.client.over {
		var signal <-chan struct{}
		if s.client.watcher != nil {
			signal = s.client.watcher.Wait()
		}
		var messages []ServerMessage
		var err error
		select {
		case <-ctx.Done():
			return nil
		case err = <-broken:
			if _, polite := isPolite(err); polite {
				return err
			}
			return nil
		case <-greeting.C:
			if s.client.watcher == nil {
				return errs.Invalidf("type", "hello has not come")
			}
		case m := <-incoming:
			messages, err = s.client.handle(ctx, m)
		case <-signal:
			messages, err = s.client.news(ctx)
		case <-checking.C:
			messages = s.client.check(ctx)
		}
		if err != nil {
			return err
		}
		if s.send(ctx, messages) != nil {
			return nil // whoever reads too slowly says hello again
		}
	}
	return nil
}

// read passes on what comes, as fast as the limits allow.
func (s *socket) read(ctx context.Context, incoming chan<- ClientMessage) error {
	limit := rate.NewLimiter(perSecond, burst)
	for {
		kind, raw, err := s.Read(ctx)
		if err != nil {
			return errGone
		}
		if kind != websocket.MessageText {
			return errs.Invalidf("message", "is not text")
		}
		m, err := decode(raw)
		if err != nil {
			return err
		}
		if err := limit.Wait(ctx); err != nil {
			return errGone
		}
		select {
		case incoming <- m:
		case <-ctx.Done():
			return errGone
		}
	}
}

// decode reads a message, and refuses what it does not know.
func decode(raw []byte) (m ClientMessage, err error) {
	if !utf8.Valid(raw) {
		return m, errs.Invalidf("message", "has to be UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		return m, errs.Invalidf("message", "cannot be read: %.100s", err.Error())
	}
	if _, err := decoder.Token(); err != io.EOF {
		return m, errs.Invalidf("message", "has something behind its end")
	}
	return m, nil
}

func (s *socket) send(ctx context.Context, messages []ServerMessage) error {
	for _, m := range messages {
		encoded, err := json.Marshal(m)
		if err != nil {
			return err
		}
		writing, cancel := context.WithTimeout(ctx, writeTime)
		err = s.Write(writing, websocket.MessageText, encoded)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

// ping ends a connection that does not answer, and notes that the client of one that does is there.
func (s *socket) ping(ctx context.Context, cancel context.CancelFunc) {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		trying, done := context.WithTimeout(ctx, pingTime)
		err := s.Ping(trying)
		done()
		if err != nil {
			cancel()
			return
		}
	}
}
