// Notes on words: marks that hold the blocks of the note.
import type { Mark } from "@tiptap/pm/model";
import { TextSelection, type Command, type EditorState } from "@tiptap/pm/state";
import type { JsonDocument, JsonNode } from "./document";
import { schema } from "./schema";

export interface Note {
  from: number;
  to: number;
  mark: Mark;
}

const annotation = schema.marks["annotation"]!;

// noteAt returns the note on the words at a position, with all words that it is on.
export function noteAt(state: EditorState, pos: number): Note | null {
  if (pos < 0 || pos > state.doc.content.size) return null;
  const $pos = state.doc.resolve(pos);
  if (!$pos.parent.inlineContent) return null;
  const start = $pos.start();
  let found: Note | null = null;
  let reached = false;
  $pos.parent.forEach((node, offset) => {
    const [from, to] = [start + offset, start + offset + node.nodeSize];
    const mark = annotation.isInSet(node.marks);
    if (reached) {
      if (found && mark?.eq(found.mark) && found.to === from) found = { ...found, to };
      return;
    }
    found = !mark ? null : found && mark.eq(found.mark) ? { ...found, to } : { from, to, mark };
    if (to >= pos && (to > pos || mark)) reached = true;
  });
  return found;
}

// documentOf returns the blocks of a note as a document of their own.
export function documentOf(mark: Mark): JsonDocument {
  const fragments = mark.attrs["fragments"] as JsonNode[];
  return { object: "document", data: { schemaVersion: 2 }, nodes: fragments[0]?.nodes ?? [] };
}

// withDocument returns a mark with other blocks in its note. What else its fragments say stays.
export function withDocument(mark: Mark, document: JsonDocument): Mark {
  const [first, ...rest] = mark.attrs["fragments"] as JsonNode[];
  const body: JsonNode = { ...(first ?? empty), nodes: document.nodes };
  return annotation.create({ ...mark.attrs, fragments: [body, ...rest] });
}

const empty: JsonNode = { object: "fragment", fragment: "annotation-body", type: "annotation-body", nodes: [] };

// annotate puts an empty note on the selected words.
export const annotate: Command = (state, dispatch) => {
  const { selection, doc } = state;
  if (!(selection instanceof TextSelection) || selection.empty || !selection.$from.sameParent(selection.$to))
    return false;
  const { from, to, $from } = selection;
  if (!$from.parent.type.allowsMarkType(annotation) || doc.rangeHasMark(from, to, annotation)) return false;
  // In code a note is on words of one line.
  if ($from.parent.type.spec.code && doc.textBetween(from, to).includes("\n")) return false;
  if (dispatch) {
    const tr = state.tr.addMark(from, to, annotation.create({ fragments: [empty] }));
    dispatch(tr.setSelection(TextSelection.create(tr.doc, to)));
  }
  return true;
};

// setNote changes what a note says, null takes it away; the words stay.
export const setNote = (note: Note, document: JsonDocument | null): Command => (state, dispatch) => {
  const tr = state.tr.removeMark(note.from, note.to, note.mark);
  if (document) tr.addMark(note.from, note.to, withDocument(note.mark, document));
  dispatch?.(tr);
  return true;
};
