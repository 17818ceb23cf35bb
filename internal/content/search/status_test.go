package search_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/search/vectors"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/embedding"
)

func (w *world) status(spaces ...id.Space) search.Status {
	w.t.Helper()
	status, err := w.search.Status(w.t.Context(), spaces)
	if err != nil {
		w.t.Fatal(err)
	}
	return status
}

func (w *world) refresh(spaces ...id.Space) {
	w.t.Helper()
	if err := w.search.Refresh(w.t.Context(), spaces); err != nil {
		w.t.Fatal(err)
	}
}

// becomes waits until the status is as it should be, and says how it differs when it never is.
func (w *world) becomes(want search.Status, spaces ...id.Space) {
	w.t.Helper()
	difference := ""
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if difference = cmp.Diff(want, w.status(spaces...)); difference == "" {
			return
		}
	}
	w.t.Fatalf("the status never came (-want +got):\n%s", difference)
}

// TestStatusOfWords holds that the state of the indexes is told without a search, that it counts those that were closed
// again, and that Refresh reads what has changed.
func TestStatusOfWords(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		var spaces []id.Space
		for range 66 { // more than are open at once
			space := w.space()
			w.put(space, store.Put{Entry: page(id.New("page"), "", entity.Positions(1)[0], "A"), Body: []byte("Text.")})
			spaces = append(spaces, space)
		}
		w.becomes(search.Status{Spaces: 66}, spaces...)
		w.find("text", spaces[0])
		w.becomes(search.Status{Spaces: 66, Current: 1, Pages: 1}, spaces...)
		w.refresh(spaces...)
		w.becomes(search.Status{Spaces: 66, Current: 66, Pages: 66}, spaces...)
		w.put(spaces[0], store.Put{Entry: page(id.New("page"), "", entity.Positions(2)[1], "B"), Body: []byte("More.")})
		w.becomes(search.Status{Spaces: 66, Current: 65, Pages: 66}, spaces...)
		w.becomes(search.Status{Spaces: 1, Current: 1, Pages: 1}, spaces[1])
		w.refresh(spaces...)
		w.becomes(search.Status{Spaces: 66, Current: 66, Pages: 67}, spaces...)
	})
}

// TestStatusOfVectors holds that the counts of passages are right, that what the endpoint fails by is told with when
// and why and without its address, and that Refresh starts again what has failed, without a search and without waiting.
func TestStatusOfVectors(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, e := newWorld(t, d), newEndpoint(t)
		space, _ := w.shop()
		private, _ := w.shop()
		w.connect(e, "subjects", search.Deps{EmbedderPause: time.Hour}, private)
		both := []id.Space{space, private}
		w.becomes(search.Status{Spaces: 2, Vectors: &vectors.Status{Model: "subjects"}}, both...)
		w.refresh(both...)
		done := vectors.Status{Model: "subjects", Spaces: 2, Passages: 12, Embedded: 6, Withheld: 6}
		w.becomes(search.Status{Spaces: 2, Current: 2, Pages: 10, Vectors: &done}, both...)

		began := time.Now()
		e.set(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
		w.put(space, store.Put{Entry: page(id.New("page"), "", entity.Positions(6)[5], "Late"),
			Body: []byte("A puppy.")})
		w.refresh(both...)
		eventually(t, "the failure is told", func() bool { return w.status(both...).Vectors.Failure != nil })
		eventually(t, "the work ends", func() bool { return !w.status(both...).Refreshing })
		got := w.status(both...).Vectors
		failure := *got.Failure
		got.Failure = nil
		want := done
		want.Passages++
		if difference := cmp.Diff(&want, got); difference != "" {
			t.Errorf("while it fails (-want +got):\n%s", difference)
		}
		if failure.Reason != embedding.WrongKey || !strings.Contains(failure.Message, "refuses the key (401)") ||
			strings.Contains(failure.Message, "127.0.0.1") || failure.Since.Before(began) ||
			failure.Last.Before(failure.Since) || failure.Until.Before(failure.Last.Add(time.Minute)) {
			t.Errorf("the failure is %+v", failure)
		}

		// Which texts it takes is known by sending them one by one; Refresh sends again what it did not take.
		e.set(func(answer http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if strings.Contains(string(body), "puppy") {
				answer.WriteHeader(http.StatusBadRequest)
				return
			}
			var in struct{ Input []string }
			_ = json.Unmarshal(body, &in)
			_ = json.NewEncoder(answer).Encode(map[string]any{"embeddings": ones(len(in.Input))})
		})
		w.put(space, store.Put{Entry: page(id.New("page"), "", entity.Positions(7)[6], "Later"), Body: []byte("B.")})
		w.refresh(both...)
		want.Passages, want.Embedded, want.Refused = 14, 7, 1
		w.becomes(search.Status{Spaces: 2, Current: 2, Pages: 12, Vectors: &want}, both...)
		e.set(nil)
		w.refresh(both...)
		want.Embedded, want.Refused = 8, 0
		w.becomes(search.Status{Spaces: 2, Current: 2, Pages: 12, Vectors: &want}, both...)
	})
}

// ones are vectors as long as those of subjects.
func ones(count int) [][]float64 {
	vectors := make([][]float64, count)
	for i := range vectors {
		vectors[i] = []float64{1, 0, 0, 0, 0, 1}
	}
	return vectors
}
