// How a request comes to the script, and its answer to Go.
import { take } from "./body";
import { Event, EventTarget, reports } from "./events";
import { DOMException } from "./errors";
import { arrived, forgetRequests } from "./fetch";
import { listOf } from "./headers";
import { host, hostJSON, json, pack, unpack } from "./host";
import { Request, Response } from "./request";
import { placesOf } from "./stack";
import { console } from "./console";
import { due, forgetTimers } from "./timers";

type Handler = (request: Request, env: object, context: object) => unknown;

/** The fetch function of a module's default export, and what it is a method of. */
let module: { self: object; handler: Handler } | null = null;

const scope = new EventTarget();

/** How many promises the present event waits for, and which event that is. */
let waits = 0;
let event = 0;

function wait(promise: unknown, of: number): void {
  if (of !== event) {
    return;
  }
  waits++;
  host("waits", waits);
  const done = () => {
    if (of === event) {
      waits--;
      host("waits", waits);
    }
  };
  Promise.resolve(promise).then(done, (error: unknown) => {
    console.error("waitUntil:", error);
    done();
  });
}

export class ExtendableEvent extends Event {
  readonly #event = event;

  waitUntil(promise: unknown): void {
    wait(promise, this.#event);
  }
}

let answeredBy: (event: FetchEvent) => boolean;

export class FetchEvent extends ExtendableEvent {
  readonly request: Request;
  #answered = false;
  readonly #of = event;

  constructor(type: string, init: { request: Request }) {
    super(type);
    this.request = init.request;
  }

  respondWith(given: unknown): void {
    if (this.#answered) {
      throw new DOMException("the event has an answer already", "InvalidStateError");
    }
    this.#answered = true;
    this.stopImmediatePropagation();
    answer(given, this.#of);
  }

  passThroughOnException(): void {
    return undefined;
  }

  static {
    answeredBy = (one) => one.#answered;
  }
}

function fail(error: unknown, of: number): void {
  if (of !== event) {
    return;
  }
  let name = "Error";
  let message = "";
  let stack = "";
  try {
    if (error instanceof Error) {
      name = String(error.name);
      message = String(error.message);
      stack = placesOf(error);
    } else {
      message = typeof error === "object" ? json.stringify(error) : String(error);
    }
  } catch {
    message = "a value that cannot be shown";
  }
  host("failed", name, message, stack);
}

/** Gives Go the answer when it has come. */
function answer(given: unknown, of: number): void {
  Promise.resolve(given).then(
    async (response) => {
      if (!(response instanceof Response)) {
        throw new TypeError("the answer of the fetch handler is no Response");
      }
      if (response.status === 0) {
        throw new TypeError("the answer of the fetch handler is a network error");
      }
      const headers = json.stringify(listOf(response.headers));
      const body = response.body === null ? null : await take(response);
      if (of === event) {
        const text = typeof body === "string";
        host("respond", response.status, headers, body === null ? null : text ? body : pack(body), text);
      }
    },
  ).catch((error: unknown) => fail(error, of));
}

function dispatch(): void {
  event++;
  waits = 0;
  forgetTimers();
  const of = event;
  try {
    const { method, url, headers } = hostJSON<{ method: string; url: string; headers: [] }>("incoming", false);
    const body = host("incoming", true);
    const init: { method: string; headers: HeadersInit; body?: unknown } = { method, headers };
    if (typeof body === "string") {
      init.body = unpack(body);
    }
    const request = new Request(url, init);
    if (module) {
      const { self, handler } = module;
      const context = {
        waitUntil: (promise: unknown) => wait(promise, of),
        passThroughOnException: () => undefined,
        props: {},
      };
      answer(Reflect.apply(handler, self, [request, {}, context]), of);
      return;
    }
    const made = new FetchEvent("fetch", { request });
    let thrown: { error: unknown } | null = null;
    const before = reports.error;
    reports.error = (error) => {
      thrown ??= { error };
    };
    scope.dispatchEvent(made);
    reports.error = before;
    if (thrown && !answeredBy(made)) {
      fail((thrown as { error: unknown }).error, of);
    } else if (!answeredBy(made)) {
      host("none");
    }
  } catch (error) {
    fail(error, of);
  }
}

/** The script is a module that has been evaluated, or is about to be: takes its handler. */
function load(): void {
  // The engine has one module, and this is its name.
  const name = "<eval>";
  host("evaluate");
  import(/* @vite-ignore */ name).then(
    (loaded: { default?: unknown }) => {
      const self = loaded.default;
      let handler: unknown;
      if (typeof self === "object" || typeof self === "function") {
        handler = (self as { fetch?: unknown } | null)?.fetch;
      }
      if (typeof handler === "function") {
        module = { self: self as object, handler: handler as Handler };
        host("loaded");
      } else {
        host("none");
      }
    },
  ).catch((error: unknown) => fail(error, event));
}

/** What Go calls. Numbers alone cross this way, as they need no memory: the rest is asked for. */
export function enter(operation: number, id: number): void {
  switch (operation) {
    case 0:
      return load();
    case 1:
      return dispatch();
    case 2:
      return due(id);
    case 3:
      return arrived(id);
    default:
      event++;
      waits = 0;
      forgetTimers();
      return forgetRequests();
  }
}

type Listen = EventTarget["addEventListener"];
type Leave = EventTarget["removeEventListener"];
export const addEventListener: Listen = (...values) => scope.addEventListener(...values);
export const removeEventListener: Leave = (...values) => scope.removeEventListener(...values);
export const dispatchEvent = (one: Event): boolean => scope.dispatchEvent(one);
