// Random documents over the schema of the document JSON. The same seed gives the same documents.
import { keyed, type Data, type JsonDocument, type JsonNode } from "../src/editor/document";
import { LeafGenerator, type Random } from "./randomLeaves";

export { seeded } from "./randomLeaves";

class Generator extends LeafGenerator {
  document(): JsonDocument {
    return keyed({ object: "document", data: { schemaVersion: 2 }, nodes: this.blocks(0, 0) });
  }

  blocks(depth: number, least = 1): JsonNode[] {
    return Array.from({ length: least + this.int(depth > 1 ? 2 : 4) }, () => this.block(depth));
  }

  block(depth: number): JsonNode {
    if (depth > 3) return this.paragraph();
    const inside = () => this.blocks(depth + 1);
    const parts = (type: string, data: () => Data, blocks = inside) =>
      Array.from({ length: 1 + this.int(3) }, () => this.simple(type, data(), { nodes: blocks() }));
    const meta = { id: this.pick(["a", "b-1"]) };
    switch (this.int(27)) {
      case 0:
        return this.simple(this.pick(["heading-1", "heading-2", "heading-3"]), this.some({ id: "x", align: "end" }), {
          nodes: this.texts(),
          meta,
        });
      case 1:
        return this.simple("list-ordered", this.some({ start: this.int(12) }), {
          nodes: parts("list-item", () => ({})),
        });
      case 2:
        return this.simple("list-unordered", {}, { nodes: parts("list-item", () => ({})) });
      case 3:
        return this.simple(
          "list-tasks",
          {},
          { nodes: parts("list-item", () => (this.chance(0.9) ? { checked: this.chance(0.5) } : {})) },
        );
      case 4:
        return this.simple("blockquote", {}, { nodes: inside() });
      case 5:
        return this.simple(
          "hint",
          { style: this.pick(["info", "success", "warning", "danger"]), ...this.some({ icon: "rocket" }) },
          { nodes: inside() },
        );
      case 6:
        return this.code();
      case 7:
        return this.simple("divider", {}, { isVoid: true });
      case 8:
        return this.simple("images", this.some({ align: "left", fullWidth: true }), {
          nodes: Array.from({ length: 1 + this.int(3) }, () => this.image()),
        });
      case 9:
        return this.simple("expandable", this.some({ defaultExpanded: true }), {
          isVoid: true,
          fragments: [
            {
              object: "fragment",
              fragment: "expandable-title",
              type: "expandable-title",
              nodes: [this.simple("paragraph", {}, { nodes: this.texts() })],
            },
            { object: "fragment", fragment: "expandable-body", type: "expandable-body", nodes: inside() },
          ],
          meta,
        });
      case 10:
        return this.simple(
          "stepper",
          {},
          {
            nodes: parts(
              "stepper-step",
              () => this.some({ icon: "x" }),
              () => this.blocks(depth + 1, 0),
            ),
          },
        );
      case 11:
        return this.simple(
          "columns",
          {},
          {
            nodes: parts(
              "column",
              () => this.some({ width: { unit: "%", value: 40 } }),
              () => this.blocks(depth + 1, 0),
            ),
          },
        );
      case 12:
        return this.simple(
          "tabs",
          {},
          {
            nodes: parts("tabs-item", () => this.some({ title: "T", icon: "x", slug: "t" })).map((tab) => ({
              ...tab,
              meta,
            })),
          },
        );
      case 13:
        return this.unknown(depth);
      case 14:
        return this.captioned("file", { ref: this.ref() });
      case 15:
        return this.captioned("embed", { url: "https://example.org", ...this.some({ fullWidth: true }) });
      case 16:
        return this.captioned("drawing", { ref: this.ref() });
      case 17:
        return this.simple("content-ref", { ref: this.ref() }, { isVoid: true });
      case 18:
      case 19:
        return this.table(depth);
      case 20:
        return this.special(depth);
      default:
        return this.paragraph();
    }
  }

  // table returns a table as the program makes one: names by order, merged cells within the table.
  table(depth: number): JsonNode {
    const columns = Array.from({ length: 1 + this.int(5) }, (_, i) => `c${i + 1}`);
    const rows = Array.from({ length: this.int(4) }, (_, i) => `r${i + 1}`);
    const fragments: JsonNode[] = [];
    const definition: Record<string, Data> = {};
    for (const id of columns) {
      const texts = this.chance(0.2)
        ? [
            {
              object: "text" as const,
              leaves: [
                { object: "leaf" as const, text: this.word(), marks: [{ object: "mark" as const, type: "bold" }] },
              ],
            },
          ]
        : [];
      if (texts.length)
        fragments.push({
          object: "fragment",
          fragment: `title-${id}`,
          nodes: [this.simple("paragraph", {}, { nodes: texts })],
        });
      definition[id] = { id, title: texts[0]?.leaves[0]!.text ?? this.pick(["", "Name", " A "]), ...this.columnType() };
    }
    const covered = new Set<string>();
    const cellMerges: Data[] = [];
    const records: Record<string, Data> = {};
    rows.forEach((record, r) => {
      const values: Data = {};
      columns.forEach((column, c) => {
        if (covered.has(`${r} ${c}`)) return;
        if (this.chance(0.05)) {
          const rowSpan = 1 + this.int(rows.length - r);
          let colSpan = 1;
          while (c + colSpan < columns.length && !covered.has(`${r} ${c + colSpan}`) && this.chance(0.5)) colSpan++;
          for (let i = 0; i < rowSpan * colSpan; i++)
            covered.add(`${r + Math.floor(i / colSpan)} ${c + (i % colSpan)}`);
          if (rowSpan * colSpan > 1) cellMerges.push({ anchor: { record, column }, rowSpan, colSpan });
        }
        if (this.chance(0.3)) return;
        values[column] = this.cellValue(definition[column]!["type"] as string);
        if (values[column] !== undefined) return;
        values[column] = record + column;
        fragments.push({
          object: "fragment",
          fragment: record + column,
          nodes: this.chance(0.7) ? [this.line()] : this.blocks(depth + 2),
        });
      });
      records[record] = { orderIndex: String(r + 1).padStart(6, "0"), values };
    });
    const cards = this.chance(0.3);
    const one = () => this.pick(columns);
    const view = {
      columns: columns.filter(() => this.chance(0.85)),
      hideHeader: this.chance(0.2),
      ...this.some({
        targetDefinition: one(),
        coverDefinition: one(),
        coverDefinitionDark: one(),
        columnWidths: { [one()]: 120.5 },
      }),
      ...(cards
        ? {
            type: "cards",
            cardSize: this.pick(["medium", "large"]),
            ...this.some({ hideColumnTitle: false, wrap: false }),
          }
        : { type: "grid", ...this.some({ stickyHeader: true, stickyFirstColumn: false, useNewSizing: true }) }),
    };
    const data = {
      view,
      records,
      definition,
      ...(cellMerges.length ? { cellMerges } : {}),
      ...this.some({ fullWidth: true, search: false }),
    };
    return this.simple("table", data, { isVoid: true, fragments });
  }

  line(): JsonNode {
    return this.simple(
      "paragraph",
      {},
      { nodes: [{ object: "text", leaves: [{ object: "leaf", text: this.word(), marks: [] }] }] },
    );
  }

  columnType(): Data {
    return this.pick<() => Data>([
      () => ({
        type: "text",
        textAlignment: this.pick(["left", "center", "right"]),
        ...this.some({ verticalAlignment: "middle" }),
      }),
      () => ({ type: "text", textAlignment: "left" }),
      () => ({ type: this.pick(["number", "checkbox", "content-ref", "image", "files"]) }),
      () => ({ type: "users", multiple: this.chance(0.5) }),
      () => ({ type: "rating", max: 1 + this.int(7) }),
      () => ({
        type: "select",
        multiple: this.chance(0.5),
        options: [
          { value: "a", label: "Ready", color: "green" },
          { value: "b", label: "", color: "" },
        ],
      }),
    ])();
  }

  // cellValue returns what a cell of a column holds, nothing for one of texts.
  cellValue(type: string): unknown {
    switch (type) {
      case "number":
      case "rating":
        return this.pick([0, 4, -2.5]);
      case "checkbox":
        return this.chance(0.5);
      case "select":
      case "files":
      case "users":
        return this.pick([["a"], ["a", "zz"]]);
      case "content-ref":
        return this.ref();
      case "image":
        return this.chance(0.5)
          ? this.ref()
          : { ref: this.ref(), ...this.some({ objectFit: "contain", alt: "A tree" }) };
    }
    return undefined;
  }

  // special returns blocks that show as something else than they are written as.
  special(depth: number): JsonNode {
    const inside = () => this.blocks(depth + 1);
    const date = this.pick(["2026-11-03", "soon", ""]);
    return this.pick<() => JsonNode>([
      () => this.simple("math", { formula: this.pick(["x", "", "\\frac{1}{2}\n"]) }, { isVoid: true }),
      () =>
        this.simple("updates", this.some({ format: "short" }), {
          nodes: Array.from({ length: 1 + this.int(3) }, () =>
            this.simple(
              "update",
              { date, ...this.some({ tags: [{ kind: "tag", tag: "new" }] }) },
              { nodes: this.blocks(depth + 1, 0) },
            ),
          ),
        }),
      () =>
        this.simple(
          "prompt",
          {
            description: "Review",
            ...this.some({ icon: "sparkles", openInAIProviders: true, defaultExpanded: "partial" }),
          },
          { nodes: [this.code()] },
        ),
      () => this.simple("if", { expression: this.pick(["visitor.claims.x === 1", ""]) }, { nodes: inside() }),
      () =>
        this.simple(
          "reusable-content",
          { ref: { kind: "reusable-content", reusableContent: "r1", ...this.some({ space: "s1" }) } },
          { isVoid: true },
        ),
      () =>
        this.simple(
          "integration",
          {
            integration: "mermaid",
            block: this.pick(["diagram", "other"]),
            props: this.some({ content: "graph LR", lines: [1, { deep: null }], on: true }),
            ...this.some({ url: "https://example.org" }),
          },
          { isVoid: true },
        ),
      () =>
        this.simple(
          "openapi-operation",
          {
            ref: { kind: "openapi", ...this.some({ spec: "pets" }) },
            ...this.some({ path: "/pets", method: "get", headless: true }),
          },
          { isVoid: true, meta: { id: "a" } },
        ),
      () =>
        this.simple(
          "openapi-schemas",
          { ref: { kind: "openapi", spec: "pets" }, schemas: ["Pet"], ...this.some({ grouped: false, title: "All" }) },
          { isVoid: true },
        ),
      () =>
        this.simple(
          "openapi-webhook",
          { ref: { kind: "openapi", spec: "pets" }, name: "newPet", method: "post" },
          { isVoid: true },
        ),
      () =>
        this.simple(
          "swagger",
          { ref: this.ref(), path: "/a", method: "get", ...this.some({ expanded: true }) },
          { isVoid: true },
        ),
      () =>
        this.simple(
          "swagger",
          {
            ref: { kind: "url" },
            method: "post",
            ...this.some({ path: "/a", baseUrl: "https://api.example", title: "Described here" }),
          },
          { isVoid: true, ...this.some({ nodes: inside() }) },
        ),
    ])();
  }

  // unknown returns what the editor keeps raw: kinds that it has no node for, and known ones in forms of their own.
  unknown(depth: number): JsonNode {
    return this.pick<() => JsonNode>([
      () => this.simple("embed", { url: "https://example.org" }, { isVoid: true, fragments: [] }),
      () =>
        this.simple(
          "file",
          { ref: this.ref() },
          { isVoid: true, fragments: [{ object: "fragment", fragment: "caption", nodes: this.blocks(2) }] },
        ),
      () => this.simple("raw", { source: "<x>\n</x>", syntax: "html" }, { isVoid: true }),
      () => this.simple("swagger", { ref: { kind: "url" }, title: "Described here" }, { nodes: [this.paragraph()] }),
      () => this.simple("prompt", { description: "" }, { nodes: [this.paragraph()] }),
      () =>
        this.simple(
          "from-a-later-version",
          { deep: { er: [1, null] } },
          { nodes: this.blocks(depth + 1), fragments: [] },
        ),
      () => this.simple("blockquote", {}, { nodes: [], meta: { of: "a later version" } }),
      () => this.simple("heading-1", {}, { nodes: [{ object: "text", leaves: [] }] }),
      () =>
        this.simple(
          "paragraph",
          {},
          {
            nodes: [
              {
                object: "text",
                leaves: [{ object: "leaf", text: "x", marks: [{ object: "mark", type: "from-a-later-version" }] }],
              },
            ],
          },
        ),
      () => this.simple("list-ordered", {}, { nodes: [this.paragraph()] }),
      () => this.simple("code", {}, { nodes: [this.simple("code-line", { highlighted: true }, { nodes: [] })] }),
      () => this.simple("list-item", {}, { nodes: [this.paragraph()] }),
      () => this.simple("column", {}, { nodes: [] }),
    ])();
  }
}

// randomDocument returns a document with keys.
export function randomDocument(random: Random): JsonDocument {
  return new Generator(random).document();
}

// specials returns blocks that show as something else than they are written as.
export function specials(random: Random, count: number): JsonNode[] {
  const generator = new Generator(random);
  return Array.from({ length: count }, () => generator.special(3));
}
