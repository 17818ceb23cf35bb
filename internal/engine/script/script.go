// Package script runs the scripts of integrations, each in a JavaScript engine of its own that reaches nothing but what
// a Host gives it.
//
// Two runtimes exist. V1 is a classic script, which calls addEventListener("fetch", …); V2 is an ES module whose
// default export has a function fetch(request, env, ctx). Both find the Web's interfaces that scripts of workers know
// (console, URL, fetch, streams, WebCrypto, timers and more, made of ui/src/runtime and of this package) and neither
// finds process, window, require, files, sockets or another script.
//
// A script is hostile. What is promised, whatever it does:
//
//   - Nothing crosses between instances: globals, prototypes, timers, promises and memory belong to one.
//   - A call ends. Running time, elapsed time, memory, requests, the size of an answer, timers and messages of the log
//     are limited, and what goes over a limit ends the call with an error that says which. An instance that was stopped
//     is broken and can only be closed.
//   - Go trusts nothing that comes out: headers, addresses, statuses and sizes are checked here, and no value of the
//     script decides more than what its own answer is.
//   - It sees time through the host, and chance of crypto/rand.
//
// The engine is modernc.org/quickjs. It looks at its limits at each call and each turn of a loop in JavaScript, not
// inside one function of its own. Those that could run for long are bounded by ui/src/runtime/guard.ts. If one does run
// on, the caller is let go after a grace and the engine is given up, see Stopped.
//
// The package knows no database and no HTTP server: what a request may reach is decided by Host.Fetch.
package script

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"modernc.org/quickjs"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Runtime says how a script is written.
type Runtime string

// The runtimes.
const (
	// V1 is a classic script.
	V1 Runtime = "v1"
	// V2 is an ES module.
	V2 Runtime = "v2"
)

// MaxSource is the largest script, in bytes.
const MaxSource = 8 << 20

// compileMemory and compileTime are what compiling may take.
const (
	compileMemory = 512 << 20
	compileTime   = 30 * time.Second
)

// Program is a script that was compiled. It is never changed and safe for concurrent use.
type Program struct {
	runtime Runtime
	code    []byte
}

// Size returns how much memory the program takes, in bytes.
func (p *Program) Size() int { return len(p.code) }

// Compile checks a script and compiles it once. A script that is at fault is an error of the kind errs.Invalid, with
// the line and the column where it is.
func Compile(source string, runtime Runtime) (*Program, error) {
	flags := quickjs.EvalGlobal
	switch runtime {
	case V1:
	case V2:
		flags = quickjs.EvalModule
	default:
		return nil, errs.Invalidf("runtime", "%q is no runtime; it is v1 or v2", runtime)
	}
	switch {
	case len(source) > MaxSource:
		return nil, errs.New(errs.TooLarge, "script: has %d bytes; it may have at most %d", len(source), MaxSource)
	case !utf8.ValidString(source):
		return nil, errs.Invalidf("script", "is not UTF-8")
	case strings.ContainsRune(source, 0):
		return nil, errs.Invalidf("script", "holds a NUL character")
	}
	code, err := compile(source, flags, raw.freeStack)
	if failed, ok := errors.AsType[*quickjs.Error](err); ok {
		return nil, errs.Invalidf("script", "%s", fault(failed))
	}
	if err != nil {
		return nil, err
	}
	return &Program{runtime, code}, nil
}

// compile makes bytecode in an engine that runs nothing, and that is prepared first.
func compile(source string, flags int, prepare func(raw) error) (code []byte, err error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("start an engine to compile a script: %w", err)
	}
	defer closeVM(vm)
	defer recovered(&err)
	engine, err := rawOf(vm)
	if err == nil {
		err = prepare(engine)
	}
	if err != nil {
		return nil, err
	}
	vm.SetMemoryLimit(compileMemory)
	if err := vm.SetEvalTimeout(compileTime); err != nil {
		return nil, err
	}
	return vm.Compile(source, flags)
}

// fault says what is wrong with a script and where.
func fault(e *quickjs.Error) string {
	message := e.Message
	if e.Name != "" && e.Name != "SyntaxError" {
		message = e.Name + ": " + message
	}
	if e.LineNumber == 0 {
		return message
	}
	return fmt.Sprintf("line %d, column %d: %s", e.LineNumber, e.ColumnNumber, message)
}

// closeVM gives back what an engine takes. One in which something has gone wrong may fail once more; its memory is lost
// then.
func closeVM(vm *quickjs.VM) {
	defer func() { _ = recover() }()
	_ = vm.Close()
}
