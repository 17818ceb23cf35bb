// structuredClone, in the language alone: cycles, maps, sets, dates, patterns, buffers, errors and the layer's own.
import { Blob, File } from "./blob";
import { DOMException } from "./errors";

const refuse = (what: string): never => {
  throw new DOMException(`${what} cannot be cloned`, "DataCloneError");
};

const errors: Record<string, ErrorConstructor> = {
  Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
};

/** Values that are copied, with what is to be filled in. The order of work is a list: depth costs no stack. */
interface Work {
  from: object;
  to: object;
}

class Cloner {
  readonly #done = new Map<object, unknown>();
  readonly #work: Work[] = [];
  readonly #given: Set<object>;

  constructor(given: Set<object>) {
    this.#given = given;
  }

  whole(value: unknown): unknown {
    const first = this.#copy(value);
    for (let next = this.#work.pop(); next; next = this.#work.pop()) {
      this.#fill(next);
    }
    return first;
  }

  #copy(value: unknown): unknown {
    if (typeof value === "symbol") {
      return refuse("a symbol");
    }
    if (typeof value === "function") {
      return refuse("a function");
    }
    if (typeof value !== "object" || value === null) {
      return value;
    }
    if (this.#done.has(value)) {
      return this.#done.get(value);
    }
    const made = this.#make(value);
    this.#done.set(value, made);
    return made;
  }

  #make(value: object): unknown {
    if (this.#given.has(value)) {
      return (value as ArrayBuffer & { transfer(): ArrayBuffer }).transfer();
    }
    for (const kind of [Boolean, Number, String, BigInt] as { prototype: { valueOf(): unknown } }[]) {
      if (value instanceof (kind as unknown as new () => object)) {
        return Object(kind.prototype.valueOf.call(value));
      }
    }
    if (value instanceof Date) {
      return new Date(value.getTime());
    }
    if (value instanceof RegExp) {
      return new RegExp(value.source, value.flags);
    }
    if (value instanceof ArrayBuffer) {
      return value.slice(0);
    }
    if (ArrayBuffer.isView(value)) {
      return this.#view(value);
    }
    if (value instanceof File) {
      return new File([value], value.name, { type: value.type, lastModified: value.lastModified });
    }
    if (value instanceof Blob) {
      return value.slice(0, value.size, value.type);
    }
    if (value instanceof DOMException) {
      return new DOMException(value.message, value.name);
    }
    return this.#container(value);
  }

  #view(value: ArrayBufferView): unknown {
    const buffer = this.#copy(value.buffer) as ArrayBuffer;
    if (value instanceof DataView) {
      return new DataView(buffer, value.byteOffset, value.byteLength);
    }
    const kind = Object.getPrototypeOf(Uint8Array.prototype) as object;
    const tag = Object.getOwnPropertyDescriptor(kind, Symbol.toStringTag)?.get?.call(value) as string;
    const constructor = (globalThis as unknown as Record<string, Uint8ArrayConstructor>)[tag] as Uint8ArrayConstructor;
    return new constructor(buffer, value.byteOffset, (value as Uint8Array).length);
  }

  #container(value: object): unknown {
    let made: object;
    if (value instanceof Map) {
      made = new Map();
    } else if (value instanceof Set) {
      made = new Set();
    } else if (value instanceof Error) {
      made = this.#error(value);
    } else if (Array.isArray(value)) {
      made = new Array(value.length);
    } else {
      const tag = Object.prototype.toString.call(value).slice(8, -1);
      if (tag !== "Object" && tag !== "Arguments" && Symbol.toStringTag in value) {
        refuse(`a ${tag}`);
      }
      if ([WeakMap, WeakSet, WeakRef, Promise].some((kind) => value instanceof kind)) {
        refuse(`a ${tag}`);
      }
      made = {};
    }
    this.#work.push({ from: value, to: made });
    return made;
  }

  #error(value: Error): Error {
    const name = String(value.name);
    const kind = (Object.hasOwn(errors, name) ? errors[name] : undefined) ?? Error;
    const made = new kind();
    const message = Object.getOwnPropertyDescriptor(value, "message");
    if (message && "value" in message) {
      Object.defineProperty(made, "message", { value: String(message.value), writable: true, configurable: true });
    }
    const { stack } = value;
    if (typeof stack === "string") {
      made.stack = stack;
    }
    return made;
  }

  #fill({ from, to }: Work): void {
    if (from instanceof Map) {
      for (const [key, each] of [...(from as Map<unknown, unknown>)]) {
        (to as Map<unknown, unknown>).set(this.#copy(key), this.#copy(each));
      }
    } else if (from instanceof Set) {
      for (const each of [...(from as Set<unknown>)]) {
        (to as Set<unknown>).add(this.#copy(each));
      }
    } else if (from instanceof Error) {
      if (Object.hasOwn(from, "cause")) {
        const value = this.#copy(from.cause);
        Object.defineProperty(to, "cause", { value, writable: true, configurable: true });
      }
    } else {
      for (const name of Object.keys(from)) {
        const value = this.#copy((from as Record<string, unknown>)[name]);
        Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true });
      }
    }
  }
}

export function structuredClone(value: unknown, options: { transfer?: Iterable<object> } = {}): unknown {
  if (arguments.length === 0) {
    throw new TypeError("structuredClone needs a value");
  }
  const given = new Set(options?.transfer ?? []);
  for (const each of given) {
    if (!(each instanceof ArrayBuffer)) {
      refuse("what is handed over");
    }
  }
  return new Cloner(given).whole(value);
}
