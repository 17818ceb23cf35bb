package integrations

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rectodocs/recto/internal/base/paging"
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
