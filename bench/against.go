package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// tolerance is how much worse than another binary a row may be.
const tolerance = 1.05

// measureAgainst measures every figure of two binaries in turns, prints a line for each row, and fails when one is more
// than a twentieth worse.
func measureAgainst(ctx context.Context, o options) error {
	var worse []string
	known := false
	fmt.Printf("%-62s %9s %9s\n", "", "ours", "other")
	for _, each := range figures() {
		if o.only != "" && o.only != each.name {
			continue
		}
		known = true
		pairs, err := takeBoth(ctx, each, o)
		if err != nil {
			return fmt.Errorf("%s: %w", each.name, err)
		}
		for i, row := range each.rows {
			if cost := pairs[i].reportCost(row); cost > tolerance {
				worse = append(worse, fmt.Sprintf("%s (%.2f)", row.title, cost))
			}
		}
	}
	if !known {
		return fmt.Errorf("there is no figure %q", o.only)
	}
	if len(worse) > 0 {
		return fmt.Errorf("more than 5 %% worse: %s", strings.Join(worse, "; "))
	}
	fmt.Println("no row is more than 5 % worse")
	return nil
}

// reportCost prints the medians of a row and of its ratio, with the middle half of the ratios, and returns the ratio.
func (p pair) reportCost(of row) float64 {
	ratios := make([]float64, len(p.ours))
	for i := range p.ours {
		ratios[i] = p.ours[i] / p.bare[i]
	}
	slices.Sort(ratios)
	cost, verdict := median(ratios), ""
	if cost > tolerance {
		verdict = "  WORSE"
	}
	fmt.Printf("%-62s %9.2f %9.2f %-3s cost %.2f of the other's (%.2f to %.2f)%s\n", of.title, median(p.ours),
		median(p.bare), of.unit, cost, ratios[len(ratios)/4], ratios[len(ratios)*3/4], verdict)
	return cost
}

// takeBoth takes a figure of both binaries in turns, and returns a pair for each row; who is first changes with each
// round.
func takeBoth(ctx context.Context, f figure, o options) ([]pair, error) {
	dir, forget, err := temporary()
	if err != nil {
		return nil, err
	}
	defer forget()
	var takes [2]func() ([]float64, error)
	for i, binary := range []string{o.binary, o.against} {
		one := o
		one.binary = binary
		take, stop, err := f.prepare(ctx, one, filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			return nil, err
		}
		defer stop()
		takes[i] = take
	}
	pairs := make([]pair, len(f.rows))
	for round := range f.rounds {
		var values [2][]float64
		for turn := range takes {
			which := (round + turn) % 2
			if values[which], err = takes[which](); err != nil {
				return nil, err
			}
		}
		for i := range pairs {
			pairs[i].ours = append(pairs[i].ours, values[0][i])
			pairs[i].bare = append(pairs[i].bare, values[1][i])
		}
	}
	return pairs, nil
}

// loadRows are those of prepareLoad.
var loadRows = []row{
	{"warm page under load, of the processor", "µs", 0},
	{"page as JSON under load, of the processor", "µs", 0},
	{fmt.Sprintf("page that adapts, %d visitors, of the processor", visitors), "µs", 0},
}

const (
	// loadSlice is how long one of the two servers is under load at a time: a busy machine is the same for both then.
	loadSlice = 100 * time.Millisecond
	// loadConnections is how many readers there are.
	loadConnections = 16
)

// prepareLoad reads pages under load: one as a site shows it, the same as the API gives it, and one that adapts to its
// visitors. The figure is the processor time that the server takes for each.
func prepareLoad(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	recto, err := startRecto(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	loads, err := recto.loads(ctx, o, dir)
	if err != nil {
		recto.stop()
		return nil, nil, err
	}
	stop := func() {
		for _, load := range loads {
			load.close()
		}
		recto.stop()
	}
	return func() ([]float64, error) {
		var values []float64
		for _, load := range loads {
			count := 0
			took, err := recto.spend(func() (err error) {
				count, err = load.run(ctx, loadSlice)
				return err
			})
			if err != nil {
				return nil, err
			}
			values = append(values, float64(took.Nanoseconds())/1000/float64(count))
		}
		return values, nil
	}, stop, nil
}

// loads are those of loadRows.
func (i *instance) loads(ctx context.Context, o options, dir string) ([]*readers, error) {
	found, err := i.findPage(ctx)
	if err != nil {
		return nil, err
	}
	adaptive, key, err := i.adaptiveSite(ctx, o, dir)
	if err != nil {
		return nil, err
	}
	json := i.base + "/v1/spaces/" + i.space + "/content/page/" + found.id
	var loads []*readers
	for _, one := range []struct {
		address, header string
		values          []string
	}{
		{found.url, "", []string{""}}, {json, "Authorization", []string{"Bearer " + i.token}},
		{adaptive, "Cookie", visitorCookies(key)},
	} {
		load, err := newReaders(ctx, one.address, one.header, one.values)
		if err != nil {
			return nil, err
		}
		loads = append(loads, load)
	}
	return loads, nil
}

// readers ask for a page over and over, each on a connection of its own.
type readers struct {
	connections []net.Conn
	buffers     []*bufio.Reader
	requests    [][]byte // asked in turns
	next        atomic.Int64
}

// newReaders connects readers of an address, who send one header with a value of some; "" sends none.
func newReaders(ctx context.Context, address, header string, values []string) (*readers, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	made := &readers{}
	for _, value := range values {
		var request bytes.Buffer
		fmt.Fprintf(&request, "GET %s HTTP/1.1\r\nHost: %s\r\n", parsed.RequestURI(), parsed.Host)
		if header != "" {
			fmt.Fprintf(&request, "%s: %s\r\n", header, value)
		}
		request.WriteString("\r\n")
		made.requests = append(made.requests, request.Bytes())
	}
	for range loadConnections {
		connection, err := new(net.Dialer).DialContext(ctx, "tcp", parsed.Host)
		if err != nil {
			made.close()
			return nil, err
		}
		made.connections = append(made.connections, connection)
		made.buffers = append(made.buffers, bufio.NewReaderSize(connection, 64<<10))
	}
	_, err = made.run(ctx, loadSlice) // warm
	return made, err
}

func (r *readers) close() {
	for _, connection := range r.connections {
		_ = connection.Close() // nobody reads from it any more
	}
}

// run lets all read for a while, and returns how many answers there were. One that is not a success fails it.
func (r *readers) run(ctx context.Context, duration time.Duration) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	failures := make([]error, len(r.connections))
	var answers atomic.Int64
	var wait sync.WaitGroup
	for i := range r.connections {
		wait.Go(func() {
			for ctx.Err() == nil && failures[i] == nil {
				failures[i] = r.read(i)
				answers.Add(1)
			}
		})
	}
	wait.Wait()
	return int(answers.Load()), errors.Join(failures...)
}

// read sends one request on a connection and reads the answer.
func (r *readers) read(on int) error {
	request := r.requests[int(r.next.Add(1))%len(r.requests)]
	if _, err := r.connections[on].Write(request); err != nil {
		return err
	}
	response, err := http.ReadResponse(r.buffers[on], nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %s", response.Status)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
