// Views of tabs: a bar with their titles, and the open one. The others stay in the document, and open when the cursor
// comes into them.
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { openOptions } from "../blocks/options";
import { addPart, movePart } from "../blocks/parts";
import { track } from "../blocks/track";
import { datum } from "../nodes/kind";
import { element, drawing } from "./dom";
import { kept, setData } from "./boxes";
import { iconInto } from "./icon";

const opening = "recto-open-tab";

export const tabs: NodeViewConstructor = (first, view, getPos) => {
  let node = first;
  let open = 0;
  const list = element("div", {
    class: "tab-list",
    role: "group",
    "aria-label": t("editor.tabs"),
    contenteditable: "false",
  });
  const panels = element("div", { class: "tab-panels" });
  const dom = element("div", { class: "block-tabs is-ready" }, list, panels);

  // place is where the tab with an index is in the document.
  const place = (index: number): number | null => {
    const pos = getPos();
    if (pos === undefined) return null;
    return node.children.slice(0, index).reduce((sum, child) => sum + child.nodeSize, pos + 1);
  };
  const show = (index: number) => {
    open = Math.max(0, Math.min(index, node.childCount - 1));
    [...panels.children].forEach((child, i) => ((child as HTMLElement).hidden = i !== open));
    draw();
  };
  const act = (index: number, what: (pos: number) => void) => () => {
    const pos = place(index);
    if (pos !== null) what(pos);
  };

  const title = (index: number) => datum(node.child(index), "title") || t("editor.tab", { n: index + 1 });
  // icon is what stands before the title of a tab that has one.
  const icon = (index: number) => {
    const name = datum(node.child(index), "icon");
    if (!name) return [];
    const made = element("span", { class: "icon tab-icon", "aria-hidden": "true" });
    iconInto(made, name, () => made.remove());
    return [made];
  };
  const button = (index: number) => {
    const made = element("button", { type: "button", class: "tab-button" }, ...icon(index), title(index));
    made.addEventListener("click", () => {
      show(index);
      list.querySelector("input")?.focus();
    });
    return made;
  };
  // The title of the open tab is typed where it stands.
  const current = (index: number) => {
    const input = element("input", {
      class: "tab-name",
      "aria-label": t("editor.tab.title"),
      placeholder: t("editor.tab", { n: index + 1 }),
      size: "4",
    });
    input.value = datum(node.child(index), "title");
    input.addEventListener("input", act(index, (pos) => setData(view, () => pos, "title", input.value)));
    input.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Enter" || event.key === "Escape") view.focus();
      const by = event.altKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
      if (by === undefined) return;
      event.preventDefault();
      act(index, (pos) => movePart(view, track(view, pos), by as -1 | 1))();
    });
    const more = element(
      "button",
      { type: "button", class: "part-button", "aria-label": t("blocks.options", { kind: title(index) }) },
      dots(),
    );
    more.addEventListener(
      "click",
      act(index, (pos) => openOptions(view, pos, more)),
    );
    return element("span", { class: "tab-button is-open" }, ...icon(index), input, more);
  };
  const draw = () => {
    // What is being typed into stays as it is.
    if (
      document.activeElement instanceof HTMLInputElement &&
      list.childElementCount === node.childCount + 1 &&
      list.children[open]?.contains(document.activeElement)
    ) {
      [...list.children].forEach(
        (child, i) => i !== open && i < node.childCount && child.replaceChildren(...icon(i), title(i)),
      );
      return;
    }
    const add = element("button", { type: "button", class: "part-button", "aria-label": t("blocks.tab.add") }, plus());
    add.addEventListener("click", () => {
      act(node.childCount - 1, (pos) => addPart(view, track(view, pos)))();
      view.focus();
    });
    list.replaceChildren(
      ...node.children.map((_child, i) => (i === open && view.editable ? current(i) : button(i))),
      ...(view.editable ? [add] : []),
    );
    if (!view.editable) list.children[open]?.classList.add("is-open");
  };
  // Tabs that come and go are drawn by the editor, after this view.
  const watch = new MutationObserver(() => {
    show(open);
    reveal(view, view.state.selection.head);
  });
  watch.observe(panels, { childList: true });
  dom.addEventListener(opening, (event) => {
    const index = [...panels.children].indexOf(event.target as Element);
    if (index < 0) return;
    event.stopPropagation();
    show(index);
  });
  draw();
  const update = (next: Node) => {
    node = next;
    open = Math.min(open, node.childCount - 1);
    draw();
  };
  return { ...kept({ dom, contentDOM: panels }, "tabs", update, list), destroy: () => watch.disconnect() };
};

export const tab: NodeViewConstructor = () => {
  const panel = element("div", { class: "tab-panel" });
  return kept(
    { dom: element("div", { class: "tab" }, panel), contentDOM: panel },
    "tab",
    () => undefined,
    element("span"),
  );
};

// reveal opens the tabs around a place in the document.
export function reveal(view: EditorView, pos: number): void {
  const $pos = view.state.doc.resolve(pos);
  for (let depth = 1; depth <= $pos.depth; depth++) {
    if ($pos.node(depth).type.name !== "tab") continue;
    const dom = view.nodeDOM($pos.before(depth));
    if (dom instanceof HTMLElement && dom.hidden) dom.dispatchEvent(new CustomEvent(opening, { bubbles: true }));
  }
}

// revealing opens the tab that the cursor comes into.
export function revealing(): Plugin {
  return new Plugin({
    view: () => ({
      update: (view, before) => {
        if (!view.state.selection.eq(before.selection)) reveal(view, view.state.selection.head);
      },
    }),
  });
}

export const plus = () => drawing("M5 12h14", "M12 5v14");
export const dots = () =>
  drawing(
    "M12 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z",
    "M19 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z",
    "M5 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z",
  );
