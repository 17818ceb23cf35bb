package apptest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/platform/config"
)

// EmbeddingModel is an endpoint of embeddings as OpenAI has it, whose model knows that a ship is a vessel. It asks for
// the key sesame.
type EmbeddingModel struct {
	mu    sync.Mutex
	texts []string
}

// Sent returns the texts that were sent so far, in order.
func (m *EmbeddingModel) Sent() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	texts := slices.Clone(m.texts)
	slices.Sort(texts)
	return slices.Compact(texts)
}

// ServeHTTP answers with vectors.
func (m *EmbeddingModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Input []string }
	err := json.NewDecoder(r.Body).Decode(&asked)
	if err != nil || r.Header.Get("Authorization") != "Bearer sesame" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	m.mu.Lock()
	m.texts = append(m.texts, asked.Input...)
	m.mu.Unlock()
	data := make([]any, len(asked.Input))
	for i, text := range asked.Input {
		vector := []float64{0, 0.1}
		for _, word := range []string{"ship", "vessel"} {
			vector[0] += float64(strings.Count(strings.ToLower(text), word))
		}
		data[i] = map[string]any{"index": i, "embedding": vector}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

// WithEmbeddings starts a model and returns what connects a server with it, which may send it some texts.
func WithEmbeddings(t *testing.T, m *EmbeddingModel, content config.EmbeddedContent) func(*config.Serve) {
	t.Helper()
	endpoint := httptest.NewServer(m)
	t.Cleanup(endpoint.Close)
	return func(settings *config.Serve) {
		settings.EmbeddingsURL, settings.EmbeddingsModel = endpoint.URL+"/v1/embeddings", "small"
		settings.EmbeddingsKey, settings.EmbeddingsContent = "sesame", content
	}
}
