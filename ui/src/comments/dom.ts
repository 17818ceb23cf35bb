// The text of a page that is read, for comments on its words: they are found in what is shown, and marked without
// changing it (CSS Custom Highlights).
import type { Anchor, Surface, Target } from "./Commenting";
import "./highlights.css";
import { find, passageOf, quoteOf } from "./quote";

interface Block {
  element: Element;
  text: string;
  // at is where each character of text is.
  at: { node: Text; offset: number }[];
}

const holders =
  "pre, p, h1, h2, h3, h4, h5, h6, li, td, th, figcaption, summary, dt, dd, blockquote, div, section, article, [data-node]";
const silent = "script, style, button, select, textarea, [aria-hidden='true'], .visually-hidden, del";

// blocksOf reads the blocks of text below an element.
function blocksOf(root: Element): Block[] {
  const raw = new Map<Element, { given: string; at: Block["at"] }>();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const parent = node.parentElement;
    // What is around the root is silent while a sheet lies on top of it.
    const quiet = parent?.closest(silent);
    if (!parent || (quiet && root.contains(quiet))) continue;
    const holder = parent.closest("pre") ?? parent.closest(holders);
    if (!holder || !root.contains(holder)) continue;
    const block = raw.get(holder) ?? { given: "", at: [] };
    raw.set(holder, block);
    block.given += node.data;
    for (let offset = 0; offset < node.length; offset++) block.at.push({ node, offset });
  }
  return [...raw].map(([element, { given, at }]) => {
    const { text, from } = passageOf(given);
    return { element, text, at: from.map((each) => at[each]!) };
  });
}

// placesIn lists what comments can be about below an element, in its order: blocks with words, by all of them, and
// those that stand for something, such as pictures, by what the server calls them.
export function placesIn(root: Element): Map<Element, Target> {
  const named = [...root.querySelectorAll<HTMLElement>("[data-node]")];
  const spoken = blocksOf(root).filter(({ element, text }) => text !== "" && !element.closest("[data-node]"));
  const all = [
    ...spoken.map(({ element, text }): [Element, Target] => [
      element,
      { quote: { quote: text.slice(0, longest), before: "", after: "" } },
    ]),
    ...named.map((element): [Element, Target] => [element, { node: element.dataset["node"] }]),
  ];
  return new Map(all.sort(([a], [b]) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1)));
}

// The longest quote, in characters.
const longest = 1000;

function rangeAt({ at }: Block, start: number, length: number): Range {
  const range = document.createRange();
  const [first, last] = [at[start]!, at[start + length - 1]!];
  range.setStart(first.node, first.offset);
  range.setEnd(last.node, last.offset + 1);
  return range;
}

// selected returns what words are selected below an element, null for none.
export function selected(root: Element): Target | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!root.contains(range.commonAncestorContainer)) return null;
  for (const { element, at } of blocksOf(root)) {
    if (!range.intersectsNode(element)) continue;
    const inside = at.map(
      ({ node, offset }) => range.comparePoint(node, offset) === 0 && range.comparePoint(node, offset + 1) === 0,
    );
    // Words of one block: where several are selected, the first counts.
    const start = inside.indexOf(true);
    if (start < 0) continue;
    const text = at.map(({ node, offset }) => (/\s/.test(node.data[offset]!) ? " " : node.data[offset]!)).join("");
    const quote = quoteOf(text, start, inside.lastIndexOf(true) + 1);
    if (quote) return { quote: { ...quote, quote: quote.quote.slice(0, longest) } };
  }
  return null;
}

const marked = (name: string, ranges: Range[]) => {
  if (!("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
};

// domSurface is a text that is read. onPick is called with the comment whose words are clicked; end takes the marks
// away.
export function domSurface(root: HTMLElement, onPick: (id: string) => void): Surface & { end: () => void } {
  let ranges = new Map<string, Range>();
  // Blocks without words are marked themselves, where what is drawn says which block it is.
  let blocks = new Map<string, HTMLElement>();
  const listeners = new Set<() => void>();
  const moved = () => listeners.forEach((each) => each());
  const sizes = new ResizeObserver(moved);
  sizes.observe(root);

  const place = (blocks: Block[], { quote, preview }: Anchor): Range | null => {
    if (quote) {
      const found = find(blocks.map((each) => each.text), quote);
      return found && rangeAt(blocks[found.index]!, found.at, quote.quote.length);
    }
    const start = preview.replace(/…$/, "").slice(0, 200);
    const block =
      start &&
      (blocks.find((each) => each.text === start) ??
        blocks.find((each) => each.text !== "" && (each.text.startsWith(start) || start.startsWith(each.text))));
    return block ? rangeAt(block, 0, block.text.length) : null;
  };
  const wordless = ({ quote, preview, node }: Anchor): HTMLElement | null =>
    quote || preview || !node ? null : root.querySelector<HTMLElement>(`[data-node="${CSS.escape(node)}"]`);
  const unmark = () => {
    for (const block of blocks.values()) delete block.dataset["commented"];
  };
  const onClick = (event: MouseEvent) => {
    if (!getSelection()?.isCollapsed || (event.target as Element).closest("a, button")) return;
    for (const [id, range] of ranges) {
      const hit = [...range.getClientRects()].some(
        (box) =>
          event.clientX >= box.left &&
          event.clientX <= box.right &&
          event.clientY >= box.top &&
          event.clientY <= box.bottom,
      );
      if (hit) return onPick(id);
    }
    for (const [id, block] of blocks) if (block.contains(event.target as Element)) return onPick(id);
  };
  root.addEventListener("click", onClick);
  return {
    show: (anchors, active) => {
      const passages = blocksOf(root);
      unmark();
      blocks = new Map(
        anchors.flatMap((anchor) => {
          const block = wordless(anchor);
          return block ? [[anchor.id, block] as const] : [];
        }),
      );
      for (const [id, block] of blocks)
        if (block.dataset["commented"] !== "active") block.dataset["commented"] = id === active ? "active" : "";
      ranges = new Map(
        anchors.flatMap((anchor) => {
          const range = place(passages, anchor);
          return range ? [[anchor.id, range] as const] : [];
        }),
      );
      marked(
        "comment",
        [...ranges].filter(([id]) => id !== active).map(([, range]) => range),
      );
      marked(
        "comment-active",
        [...ranges].filter(([id]) => id === active).map(([, range]) => range),
      );
      moved();
    },
    top: (id) => {
      const range = ranges.get(id) ?? blocks.get(id);
      // What is folded away has no place.
      const box = range?.getClientRects()[0];
      return box ? box.top : null;
    },
    go: (id) => {
      const element = blocks.get(id) ?? ranges.get(id)?.startContainer.parentElement;
      for (let at: Element | null = element ?? null; at; at = at.parentElement)
        if (at instanceof HTMLDetailsElement) at.open = true;
      element?.scrollIntoView({ block: "center" });
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready: () => Promise.resolve(),
    changed: () => Promise.resolve(),
    end: () => {
      root.removeEventListener("click", onClick);
      sizes.disconnect();
      unmark();
      marked("comment", []);
      marked("comment-active", []);
    },
  };
}
