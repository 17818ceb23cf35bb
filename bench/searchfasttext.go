package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/rectodocs/recto/internal/content/search/judge"
)

// fastText names, in the place of an endpoint, a model that everybody can make: word vectors that Debian's fastText
// learns from the judged texts themselves, never from queries. It knows no language besides.
const fastText = "fasttext"

const fastTextDimensions = 100

// fastTextServer is an endpoint whose vector of a text is the mean of those of its words, rare ones weighed more
// (Arora, Liang and Ma, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings", 2017, without its second step).
type fastTextServer struct {
	*httptest.Server
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner

	mu    sync.Mutex
	known map[string][]float32
	count map[string]int
	all   int
}

// serveFastText learns word vectors from texts and serves them.
func serveFastText(ctx context.Context, dir string, corpora map[string][]judge.Page) (*fastTextServer, error) {
	if err := runQuietly(ctx, "scripts/apt-install", "fasttext"); err != nil {
		return nil, err
	}
	s := &fastTextServer{known: map[string][]float32{}, count: map[string]int{}}
	var texts strings.Builder
	for _, name := range slices.Sorted(maps.Keys(corpora)) {
		for _, page := range corpora[name] {
			words := wordsIn(string(page.AsMarkdown()))
			for _, word := range words {
				s.count[word]++
			}
			s.all += len(words)
			texts.WriteString(strings.Join(words, " ") + "\n")
		}
	}
	input, model := filepath.Join(dir, "texts.txt"), filepath.Join(dir, "model")
	if err := os.WriteFile(input, []byte(texts.String()), 0o600); err != nil {
		return nil, err
	}
	if err := runQuietly(ctx, "fasttext", "skipgram", "-input", input, "-output", model, "-dim",
		strconv.Itoa(fastTextDimensions), "-epoch", "5", "-minCount", "3", "-maxn", "0", "-thread", "1", "-seed",
		"1"); err != nil {
		return nil, err
	}
	s.command = exec.CommandContext(ctx, "fasttext", "print-word-vectors", model+".bin")
	var err error
	if s.in, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewScanner(out)
	s.out.Buffer(nil, 1<<20)
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s, nil
}

func (s *fastTextServer) close() {
	s.Close()
	_ = s.in.Close() // which ends the program
	_ = s.command.Wait()
}

// wordsIn are the words of a text as the model knows them.
func wordsIn(text string) []string {
	isSign := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.FieldsFunc(strings.ToLower(text), isSign)
}

func (s *fastTextServer) serve(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	data := make([]any, len(asked.Input))
	for i, text := range asked.Input {
		vector, err := s.vector(text)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		data[i] = map[string]any{"index": i, "embedding": vector}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

func (s *fastTextServer) vector(text string) ([]float32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sum []float32
	for _, word := range wordsIn(text) {
		vector, err := s.word(word)
		if err != nil {
			return nil, err
		}
		if sum == nil {
			sum = make([]float32, len(vector))
			sum[0] = 1e-6 // a text of no known word has a direction as well
		}
		const common = 1e-3
		weight := float32(common / (common + float64(s.count[word])/float64(s.all)))
		for i := range vector {
			sum[i] += weight * vector[i]
		}
	}
	if sum == nil {
		sum = make([]float32, fastTextDimensions)
		sum[0] = 1e-6
	}
	return sum, nil
}

// word returns the vector of a word, of length one.
func (s *fastTextServer) word(word string) ([]float32, error) {
	if known := s.known[word]; known != nil {
		return known, nil
	}
	if _, err := fmt.Fprintln(s.in, word); err != nil {
		return nil, err
	}
	if !s.out.Scan() {
		return nil, fmt.Errorf("fasttext has ended: %w", s.out.Err())
	}
	fields := strings.Fields(s.out.Text())
	if len(fields) < 2 {
		return nil, fmt.Errorf("fasttext says %q of %q", s.out.Text(), word)
	}
	vector, sum := make([]float32, len(fields)-1), 0.0
	for i, field := range fields[1:] {
		number, err := strconv.ParseFloat(field, 32)
		if err != nil {
			return nil, err
		}
		vector[i] = float32(number)
		sum += number * number
	}
	if sum > 0 {
		for i := range vector {
			vector[i] /= float32(math.Sqrt(sum))
		}
	}
	s.known[word] = vector
	return vector, nil
}
