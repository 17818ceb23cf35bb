package steps

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"sync"

	"modernc.org/quickjs"
)

// packed is the script, which scripts/ui build makes of ui/src/steps.
//
//go:embed script.js.gz
var packed []byte

// source returns the script.
func source() (string, error) {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", fmt.Errorf("unpack the script for steps: %w", err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return "", fmt.Errorf("unpack the script for steps: %w", err)
	}
	return string(text), nil
}

// compiled returns the script as bytecode, which is made once in a process and holds for this version of QuickJS alone.
var compiled = sync.OnceValues(func() ([]byte, error) {
	text, err := source()
	if err != nil {
		return nil, err
	}
	e, err := start()
	if err != nil {
		return nil, err
	}
	defer e.Close()
	var code []byte
	err = e.guarded(documentTime, func() error {
		code, err = e.vm.Compile(text, quickjs.EvalGlobal)
		return err
	})
	return code, err
})
