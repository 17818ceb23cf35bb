package lives

import (
	"context"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/live"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

const (
	// pollTime is how long a client is there after its last request.
	pollTime = 40 * time.Second
	// maxPolls is how many clients come by requests at the same time.
	maxPolls = 10_000
)

// pollKey names a client that comes by requests.
type pollKey struct {
	user   id.User
	place  live.Place
	client string
}

// poll is such a client.
type poll struct {
	mutex  sync.Mutex // of whoever uses the client
	client *client
	// expiry is when it is not there any more; of Handlers.mutex.
	expiry *time.Timer
	// requests are those under way; of Handlers.mutex.
	requests int
}

// ExchangeRequest is what a client says at once.
type ExchangeRequest struct {
	Client   string          `json:"client" minLength:"1" maxLength:"64" doc:"That of the client's hello."`
	Wait     int             `json:"wait,omitempty" minimum:"0" maximum:"25" doc:"How many seconds the answer may wait for something to say."`
	Messages []ClientMessage `json:"messages" maxItems:"50"`
}

// ExchangeAnswer is what the server says.
type ExchangeAnswer struct {
	Messages []ServerMessage `json:"messages"`
}

type exchangeLivePageInput struct {
	PagePath
	Body ExchangeRequest
}

// exchange takes messages of a client and answers with those for it.
func (h *Handlers) exchange(ctx context.Context,
	in *exchangeLivePageInput) (*operation.Body[ExchangeAnswer], error) {
	if err := h.require(ctx, in.PagePath); err != nil {
		return nil, err
	}
	if err := live.CheckClient(in.Body.Client); err != nil {
		return nil, err
	}
	caller := operation.Caller(ctx)
	key := pollKey{caller.User.ID, in.place(), in.Body.Client}
	p, ok := h.enter(key, len(in.Body.Messages) > 0 && in.Body.Messages[0].Type == "hello")
	if !ok {
		if err := h.requirePage(ctx, in.PagePath); err != nil {
			return nil, err
		}
		return &operation.Body[ExchangeAnswer]{Body: ExchangeAnswer{[]ServerMessage{ended(live.Closed)}}}, nil
	}
	defer h.leave(key, p)
	p.mutex.Lock()
	if p.client == nil {
		p.client = h.newClient(caller, key.place)
	}
	p.client.caller = caller // with the rights of this request
	messages, err := p.answer(ctx, in.Body)
	p.mutex.Unlock()
	if err == nil && len(messages) == 0 && in.Body.Wait > 0 {
		messages, err = p.wait(ctx, time.Duration(in.Body.Wait)*time.Second)
	}
	if err != nil {
		return nil, err
	}
	return &operation.Body[ExchangeAnswer]{Body: ExchangeAnswer{messages}}, nil
}

// answer does what the messages of a request say, and returns what there is to say.
func (p *poll) answer(ctx context.Context, in ExchangeRequest) ([]ServerMessage, error) {
	messages := []ServerMessage{}
	for _, m := range in.Messages {
		if m.Type == "hello" {
			m.Client, p.client.over = in.Client, false
		}
		answers, err := p.client.handle(ctx, m)
		if err != nil {
			return nil, err
		}
		messages = append(messages, answers...)
		if p.client.over {
			return messages, nil
		}
	}
	news, err := p.client.news(ctx)
	return append(messages, news...), err
}

// wait waits for something to say.
func (p *poll) wait(ctx context.Context, patience time.Duration) ([]ServerMessage, error) {
	p.mutex.Lock()
	watcher := p.client.watcher
	p.mutex.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for watcher != nil {
		select {
		case <-ctx.Done():
			return []ServerMessage{}, nil
		case <-timer.C:
			return []ServerMessage{}, nil
		case <-watcher.Wait():
		}
		p.mutex.Lock()
		messages, err := p.client.news(ctx)
		p.mutex.Unlock()
		if err != nil || len(messages) > 0 {
			return messages, err
		}
	}
	return []ServerMessage{}, nil
}

// enter returns the client of a key, which stays while a request of it is under way. Only a hello makes one.
func (h *Handlers) enter(key pollKey, hello bool) (*poll, bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	p := h.polls[key]
	if p == nil {
		if !hello || len(h.polls) >= maxPolls {
			return nil, false
		}
		if h.polls == nil {
			h.polls = map[pollKey]*poll{}
		}
		p = &poll{}
		h.polls[key] = p
	}
	p.requests++
	if p.expiry != nil {
		p.expiry.Stop()
	}
	return p, true
}

// leave ends a request. The client is gone when it is over, or when no other request comes.
func (h *Handlers) leave(key pollKey, p *poll) {
	p.mutex.Lock()
	over := p.client == nil || p.client.over || p.client.watcher == nil
	p.mutex.Unlock()
	h.mutex.Lock()
	p.requests--
	idle := p.requests == 0
	if idle && !over {
		p.expiry = time.AfterFunc(pollTime, func() { h.expire(key, p) })
	}
	h.mutex.Unlock()
	if over {
		h.drop(key, p)
	}
}

// expire ends a client that has not come again.
func (h *Handlers) expire(key pollKey, p *poll) {
	h.mutex.Lock()
	idle := p.requests == 0
	h.mutex.Unlock()
	if idle {
		h.drop(key, p)
	}
}

func (h *Handlers) drop(key pollKey, p *poll) {
	h.mutex.Lock()
	if h.polls[key] == p {
		delete(h.polls, key)
	}
	h.mutex.Unlock()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.client != nil {
		p.client.leave(context.Background())
	}
}
