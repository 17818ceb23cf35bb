package script

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// values are what the layer gives an operation. They may be anything: a script can reach the layer's insides.
type values []any

func (v values) text(n int) (string, error) {
	if n < len(v) {
		if text, ok := v[n].(string); ok {
			return text, nil
		}
	}
	return "", fmt.Errorf("TypeError: value %d is no text", n)
}

// texts returns the first n values, which are texts.
func (v values) texts(n int) (found []string, err error) {
	for i := range n {
		text, err := v.text(i)
		if err != nil {
			return nil, err
		}
		found = append(found, text)
	}
	return found, nil
}

func (v values) number(n int) (float64, error) {
	if n < len(v) {
		switch number := v[n].(type) {
		case int:
			return float64(number), nil
		case float64:
			if !math.IsNaN(number) && !math.IsInf(number, 0) {
				return number, nil
			}
		}
	}
	return 0, fmt.Errorf("TypeError: value %d is no number", n)
}

// whole returns a number that counts something.
func (v values) whole(n int) (int, error) {
	number, err := v.number(n)
	if err != nil || number < 0 || number > math.MaxInt32 {
		return 0, fmt.Errorf("TypeError: value %d is no whole number", n)
	}
	return int(number), nil
}

func (v values) yes(n int) bool {
	if n < len(v) {
		yes, _ := v[n].(bool)
		return yes
	}
	return false
}

func (v values) bytes(n int) ([]byte, error) {
	text, err := v.text(n)
	if err != nil {
		return nil, err
	}
	found, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("TypeError: value %d is no bytes", n)
	}
	return found, nil
}

// operation is something that the layer asks for.
type operation func(i *Instance, v values) (any, error)

// operations are all. What they refuse is an error whose text begins with the name that it has in JavaScript.
var operations map[string]operation

func init() {
	operations = map[string]operation{
		"log":         (*Instance).log,
		"now":         (*Instance).now,
		"random":      random,
		"uuid":        func(*Instance, values) (any, error) { return uuid(), nil },
		"timer":       (*Instance).setTimer,
		"clear":       (*Instance).clearTimer,
		"evaluate":    (*Instance).evaluate,
		"loaded":      func(i *Instance, _ values) (any, error) { i.call.loaded = true; return nil, nil },
		"incoming":    (*Instance).giveIncoming,
		"respond":     (*Instance).respond,
		"failed":      (*Instance).fail,
		"none":        (*Instance).noHandler,
		"waits":       (*Instance).setWaits,
		"fetch":       (*Instance).fetch,
		"abort":       (*Instance).abort,
		"arrival":     (*Instance).giveArrival,
		"body":        (*Instance).giveBody,
		"url":         parseURL,
		"url-set":     setURL,
		"percent":     percent,
		"encode":      encodeText,
		"encoding":    encodingName,
		"decode":      decodeText,
		"decode-part": decodePart,
		"atob":        atob,
		"form":        readForm,
		"subtle":      cipher,
	}
}

// serve is the function that the layer has.
func (i *Instance) serve(given []any) (any, error) {
	name, err := values(given).text(0)
	if err != nil {
		return nil, err
	}
	run, ok := operations[name]
	if !ok {
		return nil, fmt.Errorf("TypeError: the host knows no %.40q", name)
	}
	if i.call == nil {
		return nil, fmt.Errorf("InvalidStateError: no event is on")
	}
	return run(i, given[1:])
}

// now returns the host's time in milliseconds.
func (i *Instance) now(values) (any, error) { return float64(i.host.Now().UnixMicro()) / 1000, nil }

// exceed ends the call for a limit that was gone over.
func (i *Instance) exceed(reason error) error {
	if i.call.exceeded == nil {
		i.call.exceeded = &Stopped{Reason: reason}
	}
	return fmt.Errorf("QuotaExceededError: %w", reason)
}

func (i *Instance) log(v values) (any, error) {
	text, err := v.texts(2)
	if err != nil {
		return nil, err
	}
	level := Level(text[0])
	switch level {
	case Debug, Info, Warn, Error:
	default:
		level = Info
	}
	message := text[1]
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "…"
	}
	c := i.call
	message = i.nameCalled(message)
	c.messages++
	c.logged += len(message)
	switch {
	case c.messages > maxMessages || c.logged > maxLog:
		if c.messages <= maxMessages+1 && c.logged-len(message) <= maxLog {
			i.host.Log(Warn, "the script logs too much: the messages that follow are dropped")
			c.messages = maxMessages + 1
		}
	default:
		i.host.Log(level, message)
	}
	return nil, nil
}

func random(_ *Instance, v values) (any, error) {
	n, err := v.whole(0)
	if err != nil {
		return nil, err
	}
	if n > 65536 {
		return nil, fmt.Errorf("QuotaExceededError: at most 65536 bytes can be asked for at once")
	}
	bytes := make([]byte, n)
	_, _ = rand.Read(bytes)
	return base64.StdEncoding.EncodeToString(bytes), nil
}

// uuid returns a random one, of version 4.
func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (i *Instance) setTimer(v values) (any, error) {
	id, err := v.whole(0)
	if err != nil {
		return nil, err
	}
	after, err := v.number(1)
	if err != nil {
		return nil, err
	}
	if len(i.timers) >= maxTimers {
		return nil, fmt.Errorf("QuotaExceededError: at most %d timers can run at once", maxTimers)
	}
	i.timers.set(id, time.Now().Add(time.Duration(min(max(after, 0), math.MaxInt32))*time.Millisecond))
	return nil, nil
}

func (i *Instance) clearTimer(v values) (any, error) {
	id, err := v.whole(0)
	if err == nil {
		i.timers.clear(id)
	}
	return nil, err
}

// evaluate begins to evaluate the module.
func (i *Instance) evaluate(values) (any, error) {
	if i.code == nil {
		return nil, fmt.Errorf("InvalidStateError: the module has been evaluated")
	}
	code := i.code
	i.code = nil
	return nil, i.raw.evaluate(code)
}

func (i *Instance) noHandler(values) (any, error) {
	if c := i.call; c.answer == nil && c.failed == nil {
		c.failed = &Stopped{Reason: ErrNoHandler}
	}
	return nil, nil
}

func (i *Instance) setWaits(v values) (any, error) {
	n, err := v.whole(0)
	if err == nil {
		i.call.waits = n
	}
	return nil, err
}

// incoming is a request as it crosses.
type incoming struct {
	head, body string
	hasBody    bool
}

// incomingOf makes a request cross.
func incomingOf(request *Request) (incoming, error) {
	if request == nil || request.Method == "" {
		return incoming{}, fmt.Errorf("dispatch to a script: the request has no method")
	}
	headers := request.Header
	if headers == nil {
		headers = [][2]string{}
	}
	head, err := json.Marshal(map[string]any{"method": request.Method, "url": request.URL, "headers": headers})
	if err != nil {
		return incoming{}, err
	}
	return incoming{string(head), base64.StdEncoding.EncodeToString(request.Body), request.Body != nil}, nil
}

func (i *Instance) giveIncoming(v values) (any, error) {
	c := i.call
	switch {
	case !v.yes(0):
		return c.incoming.head, nil
	case !c.incoming.hasBody:
		return nil, nil
	}
	body := c.incoming.body
	c.incoming.body = ""
	return body, nil
}

// respond takes the answer of the script.
func (i *Instance) respond(v values) (any, error) {
	c := i.call
	if c.answer != nil || c.failed != nil {
		return nil, nil
	}
	status, err := v.whole(0)
	if err != nil {
		return nil, err
	}
	if status < 200 || status > 599 {
		return nil, fmt.Errorf("RangeError: the status of an answer is from 200 to 599")
	}
	text, err := v.text(1)
	if err != nil {
		return nil, err
	}
	headers, err := headersOf(text)
	if err != nil {
		return nil, err
	}
	body, err := i.bodyOf(v, 2, i.limits.Answer, ErrAnswer)
	if err != nil {
		return nil, err
	}
	c.answer = &Response{Status: status, Header: headers, Body: body}
	return nil, nil
}

// bodyOf returns the body at n, which is a text or bytes by what the value behind it says. Over the limit it ends the
// call.
func (i *Instance) bodyOf(v values, n int, limit int64, reason error) ([]byte, error) {
	if n >= len(v) || v[n] == nil {
		return nil, nil
	}
	text, err := v.text(n)
	if err != nil {
		return nil, err
	}
	if v.yes(n + 1) {
		if int64(len(text)) > limit {
			return nil, i.exceed(reason)
		}
		return []byte(text), nil
	}
	if int64(base64.StdEncoding.DecodedLen(len(text)))-2 > limit {
		return nil, i.exceed(reason)
	}
	return v.bytes(n)
}

// fail takes the error that the script did not catch.
func (i *Instance) fail(v values) (any, error) {
	c := i.call
	if c.answer != nil || c.failed != nil {
		return nil, nil
	}
	text, err := v.texts(3)
	if err != nil {
		return nil, err
	}
	c.failed = &Thrown{cut(text[0], 200), cut(i.nameThrown(text[1], text[2]), maxMessage),
		cut(trace(text[2]), maxMessage)}
	return nil, nil
}

// cut returns the begin of a text.
func cut(text string, length int) string {
	if len(text) <= length {
		return text
	}
	for length > 0 && !utf8.RuneStart(text[length]) {
		length--
	}
	return text[:length] + "…"
}
