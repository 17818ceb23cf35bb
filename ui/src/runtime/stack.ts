// What an error says stands at the head of its stack, as in the engines that scripts are written for: many of them log the
// stack and nothing else. QuickJS has the places alone there. Errors that it throws itself, such as those of a call of
// what is no function, keep that: nobody is asked when it makes one.

const define = Object.defineProperty;
const described = Object.getOwnPropertyDescriptor;
const { construct, apply } = Reflect;

// The layer stands behind all lines that a script can have.
const own = Number(/:(\d+):\d+\)?\n/.exec(new Error("here").stack ?? "")?.[1] ?? Infinity);
const isOfLayer = (line: string) => line.includes("(native)") || Number(/:(\d+):\d+\)?$/.exec(line)?.[1] ?? 0) > own / 2;

/** The places of a stack, one in a line, without what it says at its head. */
export const places = (stack: unknown): string => (typeof stack === "string" ? stack.split("\n").filter((line) => /^\s*at /.test(line)).join("\n") : "");

function headed<T extends object>(error: T): T {
  const stack = described(error, "stack")?.value as unknown;
  if (typeof stack === "string") {
    let head = "Error";
    try {
      head = String(error);
    } catch {
      // One that cannot say its name yet.
    }
    const lines = stack.split("\n").filter((line) => !isOfLayer(line));
    define(error, "stack", { value: `${head}\n${lines.join("\n")}`, writable: true, configurable: true });
  }
  return error;
}

type Constructor = new (...given: unknown[]) => object;

/** Puts constructors in the place of those of the engine that make errors with such a stack. */
export function nameStacks(): void {
  const native = globalThis as unknown as Record<string, Constructor>;
  let base: Constructor | null = null;
  for (const name of ["Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"]) {
    const given = native[name]!;
    const made: Constructor = new Proxy(given, {
      construct: (target, values, by) => headed(construct(target, values as unknown[], by) as object),
      apply: (target, self, values) => headed(apply(target as unknown as (...all: unknown[]) => object, self, values as unknown[])),
    });
    define(given.prototype as object, "constructor", { value: made, writable: true, configurable: true });
    if (base) Object.setPrototypeOf(given, base);
    else base = made;
    define(globalThis, name, { value: made, writable: true, configurable: true });
  }
}
