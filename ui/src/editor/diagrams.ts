// The drawings of code whose language draws. They stand before the code, which shows while the cursor is in it; they
// are no part of its view, so that they stay when that is made anew.
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection, type EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { t } from "../words/words";
import { installedIn, installedKey } from "./installed";
import { datum } from "./nodes/kind";
import type { Installed } from "./services";
import { Diagram } from "./views/diagram";
import { Fence } from "./views/fence";

interface Spec {
  key: string;
  source: string;
  // block draws it, null for a diagram.
  block: Installed | null;
  diagram: true;
}

const key = new PluginKey<DecorationSet>("diagrams");
const isDiagram = (spec: unknown) => (spec as Spec).diagram === true;

let count = 0;

// blockOf returns the block that code in a language stands for: null for a diagram, undefined for code.
function blockOf(blocks: readonly Installed[], syntax: string): Installed | null | undefined {
  const mapped = blocks.find(
    ({ language, property }) => language !== "" && property !== "" && language === syntax.trim().toLowerCase(),
  );
  return mapped ?? (syntax === "mermaid" ? null : undefined);
}

function sources(doc: Node, blocks: readonly Installed[]): { pos: number; source: string; block: Installed | null }[] {
  const found: { pos: number; source: string; block: Installed | null }[] = [];
  doc.descendants((node, pos) => {
    const block = node.type.name === "codeBlock" ? blockOf(blocks, datum(node, "syntax")) : undefined;
    if (block !== undefined) found.push({ pos, source: node.textContent, block });
    return !node.isTextblock;
  });
  return found;
}

// made returns the drawings of a document. One that was there before keeps its element.
function made(doc: Node, before: DecorationSet, blocks: readonly Installed[]): DecorationSet {
  const all = sources(doc, blocks).map(({ pos, source, block }) => {
    const known = before.find(pos, pos, isDiagram)[0]?.spec as Spec | undefined;
    const spec: Spec & Record<string, unknown> = {
      key: known && known.block === block ? known.key : `diagram-${count++}`,
      source,
      block,
      diagram: true,
      side: -1,
      ignoreSelection: true,
      stopEvent: () => true,
    };
    return Decoration.widget(pos, (view, getPos) => shown(view, spec, getPos), spec);
  });
  return all.length ? DecorationSet.create(doc, all) : DecorationSet.empty;
}

// The drawings of an editor, by the keys of their decorations.
const drawings = new WeakMap<EditorView, Map<string, Diagram | Fence>>();

function shown(view: EditorView, { key, source, block }: Spec, getPos: () => number | undefined): HTMLElement {
  const known = drawings.get(view) ?? new Map<string, Diagram | Fence>();
  drawings.set(view, known);
  const diagram = known.get(key) ?? (block ? new Fence(view, block) : new Diagram());
  known.set(key, diagram);
  diagram.draw(source);
  diagram.dom.title = view.editable ? t("editor.diagram.edit") : "";
  diagram.dom.onclick = (event) => {
    const pos = getPos();
    const pressed =
      event.target instanceof Element &&
      event.target.closest("button, a, input, textarea, select, label, [role=switch]") !== null;
    if (pos === undefined || !view.editable || pressed) return;
    view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(pos + 1))).scrollIntoView());
    view.focus();
  };
  return diagram.dom;
}

function update(view: EditorView): void {
  const known = drawings.get(view);
  if (!known) return;
  const specs = new Map(
    key
      .getState(view.state)!
      .find(undefined, undefined, isDiagram)
      .map((each) => [(each.spec as Spec).key, each.spec as Spec]),
  );
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
function written(state: EditorState): Decoration[] {
  const { $from } = state.selection;
  const { parent } = $from;
  if (parent.type.name !== "codeBlock" || blockOf(installedIn(state), datum(parent, "syntax")) === undefined) return [];
  return [Decoration.node($from.before(), $from.after(), { class: "has-cursor" })];
}

export function diagrams(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: (_config, state) => made(state.doc, DecorationSet.empty, []),
      apply(tr, before, old) {
        const blocks = tr.getMeta(installedKey) as readonly Installed[] | undefined;
        return tr.docChanged || blocks
          ? made(tr.doc, before.map(tr.mapping, tr.doc), blocks ?? installedIn(old))
          : before;
      },
    },
    props: { decorations: (state) => key.getState(state)!.add(state.doc, written(state)) },
    view: () => ({
      update,
      destroy: () => undefined,
    }),
  });
}
