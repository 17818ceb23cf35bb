package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is a process that answers on loopback.
type server struct {
	command *exec.Cmd
	output  *bytes.Buffer
}

// start starts a process and waits until address answers.
func start(ctx context.Context, ready, name string, args ...string) (*server, error) {
	command := exec.CommandContext(ctx, name, args...)
	output := &bytes.Buffer{}
	command.Stdout, command.Stderr = output, output
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 15 * time.Second
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	started := &server{command: command, output: output}
	for deadline := time.Now().Add(30 * time.Second); ; {
		response, err := http.Get(ready)
		if err == nil {
			response.Body.Close()
			if response.StatusCode < 500 {
				return started, nil
			}
		}
		if time.Now().After(deadline) {
			started.stop()
			return nil, fmt.Errorf("%s does not answer at %s:\n%s", name, ready, output)
		}
		time.Sleep(time.Millisecond) // the start is a figure of its own
	}
}

// stop ends the process and waits for it.
func (s *server) stop() {
	_ = s.command.Process.Signal(syscall.SIGTERM)
	_ = s.command.Wait() // it ends by our signal; its status says nothing
}

// spend returns how much of the processors the server has while run runs.
func (s *server) spend(run func() error) (time.Duration, error) {
	before, err := processorTime(s.command.Process.Pid)
	if err != nil {
		return 0, err
	}
	if err := run(); err != nil {
		return 0, err
	}
	after, err := processorTime(s.command.Process.Pid)
	return after - before, err
}

// processorTime returns how much of the processors a process has had, to the nanosecond, which its threads say and it
// does not itself.
func processorTime(pid int) (time.Duration, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0, err
	}
	total := time.Duration(0)
	for _, thread := range threads {
		stat, err := os.ReadFile(thread)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has just ended
		}
		first, _, _ := strings.Cut(string(stat), " ")
		took, wrong := strconv.ParseInt(first, 10, 64)
		if err := errors.Join(err, wrong); err != nil {
			return 0, fmt.Errorf("read what process %d has had of the processors: %w", pid, err)
		}
		total += time.Duration(took)
	}
	return total, nil
}

// milliseconds returns a duration as a number.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// freeAddress returns a loopback address with a port that is free now.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

var requestsPerSecond = regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`)

// load sends requests with wrk on 16 connections and returns how many were answered in a second. Any answer that is
// not a success fails it.
func load(ctx context.Context, address string, duration time.Duration, header ...string) (float64, error) {
	var args []string
	for _, line := range header {
		args = append(args, "-H", line)
	}
	return loadWith(ctx, address, duration, args...)
}

// loadWith is load with further arguments for wrk.
func loadWith(ctx context.Context, address string, duration time.Duration, further ...string) (float64, error) {
	args := append([]string{"-t1", "-c16", "-d" + strconv.Itoa(int(duration.Seconds())) + "s"}, further...)
	out, err := exec.CommandContext(ctx, "wrk", append(args, address)...).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("wrk (Debian's package wrk): %w\n%s", err, out)
	}
	if bytes.Contains(out, []byte("Non-2xx")) || bytes.Contains(out, []byte("Socket errors")) {
		return 0, fmt.Errorf("%s does not answer well:\n%s", address, out)
	}
	found := requestsPerSecond.FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("wrk says nothing of requests:\n%s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// compare loads two addresses in turns.
func compare(ctx context.Context, o options, ours, bare string, oursHeader, bareHeader []string) (pair, error) {
	var p pair
	for range o.rounds {
		a, err := load(ctx, ours, o.duration, oursHeader...)
		if err != nil {
			return p, err
		}
		b, err := load(ctx, bare, o.duration, bareHeader...)
		if err != nil {
			return p, err
		}
		p.ours, p.bare = append(p.ours, a), append(p.bare, b)
	}
	return p, nil
}

// instance is a running Recto with the book in a space on a published site.
type instance struct {
	*server
	base, token, organization, space, site string
}

// initialized is a data folder with an organization.
type initialized struct{ data, token, organization string }

// initialize makes a data folder.
func initialize(ctx context.Context, o options, dir string) (initialized, error) {
	out, err := exec.CommandContext(ctx, o.binary, "init", "--data", dir, "--email", "bench@example.org", "--name",
		"Bench", "--org", "Bench").Output()
	if err != nil {
		return initialized{}, fmt.Errorf("recto init: %w", err)
	}
	var made struct{ Organization, Token string }
	if err := json.Unmarshal(out, &made); err != nil {
		return initialized{}, fmt.Errorf("read the answer of recto init: %w", err)
	}
	return initialized{dir, made.Token, made.Organization}, nil
}

// serve serves a data folder, and returns when the server is ready.
func (d initialized) serve(ctx context.Context, o options) (*instance, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	i := &instance{base: "http://" + address, token: d.token, organization: d.organization}
	i.server, err = start(ctx, i.base+"/readyz", o.binary, "serve", "--data", d.data, "--listen", address,
		"--base-url", i.base, "--rate-limit", "0", "--log-level", "warn")
	return i, err
}

// startRecto makes a data folder, serves it, imports the book and publishes it.
func startRecto(ctx context.Context, o options, dir string) (*instance, error) {
	made, err := initialize(ctx, o, dir)
	if err != nil {
		return nil, err
	}
	i, err := made.serve(ctx, o)
	if err != nil {
		return nil, err
	}
	book, err := i.publish(ctx, o, "Book", o.book)
	if err != nil {
		i.stop()
		return nil, err
	}
	i.space, i.site = book.space, book.address
	return i, nil
}

// published is a space on a site: path is that of the site in the API, address where it is read.
type published struct{ space, path, address string }

// publish imports a folder or an archive into a space of its own and publishes that on a site of its own.
func (i *instance) publish(ctx context.Context, o options, title, source string) (published, error) {
	var space, site struct{ ID string }
	organization := "/v1/orgs/" + i.organization
	if err := i.call(ctx, http.MethodPost, organization+"/spaces", fmt.Sprintf(`{"title":%q}`, title),
		&space); err != nil {
		return published{}, err
	}
	if out, err := exec.CommandContext(ctx, o.binary, "import", source, "--space", space.ID, "--server", i.base,
		"--token", i.token).CombinedOutput(); err != nil {
		return published{}, fmt.Errorf("recto import: %w\n%s", err, out)
	}
	if err := i.call(ctx, http.MethodPost, organization+"/sites",
		fmt.Sprintf(`{"title":%q,"visibility":"public","spaces":[%q]}`, title, space.ID), &site); err != nil {
		return published{}, err
	}
	path := organization + "/sites/" + site.ID
	var answer struct {
		URLs struct{ Published string } `json:"urls"`
	}
	err := i.call(ctx, http.MethodPost, path+"/publish", "", &answer)
	return published{space.ID, path, answer.URLs.Published}, err
}

// call makes a request to the API.
func (i *instance) call(ctx context.Context, method, path, body string, out any) error {
	request, err := http.NewRequestWithContext(ctx, method, i.base+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+i.token)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	raw, err := fetch(request)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

func fetch(request *http.Request) ([]byte, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		return nil, fmt.Errorf("%s %s: %s %s", request.Method, request.URL, response.Status, raw)
	}
	return raw, nil
}

// temporary makes a directory that forget removes.
func temporary() (dir string, forget func(), err error) {
	dir, err = os.MkdirTemp("", "recto-bench-")
	if err != nil {
		return "", nil, err
	}
	return dir, func() { _ = os.RemoveAll(dir) }, nil
}

// writeFile writes a file below a directory and returns its path.
func writeFile(dir, name string, content []byte) (string, error) {
	path := filepath.Join(dir, name)
	return path, os.WriteFile(path, content, 0o644)
}
