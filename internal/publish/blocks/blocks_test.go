package blocks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/publish/integration"
)

const block = `{"element":{"type":"block","children":["text"]}}`

// fixture is a set with the integration "drawer", a clock, and a script.
type fixture struct {
	*Set
	now    time.Time
	calls  atomic.Int64
	render func(ctx context.Context, ask Ask) (Answer, error)
}

func newFixture(control string) *fixture {
	f := &fixture{now: time.Unix(1_000_000, 0)}
	f.render = func(context.Context, Ask) (Answer, error) {
		return Answer{Status: 200, CacheControl: control, Body: []byte(block)}, nil
	}
	service := New(Deps{Integrations: new(integration.Service), Now: func() time.Time { return f.now }})
	service.SetHooks(Hooks{Render: func(ctx context.Context, ask Ask) (Answer, error) {
		f.calls.Add(1)
		return f.render(ctx, ask)
	}})
	f.Set = &Set{service: service, space: "space_a", byName: map[string]*integration.WithBlocks{
		"drawer": {Name: "drawer", Installation: "installation_a", State: "1"}}}
	return f
}

func (f *fixture) show(t *testing.T, ask Ask) *Shown {
	t.Helper()
	ask.Integration, ask.Component = "drawer", "drawing"
	shown, err := f.Show(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

func TestHowLongAnAnswerIsKept(t *testing.T) {
	for control, each := range map[string]struct {
		within, after time.Duration // a second call then is and is not answered from memory; zero for never
	}{
		"max-age=60":         {59 * time.Second, 61 * time.Second},
		"public, MAX-AGE=60": {59 * time.Second, 61 * time.Second},
		"":                   {usualAge - time.Second, usualAge + time.Second},
		"max-age=nonsense":   {usualAge - time.Second, usualAge + time.Second},
		"max-age=99999999":   {maxAge - time.Minute, maxAge + time.Minute},
		"no-store":           {0, time.Nanosecond},
		"private, max-age=9": {0, time.Nanosecond},
		"max-age=0":          {0, time.Nanosecond},
	} {
		f := newFixture(control)
		f.show(t, Ask{})
		begun := f.now
		if each.within > 0 {
			f.now = begun.Add(each.within)
			if f.show(t, Ask{}); f.calls.Load() != 1 {
				t.Errorf("%q: called again after %v", control, each.within)
			}
		}
		f.now = begun.Add(each.after)
		if f.show(t, Ask{}); f.calls.Load() != 2 {
			t.Errorf("%q: %d calls after %v, want 2", control, f.calls.Load(), each.after)
		}
	}
}

func TestWhatMakesAnotherCall(t *testing.T) {
	f := newFixture("max-age=60")
	same := Ask{Props: map[string]any{"a": 1.0}}
	f.show(t, same)
	f.show(t, same)
	for name, change := range map[string]func(){
		"props":         func() { f.show(t, Ask{Props: map[string]any{"a": 2.0}}) },
		"theme":         func() { f.show(t, Ask{Props: same.Props, Theme: "dark"}) },
		"state":         func() { f.show(t, Ask{Props: same.Props, State: map[string]any{}}) },
		"action":        func() { f.show(t, Ask{Props: same.Props, Action: []byte(`{"action":"x"}`)}) },
		"configuration": func() { f.byName["drawer"].State = "2"; f.show(t, same) },
	} {
		before := f.calls.Load()
		if change(); f.calls.Load() != before+1 {
			t.Errorf("another %s makes %d calls, want 1", name, f.calls.Load()-before)
		}
	}
	// A theme that there is not is the light one.
	before := f.calls.Load()
	if f.show(t, Ask{Props: same.Props, Theme: "neon"}); f.calls.Load() != before {
		t.Error("a made-up theme makes a call of its own, so that anybody could make as many as they like")
	}
}

func TestManyReadersOneCall(t *testing.T) {
	f := newFixture("max-age=60")
	release := make(chan struct{})
	f.render = func(context.Context, Ask) (Answer, error) {
		<-release
		return Answer{Status: 200, CacheControl: "max-age=60", Body: []byte(block)}, nil
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	// The first one leaves, and the script goes on.
	if shown, err := f.Show(ended, Ask{Integration: "drawer", Component: "drawing"}); err != nil ||
		shown.Kind != Waiting || shown.Until.IsZero() {
		t.Fatalf("one who does not wait gets %+v, %v", shown, err)
	}
	var readers sync.WaitGroup
	for range 50 {
		readers.Go(func() {
			if shown, err := f.Show(t.Context(), Ask{Integration: "drawer", Component: "drawing"}); err != nil ||
				shown.Kind != Ready {
				t.Errorf("a reader gets %+v, %v", shown, err)
			}
		})
	}
	close(release)
	readers.Wait()
	if n := f.calls.Load(); n != 1 {
		t.Errorf("%d calls for readers at once, want 1", n)
	}
}

func TestWhatIsRefused(t *testing.T) {
	f := newFixture("")
	if shown, err := f.Show(t.Context(), Ask{Integration: "other", Component: "x"}); err != nil ||
		shown.Kind != Absent {
		t.Errorf("an integration that is not there: %+v, %v", shown, err)
	}
	if shown := f.show(t, Ask{Props: map[string]any{"x": strings.Repeat("x", maxAsk)}}); shown.Kind != Failed ||
		f.calls.Load() != 0 {
		t.Errorf("too large properties: %+v", shown)
	}
	f.render = func(context.Context, Ask) (Answer, error) { return Answer{}, errors.New("dial 10.0.0.1: refused") }
	if shown := f.show(t, Ask{}); shown.Kind != Failed || strings.Contains(shown.Reason, "10.0.0.1") {
		t.Errorf("a fault inside: %+v", shown)
	}
	f = newFixture("")
	f.render = func(context.Context, Ask) (Answer, error) { return Answer{}, errs.NotFoundf("None.") }
	if shown := f.show(t, Ask{}); shown.Kind != Hidden {
		t.Errorf("no component: %+v", shown)
	}
}

func TestSpellOut(t *testing.T) {
	f := newFixture("max-age=60")
	f.fences = map[string]fence{"draw": {"drawer", "drawing", "content"}}
	var said []any
	f.render = func(_ context.Context, ask Ask) (Answer, error) {
		said = append(said, ask.Props["content"])
		if ask.Props["content"] == "gone" {
			return Answer{Status: 404}, nil
		}
		return Answer{Status: 200, Body: []byte(block)}, nil
	}
	const page = "> ```Draw\n> a\n> ```\n\n{% @drawer/drawing content=\"gone\" %}\n\n" +
		"{% @other/thing %}\n\n```go\nx\n```\n"
	document, err := markdown.Parse([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	f.SpellOut(t.Context(), document)
	want := "> text\n\n{% @other/thing %}\n\n```go\nx\n```\n"
	if got := string(markdown.Write(document)); got != want || len(said) != 2 || said[0] != "a" {
		t.Errorf("the page says %q, want %q; the script got %q", got, want, said)
	}
}

// What shows nothing but a frame is its source, where Markdown has that.
func TestSpellOutFrames(t *testing.T) {
	f := newFixture("max-age=60")
	f.fences = map[string]fence{"draw": {"drawer", "drawing", "content"}}
	f.byName["drawer"].Blocks = []integration.Block{
		{ID: "drawing", Markdown: &integration.BlockMarkdown{Codeblock: "draw", Body: "content"}}, {ID: "film"}}
	f.render = func(_ context.Context, ask Ask) (Answer, error) {
		children := `{"type":"webframe","source":{"url":"https://frames.example.net/x"}}`
		if ask.Props["content"] == "titled" {
			children += `,{"type":"text","children":["A drawing"]}`
		}
		props, err := json.Marshal(ask.Props)
		return Answer{Status: 200, Body: []byte(`{"props":` + string(props) +
			`,"element":{"type":"block","children":[` + children + `]}}`)}, err
	}
	const page = "```draw\na\n\nb\n```\n\n{% @drawer/drawing content=\"c\" %}\n\n" +
		"{% @drawer/drawing content=\"titled\" %}\n\n{% @drawer/film url=\"https://films.example.net/7\" %}\n\n" +
		"{% @drawer/film url=\"javascript:alert(1)\" %}\n"
	document, err := markdown.Parse([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	f.SpellOut(t.Context(), document)
	const frame = "[https://frames.example.net/x](https://frames.example.net/x)\n\n"
	want := "```draw\na\n\nb\n```\n\n```draw\nc\n```\n\n" + frame + "A drawing\n\n" +
		"[https://films.example.net/7](https://films.example.net/7)\n\n" + strings.TrimSuffix(frame, "\n")
	if got := string(markdown.Write(document)); got != want {
		t.Errorf("the page says %q,\nwant %q", got, want)
	}
}

// What stands in a document makes one call for everybody; what a reader does makes one of its own.
func TestOwnActions(t *testing.T) {
	f := newFixture("max-age=60")
	var got []string
	f.render = func(_ context.Context, ask Ask) (Answer, error) {
		got = append(got, string(ask.Action))
		return Answer{Status: 200, CacheControl: "max-age=60", Body: []byte(block)}, nil
	}
	data := &doc.IntegrationData{Integration: "drawer", Block: "drawing", Action: map[string]any{
		"action": "@link.unfurl", "url": "https://example.org/"}}
	for range 2 {
		f.show(t, AskFor(data))
		f.show(t, AskFor(&doc.IntegrationData{}))
		f.show(t, Ask{Action: []byte(`{"action":"x"}`)})
	}
	want := []string{`{"action":"@link.unfurl","url":"https://example.org/"}`, "", `{"action":"x"}`, `{"action":"x"}`}
	if !slices.Equal(got, want) {
		t.Errorf("the script got %q, want %q", got, want)
	}
}
