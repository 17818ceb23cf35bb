// What was typed and is not saved yet waits in the browser (IndexedDB), apart for each person, page and tab. A tab that
// is gone leaves its draft to the next one that opens the page; nobody but the person gets to see it.
import type { JsonDocument, JsonNode } from "../editor/document";
import type { Waiting } from "../live/sharedText";
import type { Begun } from "../live/types";
import type { Rich, Source } from "./forms";

// LiveDraft is what a live session did not take yet: the revision that the title was typed on, and the steps of the
// text.
export interface LiveDraft {
  titled: string | null;
  text: (Begun & { base: string; schema: string; waiting: Waiting }) | null;
}

// Draft is what was typed, in the form in which it was, with the revision that it was typed on.
export type Draft<C> = C & { base: string; live?: LiveDraft };

// Row is what is stored. The blocks of a document are texts there: the browser copies what it is given, and a long page
// as thousands of small objects costs more than all else that a key does.
type Row = { owner: string; tab: string; at: number; base: string; live?: LiveDraft } & (
  Source | { title: string; document: Omit<JsonDocument, "nodes"> & { nodes: (string | JsonNode)[] } }
);

const texts = new WeakMap<JsonNode, string>();

// textOf returns a block as text. Blocks never change, so each is written once.
function textOf(block: JsonNode): string {
  const text = texts.get(block) ?? JSON.stringify(block);
  texts.set(block, text);
  return text;
}

const packed = (draft: Draft<Rich | Source>) =>
  "document" in draft ? { ...draft, document: { ...draft.document, nodes: draft.document.nodes.map(textOf) } } : draft;

function unpacked({ owner: _owner, tab: _tab, at: _at, ...draft }: Row): Draft<Rich | Source> {
  if (!("document" in draft)) return draft;
  const nodes = draft.document.nodes.map((block) =>
    typeof block === "string" ? (JSON.parse(block) as JsonNode) : block,
  );
  return { ...draft, document: { ...draft.document, nodes } };
}

// Where a draft belongs.
export interface Owner {
  user: string;
  space: string;
  change: string;
  page: string;
}

const table = "drafts";

function open(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const request = indexedDB.open("recto", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: ["owner", "tab"] });
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("IndexedDB cannot be opened"));
  });
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((done, failed) => {
      const transaction = database.transaction(table, mode, { durability: "relaxed" });
      const request = act(transaction.objectStore(table));
      transaction.oncomplete = () => done(request.result);
      transaction.onabort = () => failed(transaction.error ?? new Error("IndexedDB refuses"));
    });
  } finally {
    database.close();
  }
}

// Drafts is what saving needs of the browser.
export interface Drafts<C> {
  keep(draft: Draft<C>): Promise<void>;
  drop(): Promise<void>;
}

const lockOf = (tab: string) => `recto-draft-${tab}`;

// Browsers say which tabs are there by the locks that they hold. Where there are none, a draft of another tab is one
// of a tab that is gone.
async function livingTabs(): Promise<Set<string>> {
  const locks = (navigator as { locks?: LockManager }).locks;
  const { held = [] } = locks ? await locks.query() : {};
  return new Set(held.map((lock) => lock.name ?? ""));
}

// A tab has one name and one lock from the time it is loaded until it is gone.
const tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
let locked = false;

function lock(): void {
  if (locked) return;
  locked = true;
  void (navigator as { locks?: LockManager }).locks?.request(lockOf(tab), () => new Promise(() => undefined));
}

// draftsOf returns where this tab keeps what is typed, and the newest draft that a tab that is gone, or this one before
// it left the page, has kept.
export async function draftsOf({
  user,
  space,
  change,
  page,
}: Owner): Promise<{ drafts: Drafts<Rich | Source>; left: Draft<Rich | Source> | null }> {
  const owner = JSON.stringify([user, space, change, page]);
  lock();
  const drafts: Drafts<Rich | Source> = {
    keep: async (draft) =>
      void (await run("readwrite", (store) =>
        store.put({ ...packed(draft), owner, tab, at: Date.now() } satisfies Row),
      )),
    drop: async () => void (await run("readwrite", (store) => store.delete([owner, tab]))),
  };
  try {
    const living = await livingTabs();
    const rows = await run<Row[]>(
      "readonly",
      (store) => store.getAll(IDBKeyRange.bound([owner, ""], [owner, "\uffff"])) as IDBRequest<Row[]>,
    );
    const [newest] = rows.filter((row) => row.tab === tab || !living.has(lockOf(row.tab))).sort((a, b) => b.at - a.at);
    if (!newest) return { drafts, left: null };
    const { tab: from } = newest;
    const left = unpacked(newest);
    // It is this tab's before it is not the other's any more.
    await drafts.keep(left);
    if (from !== tab) await run("readwrite", (store) => store.delete([owner, from]));
    return { drafts, left };
  } catch {
    // A browser that keeps nothing: keep says so when something is typed.
    return { drafts, left: null };
  }
}
