package app

import (
	"github.com/rectodocs/recto/internal/platform/mail"
)

// openMail returns the outbox that sends through the mail server of the settings, or to nobody when there is none.
func (a *App) openMail() (*mail.Outbox, error) {
	sender := mail.Discard(a.log)
	if a.config.SMTPURL != "" {
		var err error
		if sender, err = mail.SMTP(a.config.SMTPURL, a.config.MailFrom); err != nil {
			return nil, err
		}
	}
	return mail.NewOutbox(a.jobs, sender, a.secrets), nil
}
