// Package embedding owns asking an endpoint for the vectors of texts: one that has OpenAI's form of embeddings, or
// that of Ollama.
//
// It promises that an answer is whole or an error: one vector for each text, all of the same length, and each number a
// number. Errors never hold the key, nor a text, nor what the endpoint said.
package embedding

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Bounds of one request.
const (
	// MaxTexts is how many texts one request may have.
	MaxTexts = 64
	// MaxDimensions is how many numbers a vector may have.
	MaxDimensions = 8192
	answerBytes   = 16 << 20
)

// Purpose says what a text is, which some models want to know.
type Purpose int

// What a text may be: something to find, or what somebody looks for.
const (
	Passage Purpose = iota
	Query
)

// Options says which endpoint is asked, and for what.
type Options struct {
	// URL is the endpoint: it ends with /embeddings for OpenAI's form, with /api/embed for Ollama's. Since an operator
	// names it, it may be at any address, this machine's own among them.
	URL string
	// Model is what the endpoint is asked for.
	Model string
	// Key is sent as a bearer token; "" for none.
	Key string
}

// Check says what is wrong with an address of an endpoint, "" for nothing.
func Check(address string) string {
	parsed, err := url.Parse(address)
	switch {
	case err != nil, parsed.Scheme != "http" && parsed.Scheme != "https", parsed.Hostname() == "":
		return "must be an address such as http://localhost:11434/api/embed"
	case parsed.User != nil:
		return "must hold no user or password; the key has a setting of its own"
	case formOf(parsed) == nil:
		return "must end with /embeddings, as OpenAI has it, or /api/embed, as Ollama has it"
	}
	return ""
}

// Client asks one endpoint for the vectors of one model. It is safe for concurrent use.
type Client struct {
	options Options
	fetch   *fetch.Client
	form    form
	prefix  [2]string // before passages and before queries
}

// New returns a client. The address is one that Check has nothing to say of.
func New(options Options) (*Client, error) {
	if problem := Check(options.URL); problem != "" {
		return nil, errs.New(errs.Invalid, "the address of the endpoint of embeddings %s", problem)
	}
	parsed, err := url.Parse(options.URL)
	if err != nil {
		return nil, err
	}
	return &Client{options: options, form: formOf(parsed), prefix: prefixOf(options.Model),
		fetch: fetch.New(fetch.Options{Allow: fetch.Anywhere()})}, nil
}

// Name names the model and where it is asked: vectors of two clients compare only when their names are the same.
func (c *Client) Name() string { return c.options.Model + " at " + c.options.URL }

// Model is what the endpoint is asked for.
func (c *Client) Model() string { return c.options.Model }

// Embed returns the vectors of at most MaxTexts texts, within a time. It is an errs.Unavailable error when the endpoint
// does not answer or is busy, an errs.Invalid one when it refuses these texts, and an errs.Precondition one when the
// settings or the endpoint are wrong. ReasonOf tells these apart further.
func (c *Client) Embed(ctx context.Context, purpose Purpose, texts []string,
	within time.Duration) ([][]float32, error) {
	if len(texts) == 0 || len(texts) > MaxTexts {
		return nil, fmt.Errorf("embed %d texts at once: 1 to %d are", len(texts), MaxTexts)
	}
	inputs := make([]string, len(texts))
	for i, text := range texts {
		inputs[i] = c.prefix[purpose] + strings.ToValidUTF8(text, "\uFFFD")
	}
	body, err := json.Marshal(c.form.request(c.options.Model, inputs))
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	authorization := ""
	if c.options.Key != "" {
		authorization = "Bearer " + c.options.Key
	}
	response, err := c.fetch.PostAuthorized(ctx, c.options.URL, authorization, "application/json", body,
		fetch.Limits{Bytes: answerBytes, Time: within, Accept: "application/json"})
	if err != nil {
		return nil, explain(err)
	}
	defer response.Body.Close()
	if err := refused(response.Status); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, explain(err)
	}
	vectors, err := c.form.read(data)
	if err != nil {
		return nil, malformed("it is not in the form that the address stands for")
	}
	return vectors, check(vectors, len(texts))
}

// refused is what a status other than 200 means.
func refused(status int) error {
	switch status {
	case http.StatusOK:
		return nil
	case http.StatusUnauthorized, http.StatusForbidden:
		return because(WrongKey, errs.New(errs.Precondition,
			"the endpoint refuses the key (%d); check embeddings-key", status))
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return because(RefusedTexts, errs.New(errs.Invalid, "the endpoint refuses the texts (%d)", status))
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return because(Busy, errs.New(errs.Unavailable, "the endpoint is busy (%d)", status))
	}
	if status >= 500 {
		return because(Failing, errs.New(errs.Unavailable, "the endpoint fails (%d)", status))
	}
	return because(WrongSettings, errs.New(errs.Precondition,
		"the endpoint answers %d; check embeddings-url and embeddings-model", status))
}

// explain gives the failure to get an answer the kinds that Embed promises.
func explain(err error) error {
	switch errs.KindOf(err) {
	case errs.Internal:
		return err // it was ended from here
	case errs.Unreachable:
		return because(Away, errs.Wrap(err, errs.Unavailable, "the endpoint does not answer"))
	case errs.TooLarge:
		return because(WrongAnswer,
			errs.Wrap(err, errs.Precondition, "the answer is larger than %d bytes", answerBytes))
	}
	return because(WrongSettings,
		errs.Wrap(err, errs.Precondition, "the endpoint cannot be asked; check embeddings-url"))
}

func malformed(what string) error {
	return because(WrongAnswer, errs.New(errs.Precondition, "the answer of the endpoint is of no use: %s", what))
}

// check refuses what is not one vector of numbers for each of some texts.
func check(vectors [][]float32, texts int) error {
	if len(vectors) != texts {
		return malformed(fmt.Sprintf("it has %d vectors for %d texts", len(vectors), texts))
	}
	for _, vector := range vectors {
		if len(vector) == 0 || len(vector) > MaxDimensions {
			return malformed(fmt.Sprintf("a vector has %d numbers", len(vector)))
		}
		if len(vector) != len(vectors[0]) {
			return malformed("its vectors are not equally long")
		}
		sum := 0.0
		for _, number := range vector {
			sum += float64(number) * float64(number)
		}
		if math.IsNaN(sum) || math.IsInf(sum, 0) || sum == 0 {
			return malformed("a vector has no direction")
		}
	}
	return nil
}

// prefixOf is what a model wants before passages and before queries, as its authors say.
func prefixOf(model string) [2]string {
	model = strings.ToLower(model)
	switch {
	case strings.Contains(model, "nomic-embed-text"):
		return [2]string{"search_document: ", "search_query: "}
	case strings.Contains(model, "e5-") && !strings.Contains(model, "instruct"):
		return [2]string{"passage: ", "query: "}
	case strings.Contains(model, "mxbai-embed"), strings.Contains(model, "bge-") && strings.Contains(model, "-en"),
		strings.Contains(model, "snowflake-arctic-embed") && !strings.Contains(model, "embed2"):
		return [2]string{"", "Represent this sentence for searching relevant passages: "}
	}
	return [2]string{}
}
