// The card of a block that cannot be edited here yet: what it is, and what of it can be read. Tables show as tables.
import type { NodeViewConstructor } from "@tiptap/pm/view";
import { copy as copyText } from "../../look/copy";
import { t, type Key } from "../../words/words";
import { plainText, type Data, type JsonNode } from "../document";
import { element } from "./dom";
import { lines, tool } from "./parts";

// rawNames names blocks by their type in the JSON.
export const rawNames: Record<string, Key> = {
  table: "editor.raw.table",
  math: "editor.raw.math",
  embed: "editor.raw.embed",
  file: "editor.raw.file",
  drawing: "editor.raw.drawing",
  "content-ref": "editor.raw.content-ref",
  "reusable-content": "editor.raw.reusable-content",
  updates: "editor.raw.updates",
  prompt: "editor.raw.prompt",
  if: "editor.raw.if",
  integration: "editor.raw.integration",
  swagger: "editor.raw.openapi",
  "openapi-operation": "editor.raw.openapi",
  "openapi-schemas": "editor.raw.openapi",
  "openapi-webhook": "editor.raw.openapi",
  raw: "editor.raw.raw",
};

// The longest text that a card shows.
const longest = 600;

export const rawBlock: NodeViewConstructor = (node) => {
  const json = node.attrs["json"] as JsonNode;
  const table = json.type === "table" ? tableOf(json) : null;
  if (table) {
    const scroll = element("div", { class: "table-scroll" }, table);
    return {
      dom: element(
        "div",
        { class: "block-table raw-table", contenteditable: "false", title: t("editor.raw.kept") },
        scroll,
      ),
    };
  }
  const name = json.type === "raw" && json.data?.["syntax"] === "tag" ? "editor.raw.tag" : rawNames[json.type ?? ""];
  const text = summary(json);
  const copy = tool(t("editor.raw.copy"), lines.copy, () => void copyText(text));
  copy.hidden = text === "";
  const head = element(
    "div",
    { class: "raw-name" },
    name ? t(name) : t("editor.raw.unknown", { type: json.type ?? "" }),
    element("span", { class: "raw-note" }, t("editor.raw.kept"), copy),
  );
  const card = element("div", { class: "raw-card", contenteditable: "false" }, head);
  if (text)
    card.append(element("pre", { class: "raw-text" }, text.length > longest ? `${text.slice(0, longest)}…` : text));
  return {
    dom: card,
    stopEvent: (event) => event.target instanceof Element && copy.contains(event.target),
    ignoreMutation: () => true,
  };
};

// summary is what of a block can be read: its source, what it names, or its words.
function summary(json: JsonNode): string {
  const data = (json.data ?? {}) as Data & { ref?: { url?: string; page?: string } };
  for (const name of ["source", "formula", "expression", "url", "description"])
    if (typeof data[name] === "string" && data[name]) return data[name] as string;
  return plainText(json).trim() || data.ref?.url || "";
}

interface TableData {
  view?: { type?: string; columns?: string[]; hideHeader?: boolean };
  definition?: Record<string, { title?: string }>;
  records?: Record<string, { orderIndex?: string; values?: Record<string, unknown> }>;
}

function tableOf(json: JsonNode): HTMLTableElement | null {
  const { view, definition = {}, records = {} } = (json.data ?? {}) as TableData;
  const columns = view?.columns;
  if (!columns) return null;
  const cells = new Map((json.fragments ?? []).map((each) => [each.fragment ?? "", plainText(each)]));
  const shown = (value: unknown) => {
    if (typeof value === "string") return cells.get(value) ?? value;
    if (typeof value === "object" && value !== null) return (value as { url?: string }).url ?? "…";
    return value === undefined || value === null ? "" : String(value);
  };
  const rows = Object.values(records).sort((a, b) => (a.orderIndex ?? "").localeCompare(b.orderIndex ?? ""));
  const head = element(
    "tr",
    {},
    ...columns.map((column) => element("th", { scope: "col" }, definition[column]?.title ?? "")),
  );
  const body = rows.map((row) =>
    element("tr", {}, ...columns.map((column) => element("td", {}, shown(row.values?.[column])))),
  );
  return element("table", {}, ...(view.hideHeader ? [] : [element("thead", {}, head)]), element("tbody", {}, ...body));
}
