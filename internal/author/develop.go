package author

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/client"
	"github.com/rectodocs/recto/internal/engine/script"
)

// Development is a server for development: the real server sends events here, and the script answers that is on this
// computer, as it is at that moment.
type Development struct {
	integration Integration
	say         func(text string)
	path        string // which nobody else knows

	mutex    sync.Mutex // one event at a time, as one engine takes them
	instance *script.Instance
	built    error
}

// watchStep is how often files are looked at.
const watchStep = 500 * time.Millisecond

// Bounds of an event and of what a script fetches.
const (
	maxEvent   = 10 << 20
	fetchTime  = 30 * time.Second
	endingTime = 10 * time.Second
)

// Develop sends the events of an integration here until ctx ends, and says what happens. The integration has to be
// published, and the server has to be allowed to reach this computer. all takes events of other organizations, too.
func (i Integration) Develop(ctx context.Context, server *client.Client, all bool, say func(text string)) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("cannot listen: %w", err)
	}
	d := &Development{integration: i, say: say, path: "/" + rand.Text()}
	d.build(ctx)
	here := &http.Server{Handler: d, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = here.Serve(listener) }() // ends with the server
	defer here.Close()
	address := "http://" + listener.Addr().String() + d.path
	if err := call(ctx, server, http.MethodPut, i.path()+"/dev", map[string]any{"tunnelUrl": address, "all": all},
		nil); err != nil {
		return err
	}
	say("Events of " + i.Name + " come here. Ctrl+C ends it.")
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endingTime)
		defer cancel()
		if err := call(ending, server, http.MethodDelete, i.path()+"/dev", struct{}{}, nil); err != nil {
			say("Development mode is still on: " + err.Error())
			return
		}
		say("Events go to the published script again.")
	}()
	seen := stamp(i.folder)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchStep):
		}
		if now := stamp(i.folder); now != seen {
			seen = now
			d.build(ctx)
		}
	}
}

// stamp changes when a file below a folder does. Packages are not looked at.
func stamp(folder string) string {
	var all strings.Builder
	_ = filepath.WalkDir(folder, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return nil // a file that is being replaced shows with the next look
		}
		if entry.IsDir() && name != folder && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".")) {
			return filepath.SkipDir
		}
		if info, err := entry.Info(); err == nil && !entry.IsDir() {
			fmt.Fprintf(&all, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return all.String()
}

// build makes the script anew. One that cannot be built answers every event with the reason.
func (d *Development) build(ctx context.Context) {
	built, err := d.integration.Build()
	var instance *script.Instance
	if err == nil {
		instance, err = start(ctx, built, d.say)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.instance != nil {
		d.instance.Close()
	}
	d.instance, d.built = instance, err
	if err != nil {
		d.say(err.Error())
		return
	}
	d.say(fmt.Sprintf("Built, %d KB.", (len(built)+1023)/1024))
}

func start(ctx context.Context, source string, say func(string)) (*script.Instance, error) {
	program, err := script.Compile(source, script.V2)
	if err != nil {
		return nil, err
	}
	return program.Start(context.WithoutCancel(ctx), script.Host{Fetch: fetch, Now: time.Now,
		Log: func(level script.Level, message string) { say("[" + string(level) + "] " + message) }},
		script.DefaultLimits())
}

// fetch sends a request of the script, from the author's own computer.
func fetch(ctx context.Context, request *script.Request) (*script.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	out, err := http.NewRequestWithContext(ctx, request.Method, request.URL, bytes.NewReader(request.Body))
	if err != nil {
		return nil, err
	}
	for _, each := range request.Header {
		out.Header.Add(each[0], each[1])
	}
	plain := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := plain.Do(out)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxEvent))
	if err != nil {
		return nil, err
	}
	in := &script.Response{Status: answer.StatusCode, Body: body}
	for name, values := range answer.Header {
		for _, value := range values {
			in.Header = append(in.Header, [2]string{strings.ToLower(name), value})
		}
	}
	return in, nil
}

// ServeHTTP takes an event of the server.
func (d *Development) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != d.path {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEvent))
	if err != nil {
		http.Error(w, "The event is too large.", http.StatusRequestEntityTooLarge)
		return
	}
	response, err := d.dispatch(r.Context(), r.Header.Get("Content-Type"), body)
	if err != nil {
		d.say("[error] " + err.Error())
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	for _, each := range response.Header {
		w.Header().Add(each[0], each[1])
	}
	w.WriteHeader(response.Status)
	_, _ = w.Write(response.Body) // the server went away
}

// dispatch lets the script answer, and what it gave to waitUntil end.
func (d *Development) dispatch(ctx context.Context, contentType string, body []byte) (*script.Response, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.built != nil {
		return nil, d.built
	}
	response, wait, err := d.instance.Dispatch(ctx, &script.Request{Method: http.MethodPost, URL: "http://host/v1",
		Header: [][2]string{{"content-type", contentType}}, Body: body})
	if err == nil {
		err = wait(ctx)
	}
	if broken := d.instance.Broken(); broken != nil {
		d.built = errors.New("the script was stopped, and starts again when a file changes: " + broken.Error())
	}
	return response, err
}
