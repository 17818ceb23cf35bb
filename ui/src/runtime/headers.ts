// Headers: names in lower case, in order of names, values apart where they may not be joined.

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function nameOf(value: unknown): string {
  const name = String(value);
  if (!token.test(name)) {
    throw new TypeError(`${JSON.stringify(name.slice(0, 100))} is no name of a header`);
  }
  return name.toLowerCase();
}

function valueOf(value: unknown): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0 || unit === 10 || unit === 13 || unit > 255) {
      throw new TypeError("the value of a header holds a character that it may not hold");
    }
  }
  return text;
}

export type Pairs = [string, string][];

/** All pairs, as they were added. */
export let listOf: (headers: Headers) => Pairs;
/** Makes headers that cannot be changed any more. */
export let fix: (headers: Headers) => void;

export class Headers {
  #list: Pairs = [];
  #fixed = false;

  constructor(init?: HeadersInit | Headers | null) {
    if (init === undefined) {
      return;
    }
    if (init === null || (typeof init !== "object" && typeof init !== "function")) {
      throw new TypeError("headers are an object or a list of pairs");
    }
    const iterate = (init as { [Symbol.iterator]?: unknown })[Symbol.iterator];
    if (typeof iterate === "function") {
      for (const pair of init as Iterable<Iterable<unknown>>) {
        const both = [...pair];
        if (both.length !== 2) {
          throw new TypeError("a pair of a header is a name and a value");
        }
        this.append(both[0] as string, both[1] as string);
      }
      return;
    }
    for (const name of Reflect.ownKeys(init)) {
      if (Reflect.getOwnPropertyDescriptor(init, name)?.enumerable) {
        this.append(name as string, (init as Record<string, string>)[name as string] as string);
      }
    }
  }

  append(name: string, value: string): void {
    const pair: [string, string] = [nameOf(name), valueOf(value)];
    this.#change();
    this.#list.push(pair);
  }

  delete(name: string): void {
    const known = nameOf(name);
    this.#change();
    this.#list = this.#list.filter((pair) => pair[0] !== known);
  }

  get(name: string): string | null {
    const known = nameOf(name);
    const values = this.#list.filter((pair) => pair[0] === known).map((pair) => pair[1]);
    return values.length === 0 ? null : values.join(", ");
  }

  getSetCookie(): string[] {
    return this.#list.filter((pair) => pair[0] === "set-cookie").map((pair) => pair[1]);
  }

  has(name: string): boolean {
    const known = nameOf(name);
    return this.#list.some((pair) => pair[0] === known);
  }

  set(name: string, value: string): void {
    const known = nameOf(name);
    const text = valueOf(value);
    this.#change();
    const at = this.#list.findIndex((pair) => pair[0] === known);
    if (at < 0) {
      this.#list.push([known, text]);
      return;
    }
    this.#list = this.#list.filter((pair, i) => pair[0] !== known || i === at);
    (this.#list[at] as [string, string])[1] = text;
  }

  forEach(run: (value: string, name: string, all: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) {
      run.call(self, value, name, this);
    }
  }

  *entries(): Generator<[string, string]> {
    for (let i = 0; ; i++) {
      const pair = this.#sorted()[i];
      if (!pair) {
        return;
      }
      yield [pair[0], pair[1]];
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

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }

  #sorted(): Pairs {
    const names = [...new Set(this.#list.map((pair) => pair[0]))].sort();
    return names.flatMap((name): Pairs =>
      name === "set-cookie"
        ? this.getSetCookie().map((value): [string, string] => [name, value])
        : [[name, this.get(name) as string]],
    );
  }

  #change(): void {
    if (this.#fixed) {
      throw new TypeError("these headers cannot be changed");
    }
  }

  static {
    listOf = (headers) => headers.#list.map((pair) => [pair[0], pair[1]]);
    fix = (headers) => {
      headers.#fixed = true;
    };
  }
}
