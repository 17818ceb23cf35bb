package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/seal"
)

// smtpTimeout bounds one message, from dialing to the server's last word.
const smtpTimeout = 30 * time.Second

// sendKind is the job that sends a message, and the purpose that it is sealed for.
const sendKind = "mail.send"

// Outbox sends messages in the background, with the transaction that they belong to.
type Outbox struct {
	jobs    *job.Runner
	sender  Sender
	secrets *seal.Box
}

// NewOutbox returns an Outbox that sends through a Sender. It registers a kind of job, so there is one for each Runner,
// made before that is started.
func NewOutbox(jobs *job.Runner, sender Sender, secrets *seal.Box) *Outbox {
	o := &Outbox{jobs: jobs, sender: sender, secrets: secrets}
	jobs.Register(sendKind, o.send, job.Options{Timeout: 2 * smtpTimeout, MaxAttempts: 8, Backoff: pause})
	return o
}

// pause is how long a message waits after a failed attempt: a minute, doubling to about an hour, so that a mail server
// may be away for two hours.
func pause(attempt int) time.Duration { return time.Minute << min(attempt-1, 6) }

// sealed is a message in a job.
type sealed struct {
	Sealed string `json:"sealed"`
}

// Enqueue puts a message into the outbox within the transaction behind q.
func (o *Outbox) Enqueue(ctx context.Context, q db.Querier, m Message) error {
	_, err := o.Post(ctx, q, m)
	return err
}

// Post is Enqueue, and returns the id under which Deliveries knows the message.
func (o *Outbox) Post(ctx context.Context, q db.Querier, m Message) (string, error) {
	if err := m.check(); err != nil {
		return "", fmt.Errorf("enqueue a message: %w", err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("encode a message: %w", err)
	}
	closed, err := o.secrets.Seal(string(text), sendKind)
	if err != nil {
		return "", fmt.Errorf("seal a message: %w", err)
	}
	return o.jobs.Enqueue(ctx, q, sendKind, sealed{closed})
}

// Delivery is how far a message has come.
type Delivery string

// The states of a message in the outbox.
const (
	// Queued messages wait for their first attempt, or are just being sent.
	Queued Delivery = "queued"
	// Sent messages were taken by the mail server.
	Sent Delivery = "sent"
	// Failing messages were refused by the mail server, or found none, and are tried again.
	Failing Delivery = "failing"
	// Failed messages are tried no more.
	Failed Delivery = "failed"
)

// Deliveries returns how far messages have come, by what Post returned. It knows them for a week after their end; those
// that it knows nothing of have no entry. It runs in the caller's transaction.
func Deliveries(ctx context.Context, q db.Querier, ids []string) (map[string]Delivery, error) {
	statuses, err := job.Statuses(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]Delivery, len(statuses))
	for id, status := range statuses {
		switch {
		case status.State == job.Done:
			found[id] = Sent
		case status.State == job.Failed || status.State == job.Cancelled:
			found[id] = Failed
		case status.LastError != "":
			found[id] = Failing
		default:
			found[id] = Queued
		}
	}
	return found, nil
}

func (o *Outbox) send(ctx context.Context, args json.RawMessage) error {
	var in sealed
	if err := json.Unmarshal(args, &in); err != nil {
		return fmt.Errorf("decode a message: %w", err)
	}
	text, err := o.secrets.Open(in.Sealed, sendKind)
	if err != nil {
		return fmt.Errorf("open a message: %w", err)
	}
	var m Message
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return fmt.Errorf("decode a message: %w", err)
	}
	return o.sender.Send(ctx, m)
}
