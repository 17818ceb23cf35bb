// HTML of other programs, made into what the schema reads: looks go, and what they say with them stays, such as Word's
// lists, boxes of tasks, code in a fixed font, and coloured boxes, which become hints.
import { callouts } from "./callouts";
import { forget, looks, putAside, withLooks } from "./looks";
import { wordLists } from "./word";

// clean returns HTML that is pasted without what only a program means. What was copied here is left alone.
export function clean(html: string): string {
  if (html.includes("data-recto-node")) return html;
  const body = new DOMParser().parseFromString(putAside(html), "text/html").body;
  for (const step of [rubbish, wordLists, callouts, code, lists, tasks, sections, styles, links, forget]) step(body);
  return body.innerHTML;
}

// rename puts an element of another kind in the place of one, with what it holds.
export function rename(element: Element, tag: string, attributes: Record<string, string> = {}): HTMLElement {
  const made = element.ownerDocument.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...element.childNodes);
  element.replaceWith(made);
  return made;
}

export const all = (root: Element, selector: string): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
];

function rubbish(body: HTMLElement) {
  const comments: Comment[] = [];
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) comments.push(walker.currentNode as Comment);
  for (const comment of comments) comment.remove();
  // Word's own elements have a colon in their names.
  for (const element of all(body, "*"))
    if (/^(o|w|v|st1|m):/i.test(element.tagName) && !element.textContent?.trim()) element.remove();
  const names =
    "script, style, meta, link, title, button, svg, nav, template, iframe, object, noscript, a.anchor[aria-hidden], a.headerlink, a.hash-link, .lineno, .linenos, td.gutter, .line-numbers-rows, [aria-hidden=true]:empty";
  for (const element of all(body, names)) element.remove();
  // Google Docs writes blank lines between its blocks so.
  for (const br of all(body, "br"))
    if (br.className === "Apple-interchange-newline" || before(br)?.matches(blocks)) br.remove();
}

// before returns the element right before one, null when there are words in between.
function before(element: Element): Element | null {
  let node = element.previousSibling;
  while (node instanceof Text && !node.data.trim()) node = node.previousSibling;
  return node instanceof Element ? node : null;
}

const blocks = "p, h1, h2, h3, h4, h5, h6, ul, ol, table, pre, blockquote, div, hr";

const fixed = /consolas|courier|menlo|monaco|monospace|roboto mono|source code|lucida console|sfmono|jetbrains/i;
const isFixed = (element: HTMLElement) => fixed.test(looks(element).fontFamily);

// mono reports whether all words of a paragraph are in a fixed font.
function mono(element: HTMLElement): boolean {
  if (!element.textContent?.trim() || element.closest("pre, code, td, li")) return false;
  if (isFixed(element)) return true;
  return [...element.childNodes].every((node) =>
    node instanceof HTMLElement ? isFixed(node) || node.tagName === "BR" : !node.textContent?.trim(),
  );
}

// languageOf finds the language of code in what programs note it in.
function languageOf(element: Element): string {
  for (let at: Element | null = element, up = 0; at && up < 3; at = at.parentElement, up++) {
    const said = `${at.className} ${at.getAttribute("data-language") ? `language-${at.getAttribute("data-language")}` : ""} ${at.getAttribute("data-syntaxhighlighter-params") ?? ""}`;
    const found = /\b(?:lang(?:uage)?-|highlight-(?:source-|text-)?|brush:\s*)([\w+#.]+)/i.exec(said)?.[1];
    if (found && !/^(plain|text|none|default)$/i.test(found)) return found.toLowerCase();
  }
  return "";
}

function code(body: HTMLElement) {
  // Editors of code copy a box in their font, with a box for each line in it.
  for (const box of all(body, `div${withLooks("white-space")}`)) {
    if (!box.isConnected || !/^(pre|break-spaces)/.test(looks(box).whiteSpace) || !isFixed(box)) continue;
    for (const line of all(box, ":scope > div, :scope > p")) if (line.nextElementSibling) line.append("\n");
    rename(box, "pre");
  }
  for (const pre of all(body, "pre")) {
    // Lines that are elements of their own have no line break between them.
    for (const br of all(pre, "br")) br.replaceWith("\n");
    const inner = pre.querySelector("code");
    const language = languageOf(inner ?? pre);
    const text = pre.textContent ?? "";
    const made = rename(pre, "pre", language ? { class: `language-${language}` } : {});
    made.textContent = text.replaceAll("\u00a0", " ");
    // A table that only sets numbers beside the lines goes.
    const table = made.closest("table");
    if (table && table.textContent?.trim() === made.textContent.trim()) table.replaceWith(made);
  }
  const lines = all(body, "p, div").filter(
    (element) => !element.querySelector("p, div, pre, ul, ol, table") && mono(element),
  );
  const done = new Set<Element>();
  for (const line of lines) {
    if (done.has(line)) continue;
    const run = [line];
    for (
      let next = line.nextElementSibling;
      next && lines.includes(next as HTMLElement);
      next = next.nextElementSibling
    )
      run.push(next as HTMLElement);
    for (const each of run) {
      done.add(each);
      for (const br of all(each, "br")) br.replaceWith("\n");
    }
    const pre = body.ownerDocument.createElement("pre");
    pre.textContent = run.map((each) => (each.textContent ?? "").replaceAll("\u00a0", " ")).join("\n");
    line.replaceWith(pre);
    for (const each of run.slice(1)) each.remove();
  }
}

const ticked = /[☑☒✅✔x]/i;
const box = /^[\s\u00a0]*([☐☑☒✅✔]|\[[ x]?\](?=[\s\u00a0]))[\s\u00a0]*/i;

// tasks gives items with a box, however it is said, the form that the schema reads.
function tasks(body: HTMLElement) {
  for (const item of all(body, "[data-task-state]")) {
    const done = item.getAttribute("data-task-state") === "DONE";
    const li = rename(item, "li", { class: "task", "data-checked": String(done) });
    if (li.parentElement?.tagName !== "UL") rename(li.parentElement!, "ul");
  }
  for (const item of all(body, "li")) {
    const control = item.querySelector<HTMLElement>(
      ":scope > input[type=checkbox], :scope > label > input[type=checkbox], :scope > p > input[type=checkbox], :scope > .checkbox",
    );
    const first = box.exec(item.textContent ?? "")?.[1];
    const confluence = item.closest("ul.inline-task-list");
    const role = item.getAttribute("role") === "checkbox";
    if (!control && !first && !confluence && !role && !item.matches(".task, .task-list-item")) continue;
    const checked =
      control instanceof HTMLInputElement
        ? control.hasAttribute("checked")
        : control?.classList.contains("checkbox-on") ||
          item.getAttribute("aria-checked") === "true" ||
          (confluence !== null && item.classList.contains("checked")) ||
          item.getAttribute("data-checked") === "true" ||
          (first !== undefined && ticked.test(first));
    control?.remove();
    if (first) dropBox(item);
    item.className = "task";
    item.dataset["checked"] = String(checked);
  }
  for (const list of all(body, "ul, ol")) {
    if (!list.querySelector(":scope > li.task")) continue;
    // A list has boxes or it has none: one with both becomes several.
    for (const item of [...list.children]) {
      const above = item.previousElementSibling;
      if (above && above.matches("li.task") !== item.matches("li.task")) {
        const rest = list.cloneNode() as HTMLElement;
        while (item.previousElementSibling) rest.append(list.firstElementChild!);
        list.before(rest);
        if (rest.querySelector(":scope > li.task")) rename(rest, "ul", { class: "list-tasks" });
      }
    }
    if (list.querySelector(":scope > li.task")) rename(list, "ul", { class: "list-tasks" });
  }
}

function dropBox(item: HTMLElement) {
  const walker = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (!text.data.trim()) continue;
    text.data = text.data.replace(box, "");
    return;
  }
}

// sections gives what unfolds the form of an expandable section.
function sections(body: HTMLElement) {
  for (const container of all(body, ".expand-container")) {
    const title = container.querySelector(".expand-control")?.textContent?.trim() ?? "";
    const content = container.querySelector(".expand-content");
    const details = rename(container, "details");
    const summary = body.ownerDocument.createElement("summary");
    summary.textContent = title;
    details.replaceChildren(summary, ...(content ? content.childNodes : []));
  }
  for (const details of all(body, "details")) {
    const summary = details.querySelector(":scope > summary") ?? body.ownerDocument.createElement("summary");
    const rest = body.ownerDocument.createElement("div");
    rest.className = "expandable-body";
    rest.append(...[...details.childNodes].filter((node) => node !== summary));
    if (!rest.textContent?.trim() && rest.childElementCount === 0) rest.append(body.ownerDocument.createElement("p"));
    details.replaceChildren(summary, rest);
    // Notion wraps each in a list of its own.
    const item = details.parentElement;
    if (item?.tagName === "LI" && item.parentElement?.matches("ul.toggle") && item.childElementCount === 1)
      item.parentElement.replaceWith(...all(item.parentElement, ":scope > li > details"));
  }
}

// lists puts lists that stand in lists into the item before them, as HTML wants it.
function lists(body: HTMLElement) {
  for (const list of all(body, "ul > ul, ul > ol, ol > ul, ol > ol")) {
    const before = list.previousElementSibling;
    if (before?.tagName === "LI") before.append(list);
    else {
      const item = body.ownerDocument.createElement("li");
      list.before(item);
      item.append(list);
    }
  }
}

// styles makes of looks the marks that they mean; the rest of them is not read.
function styles(body: HTMLElement) {
  for (const element of all(body, withLooks())) {
    const look = looks(element);
    if (/^(center|right)$/.test(look.textAlign) && element.matches("td, th"))
      element.setAttribute("align", look.textAlign);
    const tags = meant(look);
    if (
      fixed.test(look.fontFamily) &&
      element.matches("span, font") &&
      element.textContent?.trim() &&
      !element.closest("pre, code, kbd")
    )
      tags.push("code");
    const plain =
      (element.matches("b, strong") && /^(normal|400)$/.test(look.fontWeight)) ||
      (element.matches("i, em") && look.fontStyle === "normal");
    // Google Docs puts all that it copies into one such element.
    if (plain && element.querySelector(blocks)) {
      element.replaceWith(...element.childNodes);
      continue;
    }
    const inner = plain ? rename(element, "span") : element;
    if (!inner.matches("span, font, a, b, strong, i, em, u, p, td, th, div, li")) continue;
    for (const made of tags) {
      if (inner.querySelector(blocks) || !inner.textContent?.trim() || inner.closest(made)) continue;
      if (made === "b" && (inner.closest("h1, h2, h3, h4, h5, h6, th, strong") || titles(inner.closest("tr"))))
        continue;
      const mark = body.ownerDocument.createElement(made);
      mark.append(...inner.childNodes);
      inner.append(mark);
    }
  }
}

// titles reports whether a row is the first of its table: it names the columns, which is as heavy as it is anyway.
const titles = (row: Element | null): boolean => row !== null && row === row.closest("table")?.querySelector("tr");

// meant names the elements that say what a look means.
function meant({
  fontWeight,
  fontStyle,
  textDecoration,
  textDecorationLine,
  verticalAlign,
}: CSSStyleDeclaration): string[] {
  const tags: string[] = [];
  if (/^(bold(er)?|[6-9]\d\d)$/.test(fontWeight)) tags.push("b");
  if (/^(italic|oblique)/.test(fontStyle)) tags.push("i");
  if (`${textDecoration} ${textDecorationLine}`.includes("line-through")) tags.push("s");
  if (verticalAlign === "super") tags.push("sup");
  if (verticalAlign === "sub") tags.push("sub");
  return tags;
}

// links leads past the detours that programs put into addresses.
function links(body: HTMLElement) {
  for (const link of all(body, "a[href]") as HTMLAnchorElement[]) {
    const target = /^https:\/\/www\.google\.com\/url\?/.test(link.href)
      ? new URL(link.href).searchParams.get("q")
      : null;
    if (target && /^https?:/.test(target)) link.setAttribute("href", target);
  }
}
