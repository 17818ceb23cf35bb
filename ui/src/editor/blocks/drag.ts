// Dragging blocks by their handle, with a pointer or a finger: a line shows where they would come, below or above a
// block or at a side of it, Escape takes it back.
import type { Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { besideDropped, type Side } from "./beside";
import { dropped } from "./change";
import { domOf, unitAtPoint } from "./place";
import { isItem, selectedRange, unitsAround, type Range } from "./units";

// So far the pointer moves before it drags, in pixels.
const slack = 6;
// Right of the beginning of an item by so much, what is dropped goes into it.
const indent = 28;
// So near to the edge the window scrolls, and by so much at once.
const edge = 64;
// So far from the end of a block inwards, and so far before its beginning, where no handle is any more, is its side.
const sideWidth = 40;
const gutter = 60;
// Columns that are narrower stand below each other.
const narrow = 420;
const pace = 12;

interface Target {
  tr: Transaction;
  left: number;
  width: number;
  y: number;
  // height is that of a line at the side of a block.
  height?: number;
}

export class Drag {
  active = false;
  private start: { x: number; y: number } | null = null;
  private target: Target | null = null;
  private range: Range | null = null;
  private readonly line = document.createElement("div");
  private frame = 0;
  private at = { x: 0, y: 0 };

  constructor(
    private readonly view: EditorView,
    private readonly onStart: () => void,
  ) {
    this.line.className = "block-line";
  }

  readonly down = (event: PointerEvent, handle: HTMLElement): void => {
    if (event.button !== 0) return;
    this.start = { x: event.clientX, y: event.clientY };
    handle.setPointerCapture(event.pointerId);
  };

  // move goes on with a drag. take is called when it begins, and selects what is dragged.
  readonly move = (event: PointerEvent, take: () => boolean): void => {
    if (!this.start) return;
    this.at = { x: event.clientX, y: event.clientY };
    if (!this.active) {
      if (Math.hypot(this.at.x - this.start.x, this.at.y - this.start.y) < slack) return;
      if (!take()) return this.cancel();
      this.range = selectedRange(this.view.state);
      if (!this.range) return this.cancel();
      this.active = true;
      this.onStart();
      this.view.dom.classList.add("is-dragging");
      document.body.append(this.line);
      window.addEventListener("keydown", this.escaped, true);
    }
    this.frame ||= requestAnimationFrame(this.draw);
  };

  // moved goes along with what others have changed meanwhile.
  moved(): void {
    if (!this.active) return;
    this.target = null;
    // What is dragged is what is selected, and that has moved along.
    this.range = selectedRange(this.view.state);
    if (!this.range) return this.cancel();
    this.frame ||= requestAnimationFrame(this.draw);
  }

  // up drops what is dragged. It reports whether something was dragged: a click then is none.
  readonly up = (): boolean => {
    const was = this.active;
    const target = this.target;
    this.cancel();
    if (was && target) this.view.dispatch(target.tr);
    if (was) this.view.focus();
    return was;
  };

  readonly cancel = (): void => {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.start = this.target = this.range = null;
    this.active = false;
    this.view.dom.classList.remove("is-dragging");
    this.line.remove();
    window.removeEventListener("keydown", this.escaped, true);
  };

  private readonly escaped = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    this.cancel();
  };

  private readonly draw = (): void => {
    this.frame = 0;
    if (!this.active || !this.range) return;
    const { x, y } = this.at;
    const target = (this.target = this.targetAt(x, y, this.range));
    this.line.hidden = !target;
    if (target) {
      this.line.style.left = `${target.left}px`;
      this.line.style.width = `${target.width}px`;
      this.line.style.top = `${target.y - 1}px`;
      this.line.style.height = target.height ? `${target.height}px` : "";
    }
    const by = y < edge ? -pace : y > window.innerHeight - edge ? pace : 0;
    if (by === 0) return;
    window.scrollBy(0, by);
    this.frame = requestAnimationFrame(this.draw);
  };

  // targetAt is where the blocks would come at a point: before or after the unit there, or after one around it where
  // they may not stand beside it.
  private targetAt(x: number, y: number, range: Range): Target | null {
    const { view } = this;
    const area = view.dom.getBoundingClientRect();
    const inside = Math.max(area.left + 4, Math.min(area.right - 4, x));
    const unit = unitAtPoint(view, inside, y);
    if (!unit) return null;
    for (const each of [unit, ...unitsAround(view.state.doc, unit.pos)]) {
      const dom = domOf(view, each.pos);
      if (!dom) continue;
      const { left, right, top, bottom } = dom.getBoundingClientRect();
      const before = y < (top + bottom) / 2;
      const rtl = getComputedStyle(dom).direction === "rtl";
      const beside = this.besideAt(x, each.pos, { left, right, top, bottom }, rtl, range);
      if (beside) return beside;
      if (isItem(each.node) && !before && (rtl ? right - x : x - left) > indent) {
        const tr = dropped(view.state, range, each.pos + each.node.nodeSize - 1);
        if (tr) return { tr, left: rtl ? left : left + indent, width: right - left - indent, y: bottom };
      }
      const tr = dropped(view.state, range, before ? each.pos : each.pos + each.node.nodeSize);
      if (tr) return { tr, left, width: right - left, y: before ? top - 2 : bottom + 2 };
      // Where it is already, it stays.
      if (each.pos >= range.from && each.pos < range.to) return null;
    }
    return null;
  }
  // besideAt is the place at a side of a block, null where the pointer is at none or nothing can stand there.
  private besideAt(
    x: number,
    pos: number,
    block: { left: number; right: number; top: number; bottom: number },
    rtl: boolean,
    range: Range,
  ): Target | null {
    const { view } = this;
    if (block.right - block.left < narrow / 2 || view.dom.getBoundingClientRect().width < narrow) return null;
    const [toEnd, toStart] = rtl ? [x - block.left, block.right - x] : [block.right - x, x - block.left];
    const side: Side | null = toEnd < sideWidth && toEnd > -gutter ? "after" : toStart < -gutter ? "before" : null;
    const tr = side && besideDropped(view.state, range, pos, side);
    if (!tr) return null;
    const left = (side === "after") === rtl ? block.left - 6 : block.right + 3;
    return { tr, left, width: 3, y: block.top, height: block.bottom - block.top };
  }
}
