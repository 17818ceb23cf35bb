// Where blocks are on the screen: which one a pointer is at, and where its handle stands.
import type { EditorView } from "@tiptap/pm/view";
import { isList, unitAt, type Unit } from "./units";

// domOf is the element of the node at a place.
export function domOf(view: EditorView, pos: number): HTMLElement | null {
  const dom = view.nodeDOM(pos);
  return dom instanceof HTMLElement ? dom : null;
}

// unitOf returns the innermost unit that an element of the text is in.
function unitOf(view: EditorView, element: Element): Unit | null {
  if (element === view.dom) return null;
  const pos = view.posAtDOM(element, 0);
  if (pos < 0 || pos > view.state.doc.content.size) return null;
  return unitAt(view.state.doc.resolve(pos));
}

// childAt returns the child of an element that a height is at, or the next one above it. Children stand below each
// other, so few of them are measured.
function childAt(parent: Element, y: number): Element | null {
  const { children } = parent;
  let [low, high] = [0, children.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (children[middle]!.getBoundingClientRect().top <= y) low = middle;
    else high = middle - 1;
  }
  return children[low] ?? null;
}

// outermost returns the block of the whole text at a height, or the item of it.
function outermost(view: EditorView, y: number): Unit | null {
  const child = childAt(view.dom, y);
  if (!child) return null;
  let pos = view.posAtDOM(view.dom, [...view.dom.children].indexOf(child));
  let node = view.state.doc.nodeAt(pos);
  while (node && isList(node)) {
    const dom = domOf(view, pos);
    const item = dom && childAt(dom, y);
    if (!dom || !item) break;
    pos = view.posAtDOM(dom, [...dom.children].indexOf(item));
    node = view.state.doc.nodeAt(pos);
    break;
  }
  return node ? { node, pos } : null;
}

// unitAtPoint returns the unit at a point of the screen: the innermost in the text, the outermost beside it.
export function unitAtPoint(
  view: EditorView,
  x: number,
  y: number,
  target = document.elementFromPoint(x, y),
): Unit | null {
  if (target && view.dom.contains(target) && target !== view.dom) {
    // Between the items of a list, and on their numbers, the list itself is what is hit.
    const list = target.matches("ul, ol, .block-stepper") ? childAt(target, y) : null;
    return unitOf(view, list ?? target) ?? outermost(view, y);
  }
  const { top, bottom } = view.dom.getBoundingClientRect();
  return y < top || y > bottom ? null : outermost(view, y);
}

// frameOf is what a block stands in on the screen: a column, or the whole text.
export const frameOf = (view: EditorView, dom: HTMLElement): HTMLElement =>
  dom.parentElement?.closest<HTMLElement>(".column") ?? view.dom;

// firstLine returns top and height of the first line of a block, where its handle belongs.
export function firstLine(dom: HTMLElement): { top: number; height: number } {
  const line = dom.matches("p, h2, h3, h4")
    ? dom
    : dom.querySelector<HTMLElement>("p, h2, h3, h4, .expandable-title, .code-head, .tab-list");
  const element = line && line.getBoundingClientRect().top - dom.getBoundingClientRect().top < 48 ? line : dom;
  const { top, height } = element.getBoundingClientRect();
  const one = Number.parseFloat(getComputedStyle(element).lineHeight);
  return { top, height: Math.min(height, element.matches("p, h2, h3, h4") && one > 0 ? one : 40) };
}
