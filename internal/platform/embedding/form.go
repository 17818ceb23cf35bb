package embedding

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
)

// form is how an endpoint is spoken to.
type form interface {
	// request returns what is sent as JSON.
	request(model string, texts []string) any
	// read returns the vectors of an answer, in the order of the texts.
	read(answer []byte) ([][]float32, error)
}

// formOf returns the form that an address stands for, nil for none.
func formOf(address *url.URL) form {
	switch path := strings.TrimRight(address.Path, "/"); {
	case strings.HasSuffix(path, "/api/embed"):
		return ollama{}
	case strings.HasSuffix(path, "/embeddings"):
		return openAI{}
	}
	return nil
}

// openAI is the form of OpenAI, which many servers of models speak.
type openAI struct{}

func (openAI) request(model string, texts []string) any {
	return map[string]any{"model": model, "input": texts, "encoding_format": "float"}
}

func (openAI) read(answer []byte) ([][]float32, error) {
	var said struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(said.Data))
	for i, each := range said.Data {
		at := i
		if each.Index != nil {
			at = *each.Index
		}
		if at < 0 || at >= len(vectors) || vectors[at] != nil {
			return nil, errors.New("its vectors are numbered wrongly")
		}
		vectors[at] = each.Embedding
	}
	return vectors, nil
}

// ollama is the form of Ollama.
type ollama struct{}

func (ollama) request(model string, texts []string) any {
	return map[string]any{"model": model, "input": texts, "truncate": true}
}

func (ollama) read(answer []byte) ([][]float32, error) {
	var said struct {
		Embeddings [][]float32 `json:"embeddings"`
	}
	err := json.Unmarshal(answer, &said)
	return said.Embeddings, err
}
