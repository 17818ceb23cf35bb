package integrations

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/contentkit"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// IntegrationEvent is a call of a script.
type IntegrationEvent struct {
	ID           string          `json:"id"`
	Integration  string          `json:"integrationId" doc:"Name of the integration."`
	Installation string          `json:"installationId,omitempty"`
	CreatedAt    string          `json:"createdAt" format:"date-time"`
	Payload      wire.JSONObject `json:"payload" doc:"The event as the script got it; a large one is cut to its type."`
	Status       string          `json:"status" enum:"success,failed"`
	Duration     int64           `json:"duration" doc:"How long the script ran, in milliseconds."`
}

// IntegrationEventLog is a line that a script has logged.
type IntegrationEventLog struct {
	Level     string `json:"level" enum:"debug,info,warn,error"`
	Message   string `json:"message"`
	Timestamp string `json:"timestamp" format:"date-time"`
}

// IntegrationEventTrace is what is known of a call beside what came of it.
type IntegrationEventTrace struct {
	Logs []IntegrationEventLog `json:"logs"`
}

// IntegrationEventWithTrace is a call with its log.
type IntegrationEventWithTrace struct {
	Event IntegrationEvent      `json:"event"`
	Trace IntegrationEventTrace `json:"trace"`
}

func wireEvent(name string, c dispatch.Called) IntegrationEvent {
	event := IntegrationEvent{ID: c.ID, Integration: name, Installation: c.Installation,
		CreatedAt: wire.Timestamp(c.At), Payload: wire.JSONObject(c.Payload), Status: "failed",
		Duration: c.Took.Milliseconds()}
	if c.Success {
		event.Status = "success"
	}
	return event
}

type listEventsInput struct {
	IntegrationParams
	wire.PageParams
	Type   string `query:"type" maxLength:"100" doc:"Only events of a type, such as ui_render."`
	Status string `query:"status" enum:"success,failed" doc:"Only calls that came to this."`
}

// listEvents lists the calls of an integration.
func (h *Handlers) listEvents(ctx context.Context,
	in *listEventsInput) (*operation.Body[wire.List[IntegrationEvent]], error) {
	name := "events/" + string(operation.Caller(ctx).User.ID) + "/" + in.Integration + "/" + in.Type + "/" + in.Status
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	found, err := h.Dispatch.Events(ctx, operation.Caller(ctx), in.Integration,
		dispatch.Filter{Kind: in.Type, Status: in.Status}, request)
	if err != nil {
		return nil, err
	}
	items := make([]IntegrationEvent, len(found.Items))
	for i, each := range found.Items {
		items[i] = wireEvent(in.Integration, each)
	}
	return &operation.Body[wire.List[IntegrationEvent]]{Body: *wire.Listed(h.Lists, name,
		paging.WithItems(found, items), func(e IntegrationEvent) IntegrationEvent { return e })}, nil
}

type eventInput struct {
	IntegrationParams
	Event string `path:"eventId" maxLength:"100"`
}

// getEvent answers a call with its log.
func (h *Handlers) getEvent(ctx context.Context,
	in *eventInput) (*operation.Body[IntegrationEventWithTrace], error) {
	found, err := h.Dispatch.Event(ctx, operation.Caller(ctx), in.Integration, in.Event)
	if err != nil {
		return nil, err
	}
	answer := IntegrationEventWithTrace{Event: wireEvent(in.Integration, found)}
	answer.Trace.Logs = make([]IntegrationEventLog, len(found.Logs))
	for i, line := range found.Logs {
		answer.Trace.Logs[i] = IntegrationEventLog{Level: line.Level, Message: line.Message,
			Timestamp: wire.Timestamp(line.At)}
	}
	return &operation.Body[IntegrationEventWithTrace]{Body: answer}, nil
}

// redeliverEvent sends an event once more.
func (h *Handlers) redeliverEvent(ctx context.Context, in *eventInput) (*operation.Nothing, error) {
	return operation.Done(h.Dispatch.Redeliver(ctx, operation.Caller(ctx), in.Integration, in.Event))
}

type developmentInput struct {
	IntegrationParams
	Body struct {
		Tunnel string `json:"tunnelUrl" minLength:"1" maxLength:"256" doc:"Where events go in place of the script."`
		All    bool   `json:"all,omitempty" doc:"Those of every organization, not of the owning one alone."`
	}
}

// setDevelopment turns development mode on.
func (h *Handlers) setDevelopment(ctx context.Context, in *developmentInput) (*operation.Nothing, error) {
	return operation.Done(h.Integrations.SetTunnel(ctx, operation.Caller(ctx), in.Integration, in.Body.Tunnel,
		in.Body.All))
}

// endDevelopment turns development mode off.
func (h *Handlers) endDevelopment(ctx context.Context, in *IntegrationParams) (*operation.Nothing, error) {
	return operation.Done(h.Integrations.SetTunnel(ctx, operation.Caller(ctx), in.Integration, "", false))
}

type taskInput struct {
	IntegrationParams
	Body struct {
		Task     wire.JSONObject `json:"task" doc:"What the script gets as event.task."`
		Schedule float64         `json:"schedule,omitempty" minimum:"0" maximum:"86400" doc:"Seconds to wait."`
	}
}

// queueTask lets an integration call itself later.
func (h *Handlers) queueTask(ctx context.Context, in *taskInput) (*operation.Nothing, error) {
	return operation.Done(h.Dispatch.QueueTask(ctx, operation.Caller(ctx), in.Integration,
		json.RawMessage(in.Body.Task), time.Duration(in.Body.Schedule*float64(time.Second))))
}

type renderInput struct {
	IntegrationParams
	Body struct {
		Component string          `json:"componentId" minLength:"1" maxLength:"100"`
		Props     wire.JSONObject `json:"props"`
		State     wire.JSONObject `json:"state,omitempty" required:"false"`
		Context   wire.JSONObject `json:"context" doc:"Its type says for what it is drawn: document, configuration_account, configuration_space, configuration_site."`
		Action    wire.JSONObject `json:"action,omitempty" required:"false"`
	}
}

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
		return nil, errs.New(errs.Unreachable, "The integration answered %d: %s.", answer.Status, saidBy(answer.Body))
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

// saidBy is what a script says of a call that it refuses, in one sentence.
func saidBy(body []byte) string {
	var said struct {
		Error any `json:"error"`
	}
	text := string(body)
	if json.Unmarshal(body, &said) == nil {
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
	if text == "" {
		text = "nothing more is said"
	}
	return strings.TrimSuffix(text, ".")
}
