package script

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"

	"modernc.org/quickjs"
)

// packed is the layer, which scripts/ui build makes of ui/src/runtime.
//
//go:embed web.js.gz
var packed []byte

// layerCode returns the layer as bytecode, which is made once in a process and holds for this version of QuickJS alone.
var layerCode = sync.OnceValues(func() ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack the interfaces for scripts: %w", err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("unpack the interfaces for scripts: %w", err)
	}
	// It stands behind all lines that a script can have, so that a trace tells the two apart.
	return compile(strings.Repeat("\n", layerLine-1)+string(text), quickjs.EvalGlobal, raw.freeStack)
})

// placesCode gives the layer what reads the places of an error, see raw.freeStack: here "stack" is what the engine
// writes.
var placesCode = sync.OnceValues(func() ([]byte, error) {
	return compile("globalThis.__places = (error) => error.stack;", quickjs.EvalGlobal,
		func(raw) error { return nil })
})
