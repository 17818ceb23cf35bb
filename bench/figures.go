package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
)

// figure is what can be measured of any binary from outside: through its files, its process and its API.
type figure struct {
	name, unit string
	// aim is the most that is wanted; 0 when another row has one.
	aim float64
	// prepare readies a binary, with a folder for its data. take measures it once, as often as is wanted.
	prepare func(ctx context.Context, o options, dir string) (take func() (float64, error), stop func(), err error)
}

// figures are all figures, in the order in which they are printed.
func figures() []figure {
	return []figure{
		{name: "size", unit: "MB", aim: 65, prepare: prepareSize},
		{name: "memory", unit: "MB", aim: 45, prepare: prepareMemory},
		{name: "start", unit: "ms", aim: 200, prepare: prepareStart},
		{name: "writer", unit: "ms", aim: 100, prepare: prepareWriter},
		{name: "merge", unit: "ms", prepare: prepareMerge},
		{name: "edit", unit: "ms", prepare: prepareEdit},
		{name: "import", unit: "ms", prepare: prepareImport},
		{name: "page", unit: "µs", prepare: prepareLoad(false)},
		{name: "json", unit: "µs", prepare: prepareLoad(true)},
	}
}

// titles say what the figures are.
var titles = map[string]string{
	"size":   "size of the stripped binary",
	"memory": "resident memory of an idle server",
	"start":  fmt.Sprintf("start to ready with %d pages", startPages),
	"writer": fmt.Sprintf("longest hold of the writer, importing %d pages", writerPages),
	"merge":  "merge of 100 edited pages",
	"edit":   "edit of one page",
	"import": "import of the book until it is found",
	"page":   "processor time of a warm page",
	"json":   "processor time of a page as JSON",
}

const (
	// startPages is how many pages a server has that is started.
	startPages = 100_000
	// writerPages is how many pages are imported while others want to write.
	writerPages = 2_000
	// idle is how long a server does nothing before its memory is read.
	idle = 15 * time.Second
)

// measureFigures measures the figures that have an aim of their own.
func measureFigures(ctx context.Context, o options) error {
	for _, each := range figures() {
		if each.aim == 0 || o.only != "" && o.only != each.name {
			continue
		}
		dir, forget, err := temporary()
		if err != nil {
			return err
		}
		values, err := takeAll(ctx, each, o, dir)
		forget()
		if err != nil {
			return fmt.Errorf("%s: %w", each.name, err)
		}
		fmt.Printf("%-52s %8.0f %-6s (%.0f to %.0f), aim %.0f\n", titles[each.name], median(values), each.unit,
			slices.Min(values), slices.Max(values), each.aim)
	}
	return nil
}

func takeAll(ctx context.Context, f figure, o options, dir string) ([]float64, error) {
	take, stop, err := f.prepare(ctx, o, dir)
	if err != nil {
		return nil, err
	}
	defer stop()
	var values []float64
	for range o.rounds {
		value, err := take()
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// measureAgainst measures every figure of two binaries in turns, and fails when one is more than a twentieth worse.
func measureAgainst(ctx context.Context, o options) error {
	var worse []string
	fmt.Printf("%-52s %8s %8s\n", "", "ours", "other")
	for _, each := range figures() {
		if o.only != "" && o.only != each.name {
			continue
		}
		p, err := takeBoth(ctx, each, o)
		if err != nil {
			return fmt.Errorf("%s: %w", each.name, err)
		}
		ratios := make([]float64, len(p.ours))
		for i := range p.ours {
			ratios[i] = p.ours[i] / p.bare[i]
		}
		verdict := ""
		if median(ratios) > 1.05 {
			verdict = "  WORSE"
			worse = append(worse, each.name)
		}
		fmt.Printf("%-52s %8.1f %8.1f %-6s cost %.2f of the other's (%.2f to %.2f)%s\n", titles[each.name],
			median(p.ours), median(p.bare), each.unit, median(ratios), slices.Min(ratios), slices.Max(ratios), verdict)
	}
	if len(worse) > 0 {
		return fmt.Errorf("more than 5 %% worse: %s", strings.Join(worse, ", "))
	}
	return nil
}

// takeBoth takes a figure of both binaries in turns; who is first changes with each round.
func takeBoth(ctx context.Context, f figure, o options) (pair, error) {
	dir, forget, err := temporary()
	if err != nil {
		return pair{}, err
	}
	defer forget()
	var takes [2]func() (float64, error)
	for i, binary := range []string{o.binary, o.against} {
		one := o
		one.binary = binary
		take, stop, err := f.prepare(ctx, one, filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			return pair{}, err
		}
		defer stop()
		takes[i] = take
	}
	var values [2][]float64
	for round := range o.rounds {
		for turn := range takes {
			which := (round + turn) % 2
			value, err := takes[which]()
			if err != nil {
				return pair{}, err
			}
			values[which] = append(values[which], value)
		}
	}
	return pair{ours: values[0], bare: values[1]}, nil
}

func nothing() {}

// prepareSize strips a binary, if binutils are there, and reads its size.
func prepareSize(ctx context.Context, o options, dir string) (func() (float64, error), func(), error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	stripped := filepath.Join(dir, "stripped")
	if out, err := exec.CommandContext(ctx, "strip", "-o", stripped, o.binary).CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("strip: %w\n%s", err, out)
	}
	return func() (float64, error) {
		info, err := os.Stat(stripped)
		if err != nil {
			return 0, err
		}
		return float64(info.Size()) / 1e6, nil
	}, nothing, nil
}

// prepareMemory reads how much of a server that has an empty organization is in memory, once it has been idle.
func prepareMemory(ctx context.Context, o options, dir string) (func() (float64, error), func(), error) {
	made, err := initialize(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	return func() (float64, error) {
		started, err := made.serve(ctx, o)
		if err != nil {
			return 0, err
		}
		defer started.stop()
		time.Sleep(idle)
		return resident(started.command.Process.Pid)
	}, nothing, nil
}

// resident returns the resident memory of a process in units of 1,048,576 bytes.
func resident(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "VmRSS:" {
			kilobytes, err := strconv.ParseFloat(fields[1], 64)
			return kilobytes / 1024, err
		}
	}
	return 0, errors.New("the process does not say how much is resident")
}

// processorTime returns how much of the processors a process has had, to a hundredth of a second.
func processorTime(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name of the program may have spaces and stands in brackets; 11 and 12 fields behind it are the ticks.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return 0, errors.New("the process does not say what it has had of the processors")
	}
	user, err := strconv.ParseInt(fields[11], 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / 100, err
}

// prepareStart times a server with many pages from its start until it says that it is ready.
func prepareStart(ctx context.Context, o options, dir string) (func() (float64, error), func(), error) {
	made, err := initialize(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	started, err := made.serve(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	space, err := started.newSpace(ctx)
	started.stop()
	if err != nil {
		return nil, nil, err
	}
	if err := fillSpace(ctx, dir, space, startPages); err != nil {
		return nil, nil, fmt.Errorf("fill the space: %w", err)
	}
	return func() (float64, error) {
		begin := time.Now()
		started, err := made.serve(ctx, o)
		if err != nil {
			return 0, err
		}
		took := time.Since(begin)
		started.stop()
		return float64(took.Microseconds()) / 1000, nil
	}, nothing, nil
}

// fillSpace puts pages into an empty space of a server that does not run.
func fillSpace(ctx context.Context, data, space string, pages int) error {
	blobs, err := blob.OpenStore("dir:" + filepath.Join(data, "blobs"))
	if err != nil {
		return err
	}
	database, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(data, "recto.db")})
	if err != nil {
		return err
	}
	defer database.Close()
	_, err = storetest.Fill(ctx, store.New(store.Deps{DB: database, Blobs: blobs}), space, pages)
	return err
}

// prepareImport times the import of the book into a new space of a new server.
func prepareImport(ctx context.Context, o options, _ string) (func() (float64, error), func(), error) {
	archive, err := os.ReadFile(o.book)
	if err != nil {
		return nil, nil, err
	}
	return func() (float64, error) { return importOnce(ctx, o, archive) }, nothing, nil
}

// prepareLoad reads a page of the book under load, as a site shows it or as the API gives it. The figure is the time
// that the server's process takes of the processors for each, which does not depend on what else they do.
func prepareLoad(json bool) func(context.Context, options, string) (func() (float64, error), func(), error) {
	return func(ctx context.Context, o options, dir string) (func() (float64, error), func(), error) {
		recto, err := startRecto(ctx, o, dir)
		if err != nil {
			return nil, nil, err
		}
		found, err := recto.findPage(ctx)
		if err != nil {
			recto.stop()
			return nil, nil, err
		}
		address, header := found.url, []string(nil)
		if json {
			address = recto.base + "/v1/spaces/" + recto.space + "/content/page/" + found.id
			header = []string{"Authorization: Bearer " + recto.token}
		}
		return func() (float64, error) {
			before, err := processorTime(recto.command.Process.Pid)
			if err != nil {
				return 0, err
			}
			perSecond, err := load(ctx, address, o.duration, header...)
			if err != nil {
				return 0, err
			}
			after, err := processorTime(recto.command.Process.Pid)
			return float64((after - before).Microseconds()) / (perSecond * o.duration.Seconds()), err
		}, recto.stop, nil
	}
}

// upload imports an archive into a space.
func (i *instance) upload(ctx context.Context, space string, archive []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, i.base+"/v1/spaces/"+space+
		"/content/upload?name=pages.zip", bytes.NewReader(archive))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+i.token)
	request.Header.Set("Content-Type", "application/zip")
	_, err = fetch(request)
	return err
}

// newSpace makes an empty space.
func (i *instance) newSpace(ctx context.Context) (string, error) {
	var space struct{ ID string }
	err := i.call(ctx, http.MethodPost, "/v1/orgs/"+i.organization+"/spaces", `{"title":"Second"}`, &space)
	return space.ID, err
}
