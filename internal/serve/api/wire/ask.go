package wire

import (
	"encoding/json"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// AskAnswer is the answer to a question about content.
type AskAnswer struct {
	Answer    *AskText    `json:"answer,omitempty"`
	Followups []string    `json:"followupQuestions"`
	Sources   []AskSource `json:"sources"`
}

// AskText is a text as Markdown or as a document, as it was asked for.
type AskText struct {
	Markdown string     `json:"markdown,omitempty"`
	Document JSONObject `json:"document,omitempty" required:"false"`
}

// AskSource is a page that an answer is taken from.
type AskSource struct {
	Type  string `json:"type" enum:"page"`
	Page  string `json:"page"`
	Space string `json:"space"`
}

// AskStream is an event of a stream of answers: each one replaces the one before.
type AskStream struct {
	Type   string    `json:"type" enum:"answer"`
	Answer AskAnswer `json:"answer"`
}

// AskQuestion is an event of a stream of questions that could be asked.
type AskQuestion struct {
	Question string `json:"question"`
}

// notSetUp is what a server answers that no model is connected to.
const notSetUp = "Questions are not answered here: nobody has connected a model to this server. Search finds pages."

// NotSetUp is the answer of a server that no model is connected to, as Markdown or, with the format document, as one.
func NotSetUp(format string) AskAnswer {
	answer := AskAnswer{Answer: &AskText{}, Followups: []string{}, Sources: []AskSource{}}
	if format == "markdown" {
		answer.Answer.Markdown = notSetUp
	} else {
		answer.Answer.Document = JSONObject(`{"object":"document","data":{"schemaVersion":8},"nodes":[{"object":"block",` +
			`"type":"paragraph","data":{},"isVoid":false,"nodes":[{"object":"text","leaves":[{"object":"leaf",` +
			`"text":"` + notSetUp + `","marks":[]}]}]}]}`)
	}
	return answer
}

// Stream answers with server-sent events, each of which is one JSON value.
func Stream(events ...any) (*operation.Encoded, error) {
	body := []byte{}
	for _, event := range events {
		encoded, err := json.Marshal(event)
		if err != nil {
			return nil, err
		}
		body = append(append(append(body, "data: "...), encoded...), "\n\n"...)
	}
	return &operation.Encoded{Status: 200, ContentType: "text/event-stream", CacheControl: "no-store", Body: body}, nil
}
