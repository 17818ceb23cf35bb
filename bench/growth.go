package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
)

// growthRuns is how often an operation is timed at each size, in turns with the other sizes.
const growthRuns = 200

// operation is one thing whose cost is measured. prepare runs before each timing and is not timed.
type operation struct {
	name    string
	prepare func(context.Context, *storetest.Space) (any, error)
	run     func(context.Context, *storetest.Space, any) error
}

// measureGrowth shows how the cost of operations grows from 100 to 100,000 pages, on SQLite with full synchronisation.
func measureGrowth(ctx context.Context, _ options) error {
	dir, forget, err := temporary()
	if err != nil {
		return err
	}
	defer forget()
	spaces := make([]*storetest.Space, 0, len(storetest.Sizes))
	for _, size := range storetest.Sizes {
		// Each size has its own database, so that none warms the other's pages.
		space, closeSpace, err := sizedSpace(ctx, filepath.Join(dir, fmt.Sprint(size)), size)
		if err != nil {
			return err
		}
		defer closeSpace()
		spaces = append(spaces, space)
	}
	fmt.Printf("%-44s", "microseconds at pages:")
	for _, size := range storetest.Sizes {
		fmt.Printf(" %9d", size)
	}
	fmt.Println("  growth, aim 1.50")
	for _, op := range operations() {
		times := make([][]float64, len(spaces))
		for range growthRuns {
			for i, space := range spaces {
				took, err := timed(ctx, op, space)
				if err != nil {
					return fmt.Errorf("%s at %d pages: %w", op.name, space.Size, err)
				}
				times[i] = append(times[i], took)
			}
		}
		fmt.Printf("%-44s", op.name)
		for i := range spaces {
			fmt.Printf(" %9.0f", median(times[i]))
		}
		fmt.Printf("  %.2f\n", median(times[len(times)-1])/median(times[0]))
	}
	return nil
}

func sizedSpace(ctx context.Context, dir string, size int) (*storetest.Space, func(), error) {
	blobs, err := blob.OpenStore("dir:" + filepath.Join(dir, "blobs"))
	if err != nil {
		return nil, nil, err
	}
	database, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(dir, "recto.db")})
	if err != nil {
		return nil, nil, err
	}
	closeDatabase := func() { _ = database.Close() } // a temporary database: nothing is lost
	if err := db.Migrate(ctx, database); err != nil {
		closeDatabase()
		return nil, nil, err
	}
	space, err := storetest.NewSized(ctx, store.New(store.Deps{DB: database, Blobs: blobs}), database, size)
	if err != nil {
		closeDatabase()
		return nil, nil, err
	}
	return space, closeDatabase, nil
}

// timed returns how long one run took, in microseconds.
func timed(ctx context.Context, op operation, space *storetest.Space) (float64, error) {
	var prepared any
	var err error
	if op.prepare != nil {
		if prepared, err = op.prepare(ctx, space); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	err = op.run(ctx, space, prepared)
	return float64(time.Since(start).Nanoseconds()) / 1000, err
}

func operations() []operation {
	edited := func(ctx context.Context, space *storetest.Space) (any, error) { return space.Edit(ctx, "") }
	return []operation{
		{"edit of one page", nil, func(ctx context.Context, space *storetest.Space, _ any) error {
			_, err := space.Edit(ctx, "")
			return err
		}},
		{"opening a branch", nil, func(ctx context.Context, space *storetest.Space, _ any) error {
			_, err := space.Branch(ctx)
			return err
		}},
		{"fast-forward merge", func(ctx context.Context, space *storetest.Space) (any, error) {
			branch, err := space.Branch(ctx)
			if err == nil {
				_, err = space.Edit(ctx, branch.ID)
			}
			return branch, err
		}, func(ctx context.Context, space *storetest.Space, branch any) error {
			return space.Merge(ctx, branch.(store.Branch))
		}},
		{"difference of one page", edited, func(ctx context.Context, space *storetest.Space, revision any) error {
			_, err := space.Diff(ctx, revision.(store.Revision))
			return err
		}},
	}
}
