// Which block has the handle, and which one the menu: what the pointer and keys do, and what the components draw.
import type { Mappable } from "@tiptap/pm/transform";
import type { EditorView } from "@tiptap/pm/view";
import { Drag } from "./drag";
import { domOf, firstLine, frameOf, unitAtPoint } from "./place";
import { BlockSelection } from "./selection";
import { selectedRange, unitAt } from "./units";

// MenuState is the open menu and where it stands.
export interface MenuState {
  anchor: { getBoundingClientRect: () => DOMRect };
}

const handleWidth = 48;

export class Handling {
  // pos is the place of the block that has the handle.
  private pos: number | null = null;
  private menuState: MenuState | null = null;
  private readonly listeners = new Set<() => void>();
  private element: HTMLElement | null = null;
  private frame = 0;
  private pointer: { x: number; y: number; target: EventTarget | null } | null = null;
  readonly drag: Drag;

  constructor(readonly view: EditorView) {
    this.drag = new Drag(view, () => this.hide());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly menu = (): MenuState | null => this.menuState;

  // attach begins to follow the pointer with the element of the handle, and returns what ends it.
  readonly attach = (element: HTMLElement | null): (() => void) | undefined => {
    if (!element) return;
    this.element = element;
    const moved = (event: PointerEvent) => {
      if (event.pointerType === "touch" || event.buttons > 0) return;
      this.pointer = { x: event.clientX, y: event.clientY, target: event.target };
      this.frame ||= requestAnimationFrame(() => this.follow());
    };
    // While somebody types, nothing stands beside the text.
    const typed = (event: KeyboardEvent) => event.key.length === 1 && this.hide();
    const touched = () => matchMedia("(pointer: coarse)").matches && this.showAtCursor();
    document.addEventListener("pointermove", moved, { passive: true });
    this.view.dom.addEventListener("keydown", typed);
    document.addEventListener("selectionchange", touched);
    return () => {
      cancelAnimationFrame(this.frame);
      this.frame = 0;
      document.removeEventListener("pointermove", moved);
      this.view.dom.removeEventListener("keydown", typed);
      document.removeEventListener("selectionchange", touched);
      this.drag.cancel();
      this.element = null;
    };
  };

  private follow(): void {
    this.frame = 0;
    const { pointer, element, view } = this;
    if (!pointer || !element || this.menuState || this.drag.active) return;
    const { x, y, target } = pointer;
    if (target instanceof Node && element.contains(target)) return;
    const area = view.dom.getBoundingClientRect();
    if (x < area.left - handleWidth - 24 || x > area.right + 24 || y < area.top || y > area.bottom) return this.hide();
    if (target instanceof Element && !view.dom.contains(target) && !target.closest("main")) return this.hide();
    if (this.onTheWay(x, y)) return;
    const unit = unitAtPoint(view, x, y, target instanceof Element ? target : null);
    if (unit) this.show(unit.pos);
    else this.hide();
  }

  // onTheWay reports whether the pointer is between a block and its handle: what lies there does not take the handle.
  private onTheWay(x: number, y: number): boolean {
    const dom = this.pos === null ? null : domOf(this.view, this.pos);
    if (!dom || !this.element) return false;
    const handle = this.element.getBoundingClientRect();
    const block = dom.getBoundingClientRect();
    const [left, right] = [Math.min(handle.left, block.right), Math.max(handle.right, block.left)];
    return (
      y >= handle.top - 4 && y <= handle.bottom + 4 && x >= left && x <= right && (x < block.left || x > block.right)
    );
  }

  private showAtCursor(): void {
    if (!this.view.hasFocus()) return this.hide();
    const unit = unitAt(this.view.state.selection.$from);
    if (unit) this.show(unit.pos);
  }

  private show(pos: number): void {
    const { element, view } = this;
    const dom = domOf(view, pos);
    const host = element?.parentElement;
    if (!element || !dom || !host) return this.hide();
    this.pos = pos;
    const around = host.getBoundingClientRect();
    const frame = frameOf(view, dom);
    const narrow = frame !== view.dom;
    const { top, height } = firstLine(dom);
    const area = frame.getBoundingClientRect();
    const width = narrow ? handleWidth / 2 : handleWidth;
    const rtl = getComputedStyle(view.dom).direction === "rtl";
    element.style.top = `${top - around.top + height / 2 - 12}px`;
    element.style.left = `${(rtl ? area.right + 4 : area.left - width - 4) - around.left}px`;
    element.toggleAttribute("data-narrow", narrow);
    element.hidden = false;
  }

  readonly hide = (): void => {
    if (this.pos === null) return;
    this.pos = null;
    if (this.element && !this.menuState) this.element.hidden = true;
  };

  // moved goes along with what others have changed around the block, or what is dragged.
  readonly moved = (mapping: Mappable): void => {
    this.drag.moved();
    if (this.pos === null) return;
    const pos = mapping.mapResult(this.pos, 1);
    if (pos.deletedAfter) return this.hide();
    this.pos = pos.pos;
    // It stands where the block is once that is drawn.
    requestAnimationFrame(() => this.pos !== null && this.element && !this.menuState && this.show(this.pos));
  };

  // take selects the block of the handle, unless it is among those selected.
  take(): boolean {
    const { view, pos } = this;
    if (pos === null || !view.state.doc.nodeAt(pos)) return false;
    const { selection } = view.state;
    if (selection instanceof BlockSelection && selection.from <= pos && pos < selection.to) return true;
    view.dispatch(view.state.tr.setSelection(BlockSelection.between(view.state.doc, pos)));
    return true;
  }

  // openMenu opens the menu of the selected blocks, at the handle or else at the first of them.
  openMenu(at?: HTMLElement): boolean {
    const { view } = this;
    const range = selectedRange(view.state);
    if (!range) return false;
    if (!(view.state.selection instanceof BlockSelection))
      view.dispatch(view.state.tr.setSelection(BlockSelection.create(view.state.doc, range.from, range.to)));
    this.menuState = {
      anchor: {
        getBoundingClientRect: () => {
          if (at?.isConnected) return at.getBoundingClientRect();
          const { left, top, width } = (domOf(view, range.from) ?? view.dom).getBoundingClientRect();
          return new DOMRect(left, top, width, Math.min(32, firstLine(domOf(view, range.from) ?? view.dom).height));
        },
      },
    };
    this.tell();
    return true;
  }

  // openMenuOf selects the block at a place and opens its menu.
  openMenuOf(pos: number, at?: HTMLElement): void {
    this.view.dispatch(this.view.state.tr.setSelection(BlockSelection.between(this.view.state.doc, pos)));
    this.openMenu(at);
  }

  readonly closeMenu = (): void => {
    this.menuState = null;
    this.tell();
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
