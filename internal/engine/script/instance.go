package script

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"modernc.org/quickjs"
)

// Level is that of a message of the log.
type Level string

// The levels.
const (
	Debug Level = "debug"
	Info  Level = "info"
	Warn  Level = "warn"
	Error Level = "error"
)

// Host is what a script can reach. Its functions are called while a call runs, and Fetch by several goroutines at once.
type Host struct {
	// Fetch sends one request and returns its answer as it is. It follows no redirects: the engine does, and each is a
	// call. It decides what may be reached, and bounds what it reads. Its error is shown to the script.
	Fetch func(ctx context.Context, request *Request) (*Response, error)
	// Log takes a message of the script's console.
	Log func(level Level, message string)
	// Now is the script's clock.
	Now func() time.Time
	// Source returns the source of the script, in which errors are looked up that do not say what they are about. It is
	// called once in a call at most; nil is for none.
	Source func() (string, error)
}

// Request is one of HTTP, to a script or of one. Names of headers are in lower case when they come of a script.
type Request struct {
	Method, URL string
	Header      [][2]string
	// Body is nil when there is none.
	Body []byte
}

// Response is the answer to a Request.
type Response struct {
	Status int
	Header [][2]string
	Body   []byte
}

// Instance is one engine with one program. One goroutine at a time may use it.
type Instance struct {
	vm     *quickjs.VM
	raw    raw
	enter  quickjs.Value
	code   []byte
	host   Host
	limits Limits
	// broken says why the instance runs nothing any more.
	broken error
	// lost is set when the engine did not come back.
	lost   atomic.Bool
	timers timers
	call   *call
	// watch stops the engine when its time is over.
	watch watch
}

// call is what happens between the begin of a dispatch and the end of what it waits for.
type call struct {
	context  context.Context
	cancel   context.CancelFunc
	incoming incoming
	// answer and failed are what the script said first.
	answer *Response
	failed error
	// loaded says that the module has its handler, and waits how many promises of waitUntil are open.
	loaded bool
	waits  int
	// ran is how long JavaScript has run, and deadline when the call ends.
	ran      time.Duration
	deadline time.Time
	requests atomic.Int64
	// held is how many bytes Go holds of requests that are on their way and of their answers.
	held    atomic.Int64
	open    map[int]context.CancelFunc
	arrived chan *arrival
	// present is the arrival that the layer is told of.
	present *arrival
	// messages and logged are how many messages were logged, and how many bytes they had.
	messages, logged int
	// named is how many errors were looked up in source, which is nil before the first.
	named  int
	source *string
	// exceeded is the limit that the script has gone over.
	exceeded error
}

// Size returns how much memory the engine has taken while it runs nothing, in bytes.
func (i *Instance) Size() int64 {
	if i.broken != nil || i.lost.Load() {
		return 0
	}
	return i.raw.size()
}

// Start makes an instance: the script is evaluated up to where it can take requests. Limits that are zero are those of
// DefaultLimits.
func (p *Program) Start(ctx context.Context, host Host, limits Limits) (*Instance, error) {
	if host.Now == nil {
		host.Now = time.Now
	}
	if host.Log == nil {
		host.Log = func(Level, string) {}
	}
	if host.Fetch == nil {
		host.Fetch = func(context.Context, *Request) (*Response, error) {
			return nil, errors.New("there is no network here")
		}
	}
	layer, err := layerCode()
	if err != nil {
		return nil, err
	}
	places, err := placesCode()
	if err != nil {
		return nil, err
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("start an engine for a script: %w", err)
	}
	i := &Instance{vm: vm, host: host, limits: limits.or(DefaultLimits())}
	i.begin(ctx)
	err = i.apart(ctx, func() error { return i.load(p, places, layer) })
	i.end()
	if err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

// load evaluates the layer, with what it finds, and the program.
func (i *Instance) load(p *Program, places, layer []byte) (err error) {
	if i.raw, err = rawOf(i.vm); err != nil {
		return err
	}
	if err := i.raw.freeStack(); err != nil {
		return err
	}
	i.vm.SetMemoryLimit(uintptr(i.limits.Memory))
	if err := i.vm.RegisterHostFunc("__host", i.serve); err != nil {
		return err
	}
	for _, code := range [][]byte{places, layer} {
		if err := i.run(func() error { _, err := i.vm.EvalBytecode(code); return err }); err != nil {
			return err
		}
	}
	if i.enter, err = i.take("__enter"); err != nil {
		return err
	}
	if p.runtime == V1 {
		return i.run(func() error { _, err := i.vm.EvalBytecode(p.code); return err })
	}
	i.code = p.code
	if err := i.ask(enterLoad, 0); err != nil {
		return err
	}
	i.code = nil
	return i.loop(func() bool { return i.call.loaded || i.call.failed != nil })
}

// What the layer is entered for, see ui/src/runtime/dispatch.ts. Numbers alone cross then, as they need no memory: the
// layer asks for the rest.
const (
	enterLoad = iota
	enterDispatch
	enterTimer
	enterArrival
	enterEnd
)

// take takes a value away from the global object.
func (i *Instance) take(name string) (value quickjs.Value, err error) {
	err = i.run(func() error {
		value, err = i.vm.EvalValue("globalThis."+name, quickjs.EvalGlobal)
		if err == nil {
			_, err = i.vm.Eval("delete globalThis."+name, quickjs.EvalGlobal)
		}
		return err
	})
	return value, err
}

// Dispatch sends one request to the script. With an answer comes a function that is to be called before the instance is
// used again: it lets the work that the script gave to waitUntil go on to its end, or to the end of its time, and
// returns what became of it. After an error of Dispatch it is nil, and the instance may be broken, see Broken.
func (i *Instance) Dispatch(ctx context.Context, request *Request) (*Response, func(context.Context) error, error) {
	if i.broken != nil {
		return nil, nil, i.broken
	}
	if i.call != nil {
		return nil, nil, errors.New("dispatch to a script that has not ended another call")
	}
	incoming, err := incomingOf(request)
	if err != nil {
		return nil, nil, err
	}
	c := i.begin(ctx)
	c.incoming = incoming
	err = i.apart(ctx, func() error {
		if err := i.ask(enterDispatch, 0); err != nil {
			return err
		}
		return i.loop(func() bool { return c.answer != nil || c.failed != nil })
	})
	if err != nil {
		i.end()
		return nil, nil, err
	}
	return c.answer, i.after, nil
}

// after runs what waitUntil was given.
func (i *Instance) after(ctx context.Context) error {
	c := i.call
	if c == nil {
		return i.broken
	}
	defer i.end()
	if c.waits == 0 {
		return nil
	}
	c.ran, c.deadline = 0, time.Now().Add(i.limits.After)
	err := i.apart(ctx, func() error {
		return i.loop(func() bool { return c.waits == 0 })
	})
	if errors.Is(err, ErrStalled) {
		// A promise that never ends takes nothing.
		i.host.Log(Warn, "waitUntil: a promise never ends")
		return nil
	}
	return err
}

// Broken returns why the instance runs nothing any more, or nil.
func (i *Instance) Broken() error { return i.broken }

// Close gives back what the instance takes. It may be called again.
func (i *Instance) Close() {
	if i.vm == nil {
		return
	}
	vm := i.vm
	i.vm, i.code = nil, nil
	if i.broken == nil {
		i.broken = &Stopped{Reason: ErrClosed}
	}
	i.end()
	if !i.lost.Load() {
		i.release(vm)
	}
}

// release closes the engine. Of one that was lost, who waits for it does that.
func (i *Instance) release(vm *quickjs.VM) {
	defer func() { _ = recover() }()
	i.enter.Free()
	closeVM(vm)
}
