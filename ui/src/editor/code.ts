// Code in the editor: colours for what is read, and which block is written in CodeMirror now. CodeMirror comes with the
// first code of a document; until it is there, and wherever more than one block is selected, code is text like any
// other.
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { datum } from "./nodes/kind";

export type Tools = typeof import("../code/tools");

interface CodeState {
  // Where the block begins that is written in CodeMirror.
  active: number | null;
  colours: DecorationSet;
}

type Meta = { active?: number | null; loaded?: true };

const key = new PluginKey<CodeState>("code");
let tools: Tools | null = null;

// toolsOf returns what is loaded with the first code.
export const codeTools = (): Tools | null => tools;

type Block = { node: Node; pos: number };

function blocks(doc: Node, from = 0, to = doc.content.size): Block[] {
  const found: Block[] = [];
  doc.nodesBetween(from, to, (node, pos) => {
    if (node.type.name === "codeBlock") found.push({ node, pos });
    return !node.isTextblock;
  });
  return found;
}

// inside returns where the code block begins that holds all of the selection.
function inside({ selection: { $anchor, $head } }: EditorState): number | null {
  return $anchor.parent.type.name === "codeBlock" && $anchor.sameParent($head) ? $anchor.before() : null;
}

function coloursOf({ node, pos }: Block): Decoration[] {
  const syntax = datum(node, "syntax");
  return tools
    ? tools
        .tokens(node.textContent, syntax)
        .map(({ from, to, name }) => Decoration.inline(pos + 1 + from, pos + 1 + to, { class: name }))
    : [];
}

// touched returns the code blocks that a transaction has changed.
function touched(tr: Transaction): Block[] {
  const found = new Map<number, Block>();
  tr.mapping.maps.forEach((map, i) =>
    map.forEach((_from, _to, start, end) => {
      const rest = tr.mapping.slice(i + 1);
      for (const block of blocks(tr.doc, rest.map(start, -1), rest.map(end, 1))) found.set(block.pos, block);
    }),
  );
  return [...found.values()];
}

function next(tr: Transaction, before: CodeState, state: EditorState): CodeState {
  const meta = tr.getMeta(key) as Meta | undefined;
  let active = before.active === null ? null : tr.mapping.map(before.active);
  if (meta?.active !== undefined) active = meta.active;
  if (active !== null && inside(state) !== active) active = null;
  if (meta?.loaded) return { active, colours: DecorationSet.create(tr.doc, blocks(tr.doc).flatMap(coloursOf)) };
  let { colours } = before;
  const changed = tr.docChanged ? touched(tr) : [];
  if (tr.docChanged) colours = colours.map(tr.mapping, tr.doc);
  if (before.active !== null && active !== tr.mapping.map(before.active)) {
    const pos = tr.mapping.map(before.active);
    const node = tr.doc.nodeAt(pos);
    if (node?.type.name === "codeBlock") changed.push({ node, pos });
  }
  for (const block of changed) {
    // CodeMirror colours what is written in it.
    if (block.pos === active) continue;
    colours = colours.remove(colours.find(block.pos, block.pos + block.node.nodeSize)).add(tr.doc, coloursOf(block));
  }
  return { active, colours };
}

// isActive reports whether the decorations of a node say that it is written in CodeMirror.
export const isActive = (decorations: readonly Decoration[]): boolean =>
  decorations.some((each) => (each.spec as { active?: boolean }).active);

// Watch brings what a document needs, and begins and ends the writing of code.
class Watch {
  private pressed = false;
  private readonly syntaxes = new Set<string>();
  private gone = false;
  // Where the focus was in code that is not written any more.
  refocus = false;

  constructor(private readonly view: EditorView) {
    document.addEventListener("pointerup", this.released);
    document.addEventListener("pointercancel", this.released);
    this.bring();
  }

  private bring(): void {
    const found = blocks(this.view.state.doc);
    if (found.length === 0 || this.gone) return;
    if (!tools) {
      // Without them code stays plain text, which can be written as well.
      void import("../code/tools").then((loaded) => ((tools = loaded), this.bring()), () => undefined);
      return;
    }
    const coming = new Set(
      found.map(({ node }) => datum(node, "syntax")).filter((syntax) => !this.syntaxes.has(syntax)),
    );
    if (coming.size === 0) return;
    for (const syntax of coming) this.syntaxes.add(syntax);
    void Promise.all([...coming].map(tools.load)).then(() => {
      if (this.gone) return;
      this.view.dispatch(this.view.state.tr.setMeta(key, { loaded: true } satisfies Meta));
      this.consider();
    });
  }

  private readonly released = (): void => {
    this.pressed = false;
    // The browser says what was selected after the pointer is up.
    setTimeout(() => this.consider());
  };

  press(): void {
    this.pressed = true;
  }

  // consider begins to write the code that the cursor is in. A pointer that is down is selecting.
  readonly consider = (): void => {
    const { view } = this;
    if (this.gone || !tools || this.pressed || !view.editable || view.composing || !view.hasFocus()) return;
    const wanted = inside(view.state);
    if (wanted === null || wanted === key.getState(view.state)?.active) return;
    view.dispatch(view.state.tr.setMeta(key, { active: wanted } satisfies Meta));
  };

  // left ends it when the focus goes elsewhere; another window does not count.
  readonly left = (event: FocusEvent): void => {
    if (this.gone || key.getState(this.view.state)?.active == null || !document.hasFocus()) return;
    if (event.relatedTarget instanceof globalThis.Node && this.view.dom.contains(event.relatedTarget)) return;
    setTimeout(() => {
      if (this.gone || this.view.dom.contains(document.activeElement)) return;
      this.refocus = false;
      this.view.dispatch(this.view.state.tr.setMeta(key, { active: null } satisfies Meta));
    });
  };

  update(view: EditorView, before: EditorState): void {
    if (view.state.doc !== before.doc) this.bring();
    if (this.refocus) {
      this.refocus = false;
      view.focus();
    }
    this.consider();
  }

  destroy(): void {
    this.gone = true;
    document.removeEventListener("pointerup", this.released);
    document.removeEventListener("pointercancel", this.released);
  }
}

const watches = new WeakMap<EditorView, Watch>();

// lostFocus notes that the CodeMirror of a block goes while it has the focus: the text around gets it.
export function lostFocus(view: EditorView): void {
  const watch = watches.get(view);
  if (watch) watch.refocus = true;
}

export function code(): Plugin<CodeState> {
  return new Plugin<CodeState>({
    key,
    state: {
      init: (_config, state) => ({
        active: null,
        colours: DecorationSet.create(state.doc, blocks(state.doc).flatMap(coloursOf)),
      }),
      apply: (tr, before, _old, state) => next(tr, before, state),
    },
    view: (view) => {
      const watch = new Watch(view);
      watches.set(view, watch);
      return watch;
    },
    props: {
      decorations(state) {
        const { active, colours } = key.getState(state)!;
        const node = active === null ? null : state.doc.nodeAt(active);
        return active === null || !node
          ? colours
          : colours.add(state.doc, [Decoration.node(active, active + node.nodeSize, {}, { active: true })]);
      },
      handleDOMEvents: {
        mousedown: (view) => void watches.get(view)?.press(),
        focus: (view) => queueMicrotask(() => watches.get(view)?.consider()),
        focusout: (view, event) => watches.get(view)?.left(event),
      },
    },
  });
}
