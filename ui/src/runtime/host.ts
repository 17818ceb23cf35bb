// The only way out of the sandbox: one function of Go, which takes a word and plain values. It is taken away from the
// global object before a script runs. Go trusts nothing that comes here: what a script does to the prototypes and
// globals that this layer uses harms the script alone.

type Plain = string | number | boolean | null | undefined;
type Host = (operation: string, ...values: Plain[]) => Plain;

const given = globalThis as unknown as { __host?: Host };
const call = given.__host as Host;
delete given.__host;

const { parse, stringify } = JSON;

/** Asks Go for something. What Go refuses is thrown, as the error that it names. */
export function host(operation: string, ...values: Plain[]): Plain {
  return call(operation, ...values);
}

/** Asks Go for a text. */
export function hostText(operation: string, ...values: Plain[]): string {
  return String(call(operation, ...values));
}

/** Asks Go for JSON. */
export function hostJSON<T>(operation: string, ...values: Plain[]): T {
  return parse(String(call(operation, ...values))) as T;
}

/** Bytes to the text in which they cross, and back. */
interface Base64 {
  toBase64(): string;
}
const toBase64 = (Uint8Array.prototype as unknown as Base64).toBase64;
const fromBase64 = (Uint8Array as unknown as { fromBase64(text: string): Bytes }).fromBase64;
const { apply } = Reflect;

/** Bytes in a buffer of their own. */
export type Bytes = Uint8Array<ArrayBuffer>;

export const pack = (bytes: Uint8Array): string => apply(toBase64, bytes, []) as string;
export const unpack = (text: string): Bytes => apply(fromBase64, Uint8Array, [text]) as Bytes;
export const json = { parse, stringify };

/** A view of the bytes of a buffer or of a view, without a copy. */
export function bytesOf(source: BufferSource): Bytes {
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength);
  }
  return new Uint8Array(source);
}

export function isBytes(value: unknown): value is BufferSource {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

/** One run of bytes of many. */
export function join(parts: Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) {
    length += part.length;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Text to UTF-8 and back; half of a surrogate pair becomes U+FFFD, as in all of the Web's interfaces. */
export const encode = (text: string): Bytes => (text === "" ? new Uint8Array() : unpack(hostText("encode", text)));
export const decode = (bytes: Uint8Array): string =>
  bytes.length === 0 ? "" : hostText("decode", "utf-8", pack(bytes), false, false);

/** A text whose halves of surrogate pairs are replaced. */
export const scalar = (value: unknown): string => {
  const text = String(value) as string & { toWellFormed(): string };
  return text.toWellFormed();
};

/** Names what a class is for Object.prototype.toString, and makes its members visible as the Web's are. */
export function tag(constructor: { prototype: object; name: string }, name: string): void {
  Object.defineProperty(constructor.prototype, Symbol.toStringTag, { value: name, configurable: true });
  Object.defineProperty(constructor, "name", { value: name, configurable: true });
}
