package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

const (
	listLength = 100_000
	listRounds = 60
)

// longList is a list to fill and read.
type longList struct {
	name string
	// path is the list's address, with a question mark at its end.
	path string
	// fill makes item n in the database of a running server: through the API a hundred thousand take minutes, and what
	// is measured is reading. Those that exist already count.
	fill func(ctx context.Context, q db.Querier, n int) error
}

// measureLists compares the last pages of lists of 100,000 items with their first ones. A list that counts its way to a
// page would need far longer for the last.
func measureLists(ctx context.Context, o options) error {
	dir, forget, err := temporary()
	if err != nil {
		return err
	}
	defer forget()
	data := filepath.Join(dir, "data")
	recto, err := startRecto(ctx, o, data)
	if err != nil {
		return err
	}
	defer recto.stop()
	lists, err := recto.longLists(ctx)
	if err != nil {
		return err
	}
	database, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(data, "recto.db")})
	if err != nil {
		return err
	}
	defer database.Close()
	for _, list := range lists {
		if err := fillList(ctx, database, list); err != nil {
			return fmt.Errorf("fill the list of %s: %w", list.name, err)
		}
		if err := recto.measureList(ctx, list); err != nil {
			return fmt.Errorf("list of %s: %w", list.name, err)
		}
	}
	return nil
}

// longLists are the lists that grow with what a team does: comments, change requests and spaces.
func (i *instance) longLists(ctx context.Context) ([]longList, error) {
	var user, revision, first struct{ ID string }
	if err := i.call(ctx, http.MethodGet, "/v1/user", "", &user); err != nil {
		return nil, err
	}
	if err := i.call(ctx, http.MethodGet, "/v1/spaces/"+i.space+"/content", "", &revision); err != nil {
		return nil, err
	}
	if err := i.call(ctx, http.MethodPost, "/v1/spaces/"+i.space+"/change-requests", `{"status":"open"}`,
		&first); err != nil {
		return nil, err
	}
	begin := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	minute := func(n int) int64 { return begin.Add(time.Duration(n) * time.Minute).UnixMicro() }
	return []longList{
		{"comments", "/v1/spaces/" + i.space + "/comments?", func(ctx context.Context, q db.Querier, n int) error {
			_, err := q.ExecContext(ctx, `
				INSERT INTO comment (id, space_id, change_request_id, review_id, revision_id, page_id, anchor, body,
				posted_by, posted_at, status)
				VALUES ($1, $2, '', '', $3, '', '', $4, $5, $6, 'open')`,
				id.New("comment"), i.space, revision.ID, fmt.Sprintf("Comment %d", n), user.ID, minute(n))
			return err
		}},
		{"change requests", "/v1/spaces/" + i.space + "/change-requests?status=open&",
			func(ctx context.Context, q db.Querier, n int) error {
				if n == 0 {
					return nil // the first one
				}
				branch := id.New("branch")
				_, err := q.ExecContext(ctx, `
				INSERT INTO content_branch (id, space_id, kind, head_revision_id, initial_revision_id, base_revision_id,
				created_at, moved_at)
				SELECT $1, space_id, kind, head_revision_id, initial_revision_id, base_revision_id, created_at, moved_at
				FROM content_branch WHERE id = (SELECT branch_id FROM change_request WHERE id = $2)`, branch, first.ID)
				if err != nil {
					return err
				}
				_, err = q.ExecContext(ctx, `
				INSERT INTO change_request (id, organization_id, space_id, number, status, subject, description,
				branch_id, initial_revision_id, created_by, created_at, updated_at)
				SELECT $1, organization_id, space_id, $2, status, $3, '', $4, initial_revision_id, created_by, $5, $5
				FROM change_request WHERE id = $6`, id.New("change"), n+1, fmt.Sprintf("Change %d", n), branch,
					minute(n), first.ID)
				return err
			}},
		{"spaces", "/v1/orgs/" + i.organization + "/spaces?", func(ctx context.Context, q db.Querier, n int) error {
			if n == 0 {
				return nil // that of the instance
			}
			made := id.New("space")
			_, err := q.ExecContext(ctx, `
				INSERT INTO space (id, organization_id, position, title, emoji, icon, visibility, edit_mode, language,
				default_level, created_by, created_at, updated_at)
				SELECT $1, organization_id, $2, $3, emoji, icon, visibility, edit_mode, language, default_level,
				created_by, $4, $4 FROM space WHERE id = $5`,
				made, fmt.Sprintf("z%08d", n), fmt.Sprintf("Space %d", n), minute(n), i.space)
			if err != nil {
				return err
			}
			_, err = q.ExecContext(ctx, `
				INSERT INTO content_branch (id, space_id, kind, head_revision_id, initial_revision_id, base_revision_id,
				created_at, moved_at)
				SELECT $1, $2, kind, head_revision_id, initial_revision_id, base_revision_id, created_at, moved_at
				FROM content_branch WHERE space_id = $3 AND kind = 'main'`, id.New("branch"), made, i.space)
			return err
		}},
	}, nil
}

func fillList(ctx context.Context, database *db.DB, list longList) error {
	const batch = 1000 // more would keep the server from writing for long
	for first := 0; first < listLength; first += batch {
		err := database.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			for n := first; n < first+batch; n++ {
				if err := list.fill(ctx, q, n); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (i *instance) measureList(ctx context.Context, list longList) error {
	last, err := i.lastPage(ctx, list)
	if err != nil {
		return err
	}
	var p pair
	for range listRounds {
		a, err := i.timed(ctx, list.path+"limit=50&page="+url.QueryEscape(last))
		if err != nil {
			return err
		}
		b, err := i.timed(ctx, list.path+"limit=50")
		if err != nil {
			return err
		}
		p.ours, p.bare = append(p.ours, a), append(p.bare, b)
	}
	// The middle half of the rounds: single requests are at the mercy of whatever else the machine does.
	slices.Sort(p.ours)
	slices.Sort(p.bare)
	quarter := listRounds / 4
	p.ours, p.bare = p.ours[quarter:listRounds-quarter], p.bare[quarter:listRounds-quarter]
	p.report(fmt.Sprintf("last page of %d %s against the first", listLength, list.name), "µs", 2,
		func(last, first float64) float64 { return last / first })
	return nil
}

// listRows are those of prepareLists, in the order of longLists.
var listRows = []row{
	{fmt.Sprintf("last page of %d comments, of the processor", listLength), "ms", 0},
	{fmt.Sprintf("last page of %d change requests, of the processor", listLength), "ms", 0},
	{fmt.Sprintf("last page of %d spaces, of the processor", listLength), "ms", 0},
}

// readsOfOne is how many reads of a list make one figure.
const readsOfOne = 5

// prepareLists measures reads of the last pages of long lists.
func prepareLists(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	recto, err := startRecto(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	paths, err := recto.fillLists(ctx, dir)
	if err != nil {
		recto.stop()
		return nil, nil, err
	}
	return func() ([]float64, error) {
		var values []float64
		for _, path := range paths {
			took, err := recto.spend(func() error {
				for range readsOfOne {
					if _, err := recto.timed(ctx, path); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			values = append(values, milliseconds(took)/readsOfOne)
		}
		return values, nil
	}, recto.stop, nil
}

// fillLists fills all long lists, and returns the addresses of their last pages.
func (i *instance) fillLists(ctx context.Context, data string) ([]string, error) {
	lists, err := i.longLists(ctx)
	if err != nil {
		return nil, err
	}
	database, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(data, "recto.db")})
	if err != nil {
		return nil, err
	}
	defer database.Close()
	var paths []string
	for _, list := range lists {
		if err := fillList(ctx, database, list); err != nil {
			return nil, fmt.Errorf("fill the list of %s: %w", list.name, err)
		}
		last, err := i.lastPage(ctx, list)
		if err != nil {
			return nil, fmt.Errorf("list of %s: %w", list.name, err)
		}
		paths = append(paths, list.path+"limit=50&page="+url.QueryEscape(last))
	}
	return paths, nil
}

// timed returns how many microseconds a read takes.
func (i *instance) timed(ctx context.Context, path string) (float64, error) {
	var list struct{ Items []struct{ ID string } }
	start := time.Now()
	if err := i.call(ctx, http.MethodGet, path, "", &list); err != nil {
		return 0, err
	}
	took := time.Since(start)
	if len(list.Items) != 50 {
		return 0, fmt.Errorf("a page of 50 has %d", len(list.Items))
	}
	return float64(took.Microseconds()), nil
}

// lastPage walks the list and returns the cursor of its last 50.
func (i *instance) lastPage(ctx context.Context, list longList) (string, error) {
	cursor, seen := "", 0
	for seen < listLength-50 {
		limit := min(1000, listLength-50-seen)
		var page struct {
			Items []struct{ ID string }
			Next  struct{ Page string }
		}
		if err := i.call(ctx, http.MethodGet, fmt.Sprintf("%slimit=%d&page=%s", list.path, limit,
			url.QueryEscape(cursor)), "", &page); err != nil {
			return "", err
		}
		seen += len(page.Items)
		cursor = page.Next.Page
		if cursor == "" {
			return "", fmt.Errorf("it ends after %d of %d", seen, listLength)
		}
	}
	return cursor, nil
}
