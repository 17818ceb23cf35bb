package fetch

import (
	"context"
	"errors"
	"net/http"
)

// HTTPClient returns a client for libraries that speak a protocol of their own over HTTP, such as OpenID Connect. Every
// request it makes has the rules and limits of a fetch, but that what the library sends to authenticate itself is sent,
// and that no redirect is followed: a secret must not go on to where it was not meant.
func (c *Client) HTTPClient(limits Limits) *http.Client {
	limits = limits.withDefaults()
	return &http.Client{
		Transport:     guarded{client: c, limits: limits},
		Timeout:       limits.Time,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// guarded is the transport of HTTPClient.
type guarded struct {
	client *Client
	limits Limits
}

// RoundTrip sends a request.
func (g guarded) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := checkURL(request.URL); err != nil {
		return nil, err
	}
	request = request.Clone(request.Context())
	request.Header.Set("User-Agent", g.client.userAgent)
	response, err := g.client.http.Transport.RoundTrip(request)
	if err != nil {
		if refused, ok := errors.AsType[*RefusedError](err); ok {
			return nil, g.client.refuse(request.Context(), refused, request.URL)
		}
		return nil, err
	}
	if response.ContentLength > g.limits.Bytes {
		response.Body.Close()
		return nil, tooLarge(request.URL, g.limits.Bytes)
	}
	response.Body = &limitedBody{
		cause: func() error { return context.Cause(request.Context()) }, body: response.Body, cancel: func() {},
		left: g.limits.Bytes, limits: g.limits, url: request.URL,
	}
	return response, nil
}
