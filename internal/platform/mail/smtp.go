package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"

	gomail "github.com/wneessen/go-mail"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Ports of SMTP: submission (RFC 6409), and submission within TLS (RFC 8314).
const (
	submissionPort    = 587
	submissionTLSPort = 465
)

// smtp sends through a mail server.
type smtp struct {
	from    string
	host    string
	options []gomail.Option
}

// SMTP returns a Sender that gives messages to the mail server at an address such as smtps://user:password@host:465.
// With the scheme smtps the connection is within TLS; with smtp it is upgraded when the server offers that, and has to
// be when there is a password and the server is not this machine. from is the sender of all messages, as "Name
// <address>" or an address alone. No error repeats the password.
func SMTP(address, from string) (Sender, error) {
	if _, err := mail.ParseAddress(from); err != nil {
		return nil, errs.Invalidf("--mail-from",
			"is not an e-mail address; one like Recto <docs@example.org> is accepted")
	}
	wrong := errs.Invalidf("--smtp-url",
		"is not an address of a mail server; one like smtps://user:password@mail.example.org:465 is accepted")
	target, err := url.Parse(address)
	if err != nil || target.Scheme != "smtp" && target.Scheme != "smtps" || target.Hostname() == "" ||
		target.RawQuery != "" || target.Fragment != "" ||
		target.Path != "" && target.Path != "/" {
		return nil, wrong
	}
	sender := &smtp{from: from, host: target.Hostname(), options: []gomail.Option{gomail.WithTimeout(smtpTimeout)}}
	port, policy := submissionPort, gomail.TLSOpportunistic
	if target.User != nil {
		if !loopback(sender.host) {
			policy = gomail.TLSMandatory
		}
		password, _ := target.User.Password()
		sender.options = append(sender.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(target.User.Username()), gomail.WithPassword(password))
	}
	if target.Scheme == "smtps" {
		port = submissionTLSPort
		sender.options = append(sender.options, gomail.WithSSL())
	} else {
		sender.options = append(sender.options, gomail.WithTLSPolicy(policy))
	}
	if text := target.Port(); text != "" {
		if port, err = strconv.Atoi(text); err != nil || port < 1 || port > 65535 {
			return nil, wrong
		}
	}
	sender.options = append(sender.options, gomail.WithPort(port))
	if _, err := gomail.NewClient(sender.host, sender.options...); err != nil {
		return nil, wrong
	}
	return sender, nil
}

func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// Send gives the message to the server.
func (s *smtp) Send(ctx context.Context, m Message) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("send a message: %w", err)
	}
	message := gomail.NewMsg()
	if err := errors.Join(message.From(s.from), message.To(m.To)); err != nil {
		return errs.Wrap(err, errs.Invalid, "the message has an address that cannot be written to")
	}
	message.Subject(m.Subject)
	message.SetDate()
	message.SetMessageID()
	// Out-of-office answers to such messages would reach nobody (RFC 3834).
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		message.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	// A client is one connection, so each message has its own.
	client, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return fmt.Errorf("reach the mail server: %w", err)
	}
	if err := client.DialAndSendWithContext(ctx, message); err != nil {
		return explain(err)
	}
	return nil
}

// explain tells a message that the server will never take from a server that is not there now. What a server says may
// repeat the message, so of a refusal only its kind is passed on.
func explain(err error) error {
	if failed, ok := errors.AsType[*gomail.SendError](err); ok {
		if failed.IsTemp() {
			return errs.New(errs.Unavailable, "the mail server does not take the message now (%s)", failed.Reason)
		}
		return errs.New(errs.Invalid, "the mail server refuses the message (%s)", failed.Reason)
	}
	if network, ok := errors.AsType[*net.OpError](err); ok {
		return errs.New(errs.Unavailable, "the mail server cannot be reached: %s", network.Op)
	}
	return errs.Wrap(err, errs.Unavailable, "the mail server did not take the message")
}
