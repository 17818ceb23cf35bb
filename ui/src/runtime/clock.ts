// Time and chance come from the host: Date, performance.now and Math.random.
import { host, unpack, hostText } from "./host";

const exactly = (): number => Number(host("now"));
// A date has whole milliseconds.
const now = (): number => Math.trunc(exactly());
const NativeDate = Date;

function HostDate(this: unknown, ...values: unknown[]): unknown {
  if (!new.target) {
    return new NativeDate(now()).toString();
  }
  return Reflect.construct(NativeDate, values.length === 0 ? [now()] : values, new.target);
}
Object.defineProperties(HostDate, Object.getOwnPropertyDescriptors(NativeDate));
Object.defineProperty(HostDate, "name", { value: "Date", configurable: true });
// Whole milliseconds, as everywhere: scripts make a BigInt of them, and keep them.
const whole = { now: (): number => Math.floor(now()) };
Object.defineProperty(HostDate, "now", { value: whole.now, writable: true, configurable: true });
Object.defineProperty(NativeDate.prototype, "constructor", { value: HostDate, writable: true, configurable: true });
Object.defineProperty(globalThis, "Date", { value: HostDate, writable: true, configurable: true });

const origin = exactly();
const performance = {
  timeOrigin: origin,
  now: () => exactly() - origin,
  toJSON: () => ({ timeOrigin: origin }),
};
Object.defineProperty(globalThis, "performance", { value: performance, writable: true, configurable: true });

// Chance is fetched for many calls at once.
let pool = new Uint32Array();
let at = 0;
Math.random = () => {
  if (at + 2 > pool.length) {
    pool = new Uint32Array(unpack(hostText("random", 512)).buffer);
    at = 0;
  }
  const high = (pool[at] as number) >>> 5;
  const low = (pool[at + 1] as number) >>> 6;
  at += 2;
  return (high * 67108864 + low) / 9007199254740992;
};
