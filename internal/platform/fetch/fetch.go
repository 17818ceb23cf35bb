// Package fetch owns every outgoing HTTP request of Recto.
//
// Whatever reads an address that a person typed (an import, a reference in an API description, a webhook) goes through
// a Client, which promises: http and https only; no credentials in addresses, and none sent but by PostAuthorized; no
// proxy taken from the environment; every resolved IP address is checked at the moment of dialing, so that neither a
// redirect nor a name that changes its answer reaches a loopback, private, link-local, metadata, multicast or otherwise
// special address unless the operator allowed its range; the size, the total time and the number of redirects are
// limited. Refusals are errs errors that say what was refused and what would be accepted.
package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Defaults that a zero Limits field stands for.
const (
	DefaultBytes     = 10 << 20
	DefaultTime      = 30 * time.Second
	DefaultRedirects = 5
)

// AllowFlag is the command-line flag that refusals point to.
const AllowFlag = "--fetch-allow"

const (
	maxURLLength   = 8 << 10
	maxHeaderBytes = 64 << 10
	dialTimeout    = 10 * time.Second
)

// Anywhere is what a client may reach of which the operator has named the one address that it asks: every address, this
// machine's own among them. It is nothing for addresses that anybody else names.
func Anywhere() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}
}

// Options says how a Client reaches the network.
type Options struct {
	// Allow lists address ranges that may be reached although they are special.
	Allow []netip.Prefix
	// UserAgent is sent with every request; empty means "Recto".
	UserAgent string
	// Resolver looks names up; nil means the system's. Tests put a name server of their own here.
	Resolver *net.Resolver
	// Log is told which addresses names had when a fetch failed; nil tells nobody.
	Log *slog.Logger
}

// Limits bounds one fetch. A zero field means the default above.
type Limits struct {
	// Bytes is the largest body, in bytes after decompression.
	Bytes int64
	// Time bounds the whole fetch, from dialing to the last byte of the body.
	Time time.Duration
	// Redirects is how many may be followed; -1 means none.
	Redirects int
	// Accept is the Accept header; empty means anything.
	Accept string

	authorization string
	header        http.Header
	kept          bool // redirects are answers
}

// Client fetches addresses. It is safe for concurrent use and keeps connections open between fetches.
type Client struct {
	http      *http.Client
	userAgent string
	log       *slog.Logger
}

// New returns a client.
func New(options Options) *Client {
	guard := newGuard(options.Allow)
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second, Resolver: options.Resolver,
		Control: guard.check}
	transport := &http.Transport{
		Proxy:                  nil, // a proxy would dial for us, past the guard
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    8,
		MaxConnsPerHost:        16,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}
	agent := options.UserAgent
	if agent == "" {
		agent = "Recto"
	}
	log := options.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Client{http: &http.Client{Transport: transport, CheckRedirect: followRedirect}, userAgent: agent, log: log}
}

// CloseIdle closes connections that no fetch uses.
func (c *Client) CloseIdle() { c.http.CloseIdleConnections() }

// Response is an answer of any status. The caller closes Body.
type Response struct {
	// URL is the address that answered, after redirects, without a fragment.
	URL *url.URL
	// Status is the HTTP status code.
	Status int
	Header http.Header
	// ContentType is the media type in lower case without parameters, "" when the server did not say.
	ContentType string
	// Charset is the charset parameter of the Content-Type header, "" when there is none.
	Charset string
	// Body yields at most Limits.Bytes bytes; reading further fails with errs.TooLarge.
	Body io.ReadCloser
}

// Get fetches an address with GET. An answer of any status is a Response; an error means that there was no answer
// or that the address is one that is not fetched. Errors that a person can mend are errs errors: Invalid for a
// refused or wrong address, TooLarge over the size limit, Unreachable when the server did not answer or not in time.
func (c *Client) Get(ctx context.Context, address string, limits Limits) (*Response, error) {
	return c.send(ctx, http.MethodGet, address, "", nil, limits)
}

// Post sends a body of a media type with POST and is like Get otherwise. It follows redirects only where the answer
// says that the body is to be sent again (307 and 308); the others it follows with GET, as browsers do.
func (c *Client) Post(ctx context.Context, address, contentType string, body []byte, limits Limits) (*Response, error) {
	return c.send(ctx, http.MethodPost, address, contentType, body, limits)
}

// PostAuthorized is Post with an Authorization header, for an address that the operator has named together with it. It
// follows no redirects, so that nobody else gets to see the header.
func (c *Client) PostAuthorized(ctx context.Context, address, authorization, contentType string, body []byte,
	limits Limits) (*Response, error) {
	limits.Redirects, limits.authorization = -1, authorization
	return c.send(ctx, http.MethodPost, address, contentType, body, limits)
}

// Send sends a request with headers of its own, for a program that is not trusted. It follows no redirects, so that
// such a program decides on each hop, and each is guarded as a first one; Limits.Accept is of no account. Who calls has
// taken out what must not be said.
func (c *Client) Send(ctx context.Context, method, address string, header http.Header, body []byte,
	limits Limits) (*Response, error) {
	limits.Redirects, limits.header, limits.kept = -1, header, true
	return c.send(ctx, method, address, "", body, limits)
}

// Head is Get with the method HEAD: the answer has no body.
func (c *Client) Head(ctx context.Context, address string, limits Limits) (*Response, error) {
	return c.send(ctx, http.MethodHead, address, "", nil, limits)
}

func (c *Client) send(ctx context.Context, method, address, contentType string, body []byte,
	limits Limits) (*Response, error) {
	target, err := parseURL(address)
	if err != nil {
		return nil, err
	}
	limits = limits.withDefaults()
	ctx, cancel := context.WithTimeoutCause(ctx, limits.Time, errTotalTime)
	ctx = context.WithValue(ctx, redirectsKey{}, limits.Redirects)
	if limits.kept {
		ctx = context.WithValue(ctx, redirectsKey{}, keepRedirects)
	}
	request, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(body))
	if err != nil {
		cancel()
		return nil, errs.Invalidf("url", "%q is not an address: %v", address, err)
	}
	maps.Copy(request.Header, limits.header)
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", c.userAgent)
	}
	if limits.Accept != "" {
		request.Header.Set("Accept", limits.Accept)
	}
	if limits.authorization != "" {
		request.Header.Set("Authorization", limits.authorization)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		err = c.explain(ctx, err, target, limits)
		cancel()
		return nil, err
	}
	if method != http.MethodHead && response.ContentLength > limits.Bytes {
		response.Body.Close()
		cancel()
		return nil, tooLarge(response.Request.URL, limits.Bytes)
	}
	final := *response.Request.URL
	final.Fragment, final.RawFragment = "", ""
	result := &Response{URL: &final, Status: response.StatusCode, Header: response.Header}
	result.ContentType, result.Charset = mediaType(response.Header.Get("Content-Type"))
	result.Body = &limitedBody{cause: func() error { return context.Cause(ctx) }, body: response.Body, cancel: cancel,
		left: limits.Bytes, limits: limits, url: &final}
	return result, nil
}

// ReadAll fetches an address and returns its whole body beside the response, whose Body is closed already.
func (c *Client) ReadAll(ctx context.Context, address string, limits Limits) (*Response, []byte, error) {
	response, err := c.Get(ctx, address, limits)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, err
	}
	return response, body, nil
}

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Time <= 0 {
		l.Time = DefaultTime
	}
	switch {
	case l.Redirects == 0:
		l.Redirects = DefaultRedirects
	case l.Redirects < 0:
		l.Redirects = 0
	}
	return l
}

// CheckURL reports why an address would be refused before anything is dialed: its scheme, its form, credentials in
// it. It returns nil for an address that Get would try.
func CheckURL(address string) error {
	_, err := parseURL(address)
	return err
}

func parseURL(address string) (*url.URL, error) {
	if len(address) > maxURLLength {
		return nil, errs.Invalidf("url", "the address is longer than %d bytes", maxURLLength)
	}
	target, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, errs.Invalidf("url", "%q is not an address; write one like https://example.org/docs/", address)
	}
	if err := checkURL(target); err != nil {
		return nil, err
	}
	target.Fragment, target.RawFragment = "", ""
	return target, nil
}

func checkURL(target *url.URL) error {
	switch {
	case target.Scheme != "http" && target.Scheme != "https":
		return errs.Invalidf("url", "the address %s has the scheme %q; only http and https are fetched",
			target.Redacted(), target.Scheme)
	case target.Hostname() == "":
		return errs.Invalidf("url", "the address %s names no host", target.Redacted())
	case target.User != nil:
		return errs.Invalidf("url", "the address %s holds a user name or password; write it without", target.Redacted())
	}
	return nil
}

type redirectsKey struct{}

// keepRedirects stands for answers that are redirects and stay so.
const keepRedirects = -2

var errTotalTime = errors.New("total time is over")

// followRedirect gives each hop the rules of a first address; the dialer checks where it leads.
func followRedirect(next *http.Request, via []*http.Request) error {
	limit, _ := next.Context().Value(redirectsKey{}).(int)
	if limit == keepRedirects {
		return http.ErrUseLastResponse
	}
	if len(via) > limit {
		return errs.Invalidf("url", "the address %s redirects more than %d times", via[0].URL.Redacted(), limit)
	}
	return checkURL(next.URL)
}

func mediaType(header string) (name, charset string) {
	name, parameters, err := mime.ParseMediaType(header)
	if err != nil {
		name, _, _ = strings.Cut(header, ";")
		return strings.ToLower(strings.TrimSpace(name)), ""
	}
	return name, strings.ToLower(parameters["charset"])
}

// limitedBody is a response body that ends with an error at its limits and releases the fetch's context when closed.
type limitedBody struct {
	cause  func() error // why the fetch's context ended, nil while it runs: tells a limit from a broken connection
	body   io.ReadCloser
	cancel context.CancelFunc
	left   int64
	limits Limits
	url    *url.URL
}

// Read reads on, up to the limit.
func (b *limitedBody) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	// One byte more than allowed tells a body of exactly the limit from a longer one.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.body.Read(p)
	if int64(n) > b.left {
		n = int(b.left)
		b.left = 0
		return n, tooLarge(b.url, b.limits.Bytes)
	}
	b.left -= int64(n)
	if err != nil && err != io.EOF {
		err = b.explain(err)
	}
	return n, err
}

func (b *limitedBody) explain(err error) error {
	if cause := b.cause(); cause != nil {
		if errors.Is(cause, errTotalTime) {
			return tooSlow(b.url, b.limits, err)
		}
		return fmt.Errorf("read %s: %w", b.url.Redacted(), cause)
	}
	return errs.Wrap(hidden{err}, errs.Unreachable, "%s broke off", b.url.Redacted())
}

// Close ends the fetch.
func (b *limitedBody) Close() error {
	err := b.body.Close()
	b.cancel()
	return err
}
