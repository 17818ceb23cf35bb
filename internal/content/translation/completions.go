package translation

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Completions is a Provider that asks an endpoint of chat completions as OpenAI has them; many servers of models do.
type Completions struct {
	fetch           *fetch.Client
	url, model, key string
}

// NewCompletions returns one that asks an endpoint for a model, with a bearer token, "" for none. Since an operator
// names the endpoint, it may be at any address, this machine's own among them; redirects are not followed.
func NewCompletions(url, model, key string) *Completions {
	return &Completions{fetch: fetch.New(fetch.Options{Allow: fetch.Anywhere()}), url: url, model: model, key: key}
}

// Bounds of one answer.
const (
	answerBytes = 4 << 20
	answerTime  = 3 * time.Minute
	// answerTokens is the most that an answer may have for each character of a batch, beside a constant.
	answerTokens = 2
)

type completionMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type completionRequest struct {
	Model       string              `json:"model"`
	Messages    []completionMessage `json:"messages"`
	Temperature float64             `json:"temperature"`
	MaxTokens   int                 `json:"max_tokens"`
	Format      map[string]string   `json:"response_format"`
}

type completionText struct {
	Text         string   `json:"text"`
	Placeholders []string `json:"placeholders,omitempty"`
}

// Translate asks for a batch. An answer that has another form than asked for has no translations.
func (c *Completions) Translate(ctx context.Context, batch Batch) ([]string, error) {
	texts, characters := make([]completionText, len(batch.Texts)), 0
	for i, text := range batch.Texts {
		texts[i] = completionText{Text: text.Text, Placeholders: text.Codes}
		characters += len(text.Text)
	}
	asked, err := json.Marshal(map[string]any{"texts": texts})
	if err != nil {
		return nil, fmt.Errorf("encode texts: %w", err)
	}
	body, err := json.Marshal(completionRequest{
		Model: c.model, MaxTokens: 1000 + answerTokens*characters, Format: map[string]string{"type": "json_object"},
		Messages: []completionMessage{{"system", briefing(batch)}, {"user", string(asked)}},
	})
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	answer, err := c.send(ctx, body)
	if err != nil {
		return nil, err
	}
	return translationsIn(answer, len(batch.Texts)), nil
}

// briefing tells the model what to do.
func briefing(batch Batch) string {
	var b strings.Builder
	fmt.Fprintf(&b, "You translate technical documentation from %s (%s) to %s (%s).\n", batch.FromName, batch.From,
		batch.ToName, batch.To)
	b.WriteString(
		`You get {"texts":[{"text":…,"placeholders":[…]},…]} and answer with JSON alone: {"translations":["…",…]}, one for each text, in the same order.
In a text, <1>…</1> stands around words that are a link or marked, <2/> stands for code, an image or a value; placeholders says what for, as Markdown. Keep every placeholder exactly once, with its number, where it belongs in the translation. Keep &amp;, &lt; and &gt; as they are. Translate nothing else than the words; add nothing.
`)
	if batch.Instructions != "" {
		b.WriteString("Instructions of the authors:\n" + batch.Instructions + "\n")
	}
	if len(batch.Glossary) > 0 {
		b.WriteString("Glossary, to be followed strictly:\n")
		for _, entry := range batch.Glossary {
			fmt.Fprintf(&b, "- %s: %s\n", entry.From, entry.To)
		}
	}
	return b.String()
}

// send posts a request and returns what the model has said. Errors never hold the key, nor what the endpoint answers.
func (c *Completions) send(ctx context.Context, body []byte) (string, error) {
	authorization := ""
	if c.key != "" {
		authorization = "Bearer " + c.key
	}
	response, err := c.fetch.PostAuthorized(ctx, c.url, authorization, "application/json", body,
		fetch.Limits{Bytes: answerBytes, Time: answerTime, Accept: "application/json"})
	if err != nil {
		return "", unreachable(err)
	}
	defer response.Body.Close()
	switch {
	case response.Status == http.StatusTooManyRequests || response.Status >= 500 ||
		response.Status == http.StatusRequestTimeout:
		return "", errs.New(errs.Unavailable, "The endpoint of machine translation is busy (it answered %d).",
			response.Status)
	case response.Status == http.StatusUnauthorized || response.Status == http.StatusForbidden:
		return "", errs.New(errs.Precondition, "The endpoint of machine translation refuses the key (it answered "+
			"%d); the operator sets it with --translate-key.", response.Status)
	case response.Status != http.StatusOK:
		return "", errs.New(errs.Precondition, "The endpoint of machine translation refuses the request (it answered "+
			"%d); check --translate-url and --translate-model.", response.Status)
	}
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return "", unreachable(err)
	}
	var answer struct {
		Choices []struct {
			Message completionMessage `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(data, &answer); err != nil || len(answer.Choices) == 0 {
		return "", errs.New(errs.Precondition, "The endpoint of machine translation answers in another form than "+
			"chat completions have; check --translate-url.")
	}
	return answer.Choices[0].Message.Content, nil
}

// unreachable is the failure to get an answer. What went wrong with which address is for the log: editors see the
// message, and the address is the operator's.
func unreachable(err error) error {
	switch errs.KindOf(err) {
	case errs.Internal:
		return err
	case errs.Unreachable:
		return errs.Wrap(err, errs.Unavailable, "The endpoint of machine translation does not answer; try again later.")
	}
	return errs.Wrap(err, errs.Precondition,
		"The endpoint of machine translation cannot be asked; the operator finds the reason in the server's log.")
}

// translationsIn reads the translations from what a model has said, which may stand in a fence.
func translationsIn(answer string, count int) []string {
	translations := make([]string, count)
	from, to := strings.IndexByte(answer, '{'), strings.LastIndexByte(answer, '}')
	if from < 0 || to < from {
		return translations
	}
	var said struct {
		Translations []string `json:"translations"`
	}
	if err := json.Unmarshal([]byte(answer[from:to+1]), &said); err != nil || len(said.Translations) != count {
		return translations
	}
	return said.Translations
}
