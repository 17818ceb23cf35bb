package mail_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/mail"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
	"github.com/rectodocs/recto/internal/platform/seal"
)

func TestSMTP(t *testing.T) {
	server := mailtest.NewServer(t)
	sender, err := mail.SMTP(server.URL, "Recto <docs@example.org>")
	if err != nil {
		t.Fatal(err)
	}
	message := mail.Message{To: "ada@example.org", Subject: "Grüße", Text: "Hello.", HTML: "<p>Hello.</p>"}
	if err := sender.Send(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	got := server.To(t, "ada@example.org", 1)[0]
	if got.From != "docs@example.org" || !strings.Contains(got.Data, "Hello.") || !strings.Contains(got.Data, "<p>") ||
		got.Header.Get("Auto-Submitted") != "auto-generated" {
		t.Errorf("%+v", got)
	}
	for name, broken := range map[string]mail.Message{
		"no address":        {To: "ada", Subject: "S", Text: "T"},
		"two addresses":     {To: "ada@example.org, eve@example.org", Subject: "S", Text: "T"},
		"a second header":   {To: "ada@example.org", Subject: "S\r\nBcc: eve@example.org", Text: "T"},
		"an address header": {To: "ada@example.org\r\nBcc: eve@example.org", Subject: "S", Text: "T"},
		"nothing to read":   {To: "ada@example.org", Subject: "S"},
	} {
		if err := sender.Send(t.Context(), broken); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(server.Received()); n != 1 {
		t.Errorf("%d messages came", n)
	}
}

func TestSMTPRefusesSettings(t *testing.T) {
	for _, address := range []string{"", "http://mail.example.org", "smtp://", "smtp://user:hunter2@host:port",
		"smtp://user:hunter2@host:0", "smtp://host/path", "smtp://host?x=1"} {
		if _, err := mail.SMTP(address, "docs@example.org"); !errs.Is(err, errs.Invalid) ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := mail.SMTP("smtp://localhost", "nobody"); !errs.Is(err, errs.Invalid) {
		t.Error(err)
	}
	for _, address := range []string{"smtp://localhost", "smtps://user:p%40ss@mail.example.org",
		"smtp://user:pass@127.0.0.1:25"} {
		if _, err := mail.SMTP(address, "docs@example.org"); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestServerThatIsAway(t *testing.T) {
	sender, err := mail.SMTP("smtp://127.0.0.1:1", "docs@example.org")
	if err != nil {
		t.Fatal(err)
	}
	if err := sender.Send(t.Context(), mail.Message{To: "ada@example.org", Subject: "S", Text: "T"}); !errs.Is(err,
		errs.Unavailable) {
		t.Error(err)
	}
}

func TestDiscardTellsNothing(t *testing.T) {
	var log bytes.Buffer
	sender := mail.Discard(slog.New(slog.NewTextHandler(&log, nil)))
	if err := sender.Send(t.Context(), mail.Message{To: "ada@example.org", Subject: "Join",
		Text: "secret"}); err != nil {
		t.Fatal(err)
	}
	if text := log.String(); !strings.Contains(text, "smtp-url") || strings.Contains(text, "secret") ||
		strings.Contains(text, "ada") || strings.Contains(text, "Join") {
		t.Error(text)
	}
}

func TestOutbox(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		box, err := seal.NewBox(bytes.Repeat([]byte{7}, seal.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		var kept mailtest.Kept
		jobs := job.New(d, slog.New(slog.DiscardHandler))
		outbox := mail.NewOutbox(jobs, &kept, box)
		put := func(m mail.Message, failure error) error {
			return d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				if err := outbox.Enqueue(ctx, q, m); err != nil {
					return err
				}
				return failure
			})
		}
		undone := errors.New("undone")
		if err := put(mail.Message{To: "eve@example.org", Subject: "S", Text: "never"}, undone); !errors.Is(err,
			undone) {
			t.Fatal(err)
		}
		if err := put(mail.Message{To: "ada", Subject: "S", Text: "T"}, nil); !errs.Is(err, errs.Invalid) {
			t.Error(err)
		}
		if err := put(mail.Message{To: "ada@example.org", Subject: "S", Text: "topsecret"}, nil); err != nil {
			t.Fatal(err)
		}
		var args string
		if err := d.Read().QueryRowContext(t.Context(), `SELECT args FROM job WHERE kind = 'mail.send'`).
			Scan(&args); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(args, "topsecret") || strings.Contains(args, "ada@") {
			t.Errorf("the message can be read: %s", args)
		}
		if err := jobs.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); len(kept.Messages()) == 0 && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond)
		}
		if err := jobs.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := kept.Messages(); len(got) != 1 || got[0].Text != "topsecret" {
			t.Errorf("%+v", got)
		}
	})
}
