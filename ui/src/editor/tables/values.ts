// What cells hold: as text, from text, and as another kind of column has it. What a column cannot hold is undefined.
import type { Mark, Node, Schema } from "@tiptap/pm/model";
import { addressOf } from "../address";
import { same } from "../document";
import type { Ref } from "../services";
import { blankCell, columnOf, isBlank, type Column, type Option } from "../nodes/tables";

export const columnTypes = [
  "text",
  "number",
  "checkbox",
  "rating",
  "select",
  "content-ref",
  "image",
  "files",
  "users",
] as const;
export type ColumnType = (typeof columnTypes)[number];

export const colors = ["blue", "green", "yellow", "orange", "red", "pink", "purple", "violet", "cyan"] as const;

// columnOfType returns an empty column of a kind.
export function columnOfType(type: ColumnType): Column {
  switch (type) {
    case "text":
      return { type, textAlignment: "left" };
    case "rating":
      return { type, max: 5 };
    case "select":
      return { type, multiple: false, options: [] };
    case "users":
      return { type, multiple: false };
  }
  return { type };
}

export const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? (value as string[]) : typeof value === "string" && value ? [value] : [];

// refOf returns the reference in a value, also that of an image with its fitting.
export function refOf(value: unknown): Ref | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { ref, kind } = value as { ref?: Ref; kind?: string };
  return ref ?? (kind ? (value as Ref) : null);
}

// refText is where a reference leads, as text.
export const refText = (ref: Ref): string =>
  ref.url ?? ref.page ?? ref.file ?? ref.user ?? ref.anchor ?? ref.space ?? "";

export const labelOf = (options: readonly Option[] | undefined, value: string): string =>
  options?.find((option) => option.value === value)?.label || value;

// cellText is what a cell says, on one line for each of its blocks.
export function cellText(cell: Node): string {
  const column = columnOf(cell);
  const value = cell.attrs["value"] as unknown;
  if (column.type === "text" || cell.childCount > 0)
    return cell.textBetween(0, cell.content.size, "\n", (leaf) => (leaf.type.name === "hardBreak" ? "\n" : ""));
  if (value === null) return "";
  if (column.type === "select") return listOf(value).map((each) => labelOf(column.options, each)).join(", ");
  const ref = refOf(value);
  if (ref) return refText(ref);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

const ticked = /^(true|yes|ja|x|1|✓|✔|☑|\[x\])$/i;
const unticked = /^(false|no|nein|0|✗|☐|\[ ?\])$/i;

function numberOf(text: string): number | undefined {
  const plain = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)
    ? text.replaceAll(",", "")
    : text.replace(/^([-+]?\d+),(\d+)$/, "$1.$2");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?$/i.test(plain) ? Number(plain) : undefined;
}

// valueOf reads a text as a value of a column: null for an empty one, undefined for what the column cannot hold.
export function valueOf(text: string, column: Column): unknown {
  const said = text.trim();
  if (said === "") return null;
  switch (column.type) {
    case "number":
      return numberOf(said);
    case "rating": {
      const stars = /^[★☆]+$/.test(said) ? [...said].filter((star) => star === "★").length : numberOf(said);
      return stars !== undefined && stars >= 0 && stars <= (column.max ?? 5) ? stars : undefined;
    }
    case "checkbox":
      return ticked.test(said) ? true : unticked.test(said) ? false : undefined;
    case "select": {
      const find = (name: string) =>
        column.options?.find((option) => option.label.toLowerCase() === name.toLowerCase() || option.value === name)
          ?.value;
      const whole = find(said);
      const names = whole !== undefined || !column.multiple ? [said] : said.split(/\s*,\s*/).filter(Boolean);
      const values = names.map(find);
      return values.every((value) => value !== undefined) ? values : undefined;
    }
    case "content-ref":
    case "image": {
      const url = addressOf(said);
      return url && (column.type !== "image" || !url.startsWith("mailto:")) ? { kind: "url", url } : undefined;
    }
    case "files": {
      const list = said.split(/[\s,]+/).filter(Boolean);
      return list.every((each) => /^https?:/i.test(each) && addressOf(each)) ? list : undefined;
    }
  }
  return undefined;
}

// linkedRef returns the only place that the words of a cell lead to.
function linkedRef(cell: Node): Ref | null {
  const found: Ref[] = [];
  cell.descendants((node) => {
    const mark: Mark | undefined = node.marks.find((each) => each.type.name === "link");
    const ref =
      (mark?.attrs["data"] as { ref?: Ref } | undefined)?.ref ??
      (node.type.name === "inlineImage" ? (node.attrs["data"] as { ref?: Ref }).ref : undefined);
    if (ref && !found.some((each) => same(each, ref))) found.push(ref);
  });
  return found.length === 1 ? found[0]! : null;
}

// changedCell returns a cell as another column has it, or null when that column cannot hold what it says.
export function changedCell(schema: Schema, cell: Node, column: Column): Node | null {
  const from = columnOf(cell);
  const { colspan, rowspan, colwidth } = cell.attrs;
  const value = cell.attrs["value"] as unknown;
  const attrs = { colspan, rowspan, colwidth, column };
  const holds = (kept: unknown) => cell.type.create({ ...attrs, value: kept });
  const empty = cell.type.create(attrs, blankCell(schema, column).content);
  if (cell.childCount === 0 ? value === null : isBlank(cell)) return empty;
  if (column.type === "text") {
    if (cell.childCount > 0) return cell.type.create(attrs, cell.content);
    const ref = from.type === "content-ref" ? refOf(value) : null;
    const text = cellText(cell);
    if (!text) return null;
    const words = schema.text(text, ref ? [schema.marks["link"]!.create({ data: { ref } })] : []);
    return cell.type.create(attrs, schema.nodes["paragraph"]!.create(null, words));
  }
  if (
    cell.childCount === 0 &&
    from.type === column.type &&
    (column.type !== "select" || same(from.options, column.options))
  ) {
    if (column.type === "rating" && (value as number) > (column.max ?? 5)) return null;
    return holds(column.type === "select" && !column.multiple ? listOf(value).slice(0, 1) : value);
  }
  const refs =
    column.type === "content-ref" || column.type === "image"
      ? cell.childCount > 0
        ? linkedRef(cell)
        : refOf(value)
      : null;
  if (refs) return holds(refs);
  const made = valueOf(cellText(cell), column);
  return made === undefined ? null : made === null ? empty : holds(made);
}
