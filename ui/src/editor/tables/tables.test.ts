// Tables as they are edited: what commands, keys and the clipboard make of them, and what they are in the JSON then.
import type { Node } from "@tiptap/pm/model";
import { EditorState, TextSelection, type Command, type Transaction } from "@tiptap/pm/state";
import { CellSelection } from "@tiptap/pm/tables";
import { history, undo } from "@tiptap/pm/history";
import type { EditorView } from "@tiptap/pm/view";
import { expect, test } from "vitest";
import { readDocument, writeDocument } from "../convert";
import type { Data, JsonDocument, JsonNode } from "../document";
import { textColumn, type Column, type Option } from "../nodes/tables";
import { clipboardParser } from "../paste";
import { schema } from "../schema";
import {
  deleteColumns,
  deleteRows,
  duplicateColumns,
  duplicateRows,
  insertColumn,
  insertRow,
  merge,
  moveColumns,
  moveRows,
  newTable,
  setColumn,
  setHidden,
  setRole,
  setType,
  setView,
  setWidth,
  show,
  sortRows,
  split,
} from "./commands";
import { cellAt } from "./grid";
import { step, tableKeys } from "./keys";
import { cellsOfLines, fill, gridOf, linesOf } from "./paste";
import { tables } from "./plugin";
import { cellText, changedCell, columnOfType, valueOf } from "./values";

const text = (words: string) => schema.nodes["paragraph"]!.create(null, words ? schema.text(words) : null);

// state returns a document with one table of texts, whose first row are the titles, and the cursor in a cell.
function state(rows: string[][], at: [number, number] = [1, 0], columns: Column[] = []): EditorState {
  const { doc, table, tableHead, tableTitle, tableRow, tableCell } = schema.nodes;
  const [titles, ...body] = rows;
  const head = tableHead!.create(
    null,
    titles!.map((words, i) =>
      tableTitle!.create({ column: columns[i] ?? textColumn }, words ? schema.text(words) : null),
    ),
  );
  const cells = body.map((row) =>
    tableRow!.create(
      null,
      row.map((words, i) => changedCell(schema, tableCell!.create(null, text(words)), columns[i] ?? textColumn)!),
    ),
  );
  const made = EditorState.create({
    doc: doc!.create(null, [table!.create(null, [head, ...cells]), text("")]),
    plugins: [...tables().filter((plugin) => !plugin.spec.view), history()],
  });
  return cursor(made, ...at);
}

const cursor = (of: EditorState, row: number, column: number) =>
  of.apply(of.tr.setSelection(TextSelection.near(of.doc.resolve(cellAt(of.doc, 0, row, column) + 1))));
const select = (of: EditorState, from: [number, number], to: [number, number]) =>
  of.apply(of.tr.setSelection(CellSelection.create(of.doc, cellAt(of.doc, 0, ...from), cellAt(of.doc, 0, ...to))));

function run(of: EditorState, ...commands: Command[]): EditorState {
  let now = of;
  for (const command of commands) expect(command(now, (tr) => (now = now.apply(tr)))).toBe(true);
  now.doc.check();
  return now;
}

// grid is what a table says, row by row.
const grid = (of: EditorState) =>
  of.doc.firstChild!.children.map((row) =>
    row.children.map((cell) => (cell.type.name === "tableTitle" ? cell.textContent : cellText(cell))).join("|"),
  );
const json = (of: EditorState): JsonNode => writeDocument(of.doc).nodes[0]!;
const fruit = [["Name", "Price"], ["Pear", "2"], ["Apple", "10"], ["", "7"]];

test("rows and columns are inserted, moved, duplicated, deleted and sorted, and undone", () => {
  const first = state(fruit);
  expect(grid(run(first, insertRow("before")))).toEqual(["Name|Price", "|", "Pear|2", "Apple|10", "|7"]);
  expect(grid(run(first, insertColumn("after")))).toEqual(["Name||Price", "Pear||2", "Apple||10", "||7"]);
  expect(grid(run(first, moveRows(1)))).toEqual(["Name|Price", "Apple|10", "Pear|2", "|7"]);
  expect(moveRows(-1)(first)).toBe(false);
  expect(grid(run(first, moveColumns(1)))).toEqual(["Price|Name", "2|Pear", "10|Apple", "7|"]);
  expect(grid(run(first, duplicateRows))).toEqual(["Name|Price", "Pear|2", "Pear|2", "Apple|10", "|7"]);
  expect(grid(run(first, duplicateColumns))[2]).toBe("Apple|Apple|10");
  expect(grid(run(first, sortRows(1)))).toEqual(["Name|Price", "Apple|10", "Pear|2", "|7"]);
  expect(grid(run(cursor(first, 1, 1), sortRows(-1)))).toEqual(["Name|Price", "Apple|10", "|7", "Pear|2"]);
  expect(grid(run(select(first, [1, 0], [2, 1]), deleteRows))).toEqual(["Name|Price", "|7"]);
  expect(grid(run(first, deleteColumns))).toEqual(["Price", "2", "10", "7"]);
  expect(run(select(first, [0, 0], [3, 1]), deleteColumns).doc.firstChild!.type.name).toBe("paragraph");
  expect(deleteRows(cursor(first, 0, 0))).toBe(false);
  expect(grid(run(first, insertRow("after"), insertColumn("before"), undo, undo))).toEqual(grid(first));
});

test("a table without rows is still a table to write in", () => {
  const empty = run(select(state(fruit), [1, 0], [3, 1]), deleteRows);
  expect(grid(empty)).toEqual(["Name|Price"]);
  expect(grid(run(cursor(empty, 0, 1), insertColumn("after"), insertRow("after")))).toEqual(["Name|Price|", "||"]);
  expect(grid(run(cursor(empty, 0, 1), step(1)))).toEqual(["Name|Price", "|"]);
});

test("Enter goes down, makes a row below the last, and goes into a cell that is selected", () => {
  const press = (of: EditorState) => {
    let now = of;
    const view = {
      get state() {
        return now;
      },
      dispatch: (tr: Transaction) => (now = now.apply(tr)),
      focus: () => undefined,
      nodeDOM: () => null,
    };
    const handled = tableKeys().props.handleKeyDown!.call(
      tableKeys(),
      view as unknown as EditorView,
      new KeyboardEvent("keydown", { key: "Enter" }),
    );
    return { handled, now };
  };
  const text = (of: EditorState) => of.selection.$head.parent.textContent;
  expect(text(press(state(fruit)).now)).toBe("Apple");
  const { now } = press(state(fruit, [3, 1]));
  expect([now.doc.firstChild!.childCount, text(now)]).toEqual([5, ""]);
  const inside = press(select(state(fruit), [1, 0], [2, 1]));
  expect([inside.handled, inside.now.selection instanceof TextSelection, text(inside.now)]).toEqual([true, true, "10"]);
});

test("what is written is a plain table as long as nothing else is asked for", () => {
  const definition = (name: string, title: string): Data => ({
    [name]: { id: name, title, type: "text", textAlignment: "left" },
  });
  const made = run(
    state([
      ["a", "b"],
      ["1", ""],
    ]),
    insertRow("after"),
    insertColumn("after"),
  );
  expect(json(made).data).toEqual({
    view: { type: "grid", hideHeader: false, columns: ["c1", "c2", "c3"] },
    definition: { ...definition("c1", "a"), ...definition("c2", ""), ...definition("c3", "b") },
    records: { r1: { orderIndex: "000001", values: { c1: "r1c1" } }, r2: { orderIndex: "000002", values: {} } },
  });
  expect(readDocument(writeDocument(made.doc)).eq(made.doc)).toBe(true);
  const set = json(
    run(
      cursor(made, 1, 0),
      setWidth(120),
      setHidden(true),
      setView({ stickyHeader: true }),
      show("cards"),
      setRole("target", true),
    ),
  ).data!;
  expect(set["view"]).toEqual({
    type: "cards",
    hideHeader: false,
    cardSize: "medium",
    columns: ["c2", "c3"],
    columnWidths: { c1: 120 },
    targetDefinition: "c1",
  });
});

test("a column takes on another type, and says what it lost", () => {
  let lost = 0;
  const first = state([["a"], ["1,234.5"], ["two"], [""], ["3"]]);
  const numbers = run(first, setType("number", (count) => (lost = count)));
  expect(lost).toBe(1);
  expect(
    Object.values((json(numbers).data as { records: Record<string, { values: Data }> }).records).map(
      ({ values }) => values["c1"],
    ),
  ).toEqual([1234.5, undefined, undefined, 3]);
  expect(
    grid(
      run(
        numbers,
        setType("text", () => undefined),
      ),
    ),
  ).toEqual(["a", "1234.5", "", "", "3"]);
  expect(grid(run(numbers, undo))).toEqual(grid(first));
  const chosen = run(state([["a"], ["red"], ["blue"], ["red"]]), setType("select", () => undefined));
  const column = chosen.doc.firstChild!.child(0).child(0).attrs["column"] as Column;
  expect(column.options!.map(({ label }) => label)).toEqual(["red", "blue"]);
  expect(grid(chosen)).toEqual(["a", "red", "blue", "red"]);
  // An option that goes leaves its cells, one with another name keeps them.
  const [, blue] = column.options as [Option, Option];
  expect(grid(run(chosen, setColumn({ options: [{ ...blue, label: "navy" }] })))).toEqual(["a", "", "navy", ""]);
});

test("values are read as people write them", () => {
  const read = (type: Parameters<typeof columnOfType>[0], words: string, further: Partial<Column> = {}) =>
    valueOf(words, { ...columnOfType(type), ...further });
  expect(["1", "-2,5", "1,234", "1e3", " 7 "].map((words) => read("number", words))).toEqual([1, -2.5, 1234, 1000, 7]);
  expect(["x", "1 2", "0x10", "12px"].map((words) => read("number", words))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(["TRUE", "nein", "[x]", "perhaps"].map((words) => read("checkbox", words))).toEqual([
    true,
    false,
    true,
    undefined,
  ]);
  expect(["★★☆", "6", "5"].map((words) => read("rating", words))).toEqual([2, undefined, 5]);
  const options = [
    { value: "a", label: "Ready", color: "" },
    { value: "b", label: "Not, yet", color: "" },
  ];
  expect(
    ["ready", "Not, yet", "ready, b", "zz"].map((words) => read("select", words, { options, multiple: true })),
  ).toEqual([["a"], ["b"], ["a", "b"], undefined]);
  expect(["javascript:alert(1)", "example.org"].map((words) => read("content-ref", words))).toEqual([
    undefined,
    { kind: "url", url: "https://example.org" },
  ]);
  expect(["mailto:a@b.org", "https://e.org/a.png"].map((words) => read("image", words))).toEqual([
    undefined,
    { kind: "url", url: "https://e.org/a.png" },
  ]);
  expect(read("text", "")).toBe(null);
});

test("a pasted grid fills cells, grows the table and leaves what cannot be held", () => {
  const first = select(state(fruit, [1, 0], [textColumn, { type: "number" }]), [2, 1], [2, 1]);
  const filled = fill(first, cellsOfLines(schema, linesOf('many\tx\n5\t"two\nlines"\n6\tz\n')!))!;
  const after = first.apply(filled.tr);
  after.doc.check();
  expect([filled.refused, filled.left]).toEqual([1, 0]);
  expect(grid(after)).toEqual(["Name|Price|", "Pear|2|", "Apple|10|x", "|5|two\nlines", "|6|z"]);
  expect(after.doc.firstChild!.lastChild!.child(1).attrs["value"]).toBe(6);
  // One cell fills all that are selected.
  const same = select(first, [1, 0], [3, 0]);
  expect(grid(same.apply(fill(same, cellsOfLines(schema, [["y"]]))!.tr))).toEqual(["Name|Price", "y|2", "y|10", "y|7"]);
  expect(linesOf("one\ttab\nand none")).toBe(null);
  expect(linesOf("words")).toBe(null);
  // Cells of here come with what they hold.
  const own = gridOf(select(first, [1, 0], [2, 1]).selection.content())!;
  expect(own.map((row) => row.map(cellText))).toEqual([["Pear", "2"], ["Apple", "10"]]);
  expect(gridOf(cursor(first, 1, 0).selection.content())).toBe(null);
});

test("tables are bounded: what has no room is counted", () => {
  const first = state(fruit);
  const wide = fill(first, cellsOfLines(schema, [Array.from({ length: 120 }, (_, i) => String(i))]))!;
  expect([wide.left, wide.tr.doc.firstChild!.child(0).childCount]).toEqual([20, 100]);
  const long = fill(first, cellsOfLines(schema, Array.from({ length: 6000 }, () => ["a", "b"])))!;
  expect(long.tr.doc.firstChild!.childCount).toBe(5001);
  expect(long.left).toBe(2000);
});

test("cells are merged and split, and merged ones stay what they are", () => {
  const first = select(state([["a", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]]), [1, 0], [2, 1]);
  const merged = run(first, merge);
  expect(json(merged).data!["cellMerges"]).toEqual([
    { anchor: { record: "r1", column: "c1" }, rowSpan: 2, colSpan: 2 },
  ]);
  expect(readDocument(writeDocument(merged.doc)).firstChild!.type.name).toBe("table");
  for (const command of [moveRows(1), moveColumns(1), duplicateColumns, sortRows(1), show("cards")])
    expect(command(cursor(merged, 1, 2))).toBe(false);
  expect(json(run(merged, split)).data!["cellMerges"]).toBeUndefined();
  expect(merge(select(state(fruit), [0, 0], [1, 0]))).toBe(false);
  // A grid that is pasted goes around what is covered.
  const filled = fill(cursor(merged, 1, 0), cellsOfLines(schema, [["x", "y", "z"], ["u", "v", "w"]]))!;
  expect(filled.left).toBe(3);
  filled.tr.doc.check();
});

test("tables of others keep words, structure and merged cells, and lose looks", () => {
  const parse = (html: string): JsonDocument =>
    writeDocument(clipboardParser.parse(new window.DOMParser().parseFromString(html, "text/html").body));
  const read = (html: string) => readDocument(parse(html)).firstChild!;
  const sheet =
    '<google-sheets-html-origin><style>td{}</style><table><colgroup><col></colgroup><tbody><tr><td style="color:red">Name</td><td>n</td></tr><tr><td><b>A</b><br>b</td><td rowspan="2" onclick="x()">1</td></tr><tr><td><script>bad()</script>B</td></tr></tbody></table></google-sheets-html-origin>';
  const table = read(sheet);
  expect(table.type.name).toBe("table");
  expect(table.child(0).textContent).toBe("Namen");
  expect(table.child(1).child(0).textBetween(0, table.child(1).child(0).content.size, "", "/")).toBe("A/b");
  expect(table.child(1).child(1).attrs["rowspan"]).toBe(2);
  expect(JSON.stringify(parse(sheet))).not.toMatch(/bad|onclick|color/);
  const odd = read('<table><tr><th>a</th></tr><tr><td>1</td><td>2</td><td colspan="99">3</td></tr><tr></tr></table>');
  expect([odd.child(0).childCount, odd.childCount]).toEqual([52, 2]);
});

test("what a clipboard says of cells is not trusted", () => {
  const cell = (attrs: object) => {
    const all = { colspan: 1, rowspan: 1, colwidth: null, value: null, column: textColumn, ...attrs };
    const row = document.createElement("div");
    row.innerHTML =
      '<table data-recto-node="table"><tbody data-recto-content=""><tr data-recto-node="tableHead" data-recto-attributes="{}"><th></th></tr><tr data-recto-node="tableRow" data-recto-attributes="{}"><td data-recto-node="tableCell">x</td></tr></tbody></table>';
    row
      .querySelector("table")!
      .setAttribute(
        "data-recto-attributes",
        JSON.stringify({ data: {}, meta: null, view: { type: "grid", hideHeader: false } }),
      );
    row.querySelector("td")!.setAttribute("data-recto-attributes", JSON.stringify(all));
    const found: Node[] = [];
    clipboardParser.parse(row).descendants((node) => void (node.type.name === "tableCell" && found.push(node)));
    return found[0];
  };
  expect(cell({ value: 4, column: { type: "number" } })?.attrs["value"]).toBe(4);
  const forged = [
    { colspan: 1e9 },
    { rowspan: 0 },
    { column: null },
    { column: { type: "constructor" } },
    { column: { type: "select", options: [null] } },
    { value: { kind: "url", url: " javascript:x()" } },
    { value: { ref: { kind: 1 } } },
    { value: [1] },
  ];
  for (const attrs of forged)
    for (const [name, value] of Object.entries(attrs))
      expect(cell(attrs)?.attrs[name], JSON.stringify(attrs)).not.toEqual(value);
});

test("a table that begins empty is one of pipes", () => {
  const table: Node = newTable(schema, { type: "grid", hideHeader: false }, [{}, {}], 2);
  expect(writeDocument(schema.nodes["doc"]!.create(null, table)).nodes[0]!.fragments).toEqual([]);
});
