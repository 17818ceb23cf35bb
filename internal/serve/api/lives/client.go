package lives

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/live"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/failure"
)

// client is one that takes part, whichever way it comes. It is for one goroutine at a time.
type client struct {
	of     *Handlers
	place  live.Place
	caller account.Caller
	// watcher is nil before hello.
	watcher *live.Watcher
	users   map[id.User]Person
	over    bool
}

func (h *Handlers) newClient(caller account.Caller, place live.Place) *client {
	return &client{of: h, place: place, caller: caller, users: map[id.User]Person{}}
}

// handle does what a message says and returns the answers to it. An error says that the client does not keep to the
// messages.
func (c *client) handle(ctx context.Context, m ClientMessage) ([]ServerMessage, error) {
	if m.Type != "hello" && c.watcher == nil {
		return nil, errs.Invalidf("type", "is %q; a client says hello first", m.Type)
	}
	switch m.Type {
	case "hello":
		return c.hello(ctx, m)
	case "steps":
		return c.steps(ctx, m)
	case "cursor":
		if m.Version == nil {
			return nil, errs.Invalidf("version", "is missing")
		}
		return nil, c.watcher.See(ctx, live.Cursor{Version: *m.Version, Anchor: m.Anchor, Head: m.Head})
	case "flush":
		written, err := c.watcher.Flush(ctx)
		if err != nil {
			return c.failed(ctx, err), nil
		}
		return []ServerMessage{{RevisionMessage{"revision", written.ID, written.Version}}}, nil
	case "bye":
		c.over = true
		return nil, nil
	}
	return nil, errs.Invalidf("type", "is none of hello, steps, cursor, flush and bye")
}

func (c *client) hello(ctx context.Context, m ClientMessage) ([]ServerMessage, error) {
	greeting := live.Hello{Client: m.Client, Schema: m.Schema}
	if m.Session != nil && m.Version != nil {
		greeting.Session, greeting.Version = *m.Session, *m.Version
	}
	watcher, reason, err := c.of.Lives.Join(ctx, c.caller, c.place, greeting)
	if errs.Is(err, errs.Invalid) || errs.Is(err, errs.Conflict) {
		return nil, err
	}
	if err != nil {
		return c.failed(ctx, err), nil
	}
	if reason != "" {
		return c.end(reason), nil
	}
	if c.watcher != nil {
		c.watcher.Leave(ctx) // unless the new one has its place
	}
	c.watcher = watcher
	if state := watcher.State; state != nil {
		watcher.State = nil
		return []ServerMessage{{StateMessage{"state", state.Session, state.Version, state.Node, state.Revision}}}, nil
	}
	return []ServerMessage{{ResumeMessage{"resume", watcher.Session, watcher.Version, watcher.Revision}}}, nil
}

func (c *client) steps(ctx context.Context, m ClientMessage) ([]ServerMessage, error) {
	if m.Version == nil || *m.Version < 0 {
		return nil, errs.Invalidf("version", "is missing, or less than 0")
	}
	sent, err := c.watcher.Send(ctx, c.caller, live.Batch{ID: m.ID, Version: *m.Version, Steps: m.Steps})
	if err != nil {
		return c.failed(ctx, err), nil
	}
	switch sent.Answer {
	case live.Behind:
		return []ServerMessage{{BehindMessage{"behind", m.ID, sent.Version}}}, nil
	case live.Refused:
		return []ServerMessage{{RefusedMessage{"refused", m.ID, sent.Message}}}, nil
	}
	return nil, nil
}

// end says why it is over.
func (c *client) end(reason live.Reason) []ServerMessage {
	c.over = true
	return []ServerMessage{ended(reason)}
}

// failed ends the client because of an error: one of access, or one that it may recover from with another hello.
func (c *client) failed(ctx context.Context, err error) []ServerMessage {
	switch errs.KindOf(err) {
	case errs.Forbidden, errs.Unauthorized:
		return c.end(live.Access)
	case errs.NotFound:
		if c.watcher == nil {
			return c.end(live.Deleted)
		}
		return c.end(live.Access)
	}
	body, defect := failure.Of(err)
	if defect {
		failure.Log(ctx, c.of.Log, "live", err)
	}
	c.over = true
	return []ServerMessage{{EndedMessage{"ended", live.Closed, body.Info.Message}}}
}

// news returns what has happened, as messages.
func (c *client) news(ctx context.Context) ([]ServerMessage, error) {
	if c.watcher == nil {
		return nil, nil
	}
	events, err := c.watcher.Next(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.meet(ctx, events); err != nil {
		return nil, err
	}
	messages := make([]ServerMessage, 0, len(events))
	for _, e := range events {
		messages = append(messages, c.message(e))
		if e.Ended != "" {
			c.over = true
			break
		}
	}
	return messages, nil
}

// meet reads the people of events whom the client does not know yet.
func (c *client) meet(ctx context.Context, events []live.Event) error {
	var unknown []id.User
	note := func(user id.User) {
		if _, known := c.users[user]; !known && user != "" {
			unknown = append(unknown, user)
		}
	}
	for _, e := range events {
		if e.Batch != nil {
			note(e.Batch.User)
		}
		for _, p := range e.People {
			note(p.User)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	users, err := c.of.UserReader.ByID(ctx, unknown)
	for _, user := range unknown {
		c.users[user] = *person(c.of.Wire.KnownUser(users, user))
	}
	return err
}

func (c *client) message(e live.Event) ServerMessage {
	switch {
	case e.Batch != nil:
		m := StepsMessage{"steps", e.Batch.Version, e.Batch.ID, e.Batch.Client, orNull[Person]{}, e.Batch.Steps}
		if known, ok := c.users[e.Batch.User]; ok {
			m.User.value = &known
		}
		return ServerMessage{m}
	case e.People != nil:
		m := PeopleMessage{"people", []PersonPresent{}}
		for _, p := range e.People {
			m.People = append(m.People, PersonPresent{p.Client, c.users[p.User], orNull[live.Cursor]{p.Cursor}})
		}
		return ServerMessage{m}
	case e.Cursor != nil:
		at := e.Cursor.Cursor
		return ServerMessage{CursorMessage{"cursor", e.Cursor.Client, at.Version, at.Anchor, at.Head}}
	case e.Revision != nil:
		return ServerMessage{RevisionMessage{"revision", e.Revision.ID, e.Revision.Version}}
	case e.Page:
		return ServerMessage{PageMessage{"page"}}
	}
	return ended(e.Ended)
}

// check looks at the rights of the client, and ends it when they are gone. Other failures wait for the next time.
func (c *client) check(ctx context.Context) []ServerMessage {
	if c.watcher == nil {
		return nil
	}
	now, err := c.watcher.Check(ctx, c.caller)
	switch {
	case err == nil:
		c.caller = now
	case errs.Is(err, errs.Forbidden), errs.Is(err, errs.NotFound), errs.Is(err, errs.Unauthorized):
		return c.end(live.Access)
	}
	return nil
}

// leave takes the client out of the session.
func (c *client) leave(ctx context.Context) {
	if c.watcher != nil {
		c.watcher.Leave(ctx)
	}
}

// isPolite returns the words of an error that says that a client does not keep to the messages.
func isPolite(err error) (string, bool) {
	refusal, ok := errors.AsType[*errs.Error](err)
	if ok && (refusal.Kind == errs.Invalid || refusal.Kind == errs.Conflict) {
		return refusal.Message, true
	}
	return "", false
}
