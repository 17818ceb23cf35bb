package app

import (
	"log/slog"

	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/mail"
	"github.com/rectodocs/recto/internal/platform/seal"
)

// newOutbox returns the outbox that sends through the mail server of the settings, or to nobody when there is none.
func newOutbox(settings config.Serve, jobs *job.Runner, secrets *seal.Box, log *slog.Logger) (*mail.Outbox, error) {
	sender := mail.Discard(log)
	if settings.SMTPURL != "" {
		var err error
		if sender, err = mail.SMTP(settings.SMTPURL, settings.MailFrom); err != nil {
			return nil, err
		}
	}
	return mail.NewOutbox(jobs, sender, secrets), nil
}
