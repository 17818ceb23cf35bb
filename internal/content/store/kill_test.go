package store_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// Environment of a process that only writes, to be killed: the database, a folder for files, and a number that no other
// such process has.
const (
	victimDatabase = "RECTO_TEST_CONTENT_VICTIM"
	victimFiles    = "RECTO_TEST_CONTENT_FILES"
	victimRound    = "RECTO_TEST_CONTENT_ROUND"
	victimSpace    = "space_killed"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(victimDatabase); address != "" {
		if err := victim(context.Background(), address, os.Getenv(victimRound)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

const (
	victimWriters = 4
	victimBatch   = 120
)

// victim edits until it is killed. It prints a line for every edit that is acknowledged: the revision, the page and its
// body; or the revision and the page above a batch of new ones.
func victim(ctx context.Context, address, round string) error {
	d, err := db.Open(ctx, db.Config{URL: address})
	if err != nil {
		return err
	}
	blobs, err := blob.OpenStore("dir:" + os.Getenv(victimFiles))
	if err != nil {
		return err
	}
	s := requiredtest.Wire(store.New(store.Deps{DB: d, Blobs: blobs}), store.Hooks{})
	failed := make(chan error, victimWriters+1)
	var mutex sync.Mutex
	acknowledge := func(format string, args ...any) {
		mutex.Lock()
		defer mutex.Unlock()
		fmt.Printf(format+"\n", args...)
	}
	for w := range victimWriters {
		go func() {
			for i := 0; ; i++ {
				e := page(fmt.Sprintf("v%d", w), "")
				body := fmt.Sprintf("round-%s-edit-%d", round, i)
				r, err := s.Commit(ctx, store.CommitRequest{Space: victimSpace,
					Put: []store.Put{{Entry: e, Body: []byte(body)}}})
				if err != nil {
					failed <- err
					return
				}
				acknowledge("edit %s %s %s", r.ID, e.ID, body)
			}
		}()
	}
	go func() {
		for i := 0; ; i++ {
			parent := page(fmt.Sprintf("batch%sx%d", round, i), "")
			puts := []store.Put{{Entry: parent}}
			for j := range victimBatch {
				puts = append(puts, store.Put{Entry: page(fmt.Sprintf("batch%sx%dx%d", round, i, j),
					strings.TrimPrefix(parent.ID, "page_")), Body: fmt.Appendf(nil, "%s %d %d", round, i, j)})
			}
			r, err := s.Commit(ctx, store.CommitRequest{Space: victimSpace, Put: puts})
			if err != nil {
				failed <- err
				return
			}
			acknowledge("batch %s %s", r.ID, parent.ID)
		}
	}()
	return <-failed
}

// TestKilledWriterLosesNothing kills a writing process again and again: every edit that it acknowledged is there, a
// batch is there whole or not at all, and everything can be read.
func TestKilledWriterLosesNothing(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { killWriters(t, dbtest.SQLiteURL(t)) })
	t.Run("postgres", func(t *testing.T) { killWriters(t, dbtest.PostgresURL(t)) })
}

func killWriters(t *testing.T, address string) {
	const rounds = 5
	d, err := db.Open(t.Context(), db.Config{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{T: t, db: d, s: storetest.NewService(t, d, store.Deps{}), space: victimSpace}
	storetest.NewSpace(t.Context(), t, f.s, d, victimSpace)
	f.commit(store.CommitRequest{Put: put(page("v0", ""), page("v1", ""), page("v2", ""), page("v3", ""))})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	acknowledged, last, batches := 0, map[string]string{}, []string{}
	revisions := map[string]bool{}
	for round := range rounds {
		for _, line := range killOne(t, address, round) {
			words := strings.Fields(line)
			if acknowledged++; words[0] == "edit" {
				last[words[2]] = words[3]
			} else {
				batches = append(batches, words[2])
			}
			revisions[words[1]] = true
		}
		verifyAfterKill(t, address, last, batches, revisions)
	}
	if acknowledged < rounds {
		t.Errorf("only %d edits were acknowledged, so the test shows little", acknowledged)
	}
	t.Logf("%d acknowledged edits, %d of them batches, in %d killed processes", acknowledged, len(batches), rounds)
}

// killOne runs a writer, kills it after a random time and returns the lines that it printed.
func killOne(t *testing.T, address string, round int) []string {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	command.Env = append(os.Environ(), victimDatabase+"="+address, victimFiles+"="+t.TempDir(),
		fmt.Sprintf("%s=%d", victimRound, round))
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints strings.Builder
	command.Stderr = &complaints
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	reader := bufio.NewReader(output)
	// The time counts from the first edit: starting takes long on a busy machine.
	var timer *time.Timer
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			break // killed, perhaps in the middle of a line, which is no acknowledgement then
		}
		lines = append(lines, strings.TrimSpace(line))
		if timer == nil {
			timer = time.AfterFunc(20*time.Millisecond+rand.N(400*time.Millisecond), func() {
				if err := command.Process.Kill(); err != nil {
					t.Errorf("kill the writer: %v", err)
				}
			})
		}
	}
	if err := command.Wait(); err == nil || timer == nil {
		t.Fatalf("the writer ended by itself: %s", complaints.String())
	}
	return lines
}

func verifyAfterKill(t *testing.T, address string, last map[string]string, batches []string,
	revisions map[string]bool) {
	t.Helper()
	d, err := db.Open(t.Context(), db.Config{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	f := &fixture{T: t, db: d, s: storetest.NewService(t, d, store.Deps{}), space: victimSpace}
	v := f.head()
	check(t, v)
	seen := map[id.Revision]bool{}
	for _, r := range f.history() {
		if seen[r.ID] {
			t.Errorf("revision %s is in the history twice", r.ID)
		}
		seen[r.ID] = true
	}
	for revisionID := range revisions {
		if !seen[id.Revision(revisionID)] {
			t.Errorf("acknowledged revision %s is not in the history", revisionID)
		}
	}
	var round, edit, wantRound, wantEdit int
	for id, want := range last {
		body, err := v.Body(t.Context(), entry(t, v, strings.TrimPrefix(id, "page_")))
		if err != nil {
			t.Fatal(err)
		}
		// One more edit can be written whose acknowledgement was not read.
		if _, err := fmt.Sscanf(want, "round-%d-edit-%d", &wantRound, &wantEdit); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscanf(string(body), "round-%d-edit-%d", &round, &edit); err != nil || round < wantRound ||
			round == wantRound && edit < wantEdit {
			t.Errorf("page %s says %q, acknowledged was %q", id, body, want)
		}
	}
	tree, err := v.Pages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range tree.Roots {
		if strings.HasPrefix(node.Entry.ID, "page_batch") && len(node.Children) != victimBatch {
			t.Errorf("%s has %d pages of %d", node.Entry.ID, len(node.Children), victimBatch)
		}
	}
	for _, id := range batches {
		if tree.ByID[id] == nil {
			t.Errorf("acknowledged batch %s is not there", id)
		}
	}
}
