package storetest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Sizes are the numbers of pages at which growth is measured.
var Sizes = []int{100, 1_000, 10_000, 100_000}

// Space is a generated space on which operations can be measured.
type Space struct {
	Service *store.Service
	DB      *db.DB
	ID      id.Space
	Size    int
	edits   int
}

// NewSized makes a space of n pages.
func NewSized(ctx context.Context, s *store.Service, d *db.DB, n int) (*Space, error) {
	sized := &Space{Service: s, DB: d, ID: id.Space(fmt.Sprintf("space_sized%d", n)), Size: n}
	err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return s.Init(ctx, q, sized.ID, "user_test", time.Now().UnixMicro())
	})
	if err == nil {
		_, err = Fill(ctx, s, sized.ID, n)
	}
	return sized, err
}

// Edit commits a new body of one page, another page each time, to a branch ("" is main).
func (s *Space) Edit(ctx context.Context, branch id.Branch) (store.Revision, error) {
	s.edits++
	// A prime step spreads the edits over the space.
	page := PageID(s.edits * 7919 % s.Size)
	head, err := s.Service.BranchHead(ctx, s.ID, branch)
	if err != nil {
		return store.Revision{}, err
	}
	e, err := head.Entry(ctx, page)
	if err != nil {
		return store.Revision{}, err
	}
	put := store.Put{Entry: e, Body: fmt.Appendf(nil, "Edit %d of this page.\n", s.edits)}
	return s.Service.Commit(ctx, store.CommitRequest{Space: s.ID, Branch: branch, Base: head.Revision().ID,
		Author: "user_test", Put: []store.Put{put}})
}

// Branch makes a change request's branch from the head of main.
func (s *Space) Branch(ctx context.Context) (store.Branch, error) {
	heads, err := s.Service.Heads(ctx, []id.Space{s.ID})
	if err != nil {
		return store.Branch{}, err
	}
	var branch store.Branch
	err = s.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		branch, err = s.Service.CreateBranch(ctx, q, s.ID, heads[s.ID], time.Now().UnixMicro())
		return err
	})
	return branch, err
}

// Merge merges a branch into main, which has not moved since.
func (s *Space) Merge(ctx context.Context, branch store.Branch) error {
	result, err := s.Service.MergeBranch(ctx, store.MergeRequest{Space: s.ID, Branch: branch.ID, Author: "user_test"})
	if err == nil && !result.Changed {
		err = fmt.Errorf("merge of %s changed nothing", branch.ID)
	}
	return err
}

// Diff counts the entries that differ between a revision and its first parent.
func (s *Space) Diff(ctx context.Context, revision store.Revision) (int, error) {
	after, err := s.Service.View(ctx, revision.ID)
	if err != nil {
		return 0, err
	}
	before, err := s.Service.View(ctx, revision.Parents[0])
	if err != nil {
		return 0, err
	}
	count := 0
	for _, err := range before.Diff(ctx, after) {
		if err != nil {
			return 0, err
		}
		count++
	}
	return count, nil
}

// Costs are medians of what one operation takes in a space of a size.
type Costs struct {
	Pages                     int
	Edit, Branch, Merge, Diff time.Duration
}

// Measure measures every operation the given number of times in each of some spaces, in turn, so that whatever else the
// machine does weighs on all of them alike.
func Measure(ctx context.Context, spaces []*Space, times int) ([]Costs, error) {
	samples := make([][4][]time.Duration, len(spaces))
	for range times {
		for i, space := range spaces {
			took, err := space.measure(ctx)
			if err != nil {
				return nil, fmt.Errorf("measure a space of %d pages: %w", space.Size, err)
			}
			for operation, duration := range took {
				samples[i][operation] = append(samples[i][operation], duration)
			}
		}
	}
	costs := make([]Costs, len(spaces))
	for i, s := range samples {
		costs[i] = Costs{Pages: spaces[i].Size, Edit: median(s[0]), Branch: median(s[1]), Merge: median(s[2]),
			Diff: median(s[3])}
	}
	return costs, nil
}

// measure runs every operation once: edit, branch, merge, diff.
func (s *Space) measure(ctx context.Context) (took [4]time.Duration, err error) {
	start := time.Now()
	revision, err := s.Edit(ctx, "")
	if err != nil {
		return took, err
	}
	took[0] = time.Since(start)
	start = time.Now()
	branch, err := s.Branch(ctx)
	if err != nil {
		return took, err
	}
	took[1] = time.Since(start)
	if _, err := s.Edit(ctx, branch.ID); err != nil {
		return took, err
	}
	start = time.Now()
	if err := s.Merge(ctx, branch); err != nil {
		return took, err
	}
	took[2] = time.Since(start)
	start = time.Now()
	_, err = s.Diff(ctx, revision)
	took[3] = time.Since(start)
	return took, err
}

func median(samples []time.Duration) time.Duration {
	slices.Sort(samples)
	if len(samples) == 0 {
		return 0
	}
	return samples[len(samples)/2]
}
