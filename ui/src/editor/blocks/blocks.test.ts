// What is done to whole blocks: on a document of small words, written as its blocks' names and words.
import type { Node } from "@tiptap/pm/model";
import { EditorState, TextSelection, type Command, type Transaction } from "@tiptap/pm/state";
import { EditorView } from "@tiptap/pm/view";
import { expect, test } from "vitest";
import { randomDocument, seeded } from "../../../test/random";
import { readDocument } from "../convert";
import { keys } from "../keys";
import { pointing } from "../pointing";
import { schema } from "../schema";
import { derived } from "./anchor";
import { besideDropped, mostColumns } from "./beside";
import { dropped, duplicate, move, removeBlocks } from "./change";
import { blockKeys, select } from "./keys";
import { BlockSelection } from "./selection";
import { turn, turned, turns } from "./turn";
import { isList, rangeOf, unitAt } from "./units";

const make = (name: string, ...content: (Node | string)[]) =>
  schema.nodes[name]!.create(
    { data: {} },
    content.map((each) => (typeof each === "string" ? schema.text(each) : each)),
  );
const p = (text = "") => (text ? make("paragraph", text) : make("paragraph"));
const item = (...content: (Node | string)[]) =>
  make("listItem", ...content.map((each) => (typeof each === "string" ? p(each) : each)));
const doc = (...content: Node[]) => schema.nodes["doc"]!.create(null, content);

// shape writes a document on one line.
const shape = (node: Node): string =>
  node.isTextblock
    ? node.type.name === "paragraph"
      ? node.textContent || "_"
      : `${node.type.name}(${node.textContent})`
    : node.isLeaf
      ? node.type.name
      : `${node.type.name === "doc" ? "" : node.type.name}[${node.children.map(shape).join(" ")}]`;

// at is the place of the node with these words, or of a unit around them.
function unit(state: EditorState, words: string): number {
  let found = -1;
  state.doc.descendants((node, pos) => {
    if (node.isTextblock && node.textContent === words) found = unitAt(state.doc.resolve(pos + 1))!.pos;
  });
  return found;
}

function chosen(root: Node, first: string, last = first): EditorState {
  const state = EditorState.create({ doc: root });
  return state.apply(state.tr.setSelection(BlockSelection.between(root, unit(state, first), unit(state, last))));
}

function run(state: EditorState, command: Command): EditorState {
  let after = state;
  expect(command(state, (tr) => (after = state.apply(tr)))).toBe(true);
  after.doc.check();
  return after;
}

const list = () =>
  doc(
    p("a"),
    make("listUnordered", item("one"), item("two", make("listOrdered", item("deep"))), item("three")),
    p("z"),
  );

test("a unit is an item, not its first paragraph", () => {
  const state = EditorState.create({ doc: list() });
  expect(state.doc.nodeAt(unit(state, "one"))!.type.name).toBe("listItem");
  expect(state.doc.nodeAt(unit(state, "a"))!.type.name).toBe("paragraph");
});

test("several are deleted, duplicated and moved together", () => {
  expect(shape(run(chosen(list(), "one", "two"), removeBlocks).doc)).toBe("[a listUnordered[listItem[three]] z]");
  expect(shape(run(chosen(list(), "one", "three"), removeBlocks).doc)).toBe("[a z]");
  const twice = run(chosen(doc(p("a"), p("b"), p("c")), "a", "b"), duplicate);
  expect(shape(twice.doc)).toBe("[a b a b c]");
  expect([twice.selection.from, twice.selection.to]).toEqual([6, 12]);
  const moved = run(chosen(doc(p("a"), p("b"), p("c")), "a", "b"), move(1));
  expect(shape(moved.doc)).toBe("[c a b]");
  expect(shape(run(moved, move(-1)).doc)).toBe("[a b c]");
  expect(move(-1)(chosen(doc(p("a")), "a"))).toBe(false);
});

test("what holds the last block gets a line to type into, or goes with it", () => {
  expect(shape(run(chosen(doc(make("hint", p("a"))), "a"), removeBlocks).doc)).toBe("[hint[_]]");
  expect(shape(run(chosen(doc(make("blockquote", p("a"))), "a"), removeBlocks).doc)).toBe("[_]");
  expect(
    shape(run(chosen(doc(make("columns", make("column", p("a")), make("column", p("b")))), "a"), removeBlocks).doc),
  ).toBe("[columns[column[_] column[b]]]");
});

test("a copy has no anchor of its own", () => {
  const heading = schema.nodes["heading1"]!.create(
    { data: { id: "x", align: "center" }, meta: { id: "x" } },
    schema.text("h"),
  );
  const { doc: after } = run(chosen(doc(heading), "h"), duplicate);
  expect(after.child(0).attrs).toEqual({ data: { id: "x", align: "center" }, meta: { id: "x" } });
  expect(after.child(1).attrs).toEqual({ data: { align: "center" }, meta: null });
});

test("blocks become others", () => {
  const to = (root: Node, first: string, last: string, name: Parameters<typeof turn>[0]) =>
    shape(run(chosen(root, first, last), turn(name)).doc);
  expect(to(doc(p("a"), p("b")), "a", "b", "listTasks")).toBe("[listTasks[taskItem[a] taskItem[b]]]");
  expect(to(doc(p("a"), p("b")), "a", "b", "hint")).toBe("[hint[a b]]");
  expect(to(doc(p("a"), p("b")), "a", "b", "codeBlock")).toBe("[codeBlock(a\nb)]");
  expect(to(list(), "two", "two", "heading2")).toBe(
    "[a listUnordered[listItem[one]] heading2(two) heading2(deep) listUnordered[listItem[three]] z]",
  );
  expect(to(list(), "two", "two", "listTasks")).toBe(
    "[a listTasks[taskItem[one] taskItem[two listOrdered[listItem[deep]]] taskItem[three]] z]",
  );
  expect(to(doc(make("codeBlock", "x\ny")), "x\ny", "x\ny", "paragraph")).toBe("[x y]");
});

test("blocks come where they are dropped, in the form that the place has", () => {
  const drop = (root: Node, what: string, to: (state: EditorState) => number) => {
    const state = chosen(root, what);
    const tr = dropped(state, rangeOf(state.doc, state.selection.from, state.selection.to), to(state));
    tr?.doc.check();
    return tr && shape(tr.doc);
  };
  const after = (words: string) => (state: EditorState) =>
    unit(state, words) + state.doc.nodeAt(unit(state, words))!.nodeSize;
  expect(drop(list(), "a", after("one"))).toBe(
    "[listUnordered[listItem[one] listItem[a] listItem[two listOrdered[listItem[deep]]] listItem[three]] z]",
  );
  expect(drop(list(), "two", (state) => state.doc.content.size)).toBe(
    "[a listUnordered[listItem[one] listItem[three]] z listUnordered[listItem[two listOrdered[listItem[deep]]]]]",
  );
  expect(drop(list(), "two", after("deep"))).toBeNull();
  const columns = doc(p("a"), make("columns", make("column", p()), make("column", p("b"))));
  expect(drop(columns, "a", () => 5)).toBe("[columns[column[a] column[b]]]");
  expect(drop(columns, "b", (state) => unit(state, "a"))).toBe("[b a columns[column[_] column[_]]]");
});

test("what is dropped at the side of a block stands beside it in columns", () => {
  const drop = (root: Node, what: string, target: string, side: "before" | "after", last = what) => {
    const state = chosen(root, what, last);
    const tr = besideDropped(
      state,
      rangeOf(state.doc, state.selection.from, state.selection.to),
      unit(state, target),
      side,
    );
    tr?.doc.check();
    if (tr)
      expect(tr.selection.content().content.textBetween(0, tr.selection.content().content.size, " ")).toContain(what);
    return tr && shape(tr.doc);
  };
  const three = doc(p("a"), p("b"), p("c"));
  expect(drop(three, "a", "c", "after")).toBe("[b columns[column[c] column[a]]]");
  expect(drop(three, "c", "a", "before")).toBe("[columns[column[c] column[a]] b]");
  expect(drop(three, "a", "c", "after", "b")).toBe("[columns[column[c] column[a b]]]");
  expect(drop(three, "a", "a", "after")).toBeNull();
  expect(drop(list(), "two", "a", "after")).toBe(
    "[columns[column[a] column[listUnordered[listItem[two listOrdered[listItem[deep]]]]]] listUnordered[listItem[one] listItem[three]] z]",
  );
  expect(drop(list(), "a", "one", "after")).toBeNull();
  const columns = doc(make("columns", make("column", p("a")), make("column", p("b"), p("c"))), p("d"));
  expect(drop(columns, "d", "a", "before")).toBe("[columns[column[d] column[a] column[b c]]]");
  expect(drop(columns, "a", "c", "after")).toBe("[columns[column[b c] column[a]] d]");
  expect(drop(columns, "b", "c", "after")).toBe("[columns[column[a] column[c] column[b]] d]");
  const six = doc(
    make("columns", ...["a", "b", "c", "d", "e", "f"].slice(0, mostColumns).map((words) => make("column", p(words)))),
    p("g"),
  );
  expect(drop(six, "g", "a", "after")).toBeNull();
  expect(drop(six, "f", "a", "before")).toBe(
    "[columns[column[f] column[a] column[b] column[c] column[d] column[e]] g]",
  );
});

test("columns that another one comes to lose their widths", () => {
  const wide = schema.nodes["column"]!.create({ data: { width: { unit: "%", value: 70 } } }, p("a"));
  const state = chosen(doc(make("columns", wide, make("column", p("b"))), p("c")), "c");
  const tr = besideDropped(
    state,
    rangeOf(state.doc, state.selection.from, state.selection.to),
    unit(state, "a"),
    "after",
  );
  expect(tr!.doc.firstChild!.children.map((column) => column.attrs["data"])).toEqual([{}, {}, {}]);
});

test("Escape selects what is around, one more each time", () => {
  let state = EditorState.create({ doc: doc(make("hint", make("listUnordered", item("x")))) });
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 5)));
  const kinds: string[] = [];
  for (let i = 0; i < 2; i++) {
    state = run(state, select);
    kinds.push(state.doc.nodeAt(state.selection.from)!.type.name);
  }
  expect(kinds).toEqual(["listItem", "hint"]);
  expect(select(state)).toBe(false);
});

test("no words are lost whatever becomes of random blocks", { timeout: 60_000 }, () => {
  const random = seeded(11);
  const words = (text: string) => [...text.replace(/\s/g, "")].sort().join("");
  for (let i = 0; i < 150; i++) {
    const root = readDocument(randomDocument(random));
    const before = words(root.textContent);
    for (const { name } of turns) {
      const made = turned(root.children, name);
      for (const node of made) node.check();
      if (name !== "codeBlock")
        expect(words(made.map((node) => node.textContent).join("")), `${name} of ${i}`).toBe(before);
    }
    const state = EditorState.create({ doc: root });
    root.descendants((node, pos, parent) => {
      if (!parent || isList(node) || !unitAt(root.resolve(pos + (node.isAtom ? 0 : 1)))) return;
      for (const command of [duplicate, move(1), move(-1), removeBlocks]) {
        const chosenState = state.apply(
          state.tr.setSelection(BlockSelection.between(root, unitAt(root.resolve(pos + (node.isAtom ? 0 : 1)))!.pos)),
        );
        command(chosenState, (tr) => tr.doc.check());
      }
      const from = unitAt(root.resolve(pos + (node.isAtom ? 0 : 1)))!;
      const beside = besideDropped(
        state,
        rangeOf(root, from.pos, from.pos + from.node.nodeSize),
        Math.floor(random() * root.childCount) && root.content.size - root.lastChild!.nodeSize,
        random() < 0.5 ? "before" : "after",
      );
      beside?.doc.check();
      if (beside) expect(words(beside.doc.textContent), `beside of ${i}`).toBe(before);
      return random() < 0.3;
    });
  }
});

test.each([
  ["Get started", "get-started"],
  ["Über C++ & Go…", "uber-c++-and-go..."],
  ["1. Create", "id-1.-create"],
  ["What’s new?", "whats-new"],
  ["!?", ""],
])("the anchor of %j is %j", (text, anchor) => expect(derived(text)).toBe(anchor));

test("Backspace at the start of a part leaves the one before it alone", () => {
  const parts = doc(make("columns", make("column", p("a")), make("column", p("b"))), p("c"));
  for (const words of ["b", "c"]) {
    let state = EditorState.create({ doc: parts });
    let at = 0;
    parts.descendants((node, pos) => void (node.isTextblock && node.textContent === words && (at = pos + 1)));
    state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));
    const view = {
      state,
      dispatch: (tr: Transaction) => (state = state.apply(tr)),
      endOfTextblock: () => true,
    } as unknown as EditorView;
    for (const each of keys(() => undefined))
      if (each.props.handleKeyDown!.call(each, view, new KeyboardEvent("keydown", { key: "Backspace" }))) break;
    expect(shape(state.doc), words).toBe("[columns[column[a] column[b]] c]");
  }
});

test("held AltGr types letters and is no Ctrl and Alt", () => {
  let changed = false;
  const state = EditorState.create({ doc: doc(p("a")) });
  const view = { state, dispatch: () => (changed = true) } as unknown as EditorView;
  const all = [blockKeys(() => (changed = true)), ...keys(() => undefined)];
  const press = (init: KeyboardEventInit) =>
    all.map((each) =>
      each.props.handleKeyDown!.call(
        each,
        view,
        new KeyboardEvent("keydown", { ctrlKey: true, altKey: true, ...init }),
      ),
    );
  press({ key: "2", code: "Digit2", modifierAltGraph: true });
  expect(changed).toBe(false);
  press({ key: "2", code: "Digit2" });
  expect(changed).toBe(true);
});

test("a key goes to the block that was clicked, before the editor has heard of the click", () => {
  const place = document.body.appendChild(document.createElement("div"));
  const start = EditorState.create({
    doc: doc(p("first"), p("clicked")),
    plugins: [pointing(), blockKeys(() => true)],
  });
  const view = new EditorView(place, { state: start });
  view.focus();
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 3)));
  document.getSelection()!.collapse(view.dom.lastChild!.firstChild, 2);
  expect(view.state.selection.from).toBe(3);
  view.dom.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
  expect(view.state.selection).toBeInstanceOf(BlockSelection);
  expect(view.state.doc.nodeAt(view.state.selection.from)!.textContent).toBe("clicked");
  view.destroy();
  place.remove();
});

test("what ProseMirror finds in a change of the browser's is a key like another", () => {
  const found = (altGraph: boolean) =>
    altGraph
      ? new KeyboardEvent("keydown", { key: "Enter", modifierAltGraph: true })
      : (Object.assign(new Event("keydown"), { key: "Enter", keyCode: 13 }) as unknown as KeyboardEvent);
  for (const altGraph of [false, true]) {
    const state = chosen(doc(p("one"), p("two")), "one");
    const view = new EditorView(null, { state, plugins: [blockKeys(() => false), ...keys(() => undefined)] });
    const taken = view.someProp("handleKeyDown", (handle) => handle(view, found(altGraph)) || undefined);
    expect(Boolean(taken)).toBe(!altGraph);
    view.destroy();
  }
});
