package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// echo is a script that answers at once.
const echo = `export default { async fetch(request) { await request.formData(); return new Response("here"); } };`

const (
	// calls is how often a script is called for a figure, callsPerSecond how fast.
	calls, callsPerSecond = 250, 50
	// installed is how many integrations an organization has whose memory is read.
	installed = 500
)

// publishScript publishes a script and installs it, and returns the addresses of the integration and its installation.
func (i *instance) publishScript(ctx context.Context, name, script string) (own, below string, err error) {
	body, err := json.Marshal(map[string]any{"organization": i.organization, "title": "Bench", "description": "Bench.",
		"scopes": []string{}, "visibility": "private", "runtime": "v2", "script": script})
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
		var script strings.Builder
		fmt.Fprintf(&script, "const round = %d;\n", round) // so that it is one that nobody has compiled
		for n := 0; script.Len() < 1<<20; n++ {
			fmt.Fprintf(&script, "function f%[1]d(a, b) { if (a > %[1]d) return {name: 'f%[1]d', a}; return b; }\n", n)
		}
		own, below, err := started.publishScript(ctx, fmt.Sprintf("large%d", round), script.String()+echo)
		if err == nil {
			_, err = timedCall(ctx, below) // which compiles it, if the event of the installation has not
		}
		if err != nil {
			return 0, err
		}
		return timedCall(ctx, own)
	}), func() { started.stop() }, nil
}

// prepareInstalled reads how much more of a server is in memory when an organization has many integrations that have
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
				if _, _, err := started.publishScript(ctx, name, echo); err != nil {
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
