package page

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/blocks"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// maxBlockBody bounds what the script of a page sends of a block: its properties, its state and an action.
const maxBlockBody = 256 << 10

// blockRate is how often an address may do something in blocks.
var blockRate = httpx.LimiterConfig{PerSecond: 4, Burst: 60}

// blockRequest is what the script of a page sends.
type blockRequest struct {
	Integration string          `json:"integration"`
	Component   string          `json:"component"`
	Props       map[string]any  `json:"props"`
	State       map[string]any  `json:"state"`
	Action      json.RawMessage `json:"action"`
	Theme       string          `json:"theme"`
	// Prefix begins the ids of the block.
	Prefix string `json:"prefix"`
	// Visitor asks for what the block's frames are told of the visitor, and for nothing else.
	Visitor bool `json:"visitor"`
}

// blockAnswer is what it gets back.
type blockAnswer struct {
	// Type is that of the element, "complete", "hidden", "failed" or "visitor".
	Type string `json:"type"`
	HTML string `json:"html,omitempty"`
	// Reason is what a failed block shows.
	Reason      string         `json:"reason,omitempty"`
	Props       map[string]any `json:"props,omitempty"`
	State       map[string]any `json:"state,omitempty"`
	ReturnValue map[string]any `json:"returnValue,omitempty"`
	// Claims are what the site's schema accepts of what is known of the visitor, of type "visitor".
	Claims map[string]any `json:"claims,omitempty"`
}

// ServeBlock calls a block of an integration for a reader who has done something in it, and for a page that was sent
// before the block had an answer. The gate of the site has let the reader in, and the integration has to work on the
// space.
func (p *Pages) ServeBlock(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	if r.Method != http.MethodPost {
		return p.Missing(w, r, s, "")
	}
	w.Header().Set("Cache-Control", "no-store")
	refuse := func(status int, message string) error {
		http.Error(w, message, status)
		return nil
	}
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return refuse(http.StatusForbidden, "A block is used on the page itself.")
	}
	if decision := p.blockLimit.Allow(httpx.AddressKey(httpx.ClientAddress(r.Context()))); !decision.OK {
		decision.SetHeaders(w.Header())
		return refuse(http.StatusTooManyRequests, s.Theme().Words.Block.Failed)
	}
	var asked blockRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBlockBody)).Decode(&asked); err != nil {
		return refuse(http.StatusBadRequest, "What was sent of the block cannot be read as JSON of at most 256 KB.")
	}
	if len(asked.Action) > 0 && asked.Action[0] != '{' {
		asked.Action = nil
	}
	set, err := s.Blocks(r.Context())
	if err != nil {
		return err
	}
	answer := blockAnswer{}
	if asked.Visitor {
		if !set.Claims(asked.Integration) {
			return refuse(http.StatusNotFound, "No integration of that name may know of visitors here.")
		}
		answer.Type, answer.Claims = "visitor", s.Visitor.Claims
		return answer.write(w)
	}
	got, err := set.Show(r.Context(), blocks.Ask{Integration: asked.Integration, Component: asked.Component,
		Props: asked.Props, State: asked.State, Action: asked.Action, Theme: asked.Theme})
	if err != nil {
		return err
	}
	switch got.Kind {
	case blocks.Absent:
		return refuse(http.StatusNotFound, "There is no such block on this site.")
	case blocks.Hidden:
		answer.Type = "hidden"
	case blocks.Failed, blocks.Waiting:
		answer.Type, answer.Reason = "failed", got.Reason
	case blocks.Ready:
		if got.Output.Complete {
			answer.Type, answer.ReturnValue = "complete", got.Output.ReturnValue
			break
		}
		if len(asked.Prefix) > 20 {
			asked.Prefix = ""
		}
		if answer.HTML, err = s.PrintBlock(r.Context(), got.Output, asked.Prefix); err != nil {
			return err
		}
		answer.Type, answer.Props, answer.State = string(got.Output.Element.Type), got.Output.Props, got.Output.State
	}
	return answer.write(w)
}

func (a blockAnswer) write(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	return json.NewEncoder(w).Encode(a)
}

// blockPage is what the frames of blocks are told of the page that they stand on, as JSON.
func blockPage(node *store.TreeNode) (string, error) {
	encoded, err := json.Marshal(map[string]string{"id": node.Entry.ID, "path": node.Path, "title": node.Entry.Title})
	if err != nil {
		return "", fmt.Errorf("encode page for its blocks: %w", err)
	}
	return string(encoded), nil
}
