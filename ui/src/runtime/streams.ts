// The streams of the Web, by web-streams-polyfill, and those of bytes and texts.
import { ReadableStream, TransformStream, WritableStream } from "web-streams-polyfill";
import * as all from "web-streams-polyfill";
import { TextDecoder, TextEncoder } from "./encoding";
import { bytesOf, isBytes, join, type Bytes } from "./host";

export type Stream = ReadableStream<Bytes>;
export const streams: Record<string, unknown> = { ...all };
export const isStream = (value: unknown): value is ReadableStream<unknown> => value instanceof ReadableStream;

const chunk = 65536;

/** A stream of bytes that are there already. */
export function streamOf(bytes: Bytes): Stream {
  let at = 0;
  return new ReadableStream<Bytes>({
    type: "bytes",
    pull(controller) {
      if (at < bytes.length) {
        controller.enqueue(bytes.slice(at, at + chunk));
        at += chunk;
      }
      if (at >= bytes.length) {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
  } as UnderlyingByteSource) as unknown as Stream;
}

/** All bytes of a stream. */
export async function drain(stream: ReadableStream<unknown>): Promise<Bytes> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return join(parts);
    }
    if (!isBytes(value)) {
      const error = new TypeError("the stream of a body gives something other than bytes");
      await reader.cancel(error);
      throw error;
    }
    parts.push(bytesOf(value).slice());
  }
}

class Piped<I, O> {
  readonly #pipe: TransformStream<I, O>;

  constructor(transformer: ConstructorParameters<typeof TransformStream<I, O>>[0]) {
    this.#pipe = new TransformStream<I, O>(transformer);
  }

  get readable(): ReadableStream<O> {
    return this.#pipe.readable;
  }

  get writable(): WritableStream<I> {
    return this.#pipe.writable;
  }
}

export class TextEncoderStream extends Piped<string, Bytes> {
  constructor() {
    const encoder = new TextEncoder();
    let pending = "";
    super({
      transform(given, controller) {
        let text = pending + String(given);
        pending = "";
        const unit = text.charCodeAt(text.length - 1);
        if (unit >= 0xd800 && unit <= 0xdbff) {
          pending = text.slice(-1);
          text = text.slice(0, -1);
        }
        if (text !== "") {
          controller.enqueue(encoder.encode(text));
        }
      },
      flush(controller) {
        if (pending !== "") {
          controller.enqueue(encoder.encode(pending));
        }
      },
    });
  }

  get encoding(): string {
    return "utf-8";
  }
}

export class TextDecoderStream extends Piped<BufferSource, string> {
  readonly #decoder: TextDecoder;

  constructor(label: string = "utf-8", options: TextDecoderOptions = {}) {
    const decoder = new TextDecoder(label, options);
    super({
      transform(given, controller) {
        const text = decoder.decode(given, { stream: true });
        if (text !== "") {
          controller.enqueue(text);
        }
      },
      flush(controller) {
        const text = decoder.decode();
        if (text !== "") {
          controller.enqueue(text);
        }
      },
    });
    this.#decoder = decoder;
  }

  get encoding(): string {
    return this.#decoder.encoding;
  }

  get fatal(): boolean {
    return this.#decoder.fatal;
  }

  get ignoreBOM(): boolean {
    return this.#decoder.ignoreBOM;
  }
}
