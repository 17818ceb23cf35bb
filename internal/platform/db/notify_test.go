package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestListen holds that what is told is heard, and that the end is heard at once: a server that ends waits for it.
func TestListen(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ready, heard, ended := make(chan bool, 1), make(chan string, 1), make(chan error, 1)
		go func() {
			ended <- d.Listen(ctx, "news", func() { ready <- true }, func(message string) { heard <- message })
		}()
		if d.Dialect() == db.Postgres {
			<-ready
			if err := d.Notify(t.Context(), "news", "hello"); err != nil {
				t.Fatal(err)
			}
			if got := <-heard; got != "hello" {
				t.Errorf("heard %q", got)
			}
		}
		began := time.Now()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("the end was heard after %v", took)
		}
	})
}
