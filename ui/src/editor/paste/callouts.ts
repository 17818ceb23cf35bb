// Boxes that point something out, as programs and sites write them, become hints.
import { all, rename } from "./clean";

const boxes = [
  ".confluence-information-macro",
  "[data-panel-type]",
  "figure.callout",
  ".markdown-alert",
  ".admonition",
  ".theme-admonition",
  ".callout",
  "div.alert",
  "aside.note, aside.tip, aside.warning, aside.caution, aside.danger",
].join(", ");

// The words for a style, in the order in which they are looked for.
const styles: [string, RegExp][] = [
  ["danger", /danger|error|caution|critical|🚨|❗|🛑|⛔/i],
  ["warning", /warn|note-macro|macro-note|important|attention|⚠|🚧/i],
  ["success", /success|tip\b|check|✅|👍/i],
  ["info", /./],
];

// In Confluence a "note" is yellow and a "warning" red.
const confluence: Record<string, string> = {
  information: "info",
  info: "info",
  note: "warning",
  warning: "danger",
  error: "danger",
  tip: "success",
  success: "success",
};

function styleOf(box: HTMLElement): string {
  const panel = box.getAttribute("data-panel-type") ?? /confluence-information-macro-(\w+)/.exec(box.className)?.[1];
  if (panel) return confluence[panel] ?? "info";
  const said = `${box.className} ${box.querySelector(".icon")?.textContent ?? ""}`;
  return styles.find(([, words]) => words.test(said))![0];
}

const github: Record<string, string> = {
  note: "info",
  tip: "success",
  important: "info",
  warning: "warning",
  caution: "danger",
};
const alert = /^\s*\[!(note|tip|important|warning|caution)\][^\S\n]*\n?/i;
const emoji = /^\s*(\p{Extended_Pictographic}\ufe0f?)\s*/u;

// firstText returns the first text of an element that is not blank.
function firstText(element: HTMLElement): Text | null {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if ((walker.currentNode as Text).data.trim()) return walker.currentNode as Text;
  return null;
}

// said takes what names the kind of a box from the start of its words, and returns the style for it: "[!NOTE]" in a
// quote of Markdown, a picture in a box of Notion.
function said(element: HTMLElement): string | null {
  const text = firstText(element);
  const found = (element.tagName === "ASIDE" ? emoji : alert).exec(text?.data ?? "");
  if (!text || !found) return null;
  text.data = text.data.slice(found[0].length);
  if (text.data === "" && text.nextSibling instanceof HTMLBRElement) text.nextSibling.remove();
  const line = text.parentElement!;
  if (line !== element && !line.textContent?.trim() && line.childElementCount === 0) line.remove();
  return github[found[1]!.toLowerCase()] ?? styles.find(([, words]) => words.test(found[1]!))![0];
}

export function callouts(body: HTMLElement): void {
  for (const box of all(body, "blockquote, aside:not([class])")) {
    const style = said(box);
    if (style) rename(box, "div", { "data-tag": "hint", class: `hint-${style}` });
  }
  for (const box of all(body, boxes)) {
    if (!box.isConnected || box.closest("[data-tag=hint]") || !box.textContent?.trim()) continue;
    const style = styleOf(box);
    for (const part of all(
      box,
      ".icon, .confluence-information-macro-icon, .markdown-alert-title, .ak-editor-panel__icon, [class*=admonitionHeading]",
    ))
      part.remove();
    // A title that only says what kind of box it is, goes.
    const title = box.querySelector(".admonition-title, .alert-heading");
    if (
      title &&
      /^(note|tip|info|important|warning|caution|danger|attention|hint)$/i.test(title.textContent?.trim() ?? "")
    )
      title.remove();
    const made = rename(box, "div", { "data-tag": "hint", class: `hint-${style}` });
    for (const empty of all(made, "div")) if (!empty.textContent?.trim() && !empty.querySelector("img")) empty.remove();
  }
}
