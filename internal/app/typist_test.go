package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// typist is one client that types characters at random places, and rebases what is not acknowledged by itself.
type typist struct {
	*hall
	name string
	// at is the process that they are with.
	at int

	session string
	version int64
	// text is what is acknowledged, of everybody; pending is what they have typed since, each place counted with those
	// before it. sure are the characters of theirs that are in text.
	text    []rune
	pending []place
	sure    []rune

	// batch is the id of the batch that is under way with the first sent of pending; "" for none.
	batch   string
	sent    int
	since   time.Time
	batched int
	// target is the version that they have to have before they send again.
	target int64
	// pause is how long they wait when they are behind again, until when that is.
	pause time.Duration
	again time.Time
}

// told is a message of the server.
type told struct {
	Type    string
	Session string
	Version int64
	ID      string
	Client  string
	Message string
	Reason  string
	Node    node
	Steps   []struct {
		From, To int
		Slice    struct{ Content []struct{ Text string } }
	}
}

// node is one of a document.
type node struct {
	Text    string
	Content []node
}

func (n node) words() string {
	var words strings.Builder
	words.WriteString(n.Text)
	for _, each := range n.Content {
		words.WriteString(each.words())
	}
	return words.String()
}

// work types until it is enough and everything is acknowledged, over as many connections as it takes.
func (w *typist) work() {
	for !w.Failed() && !w.finished() && time.Now().Before(w.latest) {
		if !w.connect() {
			w.at++
			time.Sleep(time.Duration(20+rand.IntN(80)) * time.Millisecond)
		}
	}
}

// finished says that there is nothing more to type, to be acknowledged, or to hear of others.
func (w *typist) finished() bool {
	return w.done() && len(w.pending) == 0 && w.allHeard()
}

// allHeard says that the typist has the characters of everybody.
func (w *typist) allHeard() bool {
	return w.pressed.Load() == w.acknowledged.Load() &&
		len(w.text) == len([]rune(beginning))+int(w.acknowledged.Load())
}

// connect takes part until the connection ends; it is false when there was none.
func (w *typist) connect() bool {
	ctx, cancel := context.WithCancel(w.Context())
	defer cancel()
	p := w.processes[w.at%len(w.processes)]
	connection, _, err := websocket.Dial(ctx, strings.Replace(p.settings.BaseURL, "http", "ws", 1)+w.page+"/live",
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + p.token}}})
	if err != nil {
		return false
	}
	defer func() { _ = connection.CloseNow() }()
	connection.SetReadLimit(32 << 20)
	hello := map[string]any{"type": "hello", "client": w.name, "schema": w.schema, "session": nil, "version": nil}
	if w.session != "" {
		hello["session"], hello["version"] = w.session, w.version
	}
	if !w.say(ctx, connection, hello) {
		return false
	}
	heard := make(chan told, 100)
	go w.listen(ctx, connection, heard)
	// Now and then a connection drops, with whatever is on its way.
	drop := time.NewTimer(time.Duration(500+rand.IntN(6000)) * time.Millisecond)
	defer drop.Stop()
	key := time.NewTimer(0)
	defer key.Stop()
	again := time.NewTimer(time.Hour)
	defer again.Stop()
	greeted := false
	for !w.Failed() && !w.finished() {
		select {
		case m, ok := <-heard:
			if !ok {
				return true
			}
			if m.Type == "state" || m.Type == "resume" {
				greeted = true
				if w.batch != "" {
					w.resent.Add(1)
					w.target = 0
				}
			}
			if !w.hear(m) {
				return true
			}
		case <-key.C:
			w.press()
			key.Reset(time.Duration(10+rand.IntN(90)) * time.Millisecond)
		case <-again.C:
		case <-drop.C:
			if !w.done() {
				w.dropped.Add(1)
				return true
			}
		}
		if wait := w.ready(); greeted && wait == 0 {
			if !w.send(ctx, connection) {
				return true
			}
		} else if wait > 0 {
			again.Reset(wait)
		}
	}
	return true
}

func (w *typist) listen(ctx context.Context, connection *websocket.Conn, heard chan<- told) {
	defer close(heard)
	for {
		_, raw, err := connection.Read(ctx)
		if err != nil {
			return
		}
		var m told
		if err := json.Unmarshal(raw, &m); err != nil {
			w.Errorf("%.200s: %v", raw, err)
			return
		}
		select {
		case heard <- m:
		case <-ctx.Done():
			return
		}
	}
}

func (w *typist) say(ctx context.Context, connection *websocket.Conn, message any) bool {
	encoded, err := json.Marshal(message)
	if err != nil {
		w.Error(err)
		return false
	}
	return connection.Write(ctx, websocket.MessageText, encoded) == nil
}

// press types one more character, unless there is enough or too much is waiting.
func (w *typist) press() {
	w.pressed.Add(1)
	if w.done() || len(w.pending) >= 50 {
		w.pressed.Add(-1)
		return
	}
	w.pending = append(w.pending, place{rand.IntN(len(w.text) + len(w.pending) + 1), w.character()})
}

// waiting marks a batch that is under way in this connection.
const waiting = int64(1) << 40

// ready is how long to wait before the next batch is sent: 0 for not at all, less when there is none to send.
func (w *typist) ready() time.Duration {
	switch {
	case len(w.pending) == 0, w.target == waiting, w.version < w.target:
		return -1
	case w.batch == "":
		return 0
	}
	return max(0, time.Until(w.again))
}

// send sends the batch that is under way again, or a new one.
func (w *typist) send(ctx context.Context, connection *websocket.Conn) bool {
	if w.batch == "" {
		w.batched++
		w.batch, w.sent, w.since = fmt.Sprintf("%s.%d", w.name, w.batched), len(w.pending), time.Now()
		w.pause = 0
	}
	w.target = waiting
	return w.say(ctx, connection, map[string]any{"type": "steps", "id": w.batch, "version": w.version,
		"steps": encode(w.pending[:w.sent])})
}

// hear takes a message; it is false when the connection is over.
func (w *typist) hear(m told) bool {
	switch m.Type {
	case "state":
		if w.session != "" {
			w.Errorf("%s has lost the session at version %d", w.name, w.version)
		}
		w.session, w.version = m.Session, m.Version
		w.text = []rune(m.Node.words())
	case "steps":
		w.take(m)
	case "behind":
		w.behind.Add(1)
		w.target, w.again = m.Version, time.Now()
		if w.pause > 0 {
			w.again = w.again.Add(rand.N(w.pause))
		}
		w.pause = min(max(2*w.pause, 20*time.Millisecond), time.Second)
	case "refused":
		w.Errorf("%s: %s", w.name, m.Message)
	case "ended":
		if m.Reason != "closed" {
			w.Errorf("%s: ended: %s: %s", w.name, m.Reason, m.Message)
		}
		return false
	}
	return true
}

// take puts the steps of a batch into the text, and moves what is not acknowledged.
func (w *typist) take(m told) {
	if m.Version != w.version {
		w.Errorf("%s has version %d and hears of %d", w.name, w.version, m.Version)
		return
	}
	mine := m.Client == w.name
	if mine && m.ID != w.batch {
		w.Errorf("%s hears of its batch %s, and %s is under way", w.name, m.ID, w.batch)
	}
	for _, step := range m.Steps {
		at := step.From - 1
		var text []rune
		for _, piece := range step.Slice.Content {
			text = append(text, []rune(piece.Text)...)
		}
		if step.From != step.To || at < 0 || at > len(w.text) {
			w.Errorf("%s cannot take a step from %d to %d", w.name, step.From, step.To)
			return
		}
		w.text = slices.Insert(w.text, at, text...)
		if mine {
			w.sure = append(w.sure, text...)
			continue
		}
		for i := range w.pending {
			if at <= w.pending[i].at {
				w.pending[i].at += len(text)
			} else {
				at++
			}
		}
	}
	w.version += int64(len(m.Steps))
	if mine {
		w.pending, w.batch, w.target = w.pending[w.sent:], "", 0
		w.batches.Add(1)
		w.acknowledged.Add(int64(len(m.Steps)))
		w.mutex.Lock()
		w.waited = append(w.waited, time.Since(w.since))
		w.mutex.Unlock()
	}
}
