// The source of a block that shows as something else: a field below it, open while the block is selected.
import { NodeSelection, Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { type } from "../commands";
import { element } from "./dom";

type GetPos = () => number | undefined;

// Source is such a field. open and close belong into selectNode and deselectNode of the view.
export class Source {
  readonly dom: HTMLTextAreaElement;

  constructor(
    private readonly view: EditorView,
    private readonly getPos: GetPos,
    label: string,
    private readonly around: HTMLElement,
    onInput: (text: string) => void,
  ) {
    this.dom = element("textarea", {
      class: "source",
      "aria-label": label,
      placeholder: label,
      spellcheck: "false",
      rows: "1",
      dir: "ltr",
    });
    this.dom.readOnly = !view.editable;
    this.dom.addEventListener("input", () => onInput(this.dom.value));
    this.dom.addEventListener("keydown", this.key);
    this.dom.addEventListener("focus", () => this.around.classList.add("is-open"));
    this.dom.addEventListener("blur", () => this.around.classList.remove("is-open"));
    around.addEventListener("editor-open", (event) => {
      event.preventDefault();
      this.focus();
    });
  }

  // show says what the source is now.
  show(text: string): void {
    if (this.dom.value !== text) this.dom.value = text;
  }

  // selected opens the field. What is empty wants to be written at once, when the key that made it has been dealt with.
  selected(): void {
    this.around.classList.add("ProseMirror-selectednode", "is-open");
    if (this.dom.value === "" && this.view.editable) queueMicrotask(() => this.focus());
  }

  unselected(): void {
    this.around.classList.remove("ProseMirror-selectednode");
    if (document.activeElement !== this.dom) this.around.classList.remove("is-open");
  }

  focus(): void {
    this.around.classList.add("is-open");
    this.dom.focus();
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const { selectionStart: start, selectionEnd: end, value } = this.dom;
    const pos = this.getPos();
    const node = pos === undefined ? null : this.view.state.doc.nodeAt(pos);
    if (pos === undefined || !node) return;
    const go = (selection: Selection) => {
      event.preventDefault();
      this.view.dispatch(this.view.state.tr.setSelection(selection).scrollIntoView());
      this.view.focus();
    };
    const { doc, tr } = this.view.state;
    const after = pos + node.nodeSize;
    if (event.key === "Escape") go(NodeSelection.create(doc, pos));
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      tr.insert(after, type("paragraph").create());
      this.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
      this.view.focus();
    } else if (event.key === "ArrowUp" && start === 0 && end === 0) {
      const found = Selection.findFrom(doc.resolve(pos), -1);
      if (found) go(found);
    } else if (event.key === "ArrowDown" && start === value.length) {
      const found = Selection.findFrom(doc.resolve(after), 1);
      if (found) go(found);
    } else if (event.key === "Backspace" && value === "") {
      event.preventDefault();
      tr.delete(pos, after);
      this.view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(pos), -1)).scrollIntoView());
      this.view.focus();
    }
  };
}
