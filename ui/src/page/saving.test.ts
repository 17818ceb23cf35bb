import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Failure } from "../api/client";
import type { JsonDocument, JsonNode } from "../editor/document";
import type { Draft } from "./drafts";
import { asSent, merged, mineFirst } from "./merge";
import { rich, source, type Rich } from "./forms";
import { Saving, type Loaded } from "./saving";

const block = (text: string): JsonNode => ({
  object: "block",
  type: "paragraph",
  isVoid: false,
  data: {},
  nodes: text ? [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }] : [],
});
const text = (...lines: string[]): JsonDocument => ({ object: "document", nodes: lines.map(block) });

// A server with one page. refuse makes the next save fail.
class Page {
  revision = 1;
  content: Rich = { title: "Page", document: text("one", "two", "three") };
  saves: Partial<Rich>[] = [];
  refuse: Failure | null = null;
  other: (() => void) | null = null;

  load = (): Promise<Loaded<Rich>> => Promise.resolve({ revision: `r${this.revision}`, ...this.content });
  save = async (base: string, change: Partial<Rich>) => {
    await Promise.resolve();
    if (this.refuse) throw this.refuse;
    this.other?.();
    this.other = null;
    const parent = `r${this.revision}`;
    // Whoever was quicker changed the last block alone.
    const theirs = this.content.document.nodes.at(-1)!;
    if (change.document && base !== parent)
      change = { ...change, document: { ...change.document, nodes: [...change.document.nodes.slice(0, -1), theirs] } };
    this.saves.push(change);
    this.content = { ...this.content, ...change };
    this.revision++;
    return { revision: `r${this.revision}`, parents: [parent] };
  };
}

let page: Page;
let here: Rich;
let kept: Draft<Rich> | null;
let saving: Saving<Rich>;

function begin(left: Draft<Rich> | null = null): Saving<Rich> {
  return new Saving({
    form: rich,
    server: page,
    drafts: { keep: async (draft) => void (kept = structuredClone(draft)), drop: async () => void (kept = null) },
    loaded: { revision: `r${page.revision}`, ...page.content },
    left,
    current: () => here,
    received: (content) => (here = content),
    replaced: (content) => (here = content),
  });
}

const type = (...lines: string[]) => {
  here = { ...here, document: text(...lines) };
  saving.changed();
};

beforeEach(() => {
  vi.useFakeTimers();
  page = new Page();
  here = page.content;
  kept = null;
  saving = begin();
});
afterEach(() => vi.useRealTimers());

test("saves soon after typing and keeps what was typed until then", async () => {
  type("one!", "two", "three");
  expect(saving.get().kind).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);
  expect(kept?.document).toEqual(here.document);
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.saves).toEqual([{ document: here.document }]);
  expect(saving.get().kind).toBe("saved");
  expect(kept).toBeNull();
});

test("saves within two seconds of the first key while typing goes on", async () => {
  for (let i = 0; i < 10; i++) {
    type("one" + "!".repeat(i + 1), "two", "three");
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(page.saves.length).toBeGreaterThan(0);
});

test("sends nothing when what was typed was taken back", async () => {
  type("one!", "two", "three");
  type("one", "two", "three");
  await vi.advanceTimersByTimeAsync(3000);
  expect(page.saves).toEqual([]);
  expect(saving.get().kind).toBe("saved");
});

test("keeps it while the server is away, and sends it when it is back", async () => {
  page.refuse = new Failure(0, "");
  type("one!", "two", "three");
  await vi.advanceTimersByTimeAsync(1000);
  expect(saving.get()).toEqual({ kind: "offline", kept: true });
  type("one!!", "two", "three");
  await vi.advanceTimersByTimeAsync(100);
  expect(kept?.document).toEqual(here.document);
  expect(saving.get().kind).toBe("offline");
  page.refuse = null;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(page.content.document).toEqual(here.document);
  expect(saving.get().kind).toBe("saved");
});

test("says what the server refuses, and tries again when asked", async () => {
  page.refuse = new Failure(413, "the body is too large");
  type("one!", "two", "three");
  await vi.advanceTimersByTimeAsync(1000);
  expect(saving.get()).toMatchObject({ kind: "failed", reason: "the body is too large" });
  page.refuse = null;
  await saving.save();
  expect(saving.get().kind).toBe("saved");
});

test("tries again what was refused once something else is typed, but not while nobody is signed in", async () => {
  page.refuse = new Failure(400, "the front matter is not valid YAML");
  type("layout: [", "two", "three");
  await vi.advanceTimersByTimeAsync(1000);
  expect(saving.get().kind).toBe("failed");
  page.refuse = null;
  type("layout: []", "two", "three");
  await vi.advanceTimersByTimeAsync(1000);
  expect(saving.get().kind).toBe("saved");
  page.refuse = new Failure(401, "");
  type("one!", "two", "three");
  await vi.advanceTimersByTimeAsync(1000);
  type("one!!", "two", "three");
  await vi.advanceTimersByTimeAsync(1000);
  expect(saving.get()).toMatchObject({ kind: "failed", signedOut: true });
  expect(kept?.document).toEqual(here.document);
});

test("takes in what somebody else has changed elsewhere in the page", async () => {
  type("one!", "two", "three");
  page.other = () => {
    page.revision++;
    page.content = { ...page.content, document: text("one", "two", "three, changed") };
  };
  await vi.advanceTimersByTimeAsync(1000);
  expect(here.document).toEqual(text("one!", "two", "three, changed"));
  expect(saving.get().kind).toBe("saved");
});

test("asks when two have changed the same", async () => {
  for (const choice of ["mine", "theirs"] as const) {
    page.refuse = new Failure(409, "conflict");
    page.revision++;
    page.content = { ...page.content, document: text(`${choice} one`, "two", "three") };
    type(`one, ${choice}`, "two", "three");
    await vi.advanceTimersByTimeAsync(2000);
    expect(saving.get().kind).toBe("conflict");
    // Typing goes on and is kept, but nothing is sent.
    type(`one, ${choice}!`, "two", "three");
    await vi.advanceTimersByTimeAsync(3000);
    expect(kept?.document).toEqual(here.document);
    const theirs = page.content.document;
    page.refuse = null;
    if (choice === "mine") saving.keepMine();
    else saving.takeTheirs();
    await vi.advanceTimersByTimeAsync(1000);
    expect(saving.get().kind).toBe("saved");
    expect(page.content.document).toEqual(choice === "mine" ? text("one, mine!", "two", "three") : theirs);
    expect(here.document).toEqual(page.content.document);
  }
});

test("sends what a tab that is gone has left", async () => {
  here = { title: "Page", document: text("one, typed before", "two", "three") };
  saving = begin({ base: "r1", ...here });
  await vi.advanceTimersByTimeAsync(10);
  expect(page.content.document).toEqual(here.document);
  expect(saving.get().kind).toBe("saved");
});

test("blocks that two have changed are merged where they are different ones", () => {
  const [a, b, c, x, y] = ["a", "b", "c", "x", "y"].map(block) as [JsonNode, JsonNode, JsonNode, JsonNode, JsonNode];
  expect(merged([a, b, c], [x, b, c], [a, b, y])).toEqual([x, b, y]);
  expect(merged([a, b, c], [a, b, c], [a, c])).toEqual([a, c]);
  expect(merged([a, b, c], [a, x, b, c], [a, b, c, y])).toEqual([a, x, b, c, y]);
  expect(merged([a, b, c], [x, b, c], [y, b, c])).toBeNull();
  expect(merged([a, b, c], [x, b, c], [x, b, c])).toEqual([x, b, c]);
  expect(mineFirst([a, b, c], [x, b, c], [y, b, y])).toEqual([x, b, y]);
});

test("blocks that the server writes another way are as they were sent", () => {
  const tab = (title: string | undefined, ...nodes: JsonNode[]): JsonNode => ({
    object: "block",
    type: "tabs-item",
    isVoid: false,
    data: title === undefined ? {} : { title },
    nodes,
  });
  const tabs = (...nodes: JsonNode[]): JsonNode => ({ object: "block", type: "tabs", isVoid: false, data: {}, nodes });
  const heading = { ...block("Part"), type: "heading-1" };
  const sent = [heading, block(""), tabs(tab(undefined, block("one")), tab("", block(""))), block("")];
  const theirs = [
    { ...heading, meta: { id: "part" } },
    tabs({ ...tab("Tab 1", block("one")), meta: { id: "tab-1" } }, tab("Tab 2")),
  ];
  expect(asSent(sent, theirs)).toEqual(sent);
  // What others have changed, put in and taken out is theirs.
  const other = [block("before"), theirs[0]!, tabs(tab("Tab 1", block("two")), tab("Tab 2"))];
  expect(asSent(sent, other)).toEqual([block("before"), heading, block(""), block(""), other[2]]);
  expect(asSent([block("a"), block("b")], [block("b")])).toEqual([block("b")]);
  expect(
    rich.merged(
      { title: "", document: { object: "document", nodes: sent } },
      { title: "", document: { object: "document", nodes: [...sent, block("more")] } },
      { title: "", document: { object: "document", nodes: theirs } },
    )?.document.nodes,
  ).toEqual([...sent, block("more")]);
});

test("lines that two have changed are merged where they are apart", () => {
  const text = (...lines: string[]) => ({ markdown: lines.join("\n") });
  const base = text("# Title", "", "one", "", "two", "");
  expect(
    source.merged(base, text("# Title", "", "one!", "", "two", ""), text("# Name", "", "one", "", "two", "")),
  ).toEqual(text("# Name", "", "one!", "", "two", ""));
  expect(
    source.merged(base, text("# Title", "", "mine", "", "two", ""), text("# Title", "", "theirs", "", "two", "")),
  ).toBeNull();
  expect(
    source.mineFirst(base, text("# Title", "", "mine", "", "two", ""), text("# Name", "", "theirs", "", "two", "")),
  ).toEqual(text("# Name", "", "mine", "", "two", ""));
  // Line ends are part of lines, whatever they are.
  expect(source.merged({ markdown: "a\r\nb" }, { markdown: "a\r\nb\r\n" }, { markdown: "a\r\nb" })).toEqual({
    markdown: "a\r\nb\r\n",
  });
});

test("has all of it sent before the form changes, or says that it is not", async () => {
  type("one!", "two", "three");
  expect(await saving.flush()).toBe(true);
  expect(page.content.document).toEqual(here.document);
  expect(kept).toBeNull();
  page.refuse = new Failure(0, "");
  type("one!!", "two", "three");
  expect(await saving.flush()).toBe(false);
  expect(kept?.document).toEqual(here.document);
});

test("goes on no further when it has ended, and leaves what was not sent as a draft", async () => {
  page.refuse = new Failure(0, "");
  type("one!", "two", "three");
  await saving.end();
  page.refuse = null;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(page.saves).toEqual([]);
  expect(kept?.document).toEqual(here.document);
});

test("shows what others have made at once, unless something is typed here that brings it along", async () => {
  page.content = { title: "Page", document: text("one", "two", "three, theirs") };
  page.revision++;
  await saving.follow("r2");
  expect(here.document).toEqual(text("one", "two", "three, theirs"));
  expect(saving.get().kind).toBe("saved");
  // The own one, told before the answer to the save has come.
  type("one!", "two", "three, theirs");
  void saving.save();
  await saving.follow("r3");
  await vi.advanceTimersByTimeAsync(10);
  expect(page.saves).toEqual([{ document: text("one!", "two", "three, theirs") }]);
  page.content = { ...page.content, document: text("one!", "two", "three, theirs again") };
  page.revision++;
  type("one!!", "two", "three, theirs");
  await saving.follow("r4");
  expect(here.document).toEqual(text("one!!", "two", "three, theirs"));
  await vi.advanceTimersByTimeAsync(2000);
  expect(here.document).toEqual(text("one!!", "two", "three, theirs again"));
  expect(saving.get().kind).toBe("saved");
});
