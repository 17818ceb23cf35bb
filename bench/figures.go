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

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
)

// figure is what can be measured of any binary from outside: through its files, its process and its API.
type figure struct {
	name string
	rows []row
	// rounds is how often it is taken of each of two binaries.
	rounds int
	// prepare readies a binary, with a folder for its data. take measures it once, as often as is wanted, and returns a
	// value for each row.
	prepare func(ctx context.Context, o options, dir string) (take func() ([]float64, error), stop func(), err error)
}

// row is a line of a table.
type row struct {
	title, unit string
	// aim is the most that is wanted; 0 when a ratio against the bare cost has one.
	aim float64
}

// figures are all figures, in the order in which they are printed. What the server does for a request is measured in
// its processor time, which holds on a busy machine where the time on the clock does not.
func figures() []figure {
	return []figure{
		{"size", []row{{"size of the stripped binary", "MB", 65}}, 1, prepareSize},
		{"memory", []row{{"resident memory of an idle server", "MB", 45}}, 3, prepareMemory},
		{"start", []row{{fmt.Sprintf("start to ready with %d pages", startPages), "ms", 200}}, 15, prepareStart},
		{"writer", []row{{fmt.Sprintf("longest hold of the writer, importing %d pages", writerPages), "ms", 100}}, 7,
			prepareWriter},
		{"calls", []row{{"half of the calls of a script, 50 a second, within", "ms", 2}}, 3, prepareCalls(0.5)},
		{"slowcalls", []row{{"99 of 100 calls of a script, 50 a second, within", "ms", 10}}, 3, prepareCalls(0.99)},
		{"script", []row{{"first call of a compiled script of 1 MB", "ms", 150}}, 5, prepareLargeScript},
		{"installed", []row{{fmt.Sprintf("%d idle integrations of 100 KB, in memory", installed), "MB", 200}}, 1,
			prepareInstalled},
		{"merge", []row{{"merge of 100 edited pages, of the processor", "ms", 0}}, 20, prepareMergeWork},
		{"edit", []row{{"edit of one page, of the processor", "ms", 0}}, 20, prepareEdit},
		{"import", []row{{"import of the book until it is found, of the processor", "ms", 0}}, 20, prepareImport},
		{"load", loadRows, 100, prepareLoad},
		{"lists", listRows, 12, prepareLists},
		{"growth", growthRows, 20, prepareGrowth},
	}
}

// hasAim reports whether a figure has an aim of its own, and is measured without another binary.
func (f figure) hasAim() bool { return f.rows[0].aim > 0 }

const (
	// startPages is how many pages a server has that is started.
	startPages = 100_000
	// writerPages is how many pages are imported while others want to write.
	writerPages = 2_000
	// idle is how long a server does nothing before its memory is read.
	idle = 10 * time.Second
)

// measureFigures measures the figures that have an aim of their own; each of them has one row.
func measureFigures(ctx context.Context, o options) error {
	for _, each := range figures() {
		if !each.hasAim() || o.only != "" && o.only != each.name {
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
		fmt.Printf("%-52s %8.0f %-6s (%.0f to %.0f), aim %.0f\n", each.rows[0].title, median(values), each.rows[0].unit,
			slices.Min(values), slices.Max(values), each.rows[0].aim)
	}
	return nil
}

// takeAll takes a figure that has one row.
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
		values = append(values, value[0])
	}
	return values, nil
}

func nothing() {}

// only makes a measurement one of a figure with one row.
func only(take func() (float64, error)) func() ([]float64, error) {
	return func() ([]float64, error) {
		value, err := take()
		return []float64{value}, err
	}
}

// prepareSize strips a binary, if binutils are there, and reads its size.
func prepareSize(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	stripped := filepath.Join(dir, "stripped")
	if out, err := exec.CommandContext(ctx, "strip", "-o", stripped, o.binary).CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("strip: %w\n%s", err, out)
	}
	return only(func() (float64, error) {
		info, err := os.Stat(stripped)
		if err != nil {
			return 0, err
		}
		return float64(info.Size()) / 1e6, nil
	}), nothing, nil
}

// prepareMemory reads how much of a server that has an empty organization is in memory, once it has been idle.
func prepareMemory(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	made, err := initialize(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	return only(func() (float64, error) {
		started, err := made.serve(ctx, o)
		if err != nil {
			return 0, err
		}
		defer started.stop()
		time.Sleep(idle)
		return resident(started.command.Process.Pid)
	}), nothing, nil
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

// prepareStart times a server with many pages from its start until it says that it is ready.
func prepareStart(ctx context.Context, o options, dir string) (func() ([]float64, error), func(), error) {
	made, _, err := largeSpace(ctx, o, dir)
	if err != nil {
		return nil, nil, err
	}
	return only(func() (float64, error) {
		begin := time.Now()
		started, err := made.serve(ctx, o)
		if err != nil {
			return 0, err
		}
		took := time.Since(begin)
		started.stop()
		return float64(took.Microseconds()) / 1000, nil
	}), nothing, nil
}

// largeSpace makes a data folder with a space of many pages.
func largeSpace(ctx context.Context, o options, dir string) (made initialized, space string, err error) {
	if made, err = initialize(ctx, o, dir); err != nil {
		return made, "", err
	}
	started, err := made.serve(ctx, o)
	if err != nil {
		return made, "", err
	}
	space, err = started.newSpace(ctx)
	started.stop()
	if err != nil {
		return made, "", err
	}
	if err := fillSpace(ctx, dir, space, startPages); err != nil {
		return made, "", fmt.Errorf("fill the space: %w", err)
	}
	return made, space, nil
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
	_, err = storetest.Fill(ctx, requiredtest.Wire(store.New(store.Deps{DB: database, Blobs: blobs}), store.Hooks{}),
		id.Space(space), pages)
	return err
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
