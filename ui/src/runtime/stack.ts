// A stack begins with what went wrong, as in other engines: authors log error.stack and expect the message in it. The
// engine has the places alone, under a name that Go keeps for this module (raw.go). So an error has the stack that is
// made here, and one that the engine throws by itself, such as for a property of undefined, that of Error.prototype.

const { apply, construct, get } = Reflect;
const { defineProperties, defineProperty, getOwnPropertyDescriptors, setPrototypeOf } = Object;
const { slice, startsWith, indexOf } = String.prototype;
const toText = Error.prototype.toString;

const given = globalThis as unknown as { __places?: (error: unknown) => unknown };
const places = given.__places as (error: unknown) => unknown;
delete given.__places;

const headers = new WeakMap<object, string>();
const { get: look, set: note } = WeakMap.prototype;

type Kind = ErrorConstructor & { prototype: object };

function headerOf(error: Error): string {
  try {
    return `${apply(toText, error, []) as string}\n`;
  } catch {
    return "Error\n"; // a name that cannot be shown is none
  }
}

/** The places in the stack of an error, without what went wrong. */
export function placesOf(error: Error): string {
  const stack = typeof error.stack === "string" ? error.stack : "";
  const header = (apply(look, headers, [error]) as string | undefined) ?? headerOf(error);
  return apply(startsWith, stack, [header]) ? (apply(slice, stack, [header.length]) as string) : stack;
}

/** Begins the stack of an error with what it is called and says now. */
export function entitle(error: Error, at = placesOf(error)): void {
  const header = headerOf(error);
  apply(note, headers, [error, header]);
  defineProperty(error, "stack", { value: header + at, writable: true, configurable: true });
}

let base: Kind | null = null;
for (const name of [
  "Error",
  "AggregateError",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
]) {
  const native = get(globalThis, name) as Kind;
  const made = function (...values: unknown[]): unknown {
    const error = construct(native, values, new.target ?? made) as Error;
    let at = `${places(error) as string}`;
    // The first two are Reflect.construct and this function.
    for (let i = 0; i < 2; i++) at = apply(slice, at, [(apply(indexOf, at, ["\n"]) as number) + 1]) as string;
    entitle(error, at);
    return error;
  } as unknown as Kind;
  defineProperties(made, getOwnPropertyDescriptors(native));
  if (base) setPrototypeOf(made, base);
  base ??= made;
  defineProperty(native.prototype, "constructor", { value: made, writable: true, configurable: true });
  defineProperty(globalThis, name, { value: made, writable: true, configurable: true });
}
defineProperty(Error.prototype, "stack", {
  get(this: unknown): string | undefined {
    const at = typeof this === "object" && this !== null ? places(this) : undefined;
    return typeof at === "string" ? headerOf(this as Error) + at : undefined;
  },
  set(this: unknown, value: unknown) {
    if (typeof this === "object" && this !== null) {
      defineProperty(this, "stack", { value, writable: true, configurable: true });
    }
  },
  configurable: true,
});
