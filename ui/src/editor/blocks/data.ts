// Changing the options of a block.
import type { EditorView } from "@tiptap/pm/view";
import type { Data } from "../document";
import { nodeOf, type Tracked } from "./track";

// change sets values in the data of the node at a place; what is undefined, false or empty goes.
export function change(view: EditorView, at: Tracked, values: Data): void {
  const node = nodeOf(view, at);
  if (!node || at.pos === null) return;
  const data = { ...(node.attrs["data"] as Data) };
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === "" || value === false) delete data[name];
    else data[name] = value;
  }
  view.dispatch(view.state.tr.setNodeMarkup(at.pos, undefined, { ...node.attrs, data }));
}
