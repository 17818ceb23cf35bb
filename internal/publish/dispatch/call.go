package dispatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/script"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// maxDepth is how many scripts may wait for each other: one that asks the API for what another draws.
const maxDepth = 3

type depthKey struct{}

// handled is the event that a script handles while it asks this server for something.
type handled struct{ kind, installation string }

type handledKey struct{}

// Body gives the body of a request from outside, nil for none.
type Body func() ([]byte, error)

// Send calls a script and returns what it answers, whatever the status. body is asked once it is clear that there is
// something to be called, so that nobody sends much to nothing, and its error is that of the call; it is nil where
// there is no request from outside. Send checks no access. An error is an errs.NotFound when nothing is there to be
// called, and otherwise says that the script has failed or was stopped; the log of the integration has it, too.
func (s *Service) Send(ctx context.Context, to Target, event Event, body Body) (*Answer, error) {
	run, err := s.deps.Integrations.Run(ctx, to.Integration, to.Level)
	if err != nil {
		return nil, err
	}
	var sent []byte
	if body != nil {
		if sent, err = body(); err != nil {
			return nil, err
		}
	}
	return s.call(ctx, run, s.begin(run, event), sent)
}

// begin begins the record of a call.
func (s *Service) begin(run integration.Running, event Event) *note {
	n := &note{
		id: newEventID(), integration: run.Integration.ID, level: run.Level, kind: event.kind(), created: time.Now(),
		organization: organizationOf(run),
	}
	n.event = maps.Clone(event)
	n.event["eventId"] = n.id
	for name, value := range map[string]string{"installationId": run.Level.Installation,
		"spaceId": string(run.Level.Space), "siteId": string(run.Level.Site)} {
		if _, said := n.event[name]; !said && value != "" {
			n.event[name] = value
		}
	}
	return n
}

// call runs a script for one event and notes what came of it.
func (s *Service) call(ctx context.Context, run integration.Running, n *note, body []byte) (*Answer, error) {
	depth, _ := ctx.Value(depthKey{}).(int)
	if depth >= maxDepth {
		return nil, errs.Forbiddenf("Integrations call each other in a circle; this one is not called again.")
	}
	ctx = context.WithValue(ctx, depthKey{}, depth+1)
	ctx = context.WithValue(ctx, handledKey{}, handled{n.kind, n.level.Installation})
	request, err := s.request(run, n, body)
	if err != nil {
		return nil, err
	}
	// What waits for this call may hold a turn: one within another takes a place that is free, and never waits.
	// A delivery has a queue to wait in.
	wait := patience
	if depth > 0 || n.queued {
		wait = 0
	}
	release, err := s.turns.take(ctx, n.organization, wait)
	if err != nil {
		return nil, err
	}
	s.working.Add(1)
	turn := sync.OnceFunc(release)
	finish := func() { turn(); s.keep(n); s.working.Done() }
	ctx, cancel := context.WithTimeout(ctx, timeFor(n.kind))
	defer cancel()
	var response *script.Response
	if run.Tunnel != "" {
		response, err = s.tunnel(ctx, run.Tunnel, request)
		n.end(response, err)
		finish()
	} else {
		response, err = s.run(ctx, run, n, request, turn, finish)
	}
	if err != nil {
		return nil, explain(run.Integration.Title, err)
	}
	return &Answer{Status: response.Status, Header: response.Header, Body: response.Body,
		Policy: run.Integration.Policy, Version: run.Integration.Version,
		SignsIn: slices.Contains(run.Integration.Scopes, integration.ScopeVisitors)}, nil
}

// timeFor is how long a call may take.
func timeFor(kind string) time.Duration {
	switch kind {
	case "ui_render", "fetch_published_script", "fetch_visitor_authentication":
		return shortTime
	}
	return longTime
}

// limits are those of one engine; package script counts the time of each call.
func limits() script.Limits {
	l := script.DefaultLimits()
	l.Wall, l.After = longTime, longTime
	return l
}

// request makes the request that a script gets.
func (s *Service) request(run integration.Running, n *note, body []byte) (*script.Request, error) {
	if len(body) > maxBody {
		return nil, errs.New(errs.TooLarge, "The request to the integration has more than %d MB.", maxBody>>20)
	}
	event, err := json.Marshal(n.event)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	environment, err := s.environment(run)
	if err != nil {
		return nil, fmt.Errorf("encode environment: %w", err)
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for _, part := range []struct {
		name    string
		content []byte
	}{{"event", event}, {"environment", environment}} {
		if err := w.WriteField(part.name, string(part.content)); err != nil {
			return nil, err
		}
	}
	if body != nil {
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition", `form-data; name="fetch-body"; filename="fetch-body"`)
		header.Set("Content-Type", "application/octet-stream")
		part, err := w.CreatePart(header)
		if err == nil {
			_, err = part.Write(body)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	n.payload = string(event)
	return &script.Request{Method: http.MethodPost, URL: "http://host/v1",
		Header: [][2]string{{"content-type", w.FormDataContentType()}}, Body: form.Bytes()}, nil
}

// run lets an engine answer; what the script gave to waitUntil goes on behind, without the turn of the call where there
// is room, and finish is called at its end.
func (s *Service) run(ctx context.Context, run integration.Running, n *note, request *script.Request,
	turn, finish func()) (*script.Response, error) {
	k := key{script: run.Script + string(run.Integration.Runtime) + string(run.Integration.ID),
		installation: run.Level.Installation}
	w, err := s.worker(ctx, run, k)
	if err != nil {
		n.end(nil, err)
		finish()
		return nil, err
	}
	w.host.attach(ctx, n)
	response, wait, err := w.Dispatch(ctx, request)
	n.end(response, err)
	if err != nil {
		w.host.detach()
		s.pool.put(w, k, n.organization)
		finish()
		return nil, err
	}
	behind := context.WithValue(s.stopped, depthKey{}, ctx.Value(depthKey{}))
	behind = context.WithValue(behind, handledKey{}, ctx.Value(handledKey{}))
	release, err := s.behind.take(ctx, n.organization, 0)
	if err == nil {
		turn()
	} else {
		release = func() {}
	}
	go func() {
		defer release()
		w.host.attach(behind, n)
		if err := wait(behind); err != nil {
			n.log(script.Error, "waitUntil: "+err.Error())
			n.failed()
		}
		w.host.detach()
		s.pool.put(w, k, n.organization)
		finish()
	}()
	return response, nil
}

// worker returns an engine for an integration on its level.
func (s *Service) worker(ctx context.Context, run integration.Running, k key) (*worker, error) {
	if w, ok := s.pool.take(k); ok {
		return w, nil
	}
	program, err := s.pool.program(programName(run.Script, run.Integration.Runtime), func() (*script.Program, error) {
		return s.compile(context.WithoutCancel(ctx), run)
	})
	if err != nil {
		return nil, err
	}
	h := &host{service: s}
	source := func() (string, error) {
		// The context of the start is over when an error is looked up.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		return s.source(ctx, run)
	}
	reached := script.Host{Fetch: h.fetch, Log: h.log, Now: time.Now, Source: source}
	instance, err := program.Start(ctx, reached, limits())
	if err != nil {
		return nil, err
	}
	return &worker{Instance: instance, host: h}, nil
}

// programName names a compiled script: its bytes by their hash, and how they are read.
func programName(hash string, runtime integration.Runtime) string { return hash + string(runtime) }

// Compiled keeps the program of a script that was published for its first call.
func (s *Service) Compiled(hash string, runtime integration.Runtime, program *script.Program) {
	_, _ = s.pool.program(programName(hash, runtime), func() (*script.Program, error) { return program, nil })
}

func (s *Service) compile(ctx context.Context, run integration.Running) (*script.Program, error) {
	source, err := s.source(ctx, run)
	if err != nil {
		return nil, err
	}
	return script.Compile(source, script.Runtime(run.Integration.Runtime))
}

func (s *Service) source(ctx context.Context, run integration.Running) (string, error) {
	file, _, err := s.deps.Open(ctx, run.Script)
	if err != nil {
		return "", fmt.Errorf("open the script of %s: %w", run.Integration.Name, err)
	}
	defer file.Close()
	source, err := io.ReadAll(io.LimitReader(file, script.MaxSource+1))
	if err != nil {
		return "", fmt.Errorf("read the script of %s: %w", run.Integration.Name, err)
	}
	return string(source), nil
}

// tunnel sends a request to the author's address in development mode.
func (s *Service) tunnel(ctx context.Context, address string, request *script.Request) (*script.Response, error) {
	header := http.Header{}
	header.Set("Content-Type", request.Header[0][1])
	answer, err := s.deps.Fetch.Send(ctx, request.Method, address, header, request.Body,
		fetch.Limits{Bytes: maxBody, Time: longTime, Redirects: -1})
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return read(answer)
}

// explain says what has happened to a call, for who waits for its answer.
func explain(title string, err error) error {
	var thrown *script.Thrown
	switch {
	case errors.As(err, &thrown):
		return errs.Wrap(err, errs.Unreachable, "%s failed: %.300s.", title, thrown.Message)
	case errors.Is(err, script.ErrNoHandler):
		return errs.Wrap(err, errs.Unreachable, "%s does not answer this.", title)
	case errs.KindOf(err) == errs.Invalid:
		return errs.Wrap(err, errs.Unreachable, "The script of %s cannot be read: %.300s.", title, err.Error())
	}
	if _, ok := errors.AsType[*script.Stopped](err); ok {
		return errs.Wrap(err, errs.Unreachable, "%s was stopped: %.300s.", title, err.Error())
	}
	if errs.KindOf(err) != errs.Internal {
		return err
	}
	return errs.Wrap(err, errs.Unreachable, "%s could not be called.", title)
}

// organizationOf is whose log shows a call: the owner's own, or that of the organization that has installed it.
func organizationOf(run integration.Running) id.Organization {
	if run.Installation != nil {
		return run.Installation.Organization
	}
	return run.Owner
}
