package apptest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/rectodocs/recto/internal/engine/steps"
)

// LiveSchema is the fingerprint of the schema that live sessions have.
func (s *Server) LiveSchema() string {
	s.T.Helper()
	engine, err := steps.New(s.T.Context())
	if err != nil {
		s.T.Fatal(err)
	}
	defer engine.Close()
	return engine.Schema()
}

// LiveMessage is any message of a live session.
type LiveMessage struct {
	Type     string               `json:"type"`
	Session  string               `json:"session"`
	Version  int64                `json:"version"`
	Node     json.RawMessage      `json:"node"`
	Revision string               `json:"revision"`
	ID       string               `json:"id"`
	Client   string               `json:"client"`
	User     *struct{ ID string } `json:"user"`
	Steps    []json.RawMessage    `json:"steps"`
	Message  string               `json:"message"`
	Reason   string               `json:"reason"`
	Anchor   *int64               `json:"anchor"`
	People   []struct {
		Client string
		User   struct{ ID string }
		Cursor *struct{ Anchor *int64 }
	} `json:"people"`
}

// Live is a connection to a live session.
type Live struct {
	*websocket.Conn
	S *Server
}

// DialLive connects to the live session of a page at a path of the API. header may be nil.
func (s *Server) DialLive(path, token string, header http.Header) (*Live, *http.Response, error) {
	if header == nil {
		header = http.Header{}
	}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	ctx, cancel := context.WithTimeout(s.T.Context(), 30*time.Second)
	defer cancel()
	connection, response, err := websocket.Dial(ctx, strings.Replace(s.Base, "http", "ws", 1)+path,
		&websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		return nil, response, err
	}
	connection.SetReadLimit(32 << 20)
	s.T.Cleanup(func() { _ = connection.CloseNow() })
	return &Live{connection, s}, response, nil
}

// Live connects as somebody and says hello.
func (s *Server) Live(path, token, client string) *Live {
	s.T.Helper()
	l, response, err := s.DialLive(path, token, nil)
	if err != nil {
		if response != nil {
			said, _ := io.ReadAll(response.Body)
			s.T.Fatalf("%v: %s", err, said)
		}
		s.T.Fatal(err)
	}
	l.Say(map[string]any{"type": "hello", "client": client, "schema": s.LiveSchema(), "session": nil, "version": nil})
	return l
}

// Say sends a message.
func (l *Live) Say(message any) {
	l.S.T.Helper()
	encoded, err := json.Marshal(message)
	if err == nil {
		err = l.Write(l.S.T.Context(), websocket.MessageText, encoded)
	}
	if err != nil {
		l.S.T.Fatal(err)
	}
}

// Hear returns the next message of a type, and passes over others.
func (l *Live) Hear(kind string) LiveMessage {
	l.S.T.Helper()
	ctx, cancel := context.WithTimeout(l.S.T.Context(), 30*time.Second)
	defer cancel()
	for {
		_, raw, err := l.Read(ctx)
		if err != nil {
			l.S.T.Fatalf("waiting for %s: %v", kind, err)
		}
		var m LiveMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			l.S.T.Fatalf("%.200s: %v", raw, err)
		}
		if m.Type == kind {
			return m
		}
	}
}

// InsertStep is a step that puts text at a position.
func InsertStep(at int64, text string) json.RawMessage {
	encoded, err := json.Marshal(map[string]any{"stepType": "replace", "from": at, "to": at,
		"slice": map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}})
	if err != nil {
		panic(err)
	}
	return encoded
}

// Type sends a batch that puts text at a position.
func (l *Live) Type(id string, version, at int64, text string) {
	l.S.T.Helper()
	l.Say(map[string]any{"type": "steps", "id": id, "version": version,
		"steps": []json.RawMessage{InsertStep(at, text)}})
}
