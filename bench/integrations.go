package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// echo is a script that answers at once.
const echo = `export default { async fetch(request) { await request.formData(); return new Response("here"); } };`

const (
	// calls is how often a script is called for a figure, callsPerSecond how fast.
	calls, callsPerSecond = 250, 50
	// installed is how many integrations a server has whose memory is read, usualScript how many bytes the script of
	// each has.
	installed, usualScript = 1000, 100 << 10
	// ofOne is how many integrations one organization may have.
	ofOne = 500
)

// card is a script that shows a block, which may be kept for a day.
const card = `export default { async fetch(request) {
	const event = JSON.parse((await request.formData()).get("event"));
	if (event.type !== "ui_render") return new Response("", { status: 406 });
	return Response.json({ state: {}, props: event.props, element: { type: "block", children: [
		{ type: "card", title: "Kept", children: [{ type: "text", children: ["From the script."] }] } ] } },
		{ headers: { "cache-control": "max-age=86400" } });
} };`

// measureBlock compares a page with a block of an integration, whose answer is kept, with a page of the same text that
// has none.
func measureBlock(ctx context.Context, o options) error {
	dir, forget, err := temporary()
	if err != nil {
		return err
	}
	defer forget()
	made, err := initialize(ctx, o, filepath.Join(dir, "data"))
	if err != nil {
		return err
	}
	recto, err := made.serve(ctx, o)
	if err != nil {
		return err
	}
	defer recto.stop()
	_, below, err := recto.publishScript(ctx, "card", card, `{"id":"card","title":"Card"}`)
	if err != nil {
		return err
	}
	installation := "/v1/integrations/card/installations/" + filepath.Base(below)
	if err := recto.call(ctx, http.MethodPatch, installation, `{"space_selection":"all"}`,
		&json.RawMessage{}); err != nil {
		return err
	}
	folder := filepath.Join(dir, "pages")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	text := strings.Repeat("A paragraph of some length, as pages of a manual have them, with `code` and *more*.\n\n",
		60)
	for name, page := range map[string]string{
		"README.md": "# Start\n", "with.md": "# With\n\n" + text + "{% @card/card say=\"hello\" %}\n",
		"without.md": "# Without\n\n" + text,
	} {
		if _, err := writeFile(folder, name, []byte(page)); err != nil {
			return err
		}
	}
	site, err := recto.publish(ctx, o, "Blocks", folder)
	if err != nil {
		return err
	}
	if err := waitFor(ctx, site.address+"with", "From the script."); err != nil {
		return err
	}
	p, err := compare(ctx, o, site.address+"with", site.address+"without", nil, nil)
	if err != nil {
		return err
	}
	p.report("page with a cached block, against one without", "req/s", 0.95,
		func(ours, bare float64) float64 { return ours / bare })
	return nil
}

// waitFor asks for a page until it holds a text.
func waitFor(ctx context.Context, address, text string) error {
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		body, err := fetch(request)
		if err != nil {
			return err
		}
		if strings.Contains(string(body), text) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not say %q", address, text)
		}
	}
}

// publishScript publishes a script with some blocks, written as JSON, and installs it. It returns the addresses of the
// integration and its installation.
func (i *instance) publishScript(ctx context.Context, name, script string, blocks ...string) (own, below string,
	err error) {
	body, err := json.Marshal(map[string]any{"organization": i.organization, "title": "Bench", "description": "Bench.",
		"scopes": []string{}, "visibility": "private", "runtime": "v2", "script": script,
		"blocks": json.RawMessage("[" + strings.Join(blocks, ",") + "]")})
	if err != nil {
		return "", "", err
	}
	var answer struct{ ID string }
	if err := i.call(ctx, http.MethodPost, "/v1/integrations/"+name, string(body), &answer); err != nil {
		return "", "", err
	}
	own = i.base + "/integrations/" + name + "/"
	err = i.call(ctx, http.MethodPost, "/v1/integrations/"+name+"/installations",
		fmt.Sprintf(`{"organization":%q}`, i.organization), &answer)
	return own, own + "installations/" + answer.ID + "/", err
}

// timedCall calls a script over HTTP and returns how long it took, in milliseconds.
func timedCall(ctx context.Context, address string) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	_, err = fetch(request)
	return float64(time.Since(began).Microseconds()) / 1000, err
}

// prepareCalls calls a trivial script of a server again and again, and takes the time below which a part of the calls
// was answered.
func prepareCalls(part float64) func(context.Context, options, string) (func() ([]float64, error), func(), error) {
	return func(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
		made, err := initialize(ctx, o, dir)
		if err != nil {
			return nil, nil, err
		}
		started, err := made.serve(ctx, o)
		if err != nil {
			return nil, nil, err
		}
		address, _, err := started.publishScript(ctx, "echo", echo)
		if err == nil {
			_, err = timedCall(ctx, address)
		}
		if err != nil {
			started.stop()
			return nil, nil, err
		}
		return only(func() (float64, error) {
			var took []float64
			for range calls {
				one, err := timedCall(ctx, address)
				if err != nil {
					return 0, err
				}
				took = append(took, one)
				time.Sleep(time.Second/callsPerSecond - time.Duration(one*float64(time.Millisecond)))
			}
			slices.Sort(took)
			return took[int(part*float64(len(took)-1))], nil
		}), func() { started.stop() }, nil
	}
}

// prepareLargeScript times the first call of an integration whose script of 1 MB is compiled already: its engine
// starts.
func prepareLargeScript(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	made, err := initialize(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	started, err := made.serve(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	round := 0
	return only(func() (float64, error) {
		round++
		own, below, err := started.publishScript(ctx, fmt.Sprintf("large%d", round), echoOf(round, 1<<20))
		if err == nil {
			_, err = timedCall(ctx, below) // which compiles it, if the event of the installation has not
		}
		if err != nil {
			return 0, err
		}
		return timedCall(ctx, own)
	}), func() { started.stop() }, nil
}

// echoOf is echo with so many functions that the script has a size. number makes it one that nobody has compiled.
func echoOf(number, size int) string {
	var script strings.Builder
	fmt.Fprintf(&script, "const number = %d;\n", number)
	for n := 0; script.Len() < size; n++ {
		fmt.Fprintf(&script, "function f%[1]d(a, b) { if (a > %[1]d) return {name: 'f%[1]d', a}; return b; }\n", n)
	}
	return script.String() + echo
}

// prepareInstalled reads how much more of a server is in memory when its organizations have many integrations that have
// run once and are idle.
func prepareInstalled(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	made, err := initialize(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	there := false
	return only(func() (float64, error) {
		started, err := made.serve(ctx, o)
		if err != nil {
			return 0, err
		}
		defer started.stop()
		time.Sleep(idle)
		before, err := resident(started.command.Process.Pid)
		if err != nil {
			return 0, err
		}
		for n := range installed {
			name := fmt.Sprintf("idle%d", n)
			if !there {
				if n%ofOne == 0 && n > 0 {
					if err := started.nextOrganization(ctx); err != nil {
						return 0, err
					}
				}
				if _, _, err := started.publishScript(ctx, name, echoOf(n, usualScript)); err != nil {
					return 0, err
				}
			}
			if _, err := timedCall(ctx, started.base+"/integrations/"+name+"/"); err != nil {
				return 0, err
			}
		}
		there = true
		time.Sleep(idle)
		after, err := resident(started.command.Process.Pid)
		return after - before, err
	}), nothing, nil
}

// nextOrganization makes another organization that of what is done next.
func (i *instance) nextOrganization(ctx context.Context) error {
	var made struct{ ID string }
	err := i.call(ctx, http.MethodPost, "/v1/orgs", `{"title":"Next"}`, &made)
	i.organization = made.ID
	return err
}
