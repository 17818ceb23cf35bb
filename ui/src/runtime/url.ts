// URL and URLSearchParams. Go parses addresses as the WHATWG has it.
import { hostText, json, scalar } from "./host";
import { asked } from "./errors";

interface Parts {
  href: string;
  origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
}

function parse(address: unknown, base: unknown): Parts | null {
  const text = base === undefined ? hostText("url", scalar(address)) : hostText("url", scalar(address), scalar(base));
  return text === "" ? null : (json.parse(text) as Parts);
}

/** The absolute form of an address, or null. */
export const absolute = (address: unknown): string | null => parse(address, undefined)?.href ?? null;

export class URL {
  #parts: Parts;
  #params: URLSearchParams | null = null;

  constructor(address: unknown, base?: unknown) {
    if (arguments.length === 0) {
      throw new TypeError("a URL needs an address");
    }
    const parts = parse(address, base);
    if (!parts) {
      const error = new TypeError("Invalid URL") as TypeError & { code: string; input: string };
      error.code = "ERR_INVALID_URL";
      error.input = String(address);
      throw error;
    }
    this.#parts = parts;
  }

  static canParse(address: unknown, base?: unknown): boolean {
    return parse(address, base) !== null;
  }

  static parse(address: unknown, base?: unknown): URL | null {
    return parse(address, base) === null ? null : new URL(address, base);
  }

  get href(): string {
    return this.#parts.href;
  }

  set href(value: string) {
    const parts = parse(value, undefined);
    if (!parts) {
      throw new TypeError("Invalid URL");
    }
    this.#parts = parts;
    this.#read();
  }

  get origin(): string {
    return this.#parts.origin;
  }

  get protocol(): string {
    return this.#parts.protocol;
  }

  set protocol(value: string) {
    this.#set("protocol", value);
  }

  get username(): string {
    return this.#parts.username;
  }

  set username(value: string) {
    this.#set("username", value);
  }

  get password(): string {
    return this.#parts.password;
  }

  set password(value: string) {
    this.#set("password", value);
  }

  get host(): string {
    return this.#parts.host;
  }

  set host(value: string) {
    this.#set("host", value);
  }

  get hostname(): string {
    return this.#parts.hostname;
  }

  set hostname(value: string) {
    this.#set("hostname", value);
  }

  get port(): string {
    return this.#parts.port;
  }

  set port(value: string) {
    this.#set("port", value);
  }

  get pathname(): string {
    return this.#parts.pathname;
  }

  set pathname(value: string) {
    this.#set("pathname", value);
  }

  get search(): string {
    return this.#parts.search;
  }

  set search(value: string) {
    this.#set("search", value);
    this.#read();
  }

  get hash(): string {
    return this.#parts.hash;
  }

  set hash(value: string) {
    this.#set("hash", value);
  }

  get searchParams(): URLSearchParams {
    if (!this.#params) {
      this.#params = new URLSearchParams(this.#parts.search);
      follow(this.#params, (text) => this.#set("search", text));
    }
    return this.#params;
  }

  toString(): string {
    return this.#parts.href;
  }

  toJSON(): string {
    return this.#parts.href;
  }

  #set(part: string, value: unknown): void {
    this.#parts = json.parse(asked(() => hostText("url-set", this.#parts.href, part, scalar(value)))) as Parts;
  }

  #read(): void {
    if (this.#params) {
      refill(this.#params, this.#parts.search);
    }
  }
}

type Pair = [string, string];

const hex = "0123456789ABCDEF";
const plain = /^[A-Za-z0-9*\-._]$/;

/** A text as forms write it. */
function write(text: string): string {
  let written = "";
  for (const character of text) {
    if (plain.test(character)) {
      written += character;
    } else if (character === " ") {
      written += "+";
    } else {
      const code = encodeURIComponent(character);
      if (code.length > 1) {
        written += code;
        continue;
      }
      const unit = character.charCodeAt(0);
      written += "%" + hex[unit >> 4] + hex[unit & 15];
    }
  }
  return written;
}

function read(text: string): Pair[] {
  const from = text.startsWith("?") ? text.slice(1) : text;
  const pairs: Pair[] = [];
  for (const part of from.split("&")) {
    if (part !== "") {
      const at = part.indexOf("=");
      pairs.push([decode(at < 0 ? part : part.slice(0, at)), at < 0 ? "" : decode(part.slice(at + 1))]);
    }
  }
  return pairs;
}

function decode(part: string): string {
  const spaced = part.replaceAll("+", " ");
  return spaced.includes("%") ? hostText("percent", spaced) : spaced;
}

let follow: (params: URLSearchParams, changed: (text: string) => void) => void;
let refill: (params: URLSearchParams, text: string) => void;

export class URLSearchParams {
  #pairs: Pair[] = [];
  #changed: ((text: string) => void) | null = null;

  constructor(init: unknown = "") {
    if (typeof init !== "object" && typeof init !== "function") {
      this.#pairs = read(scalar(init));
      return;
    }
    if (init === null) {
      this.#pairs = read("null");
      return;
    }
    const iterate = (init as { [Symbol.iterator]?: unknown })[Symbol.iterator];
    if (iterate !== undefined && iterate !== null) {
      if (typeof iterate !== "function") {
        throw new TypeError("the parameters cannot be gone through");
      }
      for (const pair of init as Iterable<Iterable<unknown>>) {
        const both = [...pair];
        if (both.length !== 2) {
          throw new TypeError("a pair of a parameter is a name and a value");
        }
        this.#pairs.push([scalar(both[0]), scalar(both[1])]);
      }
      return;
    }
    const record = new Map<string, string>();
    for (const name of Reflect.ownKeys(init)) {
      if (Reflect.getOwnPropertyDescriptor(init, name)?.enumerable) {
        record.set(scalar(name), scalar((init as Record<string, unknown>)[name as string]));
      }
    }
    this.#pairs = [...record];
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: unknown, value: unknown): void {
    this.#pairs.push([scalar(name), scalar(value)]);
    this.#tell();
  }

  delete(name: unknown, value?: unknown): void {
    const known = scalar(name);
    const only = value === undefined ? null : scalar(value);
    this.#pairs = this.#pairs.filter((pair) => pair[0] !== known || (only !== null && pair[1] !== only));
    this.#tell();
  }

  get(name: unknown): string | null {
    const known = scalar(name);
    return this.#pairs.find((pair) => pair[0] === known)?.[1] ?? null;
  }

  getAll(name: unknown): string[] {
    const known = scalar(name);
    return this.#pairs.filter((pair) => pair[0] === known).map((pair) => pair[1]);
  }

  has(name: unknown, value?: unknown): boolean {
    const known = scalar(name);
    const only = value === undefined ? null : scalar(value);
    return this.#pairs.some((pair) => pair[0] === known && (only === null || pair[1] === only));
  }

  set(name: unknown, value: unknown): void {
    const known = scalar(name);
    const text = scalar(value);
    const at = this.#pairs.findIndex((pair) => pair[0] === known);
    if (at < 0) {
      this.#pairs.push([known, text]);
    } else {
      (this.#pairs[at] as Pair)[1] = text;
      this.#pairs = this.#pairs.filter((pair, i) => pair[0] !== known || i === at);
    }
    this.#tell();
  }

  sort(): void {
    this.#pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#tell();
  }

  forEach(run: (value: string, name: string, all: URLSearchParams) => void, self?: unknown): void {
    if (typeof run !== "function") {
      throw new TypeError("forEach needs a function");
    }
    for (const [name, value] of this) {
      run.call(self, value, name, this);
    }
  }

  *entries(): Generator<Pair> {
    for (let i = 0; i < this.#pairs.length; i++) {
      const [name, value] = this.#pairs[i] as Pair;
      yield [name, value];
    }
  }

  *keys(): Generator<string> {
    for (const [name] of this.entries()) {
      yield name;
    }
  }

  *values(): Generator<string> {
    for (const [, value] of this.entries()) {
      yield value;
    }
  }

  [Symbol.iterator](): Generator<Pair> {
    return this.entries();
  }

  toString(): string {
    return this.#pairs.map((pair) => `${write(pair[0])}=${write(pair[1])}`).join("&");
  }

  #tell(): void {
    this.#changed?.(this.toString());
  }

  static {
    follow = (params, changed) => {
      params.#changed = changed;
    };
    refill = (params, text) => {
      params.#pairs = read(text);
    };
  }
}
