// Random texts, and the blocks that hold nothing but texts, of which random documents consist. The same seed gives the
// same ones.
import { same, type Data, type JsonMark, type JsonNode } from "../src/editor/document";

export type Random = () => number;

// seeded returns numbers from 0 up to 1, always the same ones (mulberry32).
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const words = [
  "text",
  "ß",
  " ",
  "  two",
  "日本語",
  "🙂",
  "a\u0301",
  "<b>",
  "\\*",
  "‮rtl‬",
  "-",
  "1.",
  "\t",
  "&amp;",
  "long ".repeat(9),
];
const markTypes = ["bold", "italic", "code", "keyboard", "strikethrough", "superscript", "subscript", "color"];

// LeafGenerator makes what has no other blocks in it, but for those of notes, which blocks makes.
export abstract class LeafGenerator {
  constructor(private readonly random: Random) {}

  abstract blocks(depth: number, least?: number): JsonNode[];

  int(n: number): number {
    return Math.floor(this.random() * n);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!;
  }
  chance(p: number): boolean {
    return this.random() < p;
  }
  some(value: Data): Data {
    return Object.fromEntries(Object.entries(value).filter(() => this.chance(0.4)));
  }
  word(): string {
    return this.pick(words);
  }

  marks(): JsonMark[] {
    if (this.chance(0.6)) return [];
    return markTypes
      .filter(() => this.chance(0.2))
      .map((type) => ({
        object: "mark",
        type,
        ...(type === "color"
          ? { data: { text: this.pick(["red", "default", "$primary"]), background: "default" } }
          : {}),
      }));
  }

  // texts returns texts and inlines in the form that parsing gives: neighbours that could be one are one.
  texts(link = false, annotation = false): JsonNode[] {
    const nodes: JsonNode[] = [];
    for (let i = this.int(5); i > 0; i--) {
      const last = nodes[nodes.length - 1];
      if (this.chance(0.7)) {
        const leaf = {
          object: "leaf" as const,
          text: this.word() + (this.chance(0.1) ? "\nnext" : ""),
          marks: this.marks(),
        };
        if (last?.object !== "text") nodes.push({ object: "text", leaves: [leaf] });
        else if (!same(last.leaves![last.leaves!.length - 1]!.marks, leaf.marks)) last.leaves!.push(leaf);
        continue;
      }
      nodes.push(this.inline(link, annotation));
    }
    return nodes;
  }

  inline(link: boolean, annotation: boolean): JsonNode {
    const ref = this.ref();
    if (!link && this.chance(0.5))
      return { object: "inline", type: "link", isVoid: false, data: { ref }, nodes: this.texts(true, annotation) };
    if (!annotation && this.chance(0.3)) {
      return {
        object: "inline",
        type: "annotation",
        isVoid: false,
        data: {},
        nodes: this.texts(true, true),
        fragments: [
          { object: "fragment", fragment: "annotation-body", type: "annotation-body", nodes: this.blocks(3) },
        ],
      };
    }
    const [type, data] = this.pick<[string, Data]>([
      ["emoji", { code: "1f389" }],
      ["icon", { icon: "rocket", ...this.some({ color: "red" }) }],
      ["expression", { expression: "page.vars.x" }],
      ["inline-math", { formula: "a^2" }],
      ["inline-image", { ref, ...this.some({ alt: "x", size: "line" }) }],
      ["mention", { ref }],
      ["button", { label: "Go", kind: "primary", ref }],
      ["raw-inline", { source: "<x-y>", syntax: "html" }],
      ["from-a-later-version", { some: ["thing"] }],
    ]);
    return { object: "inline", type, isVoid: true, data };
  }

  ref(): Data {
    return this.pick<Data>([
      { kind: "url", url: "https://example.org/?a=1&b" },
      { kind: "url", url: "a.md" },
      { kind: "page", page: "p1" },
      { kind: "anchor", page: "p1", anchor: "part" },
      { kind: "file", file: "f1" },
    ]);
  }

  simple(type: string, data: Data, rest: Partial<JsonNode>): JsonNode {
    return { object: "block", type, isVoid: false, data, ...rest };
  }

  paragraph(): JsonNode {
    return this.simple("paragraph", this.some({ align: "center" }), { nodes: this.texts() });
  }

  code(): JsonNode {
    const line = () => {
      const text = this.pick(["x := 1", "\tif true {", "}", ""]);
      const highlighted = text !== "" && this.chance(0.2);
      const note = text !== "" && this.chance(0.15);
      const words = (part: string) =>
        ({ object: "text", leaves: [{ object: "leaf", text: part, marks: [] }] }) as JsonNode;
      if (note) {
        // A note on the words of a line but its first character, or on all of them.
        const [before, on] = text.length > 1 ? [text.slice(0, 1), text.slice(1)] : ["", text];
        const body: JsonNode = {
          object: "fragment",
          fragment: "annotation-body",
          type: "annotation-body",
          nodes: [this.paragraph()],
        };
        const noted = this.simple("annotation", {}, { object: "inline", nodes: [words(on)], fragments: [body] });
        return this.simple("code-line", highlighted ? { highlighted: true } : {}, {
          nodes: [...(before ? [words(before)] : []), noted],
        });
      }
      return this.simple("code-line", highlighted ? { highlighted: true } : {}, { nodes: text ? [words(text)] : [] });
    };
    return this.simple("code", this.some({ syntax: "go", title: "a.go", lineNumbers: true, overflow: "wrap" }), {
      nodes: Array.from({ length: this.int(4) }, line),
    });
  }

  caption(): JsonNode[] {
    const texts = this.texts();
    return texts.length
      ? [{ object: "fragment", fragment: "caption", nodes: [this.simple("paragraph", {}, { nodes: texts })] }]
      : [];
  }

  image(): JsonNode {
    return this.simple(
      "image",
      { ref: this.ref(), ...this.some({ refDark: this.ref(), alt: "A tree", width: 300 }) },
      { isVoid: true, fragments: this.caption() },
    );
  }

  // captioned returns a block that has no fragments where it has no caption.
  captioned(type: string, data: Data): JsonNode {
    const fragments = this.caption();
    return this.simple(type, data, { isVoid: true, ...(fragments.length ? { fragments } : {}) });
  }
}
