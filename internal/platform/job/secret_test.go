package job

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestErrorsOfJobsKeepNoSecrets(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		secret := "rct_" + strings.Repeat("a", 40)
		r.Register("leaky", func(context.Context, json.RawMessage) error {
			return errors.New(`send "https://ada:word@example.com/hook?key=5" with ` + secret)
		}, Options{MaxAttempts: 1})
		start(t, r)
		status := await(t, r, enqueue(t, r, "leaky", nil), Failed)
		if status.LastError != `send "https://…@example.com/hook?…" with rct_…` {
			t.Errorf("kept: %s", status.LastError)
		}
	})
}
