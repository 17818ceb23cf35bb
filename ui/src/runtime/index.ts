// The interfaces of the Web for scripts of integrations: the engine has the language alone. internal/engine/script runs
// this before each script, in an engine of its own. It is one classic script; what it defines are the globals below.
import "./guard";
import "./clock";
import * as blob from "./blob";
import { structuredClone } from "./clone";
import { console } from "./console";
import { nameStacks } from "./stack";
import { Crypto, crypto, CryptoKey, SubtleCrypto } from "./crypto";
import { addEventListener, dispatchEvent, enter, ExtendableEvent, FetchEvent, removeEventListener } from "./dispatch";
import { atob, btoa, TextDecoder, TextEncoder } from "./encoding";
import { DOMException } from "./errors";
import { AbortController, AbortSignal, CustomEvent, Event, EventTarget, reports } from "./events";
import { fetch } from "./fetch";
import { FormData } from "./form";
import { Headers } from "./headers";
import { Request, Response } from "./request";
import { streams, TextDecoderStream, TextEncoderStream } from "./streams";
import { clearInterval, clearTimeout, queueMicrotask, setInterval, setTimeout } from "./timers";
import { URL, URLSearchParams } from "./url";

const constructors: Record<string, unknown> = {
  AbortController, AbortSignal, Blob: blob.Blob, Crypto, CryptoKey, CustomEvent, DOMException, Event, EventTarget,
  ExtendableEvent, FetchEvent, File: blob.File, FormData, Headers, Request, Response, SubtleCrypto, TextDecoder,
  TextDecoderStream, TextEncoder, TextEncoderStream, URL, URLSearchParams, ...streams,
};
const functions: Record<string, unknown> = {
  addEventListener, atob, btoa, clearInterval, clearTimeout, dispatchEvent, fetch, queueMicrotask,
  removeEventListener, reportError: (error: unknown) => reports.error(error), setInterval, setTimeout, structuredClone,
};

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

for (const [name, constructor] of Object.entries(constructors) as [string, { prototype: object }][]) {
  define(name, constructor);
  Object.defineProperty(constructor, "name", { value: name, configurable: true });
  if (!Object.hasOwn(constructor.prototype, Symbol.toStringTag)) {
    Object.defineProperty(constructor.prototype, Symbol.toStringTag, { value: name, configurable: true });
  }
}
for (const [name, value] of Object.entries(functions)) {
  Object.defineProperty(value, "name", { value: name, configurable: true });
  define(name, value);
}
define("console", console);
define("crypto", crypto);
define("self", globalThis);
reports.error = (error) => console.error(error);
nameStacks();

// Go takes this away before the script runs.
define("__enter", enter);
