package main

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/platform/embedding"
)

const (
	// betweenQueries is how long each query waits: a server has so many embedded in a second, and no more.
	betweenQueries = 110 * time.Millisecond
	// atRest is how long nothing was sent when all passages have their vectors.
	atRest = 5 * time.Second
)

// measureVectors prints how well search finds by words alone, and by words and the vectors of an endpoint.
func measureVectors(ctx context.Context, o options) error {
	corpora, queries, err := judgedBy(ctx, o)
	if err != nil {
		return err
	}
	dir, forget, err := temporary()
	if err != nil {
		return err
	}
	defer forget()
	client, err := embedding.New(embedding.Options{URL: o.embeddings, Model: o.model, Key: o.key})
	if err != nil {
		return err
	}
	const words, both = "words", "and vectors"
	answers := map[string][][]string{}
	if answers[words], err = askOurs(ctx, filepath.Join(dir, "words"), corpora, queries, nil); err != nil {
		return fmt.Errorf("ask for words: %w", err)
	}
	model := &connected{Client: client}
	if answers[both], err = askOurs(ctx, filepath.Join(dir, "vectors"), corpora, queries, model); err != nil {
		return fmt.Errorf("ask for words and vectors: %w", err)
	}
	printHalves(o, queries, answers, words, both)
	fmt.Printf("\n%d passages were embedded in %.0f s, and %d queries\n", model.passages, model.took.Seconds(),
		model.queries)
	return nil
}

// connected is an endpoint that says when it has nothing to do, and what it did.
type connected struct {
	*embedding.Client
	mu                sync.Mutex
	last              time.Time
	err               error
	passages, queries int
	took              time.Duration
}

// Embed asks the endpoint.
func (c *connected) Embed(ctx context.Context, purpose embedding.Purpose, texts []string,
	within time.Duration) ([][]float32, error) {
	began := time.Now()
	c.mu.Lock()
	c.last = began.Add(within)
	c.mu.Unlock()
	vectors, err := c.Client.Embed(ctx, purpose, texts, within)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = time.Now()
	if err != nil {
		c.err = err
	}
	if purpose == embedding.Query {
		c.queries += len(texts)
	} else {
		c.passages += len(texts)
		c.took += time.Since(began)
	}
	return vectors, err
}

// rest waits until nothing has been asked for a while. It returns the failure of the endpoint, if it has failed.
func (c *connected) rest(ctx context.Context) error {
	c.mu.Lock()
	c.last = time.Now()
	c.mu.Unlock()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(atRest / 10):
		}
		c.mu.Lock()
		since, err := time.Since(c.last), c.err
		c.mu.Unlock()
		if err != nil {
			return err
		}
		if since > atRest {
			return nil
		}
	}
}
