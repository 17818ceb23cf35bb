// Package steps applies the steps of live sessions: a document changes by what the editors of several people send, in
// one order, with the editor's own schema.
//
// The schema is code of the app (ui/src/editor), built into one script that is embedded here; scripts/ui build makes
// it. Each Engine runs it in a QuickJS of its own, which reaches nothing: no files, no network, no function of Go.
// Steps are hostile input. They are bounded here before the script sees them, memory and time are limited, and what
// they make of a document is looked at as the API looks at one. A batch is taken whole or changes nothing.
package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"modernc.org/quickjs"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// Limits of an engine.
const (
	// maxMemory is what the script may take, in bytes. A page of 2,000 blocks needs 9 MiB.
	maxMemory = 256 << 20
	// applyTime and documentTime are how long the script may run for a batch, and for a whole document. They are for
	// machines that have much else to do: a step takes milliseconds.
	applyTime    = 10 * time.Second
	documentTime = time.Minute
)

// ErrBroken is of an engine that took too long or too much memory, or in which the script failed. It has lost its
// document and can only be closed.
var ErrBroken = errors.New("the engine for steps is broken")

// Engine is one document and the script that changes it. It is not safe for concurrent use.
type Engine struct {
	vm     *quickjs.VM
	schema string
	broken error
}

// Refused says that steps do not fit the document, which is as it was before them. It is the fault of who sent them.
type Refused struct {
	// Index is the step that does not fit, counted from 0, and -1 when it is the batch as a whole.
	Index int
	// Reason is for people.
	Reason string
}

// Error returns the reason.
func (r *Refused) Error() string {
	if r.Index < 0 {
		return "the changes cannot be taken: " + r.Reason
	}
	return fmt.Sprintf("the changes cannot be taken: step %d: %s", r.Index, r.Reason)
}

// Applied is what a batch of steps has done.
type Applied struct {
	// Changed are the blocks at the top of the document that are new or other than before, as document JSON.
	Changed []json.RawMessage
}

// New starts an engine with an empty document. The context ends the start alone.
func New(ctx context.Context) (*Engine, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	code, err := compiled()
	if err != nil {
		return nil, err
	}
	e, err := start()
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, e.vm.Interrupt)
	defer stop()
	err = e.guarded(documentTime, func() error {
		if _, err := e.vm.EvalBytecode(code); err != nil {
			return err
		}
		version, err := e.vm.Eval("steps.version", quickjs.EvalGlobal)
		e.schema, _ = version.(string)
		return err
	})
	if err != nil {
		e.Close()
		return nil, errors.Join(ctx.Err(), err)
	}
	return e, nil
}

// start makes an engine that has no script yet.
func start() (*Engine, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("start an engine for steps: %w", err)
	}
	vm.SetMemoryLimit(maxMemory)
	return &Engine{vm: vm}, nil
}

// Schema returns the fingerprint of the schema that the script has, as the app in a browser computes its own.
func (e *Engine) Schema() string { return e.schema }

// Load begins with a document of the API.
func (e *Engine) Load(document []byte) error {
	if err := wellFormed(document, doc.MaxJSON, documentDepth); err != nil {
		return errs.Wrap(err, errs.Invalid, "document: %v", err)
	}
	_, err := e.call(documentTime, "load", string(document))
	return err
}

// Restore begins with what Snapshot returned.
func (e *Engine) Restore(snapshot []byte) error {
	if err := wellFormed(snapshot, maxSnapshot, documentDepth); err != nil {
		return fmt.Errorf("restore a snapshot: %w", err)
	}
	_, err := e.call(documentTime, "restore", string(snapshot))
	return err
}

// Apply takes a batch of steps, all or none of them. Its error is a *Refused when the steps are at fault. What a client
// sends is bounded by Bound before; steps of Change may be as large as a document.
func (e *Engine) Apply(steps []json.RawMessage) (Applied, error) {
	if err := bound(steps, maxSteps, maxSnapshot, documentDepth); err != nil {
		return Applied{}, err
	}
	answer, err := e.call(applyTime, "apply", list(steps))
	if err != nil {
		return Applied{}, err
	}
	var result struct {
		Refused *int              `json:"refused"`
		Reason  string            `json:"reason"`
		Changed []json.RawMessage `json:"changed"`
	}
	if err := json.Unmarshal([]byte(answer), &result); err != nil {
		return Applied{}, e.fail(fmt.Errorf("the script answers %.100q: %w", answer, err))
	}
	if result.Refused != nil {
		return Applied{}, &Refused{*result.Refused, result.Reason}
	}
	if err := validate(result.Changed); err != nil {
		if undo := e.Undo(); undo != nil {
			return Applied{}, undo
		}
		return Applied{}, &Refused{-1, err.Error()}
	}
	return Applied{result.Changed}, nil
}

// validate checks blocks as the API checks a document.
func validate(blocks []json.RawMessage) error {
	var whole doc.Document
	return json.Unmarshal([]byte(`{"object":"document","nodes":`+list(blocks)+`}`), &whole)
}

// Undo takes back what the last Apply has done, once.
func (e *Engine) Undo() error {
	answer, err := e.call(applyTime, "undo")
	if err == nil && answer != "undone" {
		return errors.New("no batch of steps can be taken back")
	}
	return err
}

// Snapshot returns the document as the editor has it, for Restore.
func (e *Engine) Snapshot() ([]byte, error) { return e.bytes("snapshot") }

// Document returns the document as the API takes it, without keys.
func (e *Engine) Document() ([]byte, error) { return e.bytes("document") }

func (e *Engine) bytes(function string) ([]byte, error) {
	answer, err := e.call(documentTime, function)
	if err != nil {
		return nil, err
	}
	return []byte(answer), nil
}

// Change returns steps that make another document of the API of the present one. They touch no block that is the same,
// and are not applied. Empty paragraphs that the other document does not have stay: Markdown has none, and somebody may
// be about to type there.
func (e *Engine) Change(document []byte) ([]json.RawMessage, error) {
	if err := wellFormed(document, doc.MaxJSON, documentDepth); err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "document: %v", err)
	}
	answer, err := e.call(documentTime, "change", string(document))
	if err != nil {
		return nil, err
	}
	var steps []json.RawMessage
	if err := json.Unmarshal([]byte(answer), &steps); err != nil {
		return nil, e.fail(fmt.Errorf("the script answers %.100q: %w", answer, err))
	}
	return steps, nil
}

// Close gives back what the engine takes. It may be called again.
func (e *Engine) Close() {
	if e.vm == nil {
		return
	}
	vm := e.vm
	e.vm, e.broken = nil, ErrBroken
	// A VM in which something has gone wrong may fail once more while it is closed. Its memory is lost then, as that of
	// one that was abandoned is.
	defer func() { _ = recover() }()
	_ = vm.Close()
}

// call runs a function of the script, which answers a text or nothing.
func (e *Engine) call(limit time.Duration, function string, args ...any) (answer string, err error) {
	err = e.guarded(limit, func() error {
		value, err := e.vm.Call("steps."+function, args...)
		answer, _ = value.(string)
		return err
	})
	return answer, err
}

// guarded runs code of the VM. Whatever goes wrong breaks the engine, since nobody can say what is left of it.
func (e *Engine) guarded(limit time.Duration, run func() error) (err error) {
	if e.broken != nil {
		return e.broken
	}
	defer func() {
		if p := recover(); p != nil {
			err = e.fail(fmt.Errorf("%v\n%s", p, debug.Stack()))
		}
	}()
	if err := e.vm.SetEvalTimeout(limit); err != nil {
		return e.fail(err)
	}
	if err := run(); err != nil {
		return e.fail(err)
	}
	return nil
}

// fail breaks the engine.
func (e *Engine) fail(err error) error {
	e.broken = fmt.Errorf("%w: %w", ErrBroken, err)
	return e.broken
}

// list returns values as one list of JSON.
func list(values []json.RawMessage) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, value := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(value)
	}
	b.WriteByte(']')
	return b.String()
}
