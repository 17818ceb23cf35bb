// Package mail owns how Recto sends e-mail: what a message is, the ways of sending one, and an outbox from which
// messages leave in the background.
//
// It promises that a message which was put in the outbox within a transaction is sent when that transaction commits,
// and only then; that what waits there cannot be read in the database, since messages hold secrets such as links that
// let people in; and that nothing of a message gets into a log. It knows nothing of what messages are about.
package mail

import (
	"context"
	"fmt"
	"log/slog"
	"net/mail"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Message is an e-mail to one person.
type Message struct {
	// To is the address of the person, without a name.
	To string
	// Subject is one line.
	Subject string
	// Text is the message for those who read plain text; every message has one.
	Text string
	// HTML is the same with markup; "" for none.
	HTML string
}

// Sender sends messages. Send returns once the message is out of our hands; an errs.Invalid error says that another try
// would fail as well.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// check refuses what cannot be a message, so that no part of it gets into the headers.
func (m Message) check() error {
	parsed, err := mail.ParseAddress(m.To)
	switch {
	case err != nil || parsed.Address != m.To:
		return errs.Invalidf("to", "is not an e-mail address")
	case m.Subject == "" || strings.ContainsAny(m.Subject, "\r\n"):
		return errs.Invalidf("subject", "has to be one line")
	case m.Text == "":
		return errs.Invalidf("text", "is empty")
	}
	return nil
}

// discard sends nothing.
type discard struct{ log *slog.Logger }

// Discard returns a Sender for a server without a mail server: it notes in the log that there was a message, and
// nothing of what was in it.
func Discard(log *slog.Logger) Sender { return discard{log} }

func (d discard) Send(ctx context.Context, m Message) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("discard a message: %w", err)
	}
	d.log.WarnContext(ctx, "an e-mail was not sent, because no mail server is set; see --smtp-url")
	return nil
}
