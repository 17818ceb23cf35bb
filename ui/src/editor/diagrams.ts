// The drawings of code whose language draws. They stand before the code, which shows while the cursor is in it; they
// are no part of its view, so that they stay when that is made anew.
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection, type EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { t } from "../words/words";
import { datum } from "./nodes/kind";
import { Diagram } from "./views/diagram";

interface Spec {
  key: string;
  source: string;
  diagram: true;
}

const key = new PluginKey<DecorationSet>("diagrams");
const isDiagram = (spec: unknown) => (spec as Spec).diagram === true;

let count = 0;

function sources(doc: Node): { pos: number; source: string }[] {
  const found: { pos: number; source: string }[] = [];
  doc.descendants((node, pos) => {
    if (node.type.name === "codeBlock" && datum(node, "syntax") === "mermaid") found.push({ pos, source: node.textContent });
    return !node.isTextblock;
  });
  return found;
}

// made returns the drawings of a document. One that was there before keeps its element.
function made(doc: Node, before: DecorationSet): DecorationSet {
  const all = sources(doc).map(({ pos, source }) => {
    const known = before.find(pos, pos, isDiagram)[0];
    const spec: Spec & Record<string, unknown> = { key: (known?.spec as Spec | undefined)?.key ?? `diagram-${count++}`, source, diagram: true, side: -1, ignoreSelection: true, stopEvent: () => true };
    return Decoration.widget(pos, (view, getPos) => shown(view, spec.key, source, getPos), spec);
  });
  return all.length ? DecorationSet.create(doc, all) : DecorationSet.empty;
}

// The drawings of an editor, by the keys of their decorations.
const drawings = new WeakMap<EditorView, Map<string, Diagram>>();

function shown(view: EditorView, key: string, source: string, getPos: () => number | undefined): HTMLElement {
  const known = drawings.get(view) ?? new Map<string, Diagram>();
  drawings.set(view, known);
  const diagram = known.get(key) ?? new Diagram();
  known.set(key, diagram);
  diagram.draw(source);
  diagram.dom.title = view.editable ? t("editor.diagram.edit") : "";
  diagram.dom.onclick = () => {
    const pos = getPos();
    if (pos === undefined || !view.editable) return;
    view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(pos + 1))).scrollIntoView());
    view.focus();
  };
  return diagram.dom;
}

function update(view: EditorView): void {
  const known = drawings.get(view);
  if (!known) return;
  const specs = new Map(key.getState(view.state)!.find(undefined, undefined, isDiagram).map((each) => [(each.spec as Spec).key, each.spec as Spec]));
  for (const [name, diagram] of known) {
    const spec = specs.get(name);
    if (spec) diagram.draw(spec.source);
    else {
      diagram.destroy();
      known.delete(name);
    }
  }
}

// around returns the code block that the cursor is in, when a drawing stands before it.
function written({ selection: { $from } }: EditorState): Decoration[] {
  const { parent } = $from;
  if (parent.type.name !== "codeBlock" || datum(parent, "syntax") !== "mermaid") return [];
  return [Decoration.node($from.before(), $from.after(), { class: "has-cursor" })];
}

export function diagrams(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: (_config, state) => made(state.doc, DecorationSet.empty),
      apply: (tr, before) => (tr.docChanged ? made(tr.doc, before.map(tr.mapping, tr.doc)) : before),
    },
    props: { decorations: (state) => key.getState(state)!.add(state.doc, written(state)) },
    view: () => ({
      update,
      destroy: () => undefined,
    }),
  });
}
