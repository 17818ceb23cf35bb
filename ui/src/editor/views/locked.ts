// Views of a text that is read: what changes a block is not there, or does nothing.
import type { EditorView, NodeView, NodeViewConstructor } from "@tiptap/pm/view";

// What only changes a block, and what shows something of it as well.
const tools = ".node-options, .part-button, .box-button, .box-tools, .step-add, .image-grip, .hint-select";
const values = "select, input[type=checkbox], .update-open, .condition-open, .code-language";

function lock(dom: HTMLElement): void {
  for (const each of dom.querySelectorAll<HTMLElement>(tools)) each.hidden = true;
  for (const each of dom.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLButtonElement>(values))
    each.disabled = true;
  for (const each of dom.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")) {
    each.readOnly = true;
    // A field that nothing was written in only asks.
    each.hidden ||= each.value === "";
  }
}

// lockable makes views that hold to whether their text is written, as it is when they are made.
export function lockable(views: Record<string, NodeViewConstructor>): Record<string, NodeViewConstructor> {
  const made = Object.entries(views).map(([name, construct]): [string, NodeViewConstructor] => [
    name,
    (node, view: EditorView, ...rest): NodeView => {
      const shown = construct(node, view, ...rest);
      if (!view.editable && shown.dom instanceof HTMLElement) lock(shown.dom);
      return shown;
    },
  ]);
  return Object.fromEntries(made);
}
