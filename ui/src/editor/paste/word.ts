// Word writes a list as paragraphs that say in their style how deep they are, with the sign before the words as text.
import { all, rename } from "./clean";
import { withLooks, written } from "./looks";

interface Line {
  element: HTMLElement;
  level: number;
  list: string;
  sign: string;
}

function lineOf(element: Element | null): Line | null {
  if (!(element instanceof HTMLElement) || element.tagName !== "P") return null;
  const found = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(written(element));
  if (!found) return null;
  const sign = all(element, "span").find((span) => /mso-list:\s*ignore/i.test(written(span)));
  return {
    element,
    list: found[1]!,
    level: Math.min(Number(found[2]), 9),
    sign: (sign?.textContent ?? "").replace(/[\s\u00a0]+/g, ""),
  };
}

const numbered = /^\(?([0-9]{1,9}|[a-z]{1,3}|[ivxlc]{1,7})[.)]$/i;

export function wordLists(body: HTMLElement): void {
  for (const title of all(body, "p.MsoTitle")) rename(title, "h1");
  for (const quote of all(body, "p.MsoQuote, p.MsoIntenseQuote")) {
    const outer = rename(quote, "blockquote");
    const inner = body.ownerDocument.createElement("p");
    inner.append(...outer.childNodes);
    outer.append(inner);
  }
  for (const first of all(body, `p${withLooks("mso-list")}`)) {
    if (!first.isConnected) continue;
    const lines: Line[] = [];
    for (let line = lineOf(first); line; line = lineOf(line.element.nextElementSibling)) lines.push(line);
    if (lines.length > 0) first.before(...build(lines, body.ownerDocument));
    for (const line of lines) line.element.remove();
  }
}

// build makes lists of lines, one in the other by their levels.
function build(lines: Line[], document: Document): HTMLElement[] {
  const made: HTMLElement[] = [];
  const open: { list: HTMLElement; level: number; of: string }[] = [];
  for (const { element, level, list: of, sign } of lines) {
    while (open.length > 0 && (open.at(-1)!.level > level || (open.at(-1)!.level === level && open.at(-1)!.of !== of)))
      open.pop();
    if (open.at(-1)?.level !== level) {
      const number = numbered.exec(sign)?.[1];
      const list = document.createElement(number ? "ol" : "ul");
      if (number && Number(number) > 1) list.setAttribute("start", number);
      const item = open.at(-1)?.list.lastElementChild;
      if (item) item.append(list);
      else made.push(list);
      open.push({ list, level, of });
    }
    const item = document.createElement("li");
    const line = document.createElement("p");
    // Boxes are read from the words; other signs are the list's.
    const ignored = all(element, "span").filter((span) => /mso-list:\s*ignore/i.test(written(span)));
    for (const span of ignored) span.remove();
    if (/^[☐☑☒]$/.test(sign)) line.append(`${sign} `);
    line.append(...element.childNodes);
    item.append(line);
    open.at(-1)!.list.append(item);
  }
  return made;
}
