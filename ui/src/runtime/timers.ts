// setTimeout, setInterval and queueMicrotask. Go holds when a timer is due and calls back.
import { host } from "./host";
import { asked } from "./errors";

interface Timer {
  run: () => void;
  every: number | null;
}
const timers = new Map<number, Timer>();
let last = 0;

function start(delay: unknown, every: boolean, run: () => void): number {
  const wanted = Number(delay);
  const milliseconds = wanted >= 1 ? Math.min(Math.trunc(wanted), 2 ** 31 - 1) : every ? 1 : 0;
  last++;
  const id = last;
  asked(() => host("timer", id, milliseconds));
  timers.set(id, { run, every: every ? milliseconds : null });
  return id;
}

function callback(given: unknown, values: unknown[]): () => void {
  if (typeof given !== "function") {
    throw new TypeError("a timer needs a function");
  }
  return () => Reflect.apply(given, globalThis, values);
}

/** Runs something later, once. */
export const after = (milliseconds: number, run: () => void): number => start(milliseconds, false, run);

export const setTimeout = (given: unknown, delay?: unknown, ...values: unknown[]): number =>
  start(delay, false, callback(given, values));
export const setInterval = (given: unknown, delay?: unknown, ...values: unknown[]): number =>
  start(delay, true, callback(given, values));

export const clearTimeout = (id?: unknown): void => {
  const known = Number(id);
  if (timers.delete(known)) {
    host("clear", known);
  }
};
export const clearInterval = clearTimeout;

/** A timer is due. */
export function due(id: number): void {
  const timer = timers.get(id);
  if (!timer) {
    return;
  }
  if (timer.every === null) {
    timers.delete(id);
  } else {
    host("timer", id, timer.every);
  }
  timer.run();
}

/** The event has ended: what was to come does not come. */
export const forgetTimers = (): void => timers.clear();

export const queueMicrotask = (given: unknown): void => {
  const run = callback(given, []);
  void Promise.resolve().then(run);
};
