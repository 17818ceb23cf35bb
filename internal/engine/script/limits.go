package script

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// Limits bound one call of a script: a start, a dispatch, or the work after one.
type Limits struct {
	// Processor is how long the script may run, without the time in which it waits. A machine that has much else to do
	// counts that, too, as the engine's clock is the wall's.
	Processor time.Duration
	// Wall is how long it may take until the answer, and After how long waitUntil may take on.
	Wall, After time.Duration
	// Memory is what the engine may take in bytes, and what Go may hold of bodies that come and go.
	Memory int64
	// Requests is how many requests it may send, redirects among them.
	Requests int
	// Answer is the largest body of an answer in bytes.
	Answer int64
}

// DefaultLimits are those that suit an integration.
func DefaultLimits() Limits {
	return Limits{
		Processor: 5 * time.Second, Wall: 30 * time.Second, After: 30 * time.Second,
		Memory: 128 << 20, Requests: 50, Answer: 10 << 20,
	}
}

// or replaces what is not set by the default.
func (l Limits) or(d Limits) Limits {
	set := func(value *time.Duration, other time.Duration) {
		if *value <= 0 {
			*value = other
		}
	}
	set(&l.Processor, d.Processor)
	set(&l.Wall, d.Wall)
	set(&l.After, d.After)
	if l.Memory <= 0 {
		l.Memory = d.Memory
	}
	if l.Requests <= 0 {
		l.Requests = d.Requests
	}
	if l.Answer <= 0 {
		l.Answer = d.Answer
	}
	return l
}

// Limits that are the same for every script.
const (
	// maxTimers is how many timers may run at once.
	maxTimers = 1000
	// maxMessages and maxLog are how many messages a call may log, and how many bytes all of them have.
	maxMessages, maxLog = 500, 256 << 10
	// maxMessage is the largest message in bytes.
	maxMessage = 16 << 10
	// maxHeaders and maxHeader are how many headers a message may have, and how many bytes all of them.
	maxHeaders, maxHeader = 200, 64 << 10
	// maxRedirects is how many redirects a request may follow.
	maxRedirects = 20
	// maxAddress is the longest address of a request.
	maxAddress = 32 << 10
	// grace is how long a function of the engine may run on after a script was stopped, before the engine is given up.
	grace = 2 * time.Second
)

// What ends a call. The error of a call is a *Stopped whose Reason is one of them, so that errors.Is finds it.
var (
	ErrProcessor = errors.New("the script ran for too long")
	ErrWall      = errors.New("the script took too long to answer")
	ErrMemory    = errors.New("the script took too much memory")
	ErrRequests  = errors.New("the script sent too many requests")
	ErrAnswer    = errors.New("the answer of the script is too large")
	// ErrNoHandler is of a script that does not answer requests: it has no listener or no default export with fetch, or
	// nobody responded.
	ErrNoHandler = errors.New("the script does not handle the event")
	// ErrStalled is of a script that waits for something that cannot come: no request and no timer is on its way.
	ErrStalled = errors.New("the script waits for something that never comes")
	// ErrClosed is of an instance that was closed or has been broken before.
	ErrClosed = errors.New("the script has been ended")
)

// Stopped says that a call was ended, and where the script was when that is known.
type Stopped struct {
	Reason error
	Stack  string
	// Stuck says that a function of the engine did not come back in time. It still runs on one processor, and its
	// memory comes back when it ends: whoever runs such a script again should wait.
	Stuck bool
}

// Error returns the reason, and the first place of the stack.
func (s *Stopped) Error() string {
	if at, _, _ := strings.Cut(strings.TrimSpace(s.Stack), "\n"); at != "" {
		return s.Reason.Error() + " " + at
	}
	return s.Reason.Error()
}

// Unwrap returns the reason.
func (s *Stopped) Unwrap() error { return s.Reason }

// Thrown is an error that the script threw and did not catch, or a promise of the answer that was rejected.
type Thrown struct {
	Name, Message string
	// Stack has a line for each function, as "at name (script:line:column)".
	Stack string
}

// Error returns the name and the message, and the first place of the stack.
func (t *Thrown) Error() string {
	text := t.Name + ": " + t.Message
	if at, _, _ := strings.Cut(strings.TrimSpace(t.Stack), "\n"); at != "" {
		text += " " + at
	}
	return text
}

// layerLine is the first line of the layer, which stands behind any line that a script has: places in it are not shown.
const layerLine = MaxSource + 1

// trace makes a stack of the engine one of the script.
func trace(stack string) string {
	var b strings.Builder
	for line := range strings.Lines(stack) {
		line = strings.TrimSpace(line)
		// What the error says, at the head, is known.
		if !strings.HasPrefix(line, "at ") || strings.Contains(line, "(native)") || inLayer(line) {
			continue
		}
		if b.Len() > maxMessage {
			break
		}
		line = strings.ReplaceAll(line, "at <eval> (<eval>:", "at (script:")
		b.WriteString(strings.ReplaceAll(line, "<eval>", "script"))
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// inLayer reports whether a line of a stack is of the layer.
func inLayer(line string) bool {
	_, place, found := strings.Cut(line, "<eval>:")
	if !found {
		return false
	}
	var number int
	_, err := fmt.Sscanf(place, "%d", &number)
	return err == nil && number >= layerLine
}

// recovered makes an error of a panic in the engine.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the engine failed: %v\n%s", p, debug.Stack())
	}
}
