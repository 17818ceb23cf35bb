// console: each call is one message of the log, with the level that the log knows.
import { host, json } from "./host";
import { places } from "./stack";
import { isStream } from "./streams";

const longest = 8192;

/** A value as people read it in a log. Getters are not run, and depth and size are bounded. */
export function show(value: unknown, depth = 0, seen: object[] = []): string {
  switch (typeof value) {
    case "string":
      return depth === 0 ? value : json.stringify(value.slice(0, longest));
    case "bigint":
      return `${value}n`;
    case "symbol":
      return Symbol.prototype.toString.call(value);
    case "function":
      return `[function ${String(Object.getOwnPropertyDescriptor(value, "name")?.value ?? "")}]`;
    case "object":
      break;
    default:
      return String(value);
  }
  if (value === null) {
    return "null";
  }
  if (seen.includes(value)) {
    return "[circular]";
  }
  if (value instanceof Error) {
    const at = places(value.stack);
    return `${value.name}: ${value.message}${at ? "\n" + at : ""}`;
  }
  if (depth > 3) {
    return Array.isArray(value) ? "[…]" : "{…}";
  }
  return showObject(value, depth, [...seen, value]);
}

function showObject(value: object, depth: number, seen: object[]): string {
  const inner = (each: unknown) => show(each, depth + 1, seen);
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  }
  if (value instanceof RegExp || value instanceof Promise || isStream(value)) {
    return value instanceof RegExp ? String(value) : `[${Object.prototype.toString.call(value).slice(8, -1)}]`;
  }
  if (value instanceof Map) {
    const pairs = [...value].slice(0, 100).map(([name, each]) => `${inner(name)} => ${inner(each)}`);
    return `Map(${value.size}) {${pairs.join(", ")}}`;
  }
  if (value instanceof Set) {
    return `Set(${value.size}) {${[...value].slice(0, 100).map(inner).join(", ")}}`;
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return `[${Object.prototype.toString.call(value).slice(8, -1)} of ${value.byteLength} bytes]`;
  }
  if (Array.isArray(value)) {
    const more = value.length > 100 ? `, … ${value.length - 100} more` : "";
    return `[${value.slice(0, 100).map(inner).join(", ")}${more}]`;
  }
  const pairs: string[] = [];
  for (const name of Object.keys(value).slice(0, 100)) {
    const found = Object.getOwnPropertyDescriptor(value, name);
    pairs.push(`${name}: ${found && "value" in found ? inner(found.value) : "[getter]"}`);
  }
  return `{${pairs.length > 0 ? ` ${pairs.join(", ")} ` : ""}}`;
}

/** Writes values in one line, with the places of a format. */
function format(values: unknown[]): string {
  let rest = values;
  let text = "";
  if (typeof values[0] === "string" && values[0].includes("%")) {
    let next = 1;
    text = values[0].replace(/%[sdifjoOc%]/g, (place) => {
      if (place === "%%") {
        return "%";
      }
      if (next >= values.length) {
        return place;
      }
      const value = values[next++];
      switch (place) {
        case "%c":
          return "";
        case "%d":
        case "%i":
          return String(typeof value === "bigint" ? value : Math.trunc(Number(value)));
        case "%f":
          return String(Number(value));
        case "%s":
          return show(value);
        default:
          return show(value, 1);
      }
    });
    rest = values.slice(next);
    return [text, ...rest.map((value) => show(value))].join(" ");
  }
  return rest.map((value) => show(value)).join(" ");
}

const write =
  (level: string) =>
  (...values: unknown[]): void => {
    let text: string;
    try {
      text = format(values);
    } catch {
      text = "[a value that cannot be shown]";
    }
    host("log", level, text.length > longest ? text.slice(0, longest) + "…" : text);
  };

const counts = new Map<string, number>();
const times = new Map<string, number>();
const info = write("info");
const error = write("error");

const counted = (label: unknown): void => {
  const name = String(label ?? "default");
  const count = (counts.get(name) ?? 0) + 1;
  if (counts.size < 1000) {
    counts.set(name, count);
  }
  info(`${name}: ${count}`);
};

const timed = (label: unknown, keep: boolean, values: unknown[]): void => {
  const name = String(label ?? "default");
  const from = times.get(name);
  if (from !== undefined) {
    info(`${name}: ${performance.now() - from} ms`, ...values);
    if (!keep) {
      times.delete(name);
    }
  }
};

export const console = {
  debug: write("debug"),
  log: info,
  info,
  warn: write("warn"),
  error,
  trace: (...values: unknown[]) => write("debug")(...values, "\n" + places(new Error().stack)),
  dir: (value: unknown) => info(value),
  dirxml: info,
  table: (value: unknown) => info(value),
  group: info,
  groupCollapsed: info,
  groupEnd: () => undefined,
  assert: (fine?: unknown, ...values: unknown[]) => {
    if (!fine) {
      error("Assertion failed:", ...values);
    }
  },
  count: counted,
  countReset: (label?: unknown) => void counts.delete(String(label ?? "default")),
  time: (label?: unknown) => {
    if (times.size < 1000) {
      times.set(String(label ?? "default"), performance.now());
    }
  },
  timeLog: (label?: unknown, ...values: unknown[]) => timed(label, true, values),
  timeEnd: (label?: unknown) => timed(label, false, []),
};
