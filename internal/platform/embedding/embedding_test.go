package embedding_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/embedding"
)

// asked is what an endpoint was asked.
type asked struct {
	Model string   `json:"model"`
	Input []string `json:"input"`
}

// open returns a client of a server whose handler gets what it was asked.
func open(t *testing.T, path, model, key string,
	handler func(w http.ResponseWriter, r *http.Request, in asked)) *embedding.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in asked
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Errorf("the request is no JSON: %v", err)
		}
		handler(w, r, in)
	}))
	t.Cleanup(server.Close)
	client, err := embedding.New(embedding.Options{URL: server.URL + path, Model: model, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func embed(t *testing.T, client *embedding.Client, purpose embedding.Purpose, texts ...string) ([][]float32, error) {
	t.Helper()
	return client.Embed(t.Context(), purpose, texts, 5*time.Second)
}

// TestBothFormsAreSpoken holds what is sent in each form, and that vectors come in the order of their texts.
func TestBothFormsAreSpoken(t *testing.T) {
	for path, answer := range map[string]string{
		"/v1/embeddings":                `{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2]}]}`,
		"/openai/embeddings?version=1":  `{"data":[{"embedding":[1,2]},{"embedding":[3,4]}]}`,
		"/api/embed":                    `{"embeddings":[[1,2],[3,4]]}`,
		"/behind/a/proxy/api/embed":     `{"embeddings":[[1,2],[3,4]]}`,
		"/v1/embeddings?encoding=float": `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[3,4]}]}`,
	} {
		client := open(t, path, "small", "sesame", func(w http.ResponseWriter, r *http.Request, in asked) {
			if in.Model != "small" || !slices.Equal(in.Input, []string{"one", "two"}) {
				t.Errorf("%s was asked for %+v", path, in)
			}
			if got := r.Header.Get("Authorization"); got != "Bearer sesame" || r.Method != http.MethodPost {
				t.Errorf("%s got %s with %q", path, r.Method, got)
			}
			_, _ = io.WriteString(w, answer)
		})
		vectors, err := embed(t, client, embedding.Passage, "one", "two")
		if err != nil || len(vectors) != 2 || !slices.Equal(vectors[0], []float32{1, 2}) ||
			!slices.Equal(vectors[1], []float32{3, 4}) {
			t.Errorf("%s: %v, %v", path, vectors, err)
		}
	}
}

// TestModelsGetTheirPrefixes holds that models which tell questions from texts are told.
func TestModelsGetTheirPrefixes(t *testing.T) {
	for model, want := range map[string][2]string{
		"nomic-embed-text:v1.5":  {"search_document: x", "search_query: x"},
		"multilingual-e5-small":  {"passage: x", "query: x"},
		"bge-small-en-v1.5":      {"x", "Represent this sentence for searching relevant passages: x"},
		"text-embedding-3-small": {"x", "x"},
		"all-minilm":             {"x", "x"},
	} {
		var got [2]string
		at := embedding.Passage
		client := open(t, "/api/embed", model, "", func(w http.ResponseWriter, _ *http.Request, in asked) {
			got[at] = in.Input[0]
			_, _ = io.WriteString(w, `{"embeddings":[[1]]}`)
		})
		for at = range embedding.Query + 1 {
			if _, err := embed(t, client, at, "x"); err != nil {
				t.Fatal(err)
			}
		}
		if got != want {
			t.Errorf("%s was sent %q, want %q", model, got, want)
		}
	}
}

// TestBadAnswersAreRefused holds what is taken of an answer that is not as it should be: nothing.
func TestBadAnswersAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		kind   errs.Kind
		reason embedding.Reason
	}{
		"too few":            {200, `{"embeddings":[[1,2]]}`, errs.Precondition, embedding.WrongAnswer},
		"too many":           {200, `{"embeddings":[[1,2],[1,2],[1,2]]}`, errs.Precondition, embedding.WrongAnswer},
		"none":               {200, `{}`, errs.Precondition, embedding.WrongAnswer},
		"unequally long":     {200, `{"embeddings":[[1,2],[1,2,3]]}`, errs.Precondition, embedding.WrongAnswer},
		"empty":              {200, `{"embeddings":[[],[]]}`, errs.Precondition, embedding.WrongAnswer},
		"not a number":       {200, `{"embeddings":[[1,NaN],[1,2]]}`, errs.Precondition, embedding.WrongAnswer},
		"too large a number": {200, `{"embeddings":[[1,1e999],[1,2]]}`, errs.Precondition, embedding.WrongAnswer},
		"no direction":       {200, `{"embeddings":[[0,0],[1,2]]}`, errs.Precondition, embedding.WrongAnswer},
		"words":              {200, `{"embeddings":[["a"],["b"]]}`, errs.Precondition, embedding.WrongAnswer},
		"not JSON":           {200, `<html>`, errs.Precondition, embedding.WrongAnswer},
		"endless vector": {200, `{"embeddings":[[` + strings.Repeat("1,", 8192) + `1],[1]]}`, errs.Precondition,
			embedding.WrongAnswer},
		"huge":                {200, strings.Repeat(" ", 17<<20), errs.Precondition, embedding.WrongAnswer},
		"a wrong key":         {401, `sesame`, errs.Precondition, embedding.WrongKey},
		"forbidden":           {403, ``, errs.Precondition, embedding.WrongKey},
		"no such model":       {404, `{"error":"model not found"}`, errs.Precondition, embedding.WrongSettings},
		"texts that it hates": {400, `{"error":"too long"}`, errs.Invalid, embedding.RefusedTexts},
		"too long":            {413, ``, errs.Invalid, embedding.RefusedTexts},
		"too often":           {429, ``, errs.Unavailable, embedding.Busy},
		"failing":             {500, ``, errs.Unavailable, embedding.Failing},
		"overloaded":          {503, ``, errs.Unavailable, embedding.Failing},
		"nothing":             {204, ``, errs.Precondition, embedding.WrongSettings},
	} {
		client := open(t, "/api/embed", "m", "sesame", func(w http.ResponseWriter, _ *http.Request, _ asked) {
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})
		vectors, err := embed(t, client, embedding.Passage, "one", "two")
		if err == nil || vectors != nil && !errs.Is(err, test.kind) || errs.KindOf(err) != test.kind {
			t.Errorf("%s: %v, %v", name, vectors, err)
		}
		if reason := embedding.ReasonOf(err); reason != test.reason {
			t.Errorf("%s: the reason is %s", name, reason)
		}
		if err != nil && strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: the error holds the key: %v", name, err)
		}
	}
	for name, body := range map[string]string{
		"twice":    `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]}`,
		"behind":   `{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[2]}]}`,
		"before":   `{"data":[{"index":-1,"embedding":[1]},{"index":1,"embedding":[2]}]}`,
		"nameless": `{"data":[{"index":0},{"index":1,"embedding":[2]}]}`,
	} {
		client := open(t, "/v1/embeddings", "m", "", func(w http.ResponseWriter, _ *http.Request, _ asked) {
			_, _ = io.WriteString(w, body)
		})
		if _, err := embed(t, client, embedding.Passage, "one", "two"); !errs.Is(err, errs.Precondition) {
			t.Errorf("vectors that are numbered %s: %v", name, err)
		}
	}
}

// TestRedirectsAreNotFollowed holds that neither the texts nor the key go where they were not meant.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var reached atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer other.Close()
	for _, status := range []int{301, 302, 307, 308} {
		client := open(t, "/api/embed", "m", "sesame", func(w http.ResponseWriter, r *http.Request, _ asked) {
			http.Redirect(w, r, other.URL+"/api/embed", status)
		})
		if _, err := embed(t, client, embedding.Query, "one"); !errs.Is(err, errs.Precondition) {
			t.Errorf("%d: %v", status, err)
		}
	}
	if reached.Load() {
		t.Error("a redirect was followed")
	}
}

// TestAwayAndSlow holds that an endpoint that is away or slow is an error in time.
func TestAwayAndSlow(t *testing.T) {
	stop := make(chan struct{})
	client := open(t, "/api/embed", "m", "", func(_ http.ResponseWriter, r *http.Request, _ asked) {
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	})
	began := time.Now()
	_, err := client.Embed(t.Context(), embedding.Query, []string{"one"}, 50*time.Millisecond)
	if !errs.Is(err, errs.Unavailable) || time.Since(began) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Embed(ctx, embedding.Query, []string{"one"}, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("whoever asked has gone: %v", err)
	}
	close(stop)

	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	away, err := embedding.New(embedding.Options{URL: gone.URL + "/v1/embeddings", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := embed(t, away, embedding.Query, "one"); !errs.Is(err, errs.Unavailable) ||
		embedding.ReasonOf(err) != embedding.Away {
		t.Errorf("nobody is there: %v", err)
	}
}

// TestAddressesAreChecked holds which addresses are endpoints.
func TestAddressesAreChecked(t *testing.T) {
	for address, sound := range map[string]bool{
		"https://api.example.com/v1/embeddings": true, "http://localhost:11434/api/embed": true,
		"http://[::1]:11434/api/embed/": true, "http://localhost:11434": false, "localhost/api/embed": false,
		"ftp://localhost/api/embed": false, "http://:8080/api/embed": false, "http://%zz/api/embed": false,
		"http://me:secret@localhost/api/embed": false, "": false, "http://localhost/api/embeddings/x": false,
	} {
		problem := embedding.Check(address)
		if _, err := embedding.New(embedding.Options{URL: address}); (problem == "") != sound || (err == nil) != sound {
			t.Errorf("%q: %q, %v", address, problem, err)
		}
		if strings.Contains(problem, "secret") {
			t.Errorf("the problem shows the password: %s", problem)
		}
	}
}
