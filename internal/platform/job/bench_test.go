package job

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// BenchmarkJobs is the whole life of a job that does nothing: enqueued a hundred in a transaction, claimed, run,
// settled.
func BenchmarkJobs(b *testing.B) {
	for name, open := range map[string]func(testing.TB) *db.DB{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres} {
		b.Run(name, func(b *testing.B) {
			r := newRunner(open(b))
			r.Workers = 8
			var left sync.WaitGroup
			r.Register("nothing", func(context.Context, json.RawMessage) error { left.Done(); return nil }, Options{})
			if err := r.Start(b.Context()); err != nil {
				b.Fatal(err)
			}
			const batch = 100
			for b.Loop() {
				left.Add(batch)
				err := r.database.Tx(b.Context(), func(ctx context.Context, q db.Querier) error {
					for i := range batch {
						if _, err := r.Enqueue(ctx, q, "nothing", i); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				left.Wait()
			}
			if err := r.Stop(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N*batch)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
