// Bounds of what the engine does in one go. It looks at its limits at calls and loops of JavaScript, never inside one
// function of its own, and some of those run for as long as a length says: new Array(2 ** 32 - 1).indexOf(1) is minutes
// without a look. What is cheap goes straight to the engine; the rest goes through functions of JavaScript, where the
// engine looks. Nothing here changes what a script sees but the time it takes.

type Method = (this: unknown, ...values: unknown[]) => unknown;

const { apply, construct, get, has } = Reflect;
const { isArray } = Array;
const NativeProxy = Proxy;
const NativeSet = Set;
const lists = new WeakSet<object>();
const { add: remember, has: knows } = WeakSet.prototype;

/** Arrays longer than this hold no more than holes: an engine has no memory for so many values. */
const longest = 2 ** 24;

/** An array of the engine whose length is what it says, and not too long. */
const cheap = (value: unknown): boolean =>
  isArray(value) && !apply(knows, lists, [value]) && value.length <= longest;

/** Stands for a list, and has the engine call JavaScript at each step. Its length is asked for once. */
function careful(list: object): object {
  let length: unknown;
  let asked = false;
  return new NativeProxy(list, {
    get(target, name) {
      if (name !== "length") {
        return get(target, name);
      }
      if (!asked) {
        length = get(target, name);
        asked = true;
      }
      return length;
    },
    set: (target, name, value) => Reflect.set(target, name, value),
    has: (target, name) => has(target, name),
    deleteProperty: (target, name) => Reflect.deleteProperty(target, name),
  });
}

const guarded = (value: unknown): unknown =>
  typeof value !== "object" || value === null || cheap(value) ? value : careful(value);

function replace(target: object, name: PropertyKey, make: (native: Method) => Method): void {
  const native = get(target, name) as Method & { length: number };
  const made = make(native);
  Object.defineProperty(made, "name", { value: native.name, configurable: true });
  Object.defineProperty(made, "length", { value: native.length, configurable: true });
  Object.defineProperty(target, name, { value: made, writable: true, configurable: true });
}

const walked = [
  "copyWithin", "every", "fill", "filter", "forEach", "includes", "indexOf", "join", "lastIndexOf", "map", "reduce",
  "reduceRight", "reverse", "shift", "slice", "some", "splice", "toLocaleString", "unshift",
];
for (const name of walked) {
  replace(Array.prototype, name, (native) => ({
    method(this: unknown, ...values: unknown[]): unknown {
      if (cheap(this) || typeof this !== "object" || this === null) {
        return apply(native, this, values);
      }
      const stands = careful(this);
      const answer = apply(native, stands, values);
      return answer === stands ? this : answer;
    },
  }).method);
}

replace(Array.prototype, "concat", (native) => ({
  method(this: unknown, ...values: unknown[]): unknown {
    if (cheap(this)) {
      let fine = true;
      for (let i = 0; i < values.length; i++) {
        const value = values[i];
        fine &&= typeof value !== "object" || value === null || cheap(value);
      }
      if (fine) {
        return apply(native, this, values);
      }
    }
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      values[i] = spreads(value) ? guarded(value) : value;
    }
    return apply(native, spreads(this) ? guarded(this) : this, values);
  },
}).method);

function spreads(value: unknown): boolean {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const wanted = (value as { [Symbol.isConcatSpreadable]?: unknown })[Symbol.isConcatSpreadable];
  return wanted === undefined ? isArray(value) : !!wanted;
}

/** A list within lists has a length of its own, so flattening is done here. */
function flatten(into: unknown[], list: ArrayLike<unknown>, depth: number): void {
  const length = Math.min(Math.max(Math.trunc(Number(list.length)) || 0, 0), Number.MAX_SAFE_INTEGER);
  for (let i = 0; i < length; i++) {
    if (i in list) {
      const value = list[i];
      if (depth > 0 && isArray(value)) {
        flatten(into, value, depth - 1);
      } else {
        into[into.length] = value;
      }
    }
  }
}

replace(Array.prototype, "flat", () => ({
  method(this: unknown, depth?: unknown): unknown {
    const made: unknown[] = [];
    flatten(made, Object(this) as ArrayLike<unknown>, depth === undefined ? 1 : Math.trunc(Number(depth)) || 0);
    return made;
  },
}).method);

replace(Array.prototype, "flatMap", () => ({
  method(this: unknown, run: unknown, self?: unknown): unknown {
    if (typeof run !== "function") {
      throw new TypeError("flatMap needs a function");
    }
    const made: unknown[] = [];
    const list = Object(this) as ArrayLike<unknown>;
    const length = Math.min(Math.max(Math.trunc(Number(list.length)) || 0, 0), Number.MAX_SAFE_INTEGER);
    for (let i = 0; i < length; i++) {
      if (i in list) {
        const value: unknown = apply(run, self, [list[i], i, this]);
        if (isArray(value)) {
          flatten(made, value, 0);
        } else {
          made[made.length] = value;
        }
      }
    }
    return made;
  },
}).method);

/** Without a function that compares, a list of millions is sorted in one go. */
function compare(a: unknown, b: unknown): number {
  const one = String(a);
  const other = String(b);
  return one < other ? -1 : one > other ? 1 : 0;
}
for (const name of ["sort", "toSorted"]) {
  replace(Array.prototype, name, (native) => ({
    method(this: unknown, by?: unknown): unknown {
      if (!cheap(this) && typeof this === "object" && this !== null) {
        const stands = careful(this);
        const answer = apply(native, stands, [by]);
        return answer === stands ? this : answer;
      }
      const many = isArray(this) && this.length > 10000;
      return apply(native, this, [many && by === undefined ? compare : by]);
    },
  }).method);
}

// Lists behind a proxy look like lists of the engine, whose length they may lie about.
function GuardedProxy(this: unknown, target: object, handler: ProxyHandler<object>): object {
  if (!new.target) {
    throw new TypeError("Proxy is called with new");
  }
  const made = new NativeProxy(target, handler);
  if (isArray(target)) {
    apply(remember, lists, [made]);
  }
  return made;
}
Object.defineProperty(GuardedProxy, "name", { value: "Proxy", configurable: true });
const { revocable } = NativeProxy;
Object.defineProperty(GuardedProxy, "revocable", {
  value: (target: object, handler: ProxyHandler<object>) => {
    const made = revocable(target, handler);
    if (isArray(target)) {
      apply(remember, lists, [made.proxy]);
    }
    return made;
  },
  writable: true,
  configurable: true,
});
Object.defineProperty(globalThis, "Proxy", { value: GuardedProxy, writable: true, configurable: true });

/** The values of a list, one by one in JavaScript. */
function* each(list: ArrayLike<unknown>): Generator {
  for (let i = 0; i < list.length; i++) {
    yield list[i];
  }
}

// A set of a list of holes takes no memory, however long the list is.
function GuardedSet(this: unknown, values?: unknown): object {
  if (!new.target) {
    throw new TypeError("Set is called with new");
  }
  const list = isArray(values) && !cheap(values) ? each(values) : values;
  return construct(NativeSet, [list], new.target) as object;
}
Object.defineProperties(GuardedSet, Object.getOwnPropertyDescriptors(NativeSet));
Object.defineProperty(NativeSet.prototype, "constructor", { value: GuardedSet, writable: true, configurable: true });
Object.defineProperty(globalThis, "Set", { value: GuardedSet, writable: true, configurable: true });

/** Where a long text stands in a longer one, in a time that grows with both and not with their product. */
function find(text: string, part: string, from: number, last: boolean): number {
  const failure = new Int32Array(part.length);
  for (let i = 1, k = 0; i < part.length; i++) {
    while (k > 0 && part[i] !== part[k]) {
      k = failure[k - 1] as number;
    }
    if (part[i] === part[k]) {
      k++;
    }
    failure[i] = k;
  }
  let found = -1;
  for (let i = last ? 0 : from, k = 0; i < text.length; i++) {
    while (k > 0 && text[i] !== part[k]) {
      k = failure[k - 1] as number;
    }
    if (text[i] === part[k]) {
      k++;
    }
    if (k === part.length) {
      const at = i - k + 1;
      if (!last) {
        return at;
      }
      if (at > from) {
        return found;
      }
      found = at;
      k = failure[k - 1] as number;
    }
  }
  return found;
}

/** Whether the engine's own way, which compares at each place, may take long. */
const long = (text: string, part: string): boolean => part.length > 64 && text.length * part.length > 1e8;

const search = (name: string, answer: (text: string, part: string, at: unknown) => unknown): void =>
  replace(String.prototype, name, (native) => ({
    method(this: unknown, part: unknown, at?: unknown): unknown {
      const plain = typeof this === "string" && typeof part === "string";
      if (!plain || !long(this, part)) {
        if (!plain && this !== null && this !== undefined && !(part instanceof RegExp)) {
          const text = String(this);
          const wanted = String(part);
          return long(text, wanted) ? answer(text, wanted, at) : apply(native, text, [wanted, at]);
        }
        return apply(native, this, [part, at]);
      }
      return answer(this, part, at);
    },
  }).method);

const place = (at: unknown, otherwise: number): number => {
  const number = Math.trunc(Number(at));
  return at === undefined || Number.isNaN(number) ? otherwise : Math.max(number, 0);
};
search("indexOf", (text, part, at) => find(text, part, place(at, 0), false));
search("includes", (text, part, at) => find(text, part, place(at, 0), false) >= 0);
search("lastIndexOf", (text, part, at) => find(text, part, place(at, Infinity), true));

replace(String.prototype, "split", (native) => ({
  method(this: unknown, by: unknown, limit?: unknown): unknown {
    if (typeof this !== "string" || typeof by !== "string" || !long(this, by)) {
      return apply(native, this, [by, limit]);
    }
    const parts: string[] = [];
    const most = limit === undefined ? Infinity : Number(limit) >>> 0;
    let from = 0;
    for (let at = find(this, by, 0, false); at >= 0 && parts.length < most; at = find(this, by, from, false)) {
      parts.push(this.slice(from, at));
      from = at + by.length;
    }
    if (parts.length < most) {
      parts.push(this.slice(from));
    }
    return parts;
  },
}).method);

for (const name of ["replace", "replaceAll"]) {
  replace(String.prototype, name, (native) => ({
    method(this: unknown, part: unknown, by: unknown): unknown {
      if (typeof this === "string" && typeof part === "string" && long(this, part)) {
        throw new RangeError("the text that is replaced is too long");
      }
      return apply(native, this, [part, by]);
    },
  }).method);
}

// Passing over the values of a list of the engine calls no JavaScript.
const skipping = (globalThis as unknown as { Iterator: { prototype: object } }).Iterator.prototype;
replace(skipping, "drop", (native) => ({
  method(this: unknown, count: unknown): unknown {
    if (Number(count) <= longest) {
      return apply(native, this, [count]);
    }
    const from = this as Iterator<unknown>;
    return apply(native, { next: () => from.next() }, [count]);
  },
}).method);
