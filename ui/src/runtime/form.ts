// FormData, and multipart/form-data both ways.
import { Blob, File, insideOf } from "./blob";
import { encode, hostJSON, hostText, join, pack, scalar, unpack, type Bytes } from "./host";
import { asked } from "./errors";

type Value = string | File;

function valueOf(value: unknown, name: unknown): Value {
  if (value instanceof File && name === undefined) {
    return value;
  }
  if (value instanceof Blob) {
    const called = name === undefined ? "blob" : scalar(name);
    const dated = value instanceof File ? { lastModified: value.lastModified } : {};
    return new File([value], called, { type: value.type, ...dated });
  }
  return scalar(value);
}

export class FormData {
  #entries: [string, Value][] = [];

  append(name: string, value: unknown, filename?: string): void {
    FormData.#check(value, filename);
    this.#entries.push([scalar(name), valueOf(value, filename)]);
  }

  delete(name: string): void {
    const known = scalar(name);
    this.#entries = this.#entries.filter((entry) => entry[0] !== known);
  }

  get(name: string): Value | null {
    const known = scalar(name);
    return this.#entries.find((entry) => entry[0] === known)?.[1] ?? null;
  }

  getAll(name: string): Value[] {
    const known = scalar(name);
    return this.#entries.filter((entry) => entry[0] === known).map((entry) => entry[1]);
  }

  has(name: string): boolean {
    const known = scalar(name);
    return this.#entries.some((entry) => entry[0] === known);
  }

  set(name: string, value: unknown, filename?: string): void {
    FormData.#check(value, filename);
    const known = scalar(name);
    const made = valueOf(value, filename);
    const at = this.#entries.findIndex((entry) => entry[0] === known);
    if (at < 0) {
      this.#entries.push([known, made]);
      return;
    }
    (this.#entries[at] as [string, Value])[1] = made;
    this.#entries = this.#entries.filter((entry, i) => entry[0] !== known || i === at);
  }

  forEach(run: (value: Value, name: string, all: FormData) => void, self?: unknown): void {
    for (const [name, value] of this) {
      run.call(self, value, name, this);
    }
  }

  *entries(): Generator<[string, Value]> {
    for (let i = 0; i < this.#entries.length; i++) {
      const [name, value] = this.#entries[i] as [string, Value];
      yield [name, value];
    }
  }

  *keys(): Generator<string> {
    for (const [name] of this.entries()) {
      yield name;
    }
  }

  *values(): Generator<Value> {
    for (const [, value] of this.entries()) {
      yield value;
    }
  }

  [Symbol.iterator](): Generator<[string, Value]> {
    return this.entries();
  }

  static #check(value: unknown, filename: unknown): void {
    if (filename !== undefined && !(value instanceof Blob)) {
      throw new TypeError("only a Blob has the name of a file");
    }
  }
}

const lines = (text: string): string => text.replace(/\r\n|\r|\n/g, "\r\n");
const quoted = (text: string): string =>
  text.replace(/\n/g, "%0A").replace(/\r/g, "%0D").replace(/"/g, "%22");

/** Writes a form, and returns the media type that says how. */
export function writeForm(form: FormData): { bytes: Bytes; type: string } {
  const boundary = `----recto-${hostText("uuid").replaceAll("-", "")}`;
  const parts: Uint8Array[] = [];
  for (const [name, value] of form) {
    let head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(lines(name))}"`;
    if (typeof value === "string") {
      parts.push(encode(`${head}\r\n\r\n${lines(value)}\r\n`));
      continue;
    }
    head += `; filename="${quoted(value.name)}"\r\nContent-Type: ${value.type || "application/octet-stream"}`;
    parts.push(encode(`${head}\r\n\r\n`), insideOf(value), encode("\r\n"));
  }
  parts.push(encode(`--${boundary}--\r\n`));
  return { bytes: join(parts), type: `multipart/form-data; boundary=${boundary}` };
}

interface Part {
  name: string;
  text?: string;
  file?: string;
  type?: string;
  data?: string;
}

/** Reads a form that was written as multipart/form-data. */
export function readForm(bytes: Uint8Array, type: string): FormData {
  const form = new FormData();
  for (const part of asked(() => hostJSON<Part[]>("form", type, pack(bytes)))) {
    if (part.file === undefined) {
      form.append(part.name, part.text ?? "");
    } else {
      form.append(part.name, new File([unpack(part.data ?? "")], part.file, { type: part.type ?? "" }));
    }
  }
  return form;
}
