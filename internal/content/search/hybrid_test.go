package search_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/embedding"
)

// subjects are what the model of these tests knows: words of one group mean the same to it.
var subjects = [][]string{{"car", "automobile", "vehicle"}, {"invoice", "bill", "payment"}, {"dog", "puppy", "hound"},
	{"ocean", "sea", "water"}, {"doctor", "physician", "surgeon"}}

// endpoint is a server of embeddings in the form of Ollama, with a model that knows subjects.
type endpoint struct {
	*httptest.Server
	mu sync.Mutex
	// texts are all that were sent.
	texts []string
	// answer is what it does in the place of answering, nil to answer; more are dimensions beside those of subjects.
	answer func(w http.ResponseWriter, r *http.Request)
	more   int
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(e.serve))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Input []string `json:"input"`
	}
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, json.Unmarshal(body, &in)); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	e.texts = append(e.texts, in.Input...)
	answer, more := e.answer, e.more
	e.mu.Unlock()
	if answer != nil {
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer(w, r)
		return
	}
	vectors := make([][]float64, len(in.Input))
	for i, text := range in.Input {
		vectors[i] = make([]float64, len(subjects)+1+more)
		vectors[i][len(subjects)] = 0.2
		for subject, words := range subjects {
			for _, word := range words {
				vectors[i][subject] += float64(strings.Count(strings.ToLower(text), word))
			}
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors})
}

// set says what it does from now on.
func (e *endpoint) set(answer func(w http.ResponseWriter, r *http.Request)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer = answer
}

// sent returns the texts that were sent since it was asked last.
func (e *endpoint) sent() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	texts := e.texts
	e.texts = nil
	slices.Sort(texts)
	return texts
}

// connect opens the search again with an endpoint. Spaces are public but for some.
func (w *world) connect(e *endpoint, model string, deps search.Deps, private ...id.Space) {
	w.t.Helper()
	client, err := embedding.New(embedding.Options{URL: e.URL + "/api/embed", Model: model})
	if err != nil {
		w.t.Fatal(err)
	}
	deps.Embedder = client
	if deps.EmbedderWait == 0 {
		deps.EmbedderWait = 10 * time.Second
	}
	w.search = w.openHooked(deps, requiredtest.Fill(search.Hooks{
		Public: func(_ context.Context, space id.Space) (bool, error) { return !slices.Contains(private, space), nil },
	}))
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it never came that %s", what)
		}
	}
}

// embedded waits until all passages of some spaces have their vectors.
func (w *world) embedded(spaces ...id.Space) {
	w.t.Helper()
	eventually(w.t, "all passages have vectors", func() bool {
		w.find("x", spaces...)
		done, err := w.search.Embedded(spaces...)
		if err != nil {
			w.t.Fatal(err)
		}
		return done
	})
}

// shop are pages each of one subject.
func (w *world) shop() (space id.Space, pages map[string]string) {
	w.t.Helper()
	space, pages = w.space(), map[string]string{}
	positions := entity.Positions(5)
	var puts []store.Put
	for i, each := range [][2]string{
		{"Wheels", "Choose one.\n\n## Tyres\n\nA vehicle needs four of them."},
		{"Money", "Every month there is a bill."},
		{"Animals", "Our hound barks."},
		{"Travel", "The sea is wide."},
		{"Health", "See a surgeon."},
	} {
		entry := page(id.New("page"), "", positions[i], each[0])
		pages[each[0]] = entry.ID
		puts = append(puts, store.Put{Entry: entry, Body: []byte(each[1])})
	}
	w.put(space, puts...)
	return space, pages
}

// TestVectorsFindWhatIsSaidInOtherWords holds that pages are found that share no word with the query, and in which
// section, and that they come behind those that have the words.
func TestVectorsFindWhatIsSaidInOtherWords(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, e := newWorld(t, d), newEndpoint(t)
		space, _ := w.shop()
		w.connect(e, "subjects", search.Deps{})
		w.embedded(space)
		result := w.find("automobile", space)
		if got := titles(result); !slices.Equal(got, []string{"Wheels"}) || result.Total != 1 || !result.Closest {
			t.Fatalf("found %v: %+v", got, result)
		}
		hit := result.Pages[0]
		if !hit.Lacks || len(hit.Sections) != 1 || hit.Sections[0].Title != "Tyres" ||
			hit.Sections[0].Path != "wheels#tyres" || hit.Sections[0].Body != "A vehicle needs four of them." {
			t.Errorf("it is %+v", hit)
		}
		// Who has the word stays first, whatever the vectors say, and the order is that of the scores.
		w.put(space, store.Put{Entry: page(id.New("page"), "", entity.Positions(6)[5], "Words"),
			Body: []byte("Automobile is a word. " + strings.Repeat("Here are a puppy and an invoice. ", 20))})
		w.embedded(space)
		result = w.find("automobile", space)
		if got := titles(result); !slices.Equal(got, []string{"Words", "Wheels"}) || result.Total != 2 ||
			result.Closest || result.Pages[0].Score < result.Pages[1].Score {
			t.Errorf("found %v: %+v", got, result)
		}
		// What is written in quotes is meant as it is written.
		if got := titles(w.find(`"automobile"`, space)); !slices.Equal(got, []string{"Words"}) {
			t.Errorf("in quotes: %v", got)
		}
		// A question has words that pages have by chance.
		if got := titles(w.find("how do i see a physician", space)); len(got) == 0 || got[0] != "Health" {
			t.Errorf("a question finds %v", got)
		}
	})
}

// TestVectorsShowNothingThatWordsDoNot holds that vectors find no page that is hidden, left out, removed or in another
// space, and that such a page changes nothing in an answer.
func TestVectorsShowNothingThatWordsDoNot(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, e := newWorld(t, d), newEndpoint(t)
		space, pages := w.shop()
		other, _ := w.shop()
		plain, _ := w.shop()
		positions := entity.Positions(9)[5:]
		hidden := page(id.New("page"), "", positions[0], "Hidden")
		hidden.Flags.Hidden = true
		below := page(id.New("page"), hidden.ID, "a0", "Below")
		unlisted := page(id.New("page"), "", positions[1], "Unlisted")
		unlisted.Flags.NoIndex = true
		absent := page(id.New("page"), "", positions[2], "Absent")
		gone := page(id.New("page"), "", positions[3], "Gone")
		var puts []store.Put
		for _, entry := range []*entity.Entry{hidden, below, unlisted, absent, gone} {
			puts = append(puts, store.Put{Entry: entry, Body: []byte("A car, a car, a car, a car!")})
		}
		w.put(space, puts...)
		w.connect(e, "subjects", search.Deps{EmbedAll: true})
		w.embedded(space, other, plain)
		if _, err := w.content.Commit(t.Context(), store.CommitRequest{Space: space, Author: id.User(id.New("user")),
			Delete: []string{gone.ID}}); err != nil {
			t.Fatal(err)
		}
		w.embedded(space)
		ask := func(published bool, without map[id.Space][]string, spaces ...id.Space) search.Result {
			t.Helper()
			result, err := w.search.Search(t.Context(), search.Query{Spaces: spaces, Text: "automobile", Limit: 20,
				Published: published, Without: without})
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		if got := titles(ask(false, nil, space)); len(got) == 0 || slices.Contains(got, "Gone") ||
			!slices.Contains(got, "Hidden") {
			t.Errorf("a member finds %v", got)
		}
		without := map[id.Space][]string{space: {absent.ID}}
		got, want := ask(true, without, space), ask(true, nil, plain)
		for _, answer := range []*search.Result{&got, &want} {
			for i := range answer.Pages {
				answer.Pages[i].Space, answer.Pages[i].ID = "", ""
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got.Pages) != 1 {
			t.Errorf("a reader gets another answer than without hidden pages (-want +got):\n%s", diff)
		}
		without[space] = append(without[space], pages["Wheels"])
		if got := ask(true, without, space); slices.Contains(titles(got), "Wheels") {
			t.Errorf("found %v", titles(got))
		}
		if got := ask(false, nil, other, plain); len(got.Pages) != 2 {
			t.Errorf("in two other spaces: %v", titles(got))
		}
	})
}

// TestOnlyWhatIsPublicIsSent holds which texts leave the server: those that everybody may find, and all only when the
// operator says so. Nothing is sent twice, nothing for previews, and no query where nothing can answer it.
func TestOnlyWhatIsPublicIsSent(t *testing.T) {
	w, e := newWorld(t, dbtest.SQLite(t)), newEndpoint(t)
	space, private := w.space(), w.space()
	positions := entity.Positions(6)
	entries := map[string]*entity.Entry{}
	var puts []store.Put
	for i, title := range []string{"Public", "Hidden", "Unlisted", "Conditional", "Visitor", "Together"} {
		entries[title] = page(id.New("page"), "", positions[i], title)
		puts = append(puts, store.Put{Entry: entries[title], Body: []byte("Text of it.")})
	}
	entries["Hidden"].Flags.Hidden, entries["Unlisted"].Flags.NoIndex = true, true
	entries["Conditional"].Condition = `visitor.claims.staff`
	puts[4].Body = []byte("Seen.\n\n{% if visitor.claims.staff %}\nSecret.\n{% endif %}\n")
	puts = append(puts, store.Put{Entry: page(id.New("page"), entries["Conditional"].ID, "a0", "Below"),
		Body: []byte("Text of it.")})
	w.put(space, puts...)
	w.put(private, store.Put{Entry: page(id.New("page"), "", "a0", "Private"), Body: []byte("Text of it.")})
	w.connect(e, "subjects", search.Deps{}, private)
	w.embedded(space)
	public := []string{"Public\nText of it.", "Together\nText of it."}
	if diff := cmp.Diff(public, passages(e.sent())); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	for range 20 {
		w.find("a long question that nobody has asked", private)
		time.Sleep(5 * time.Millisecond)
	}
	if sent := e.sent(); len(sent) > 0 {
		t.Errorf("for a private space were sent: %q", sent)
	}

	// A change sends what is new.
	w.put(space, store.Put{Entry: entries["Public"], Body: []byte("Text of it.\n\n## More\n\nNew text.")})
	w.embedded(space)
	if diff := cmp.Diff([]string{"Public\nMore\nNew text."}, passages(e.sent())); diff != "" {
		t.Errorf("after a change (-want +got):\n%s", diff)
	}
	branch := w.branch(space)
	revision := w.propose(space, branch, nil, store.Put{Entry: entries["Public"], Body: []byte("A draft.")})
	w.findIn(revision, "draft", space)
	w.embedded(space)
	if sent := passages(e.sent()); len(sent) > 0 {
		t.Errorf("for a preview were sent: %q", sent)
	}
	w.connect(e, "subjects", search.Deps{}, private)
	w.embedded(space)
	if sent := passages(e.sent()); len(sent) > 0 {
		t.Errorf("after a restart were sent: %q", sent)
	}
	w.connect(e, "another model", search.Deps{}, private)
	w.embedded(space)
	if sent := passages(e.sent()); len(sent) != 3 {
		t.Errorf("for another model were sent: %q", sent)
	}
	w.connect(e, "another model", search.Deps{EmbedAll: true}, private)
	w.embedded(space, private)
	sent := passages(e.sent())
	for _, title := range []string{"Hidden", "Unlisted", "Conditional", "Visitor", "Below", "Private"} {
		if !slices.ContainsFunc(sent, func(text string) bool { return strings.HasPrefix(text, title+"\n") }) {
			t.Errorf("of all texts, that of %s is not sent: %q", title, sent)
		}
	}
	// Switched off, they are removed, and nothing is sent.
	w.search = w.openWith(search.Deps{})
	w.find("a long question that nobody has asked", space, private)
	if _, err := os.Stat(filepath.Join(w.dir, "vectors")); !os.IsNotExist(err) {
		t.Errorf("the vectors are still there: %v", err)
	}
	if sent := e.sent(); len(sent) > 0 {
		t.Errorf("switched off, it sends %q", sent)
	}
}

// passages are those of some texts that have the form of one, not of a query.
func passages(texts []string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return !strings.Contains(text, "\n") })
}

// TestWordsAnswerWhereTheEndpointFails holds that search is as good and as quick as without an endpoint when that is
// away, slow, or answers what is of no use, and better again when it is back.
func TestWordsAnswerWhereTheEndpointFails(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	answer := func(status int, body string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	for name, fails := range map[string]func(http.ResponseWriter, *http.Request){
		"away": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"slow": func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		},
		"a wrong key": answer(401, ""), "wrong texts": answer(400, ""), "wrong count": answer(200, `{"embeddings":[]}`),
		"no numbers": answer(200, `{"embeddings":[[NaN]]}`), "elsewhere": answer(307, ""),
		"wrong dimensions": answer(200, `{"embeddings":[[1,2]]}`), "huge": answer(200, strings.Repeat(" ", 17<<20)),
	} {
		t.Run(name, func(t *testing.T) {
			w, e := newWorld(t, dbtest.SQLite(t)), newEndpoint(t)
			space, _ := w.shop()
			w.connect(e, "subjects", search.Deps{EmbedderWait: 100 * time.Millisecond,
				EmbedderPause: 300 * time.Millisecond})
			w.embedded(space)
			e.set(fails)
			began := time.Now()
			for i := range 5 {
				text := fmt.Sprintf("four%s", strings.Repeat(" vehicle", i))
				if got := titles(w.find(text, space)); !slices.Contains(got, "Wheels") {
					t.Errorf("%q finds %v", text, got)
				}
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("five searches took %v", took)
			}
			w.put(space, store.Put{Entry: page(id.New("page"), "", entity.Positions(6)[5], "Late"),
				Body: []byte("A puppy.")})
			if got := titles(w.find("late", space)); !slices.Equal(got, []string{"Late"}) {
				t.Errorf("found %v", got)
			}
			e.set(nil)
			eventually(t, "vectors answer again", func() bool {
				return slices.Contains(titles(w.find("hound", space)), "Late")
			})
		})
	}
}

// TestAnotherModelOfTheSameNameStartsAnew holds that vectors of other dimensions take the place of those that are
// there, and are never compared with them.
func TestAnotherModelOfTheSameNameStartsAnew(t *testing.T) {
	w, e := newWorld(t, dbtest.SQLite(t)), newEndpoint(t)
	space, _ := w.shop()
	w.connect(e, "subjects", search.Deps{EmbedderPause: 50 * time.Millisecond})
	w.embedded(space)
	e.mu.Lock()
	e.more = 3
	e.mu.Unlock()
	if got := titles(w.find("automobile", space)); len(got) > 0 {
		t.Errorf("a vector of another model finds %v", got)
	}
	w.put(space, store.Put{Entry: page(id.New("page"), "", entity.Positions(6)[5], "Late"), Body: []byte("A puppy.")})
	eventually(t, "all is embedded anew", func() bool {
		return slices.Equal(titles(w.find("physician", space)), []string{"Health"}) &&
			slices.Contains(titles(w.find("hound", space)), "Late")
	})
}

// TestPreviewsHaveTheVectorsThatAreThere holds that a preview finds by vectors what it shares with the live content.
func TestPreviewsHaveTheVectorsThatAreThere(t *testing.T) {
	w, e := newWorld(t, dbtest.SQLite(t)), newEndpoint(t)
	space, pages := w.shop()
	w.connect(e, "subjects", search.Deps{})
	w.embedded(space)
	branch := w.branch(space)
	revision := w.propose(space, branch, []string{pages["Money"]})
	eventually(t, "the preview has vectors", func() bool {
		return slices.Equal(titles(w.findIn(revision, "automobile", space)), []string{"Wheels"})
	})
	if got := titles(w.findIn(revision, "payment", space)); len(got) > 0 {
		t.Errorf("it finds a page that it does not have: %v", got)
	}
	if got := titles(w.find("payment", space)); !slices.Equal(got, []string{"Money"}) {
		t.Errorf("the live content has %v", got)
	}
}

// TestVectorsOfSpacesThatAreGone holds that the vectors of a space go with it.
func TestVectorsOfSpacesThatAreGone(t *testing.T) {
	w, e := newWorld(t, dbtest.SQLite(t)), newEndpoint(t)
	space, _ := w.shop()
	w.connect(e, "subjects", search.Deps{})
	w.embedded(space)
	file := filepath.Join(w.dir, "vectors", string(space))
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
	w.drop(space)
	eventually(t, "the space is swept", func() bool {
		removed, err := w.search.Sweep(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return removed > 0
	})
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("its vectors are still there: %v", err)
	}
}

// TestPagesWithEachWordStayFirst holds that vectors move no page behind others where each word is meant and it has
// them, or where it has nearly all that a question asks for, and that they do where words are said in other words.
func TestPagesWithEachWordStayFirst(t *testing.T) {
	w, e := newWorld(t, dbtest.SQLite(t)), newEndpoint(t)
	space, positions := w.space(), entity.Positions(9)
	w.put(space,
		store.Put{Entry: page(id.New("page"), "", positions[0], "Car"),
			Body: []byte("Car. " + strings.Repeat("Here is a puppy. ", 20))},
		store.Put{Entry: page(id.New("page"), "", positions[1], "Garage"),
			Body: []byte("It has room for a car, a vehicle and an automobile.")},
		store.Put{Entry: page(id.New("page"), "", positions[2], "Fleet"), Body: []byte("Our automobile, our car.")})
	for i, position := range positions[3:] {
		w.put(space, store.Put{Entry: page(id.New("page"), "", position, fmt.Sprintf("Other %d", i)),
			Body: []byte("Something else.")})
	}
	words := titles(w.find("car", space))
	question := titles(w.find("where do i put my car here", space))
	// One page has all that is asked for, and its vector is of something else.
	const answered = "is there a puppy in my car, a car, a car here"
	if got := titles(w.find(answered, space)); got[0] != "Car" {
		t.Fatalf("words alone find %v", got)
	}
	if words[0] != "Car" || question[0] != "Car" || len(words) != 3 {
		t.Fatalf("words alone find %v and %v", words, question)
	}
	w.connect(e, "subjects", search.Deps{})
	w.embedded(space)
	if got := titles(w.find("car", space)); !slices.Equal(got, words) {
		t.Errorf("found %v", got)
	}
	if got := titles(w.find("car room", space)); got[0] != "Garage" || len(got) < 2 {
		t.Errorf("of two words: %v", got)
	}
	if got := titles(w.find(answered, space)); got[0] != "Car" || len(got) < 2 {
		t.Errorf("a question that a page answers in its words finds %v", got)
	}
	result := w.find("where do i put my car here", space)
	if got := titles(result); got[0] == "Car" ||
		result.Pages[0].Score < result.Pages[1].Score {
		t.Errorf("a question finds %v: %+v", got, result)
	}
}

// TestWhatBecomesPublicIsSent holds that the passages of a space that was not public are sent once it is, without a
// change of its content.
func TestWhatBecomesPublicIsSent(t *testing.T) {
	w, e := newWorld(t, dbtest.SQLite(t)), newEndpoint(t)
	space, _ := w.shop()
	client, err := embedding.New(embedding.Options{URL: e.URL + "/api/embed", Model: "subjects"})
	if err != nil {
		t.Fatal(err)
	}
	var public atomic.Bool
	w.search = w.openHooked(search.Deps{Embedder: client, EmbedderWait: 10 * time.Second,
		EmbedderPause: 20 * time.Millisecond}, requiredtest.Fill(search.Hooks{
		Public: func(context.Context, id.Space) (bool, error) { return public.Load(), nil },
	}))
	for range 50 {
		if got := titles(w.find("automobile", space)); len(got) > 0 {
			t.Fatalf("before it is public is found %v", got)
		}
		time.Sleep(2 * time.Millisecond)
	}
	public.Store(true)
	eventually(t, "it is found", func() bool {
		return slices.Equal(titles(w.find("automobile", space)), []string{"Wheels"})
	})
}
