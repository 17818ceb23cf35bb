// What the editor finds in a space.
import { afterEach, expect, test, vi } from "vitest";
import type { Page } from "../space/queries";
import { best, flat, headingsOf, refOf } from "./services";
import { largest, send } from "./upload";

const page = (id: string, title: string, path: string, pages: Page[] = []): Page => ({
  id,
  title,
  path,
  pages,
  type: "document",
});
const roots = [
  page("a", "Welcome", ""),
  page("b", "Guide", "guide", [page("c", "Install", "guide/install"), page("d", "Übung", "guide/uebung")]),
];

test("lists pages with those above them, and finds them by title, path and trail", () => {
  const all = flat(roots);
  expect(all.map(({ id, trail }) => [id, ...trail])).toEqual([["a"], ["b"], ["c", "Guide"], ["d", "Guide"]]);
  const found = (words: string) =>
    best(
      all,
      words,
      (each) => each.title,
      (each) => `${each.path} ${each.trail.join(" ")}`,
    ).map(({ id }) => id);
  expect(found("")).toEqual(["a", "b", "c", "d"]);
  expect(found("gui")).toEqual(["b", "c", "d"]);
  expect(found("ubung")).toEqual(["d"]);
  expect(found("guide inst")).toEqual(["c"]);
  expect(found("nothing")).toEqual([]);
});

test("lists headings that have an address, wherever they stand", () => {
  const heading = (level: number, text: string, more: object) => ({
    object: "block" as const,
    type: `heading-${level}`,
    nodes: [{ object: "text" as const, leaves: [{ object: "leaf" as const, text, marks: [] }] }],
    ...more,
  });
  const nodes = [
    heading(1, "Start", { meta: { id: "start" } }),
    {
      object: "block" as const,
      type: "hint",
      nodes: [heading(2, "Inside", { data: { id: "in" }, meta: { id: "other" } })],
    },
    heading(3, "Nameless", {}),
  ];
  expect(headingsOf({ object: "document", nodes })).toEqual([
    { id: "start", title: "Start", level: 1 },
    { id: "in", title: "Inside", level: 2 },
  ]);
});

test("knows the addresses of its pages, in the app and on the site", () => {
  const here = location.origin;
  const site = "https://docs.example.org/handbook/";
  const ref = (address: string) => refOf(address, "s1", roots, site);
  expect(ref(`${here}/app/spaces/s1/pages/c`)).toEqual({ kind: "page", page: "c" });
  expect(ref(`${here}/app/spaces/s1/changes/7/pages/c#li%6Eux`)).toEqual({
    kind: "anchor",
    page: "c",
    anchor: "linux",
  });
  expect(ref("https://docs.example.org/handbook/guide/install")).toEqual({ kind: "page", page: "c" });
  expect(ref("https://docs.example.org/handbook")).toEqual({ kind: "page", page: "a" });
  expect(ref("https://docs.example.org/handbook/guide/install/#%E0")).toEqual({
    kind: "anchor",
    page: "c",
    anchor: "%E0",
  });
  for (const other of [
    `${here}/app/spaces/s2/pages/c`,
    `${here}/app/spaces/s1/pages/z`,
    "https://docs.example.org/handbooks",
    "https://example.com/guide/install",
    "guide/install",
    "",
  ]) {
    expect(ref(other), other).toBeNull();
  }
});

// A request whose end the test says.
class Request {
  static last: Request;
  upload: { onprogress?: (event: object) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  response: unknown = null;
  sent: FormData | null = null;
  open = vi.fn();
  constructor() {
    Request.last = this;
  }
  send(body: FormData) {
    this.sent = body;
  }
  abort() {
    this.onabort?.();
  }
  answer(status: number, response: unknown) {
    Object.assign(this, { status, response });
    this.onload?.();
  }
}

afterEach(() => vi.unstubAllGlobals());

test("uploads a file with progress, and says why when that fails", async () => {
  vi.stubGlobal("XMLHttpRequest", Request);
  const file = new File(["abc"], "tree.png", { type: "image/png" });
  const parts: number[] = [];
  const start = () => send("/files", file, (part) => parts.push(part));

  const good = start();
  expect((Request.last.sent?.get("file") as File).name).toBe("tree.png");
  Request.last.upload.onprogress?.({ loaded: 1, total: 4, lengthComputable: true });
  Request.last.answer(201, { files: [{ id: "f1" }], revision: "r" });
  expect(await good.done).toEqual({ id: "f1" });
  expect(parts).toEqual([0.25]);

  for (const [status, kind] of [[413, "large"], [415, "type"], [502, "network"], [400, "refused"]] as const) {
    const bad = start();
    Request.last.answer(status, { error: { message: "No." } });
    await expect(bad.done).rejects.toMatchObject({ kind, message: "No." });
  }
  const away = start();
  Request.last.onerror?.();
  await expect(away.done).rejects.toMatchObject({ kind: "network" });
  const unwanted = start();
  unwanted.cancel();
  await expect(unwanted.done).rejects.toMatchObject({ kind: "cancelled" });
  const large = new File([], "big.iso");
  Object.defineProperty(large, "size", { value: largest + 1 });
  await expect(send("/files", large, () => undefined).done).rejects.toMatchObject({ kind: "large" });
});
