// The text of a code block: as readers see it, or a text area of CodeMirror while it is written.
import { Fragment, type Mark, type Node } from "@tiptap/pm/model";
import { Selection, TextSelection } from "@tiptap/pm/state";
import type { Decoration, EditorView, NodeView } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { codeTools, isActive, lostFocus } from "../code";
import { datum } from "../nodes/kind";
import { schema } from "../schema";
import { element } from "./dom";

interface Text {
  dom: HTMLElement;
  contentDOM?: HTMLElement;
  update(node: Node): void;
  setSelection?(anchor: number, head: number): void;
  destroy?(): void;
}

const labelOf = (syntax: string) =>
  syntax ? t("editor.code.text", { language: syntax }) : t("editor.code.text.plain");

function still(node: Node): Text {
  const content = element("code");
  const dom = element("pre", { class: "chroma", spellcheck: "false" }, content);
  const update = (node: Node) => dom.setAttribute("aria-label", labelOf(datum(node, "syntax")));
  update(node);
  return { dom, contentDOM: content, update };
}

// markedLines returns where the lines begin that stand out.
function markedLines(node: Node): number[] {
  const starts = new Set<number>();
  const text = node.textContent;
  node.forEach((part, offset) => {
    if (!schema.marks["highlighted"]!.isInSet(part.marks)) return;
    for (let at = text.lastIndexOf("\n", offset - 1) + 1; at < offset + part.nodeSize; ) {
      const end = text.indexOf("\n", at);
      if ((end < 0 ? text.length : end) > at) starts.add(at);
      if (end < 0) break;
      at = end + 1;
    }
  });
  return [...starts].sort((a, b) => a - b);
}

// notedWords returns where in the text the words are that have notes.
function notedWords(node: Node): { from: number; to: number }[] {
  const found: { from: number; to: number; mark: Mark }[] = [];
  node.forEach((part, from) => {
    const mark = schema.marks["annotation"]!.isInSet(part.marks);
    const last = found.at(-1);
    if (mark && last?.to === from && last.mark.eq(mark)) last.to += part.nodeSize;
    else if (mark) found.push({ from, to: from + part.nodeSize, mark });
  });
  return found;
}

// noteAround returns the note that both sides of a place are in, which is what is typed there as well.
function noteAround(node: Node, from: number, to: number): Mark | undefined {
  const at = (offset: number) =>
    offset < 0 || offset >= node.content.size
      ? undefined
      : schema.marks["annotation"]!.isInSet(node.nodeAt(offset)?.marks ?? []);
  const [before, behind] = [at(from - 1), at(to)];
  return before && behind && before.eq(behind) ? before : undefined;
}

// inserted returns what is typed into code as the document has it: the rest of a line that stands out does so, too.
export function inserted(node: Node, from: number, to: number, text: string): Fragment {
  if (!text) return Fragment.empty;
  const before = node.textContent;
  const start = before.lastIndexOf("\n", from - 1) + 1;
  const end = before.indexOf("\n", to);
  const mark = schema.marks["highlighted"]!;
  const stands = node.rangeHasMark(start, from, mark) || node.rangeHasMark(from, end < 0 ? before.length : end, mark);
  const note = noteAround(node, from, to);
  const marks = [...(note ? [note] : []), ...(stands ? [mark.create()] : [])];
  if (marks.length === 0) return Fragment.from(schema.text(text));
  const at = text.indexOf("\n");
  const [first, rest] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
  return Fragment.from([...(first ? [schema.text(first, marks)] : []), ...(rest ? [schema.text(rest)] : [])]);
}

function writing(first: Node, view: EditorView, getPos: () => number | undefined): Text {
  let node = first;
  const lookOf = (of: Node) => ({
    text: of.textContent,
    syntax: datum(of, "syntax"),
    wrap: datum(of, "overflow") === "wrap",
    label: labelOf(datum(of, "syntax")),
    marked: markedLines(of),
    noted: notedWords(of),
  });
  const area = codeTools()!.area(lookOf(first), {
    onChange(changes, anchor, head) {
      const pos = getPos();
      if (pos === undefined) return;
      const tr = view.state.tr;
      changes.iterChanges((from, to, fromB, _toB, text) => {
        const start = pos + 1 + fromB;
        tr.replaceWith(start, start + to - from, inserted(node, from, to, text.toString()));
      });
      tr.setSelection(TextSelection.create(tr.doc, pos + 1 + anchor, pos + 1 + head));
      view.dispatch(tr.docChanged ? tr.scrollIntoView() : tr);
    },
    onLeave(direction, extend) {
      const pos = getPos();
      if (pos === undefined) return false;
      const { doc, tr, selection } = view.state;
      const side = doc.resolve(direction < 0 ? pos : pos + node.nodeSize);
      const there = Selection.findFrom(side, direction);
      if (!there) return direction > 0 && !extend && run(new KeyboardEvent("keydown", { key: "ArrowDown" }));
      view.dispatch(
        tr.setSelection(extend ? TextSelection.between(selection.$anchor, there.$head) : there).scrollIntoView(),
      );
      view.focus();
      return true;
    },
    onKey: (event) => run(event),
  });
  const run = (event: KeyboardEvent) => view.someProp("handleKeyDown", (handle) => handle(view, event)) ?? false;
  return {
    dom: element("div", { class: "chroma code-area" }, area.dom),
    update(next) {
      node = next;
      area.update(lookOf(next));
    },
    setSelection: (anchor, head) => area.select(anchor, head),
    destroy() {
      if (area.focused()) lostFocus(view);
      area.destroy();
    },
  };
}

// codeView is the view of a code block below a head that is drawn for every node of it.
export function codeView(
  head: HTMLElement,
  draw: (node: Node, dom: HTMLElement) => void,
  first: Node,
  view: EditorView,
  getPos: () => number | undefined,
  decorations: readonly Decoration[],
): NodeView {
  const active = isActive(decorations);
  const text = active ? writing(first, view, getPos) : still(first);
  const dom = element("figure", { class: "block-code" }, head, text.dom);
  draw(first, dom);
  const within = (part: HTMLElement, target: EventTarget | null) =>
    target instanceof globalThis.Node && part.contains(target);
  return {
    dom,
    ...(text.contentDOM ? { contentDOM: text.contentDOM } : {}),
    update(node, now) {
      if (node.type.name !== "codeBlock" || isActive(now) !== active) return false;
      text.update(node);
      draw(node, dom);
      return true;
    },
    ...(text.setSelection ? { setSelection: (anchor: number, head: number) => text.setSelection!(anchor, head) } : {}),
    stopEvent: (event) => within(head, event.target) || (active && within(text.dom, event.target)),
    ignoreMutation: (change) =>
      active ? true : change.type !== "selection" && !within(text.contentDOM!, change.target),
    destroy: () => text.destroy?.(),
  };
}
