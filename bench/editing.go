package main

import (
	"archive/zip"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
)

const (
	// mergePages is how many pages the merged tree has.
	mergePages = 1_000
	// mergeEdits is how many of them each side has edited, not the same ones.
	mergeEdits = 100
	// oneEditOf is how many edits make one figure.
	oneEditOf = 20
)

// pageText is the source of a page of a few paragraphs, which an edit changes in its middle.
func pageText(number int, edit string) string {
	paragraph := strings.Repeat(fmt.Sprintf("What page %d says stands here, in words of some length. ", number), 6)
	return fmt.Sprintf("# Page %d\n\n%s\n\n## A part\n\n%s%s\n\n%s\n", number, paragraph, edit, paragraph, paragraph)
}

// pagesArchive is an archive of pages, one file each.
func pagesArchive(pages int) ([]byte, error) {
	var buffer bytes.Buffer
	archive := zip.NewWriter(&buffer)
	for number := range pages {
		file, err := archive.Create(fmt.Sprintf("page-%05d.md", number))
		if err != nil {
			return nil, err
		}
		if _, err := file.Write([]byte(pageText(number, ""))); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return buffer.Bytes(), err
}

// editable is a space with pages that can be edited.
type editable struct {
	*instance
	pages []string // their ids
}

func prepareEditable(ctx context.Context, o options, dir string, pages int) (*editable, error) {
	made, err := initialize(ctx, o, dir)
	if err != nil {
		return nil, err
	}
	started, err := made.serve(ctx, o)
	if err != nil {
		return nil, err
	}
	ready := &editable{instance: started}
	if err := ready.fillWith(ctx, pages); err != nil {
		started.stop()
		return nil, err
	}
	return ready, nil
}

func (e *editable) fillWith(ctx context.Context, pages int) error {
	archive, err := pagesArchive(pages)
	if err != nil {
		return err
	}
	if e.space, err = e.newSpace(ctx); err != nil {
		return err
	}
	if err := e.upload(ctx, e.space, archive); err != nil {
		return err
	}
	var content struct{ Pages []struct{ ID string } }
	if err := e.call(ctx, http.MethodGet, "/v1/spaces/"+e.space+"/content/pages", "", &content); err != nil {
		return err
	}
	for _, page := range content.Pages {
		e.pages = append(e.pages, page.ID)
	}
	if len(e.pages) < pages {
		return fmt.Errorf("%d of %d pages were imported", len(e.pages), pages)
	}
	return nil
}

// editAtOnce is how many pages one request may change.
const editAtOnce = 50

// edit gives pages another text, below a path of the space.
func (e *editable) edit(ctx context.Context, at, edit string, numbers ...int) error {
	for some := range slices.Chunk(numbers, editAtOnce) {
		if err := e.editSome(ctx, at, edit, some); err != nil {
			return err
		}
	}
	return nil
}

func (e *editable) editSome(ctx context.Context, at, edit string, numbers []int) error {
	type change struct {
		Operation string            `json:"operation"`
		Page      string            `json:"page"`
		Document  map[string]string `json:"document"`
	}
	var body struct {
		Changes []change `json:"changes"`
	}
	for _, number := range numbers {
		body.Changes = append(body.Changes, change{"update_page", e.pages[number],
			map[string]string{"markdown": pageText(number, edit)}})
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	var ignored any
	return e.call(ctx, http.MethodPost, "/v1/spaces/"+e.space+at+"/content", string(encoded), &ignored)
}

// prepareEdit measures edits of single pages, each of which is on the disk when it is answered.
func prepareEdit(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	ready, err := prepareEditable(ctx, o, dir, mergePages)
	if err != nil {
		return nil, nil, err
	}
	count := 0
	return only(func() (float64, error) {
		took, err := ready.spend(func() error {
			for range oneEditOf {
				count++
				if err := ready.edit(ctx, "", fmt.Sprintf("Edit %d. ", count), count*7%mergePages); err != nil {
					return err
				}
			}
			return nil
		})
		return milliseconds(took) / oneEditOf, err
	}), ready.stop, nil
}

// edited returns the numbers of the pages that a side edits.
func edited(first int) []int {
	var numbers []int
	for n := range mergeEdits {
		numbers = append(numbers, first+n*mergePages/mergeEdits)
	}
	return numbers
}

// prepareMergeWork measures a merge in processor time.
func prepareMergeWork(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	take, stop, err := prepareMerge(ctx, o, dir, (*server).spend)
	if err != nil {
		return nil, nil, err
	}
	return only(take), stop, nil
}

// onClock returns how long run takes on the clock.
func onClock(_ *server, run func() error) (time.Duration, error) {
	begin := time.Now()
	err := run()
	return time.Since(begin), err
}

// prepareMerge measures the merge of a change request that has edited 100 pages, while main has edited 100 others, in
// milliseconds.
func prepareMerge(ctx context.Context, o options, dir string,
	measure func(*server, func() error) (time.Duration, error)) (func() (float64, error), func(), error) {
	ready, err := prepareEditable(ctx, o, dir, mergePages)
	if err != nil {
		return nil, nil, err
	}
	count := 0
	return func() (float64, error) {
		count++
		text := fmt.Sprintf("Edit %d. ", count)
		var request struct{ ID string }
		var merged struct{ Result string }
		requests := "/v1/spaces/" + ready.space + "/change-requests"
		if err := ready.call(ctx, http.MethodPost, requests, `{"status":"open"}`, &request); err != nil {
			return 0, err
		}
		at := "/change-requests/" + request.ID
		if err := ready.edit(ctx, at, text, edited(3)...); err != nil {
			return 0, err
		}
		if err := ready.edit(ctx, "", text, edited(7)...); err != nil {
			return 0, err
		}
		took, err := measure(ready.server, func() error {
			return ready.call(ctx, http.MethodPost, "/v1/spaces/"+ready.space+at+"/merge", "", &merged)
		})
		if err == nil && merged.Result != "merge" {
			err = fmt.Errorf("the merge ended with %q", merged.Result)
		}
		return milliseconds(took), err
	}, ready.stop, nil
}

// measureMerge compares merging 100 edited pages with git merge of the same tree and the same edits.
func measureMerge(ctx context.Context, o options) error {
	dir, forget, err := temporary()
	if err != nil {
		return err
	}
	defer forget()
	take, stop, err := prepareMerge(ctx, o, filepath.Join(dir, "data"), onClock)
	if err != nil {
		return err
	}
	defer stop()
	bare, err := prepareGitMerge(ctx, filepath.Join(dir, "git"))
	if err != nil {
		return err
	}
	var p pair
	for range o.rounds {
		ours, err := take()
		if err != nil {
			return err
		}
		git, err := bare()
		if err != nil {
			return err
		}
		p.ours, p.bare = append(p.ours, ours), append(p.bare, git)
	}
	p.report(fmt.Sprintf("merge of %d of %d pages against git merge", mergeEdits, mergePages), "ms", 1,
		func(ours, bare float64) float64 { return ours / bare })
	return nil
}

func prepareGitMerge(ctx context.Context, dir string) (func() (float64, error), error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	git := func(args ...string) error {
		command := exec.CommandContext(ctx, "git", append([]string{"-c", "user.name=Bench", "-c",
			"user.email=bench@example.org"}, args...)...)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
		}
		return nil
	}
	commit := func(edit string, numbers []int) error {
		for _, number := range numbers {
			if _, err := writeFile(dir, fmt.Sprintf("page-%05d.md", number),
				[]byte(pageText(number, edit))); err != nil {
				return err
			}
		}
		if err := git("add", "-A"); err != nil {
			return err
		}
		return git("commit", "-q", "-m", "Edit")
	}
	all := make([]int, mergePages)
	for number := range all {
		all[number] = number
	}
	if err := git("init", "-q", "-b", "main"); err != nil {
		return nil, err
	}
	if err := commit("", all); err != nil {
		return nil, err
	}
	count := 0
	return func() (float64, error) {
		count++
		text, branch := fmt.Sprintf("Edit %d. ", count), fmt.Sprintf("change-%d", count)
		if err := git("checkout", "-q", "-b", branch); err != nil {
			return 0, err
		}
		if err := commit(text, edited(3)); err != nil {
			return 0, err
		}
		if err := git("checkout", "-q", "main"); err != nil {
			return 0, err
		}
		if err := commit(text, edited(7)); err != nil {
			return 0, err
		}
		begin := time.Now()
		err := git("merge", "-q", "--no-edit", branch)
		return float64(time.Since(begin).Microseconds()) / 1000, err
	}, nil
}

// prepareWriter imports many pages, and meanwhile asks every half millisecond for SQLite's lock on writing. The figure
// is the longest time for which nobody else could have it.
func prepareWriter(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	made, err := initialize(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	started, err := made.serve(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	database, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(dir, "recto.db")})
	if err != nil {
		started.stop()
		return nil, nil, err
	}
	stop := func() {
		_ = database.Close()
		started.stop()
	}
	archive, err := pagesArchive(writerPages)
	if err != nil {
		stop()
		return nil, nil, err
	}
	return only(func() (float64, error) {
		space, err := started.newSpace(ctx)
		if err != nil {
			return 0, err
		}
		done := make(chan error, 1)
		go func() { done <- started.upload(ctx, space, archive) }()
		return longestHold(ctx, database, done)
	}), stop, nil
}

// longestHold returns for how many milliseconds at most the lock on writing was not to be had until done.
func longestHold(ctx context.Context, database *db.DB, done <-chan error) (float64, error) {
	connection, err := database.Writer().Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer connection.Close()
	if _, err := connection.ExecContext(ctx, `PRAGMA busy_timeout = 0`); err != nil {
		return 0, err
	}
	var longest time.Duration
	free := time.Now()
	for {
		select {
		case err := <-done:
			return float64(longest.Microseconds()) / 1000, err
		case <-time.After(500 * time.Microsecond):
		}
		if lockable(ctx, connection) {
			free = time.Now()
		}
		longest = max(longest, time.Since(free))
	}
}

func lockable(ctx context.Context, connection *sql.Conn) bool {
	if _, err := connection.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return false
	}
	_, err := connection.ExecContext(ctx, `ROLLBACK`)
	return err == nil
}
