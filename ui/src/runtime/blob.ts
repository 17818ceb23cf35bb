// Blob and File. The bytes are those of the engine, whose memory is limited.
import { bytesOf, decode, encode, isBytes, join, scalar, type Bytes } from "./host";
import { streamOf, type Stream } from "./streams";

function typeOf(value: unknown): string {
  const type = value === undefined ? "" : String(value);
  return /^[\x20-\x7e]*$/.test(type) ? type.toLowerCase() : "";
}

/** The bytes of a Blob, without a copy. */
export let insideOf: (blob: Blob) => Bytes;

export class Blob {
  #bytes: Bytes;
  #type: string;

  constructor(parts: Iterable<unknown> = [], options: { type?: string; endings?: string } = {}) {
    if (typeof parts !== "object" || parts === null || typeof parts[Symbol.iterator] !== "function") {
      throw new TypeError("the parts of a Blob are a list");
    }
    const all: Uint8Array[] = [];
    for (const part of parts) {
      if (part instanceof Blob) {
        all.push(part.#bytes);
      } else if (isBytes(part)) {
        all.push(bytesOf(part));
      } else {
        const text = scalar(part);
        all.push(encode(options?.endings === "native" ? text.replace(/\r\n?/g, "\n") : text));
      }
    }
    this.#bytes = join(all);
    this.#type = typeOf(options?.type);
  }

  get size(): number {
    return this.#bytes.length;
  }

  get type(): string {
    return this.#type;
  }

  slice(start?: number, end?: number, type?: string): Blob {
    const part = new Blob([], type === undefined ? {} : { type });
    part.#bytes = this.#bytes.slice(start, end);
    return part;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer;
  }

  async bytes(): Promise<Bytes> {
    return this.#bytes.slice();
  }

  async text(): Promise<string> {
    return decode(this.#bytes);
  }

  stream(): Stream {
    return streamOf(this.#bytes);
  }

  static {
    insideOf = (blob) => blob.#bytes;
  }
}

export class File extends Blob {
  readonly name: string;
  readonly lastModified: number;

  constructor(parts: Iterable<unknown>, name: string, options: { type?: string; lastModified?: number } = {}) {
    if (arguments.length < 2) {
      throw new TypeError("a File needs parts and a name");
    }
    super(parts, options);
    this.name = scalar(name);
    const modified = options?.lastModified;
    this.lastModified = modified === undefined ? Date.now() : Math.trunc(Number(modified)) || 0;
  }
}
