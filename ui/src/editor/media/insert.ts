// Putting pictures, files and cards into a document, by a command, by dropping or by pasting.
import { Fragment, Slice, type Node } from "@tiptap/pm/model";
import { Plugin, Selection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { dropPoint, insertPoint } from "@tiptap/pm/transform";
import type { EditorView } from "@tiptap/pm/view";
import { type } from "../commands";
import type { Data } from "../document";
import type { Ref } from "../services";
import { upload, type Put } from "./uploads";

export const imageNode = (ref: Ref, more: Data = {}): Node =>
  type("images").create(null, type("image").create({ data: { ref, ...more } }));
export const fileNode = (ref: Ref): Node => type("file").create({ data: { ref } });

// place is where a block of a kind comes for the selection: before an empty line, else below the block.
export function place(state: EditorState, name: string): number {
  const { $from, $to } = state.selection;
  if ($from.depth === 0) return insertPoint(state.doc, $to.pos, type(name)) ?? state.doc.content.size;
  const blank = $from.parent.type.name === "paragraph" && $from.parent.content.size === 0;
  const at = blank ? $from.before() : $from.after();
  return insertPoint(state.doc, at, type(name)) ?? $from.after(1);
}

// putBlock puts a block at a place between others.
export function putBlock(state: EditorState, pos: number, node: Node): Transaction | null {
  const at = insertPoint(state.doc, Math.min(pos, state.doc.content.size), node.type);
  return at === null ? null : state.tr.insert(at, node);
}

const putImage: Put = (state, pos, { id }) => putBlock(state, pos, imageNode({ kind: "file", file: id }));
const putFile: Put = (state, pos, { id }) => putBlock(state, pos, fileNode({ kind: "file", file: id }));

// send uploads files to a place between blocks, pictures as such.
export function send(view: EditorView, pos: number, files: readonly File[], as?: "image" | "file"): void {
  for (const file of files) {
    const picture = as ? as === "image" : file.type.startsWith("image/");
    upload(view, pos, file, picture ? putImage : putFile, { picture, putFile });
  }
}

// insertBlock puts a block where the selection is and goes on below it.
export function insertBlock(view: EditorView, node: Node): void {
  const pos = place(view.state, node.type.name);
  const tr = putBlock(view.state, pos, node);
  if (!tr) return;
  const after = tr.mapping.map(pos, 1);
  if (!tr.doc.resolve(after).nodeAfter) tr.insert(after, type("paragraph").create());
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(after))).scrollIntoView());
}

// replaceFile uploads what takes the place of the file of a block. where finds the block when it has arrived.
export function replaceFile(
  view: EditorView,
  where: () => number | undefined,
  file: File,
  name: "ref" | "refDark",
): void {
  const pos = where();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (pos === undefined || !node) return;
  const $pos = view.state.doc.resolve(pos);
  const before = node.type.name === "image" ? $pos.before() : pos;
  const put: Put = (state, _pos, { id }) => {
    const at = where();
    const now = at === undefined ? null : state.doc.nodeAt(at);
    if (at === undefined || now?.type !== node.type) return null;
    const { width: _width, height: _height, ...data } = now.attrs["data"] as Data;
    const kept = name === "ref" ? data : (now.attrs["data"] as Data);
    return state.tr.setNodeMarkup(at, undefined, {
      ...now.attrs,
      data: { ...kept, [name]: { kind: "file", file: id } },
    });
  };
  upload(view, before, file, put, { picture: node.type.name !== "file" });
}

// filesOf returns the files that came alone: a spreadsheet brings a picture of its cells along, a browser one of a
// text.
export function filesOf(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  if (!data || files.length === 0 || data.getData("text/plain").trim() !== "") return [];
  const html = data.getData("text/html");
  if (html === "") return files;
  const body = new window.DOMParser().parseFromString(html, "text/html").body;
  return body.querySelector("table") || (body.textContent ?? "").trim() !== "" ? [] : files;
}

// dropping takes in files that are dropped or pasted.
export function dropping(): Plugin {
  return new Plugin({
    props: {
      handleDrop(view, event) {
        const files = filesOf(event.dataTransfer);
        const at = files.length > 0 ? view.posAtCoords({ left: event.clientX, top: event.clientY }) : null;
        if (!at || !view.editable) return files.length > 0;
        const picture = new Slice(Fragment.from(imageNode({})), 0, 0);
        send(view, dropPoint(view.state.doc, at.pos, picture) ?? place(view.state, "images"), files);
        return true;
      },
      handlePaste(view, event) {
        const files = filesOf(event.clipboardData);
        if (files.length === 0 || view.state.selection.$from.parent.type.spec.code) return false;
        send(view, place(view.state, "images"), files);
        return true;
      },
    },
  });
}
