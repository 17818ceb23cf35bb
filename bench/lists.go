package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/id"
)

const (
	listLength = 100_000
	listRounds = 60
)

// measureLists compares the last page of a list of 100,000 comments with its first one. A list that counts its way to a
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
	if err := recto.fillComments(ctx, data); err != nil {
		return err
	}
	list := "/v1/spaces/" + recto.space + "/comments?limit=50"
	last, err := recto.lastPage(ctx)
	if err != nil {
		return err
	}
	var p pair
	for range listRounds {
		a, err := recto.timed(ctx, list+"&page="+url.QueryEscape(last))
		if err != nil {
			return err
		}
		b, err := recto.timed(ctx, list)
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
	p.report(fmt.Sprintf("last page of %d comments against the first", listLength), "µs", 2, func(last, first float64) float64 { return last / first })
	return nil
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
		return 0, fmt.Errorf("a page of 50 comments has %d", len(list.Items))
	}
	return float64(took.Microseconds()), nil
}

// lastPage walks the list and returns the cursor of its last 50.
func (i *instance) lastPage(ctx context.Context) (string, error) {
	cursor, seen := "", 0
	for seen < listLength-50 {
		limit := min(1000, listLength-50-seen)
		var list struct {
			Items []struct{ ID string }
			Next  struct{ Page string }
		}
		if err := i.call(ctx, http.MethodGet, fmt.Sprintf("/v1/spaces/%s/comments?limit=%d&page=%s", i.space, limit, url.QueryEscape(cursor)), "", &list); err != nil {
			return "", err
		}
		seen += len(list.Items)
		cursor = list.Next.Page
		if cursor == "" {
			return "", fmt.Errorf("the list ends after %d of %d comments", seen, listLength)
		}
	}
	return cursor, nil
}

// fillComments puts comments into the database of a running server, a minute apart: posting each would take minutes, and
// what is measured is reading.
func (i *instance) fillComments(ctx context.Context, data string) error {
	var user struct{ ID string }
	if err := i.call(ctx, http.MethodGet, "/v1/user", "", &user); err != nil {
		return err
	}
	var revision struct{ ID string }
	if err := i.call(ctx, http.MethodGet, "/v1/spaces/"+i.space+"/content", "", &revision); err != nil {
		return err
	}
	database, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(data, "recto.db")})
	if err != nil {
		return err
	}
	defer database.Close()
	begin := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	const batch = 500
	for first := 0; first < listLength; first += batch {
		var rows []string
		var values []any
		for n := first; n < first+batch; n++ {
			k := len(values)
			rows = append(rows, fmt.Sprintf("($%d, $%d, '', '', $%d, '', '', $%d, $%d, $%d, 'open')", k+1, k+2, k+3, k+4, k+5, k+6))
			values = append(values, id.New("comment"), i.space, revision.ID, fmt.Sprintf("Comment %d", n), user.ID, begin.Add(time.Duration(n)*time.Minute).UnixMicro())
		}
		err := database.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			_, err := q.ExecContext(ctx, `INSERT INTO comment (id, space_id, change_request_id, review_id, revision_id, page_id, anchor, body, posted_by, posted_at, status) VALUES `+strings.Join(rows, ", "), values...)
			return err
		})
		if err != nil {
			return fmt.Errorf("insert comments: %w", err)
		}
	}
	return nil
}
