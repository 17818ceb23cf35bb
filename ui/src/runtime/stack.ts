// A stack begins with what went wrong, as in other engines: authors log error.stack and expect the message in it. The
// engine has the places alone. Errors that it throws by itself, such as for a property of undefined, stay as they are.

const { apply, construct, get } = Reflect;
const { defineProperties, defineProperty, getOwnPropertyDescriptors, setPrototypeOf } = Object;
const { slice, startsWith, indexOf } = String.prototype;
const toText = Error.prototype.toString;
const headers = new WeakMap<object, string>();
const { get: look, set: note } = WeakMap.prototype;

type Kind = ErrorConstructor & { prototype: object };

/** The places in the stack of an error, without what went wrong. */
export function placesOf(error: Error): string {
  const stack = typeof error.stack === "string" ? error.stack : "";
  const header = apply(look, headers, [error]) as string | undefined;
  return header && apply(startsWith, stack, [header]) ? (apply(slice, stack, [header.length]) as string) : stack;
}

/** Begins the stack of an error with what it is called and says now. */
export function entitle(error: Error, places = placesOf(error)): void {
  let header = "Error\n";
  try {
    header = `${apply(toText, error, []) as string}\n`;
  } catch {
    // A name that cannot be shown is none.
  }
  apply(note, headers, [error, header]);
  defineProperty(error, "stack", { value: header + places, writable: true, configurable: true });
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
    let places = typeof error.stack === "string" ? error.stack : "";
    // The first two are Reflect.construct and this function.
    for (let i = 0; i < 2; i++)
      places = apply(slice, places, [(apply(indexOf, places, ["\n"]) as number) + 1]) as string;
    entitle(error, places);
    return error;
  } as unknown as Kind;
  defineProperties(made, getOwnPropertyDescriptors(native));
  if (base) setPrototypeOf(made, base);
  base ??= made;
  defineProperty(native.prototype, "constructor", { value: made, writable: true, configurable: true });
  defineProperty(globalThis, name, { value: made, writable: true, configurable: true });
}
