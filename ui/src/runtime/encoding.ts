// TextEncoder, TextDecoder, atob and btoa.
import { bytesOf, encode, hostText, hostJSON, isBytes, join, pack, scalar, type Bytes } from "./host";
import { asked, DOMException } from "./errors";

export class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(text: unknown = ""): Bytes {
    return encode(scalar(text));
  }

  encodeInto(text: unknown, into: Uint8Array): { read: number; written: number } {
    if (!(into instanceof Uint8Array)) {
      throw new TypeError("encodeInto writes into a Uint8Array");
    }
    let read = 0;
    let written = 0;
    // A code unit takes at least a byte, so no more than fit are looked at.
    for (const character of scalar(text).slice(0, into.length)) {
      const bytes = encode(scalar(character));
      if (written + bytes.length > into.length) {
        break;
      }
      into.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

export class TextDecoder {
  #encoding: string;
  #fatal: boolean;
  #ignoreBOM: boolean;
  /** Bytes of a character that has not come whole. */
  #pending: Uint8Array = new Uint8Array();
  #begun = false;

  constructor(label: string = "utf-8", options: TextDecoderOptions = {}) {
    this.#encoding = asked(() => hostText("encoding", String(label)));
    this.#fatal = !!options?.fatal;
    this.#ignoreBOM = !!options?.ignoreBOM;
  }

  get encoding(): string {
    return this.#encoding;
  }

  get fatal(): boolean {
    return this.#fatal;
  }

  get ignoreBOM(): boolean {
    return this.#ignoreBOM;
  }

  decode(source?: BufferSource, options: { stream?: boolean } = {}): string {
    if (source !== undefined && !isBytes(source)) {
      throw new TypeError("decode reads a buffer or a view of one");
    }
    const more = !!options?.stream;
    const given = source === undefined ? new Uint8Array() : bytesOf(source);
    const bytes = this.#pending.length > 0 ? join([this.#pending, given]) : given;
    this.#pending = new Uint8Array();
    let answer: { text: string; left: number };
    try {
      answer = asked(() =>
        hostJSON<{ text: string; left: number }>("decode-part", this.#encoding, pack(bytes), this.#fatal, more),
      );
    } catch (error) {
      this.#begun = false;
      throw error;
    }
    this.#pending = bytes.slice(bytes.length - answer.left);
    let text = answer.text;
    if (!this.#begun && text !== "") {
      if (!this.#ignoreBOM && text.charCodeAt(0) === 0xfeff) {
        text = text.slice(1);
      }
      this.#begun = true;
    }
    if (!more) {
      this.#begun = false;
    }
    return text;
  }
}

const latin = "the text holds a character that is no byte";

export function btoa(value: unknown): string {
  const text = String(value);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 255) {
      throw new DOMException(latin, "InvalidCharacterError");
    }
    bytes[i] = unit;
  }
  return pack(bytes);
}

export function atob(value: unknown): string {
  return asked(() => hostText("atob", scalar(value)));
}
