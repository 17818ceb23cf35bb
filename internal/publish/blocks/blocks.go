// Package blocks owns what blocks of integrations show: which ones a space has, what their scripts answer, how long
// that is kept, and how long a page waits for it.
//
// An answer is kept under the version of the integration, what is configured, the properties of the block and the
// context, for as long as its Cache-Control says; one without a word on that for a few seconds, so that a page that
// many read does not start a script for each of them. Who asks waits as long as they like: the script goes on, and its
// answer is there for the next one. Everybody who asks for the same at once waits for one run.
//
// Package dispatch runs scripts; this package reaches it through its Hooks.
package blocks

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/engine/contentkit"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// Ask is a call of ui_render.
type Ask struct {
	// Installation is that of the organization, Integration the name of the integration.
	Installation, Integration string
	Space                     id.Space
	// Component is the id of the block, or of a component that an action opens.
	Component    string
	Props, State map[string]any
	// Action is a JSON object, nil for none. Own says that it stands in the document, so that its answer is the same
	// for everybody: an address becomes a block by such a one.
	Action json.RawMessage
	Own    bool
	// Theme is light or dark. Editable says that the block stands in an editor.
	Theme    string
	Editable bool
}

// Answer is what a script answered.
type Answer struct {
	Status int
	// CacheControl is the header of that name, "" for none.
	CacheControl string
	Body         []byte
}

// Deps is what a Service stands on.
type Deps struct {
	Integrations *integration.Service
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Hooks is what a Service asks of later packages.
type Hooks struct {
	// Render calls the component of a script. The context ends when the script has taken too long. Nil means that
	// blocks show what they hold.
	Render func(ctx context.Context, ask Ask) (Answer, error) `optional:"scripts are not run"`
}

// Service shows blocks. It is safe for use by many goroutines.
type Service struct {
	deps    Deps
	hooks   required.Hooks[Hooks]
	kept    cache.Cache[*Shown]
	running singleflight.Group
}

// Bounds of what is kept and waited for.
const (
	keptBytes = 32 << 20
	// usualAge is how long an answer is kept that says nothing on it, failureAge how long a failure is, maxAge how long
	// anything is.
	usualAge   = 5 * time.Second
	failureAge = 5 * time.Second
	maxAge     = 24 * time.Hour
	// longest is how long a script may take for a block.
	longest = 15 * time.Second
	// maxAsk is how many bytes the properties and the state of a call have together.
	maxAsk = 256 << 10
)

// New returns a Service. It panics without what it needs.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{deps: deps, kept: cache.Weighted(keptBytes, func(key string, shown *Shown) uint32 {
		return uint32(len(key) + shown.size + 256)
	})}
}

// SetHooks gives the service what it asks of later packages.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// State identifies what blocks an organization has, see integration.Service.BlocksState.
func (s *Service) State(ctx context.Context, organizationID id.Organization) (string, error) {
	return s.deps.Integrations.BlocksState(ctx, organizationID)
}

// Set is the blocks that a space has. It is safe for use by many goroutines.
type Set struct {
	service *Service
	space   id.Space
	byName  map[string]*integration.WithBlocks
	fences  map[string]fence
}

type fence struct{ integration, block, body string }

// In returns the blocks of a space. It checks no access.
func (s *Service) In(ctx context.Context, spaceID id.Space) (*Set, error) {
	set := &Set{service: s, space: spaceID, byName: map[string]*integration.WithBlocks{}, fences: map[string]fence{}}
	if s.hooks.Get().Render == nil {
		return set, nil
	}
	list, err := s.deps.Integrations.BlocksIn(ctx, spaceID)
	if err != nil {
		return nil, err
	}
	for i := range list {
		set.byName[list[i].Name] = &list[i]
		for _, block := range list[i].Blocks {
			written := block.Markdown
			if written == nil || written.Codeblock == "" || written.Body == "" {
				continue
			}
			// Of several that map one language, the first by name counts.
			if _, taken := set.fences[strings.ToLower(written.Codeblock)]; !taken {
				set.fences[strings.ToLower(written.Codeblock)] = fence{list[i].Name, block.ID, written.Body}
			}
		}
	}
	return set, nil
}

// Fence returns the block that a fenced code block with a language stands for, nil for code.
func (set *Set) Fence(syntax, content string) *doc.IntegrationData {
	mapped, ok := set.fences[strings.ToLower(strings.TrimSpace(syntax))]
	if !ok {
		return nil
	}
	return &doc.IntegrationData{Integration: mapped.integration, Block: mapped.block,
		Props: map[string]any{mapped.body: content}}
}

// Kind is what has come of a call.
type Kind int

// Kinds.
const (
	// Absent blocks are of no integration that works on the space, and show what they hold.
	Absent Kind = iota
	// Ready ones have an output.
	Ready
	// Hidden ones show nothing: the integration says that there is no such block.
	Hidden
	// Failed ones show a text on what is wrong.
	Failed
	// Waiting ones have no answer yet, or none that is kept.
	Waiting
)

// Shown is what a call gave. It is shared and not changed.
type Shown struct {
	Kind   Kind
	Output *contentkit.Output // of Ready ones
	// Reason says what is wrong, for readers.
	Reason string
	// Until is when to ask again; zero for what changes only with the integrations of the space.
	Until time.Time
	// Fleeting says that the answer must not be kept for others.
	Fleeting bool
	size     int
}

// Has reports whether the space has an integration with blocks.
func (set *Set) Has(name string) bool { return set.byName[name] != nil }

// Claims reports whether web frames of an integration are told what the site knows of a visitor.
func (set *Set) Claims(name string) bool {
	installed := set.byName[name]
	return installed != nil && installed.Claims
}

// AskFor is the call for a block as it stands in a document.
func AskFor(block *doc.IntegrationData) Ask {
	ask := Ask{Integration: block.Integration, Component: block.Block, Props: block.Props}
	if encoded, err := json.Marshal(block.Action); err == nil && len(block.Action) > 0 {
		ask.Action, ask.Own = encoded, true
	}
	return ask
}

// Show returns what a block shows. It waits until ctx ends, and says Waiting after that. A state, and an action that is
// not the block's own, make it a call of their own, of which nothing is kept.
func (set *Set) Show(ctx context.Context, ask Ask) (*Shown, error) {
	installed := set.byName[ask.Integration]
	if installed == nil || ask.Component == "" {
		return &Shown{Kind: Absent}, nil
	}
	ask.Installation, ask.Space = installed.Installation, set.space
	if ask.Props == nil {
		ask.Props = map[string]any{}
	}
	if ask.Theme != "dark" {
		ask.Theme = "light"
	}
	encoded, err := json.Marshal(ask)
	if err != nil {
		return nil, errs.Invalidf("props", "cannot be written as JSON")
	}
	if len(encoded) > maxAsk {
		return &Shown{Kind: Failed, Reason: "The block has more than 256 KB of properties and state."}, nil
	}
	if ask.Action != nil && !ask.Own || ask.State != nil {
		shown, _ := set.call(ctx, ask)
		return shown, nil
	}
	sum := sha256.Sum256(append(encoded, installed.State...))
	key := string(sum[:])
	now := set.service.deps.Now()
	if kept, ok := set.service.kept.Get(key); ok && now.Before(kept.Until) {
		return kept, nil
	}
	running := set.service.running.DoChan(key, func() (any, error) {
		apart, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
		defer cancel()
		shown, keep := set.call(apart, ask)
		if keep {
			set.service.kept.Set(key, shown)
		}
		return shown, nil
	})
	select {
	case done := <-running:
		if done.Err != nil {
			return nil, fmt.Errorf("show block: %w", done.Err)
		}
		return done.Val.(*Shown), nil
	case <-ctx.Done():
		return &Shown{Kind: Waiting, Until: now.Add(time.Second)}, nil
	}
}

// call runs the component once, and says whether what came of it is to be kept.
func (set *Set) call(ctx context.Context, ask Ask) (shown *Shown, keep bool) {
	now := set.service.deps.Now()
	failed := func(reason string) (*Shown, bool) {
		return &Shown{Kind: Failed, Reason: reason, Until: now.Add(failureAge), size: len(reason)}, true
	}
	answer, err := set.service.hooks.Get().Render(ctx, ask)
	if refusal, ok := errors.AsType[*errs.Error](err); ok && refusal.Kind != errs.Internal {
		if refusal.Kind == errs.NotFound {
			return &Shown{Kind: Hidden, Until: now.Add(failureAge)}, true
		}
		return failed("The integration could not show this block.")
	}
	if err != nil {
		return failed("The integration could not show this block.")
	}
	age, store := ageOf(answer.CacheControl)
	switch {
	case answer.Status == 404:
		return &Shown{Kind: Hidden, Until: now.Add(age)}, store
	case answer.Status != 0 && (answer.Status < 200 || answer.Status > 299):
		return failed(reasonOf(answer))
	}
	output, err := contentkit.Parse(answer.Body)
	if err != nil {
		return failed("The integration answered with something that is no block.")
	}
	return &Shown{Kind: Ready, Output: output, Until: now.Add(age), Fleeting: !store,
		size: 4 * len(answer.Body)}, store
}

// reasonOf is what a script says of a call that it refuses, in a line; else what is always true.
func reasonOf(answer Answer) string {
	const usual = "The integration could not show this block."
	switch answer.Status {
	case 400, 422, 502:
	default:
		return usual // a fault of the script, whose text is for its author
	}
	var said struct {
		Error any `json:"error"`
	}
	text := string(answer.Body)
	if json.Unmarshal(answer.Body, &said) == nil {
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
	if text == "" || strings.HasPrefix(text, "<") {
		return usual
	}
	return text
}

// ageOf reads a Cache-Control: how long an answer holds, and whether it may be kept for others at all.
func ageOf(header string) (age time.Duration, store bool) {
	age = usualAge
	for directive := range strings.SplitSeq(strings.ToLower(header), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name {
		case "no-store", "private", "no-cache":
			return 0, false
		case "max-age", "s-maxage":
			seconds, err := time.ParseDuration(strings.Trim(value, `"`) + "s")
			if err != nil || seconds < 0 {
				continue
			}
			age = min(seconds, maxAge)
		}
	}
	return age, age > 0
}
