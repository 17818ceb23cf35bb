package scope

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/engine/contentkit"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/blocks"
)

// This file shows blocks of integrations on what is made in a scope.

// blockTime is how long one page waits for all of its blocks together. What has no answer by then is loaded by the page
// itself.
const blockTime = 700 * time.Millisecond

// fleetingAge is how long a page is kept whose block must not be kept itself: readers load it one by one.
const fleetingAge = time.Minute

// maxBlocks is how many blocks one page asks for. Those beyond show what they hold.
const maxBlocks = 100

// shown is what the blocks of a page come to, while the page is made.
type shown struct {
	set      *blocks.Set
	deadline time.Time
	// until is when the first of the blocks is over; zero for never.
	until  time.Time
	frames []string
	count  int
	live   bool
}

// blockSet returns the blocks of the scope's space, nil when there are none to be shown.
func (s *Scope) blockSet(ctx context.Context) *blocks.Set {
	if s.shown == nil {
		return nil
	}
	if s.shown.set == nil {
		set, err := s.Services.Blocks.In(ctx, s.Space.Space)
		if err != nil {
			// A page without its blocks is better than none; the next one tries again.
			s.shown.expire(time.Now().Add(time.Second))
			return nil
		}
		s.shown.set, s.shown.deadline = set, time.Now().Add(blockTime)
	}
	return s.shown.set
}

func (r *shown) expire(until time.Time) {
	if !until.IsZero() && (r.until.IsZero() || until.Before(r.until)) {
		r.until = until
	}
}

// Blocks returns the blocks that readers of the scope's space may ask for.
func (s *Scope) Blocks(ctx context.Context) (*blocks.Set, error) {
	return s.Services.Blocks.In(ctx, s.Space.Space)
}

// BlockFrames returns the origins, or schemes, that the page that was made last frames, and whether it has blocks that
// a script brings to life.
func (s *Scope) BlockFrames() (origins []string, live bool) {
	if s.shown == nil {
		return nil, false
	}
	return s.shown.frames, s.shown.live
}

// fence maps code blocks to blocks of integrations.
func (s *Scope) fence(ctx context.Context) func(syntax, content string) *doc.IntegrationData {
	return func(syntax, content string) *doc.IntegrationData {
		if set := s.blockSet(ctx); set != nil {
			return set.Fence(syntax, content)
		}
		return nil
	}
}

// ask is the call for a block as it stands on a page.
func (s *Scope) ask(block *doc.IntegrationData) blocks.Ask {
	ask := blocks.AskFor(block)
	ask.Theme = s.blockTheme()
	return ask
}

// blockTheme is what blocks are told of the theme before a reader has chosen.
func (s *Scope) blockTheme() string {
	if usual := s.Customization().Themes.Default; usual == "dark" {
		return usual
	}
	return "light"
}

// show returns what a block shows, within the time of the page.
func (s *Scope) show(ctx context.Context, block *doc.IntegrationData) *blocks.Shown {
	set := s.blockSet(ctx)
	if set == nil || !set.Has(block.Integration) || s.shown.count >= maxBlocks {
		return nil
	}
	s.shown.count++
	ctx, cancel := context.WithDeadline(ctx, s.shown.deadline)
	defer cancel()
	got, err := set.Show(ctx, s.ask(block))
	if err != nil || got.Kind == blocks.Absent {
		return nil
	}
	if got.Fleeting {
		s.shown.expire(time.Now().Add(fleetingAge))
	} else {
		s.shown.expire(got.Until)
	}
	return got
}

// StartBlocks begins to ask for all blocks of a document at once, before one after the other is printed.
func (s *Scope) StartBlocks(ctx context.Context, document *doc.Document) {
	started := 0
	document.Walk(func(n *doc.Node) bool {
		block, ok := n.Data.(*doc.IntegrationData)
		if code, isCode := n.Data.(*doc.CodeData); isCode && n.Type == doc.Code && code.Syntax != "" {
			block = s.fence(ctx)(code.Syntax, render.CodeText(n))
			ok = block != nil
		}
		if set := s.blockSet(ctx); ok && set != nil && set.Has(block.Integration) && started < maxBlocks {
			started++
			until, cancel := context.WithDeadline(ctx, s.shown.deadline)
			go func() {
				defer cancel()
				// The answer is kept, or waited for again when the block is printed.
				_, _ = set.Show(until, s.ask(block))
			}()
		}
		return true
	})
}

// blockState is what the script of a page sends when a reader does something in a block.
type blockState struct {
	Integration string         `json:"integration"`
	Component   string         `json:"component"`
	Props       map[string]any `json:"props"`
	State       map[string]any `json:"state,omitempty"`
	// Action is the block's own, for one that the page loads itself.
	Action map[string]any `json:"action,omitempty"`
	// Visitor says that the block's frames are told of the visitor, for which the script has to ask: pages are made for
	// all who get the same.
	Visitor bool `json:"visitor,omitempty"`
}

// blockHTML is a block as a page shows it.
func (s *Scope) blockHTML(ctx context.Context, block *doc.IntegrationData) (string, bool) {
	got := s.show(ctx, block)
	if got == nil {
		return "", false
	}
	class, attribute := "block-kit kit", "data-kit"
	if block.FullWidth != nil && *block.FullWidth {
		class += " is-full"
	}
	state := blockState{Integration: block.Integration, Component: block.Block, Props: block.Props,
		Visitor: s.shown.set.Claims(block.Integration)}
	inner := ""
	switch got.Kind {
	case blocks.Hidden:
		return "", true
	case blocks.Failed:
		return `<p class="kit-failure" role="note">` + html.EscapeString(got.Reason) + "</p>\n", true
	case blocks.Waiting:
		attribute, inner, state.Action = "data-kit-waiting", s.waiting(), block.Action
	case blocks.Ready:
		if got.Output.Complete {
			return "", true
		}
		printed, err := s.PrintBlock(ctx, got.Output, fmt.Sprintf("k%d-", s.shown.count))
		if err != nil {
			return "", false
		}
		state.Props, state.State, inner = got.Output.Props, got.Output.State, printed
		if got.Fleeting {
			attribute, inner, state.Props, state.State = "data-kit-waiting", s.waiting(), block.Props, nil
			state.Action = block.Action
		}
		for _, source := range s.frameSources(got.Output) {
			if !slices.Contains(s.shown.frames, source) {
				s.shown.frames = append(s.shown.frames, source)
			}
		}
	}
	s.shown.live = true
	encoded, err := json.Marshal(state)
	if err != nil {
		return "", false
	}
	return `<div class="` + class + `" ` + attribute + `="` + html.EscapeString(string(encoded)) + `">` + inner +
		"</div>\n", true
}

// frameSources are the origins that an output frames. What a modal frames is known once it is open, and the policy of a
// page is made before: it lets every server be framed, which kit.js does in a sandbox and nothing else can.
func (s *Scope) frameSources(output *contentkit.Output) []string {
	sources := output.Frames()
	if output.OpensModal() {
		sources = append(sources, "https:")
		if strings.HasPrefix(s.Services.BaseURL, "http:") {
			sources = append(sources, "http:") // a server for trying things out
		}
	}
	return sources
}

// waiting stands in the place of a block that the page loads itself.
func (s *Scope) waiting() string {
	return `<p class="kit-waiting" role="status">` + html.EscapeString(s.Theme().Words.Block.Loading) + `</p>`
}

// PrintBlock returns an output as HTML, with ids of its own.
func (s *Scope) PrintBlock(ctx context.Context, output *contentkit.Output, prefix string) (string, error) {
	said := s.Theme().Words
	return contentkit.HTML(ctx, output, contentkit.Options{
		Icon: s.Services.Themes.Icons.SVG, IDPrefix: prefix, Shared: s.shares,
		NewTab: s.Customization().ExternalLinks.Target == "blank",
		Labels: contentkit.Labels{Frame: said.Block.Frame, Next: said.Next, Finish: said.Block.Finish,
			Choose: said.Block.Choose},
		Code: render.Options{Icon: s.Services.Themes.Icons.SVG, Labels: said.Content, Discreet: true},
	})
}

// shares reports whether a host is this server's, or one that it may be reached at: a web frame of such a one gets no
// origin.
func (s *Scope) shares(host string) bool {
	host = hostOf("//" + host)
	for _, own := range []string{s.Services.BaseURL, s.Address, s.Served.Site.PublishedURL} {
		if hostOf(own) == host {
			return true
		}
	}
	domain := strings.ToLower(s.Services.SitesDomain)
	return domain != "" && (host == domain || strings.HasSuffix(host, "."+domain))
}

func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(parsed.Hostname(), "."))
}

// SpellBlocks puts what blocks show in place of them, for forms of a page that hold nothing but text. It reports
// whether there was any. The nodes of the document are not changed.
func (s *Scope) SpellBlocks(ctx context.Context, document *doc.Document) bool {
	return blocks.Spell(document, s.fence(ctx), func(block *doc.IntegrationData) ([]*doc.Node, bool) {
		got := s.show(ctx, block)
		if got == nil {
			return nil, false
		}
		return s.shown.set.Nodes(block, got)
	})
}
