// Package client owns the command line's side of the API: the calls that recto import and recto export make to a
// running server.
//
// It speaks only the public API with a user's token, so that it works against any server, and it turns every failure
// into one line that says what to do. It keeps no state.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// Client calls one server with one token.
type Client struct {
	server string
	token  string
	http   *http.Client
}

// New returns a client of the server at an address such as http://localhost:8080. Both values are required.
func New(server, token string) (*Client, error) {
	address, err := url.Parse(server)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return nil,
			fmt.Errorf("%q is not the address of a server: give --server or RECTO_SERVER like http://localhost:8080",
				server)
	}
	if token == "" {
		return nil, errors.New("a token is needed: recto login keeps one, or give --token or RECTO_TOKEN")
	}
	return &Client{server: strings.TrimRight(server, "/"), token: token, http: &http.Client{}}, nil
}

// do sends a request and decodes a JSON answer into out unless it is nil. A failure of the server comes back with the
// message that it gave.
func (c *Client) do(ctx context.Context, method, path, contentType string, body io.Reader, header http.Header,
	out any) error {
	response, err := c.send(ctx, method, path, contentType, body, header)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(response.Body).Decode(out); err != nil {
		return fmt.Errorf("read the server's answer: %w", err)
	}
	return nil
}

// send sends a request and returns a successful response, whose body the caller closes.
func (c *Client) send(ctx context.Context, method, path, contentType string, body io.Reader,
	header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.server+path, body)
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	maps.Copy(request.Header, header)
	request.Header.Set("Authorization", "Bearer "+c.token)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("cannot reach %s (is recto serve running there?): %w", c.server, err)
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	return nil, refusal(response)
}

// Error is a refusal by the server.
type Error struct {
	Status  int
	Message string
}

// Error returns the server's message.
func (e *Error) Error() string { return e.Message }

// refusal reads the error body of the API, or says what came instead.
func refusal(response *http.Response) error {
	raw, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	var wire struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(raw, &wire) == nil && wire.Error.Message != "" {
		return &Error{Status: response.StatusCode, Message: wire.Error.Message}
	}
	return &Error{
		Status:  response.StatusCode,
		Message: fmt.Sprintf("the server answered %s: is this the address of a Recto server?", response.Status),
	}
}

// postJSON sends a JSON body.
func (c *Client) postJSON(ctx context.Context, path string, in any, header http.Header, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode the request: %w", err)
	}
	return c.do(ctx, http.MethodPost, path, "application/json", bytes.NewReader(raw), header, out)
}
