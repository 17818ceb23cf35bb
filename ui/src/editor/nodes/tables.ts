// Tables: a row of titles, which hold what their columns are, and rows of cells. Records and columns have the names
// that the program gives, by their order, so the editor keeps none: what is named otherwise stays raw.
import type { Attrs, Node, NodeSpec, Schema } from "@tiptap/pm/model";
import type { Data, JsonNode } from "../document";
import { fragment, written, type Block, type Reader, type Writer } from "./kind";
import { foreignRows } from "./tablehtml";

export interface Option {
  value: string;
  label: string;
  color: string;
}

// Column is the definition of a column without its name and title.
export interface Column {
  type: string;
  textAlignment?: string;
  verticalAlignment?: string;
  multiple?: boolean;
  max?: number;
  options?: Option[];
}

// View says how a table shows, without what its titles say.
export interface View {
  type: "grid" | "cards";
  hideHeader: boolean;
  stickyHeader?: boolean;
  stickyFirstColumn?: boolean;
  useNewSizing?: boolean;
  cardSize?: "medium" | "large";
  hideColumnTitle?: boolean;
  wrap?: boolean;
}

export const textColumn: Column = { type: "text", textAlignment: "left" };

interface TableData extends Data {
  view: View & {
    columns: string[];
    columnWidths?: Record<string, number>;
    targetDefinition?: string;
    coverDefinition?: string;
    coverDefinitionDark?: string;
  };
  records: Record<string, { orderIndex: string; values: Data }>;
  definition: Record<string, Column & { id: string; title: string }>;
  cellMerges?: { anchor: { record: string; column: string }; rowSpan: number; colSpan: number }[];
}

const titlePrefix = "title-";
const spans = { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } };

// roles are the flags of a column, by the member of the view that names the column.
const roles = { target: "targetDefinition", cover: "coverDefinition", coverDark: "coverDefinitionDark" } as const;

export const columnOf = (node: Node) => node.attrs["column"] as Column;

const spanned = (node: Node): Record<string, string> => ({
  ...(node.attrs["colspan"] > 1 ? { colspan: String(node.attrs["colspan"]) } : {}),
  ...(node.attrs["rowspan"] > 1 ? { rowspan: String(node.attrs["rowspan"]) } : {}),
});

export const table: Block = {
  type: "table",
  name: "table",
  spec: {
    content: "tableHead tableRow*",
    group: "block",
    tableRole: "table",
    isolating: true,
    takes: ({ view, data }: Attrs) => isPlain(data) && isPlain(view) && /^(grid|cards)$/.test(String(view["type"])),
    attrs: { data: { default: {} }, meta: { default: null }, view: { default: { type: "grid", hideHeader: false } } },
    parseDOM: [{ tag: "table", getContent: foreignRows }],
    toDOM: () => ["table", ["tbody", 0]],
  },
  read,
  write,
};

const isPlain = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);
const isSpan = (value: unknown) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 50;
const kinds = /^(text|number|checkbox|rating|select|content-ref|image|files|users)$/;

// takesCell reports whether attributes that came through the clipboard, from whoever put them there, are those of a
// title or a cell.
function takesCell({ colspan, rowspan, colwidth, column, value = null, width = null }: Attrs): boolean {
  if (
    !isSpan(colspan) ||
    !isSpan(rowspan) ||
    colwidth !== null ||
    !isPlain(column) ||
    !kinds.test(String(column["type"]))
  )
    return false;
  const { options = [], max = 5 } = column;
  const named = (option: unknown) =>
    isPlain(option) && ["value", "label", "color"].every((name) => typeof option[name] === "string");
  if (
    !Array.isArray(options) ||
    options.length > 1000 ||
    !options.every(named) ||
    !Number.isInteger(max) ||
    (max as number) < 1 ||
    (max as number) > 100
  )
    return false;
  if (width !== null && !(typeof width === "number" && width >= 0 && width < 1e6)) return false;
  if (Array.isArray(value))
    return value.length <= 1000 && value.every((each) => typeof each === "string" && !unsafe.test(each));
  if (!isPlain(value)) return value === null || typeof value === "boolean" || Number.isFinite(value);
  const ref = "ref" in value ? value["ref"] : value;
  return (
    isPlain(ref) &&
    typeof ref["kind"] === "string" &&
    Object.values(ref).every((part) => typeof part === "string" && !unsafe.test(part))
  );
}

const unsafe = /^\s*(javascript|data|vbscript):/i;

// The parts of a table are nodes here and none of their own in the JSON.
export const tableParts: Record<string, NodeSpec> = {
  tableHead: { content: "tableTitle+", tableRole: "row", toDOM: () => ["tr", 0] },
  tableRow: { content: "tableCell*", tableRole: "row", toDOM: () => ["tr", 0] },
  tableTitle: {
    content: "inline*",
    tableRole: "header_cell",
    isolating: true,
    takes: takesCell,
    attrs: {
      ...spans,
      column: { default: textColumn },
      width: { default: null },
      hidden: { default: false },
      target: { default: false },
      cover: { default: false },
      coverDark: { default: false },
    },
    toDOM: () => ["th", { scope: "col" }, 0],
  },
  // The cell of a column of texts holds blocks, that of another one a value. A cell knows its column, since its view
  // has nothing else to know it from.
  tableCell: {
    content: "block*",
    tableRole: "cell",
    isolating: true,
    takes: takesCell,
    attrs: { ...spans, value: { default: null }, column: { default: textColumn } },
    toDOM: (node) => ["td", spanned(node), 0],
  },
};

function read(json: JsonNode, reader: Reader): Node {
  const { view: whole, records, definition, cellMerges = [], ...data } = json.data as TableData;
  const { columns, columnWidths = {}, targetDefinition, coverDefinition, coverDefinitionDark, ...view } = whole;
  const named = { targetDefinition, coverDefinition, coverDefinitionDark };
  const fragments = new Map((json.fragments ?? []).map((each) => [each.fragment ?? "", each]));
  const { nodes } = reader.schema;
  const names = Object.keys(definition).map((_, i) => `c${i + 1}`);
  const kinds = new Map<string, Column>();
  const titles = names.map((name) => {
    const { id: _, title, ...column } = definition[name]!;
    kinds.set(name, column);
    const flags = Object.fromEntries(Object.entries(roles).map(([flag, member]) => [flag, named[member] === name]));
    return nodes["tableTitle"]!.createChecked(
      { column, width: columnWidths[name] ?? null, hidden: !columns.includes(name), ...flags },
      reader.inlines(fragments.get(titlePrefix + name)?.nodes?.[0]?.nodes ?? plain(title)),
    );
  });
  const merged = new Map(cellMerges.map((merge) => [`${merge.anchor.record} ${merge.anchor.column}`, merge]));
  const count = Object.keys(records).length;
  const covered = new Set<string>();
  const rows = Array.from({ length: count }, (_, r) => {
    const record = records[`r${r + 1}`]!;
    const cells: Node[] = [];
    names.forEach((name, c) => {
      if (covered.has(`${r} ${c}`)) return;
      const { rowSpan = 1, colSpan = 1 } = merged.get(`r${r + 1} ${name}`) ?? {};
      if (r + rowSpan > count) throw new RangeError("a merged cell leaves the table");
      for (let i = 0; i < rowSpan * colSpan; i++) covered.add(`${r + Math.floor(i / colSpan)} ${c + (i % colSpan)}`);
      cells.push(
        readCell(reader, kinds.get(name)!, record.values[name], fragments, { rowspan: rowSpan, colspan: colSpan }),
      );
    });
    return nodes["tableRow"]!.createChecked(null, cells);
  });
  return nodes["table"]!.createChecked({ data, view, meta: json.meta ?? null }, [
    nodes["tableHead"]!.createChecked(null, titles),
    ...rows,
  ]);
}

function readCell(reader: Reader, column: Column, value: unknown, fragments: Map<string, JsonNode>, span: Attrs): Node {
  const cell = reader.schema.nodes["tableCell"]!;
  if (column.type !== "text") return cell.createChecked({ ...span, column, value: value ?? null });
  const blocks = value === undefined ? [] : fragments.get(value as string)!.nodes;
  return cell.createChecked({ ...span, column }, reader.blocks(blocks));
}

const plain = (text: string): JsonNode[] =>
  text ? [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }] : [];

function write(node: Node, writer: Writer): JsonNode {
  const titles = node.child(0).children;
  const view: TableData["view"] = { ...(node.attrs["view"] as View), columns: [] };
  const definition: TableData["definition"] = {};
  const records: TableData["records"] = {};
  const fragments: JsonNode[] = [];
  titles.forEach((title, i) => {
    const id = `c${i + 1}`;
    const inlines = writer.inlines(title);
    definition[id] = { ...columnOf(title), id, title: inlines.map(words).join("") };
    if (isFormatted(inlines)) {
      fragments.push(
        fragment(titlePrefix + id, [{ object: "block", type: "paragraph", isVoid: false, data: {}, nodes: inlines }]),
      );
    }
    if (!title.attrs["hidden"]) view.columns.push(id);
    if (title.attrs["width"] !== null) (view.columnWidths ??= {})[id] = title.attrs["width"] as number;
    for (const [flag, member] of Object.entries(roles)) if (title.attrs[flag]) view[member] = id;
  });
  const merges: NonNullable<TableData["cellMerges"]> = [];
  walkCells(
    node,
    (cell, r, c) => {
      const record = `r${r + 1}`;
      const name = `c${c + 1}`;
      const { values } = records[record]!;
      const { colspan, rowspan, value } = cell.attrs as { colspan: number; rowspan: number; value: unknown };
      if (colspan > 1 || rowspan > 1)
        merges.push({ anchor: { record, column: name }, rowSpan: rowspan, colSpan: colspan });
      if (columnOf(titles[c]!).type !== "text") {
        if (value !== null) values[name] = value;
        return;
      }
      const blocks = isBlank(cell) ? [] : writer.blocks(cell);
      if (blocks.length === 0) return;
      values[name] = record + name;
      fragments.push(fragment(record + name, blocks));
    },
    (r) => (records[`r${r + 1}`] = { orderIndex: String(r + 1).padStart(6, "0"), values: {} }),
  );
  const data = {
    ...(node.attrs["data"] as Data),
    view,
    records,
    definition,
    ...(merges.length > 0 ? { cellMerges: merges } : {}),
  };
  const json = written("table", node, { isVoid: true, fragments });
  return { ...json, data };
}

// isBlank reports whether a cell has no more than one empty line.
export function isBlank(cell: Node): boolean {
  if (cell.childCount === 0) return true;
  const only = cell.childCount === 1 ? cell.firstChild! : null;
  return (
    only?.type.name === "paragraph" && only.childCount === 0 && Object.keys(only.attrs["data"] as Data).length === 0
  );
}

// walkCells visits the cells of a table below its titles with their row, counted without the titles, and column.
export function walkCells(
  node: Node,
  visit: (cell: Node, row: number, column: number, offset: number) => void,
  onRow?: (row: number, offset: number) => void,
): void {
  const until: number[] = []; // the row at which a column is free again
  node.forEach((row, rowOffset, index) => {
    if (index === 0) return;
    const r = index - 1;
    onRow?.(r, rowOffset);
    let column = 0;
    row.forEach((cell, offset) => {
      while ((until[column] ?? 0) > r) column++;
      const { colspan, rowspan } = cell.attrs as { colspan: number; rowspan: number };
      visit(cell, r, column, rowOffset + 1 + offset);
      for (let i = 0; i < colspan; i++) until[column + i] = r + rowspan;
      column += colspan;
    });
  });
}

// words returns the text of an inline as the program reads a title.
function words(json: JsonNode): string {
  if (json.object === "text") return (json.leaves ?? []).map((leaf) => leaf.text).join("");
  const data = (json.data ?? {}) as Record<string, string>;
  if (json.type === "button") return data["label"] ?? "";
  if (json.type === "inline-math") return data["formula"] ?? "";
  if (json.type === "emoji") return characters(data["code"] ?? "");
  return (json.nodes ?? []).map(words).join("");
}

function characters(code: string): string {
  const points = code.split("-").map((part) => (/^[0-9a-fA-F]{1,6}$/.test(part) ? Number.parseInt(part, 16) : 0));
  return points.every((point) => point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000))
    ? String.fromCodePoint(...points)
    : "";
}

// isFormatted reports whether a title is more than plain text, as the program sees it.
function isFormatted(inlines: JsonNode[]): boolean {
  if (inlines.some((each) => each.type === "raw-inline")) return false;
  return inlines.some((each) => each.object !== "text" || each.leaves!.some((leaf) => leaf.marks.length > 0));
}

// blankCell returns an empty cell of a column.
export function blankCell(schema: Schema, column: Column): Node {
  const { tableCell, paragraph } = schema.nodes;
  return tableCell!.create({ column }, column.type === "text" ? paragraph!.create({ filler: true }) : null);
}

// blankRow returns an empty row of a table.
export function blankRow(schema: Schema, titles: readonly Node[]): Node {
  return schema.nodes["tableRow"]!.create(null, titles.map((title) => blankCell(schema, columnOf(title))));
}
