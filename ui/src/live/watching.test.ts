// Somebody who writes Markdown beside a live session, in simulated time.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { documentOf, Server, Writer } from "./fake";
import type { FromClient, FromServer } from "./wire";
import { Watching } from "./watching";

let server: Server;
let sent: FromClient[];
let revisions: string[];
let watching: Watching;
let starts: number;

// hears has a server's messages come to it, and what it says go to the server.
function hears(): void {
  const hear = (message: FromServer) => setTimeout(() => watching.message(message), 5);
  const say = (message: FromClient) => {
    sent.push(message);
    setTimeout(() => server.take(message, "ada", hear), 5);
    return true;
  };
  watching.connect({
    start: () => {
      starts++;
      watching.up("socket");
      say(watching.hello());
    },
    send: say,
    retry: () => undefined,
    close: () => server.leave("ada"),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server(documentOf("one"));
  sent = [];
  revisions = [];
  starts = 0;
  watching = new Watching({ client: "ada", schema: "x", revised: (revision) => void revisions.push(revision) });
  hears();
});
afterEach(() => vi.useRealTimers());

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("is seen, sees others, and is told of what they have written soon, but not with each key", async () => {
  const ben = new Writer(server, "ben", { document: documentOf("one") }).connect();
  await wait(200);
  expect(watching.get().people.map(({ client }) => client)).toEqual(["ben"]);
  expect(ben.live.get().people.map(({ client }) => client)).toEqual(["ada"]);
  revisions = [];
  for (let i = 0; i < 40; i++) {
    ben.type(ben.at("one"), "x");
    await wait(100);
  }
  await wait(3000);
  expect(revisions.at(-1)).toBe("r40");
  expect(sent.filter(({ type }) => type === "flush").length).toBeLessThanOrEqual(4);
  watching.stop();
  await wait(200);
  expect(ben.live.get().people).toEqual([]);
});

test("comes again when a server sends it away, and is told of the end", async () => {
  await wait(100);
  server.end("closed");
  await wait(1000);
  expect(starts).toBe(2);
  expect(watching.get().ended).toBeNull();
  server.end("merged", "It is merged.");
  await wait(100);
  expect(watching.get().ended).toEqual({ reason: "merged", message: "It is merged." });
});

test("an app that is older than its server is told of nothing", async () => {
  await wait(100);
  server.end("schema");
  await wait(1000);
  expect(watching.get()).toMatchObject({ ended: null, people: [] });
  expect(starts).toBe(1);
});
