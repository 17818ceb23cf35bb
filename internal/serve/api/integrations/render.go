package integrations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/lzstring"
	"github.com/rectodocs/recto/internal/engine/contentkit"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// RenderRequest asks for a component of an integration.
type RenderRequest struct {
	Component string          `json:"componentId" minLength:"1" maxLength:"100"`
	Props     wire.JSONObject `json:"props"`
	State     wire.JSONObject `json:"state,omitempty" required:"false"`
	Context   wire.JSONObject `json:"context" doc:"Its type says for what it is drawn: document, configuration_account, configuration_space, configuration_site, configuration_contentsource."`
	Action    wire.JSONObject `json:"action,omitempty" required:"false"`
}

type renderInput struct {
	IntegrationParams
	Body RenderRequest
}

type renderCompressedInput struct {
	IntegrationParams
	Request string `query:"request" required:"true" minLength:"1" maxLength:"65536" doc:"What the body of renderIntegrationUIWithPost would be, as JSON that lz-string has compressed."`
}

// maxRequest is the most characters that the request of a render may unfold to.
const maxRequest = 256 << 10

// RenderOutput is what a script draws, or that it is complete.
type RenderOutput struct {
	Type string `json:"type,omitempty" enum:"element,complete"`
}

// renderContext is what a context says of where a component is drawn.
type renderContext struct {
	Type         string          `json:"type"`
	Space        id.Space        `json:"spaceId"`
	Site         id.Site         `json:"siteId"`
	Organization id.Organization `json:"organizationId"`
}

// renderCompressed is render for readers that ask by the address alone, so that answers can be kept on the way.
func (h *Handlers) renderCompressed(ctx context.Context, in *renderCompressedInput) (*operation.Encoded, error) {
	text, err := lzstring.Decompress(in.Request, maxRequest)
	if errors.Is(err, lzstring.ErrTooLong) {
		return nil, errs.Invalidf("query.request", "unfolds to more than %d KB; send it with POST", maxRequest>>10)
	}
	if err != nil {
		return nil, errs.Invalidf("query.request", "is not compressed with lz-string; send JSON with POST instead")
	}
	var asked RenderRequest
	if err := json.Unmarshal([]byte(text), &asked); err != nil {
		return nil, errs.Invalidf("query.request", "does not unfold to a request: it is a JSON object with "+
			"componentId, props and context")
	}
	switch n := utf8.RuneCountInString(asked.Component); {
	case n < 1 || n > 100:
		return nil, errs.Invalidf("query.request", "needs a componentId of 1 to 100 characters")
	case !isObject(asked.Props), !isObject(asked.Context):
		return nil, errs.Invalidf("query.request", "needs the objects props and context")
	case len(asked.State) > 0 && !isObject(asked.State), len(asked.Action) > 0 && !isObject(asked.Action):
		return nil, errs.Invalidf("query.request", "has a state or an action that is no object")
	case !field.Storable(text):
		return nil, errs.Invalidf("query.request", "holds bytes that are no text")
	}
	whole := &renderInput{IntegrationParams: in.IntegrationParams, Body: asked}
	if operation.Visit(ctx) != nil {
		return h.visitRender(ctx, whole)
	}
	return h.render(ctx, whole)
}

func isObject(value wire.JSONObject) bool { return len(value) > 0 && bytes.TrimSpace(value)[0] == '{' }

// render lets a script draw a component.
func (h *Handlers) render(ctx context.Context, in *renderInput) (*operation.Encoded, error) {
	var at renderContext
	if err := json.Unmarshal(in.Body.Context, &at); err != nil {
		return nil, errs.Invalidf("context", "is none")
	}
	caller := operation.Caller(ctx)
	level, err := h.Integrations.LevelFor(ctx, caller, in.Integration, at.Type, at.Organization, at.Space, at.Site)
	if err != nil {
		return nil, err
	}
	return h.draw(ctx, in, level, caller)
}

// visitRender draws a block for a visitor of a site, whose integration does not learn who that is.
func (h *Handlers) visitRender(ctx context.Context, in *renderInput) (*operation.Encoded, error) {
	var at renderContext
	if err := json.Unmarshal(in.Body.Context, &at); err != nil {
		return nil, errs.Invalidf("context", "is none")
	}
	visit := operation.Visit(ctx)
	if _, ok := visit.Space(at.Space); !ok {
		return nil, errs.NotFoundf("The site shows no such space.")
	}
	level, err := h.Integrations.LevelForVisitor(ctx, in.Integration, at.Type, visit.Served.Organization, at.Space)
	if err != nil {
		return nil, err
	}
	return h.draw(ctx, in, level, account.Caller{})
}

// draw lets a script draw a component on a level.
func (h *Handlers) draw(ctx context.Context, in *renderInput, level integration.Level,
	caller account.Caller) (*operation.Encoded, error) {
	event := dispatch.Event{"type": "ui_render", "componentId": in.Body.Component,
		"props": json.RawMessage(in.Body.Props), "context": json.RawMessage(in.Body.Context)}
	if caller.User.ID != "" {
		event["auth"] = map[string]any{"userId": caller.User.ID}
	}
	for name, value := range map[string]wire.JSONObject{"state": in.Body.State, "action": in.Body.Action} {
		if len(value) > 0 && string(value) != "null" {
			event[name] = json.RawMessage(value)
		}
	}
	answer, err := h.Dispatch.Send(ctx, dispatch.Target{Integration: in.Integration, Level: level}, event, nil)
	if err != nil {
		return nil, err
	}
	switch {
	case answer.Status == http.StatusNotFound || answer.Status == http.StatusNotAcceptable:
		return nil, errs.NotFoundf("The integration has no component %.100q.", in.Body.Component)
	case answer.Status >= http.StatusBadRequest:
		return nil, refusal(answer.Status, saidBy(answer.Body))
	case len(answer.Body) > contentkit.MaxSize:
		return nil, errs.New(errs.Unreachable, "The integration answered with more than 1 MB.")
	case !json.Valid(answer.Body):
		return nil, errs.New(errs.Unreachable, "The integration answered with what is no JSON.")
	}
	cache := answer.Get("cache-control")
	if cache == "" {
		cache = "no-cache"
	}
	return &operation.Encoded{Status: http.StatusOK, CacheControl: cache, ContentType: "application/json",
		Body: answer.Body}, nil
}

// refusal is the error for a call that a script refuses. With 400 and 422 it speaks to whoever acts; of everything else
// its author finds more in the events.
func refusal(status int, said string) error {
	switch {
	case said != "" && (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity):
		return errs.New(errs.Unreachable, "%s.", said)
	case said == "":
		said = "nothing more is said"
	}
	return errs.New(errs.Unreachable, "The integration answered %d: %s. What its script wrote is in the events of the "+
		"integration.", status, said)
}

// saidBy is what a script says of a call that it refuses, in one sentence; "" for nothing.
func saidBy(body []byte) string {
	var said struct {
		Error any `json:"error"`
	}
	text := string(body)
	if json.Unmarshal(body, &said) == nil {
		text = ""
		switch reason := said.Error.(type) {
		case string:
			text = reason
		case map[string]any:
			text, _ = reason["message"].(string)
		}
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if runes := []rune(text); len(runes) > 300 {
		text = string(runes[:300]) + "…"
	}
	if strings.HasPrefix(text, "<") {
		return "" // a page of a server in between
	}
	return strings.TrimSuffix(text, ".")
}
