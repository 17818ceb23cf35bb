package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"github.com/rectodocs/recto/internal/base/errs"
)

// This file turns what goes wrong on the network into words for whoever gave an address. They get to know that it
// failed and in what way, never which addresses names have: those of a network behind the server are nobody's business.
// The log has them.

// hidden is a cause that says nothing when it is printed into a message. errors.Is and errors.As see it.
type hidden struct{ cause error }

// Error says what kind of failure it was.
func (h hidden) Error() string { return reason(h.cause) }

// Unwrap returns the failure.
func (h hidden) Unwrap() error { return h.cause }

// explain turns a transport error into one that says what to do.
func (c *Client) explain(ctx context.Context, err error, target *url.URL, limits Limits) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		// After redirects the address that failed is not the one that was asked for.
		if at, parseErr := url.Parse(failed.URL); parseErr == nil && at.Host != "" {
			target = at
		}
	}
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		return c.refuse(ctx, refused, target)
	}
	if own, ok := errors.AsType[*errs.Error](err); ok {
		return own
	}
	if cause := context.Cause(ctx); cause != nil {
		if errors.Is(cause, errTotalTime) {
			return tooSlow(target, limits, err)
		}
		return fmt.Errorf("fetch %s: %w", target.Redacted(), cause)
	}
	c.log.InfoContext(ctx, "fetch failed", slog.String("host", target.Hostname()), slog.String("error", err.Error()))
	if lookup, ok := errors.AsType[*net.DNSError](err); ok && lookup.IsNotFound {
		return errs.Wrap(hidden{err}, errs.Invalid, "the host %s was not found; check the address", target.Hostname())
	}
	return errs.Wrap(hidden{err}, errs.Unreachable, "%s did not answer (%s)", target.Redacted(), reason(err))
}

// refuse is the error for an address that is not dialed. It names the address only where it was given as it is.
func (c *Client) refuse(ctx context.Context, refused *RefusedError, target *url.URL) error {
	c.log.WarnContext(ctx, "fetch refused: the address is not public",
		slog.String("host", target.Hostname()), slog.String("address", refused.Addr.String()),
		slog.String("allow", AllowFlag+" "+suggestRange(refused.Addr)))
	what := "the host " + target.Hostname() + " leads to an address that"
	if target.Hostname() == refused.Addr.String() {
		what = target.Hostname()
	}
	return errs.Wrap(refused, errs.Invalid,
		"%s is not public and is not fetched; the operator of this server can allow it with %s", what, AllowFlag)
}

// reason says in a few words why there was no answer.
func reason(err error) string {
	timeout, timed := errors.AsType[net.Error](err)
	if certificate := certificateReason(err); certificate != "" {
		return certificate
	}
	switch _, lookup := errors.AsType[*net.DNSError](err); {
	case lookup:
		return "its name could not be looked up"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case timed && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return "it took too long"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection broke off"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "no way leads there"
	}
	if _, ok := errors.AsType[*RefusedError](err); ok {
		return "its address is not public"
	}
	return "the connection failed"
}

// certificateReason says what is wrong with a server's TLS, "" when nothing is known to be.
func certificateReason(err error) string {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "its certificate is signed by nobody that this server knows"
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "its certificate is for another name"
	}
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired {
		return "its certificate has expired or is not valid yet"
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "its certificate cannot be verified"
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok || errors.Is(err, http.ErrSchemeMismatch) {
		return "it does not speak TLS"
	}
	return ""
}

func tooSlow(target *url.URL, limits Limits, cause error) error {
	return errs.Wrap(hidden{cause}, errs.Unreachable, "%s did not answer completely within %s", target.Redacted(),
		limits.Time)
}

func tooLarge(target *url.URL, limit int64) error {
	return errs.New(errs.TooLarge, "%s is larger than %d bytes", target.Redacted(), limit)
}
