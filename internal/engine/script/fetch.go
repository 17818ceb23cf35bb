package script

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// arrival is the end of a request that the script sent.
type arrival struct {
	id         int
	response   *Response
	url        string
	redirected bool
	err        error
}

// fetch sends a request of the script.
func (i *Instance) fetch(v values) (any, error) {
	id, err := v.whole(0)
	if err != nil {
		return nil, err
	}
	text, err := v[1:].texts(3)
	if err != nil {
		return nil, err
	}
	mode, err := v.text(6)
	if err != nil {
		return nil, err
	}
	headers, err := headersOf(text[2])
	if err != nil {
		return nil, err
	}
	if !isToken(text[0]) || len(text[0]) > 40 {
		return nil, fmt.Errorf("TypeError: that is no method of a request")
	}
	if len(text[1]) > maxAddress {
		return nil, fmt.Errorf("TypeError: the address is longer than %d bytes", maxAddress)
	}
	c := i.call
	body, err := i.bodyOf(v, 4, i.limits.Memory-c.held.Load(), ErrMemory)
	if err != nil {
		return nil, err
	}
	if _, known := c.open[id]; known || c.requests.Add(1) > int64(i.limits.Requests) {
		return nil, i.exceed(ErrRequests)
	}
	c.held.Add(int64(len(body)))
	ctx, cancel := context.WithCancel(c.context)
	c.open[id] = cancel
	f := follower{c, i.host.Fetch, i.limits, mode}
	request := &Request{Method: text[0], URL: text[1], Header: headers, Body: body}
	go func() {
		defer cancel()
		arrived := f.follow(ctx, request)
		c.held.Add(-int64(len(body)))
		arrived.id = id
		c.arrived <- arrived
	}()
	return nil, nil
}

// abort ends a request of the script, which does not want its answer any more.
func (i *Instance) abort(v values) (any, error) {
	id, err := v.whole(0)
	if err != nil {
		return nil, err
	}
	if cancel := i.call.open[id]; cancel != nil {
		cancel()
	}
	return nil, nil
}

// deliver tells the layer of an arrival.
func (i *Instance) deliver(arrived *arrival) error {
	c := i.call
	delete(c.open, arrived.id)
	if stopped, ok := arrived.err.(*Stopped); ok {
		return stopped
	}
	c.present = arrived
	err := i.ask(enterArrival, arrived.id)
	c.present = nil
	if arrived.response != nil {
		c.held.Add(-int64(len(arrived.response.Body)))
	}
	return err
}

// giveArrival gives the layer what has arrived, without its body.
func (i *Instance) giveArrival(values) (any, error) {
	a := i.call.present
	if a == nil {
		return nil, fmt.Errorf("InvalidStateError: nothing has arrived")
	}
	facts := map[string]any{"url": a.url, "redirected": a.redirected}
	if a.err != nil {
		facts["error"] = "TypeError: fetch failed: " + a.err.Error()
	} else {
		facts["status"], facts["headers"] = a.response.Status, a.response.Header
	}
	text, err := json.Marshal(facts)
	return string(text), err
}

// giveBody gives the layer the body of what has arrived.
func (i *Instance) giveBody(values) (any, error) {
	if a := i.call.present; a != nil && a.response != nil {
		return base64.StdEncoding.EncodeToString(a.response.Body), nil
	}
	return "", nil
}

// follower sends a request and those to which it is redirected.
type follower struct {
	call   *call
	fetch  func(context.Context, *Request) (*Response, error)
	limits Limits
	mode   string
}

// follow returns the answer that is none of a redirect, or the first one when the script wants that.
func (f follower) follow(ctx context.Context, request *Request) *arrival {
	for turn := 0; ; turn++ {
		response, err := f.fetch(ctx, request)
		if err == nil {
			err = f.check(response)
		}
		if err != nil {
			return &arrival{err: err, url: request.URL}
		}
		location, found := lookUp(response.Header, "location")
		if !isRedirect(response.Status) || !found || f.mode == "manual" {
			return &arrival{response: response, url: withoutFragment(request.URL), redirected: turn > 0}
		}
		f.call.held.Add(-int64(len(response.Body)))
		switch {
		case f.mode == "error":
			return &arrival{err: fmt.Errorf("the answer is a redirect")}
		case turn == maxRedirects:
			return &arrival{err: fmt.Errorf("the request was redirected %d times", maxRedirects)}
		case f.call.requests.Add(1) > int64(f.limits.Requests):
			return &arrival{err: &Stopped{Reason: ErrRequests}}
		}
		if request, err = redirected(request, response.Status, location); err != nil {
			return &arrival{err: err}
		}
	}
}

// check refuses an answer that cannot be one, and counts its body.
func (f follower) check(response *Response) error {
	if response == nil || response.Status < 200 || response.Status > 599 {
		return fmt.Errorf("the answer has no status that an answer can have")
	}
	if f.call.held.Add(int64(len(response.Body))) > f.limits.Memory {
		return &Stopped{Reason: ErrMemory}
	}
	kept := make([][2]string, 0, len(response.Header))
	for _, each := range response.Header {
		if isToken(each[0]) && isValue(each[1]) {
			kept = append(kept, [2]string{strings.ToLower(each[0]), latin(each[1])})
		}
	}
	response.Header = kept
	return nil
}

func isRedirect(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// redirected returns the request that follows a redirect, as the Fetch standard has it.
func redirected(from *Request, status int, location string) (*Request, error) {
	next, err := whatwg.ParseRef(from.URL, location)
	if err != nil {
		return nil, fmt.Errorf("the address of a redirect cannot be read")
	}
	if protocol := next.Protocol(); protocol != "http:" && protocol != "https:" {
		return nil, fmt.Errorf("a redirect leads to an address that is not of http or https")
	}
	if next.Username() != "" || next.Password() != "" {
		return nil, fmt.Errorf("a redirect leads to an address with a user or a password in it")
	}
	to := &Request{Method: from.Method, URL: next.Href(false), Body: from.Body}
	plain := status == 303 && from.Method != "GET" && from.Method != "HEAD" ||
		(status == 301 || status == 302) && from.Method == "POST"
	if plain {
		to.Method, to.Body = "GET", nil
	}
	before, err := whatwg.Parse(from.URL)
	same := err == nil && before.Protocol() == next.Protocol() && before.Host() == next.Host()
	for _, each := range from.Header {
		name := strings.ToLower(each[0])
		switch {
		case plain && strings.HasPrefix(name, "content-"):
		case !same && (name == "authorization" || name == "cookie" || name == "proxy-authorization"):
		default:
			to.Header = append(to.Header, each)
		}
	}
	return to, nil
}

func withoutFragment(address string) string {
	before, _, _ := strings.Cut(address, "#")
	return before
}
