// Opening the form of a block or an inline: by its own buttons, by a click, or by Enter while it is selected.
import { createElement, lazy, Suspense } from "react";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, type Command } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { t, type Key } from "../../words/words";
import { around } from "../panels";

const NodeForm = lazy(() => import("./NodeForm").then(({ NodeForm }) => ({ default: NodeForm })));

type GetPos = () => number | undefined;

// Views say where their node is, since it moves while a form is open.
const positions = new WeakMap<globalThis.Node, GetPos>();

// stands remembers where the node of a view is.
export function stands(dom: HTMLElement, getPos: GetPos): void {
  positions.set(dom, getPos);
}

const titles: Record<string, Key> = {
  image: "editor.form.image",
  drawing: "editor.form.drawing",
  file: "editor.form.file",
  embed: "editor.form.embed",
  contentRef: "editor.form.contentRef",
  button: "editor.form.button",
  icon: "editor.form.icon",
  emoji: "editor.form.emoji",
  inlineImage: "editor.form.inlineImage",
  mention: "editor.form.mention",
};

export const hasForm = (node: Node): boolean => node.type.name in titles;

// openForm opens the form of a node beside it.
export function openForm(view: EditorView, getPos: GetPos, dom: HTMLElement): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  const title = node && titles[node.type.name];
  if (pos === undefined || !node || !title || !view.editable) return;
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, pos)));
  const label = t(title);
  around(view).panels.open({
    label,
    anchor: () => (dom.querySelector("[data-anchor]") ?? dom).getBoundingClientRect(),
    body: (close) =>
      createElement(Suspense, { fallback: null }, createElement(NodeForm, { view, getPos, label, close })),
  });
}

// openAt opens the form of the node at a place in the document; it reports whether that has one.
export function openAt(view: EditorView, pos: number): boolean {
  const dom = view.nodeDOM(pos);
  const getPos = dom && positions.get(dom);
  if (!getPos || !(dom instanceof HTMLElement)) return false;
  openForm(view, getPos, dom);
  return true;
}

// editSelected opens the form of the node that is selected.
export const editSelected: Command = (state, dispatch, view) => {
  const { selection } = state;
  if (!(selection instanceof NodeSelection) || !hasForm(selection.node)) return false;
  return !dispatch || !view || openAt(view, selection.from);
};
