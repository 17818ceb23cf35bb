// Saving a page whose body is written in a live session, against the fake server of live sessions, in simulated time.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Failure } from "../api/client";
import type { JsonDocument } from "../editor/document";
import { forget, type Socket, type Ways } from "../live/connection";
import { documentOf, Server, Writer } from "../live/fake";
import { SharedText, kept } from "../live/sharedText";
import type { FromClient, FromServer } from "../live/wire";
import type { Draft } from "./drafts";
import type { Rich } from "./forms";
import type { Loaded } from "./saving";
import { Together } from "./together";

const start = documentOf("one", "two", "three");

// The page as the API has it.
class Page {
  title = "Page";
  revision = 1;
  saves: Partial<Rich>[] = [];
  away = false;

  constructor(readonly session: Server) {}
  load = async (): Promise<Loaded<Rich>> => ({ revision: `r${this.revision}`, title: this.title, document: start });
  save = async (_base: string, change: Partial<Rich>) => {
    await Promise.resolve();
    if (this.away) throw new Failure(0, "");
    this.saves.push(change);
    this.title = change.title ?? this.title;
    if (change.document) this.session.replace("s2", change.document);
    this.revision++;
    return { revision: `r${this.revision}`, parents: [`r${this.revision - 1}`] };
  };
}

// What becomes of a page in one tab.
class Tab {
  title: string;
  writer: Writer;
  together: Together;
  kept: Draft<Rich> | null = null;
  // none: the server has no live sessions.
  constructor(readonly page: Page, server: Server, left: Draft<Rich> | null = null, none = false) {
    const read = left?.live?.text ? kept(left.live.text.waiting) : null;
    this.title = left && (!left.live || left.live.titled) ? left.title : page.title;
    this.writer = new Writer(server, "tab", read ? { doc: read.doc } : { document: left?.document ?? start });
    const client = `c${Math.random()}`;
    const ways: Ways = {
      socket: () => {
        const socket: Socket = {
          onopen: null,
          onmessage: null,
          onclose: null,
          send: () => undefined,
          close: () => server.leave(client),
        };
        const hear = (message: FromServer) =>
          setTimeout(() => server.reachable && socket.onmessage?.({ data: JSON.stringify(message) }), 5);
        socket.send = (text) => void setTimeout(() => server.take(JSON.parse(text) as FromClient, client, hear), 5);
        setTimeout(() => (server.reachable && !none ? socket.onopen?.() : socket.onclose?.()), 5);
        return socket;
      },
      post: async () => (none && server.reachable ? { status: 404, message: "no" } : { status: 0, message: "" }),
    };
    this.together = new Together({
      client,
      ways,
      server: page,
      left,
      open: true,
      may: true,
      drafts: {
        keep: async (draft) => void (this.kept = structuredClone(draft)),
        drop: async () => void (this.kept = null),
      },
      loaded: { revision: `r${page.revision}`, title: page.title, document: start },
      current: () => ({ title: this.title, document: this.document() }),
      show: (title) => (this.title = title),
      receive: () => undefined,
      replace: () => undefined,
      revised: () => undefined, paged: () => undefined, signedOut: () => undefined, refused: () => undefined,
    });
    if (read) this.writer.shared.resume(left!.live!.text!.version, read.steps);
    this.together.begin({ shared: this.writer.shared, schema: "x", kept: read !== null });
  }

  private document(): JsonDocument {
    return new SharedText(this.writer).document();
  }

  type(before: string, text: string): void {
    const { writer } = this;
    writer.state = writer.state.apply(writer.state.tr.insertText(text, writer.at(before)));
    this.together.typed();
  }

  rename(title: string): void {
    this.title = title;
    this.together.changed();
  }
}

let server: Server;
let page: Page;

beforeEach(() => {
  vi.useFakeTimers();
  forget();
  server = new Server(start);
  page = new Page(server);
});
afterEach(() => vi.useRealTimers());

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("the body goes through the session alone, the title through the API alone", async () => {
  const tab = new Tab(page, server);
  await wait(100);
  expect(tab.together.get().kind).toBe("saved");
  tab.type("one", "a");
  expect(tab.together.get().kind).toBe("saving");
  await wait(5);
  expect(tab.kept?.live?.text?.waiting.steps).toHaveLength(1);
  await wait(200);
  expect(tab.together.get().kind).toBe("saved");
  expect(tab.kept).toBeNull();
  expect(server.texts()[0]).toBe("aone");
  expect(page.saves).toEqual([]);
  tab.rename("Name");
  await wait(2000);
  expect(page.saves).toEqual([{ title: "Name" }]);
  expect(tab.together.get().kind).toBe("saved");
  expect(tab.kept).toBeNull();
});

test("keeps both while the server is away, and the next tab goes on from there", async () => {
  const tab = new Tab(page, server);
  await wait(100);
  server.reachable = false;
  page.away = true;
  server.clients.clear();
  tab.together["live"]!["line"]!.start();
  tab.type("one", "a");
  tab.rename("Name");
  await wait(3000);
  expect(tab.together.get()).toEqual({ kind: "offline", kept: true });
  const left = tab.kept!;
  expect(left).toMatchObject({ title: "Name", live: { titled: "r1" } });
  tab.together["live"]!.stop();
  server.reachable = true;
  page.away = false;
  const next = new Tab(page, server, left);
  expect(next.writer.texts()[0]).toBe("aone");
  expect(next.together.get().kind).toBe("saving");
  await wait(3000);
  expect(server.texts()).toEqual(["aone", "two", "three"]);
  expect(page.saves).toEqual([{ title: "Name" }]);
  expect(next.together.get().kind).toBe("saved");
  expect(next.kept).toBeNull();
});

test("a draft that is a document goes into the branch first, then the session is joined", async () => {
  const typed = documentOf("typed before", "two", "three");
  const tab = new Tab(page, server, { base: "r1", title: "Page", document: typed });
  await wait(500);
  expect(page.saves).toEqual([{ title: "Page", document: typed }]);
  tab.type("typed", "x");
  await wait(500);
  expect(server.texts()).toEqual(["xtyped before", "two", "three"]);
  expect(page.saves).toHaveLength(1);
});

test("where there are no sessions all goes through the API", async () => {
  const tab = new Tab(page, server, null, true);
  await wait(100);
  expect(tab.together.get().kind).toBe("saved");
  tab.type("one", "a");
  await wait(3000);
  expect(page.saves).toHaveLength(1);
  expect(page.saves[0]!.document).toEqual(documentOf("aone", "two", "three"));
  expect(tab.together.get().kind).toBe("saved");
});

test("a title that another has changed is shown", async () => {
  const tab = new Tab(page, server);
  await wait(100);
  page.title = "Other";
  page.revision++;
  server.all({ type: "page" });
  await wait(1000);
  expect(tab.title).toBe("Other");
  expect(page.saves).toEqual([]);
});

test("has all of it in a revision before the form changes, or says that it has not", async () => {
  const tab = new Tab(page, server);
  await wait(100);
  tab.type("one", "a");
  const done = tab.together.flush();
  await wait(500);
  expect(await done).toBe(true);
  expect(server.flushed).toBe(1);
  server.reachable = false;
  tab.together["live"]!["line"]!.start();
  tab.type("one", "b");
  const not = tab.together.flush();
  await wait(12_000);
  expect(await not).toBe(false);
});

test("the end of the session says what was not saved", async () => {
  const tab = new Tab(page, server);
  await wait(100);
  server.end("merged", "It is merged.");
  await wait(50);
  expect(tab.together.get().kind).toBe("saved");
  expect(tab.together.together().ended?.reason).toBe("merged");
  tab.type("one", "a");
  await wait(500);
  expect(tab.together.get()).toMatchObject({ kind: "failed", reason: "It is merged." });
  expect(tab.kept?.live?.text?.waiting.steps).toHaveLength(1);
});

test("leaving the page sends what waits", async () => {
  const tab = new Tab(page, server);
  await wait(100);
  tab.type("one", "a");
  tab.together.part();
  const end = tab.together.end();
  await wait(500);
  await end;
  expect(server.texts()[0]).toBe("aone");
  expect(server.clients.size).toBe(0);
});

test("what is too long for a session is saved through the API, and the session goes on with it", async () => {
  const tab = new Tab(page, server);
  await wait(100);
  // Letters of two bytes: it is the bytes that count.
  const long = "ü".repeat(480_000);
  tab.type("one", long);
  await wait(2000);
  expect(page.saves.map(({ document }) => document)).toEqual([documentOf(`${long}one`, "two", "three")]);
  expect(server.batches).toEqual([]);
  expect(tab.together.get().kind).toBe("saved");
  expect(tab.kept).toBeNull();
  tab.type("two", "x");
  await wait(500);
  expect(server.texts()).toEqual([`${long}one`, "xtwo", "three"]);
  expect(page.saves).toHaveLength(1);
});

test("leaving the page with what is too long for a session ends with all of it saved", async () => {
  const tab = new Tab(page, server);
  await wait(100);
  const long = "x".repeat(950_000);
  tab.type("one", long);
  tab.together.part();
  const end = tab.together.end();
  await wait(3000);
  await end;
  expect(page.saves.map(({ document }) => document)).toEqual([documentOf(`${long}one`, "two", "three")]);
});
