package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/rectodocs/recto/internal/base/required/requiredtest"
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
	space, err := storetest.NewSized(ctx,
		requiredtest.Wire(store.New(store.Deps{DB: database, Blobs: blobs}), store.Hooks{}), database, size)
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

// growthRows are those of prepareGrowth.
var growthRows = []row{
	{fmt.Sprintf("edit of one of %d pages, of the processor", startPages), "ms", 0},
	{"opening a change request there", "ms", 0},
	{"difference of one page there", "ms", 0},
	{"fast-forward merge there", "ms", 0},
}

// growthOf is how many runs of the operations make one figure.
const growthOf = 8

// prepareGrowth measures operations through the API in a space of many pages.
func prepareGrowth(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	made, space, err := largeSpace(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	started, err := made.serve(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	ready := &editable{instance: started}
	ready.space = space
	for number := range mergePages {
		ready.pages = append(ready.pages, storetest.PageID(number))
	}
	count := 0
	return func() ([]float64, error) {
		values := make([]float64, len(growthRows))
		for range growthOf {
			count++
			if err := ready.editOpenAndMerge(ctx, count, values); err != nil {
				return nil, err
			}
		}
		for i := range values {
			values[i] /= growthOf
		}
		return values, nil
	}, ready.stop, nil
}

// editOpenAndMerge edits a page, and another one in a change request, and adds to the values what each step has cost.
func (e *editable) editOpenAndMerge(ctx context.Context, count int, values []float64) error {
	var request struct{ ID string }
	var changes, merged any
	number, text := count*7%(len(e.pages)-1), fmt.Sprintf("Edit %d. ", count)
	requests := "/v1/spaces/" + e.space + "/change-requests"
	at := func() string { return "/change-requests/" + request.ID }
	for _, step := range []struct {
		row int // -1 for what is not measured
		run func() error
	}{
		{0, func() error { return e.edit(ctx, "", text, number) }},
		{1, func() error { return e.call(ctx, http.MethodPost, requests, `{"status":"open"}`, &request) }},
		{-1, func() error { return e.edit(ctx, at(), text, number+1) }},
		{2, func() error { return e.call(ctx, http.MethodGet, "/v1/spaces/"+e.space+at()+"/changes", "", &changes) }},
		{3, func() error { return e.call(ctx, http.MethodPost, "/v1/spaces/"+e.space+at()+"/merge", "", &merged) }},
	} {
		took, err := e.spend(step.run)
		if err != nil {
			return err
		}
		if step.row >= 0 {
			values[step.row] += milliseconds(took)
		}
	}
	return nil
}
