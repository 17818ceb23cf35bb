// Pictures in a line on their way: what shows how far they are stands above the block, since a line has no room for it.
import type { Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { type } from "../commands";
import type { Ref } from "../services";
import { upload } from "./uploads";

// uploadInline sends a picture, and does with it what put says when it has arrived.
export function uploadInline(view: EditorView, file: File, put: (ref: Ref) => Transaction | null): void {
  const { $from } = view.state.selection;
  const before = $from.depth > 0 ? $from.before(1) : $from.pos;
  upload(view, before, file, (_state, _pos, { id }) => put({ kind: "file", file: id }), { picture: true });
}

// inlineImage puts a picture of the height of a line where the cursor is.
export function inlineImage(view: EditorView, ref: Ref): Transaction | null {
  const { $from } = view.state.selection;
  if (!$from.parent.inlineContent || $from.parent.type.spec.code) return null;
  return view.state.tr
    .replaceSelectionWith(type("inlineImage").create({ data: { ref, size: "line" } }), false)
    .scrollIntoView();
}
