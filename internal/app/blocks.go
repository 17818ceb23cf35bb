package app

import (
	"context"
	"net/http"

	"github.com/rectodocs/recto/internal/publish/blocks"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// renderBlock asks the script of an integration what one of its blocks shows.
func (a *App) renderBlock(ctx context.Context, ask blocks.Ask) (blocks.Answer, error) {
	event := dispatch.Event{"type": "ui_render", "componentId": ask.Component, "props": ask.Props,
		"context": map[string]any{"type": "document", "spaceId": ask.Space, "editable": ask.Editable,
			"theme": ask.Theme}}
	if ask.State != nil {
		event["state"] = ask.State
	}
	if ask.Action != nil {
		event["action"] = ask.Action
	}
	answer, err := a.dispatch.Send(ctx, dispatch.Target{Integration: ask.Integration,
		Level: integration.Level{Installation: ask.Installation, Space: ask.Space}}, event, nil)
	if err != nil {
		return blocks.Answer{}, err
	}
	return blocks.Answer{Status: answer.Status, CacheControl: answer.Get("cache-control"), Body: answer.Body}, nil
}

// serveScript answers a request that a script has for this server. The handler is made after the hooks are set.
func (a *App) serveScript(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }
