// What Request and Response have in common: a body, which is read once.
import { Blob, insideOf } from "./blob";
import { FormData, readForm, writeForm } from "./form";
import { bytesOf, decode, encode, isBytes, json, scalar, type Bytes } from "./host";
import { drain, isStream, streamOf, type Stream } from "./streams";
import { URLSearchParams } from "./url";

/** What a body is before anybody has asked for its stream. */
export interface Source {
  held: string | Bytes | null;
  stream: Stream | null;
  type: string | null;
}

/** Takes whatever fetch and Response take for a body. */
export function sourceOf(body: unknown): Source {
  if (body === null || body === undefined) {
    return { held: null, stream: null, type: null };
  }
  if (isStream(body)) {
    if (body.locked) {
      throw new TypeError("the stream is being read by somebody else");
    }
    return { held: null, stream: body as Stream, type: null };
  }
  if (body instanceof Blob) {
    return { held: insideOf(body), stream: null, type: body.type || null };
  }
  if (isBytes(body)) {
    return { held: bytesOf(body).slice(), stream: null, type: null };
  }
  if (body instanceof FormData) {
    const { bytes, type } = writeForm(body);
    return { held: bytes, stream: null, type };
  }
  if (body instanceof URLSearchParams) {
    return { held: body.toString(), stream: null, type: "application/x-www-form-urlencoded;charset=UTF-8" };
  }
  return { held: scalar(body), stream: null, type: "text/plain;charset=UTF-8" };
}

const toBytes = (held: string | Bytes | null): Bytes =>
  held === null ? new Uint8Array() : typeof held === "string" ? encode(held) : held;

/** Reads a body whole, as a text when it was given as one. */
export let take: (body: Body) => Promise<string | Bytes>;
/** The body once more, for a clone. */
export let split: (body: Body) => Source;
/** The body for another owner. */
export let hand: (body: Body) => Source;

export class Body {
  #held: string | Bytes | null;
  #stream: Stream | null;
  #empty: boolean;
  #used = false;

  constructor(source: Source) {
    this.#held = source.held;
    this.#stream = source.stream;
    this.#empty = source.held === null && source.stream === null;
  }

  get body(): Stream | null {
    if (this.#empty) {
      return null;
    }
    if (!this.#stream) {
      this.#stream = streamOf(this.#used ? new Uint8Array() : toBytes(this.#held));
      this.#held = null;
    }
    return this.#stream;
  }

  get bodyUsed(): boolean {
    return this.#used || (this.#stream !== null && disturbed(this.#stream));
  }

  async text(): Promise<string> {
    const held = await this.#take();
    const text = typeof held === "string" ? held : decode(held);
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  async json(): Promise<unknown> {
    return json.parse(await this.text());
  }

  async bytes(): Promise<Bytes> {
    return toBytes(await this.#take());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return toBytes(await this.#take()).buffer;
  }

  async blob(): Promise<Blob> {
    const type = contentType(this) ?? "";
    return new Blob([await this.#take()], { type });
  }

  async formData(): Promise<FormData> {
    const type = contentType(this) ?? "";
    const essence = (type.split(";")[0] ?? "").trim().toLowerCase();
    if (essence === "multipart/form-data") {
      return readForm(toBytes(await this.#take()), type);
    }
    if (essence !== "application/x-www-form-urlencoded") {
      throw new TypeError("the body is no form: its type is neither multipart/form-data nor urlencoded");
    }
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(await this.text())) {
      form.append(name, value);
    }
    return form;
  }

  async #take(): Promise<string | Bytes> {
    if (this.bodyUsed || this.#stream?.locked) {
      throw new TypeError("the body has been read already, or is being read");
    }
    if (this.#empty) {
      return "";
    }
    this.#used = true;
    if (this.#stream) {
      return drain(this.#stream);
    }
    const held = this.#held ?? "";
    this.#held = null;
    return held;
  }

  static {
    take = (body) => body.#take();
    split = (body) => {
      if (body.bodyUsed || body.#stream?.locked) {
        throw new TypeError("a body that has been read cannot be doubled");
      }
      if (body.#stream) {
        const [one, other] = body.#stream.tee();
        body.#stream = one as Stream;
        return { held: null, stream: other as Stream, type: null };
      }
      return { held: body.#held, stream: null, type: null };
    };
    hand = (body) => {
      if (body.bodyUsed || body.#stream?.locked) {
        throw new TypeError("the body has been read already");
      }
      const source = { held: body.#held, stream: body.#stream, type: null };
      if (!body.#empty) {
        body.#used = true;
        body.#held = null;
        body.#stream = null;
      }
      return source;
    };
  }
}

function contentType(body: Body): string | null {
  return (body as unknown as { headers: { get(name: string): string | null } }).headers.get("content-type");
}

/** A stream that somebody has read from. */
const readers = new WeakSet<object>();
function disturbed(stream: Stream): boolean {
  return readers.has(stream) || (stream as unknown as { _disturbed?: boolean })._disturbed === true;
}
