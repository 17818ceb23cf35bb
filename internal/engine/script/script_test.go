package script

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// start compiles and starts a script.
func start(t testing.TB, source string, runtime Runtime, host Host, limits Limits) *Instance {
	t.Helper()
	program, err := Compile(source, runtime)
	if err != nil {
		t.Fatal(err)
	}
	// The start has time, on a machine that has much else to do.
	i, err := program.Start(t.Context(), host, Limits{Memory: limits.Memory})
	if err != nil {
		t.Fatal(err)
	}
	i.limits = limits.or(DefaultLimits())
	t.Cleanup(i.Close)
	return i
}

// handle makes a module of the body of a fetch handler.
func handle(body string) string {
	return "export default { async fetch(request, env, ctx) {\n" + body + "\n} }"
}

// send dispatches a request and lets the work after it end.
func send(t testing.TB, i *Instance, request *Request) *Response {
	t.Helper()
	response, wait, err := i.Dispatch(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if err := wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return response
}

func get(address string) *Request { return &Request{Method: "GET", URL: address} }

// evaluate runs the body of a handler in an instance of its own and returns the text of its answer.
func evaluate(t testing.TB, body string) string {
	t.Helper()
	// A machine that is busy with other tests takes its time.
	limits := Limits{Processor: time.Minute, Wall: time.Minute}
	return string(send(t, start(t, handle(body), V2, Host{}, limits), get("https://example.org/v1")).Body)
}

func TestBothRuntimesAnswer(t *testing.T) {
	classic := `addEventListener("fetch", (e) => { e.respondWith(Promise.resolve(
		new Response("v1 " + e.request.method + " " + new URL(e.request.url).pathname, {status: 201}))); })`
	module := handle(`return new Response("v2 " + request.method + " " + new URL(request.url).pathname, {status: 201})`)
	for runtime, source := range map[Runtime]string{V1: classic, V2: module} {
		i := start(t, source, runtime, Host{}, Limits{})
		for range 3 {
			r := send(t, i, &Request{Method: "POST", URL: "http://host/v1", Body: []byte("x")})
			if want := string(runtime) + " POST /v1"; string(r.Body) != want || r.Status != 201 {
				t.Errorf("%d %q, want %q", r.Status, r.Body, want)
			}
		}
	}
}

func TestFetchGoesThroughTheHost(t *testing.T) {
	var asked []string
	host := Host{Fetch: func(_ context.Context, r *Request) (*Response, error) {
		asked = append(asked, r.Method+" "+r.URL+" "+string(r.Body))
		if strings.HasSuffix(r.URL, "/none") {
			return nil, errors.New("nobody is there")
		}
		return &Response{Status: 200, Header: [][2]string{{"X-From", "outside"}}, Body: []byte(`{"a":1}`)}, nil
	}}
	i := start(t, handle(`
		const one = await fetch("https://example.org/a", { method: "POST", body: JSON.stringify({ b: 2 }) });
		let error = "";
		try { await fetch("https://example.org/none"); } catch (e) { error = e.name + ": " + e.message; }
		return Response.json({ from: one.headers.get("x-from"), json: await one.json(), url: one.url, error });
	`), V2, host, Limits{})
	r := send(t, i, get("http://host/v1"))
	want := `{"from":"outside","json":{"a":1},"url":"https://example.org/a",` +
		`"error":"TypeError: fetch failed: nobody is there"}`
	if string(r.Body) != want {
		t.Errorf("got %s\nwant %s", r.Body, want)
	}
	if got := strings.Join(asked, "|"); got != `POST https://example.org/a {"b":2}|GET https://example.org/none ` {
		t.Errorf("asked %s", got)
	}
}

func TestWaitUntilGoesOnAfterTheAnswer(t *testing.T) {
	var logged []string
	host := Host{Log: func(level Level, message string) { logged = append(logged, string(level)+" "+message) }}
	i := start(t, handle(`
		ctx.waitUntil(new Promise((done) => setTimeout(() => { console.warn("later", 1, { a: [2] }); done(); }, 20)));
		return new Response("now");
	`), V2, host, Limits{})
	r, wait, err := i.Dispatch(t.Context(), get("http://host/v1"))
	if err != nil || string(r.Body) != "now" || len(logged) > 0 {
		t.Fatalf("%v %v %v", r, err, logged)
	}
	if err := wait(t.Context()); err != nil || strings.Join(logged, "|") != "warn later 1 { a: [2] }" {
		t.Fatalf("%v %q", err, logged)
	}
}

func TestMultipartDispatch(t *testing.T) {
	body := strings.ReplaceAll(`--b
Content-Disposition: form-data; name="event"

{"type":"fetch","x":"ü"}
--b
Content-Disposition: form-data; name="fetch-body"; filename="blob"
Content-Type: application/octet-stream

`+"\x00\xff\x80\r\n\xfe"+`
--b--
`, "\n", "\r\n")
	body = strings.ReplaceAll(body, "\r\r\n", "\r\n")
	i := start(t, handle(`
		const form = await request.formData();
		const file = form.get("fetch-body");
		const bytes = new Uint8Array(await file.arrayBuffer());
		return new Response(form.get("event") + [...bytes] + file.type + file.name);
	`), V2, Host{}, Limits{})
	r := send(t, i, &Request{Method: "POST", URL: "http://host/v1", Body: []byte(body),
		Header: [][2]string{{"content-type", "multipart/form-data; boundary=b"}}})
	want := `{"type":"fetch","x":"ü"}0,255,128,13,10,254application/octet-streamblob`
	if string(r.Body) != want {
		t.Errorf("got %q, want %q", r.Body, want)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	i := start(t, "const f = () => {\n  throw new RangeError('no');\n};\n"+handle("f()"), V2, Host{}, Limits{})
	_, _, err := i.Dispatch(t.Context(), get("http://host/v1"))
	thrown, ok := errors.AsType[*Thrown](err)
	if !ok || thrown.Name != "RangeError" || thrown.Message != "no" {
		t.Fatalf("got %#v", err)
	}
	if want := "at f (script:2:23)\nat fetch (script:5:2)"; thrown.Stack != want {
		t.Errorf("the stack is\n%s, want\n%s", thrown.Stack, want)
	}
	if i.Broken() != nil {
		t.Errorf("an error of the script broke the instance: %v", i.Broken())
	}
	_, err = Compile("let a = 1;\nlet b = = 2;", V2)
	if err == nil || !strings.Contains(err.Error(), "line 2, column 9") {
		t.Errorf("got %v", err)
	}
}

// Authors log error.stack, and look for the message in it.
func TestStacksBeginWithTheMessage(t *testing.T) {
	for body, want := range map[string]string{
		`new Error("gone")`: "Error: gone\n",
		`TypeError("gone")`: "TypeError: gone\n",
		`new (class Lost extends RangeError {})("gone")`: "RangeError: gone\n",
		`new DOMException("gone", "AbortError")`:         "AbortError: gone\n",
		`await fetch("nowhere").catch((e) => e)`:         "TypeError: ",
		`new AggregateError([1], "all")`:                 "AggregateError: all\n",
		// What the engine throws by itself.
		`{ try { return null.x } catch (e) { return e } }`: "TypeError: cannot read property 'x' of null\n",
		`{ try { absent() } catch (e) { return e } }`:      "ReferenceError: 'absent' is not defined\n",
		`{ try { (void 0)() } catch (e) { return e } }`:    "TypeError: not a function\n",
		`{ try { new Array(-1) } catch (e) { return e } }`: "RangeError: invalid array length\n",
		`await (async () => null.x)().catch((e) => e)`:     "TypeError: cannot read property 'x' of null\n",
		`{ try { null.x } catch (e) { e.name = "Lost"; throw_(e); return e } }
			function throw_(e) { e.message = "gone" }`: "Lost: gone\n",
	} {
		i := start(t, "const f = async () => "+body+";\n"+handle("return new Response((await f()).stack)"), V2, Host{},
			Limits{})
		got := string(send(t, i, get("http://host/v1")).Body)
		first, places, _ := strings.Cut(got, "\n")
		if !strings.HasPrefix(got, want) || strings.Contains(places, first) || !strings.Contains(places, "at f (") {
			t.Errorf("the stack of %s is\n%s", body, got)
		}
	}
	i := start(t, handle(`let e; try { null.x } catch (thrown) { e = thrown }
		const get = Object.getOwnPropertyDescriptor(Error.prototype, "stack").get;
		const copy = structuredClone(e).stack === e.stack, before = e.stack;
		e.stack = "mine";
		return Response.json([copy, before.startsWith("TypeError: "), e.stack, Object.keys(e), Error.prototype.stack,
			get.call({}), get.call(1), Object.create(e).stack, typeof __places])`), V2, Host{}, Limits{})
	if got := string(send(t, i, get("http://host/v1")).Body); got !=
		`[true,true,"mine",[],null,null,null,"mine","undefined"]` {
		t.Errorf("a stack is %s", got)
	}
	i = start(t, handle(`const e = new TypeError("x"); return Response.json([e instanceof TypeError, e instanceof Error,
		e.constructor === TypeError, Object.getPrototypeOf(TypeError) === Error, TypeError.name, Object.keys(e),
		(() => { try { null.x } catch (e) { return e.constructor === TypeError && e instanceof TypeError } })(),
		new Error("a", { cause: 1 }).cause])`), V2, Host{}, Limits{})
	if got := string(send(t, i, get("http://host/v1")).Body); got != `[true,true,true,true,"TypeError",[],true,1]` {
		t.Errorf("errors are %s", got)
	}
}

func TestLoopsAreStopped(t *testing.T) {
	for name, body := range map[string]string{
		"sync":     "for (;;);",
		"promises": "const f = () => Promise.resolve().then(f); await f();",
		"timers":   "const f = () => setTimeout(f, 0); f(); await new Promise(() => 0);",
	} {
		i := start(t, handle(body), V2, Host{}, Limits{Processor: 200 * time.Millisecond, Wall: time.Second})
		from := time.Now()
		_, _, err := i.Dispatch(t.Context(), get("http://host/v1"))
		if !errors.Is(err, ErrProcessor) && !errors.Is(err, ErrWall) {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(from); took > 3*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if i.Broken() == nil {
			t.Errorf("%s: the instance is not broken", name)
		}
	}
}
