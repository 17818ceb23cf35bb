// What tests of live sessions begin with: a server that keeps the rules, and writers, in simulated time.
import { afterEach, beforeEach, vi } from "vitest";
import { documentOf, Server, Writer } from "./fake";
import type { FromClient } from "./wire";

export const start = documentOf("one", "two", "three");

// server is that of the test at hand.
export let server: Server;

// beginAnew puts another server in its place, which knows of nothing.
export function beginAnew(): void {
  server = new Server(start);
}

// simulate gives each test of a file a server and a clock of its own.
export function simulate(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    beginAnew();
  });
  afterEach(() => vi.useRealTimers());
}

export const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

// writers returns so many who write the same page.
export async function writers(count: number): Promise<Writer[]> {
  const all = Array.from({ length: count }, (_, i) => new Writer(server, `w${i}`, { document: start }).connect());
  await wait(200);
  return all;
}

// batches are the steps that a writer has sent.
export const batches = ({ wire }: Writer) =>
  wire.sent.filter((message): message is Extract<FromClient, { type: "steps" }> => message.type === "steps");
