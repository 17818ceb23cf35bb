package script

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"modernc.org/quickjs"
)

// begin starts a call.
func (i *Instance) begin(ctx context.Context) *call {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	i.call = &call{
		context: own, cancel: cancel, deadline: time.Now().Add(i.limits.Wall),
		open: map[int]context.CancelFunc{}, arrived: make(chan *arrival, i.limits.Requests),
	}
	return i.call
}

// end ends a call: requests and timers that are left go no further.
func (i *Instance) end() {
	c := i.call
	if c == nil {
		return
	}
	c.cancel()
	left := len(c.open) + len(i.timers)
	i.timers = nil
	if left > 0 && i.broken == nil {
		// The promises of requests are rejected, so that who keeps one for later learns of it.
		c.ran, c.deadline, c.exceeded = 0, time.Now().Add(time.Second), nil
		_ = i.apart(context.Background(), func() error {
			if err := i.ask(enterEnd, 0); err != nil {
				return err
			}
			return i.drain()
		})
		i.timers = nil
	}
	i.call = nil
}

// apart runs something of the engine on a goroutine of its own, so that the caller goes on when the engine does not
// come back. The context ends it.
func (i *Instance) apart(ctx context.Context, run func() error) error {
	stop := context.AfterFunc(ctx, func() {
		i.call.cancel()
		i.watch.fire(true)
	})
	defer stop()
	done := make(chan error, 1)
	i.watch.stuck = make(chan struct{})
	vm := i.vm
	var once sync.Once
	release := func() { once.Do(func() { i.release(vm) }) }
	go func() {
		var err error
		defer func() {
			done <- err
			if i.lost.Load() {
				release()
			}
		}()
		defer recovered(&err)
		err = run()
	}()
	select {
	case err := <-done:
		return i.judge(ctx, err)
	case <-i.watch.stuck:
		i.lost.Store(true)
		select {
		case <-done:
			// It came back at the last moment, and perhaps before it could see that it is lost.
			release()
		default:
		}
		i.broken = &Stopped{Reason: ErrProcessor, Stuck: true}
		return i.broken
	}
}

// judge tells what became of a call, and breaks the instance when nobody can say what is left of it.
func (i *Instance) judge(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("the script was ended: %w", context.Cause(ctx))
	}
	thrown, ok := errors.AsType[*Thrown](err)
	switch {
	case ok && thrown.Name == "InternalError" && strings.Contains(thrown.Message, "out of memory"):
		err = &Stopped{Reason: ErrMemory, Stack: thrown.Stack}
	case ok, errors.Is(err, ErrNoHandler):
		return err
	}
	i.broken = err
	return err
}

// ask enters the layer.
func (i *Instance) ask(operation, id int) error {
	return i.run(func() error {
		_, err := i.enter.Call(quickjs.UndefinedValue, operation, id)
		return err
	})
}

// run runs JavaScript for as long as is left of the call.
func (i *Instance) run(javascript func() error) error {
	c := i.call
	left, over := i.limits.Processor-c.ran, ErrProcessor
	if until := time.Until(c.deadline); until < left {
		left, over = until, ErrWall
	}
	if left <= 0 {
		return &Stopped{Reason: over}
	}
	if err := i.vm.SetEvalTimeout(left); err != nil {
		return err
	}
	start := time.Now()
	i.watch.arm(i.vm, i.raw, left)
	err := javascript()
	i.watch.disarm()
	took := time.Since(start)
	c.ran += took
	failed, ok := errors.AsType[*quickjs.Error](err)
	switch {
	case c.exceeded != nil:
		return c.exceeded
	case took >= left || ok && failed.Name == "InternalError" && failed.Message == "interrupted":
		stopped := &Stopped{Reason: over}
		if ok {
			stopped.Stack = trace(failed.Stack)
		}
		return stopped
	case ok:
		return &Thrown{failed.Name, i.nameThrown(failed.Message, failed.Stack), trace(failed.Stack)}
	}
	return err
}

// drain runs what promises are waiting for.
func (i *Instance) drain() error {
	for {
		n, again := 0, false
		err := i.run(func() (err error) {
			n, err = i.vm.ExecutePendingJobs()
			_, known := errors.AsType[*quickjs.Error](err)
			if again = err != nil && !known; again {
				// It runs a million jobs at most in one go.
				return nil
			}
			return err
		})
		// What a job throws is the promise's matter, which the engine tells only when there was no memory for it.
		thrown, ok := errors.AsType[*Thrown](err)
		if ok && !(thrown.Name == "InternalError" && strings.Contains(thrown.Message, "out of memory")) {
			err = nil
		}
		if err != nil {
			return err
		}
		if !again || n == 0 {
			return nil
		}
	}
}

// loop runs the script until something has happened: promises, timers that are due, and answers that arrive.
func (i *Instance) loop(until func() bool) error {
	c := i.call
	for {
		if err := i.drain(); err != nil {
			return err
		}
		if until() {
			return c.failed
		}
		if err := context.Cause(c.context); err != nil {
			return err
		}
		now := time.Now()
		if id, ok := i.timers.pop(now); ok {
			if err := i.ask(enterTimer, id); err != nil {
				return err
			}
			continue
		}
		if len(c.open) == 0 && len(i.timers) == 0 {
			return &Stopped{Reason: ErrStalled}
		}
		if err := i.wait(now); err != nil {
			return err
		}
	}
}

// wait waits for the next thing that comes from outside.
func (i *Instance) wait(now time.Time) error {
	c := i.call
	next := c.deadline
	if len(i.timers) > 0 && i.timers[0].due.Before(next) {
		next = i.timers[0].due
	}
	timer := time.NewTimer(next.Sub(now))
	defer timer.Stop()
	select {
	case arrived := <-c.arrived:
		return i.deliver(arrived)
	case <-timer.C:
		if !time.Now().Before(c.deadline) {
			return &Stopped{Reason: ErrWall}
		}
		return nil
	case <-c.context.Done():
		return context.Cause(c.context)
	}
}

// watch stops JavaScript that does not stop by itself.
type watch struct {
	mutex sync.Mutex
	vm    *quickjs.VM
	raw   raw
	timer *time.Timer
	// turn counts what was armed, so that a late timer knows that it is late.
	turn  int
	stuck chan struct{}
}

// arm begins to watch.
func (w *watch) arm(vm *quickjs.VM, raw raw, after time.Duration) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.vm, w.raw = vm, raw
	w.turn++
	turn := w.turn
	w.timer = time.AfterFunc(after, func() { w.chase(turn, false) })
}

// disarm ends watching: JavaScript has come back.
func (w *watch) disarm() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.timer.Stop()
	w.vm = nil
	w.turn++
}

// fire stops what is running now.
func (w *watch) fire(interrupt bool) {
	w.mutex.Lock()
	turn, running := w.turn, w.vm != nil
	w.mutex.Unlock()
	if running {
		w.chase(turn, interrupt)
	}
}

// chase makes the engine look at its clock until it has come back, and gives it up after a grace.
func (w *watch) chase(turn int, interrupt bool) {
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		w.mutex.Lock()
		if w.turn != turn {
			w.mutex.Unlock()
			return
		}
		if interrupt {
			w.vm.Interrupt()
		}
		w.raw.hurry()
		given := time.Since(start) > grace
		if given {
			w.turn++
			close(w.stuck)
		}
		w.mutex.Unlock()
		if given {
			return
		}
	}
}
