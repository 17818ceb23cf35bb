// Markdown that is pasted, as HTML for the schema to read. HTML in it stays text. Loaded with the first such paste.
import MarkdownIt from "markdown-it";

const parser = new MarkdownIt({ html: false, linkify: true });

// A box at the start of an item, as the schema reads it.
const box = /(<ul>\s*)?<li>(\s*<p>)?\[([ xX])\] /g;

export function render(source: string): string {
  return parser
    .render(source)
    .replace(
      box,
      (_all, list: string | undefined, paragraph: string | undefined, tick: string) =>
        `${list ? '<ul class="list-tasks">' : ""}<li class="task" data-checked="${tick !== " "}">${paragraph ?? ""}`,
    );
}
