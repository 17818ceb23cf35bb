// Request and Response.
import { Body, hand, sourceOf, split, type Source } from "./body";
import { AbortSignal } from "./events";
import { fix, Headers } from "./headers";
import { json, type Bytes } from "./host";
import { absolute, URL } from "./url";

const never = AbortSignal.any([]);
const upper = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]);

function methodOf(value: unknown): string {
  const method = String(value);
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(method)) {
    throw new TypeError("that is no method of a request");
  }
  const known = method.toUpperCase();
  if (known === "CONNECT" || known === "TRACE" || known === "TRACK") {
    throw new TypeError(`the method ${known} cannot be used`);
  }
  return upper.has(known) ? known : method;
}

interface Init {
  method?: string;
  headers?: HeadersInit | Headers;
  body?: unknown;
  signal?: AbortSignal | null;
  redirect?: string;
  [more: string]: unknown;
}

export class Request extends Body {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly redirect: string;
  readonly cache: string;
  readonly credentials: string;
  readonly mode: string;
  readonly referrer: string;
  readonly referrerPolicy: string;
  readonly integrity: string;
  readonly keepalive: boolean;
  readonly destination: string = "";

  constructor(input: unknown, init: Init = {}) {
    if (arguments.length === 0) {
      throw new TypeError("a Request needs an address");
    }
    const given = init ?? {};
    const from = input instanceof Request ? input : null;
    const url = from ? from.url : absolute(input);
    if (url === null) {
      throw new TypeError(`Invalid URL: ${String(input).slice(0, 200)}`);
    }
    if (!from && /^[a-z]+:\/\/[^/?#]*@/.test(url)) {
      throw new TypeError("an address with a user or a password in it cannot be asked");
    }
    const method = given.method === undefined ? (from?.method ?? "GET") : methodOf(given.method);
    const redirect = String(given.redirect ?? from?.redirect ?? "follow");
    if (redirect !== "follow" && redirect !== "error" && redirect !== "manual") {
      throw new TypeError("redirect is follow, error or manual");
    }
    const headers = new Headers(given.headers ?? from?.headers);
    const own = given.body !== undefined && given.body !== null;
    if ((method === "GET" || method === "HEAD") && own) {
      throw new TypeError("a request with GET or HEAD has no body");
    }
    const source: Source = own ? sourceOf(given.body) : from ? hand(from) : sourceOf(null);
    if (source.type !== null && !headers.has("content-type")) {
      headers.set("content-type", source.type);
    }
    super(source);
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.redirect = redirect;
    const signal = given.signal === undefined ? from?.signal : given.signal;
    this.signal = signal ? AbortSignal.any([signal]) : never;
    this.cache = String(given.cache ?? from?.cache ?? "default");
    this.credentials = String(given.credentials ?? from?.credentials ?? "same-origin");
    this.mode = String(given.mode ?? from?.mode ?? "cors");
    this.referrer = String(given.referrer ?? from?.referrer ?? "about:client");
    this.referrerPolicy = String(given.referrerPolicy ?? from?.referrerPolicy ?? "");
    this.integrity = String(given.integrity ?? from?.integrity ?? "");
    this.keepalive = !!(given.keepalive ?? from?.keepalive ?? false);
  }

  get duplex(): string {
    return "half";
  }

  clone(): Request {
    const { held, stream } = split(this);
    const body = stream ?? held;
    const { method, headers, redirect, signal } = this;
    const made = new Request(this.url, { method, headers, redirect, signal, body });
    if (held !== null && !headers.has("content-type")) {
      made.headers.delete("content-type");
    }
    return made;
  }
}

interface ResponseOptions {
  status?: number;
  statusText?: string;
  headers?: HeadersInit | Headers;
}

const empty = new Set([101, 103, 204, 205, 304]);

/** What only the host says of an answer. */
interface Facts {
  url: string;
  redirected: boolean;
  type: string;
}

/** An answer from outside. */
export let answer: (
  body: Bytes | null,
  status: number,
  headers: [string, string][],
  url: string,
  redirected: boolean,
) => Response;

export class Response extends Body {
  readonly headers: Headers;
  readonly status: number;
  readonly statusText: string;
  #facts: Facts = { url: "", redirected: false, type: "default" };

  constructor(body: unknown = null, options: ResponseOptions = {}) {
    const { status = 200, statusText = "", headers } = options ?? {};
    const code = Math.trunc(Number(status));
    if (!(code >= 200 && code <= 599)) {
      throw new RangeError("the status of a Response is from 200 to 599");
    }
    const source = sourceOf(body);
    if (empty.has(code) && (source.held !== null || source.stream !== null)) {
      throw new TypeError(`a Response with the status ${code} has no body`);
    }
    super(source);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(statusText))) {
      throw new TypeError("statusText holds a character that it may not hold");
    }
    this.headers = new Headers(headers);
    this.status = code;
    this.statusText = String(statusText);
    if (source.type !== null && !this.headers.has("content-type")) {
      this.headers.set("content-type", source.type);
    }
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get url(): string {
    return this.#facts.url;
  }

  get redirected(): boolean {
    return this.#facts.redirected;
  }

  get type(): string {
    return this.#facts.type;
  }

  clone(): Response {
    const { held, stream } = split(this);
    const { status, statusText, headers } = this;
    const made = Response.#make(stream ?? held, status, statusText, headers, this.#facts);
    return made;
  }

  static error(): Response {
    const made = Response.#make(null, 0, "", undefined, { url: "", redirected: false, type: "error" });
    fix(made.headers);
    return made;
  }

  static redirect(address: unknown, status: number = 302): Response {
    const location = new URL(address).href;
    const code = Math.trunc(Number(status));
    if (![301, 302, 303, 307, 308].includes(code)) {
      throw new RangeError("the status of a redirect is 301, 302, 303, 307 or 308");
    }
    const made = new Response(null, { status: code, headers: [["location", location]] });
    fix(made.headers);
    return made;
  }

  static json(value: unknown, options: ResponseOptions = {}): Response {
    const text = json.stringify(value);
    if (text === undefined) {
      throw new TypeError("the value cannot be written as JSON");
    }
    const headers = new Headers(options?.headers);
    if (!headers.has("content-type")) {
      headers.set("content-type", "application/json");
    }
    return new Response(text, { ...options, headers });
  }

  static #make(body: unknown, status: number, text: string, headers: HeadersInit | Headers | undefined, facts: Facts) {
    const made = new Response(body, headers ? { headers } : {});
    if (headers && !new Headers(headers).has("content-type")) {
      made.headers.delete("content-type");
    }
    Object.defineProperty(made, "status", { value: status, enumerable: true });
    Object.defineProperty(made, "statusText", { value: text, enumerable: true });
    made.#facts = facts;
    return made;
  }

  static {
    answer = (body, status, headers, url, redirected) => {
      const list = headers as unknown as HeadersInit;
      const made = Response.#make(body, status, "", list, { url, redirected, type: "basic" });
      fix(made.headers);
      return made;
    };
  }
}
