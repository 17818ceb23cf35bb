package app

import (
	"context"
	"time"
)

// schedulePeople registers the periodic work on people.
func (a *App) schedulePeople() {
	a.every("account.sweep", 6*time.Hour, a.accounts.Sweep)
	a.every("oauth.sweep", time.Hour, a.oauth.Sweep)
	a.every("identity.sweep", time.Hour, a.identities.Sweep)
	a.every("org.purge-invites", 6*time.Hour, func(ctx context.Context) error {
		_, err := a.invites.Tend(ctx)
		return err
	})
	a.every("notification.mail", time.Minute, a.notifications.SendMail)
	a.every("change.foresee", 20*time.Second, a.changes.Foresee)
	a.every("notification.collect", 6*time.Hour, a.notifications.Collect)
}
