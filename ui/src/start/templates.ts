// What a new space can begin with: a few pages of one kind, in the language that is spoken. Each is a file of Markdown:
// a line "=== Title {#ref}" begins a page, "=== > Title" one within the page or group before it, "=== group: Title" a
// group. Pages link to each other by their refs.
import type { Schemas } from "../api/client";
import { languages } from "../words/words";

export const templates = ["product", "api", "handbook", "changelog"] as const;
export type Template = (typeof templates)[number];

// emojiOf is what a space from a template has in front of its name.
export const emojiOf: Record<Template, string> = { product: "📘", api: "🧩", handbook: "🧭", changelog: "✨" };

const files = import.meta.glob<string>("./templates/*.md", { query: "?raw", import: "default" });

// textOf loads a template in a language, in English where it has no other.
export function textOf(template: Template, language: string): Promise<string> {
  const spoken = languages.find((each) => language.startsWith(each)) ?? "en";
  return files[`./templates/${template}.${spoken}.md`]!();
}

type Change = Schemas["ContentChange"];
export type TemplatePage = { ref: string; title: string; type: "document" | "group"; into?: string; markdown: string };

const head = /^=== (group: |> )?(.+?) \{#([\w-]+)\}$/;

// pagesOf reads the pages of a template.
export function pagesOf(text: string): TemplatePage[] {
  const pages: (TemplatePage & { lines: string[] })[] = [];
  let above = "";
  for (const line of text.split("\n")) {
    const found = head.exec(line);
    if (!found) {
      pages.at(-1)?.lines.push(line);
      continue;
    }
    const [, kind = "", title = "", ref = ""] = found;
    const inside = kind === "> ";
    if (!inside) above = ref;
    pages.push({
      ref,
      title,
      type: kind === "group: " ? "group" : "document",
      ...(inside ? { into: above } : {}),
      markdown: "",
      lines: [],
    });
  }
  return pages.map(({ lines, ...page }) => ({ ...page, markdown: lines.join("\n").trim() }));
}

// changesOf are what puts pages into a space.
export const changesOf = (pages: TemplatePage[]): Change[] =>
  pages.map(({ ref, title, type, into, markdown }) => ({
    operation: "insert_page",
    ref,
    title,
    type,
    ...(into ? { into } : {}),
    ...(type === "document" ? { document: { markdown: `${markdown}\n` } } : {}),
  }));
