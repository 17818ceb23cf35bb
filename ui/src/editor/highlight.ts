// Lines of code that stand out.
import type { Command, EditorState } from "@tiptap/pm/state";
import { schema } from "./schema";

const mark = schema.marks["highlighted"]!;

// lines returns where the lines of code are that the selection is in, null outside of code.
function lines({ selection: { $from, $to } }: EditorState): { from: number; to: number } | null {
  if (!$from.parent.type.spec.code || !$from.sameParent($to)) return null;
  const text = $from.parent.textContent;
  const end = text.indexOf("\n", $to.parentOffset);
  return {
    from: $from.start() + text.lastIndexOf("\n", $from.parentOffset - 1) + 1,
    to: $from.start() + (end < 0 ? text.length : end),
  };
}

export function areHighlighted(state: EditorState): boolean {
  const found = lines(state);
  return found !== null && state.doc.rangeHasMark(found.from, found.to, mark);
}

// highlightLines makes the selected lines of code stand out, or not any more.
export const highlightLines: Command = (state, dispatch) => {
  const found = lines(state);
  if (!found || found.from === found.to) return false;
  const { from, to } = found;
  dispatch?.(areHighlighted(state) ? state.tr.removeMark(from, to, mark) : state.tr.addMark(from, to, mark.create()));
  return true;
};
