package db_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func eachBenchmark(b *testing.B, benchmark func(b *testing.B, d *db.DB)) {
	for name, open := range map[string]func(testing.TB) *db.DB{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres} {
		b.Run(name, func(b *testing.B) {
			d := open(b)
			err := d.Tx(b.Context(), func(ctx context.Context, q db.Querier) error {
				if _, err := q.ExecContext(ctx,
					`CREATE TABLE item (id TEXT PRIMARY KEY, parent TEXT NOT NULL, size BIGINT NOT NULL)`); err != nil {
					return err
				}
				for i := range 1000 {
					if _, err := q.ExecContext(ctx, `INSERT INTO item (id, parent, size) VALUES ($1, $2, $3)`,
						fmt.Sprint(i), "", i); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, d)
		})
	}
}

func BenchmarkReadByKey(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, d *db.DB) {
		var size int
		for i := 0; b.Loop(); i++ {
			if err := d.Read().QueryRowContext(b.Context(), `SELECT size FROM item WHERE id = $1 AND parent = $2`,
				fmt.Sprint(i%1000), "").Scan(&size); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkTxOfTwoWrites(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, d *db.DB) {
		for i := 0; b.Loop(); i++ {
			err := d.Tx(b.Context(), func(ctx context.Context, q db.Querier) error {
				if _, err := q.ExecContext(ctx, `UPDATE item SET size = size + $2 WHERE id = $1`, fmt.Sprint(i%1000),
					1); err != nil {
					return err
				}
				_, err := q.ExecContext(ctx, `INSERT INTO item (id, parent, size) VALUES ($1, $2, $3)`,
					fmt.Sprint("new", i), "p", i)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkInsertInOneTx(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, d *db.DB) {
		err := d.Tx(b.Context(), func(ctx context.Context, q db.Querier) error {
			for i := 0; b.Loop(); i++ {
				if _, err := q.ExecContext(ctx,
					`INSERT INTO item (id, parent, size) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
					fmt.Sprint("new", i), "p", i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}
