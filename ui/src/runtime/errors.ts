// DOMException, and the errors of Go as those of the Web.
import { entitle } from "./stack";

const codes: Record<string, number> = {
  IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5,
  NoModificationAllowedError: 7, NotFoundError: 8, NotSupportedError: 9, InUseAttributeError: 10,
  InvalidStateError: 11, SyntaxError: 12, InvalidModificationError: 13, NamespaceError: 14, InvalidAccessError: 15,
  TypeMismatchError: 17, SecurityError: 18, NetworkError: 19, AbortError: 20, URLMismatchError: 21,
  QuotaExceededError: 22, TimeoutError: 23, InvalidNodeTypeError: 24, DataCloneError: 25,
};

export class DOMException extends Error {
  #name: string;

  constructor(message: unknown = "", name: unknown = "Error") {
    super(String(message));
    this.#name = String(name);
    entitle(this);
  }

  override get name(): string {
    return this.#name;
  }

  get code(): number {
    return Object.hasOwn(codes, this.#name) ? (codes[this.#name] ?? 0) : 0;
  }
}

for (const [name, value] of Object.entries(codes)) {
  const constant = name.replace(/Error$/, "").replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase() + "_ERR";
  for (const target of [DOMException, DOMException.prototype]) {
    Object.defineProperty(target, constant, { value, enumerable: true });
  }
}

const kinds: Record<string, new (message: string) => Error> = { TypeError, RangeError, SyntaxError, Error };

/** Runs what asks Go, whose refusals name their kind before a colon: "OperationError: the key does not fit". */
export function asked<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw named(error instanceof Error ? error.message : String(error));
  }
}

/** The error that Go names. */
export function named(text: string): Error {
  const at = text.indexOf(": ");
  const name = at > 0 ? text.slice(0, at) : "Error";
  const message = at > 0 ? text.slice(at + 2) : text;
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return kind ? new kind(message) : new DOMException(message, name);
}
