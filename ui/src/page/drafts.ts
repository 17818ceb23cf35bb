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

// Row is what is stored. The blocks of a document are one text there: the browser copies what it is given, and a long
// page as thousands of small objects costs more than all else that a key does. Each was a text of its own once.
export type Row = { owner: string; tab: string; at: number; base: string; live?: LiveDraft } & (
  Source | { title: string; document: Omit<JsonDocument, "nodes"> & { nodes: string | string[] } }
);

const texts = new WeakMap<JsonNode, string>();

// textOf returns a block as text. Blocks never change, so each is written once.
function textOf(block: JsonNode): string {
  const text = texts.get(block) ?? JSON.stringify(block);
  texts.set(block, text);
  return text;
}

// packed makes what is stored of a draft.
export const packed = (draft: Draft<Rich | Source>) =>
  "document" in draft
    ? { ...draft, document: { ...draft.document, nodes: `[${draft.document.nodes.map(textOf).join(",")}]` } }
    : draft;

// unpacked returns the draft that was stored.
export function unpacked({ owner: _owner, tab: _tab, at: _at, ...draft }: Row): Draft<Rich | Source> {
  if (!("document" in draft)) return draft;
  const { nodes } = draft.document;
  const blocks = JSON.parse(typeof nodes === "string" ? nodes : `[${nodes.join(",")}]`) as JsonNode[];
  return { ...draft, document: { ...draft.document, nodes: blocks } };
}

// Where a draft belongs.
export interface Owner {
  user: string;
  space: string;
  change: string;
  page: string;
}

const table = "drafts";

// The database stays open: opening it anew costs as much as what a key stores.
let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((done, failed) => {
    const forget = () => (opened = null);
    const request = indexedDB.open("recto", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: ["owner", "tab"] });
    request.onsuccess = () => {
      const { result } = request;
      // The browser closes it when the data of the site are deleted; another tab asks for that with a newer Recto.
      result.onclose = forget;
      result.onversionchange = () => {
        forget();
        result.close();
      };
      done(result);
    };
    request.onerror = () => {
      forget();
      failed(request.error ?? new Error("IndexedDB cannot be opened"));
    };
  });
  return opened;
}

// run acts on the drafts. act may be called twice: a connection can be lost without a word, as Safari's are when it was
// long in the background, and a new one is tried.
async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const database = await open();
    try {
      return await new Promise<T>((done, failed) => {
        const transaction = database.transaction(table, mode, { durability: "relaxed" });
        const request = act(transaction.objectStore(table));
        transaction.oncomplete = () => done(request.result);
        transaction.onabort = () => failed(transaction.error ?? new Error("IndexedDB refuses"));
      });
    } catch (failure) {
      opened = null;
      database.close();
      if (tries === 2) throw failure;
    }
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
