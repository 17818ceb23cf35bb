package script

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// tight are limits under which a hostile script is stopped soon.
func tight() Limits {
	return Limits{
		Processor: 300 * time.Millisecond, Wall: 2 * time.Second, After: 500 * time.Millisecond, Memory: 64 << 20,
		Requests: 10, Answer: 1 << 20,
	}
}

// TestHostileScriptsAreStopped runs what takes time, memory or depth without an end. Each call ends soon, with an error
// that says why or with the script's own, and no function of the engine runs on.
func TestHostileScriptsAreStopped(t *testing.T) {
	const holes = "new Array(2 ** 32 - 1)"
	for name, body := range map[string]string{
		"a loop":              `for (;;);`,
		"a loop that catches": `for (;;) { try { for (;;); } catch {} finally { continue } }`,
		"a getter":            `const o = { get x() { for (;;); } }; JSON.stringify(o)`,
		"a getter of itself":  `const o = { get x() { return this.x } }; return new Response(o.x)`,
		"a loop in toJSON":    `return Response.json({ toJSON() { for (;;); } })`,
		"promises":            `const f = () => Promise.resolve().then(f); await f()`,
		"microtasks":          `const f = () => queueMicrotask(f); f(); await new Promise(() => 0)`,
		"timers":              `const f = () => setTimeout(f); f(); await new Promise(() => 0)`,
		"an interval": `setInterval(() => { for (let i = 0; i < 1e5; i++); });
			await new Promise(() => 0)`,
		"async functions": `const f = async () => { for (;;) await null }; await Promise.all([f(), f(),
			f()])`,
		"a pattern":                 `/(a+)+$/.test("a".repeat(40) + "b")`,
		"a pattern of alternatives": `new RegExp("(a|aa)+$").test("a".repeat(80) + "b")`,
		"thenables":                 `const t = { then(f) { f(t) } }; return t`,
		"a proxy":                   `const p = new Proxy({}, { get: (o, k, r) => r[k] }); p.x`,
		"a generator":               `[...(function* () { for (;;) yield 1 })()]`,
		"recursion":                 `const f = () => f(); f()`,
		"mutual recursion":          `const f = (x) => [x].map(f); f(1)`,
		"toString of itself":        `const o = { toString() { return "" + this } }; "" + o`,
		"deep JSON":                 `JSON.parse("[".repeat(1e6) + "]".repeat(1e6))`,
		"deep lists as JSON":        `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)`,
		"deep lists as text":        `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; String(a)`,
		"deep proxies":              `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x`,
		"deep source":               `eval("(".repeat(1e6))`,
		"deep patterns":             `new RegExp("(?:".repeat(1e6) + ")".repeat(1e6))`,
		"bound again and again":     `let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f()`,
		"10 GB of text": `let s = "x".repeat(1 << 20); const all = []; for (let i = 0; i < 1e4;
			i++) all.push(s + i + s)`,
		"a text of 1 GB":      `"x".repeat(2 ** 30 - 1)`,
		"10 GB of lists":      `const all = []; for (;;) all.push(new Array(1e5).fill(1))`,
		"10 GB of buffers":    `const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))`,
		"one buffer of 10 GB": `new ArrayBuffer(1e10)`,
		"10 GB of blobs":      `let b = new Blob(["x".repeat(1 << 20)]); for (;;) b = new Blob([b, b])`,
		"a stream without an end": `const pull = (c) => c.enqueue(new Uint8Array(1 << 20));
			await new Response(new ReadableStream({ pull })).text()`,
		"a pipe without an end": `const t = new TransformStream(); const w = t.writable.getWriter();
			for (;;) { w.write(new Uint8Array(1 << 16)); await null }`,
		"maps":                     `const m = new Map(); for (;;) m.set({}, 1)`,
		"closures":                 `let f = null; for (;;) { const g = f; f = () => g }`,
		"growing numbers":          `let n = 3n; for (;;) n = n * n`,
		"holes searched":           holes + `.indexOf(1)`,
		"holes searched backwards": holes + `.lastIndexOf(1)`,
		"holes included":           holes + `.includes(1)`,
		"holes turned":             holes + `.reverse()`,
		"holes joined":             holes + `.join()`,
		"holes moved":              holes + `.copyWithin(0, 1)`,
		"holes sorted":             holes + `.sort()`,
		"holes appended":           `[].concat(` + holes + `)`,
		"holes cut":                holes + `.slice(1)`,
		"holes spliced":            holes + `.splice(0, 1)`,
		"holes shifted":            holes + `.shift()`,
		"holes pushed away":        holes + `.unshift(1)`,
		"holes flattened":          `[` + holes + `].flat(9)`,
		"holes mapped flat":        `[1].flatMap(() => ` + holes + `)`,
		"holes visited":            holes + `.forEach(() => 1)`,
		"holes filtered":           holes + `.filter(() => 1)`,
		"holes reduced":            holes + `.reduce(() => 1, 1)`,
		"holes mapped":             `class A extends Array {}; new A(2 ** 32 - 1).map((x) => x)`,
		"a set of holes":           `new Set(` + holes + `)`,
		"holes passed over":        holes + `.values().drop(2 ** 32).next()`,
		"a list that is none":      `Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)`,
		"a length that changes": `let n = 0;
			Array.prototype.includes.call({ get length() { return n++ ? 2 ** 53 - 1 : 1 } }, 1)`,
		"a proxy that lies": `new Proxy([], { get: (t,
			k) => k === "length" ? 2 ** 53 - 1 : t[k] }).indexOf(1)`,
		"a text in a text":           `"ab".repeat(1e6).indexOf("ab".repeat(5e5) + "c")`,
		"a text in a text, from end": `"a".repeat(1e6).lastIndexOf("a".repeat(5e5) + "b")`,
		"a text cut by a text":       `"a".repeat(1e6).split("a".repeat(5e5) + "b")`,
		"a text replaced":            `"a".repeat(1e6).replaceAll("a".repeat(5e5) + "b", "")`,
		"buffers filled":             `const b = new Uint8Array(3e7); for (;;) b.fill(1)`,
		"all of the log":             `for (;;) console.log("x".repeat(1000), { a: [1, { b: 2 }] })`,
		"a clone without an end": `const o = { get x() { return { __proto__: null, ...o,
			y: structuredClone(o) } } }; structuredClone(o)`,
		"rounds without an end": `const k = await crypto.subtle.importKey("raw", new Uint8Array(9), "PBKDF2",
			false, ["deriveBits"]); for (;;) await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256",
			salt: new Uint8Array(9), iterations: 2e5 }, k, 256)`,
		"searching parameters": `const p = new URLSearchParams(); for (;;) p.append("a", "b")`,
		"headers": `const h = new Headers(); for (let i = 0; i < 1e6; i++) h.append("a",
			"x".repeat(100)); return new Response("", { headers: h })`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := start(t, handle(body+"\nreturn new Response('done')"), V2, Host{}, tight())
			from := time.Now()
			response, wait, err := i.Dispatch(t.Context(), get("http://host/v1"))
			if err == nil {
				err = wait(t.Context())
				if string(response.Body) != "done" {
					t.Errorf("answers %.100q", response.Body)
				}
			}
			if took := time.Since(from); took > 15*time.Second {
				t.Errorf("took %v", took)
			}
			stopped, ok := errors.AsType[*Stopped](err)
			if ok && stopped.Stuck {
				t.Errorf("the engine did not come back")
			}
			if thrown, isThrown := errors.AsType[*Thrown](err); err != nil && !ok && (!isThrown || thrown.Name == "") {
				t.Errorf("the error is %v", err)
			}
			t.Log(time.Since(from).Round(time.Millisecond), err)
		})
	}
}

// TestStuckEnginesAreGivenUp holds that a caller goes on when a function of the engine runs on, and that the engine
// comes back.
func TestStuckEnginesAreGivenUp(t *testing.T) {
	i := start(t, handle(`(2n ** 200000n).toString(); return new Response(String((3n ** 600000n)).length)`), V2, Host{},
		Limits{Processor: 50 * time.Millisecond, Wall: time.Second})
	from := time.Now()
	_, _, err := i.Dispatch(t.Context(), get("http://host/v1"))
	if took := time.Since(from); err == nil || took > grace+5*time.Second {
		t.Errorf("%v after %v", err, took)
	}
	if _, _, err := i.Dispatch(t.Context(), get("http://host/v1")); err == nil {
		t.Error("an instance that was stopped runs on")
	}
}

// TestLimitsHaveTheirErrors holds which error a limit is.
func TestLimitsHaveTheirErrors(t *testing.T) {
	host := Host{Fetch: func(ctx context.Context, r *Request) (*Response, error) {
		if strings.HasSuffix(r.URL, "/slow") {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		if strings.HasSuffix(r.URL, "/loop") {
			return &Response{Status: 302, Header: [][2]string{{"Location", r.URL}}}, nil
		}
		return &Response{Status: 200, Body: make([]byte, 20<<20)}, nil
	}}
	for name, test := range map[string]struct {
		body string
		want error
	}{
		"time":             {`for (;;);`, ErrProcessor},
		"waiting":          {`await fetch("https://example.org/slow")`, ErrWall},
		"waiting for none": {`await new Promise(() => 0)`, ErrStalled},
		"memory":           {`const all = []; for (;;) all.push(new ArrayBuffer(1e6))`, ErrMemory},
		"requests":         {`for (;;) { try { await fetch("https://example.org/loop") } catch {} }`, ErrRequests},
		"the host's memory": {`await Promise.all([1, 2, 3, 4].map((n) => fetch("https://example.org/" + n)))`,
			ErrMemory},
		"the answer":        {`return new Response("x".repeat(2 << 20))`, ErrAnswer},
		"bytes":             {`return new Response(new Uint8Array(2 << 20))`, ErrAnswer},
		"a streamed answer": {`return new Response(new Blob([new Uint8Array(2 << 20)]).stream())`, ErrAnswer},
	} {
		limits := tight()
		if test.want == ErrMemory {
			// Large bodies take their time.
			limits.Processor, limits.Wall = 10*time.Second, 20*time.Second
		}
		i := start(t, handle(test.body), V2, host, limits)
		_, _, err := i.Dispatch(t.Context(), get("http://host/v1"))
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
		if i.Broken() == nil {
			t.Errorf("%s: the instance is used on", name)
		}
	}
	i := start(t, handle(`ctx.waitUntil(new Promise((done) => setTimeout(done, 1e6))); return new Response("")`), V2,
		host, tight())
	_, wait, err := i.Dispatch(t.Context(), get("http://host/v1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := wait(t.Context()); !errors.Is(err, ErrWall) {
		t.Errorf("waitUntil without an end: %v", err)
	}
}

// TestScriptsWithoutHandler holds what becomes of scripts that answer nothing.
func TestScriptsWithoutHandler(t *testing.T) {
	for name, test := range map[string]struct {
		runtime Runtime
		source  string
	}{
		"v1 without a listener":   {V1, `let a = 1;`},
		"v1 that does not answer": {V1, `addEventListener("fetch", () => 1);`},
		"v2 without a default":    {V2, `export const a = 1;`},
		"v2 with another default": {V2, `export default { scheduled() {} }`},
	} {
		program, err := Compile(test.source, test.runtime)
		if err != nil {
			t.Fatal(err)
		}
		i, err := program.Start(t.Context(), Host{}, tight())
		if err == nil {
			_, _, err = i.Dispatch(t.Context(), get("http://host/v1"))
			i.Close()
		}
		if !errors.Is(err, ErrNoHandler) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, source := range []string{"await new Promise(() => 0); export default {}", "for (;;);",
		"throw new Error('x')"} {
		program, err := Compile(source, V2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := program.Start(t.Context(), Host{}, tight()); err == nil {
			t.Errorf("%s: it starts", source)
		}
	}
}

// TestModulesMayAwait holds that a module may wait for the host at its top.
func TestModulesMayAwait(t *testing.T) {
	host := Host{Fetch: func(context.Context, *Request) (*Response, error) {
		return &Response{Status: 200, Body: []byte("from outside")}, nil
	}}
	i := start(t, `await new Promise((done) => setTimeout(done, 5));
		const text = await (await fetch("https://example.org")).text();
		export default { fetch: () => new Response(text) }`, V2, host, tight())
	if got := string(send(t, i, get("http://host/v1")).Body); got != "from outside" {
		t.Errorf("got %q", got)
	}
}

// games replace what the layer stands on.
const games = `
	Object.prototype.status = 999; Object.prototype.toJSON = () => "evil"; Object.prototype.then = undefined;
	Array.prototype[Symbol.iterator] = function* () { yield "evil"; };
	Array.prototype.map = Array.prototype.filter = Array.prototype.push = () => ["evil"];
	String.prototype.toWellFormed = () => "evil"; String.prototype.toLowerCase = () => "evil\r\nx: y";
	Map.prototype.get = Map.prototype.set = () => { throw new Error("evil") };
	WeakMap.prototype.get = () => ({ data: "evil" });
	Uint8Array.prototype.toBase64 = () => "evil"; Uint8Array.fromBase64 = () => "evil";
	Promise.prototype.then = function (a) { a && a("evil"); return this }; Promise.resolve = (x) => x;
	JSON.parse = JSON.stringify = () => "evil"; Function.prototype.call = Function.prototype.apply = () => "evil";
	Reflect.apply = () => "evil"; globalThis.Response = globalThis.Headers = class {};
	Object.defineProperty(globalThis, "self", { value: null });
`

// TestPrototypeGamesHarmTheirScriptAlone holds that whatever a script does to the language, the host gets an answer
// that is one or an error, and the next instance knows nothing of it.
func TestPrototypeGamesHarmTheirScriptAlone(t *testing.T) {
	var sent []*Request
	host := Host{Fetch: func(_ context.Context, r *Request) (*Response, error) {
		sent = append(sent, r)
		return &Response{Status: 200}, nil
	}}
	for n, line := range append(strings.Split(strings.TrimSpace(games), ";"), games) {
		for _, body := range []string{
			`return new Response("fine", { headers: { a: "b" } })`,
			`await fetch("https://example.org/", { method: "POST", headers: { a: "b" }, body: "x" });
				return new Response("")`,
		} {
			limits := tight()
			limits.Processor = 100 * time.Millisecond
			program, err := Compile(line+"\n;"+handle(body), V2)
			if err != nil {
				continue
			}
			i, err := program.Start(t.Context(), host, limits)
			if err != nil {
				continue
			}
			r, wait, err := i.Dispatch(t.Context(), get("http://host/v1"))
			if err == nil {
				_ = wait(t.Context())
				if r.Status < 200 || r.Status > 599 {
					t.Errorf("%d: the status is %d", n, r.Status)
				}
				for _, each := range r.Header {
					if strings.ContainsAny(each[0]+each[1], "\r\n") {
						t.Errorf("%d: the header %q", n, each)
					}
				}
			}
			i.Close()
		}
	}
	for _, r := range sent {
		if !strings.HasPrefix(r.URL, "https://example.org/") && r.URL != "evil" {
			t.Errorf("asked %q", r.URL)
		}
	}
	got := evaluate(t, `return new Response([typeof {}.status, [1].map(String)[0], JSON.stringify({})].join())`)
	if got != "undefined,1,{}" {
		t.Errorf("another instance has %q", got)
	}
}

// TestHeadersAreNotSmuggled holds that what leaves is made of headers that are ones.
func TestHeadersAreNotSmuggled(t *testing.T) {
	var sent *Request
	host := Host{Fetch: func(_ context.Context, r *Request) (*Response, error) {
		sent = r
		return &Response{Status: 200, Header: [][2]string{{"bad name", "x"}, {"Fine", "ü"}, {"bad", "a\r\nb"}}}, nil
	}}
	i := start(t, handle(`
		const errors = [];
		for (const [name, value] of [["a\r\nb", "c"], ["a", "b\r\nHost: evil"], ["a:", "b"], ["", "b"], ["a", "\0"],
			["ü", "b"]]) {
			try { new Headers([[name, value]]); } catch (e) { errors.push(e.name); }
		}
		const answer = await fetch("https://example.org/", { headers: { host: "evil", "content-length": "9",
			"transfer-encoding": "chunked", connection: "x", te: "x", "X-Fine": " y " } });
		return new Response(errors.join() + [...answer.headers], { headers: { "transfer-encoding": "chunked",
			fine: "z" } });
	`), V2, host, tight())
	r := send(t, i, get("http://host/v1"))
	if want := "TypeError,TypeError,TypeError,TypeError,TypeError,TypeErrorfine,Ã¼"; string(r.Body) != want {
		t.Errorf("got %q", r.Body)
	}
	const plain = "[[fine z] [content-type text/plain;charset=UTF-8]]"
	if fmt.Sprint(sent.Header) != "[[x-fine y]]" || fmt.Sprint(r.Header) != plain {
		t.Errorf("sent %q, answered %q", sent.Header, r.Header)
	}
}

// TestNothingCrosses holds that two instances of one program share nothing, and that one sees its own.
func TestNothingCrosses(t *testing.T) {
	const source = `
		globalThis.count = (globalThis.count ?? 0) + 1; Array.prototype.mark ??= "none";
		let pending; const seen = new Promise((done) => { pending = done });
		export default { async fetch(request) {
			const who = new URL(request.url).searchParams.get("who");
			if ([].mark === "none") { Array.prototype.mark = who; globalThis.secret = who; }
			pending(who);
			return new Response([count, [].mark, secret, await seen].join());
		} }`
	program, err := Compile(source, V2)
	if err != nil {
		t.Fatal(err)
	}
	var all [2]*Instance
	for n := range all {
		if all[n], err = program.Start(t.Context(), Host{}, tight()); err != nil {
			t.Fatal(err)
		}
		defer all[n].Close()
	}
	for turn := range 2 {
		for n, i := range all {
			who := fmt.Sprintf("w%d", n)
			got := string(send(t, i, get("http://host/?who="+who)).Body)
			if want := "1," + who + "," + who + "," + who; got != want {
				t.Errorf("turn %d: %q, want %q", turn, got, want)
			}
		}
	}
}

// TestWhatIsLeftOfACallEnds holds that timers and requests of one event do not reach into the next.
func TestWhatIsLeftOfACallEnds(t *testing.T) {
	var open atomic.Int32
	var logged []string
	host := Host{
		Fetch: func(ctx context.Context, r *Request) (*Response, error) {
			open.Add(1)
			defer open.Add(-1)
			<-ctx.Done()
			return nil, ctx.Err()
		},
		Log: func(_ Level, message string) { logged = append(logged, message) },
	}
	i := start(t, `let first = true, kept;
		export default { async fetch() {
			if (first) {
				first = false;
				setTimeout(() => console.log("the timer of another event"), 20);
				kept = fetch("https://example.org/");
				return new Response("1");
			}
			const error = await kept.catch((e) => e.name);
			await new Promise((done) => setTimeout(done, 60));
			return new Response(error);
		} }`, V2, host, tight())
	send(t, i, get("http://host/"))
	if got := string(send(t, i, get("http://host/")).Body); got != "AbortError" {
		t.Errorf("got %q", got)
	}
	if len(logged) > 0 {
		t.Errorf("logged %q", logged)
	}
	for end := time.Now().Add(5 * time.Second); open.Load() > 0; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("the request is still open")
		}
	}
}

// TestContextsEndCalls holds that a call ends with its context.
func TestContextsEndCalls(t *testing.T) {
	for _, body := range []string{"for (;;);", "await new Promise((done) => setTimeout(done, 1e6))"} {
		i := start(t, handle(body), V2, Host{}, Limits{})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		from := time.Now()
		_, _, err := i.Dispatch(ctx, get("http://host/"))
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(from) > 3*time.Second || i.Broken() == nil {
			t.Errorf("%s: %v after %v", body, err, time.Since(from))
		}
	}
}
