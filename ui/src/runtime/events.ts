// Event, CustomEvent, EventTarget, AbortController and AbortSignal.
import { DOMException } from "./errors";
import { after } from "./timers";

const phases = { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 };

/** What a target sets while an event is on its way. */
interface State {
  target: EventTarget | null;
  on: boolean;
  stopped: boolean;
  prevented: boolean;
  passive: boolean;
}
const states = new WeakMap<Event, State>();
const stateOf = (event: Event): State => {
  const state = states.get(event);
  if (!state) {
    throw new TypeError("Illegal invocation");
  }
  return state;
};

export class Event {
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  readonly timeStamp = performance.now();
  readonly isTrusted: boolean = false;

  constructor(type: string, init: EventInit = {}) {
    if (arguments.length === 0) {
      throw new TypeError("an Event needs a type");
    }
    this.type = String(type);
    this.bubbles = !!init.bubbles;
    this.cancelable = !!init.cancelable;
    this.composed = !!init.composed;
    states.set(this, { target: null, on: false, stopped: false, prevented: false, passive: false });
  }

  get target(): EventTarget | null {
    return stateOf(this).target;
  }

  get srcElement(): EventTarget | null {
    return stateOf(this).target;
  }

  get currentTarget(): EventTarget | null {
    const state = stateOf(this);
    return state.on ? state.target : null;
  }

  get eventPhase(): number {
    return stateOf(this).on ? phases.AT_TARGET : phases.NONE;
  }

  get defaultPrevented(): boolean {
    return stateOf(this).prevented;
  }

  get returnValue(): boolean {
    return !stateOf(this).prevented;
  }

  composedPath(): EventTarget[] {
    const state = stateOf(this);
    return state.on && state.target ? [state.target] : [];
  }

  preventDefault(): void {
    const state = stateOf(this);
    if (this.cancelable && !state.passive) {
      state.prevented = true;
    }
  }

  /** Nothing: events have no way to travel here, as there is no tree. */
  stopPropagation(): void {
    stateOf(this);
  }

  stopImmediatePropagation(): void {
    stateOf(this).stopped = true;
  }
}
for (const [name, value] of Object.entries(phases)) {
  Object.defineProperty(Event, name, { value, enumerable: true });
  Object.defineProperty(Event.prototype, name, { value, enumerable: true });
}

export class CustomEvent extends Event {
  readonly detail: unknown;

  constructor(type: string, init: CustomEventInit = {}) {
    super(type, init);
    this.detail = init.detail ?? null;
  }
}

interface Listener {
  type: string;
  callback: NonNullable<Callback>;
  capture: boolean;
  once: boolean;
  passive: boolean;
  removed: boolean;
}

type Callback = ((event: Event) => unknown) | { handleEvent(event: Event): unknown } | null;
interface Options {
  capture?: boolean;
  once?: boolean;
  passive?: boolean;
  signal?: AbortSignal;
}

/** Where errors of listeners go; the console, once there is one. */
export const reports: { error: (error: unknown) => void } = { error: () => undefined };

export class EventTarget {
  #listeners: Listener[] = [];

  addEventListener(type: string, callback: Callback, options: boolean | Options = {}): void {
    const chosen = typeof options === "object" && options !== null ? options : { capture: !!options };
    const { capture = false, once = false, passive = false, signal } = chosen as Options;
    const name = String(type);
    if (!callback || signal?.aborted) {
      return;
    }
    const same = (l: Listener) => l.type === name && l.callback === callback && l.capture === !!capture;
    if (this.#listeners.some(same)) {
      return;
    }
    const listener = {
      type: name, callback, capture: !!capture, once: !!once,
      passive: !!passive, removed: false,
    };
    this.#listeners.push(listener);
    signal?.addEventListener("abort", () => this.#remove(listener), { once: true });
  }

  removeEventListener(type: string, callback: Callback, options: boolean | { capture?: boolean } = {}): void {
    const capture = typeof options === "object" && options !== null ? !!options.capture : !!options;
    for (const listener of this.#listeners) {
      if (listener.type === String(type) && listener.callback === callback && listener.capture === capture) {
        this.#remove(listener);
      }
    }
  }

  dispatchEvent(event: Event): boolean {
    const state = stateOf(event);
    if (state.on) {
      throw new DOMException("the event is on its way already", "InvalidStateError");
    }
    state.target = this;
    state.on = true;
    state.stopped = false;
    for (const listener of this.#listeners.filter((l) => l.type === event.type)) {
      if (listener.removed) {
        continue;
      }
      if (listener.once) {
        this.#remove(listener);
      }
      state.passive = listener.passive;
      try {
        const { callback } = listener;
        if (typeof callback === "function") {
          callback.call(this, event);
        } else {
          callback.handleEvent(event);
        }
      } catch (error) {
        reports.error(error);
      }
      state.passive = false;
      if (state.stopped) {
        break;
      }
    }
    state.on = false;
    return !state.prevented;
  }

  #remove(listener: Listener): void {
    listener.removed = true;
    this.#listeners = this.#listeners.filter((l) => l !== listener);
  }
}

const inside = Symbol("inside");

let end: (signal: AbortSignal, reason: unknown) => void;

export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  /** Signals that end with this one. */
  #followers: AbortSignal[] = [];
  onabort: ((event: Event) => unknown) | null = null;

  constructor(key: symbol) {
    if (key !== inside) {
      throw new TypeError("Illegal constructor");
    }
    super();
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) {
      throw this.#reason;
    }
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal(inside);
    AbortSignal.#end(signal, reason);
    return signal;
  }

  static timeout(milliseconds: number): AbortSignal {
    const signal = new AbortSignal(inside);
    after(milliseconds, () => AbortSignal.#end(signal, new DOMException("signal timed out", "TimeoutError")));
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const made = new AbortSignal(inside);
    const all = [...signals];
    const first = all.find((signal) => signal.#aborted);
    if (first) {
      AbortSignal.#end(made, first.#reason);
      return made;
    }
    for (const signal of all) {
      signal.#followers.push(made);
    }
    return made;
  }

  static #end(signal: AbortSignal, reason: unknown): void {
    if (signal.#aborted) {
      return;
    }
    signal.#aborted = true;
    signal.#reason = reason === undefined ? new DOMException("signal is aborted without reason", "AbortError") : reason;
    const event = new Event("abort");
    if (typeof signal.onabort === "function") {
      try {
        signal.onabort.call(signal, event);
      } catch (error) {
        reports.error(error);
      }
    }
    signal.dispatchEvent(event);
    for (const follower of signal.#followers) {
      AbortSignal.#end(follower, signal.#reason);
    }
    signal.#followers = [];
  }

  static {
    end = AbortSignal.#end;
  }
}

export class AbortController {
  readonly signal = new AbortSignal(inside);

  abort(reason?: unknown): void {
    end(this.signal, reason);
  }
}
