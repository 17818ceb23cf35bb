package script

import (
	"encoding/json"
	"strings"
	"testing"
)

// checks runs expressions of JavaScript in one instance and compares each with a value, as JSON.
func checks(t *testing.T, table [][2]string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("const out = [];\n")
	for _, each := range table {
		b.WriteString("try { out.push(JSON.stringify(await (async () => { " + statement(each[0]) +
			" })()) ?? 'undefined') } catch (e) { out.push('!' + e.name + ': ' + e.message + e.stack) }\n")
	}
	b.WriteString("return Response.json(out)")
	var got []string
	if err := json.Unmarshal([]byte(evaluate(t, b.String())), &got); err != nil {
		t.Fatal(err)
	}
	for n, each := range table {
		want, compare := each[1], got[n]
		if strings.HasPrefix(want, "!") {
			compare, _, _ = strings.Cut(compare, ":")
		}
		if compare != want {
			t.Errorf("%s\n is %s\nnot %s", each[0], got[n], want)
		}
	}
}

// statement makes a return of what has none.
func statement(code string) string {
	if strings.Contains(code, "return ") || strings.Contains(code, "; ") || strings.Contains(code, ";\n") {
		return code
	}
	return "return (" + code + ")"
}

func TestGlobals(t *testing.T) {
	checks(t, [][2]string{
		{`self === globalThis`, `true`},
		{`["process","window","require","global","std","os","print","__host","__enter","module","exports","Deno","Bun",
			"__dirname","scriptArgs","bjson"].filter((n) => n in globalThis)`, `[]`},
		{`["AbortController","AbortSignal","Blob","CryptoKey","CustomEvent","DOMException","Event","EventTarget","File",
			"FormData","Headers","ReadableStream","Request","Response","TextDecoder","TextDecoderStream","TextEncoder",
			"TextEncoderStream","TransformStream","URL","URLSearchParams","WritableStream","addEventListener","atob",
			"btoa","clearInterval","clearTimeout","console","crypto","fetch","performance","queueMicrotask",
			"setInterval",			"setTimeout","structuredClone"].filter((n) => !(n in globalThis))`, `[]`},
		{`Object.keys(globalThis)`, `[]`},
		{`Object.prototype.toString.call(new Headers()) + URL.name + String(new Request("https://a.b"))`,
			`"[object Headers]URL[object Request]"`},
		{`Math.random() !== Math.random() && Math.random() < 1`, `true`},
		{`typeof performance.now() + (new Date() instanceof Date) + new Date(5).getTime() + typeof Date.now()`,
			`"numbertrue5number"`},
		{`Number.isInteger(Date.now()) && typeof BigInt(Date.now()) && Date.now.name + Date.now.length`, `"now0"`},
		{`Math.abs(new Date() - Date.now()) < 1000 && typeof Date() === "string" && new Date(2020, 1).getFullYear()`,
			`2020`},
		{`let whole = true; for (let i = 0; i < 50; i++) { whole &&= Number.isInteger(Date.now()) &&
			Number.isInteger(+new Date()); await new Promise((d) => setTimeout(d, 0)) }
			return whole && typeof BigInt(Date.now())`, `"bigint"`},
		{`btoa("\u00ff\u0000a")`, `"/wBh"`},
		{`btoa("€")`, `!InvalidCharacterError`},
		{`atob(" /wB h ")`, `"ÿ\u0000a"`},
		{`atob("a")`, `!InvalidCharacterError`},
		{`[atob("YQ=="), atob("YQ"), atob("")]`, `["a","a",""]`},
		{`const o = []; const t = setTimeout((x) => o.push(x), 1, "late"); clearTimeout(setTimeout(() => o.push("no"),
			1));
			queueMicrotask(() => o.push("micro")); await new Promise((d) => setTimeout(d, 5)); return o`,
			`["micro","late"]`},
		{`let n = 0; await new Promise((d) => { const i = setInterval(() => { if (++n === 3) { clearInterval(i); d();
			} }, 1) });
			await new Promise((d) => setTimeout(d, 5)); return n`, `3`},
	})
}

func TestAddresses(t *testing.T) {
	checks(t, [][2]string{
		{`new URL("../b?x#y", "https://user:pw@EXAMPLE.org:443/a/c").href`, `"https://user:pw@example.org/b?x#y"`},
		{`new URL("nothing")`, `!TypeError`},
		{`[URL.canParse("nothing"), URL.canParse("b", "https://a.b"), URL.parse("x"), URL.parse("a:b").protocol]`,
			`[false,true,null,"a:"]`},
		{`const u = new URL("https://a.b/?q=1"); u.searchParams.append("ü", "a b&"); u.hash = "h"; return u.href`,
			`"https://a.b/?q=1&%C3%BC=a+b%26#h"`},
		{`const u = new URL("https://a.b/?q=1"); const p = u.searchParams; u.search = "?z=2"; return [p.get("z"),
			p.get("q")]`,
			`["2",null]`},
		{`JSON.stringify({ u: new URL("https://münchen.de/") })`, `"{\"u\":\"https://xn--mnchen-3ya.de/\"}"`},
		{`new URLSearchParams("a=%F0%9F%98%80&b=%ff&c=1+2&d").toString()`, `"a=%F0%9F%98%80&b=%EF%BF%BD&c=1+2&d="`},
		{`new URLSearchParams({ a: "1", b: "\ud800" }).toString() + [...new URLSearchParams([["x", "y"]])]`,
			`"a=1&b=%EF%BF%BDx,y"`},
		{`const p = new URLSearchParams("b=1&a=2&b=3"); p.sort(); p.delete("b", "1"); return [p.toString(), p.has("b",
			"3"), p.size]`,
			`["a=2&b=3",true,2]`},
		{`new URLSearchParams("!'()*-._~ ").toString()`, `"%21%27%28%29*-._%7E+="`},
	})
}

func TestMessages(t *testing.T) {
	checks(t, [][2]string{
		{`const h = new Headers({ b: "1", A: " 2 " }); h.append("b", "3"); h.append("Set-Cookie", "x");
			h.append("set-cookie", "y");
			return [[...h], h.get("B"), h.getSetCookie()]`,
			`[[["a","2"],["b","1, 3"],["set-cookie","x"],["set-cookie","y"]],"1, 3",["x","y"]]`},
		{`const r = Response.redirect("https://a.b/c", 307); return [r.status, r.headers.get("location"), r.ok]`,
			`[307,"https://a.b/c",false]`},
		{`Response.redirect("https://a.b/c", 200)`, `!RangeError`},
		{`const r = Response.json({ a: 1 }, { status: 201 }); return [r.status, r.headers.get("content-type"),
			await r.json()]`,
			`[201,"application/json",{"a":1}]`},
		{`[Response.error().type, Response.error().status]`, `["error",0]`},
		{`new Response("", { status: 204 })`, `!TypeError`},
		{`new Response("", { status: 199 })`, `!RangeError`},
		{`const r = new Response("abc"); const c = r.clone(); return [await r.text(), await c.text(), r.bodyUsed,
			c.type]`,
			`["abc","abc",true,"default"]`},
		{`const r = new Response("abc"); await r.text(); await r.text()`, `!TypeError`},
		{`const r = new Response(new Blob(["a", new Uint8Array([255, 0])]).stream()); const c = r.clone();
			return [[...await r.bytes()], [...new Uint8Array(await c.arrayBuffer())]]`, `[[97,255,0],[97,255,0]]`},
		{`const parts = []; for await (const part of new Response("héllo").body) parts.push(...part); return parts`,
			`[104,195,169,108,108,111]`},
		{`const r = new Request("https://a.b", { method: "post", body: new URLSearchParams({ x: "1 2" }),
			headers: { k: "v" } });
			const c = new Request(r, { headers: { z: "1" } });
			return [r.method, r.bodyUsed, c.method, [...c.headers], await c.text()]`,
			`["POST",true,"POST",[["z","1"]],"x=1+2"]`},
		{`new Request("https://a.b", { body: "x" })`, `!TypeError`},
		{`new Request("https://u:p@a.b")`, `!TypeError`},
		{`const f = new FormData(); f.append("a", "1\n2"); f.append("f", new Blob([new Uint8Array([0, 255, 13, 10])],
			{ type: "x/y" }), 'n"m');
			const back = await new Response(f).formData(); const g = back.get("f");
			return [back.get("a"), g.name, g.type, [...await g.bytes()], g instanceof File]`,
			`["1\r\n2","n\"m","x/y",[0,255,13,10],true]`},
		{`[...await new Response(new URLSearchParams("a=b&c=%20")).formData()]`, `[["a","b"],["c"," "]]`},
		{`new Response("x").formData()`, `!TypeError`},
		{`const b = new Blob(["ab", new Blob(["c"]), new Uint8Array([100])], { type: "A/B" });
			return [b.size, b.type, await b.text(), await b.slice(1, -1).text()]`, `[4,"a/b","abcd","bc"]`},
		{`const c = new AbortController(); c.abort(); await fetch("https://a.b", { signal: c.signal })`, `!AbortError`},
		{`const e = await new Promise((d) => AbortSignal.timeout(5).addEventListener("abort",
			(e) => d(e.target.reason.name))); return e`,
			`"TimeoutError"`},
		{`const c = new AbortController(); const s = AbortSignal.any([c.signal, AbortSignal.timeout(1e6)]);
			c.abort("why"); return [s.aborted, s.reason]`, `[true,"why"]`},
		{`const t = new EventTarget(); let n = ""; t.addEventListener("a", { handleEvent(e) { n += e.type } },
			{ once: true });
			t.addEventListener("a", (e) => { n += e.detail; e.preventDefault() });
			t.dispatchEvent(new CustomEvent("a", { detail: 1 }));
			return [n, t.dispatchEvent(new CustomEvent("a", { detail: 2, cancelable: true })), n]`,
			`["a1",false,"a12"]`},
		{`const e = new DOMException("m", "AbortError"); return [e.name, e.code, e.message, e instanceof Error,
			DOMException.ABORT_ERR]`,
			`["AbortError",20,"m",true,20]`},
		{`fetch("ftp://a.b")`, `!TypeError`},
		{`(await fetch("https://a.b").catch((e) => e)) instanceof TypeError`, `true`},
	})
}

func TestTexts(t *testing.T) {
	checks(t, [][2]string{
		{`[...new TextEncoder().encode("a€\ud800😀")]`, `[97,226,130,172,239,191,189,240,159,152,128]`},
		{`const b = new Uint8Array(5); const r = new TextEncoder().encodeInto("a€€", b); return [r, [...b]]`,
			`[{"read":2,"written":4},[97,226,130,172,0]]`},
		{`new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 97, 0xf0, 0x9f, 0x98, 98, 0xed, 0xa0, 0x80]))`,
			`"a�b���"`},
		{`new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))`, `!TypeError`},
		{`new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf])).length`, `1`},
		{`const d = new TextDecoder(); return d.decode(new Uint8Array([0xf0, 0x9f]), { stream: true }) +
			d.decode(new Uint8Array([0x98, 0x80]), { stream: true }) + d.decode(new Uint8Array([0xe2]),
				{ stream: true }) + d.decode()`,
			`"😀�"`},
		{`new TextDecoder("utf-16").decode(new Uint8Array([0xff, 0xfe, 0x3d, 0xd8, 0x00, 0xde, 0x61, 0]))`, `"😀a"`},
		{`new TextDecoder("utf-16be").decode(new Uint8Array([0, 0x61, 0xd8]))`, `"a�"`},
		{`new TextDecoder("utf-16be").decode(new Uint8Array([0, 0x61, 0xd8, 0x37, 0x78]))`, `"a�"`},
		{`const d = new TextDecoder("utf-16le"); return d.decode(new Uint8Array([0x3d]), { stream: true }) +
			d.decode(new Uint8Array([0xd8]), { stream: true }) + d.decode(new Uint8Array([0, 0xde]),
				{ stream: true })`, `"😀"`},
		{`[new TextDecoder("latin1").decode(new Uint8Array([0x80, 0xe9])), new TextDecoder("ASCII").encoding]`,
			`["€é","windows-1252"]`},
		{`new TextDecoder("nothing")`, `!RangeError`},
		{`const s = new Blob(["a€", "😀"]).stream().pipeThrough(new TextDecoderStream());
			let t = ""; for await (const p of s) t += p; return t`, `"a€😀"`},
		{`const e = new TextEncoderStream(); const w = e.writable.getWriter(); w.write("\ud83d"); w.write("\ude00");
			w.close();
			return [...await new Response(e.readable).bytes()]`, `[240,159,152,128]`},
	})
}

func TestClones(t *testing.T) {
	checks(t, [][2]string{
		{`const a = { d: new Date(5), r: /x/gi, m: new Map([[{ k: 1 }, new Set([1])]]), u: new Uint16Array([1,
			65535]), e: new RangeError("m") };
			a.self = a; const b = structuredClone(a);
			return [b !== a, b.self === b, b.d.getTime(), b.r.flags, [...b.m][0][0].k, [...b.m][0][1].has(1), [...b.u],
				b.e instanceof RangeError, b.e.message, b.d !== a.d]`,
			`[true,true,5,"gi",1,true,[1,65535],true,"m",true]`},
		{`structuredClone(() => 1)`, `!DataCloneError`},
		{`structuredClone({ a: Symbol("x") })`, `!DataCloneError`},
		{`structuredClone(new WeakMap())`, `!DataCloneError`},
		{`structuredClone(Promise.resolve())`, `!DataCloneError`},
		{`const buffer = new ArrayBuffer(4); const v = { a: new Uint8Array(buffer), b: new DataView(buffer, 1) };
			const c = structuredClone(v); return [c.a.buffer === c.b.buffer, c.b.byteOffset, c.a.buffer !== buffer]`,
			`[true,1,true]`},
		{`const b = new ArrayBuffer(4); const c = structuredClone(b, { transfer: [b] }); return [b.byteLength,
			c.byteLength]`, `[0,4]`},
		{`const l = [1, , 3]; l.x = 1; const c = structuredClone(l); return [c.length, 1 in c, c.x,
			Array.isArray(c)]`, `[3,false,1,true]`},
		{`let d = {}; const top = d; for (let i = 0; i < 1e5; i++) d = d.a = {}; structuredClone(top); return 1`, `1`},
		{`structuredClone(new DOMException("m",
			"AbortError")).name + structuredClone(Object(7n)) + structuredClone(null) +
			(await structuredClone(new Blob(["x"])).text())`, `"AbortError7nullx"`},
		{`class A { constructor() { this.x = 1 } } ; const c = structuredClone(new A()); return [c.x,
			c instanceof A]`, `[1,false]`},
	})
}

func TestStreams(t *testing.T) {
	checks(t, [][2]string{
		{`const t = new TransformStream({ transform(c, k) { k.enqueue(c * 2) } });
			const w = t.writable.getWriter(); w.write(1); w.write(2); w.close();
			const out = []; for await (const v of t.readable) out.push(v); return out`, `[2,4]`},
		{`const [a, b] = new ReadableStream({ start(c) { c.enqueue("x"); c.close() } }).tee();
			return [(await a.getReader().read()).value, (await b.getReader().read()).value]`, `["x","x"]`},
		{`const s = new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode("data: 1\n\n"));
			setTimeout(() => c.close(), 2) } });
			return (await new Response(s, { headers: { "content-type": "text/event-stream" } }).text())`,
			`"data: 1\n\n"`},
		{`return new Response(new ReadableStream({ start(c) { c.enqueue("text"); c.close() } })).text()`, `!TypeError`},
		{`const s = new ReadableStream(); s.getReader(); new Response(s)`, `!TypeError`},
		{`const r = new Response("abc").body.getReader({ mode: "byob" });
			const { value } = await r.read(new Uint8Array(2));
			return [...value]`, `[97,98]`},
		{`const seen = [];
			await new Blob(["ab"]).stream().pipeTo(new WritableStream({ write(c) { seen.push(...c) } })); return seen`,
			`[97,98]`},
	})
}

func TestCryptography(t *testing.T) {
	const helpers = `const hex = (b) => [...new Uint8Array(b)].map((x) => x.toString(16).padStart(2, "0")).join("");
		const text = (s) => new TextEncoder().encode(s); const s = crypto.subtle; `
	pair := func(algorithm, use string) string {
		return helpers + `const k = await s.generateKey(` + algorithm + `, true, ["sign", "verify"]);
			const signature = await s.sign(` + use + `, k.privateKey, text("m"));
			const open = await s.importKey("jwk", await s.exportKey("jwk", k.publicKey), ` + algorithm + `, true,
				["verify"]);
			const own = await s.importKey("pkcs8", await s.exportKey("pkcs8", k.privateKey), ` + algorithm + `, true,
				["sign"]);
			const again = await s.importKey("jwk", await s.exportKey("jwk", own), ` + algorithm + `, true, ["sign"]);
			const other = await s.sign(` + use + `, again, text("m"));
			return [await s.verify(` + use + `, open, signature, text("m")), await s.verify(` + use + `, open, other,
				text("m")),
				await s.verify(` + use + `, open, signature, text("n"))]`
	}
	crypt := func(algorithm, use string) string {
		return helpers + `const k = await s.generateKey(` + algorithm + `, true, ["encrypt", "decrypt"]);
			const c = await s.encrypt(` + use + `, k, text("secret words"));
			const again = await s.importKey("jwk", await s.exportKey("jwk", k), ` + algorithm + `, true, ["decrypt"]);
			return new TextDecoder().decode(await s.decrypt(` + use + `, again, c))`
	}
	const rsa = `modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256"`
	const fine = `[true,true,false]`
	checks(t, [][2]string{
		{helpers + `return hex(await s.digest("SHA-256", text("abc")))`,
			`"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"`},
		{helpers + `return [hex(await s.digest({ name: "sha-1" }, text(""))), (await s.digest("SHA-384",
			text(""))).byteLength,
			(await s.digest("SHA-512", text(""))).byteLength]`, `["da39a3ee5e6b4b0d3255bfef95601890afd80709",48,64]`},
		{helpers + `return s.digest("MD5", text(""))`, `!NotSupportedError`},
		// RFC 4231, test case 2.
		{helpers + `const k = await s.importKey("raw", text("Jefe"), { name: "HMAC", hash: "SHA-256" }, false,
			["sign", "verify"]);
			const m = await s.sign("HMAC", k, text("what do ya want for nothing?"));
			return [hex(m), await s.verify("HMAC", k, m, text("what do ya want for nothing?")), await s.verify("HMAC",
				k, m, text("x")), k.algorithm]`,
			`["5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",true,false,` +
				`{"name":"HMAC","hash":{"name":"SHA-256"},"length":32}]`},
		{helpers + `const k = await s.importKey("raw", text("k"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
			return s.exportKey("raw", k)`, `!InvalidAccessError`},
		{helpers + `const k = await s.importKey("raw", text("k"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
			return s.verify("HMAC", k, text("x"), text("x"))`, `!InvalidAccessError`},
		{helpers + `const k = await s.importKey("raw", text("k"), { name: "HMAC", hash: "SHA-256" }, false, [])`,
			`!SyntaxError`},
		{pair(`{ name: "RSASSA-PKCS1-v1_5", `+rsa+` }`, `"RSASSA-PKCS1-v1_5"`), fine},
		{pair(`{ name: "RSA-PSS", `+rsa+` }`, `{ name: "RSA-PSS", saltLength: 32 }`), fine},
		{pair(`{ name: "ECDSA", namedCurve: "P-256" }`, `{ name: "ECDSA", hash: "SHA-256" }`), fine},
		{pair(`{ name: "ECDSA", namedCurve: "P-521" }`, `{ name: "ECDSA", hash: { name: "SHA-512" } }`), fine},
		{pair(`"Ed25519"`, `"Ed25519"`), fine},
		{crypt(`{ name: "AES-GCM", length: 256 }`, `{ name: "AES-GCM", iv: new Uint8Array(12),
			additionalData: text("x") }`), `"secret words"`},
		{crypt(`{ name: "AES-CBC", length: 128 }`, `{ name: "AES-CBC", iv: new Uint8Array(16) }`), `"secret words"`},
		{crypt(`{ name: "AES-CTR", length: 192 }`, `{ name: "AES-CTR", counter: new Uint8Array(16), length: 64 }`),
			`"secret words"`},
		{helpers + `const k = await s.generateKey({ name: "RSA-OAEP", ` + rsa + ` }, false, ["encrypt", "decrypt"]);
			const c = await s.encrypt({ name: "RSA-OAEP", label: text("l") }, k.publicKey, text("words"));
			return new TextDecoder().decode(await s.decrypt({ name: "RSA-OAEP", label: text("l") }, k.privateKey,
				c))`, `"words"`},
		{helpers + `const g = await s.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt", "decrypt"]);
			const c = new Uint8Array(await s.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, g, text("x")));
				c[0] ^= 1;
			return s.decrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, g, c)`, `!OperationError`},
		// RFC 3394, section 4.1.
		{helpers + `const bytes = (h) => Uint8Array.fromHex(h);
			const by = await s.importKey("raw", bytes("000102030405060708090A0B0C0D0E0F"), "AES-KW", false,
				["wrapKey", "unwrapKey"]);
			const k = await s.importKey("raw", bytes("00112233445566778899AABBCCDDEEFF"), "AES-GCM", true, ["encrypt"]);
			const w = await s.wrapKey("raw", k, by, "AES-KW");
			const u = await s.unwrapKey("raw", w, by, "AES-KW", "AES-GCM", true, ["encrypt"]);
			return [hex(w), hex(await s.exportKey("raw", u))]`,
			`["1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5","00112233445566778899aabbccddeeff"]`},
		// RFC 6070 with SHA-1, and RFC 5869 test case 1.
		{helpers + `const k = await s.importKey("raw", text("password"), "PBKDF2", false, ["deriveBits", "deriveKey"]);
			const b = await s.deriveBits({ name: "PBKDF2", hash: "SHA-1", salt: text("salt"), iterations: 2 }, k, 160);
			const d = await s.deriveKey({ name: "PBKDF2", hash: "SHA-256", salt: text("salt"), iterations: 2 }, k,
				{ name: "AES-GCM", length: 256 }, true, ["encrypt"]);
			return [hex(b), (await s.exportKey("raw", d)).byteLength]`,
			`["ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957",32]`},
		{helpers + `const k = await s.importKey("raw", new Uint8Array(22).fill(11), "HKDF", false, ["deriveBits"]);
			return hex(await s.deriveBits({ name: "HKDF", hash: "SHA-256",
				salt: Uint8Array.fromHex("000102030405060708090a0b0c"),
				info: Uint8Array.fromHex("f0f1f2f3f4f5f6f7f8f9") }, k, 336))`,
			`"3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"`},
		{helpers + `const make = (a) => s.generateKey(a, true, ["deriveBits"]); const out = [];
			for (const a of [{ name: "ECDH", namedCurve: "P-384" }, "X25519"]) {
				const [one, two] = [await make(a), await make(a)]; const name = a.name ?? a;
				const raw = await s.importKey("raw", await s.exportKey("raw", two.publicKey), a, true, []);
				out.push(hex(await s.deriveBits({ name, public: raw }, one.privateKey, 256)) ===
					hex(await s.deriveBits({ name, public: one.publicKey }, two.privateKey, 256)));
			} return out`, `[true,true]`},
		{`const a = crypto.getRandomValues(new Uint8Array(64)); return [a.some((x) => x > 0),
			crypto.randomUUID().length]`, `[true,36]`},
		{`crypto.getRandomValues(new Float32Array(1))`, `!TypeMismatchError`},
		{`crypto.getRandomValues(new Uint8Array(65537))`, `!QuotaExceededError`},
	})
}
