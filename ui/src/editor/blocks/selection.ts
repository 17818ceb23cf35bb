// A selection of whole blocks beside each other, from the one where it began to the one where it ends.
import { Fragment, Slice, type Node, type ResolvedPos } from "@tiptap/pm/model";
import { NodeSelection, Plugin, Selection, TextSelection, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import type { Mappable } from "@tiptap/pm/transform";

export class BlockSelection extends Selection {
  // between selects the blocks from the one at anchor to the one at head; both are places before children of one node.
  static between(doc: Node, anchor: number, head = anchor): BlockSelection {
    const after = (pos: number) => pos + (doc.nodeAt(pos)?.nodeSize ?? 0);
    const forward = head >= anchor;
    return new BlockSelection(doc.resolve(forward ? anchor : after(anchor)), doc.resolve(forward ? after(head) : head));
  }

  // create selects the blocks between two places.
  static create(doc: Node, anchor: number, head: number): BlockSelection {
    return new BlockSelection(doc.resolve(anchor), doc.resolve(head));
  }

  static holds($anchor: ResolvedPos, $head: ResolvedPos): boolean {
    return (
      $anchor.pos !== $head.pos &&
      $anchor.depth === $head.depth &&
      $anchor.sameParent($head) &&
      !$anchor.parent.inlineContent
    );
  }

  // The blocks where it began and ends, by the places before them.
  get first(): number {
    return this.head >= this.anchor ? this.anchor : this.anchor - (this.$anchor.nodeBefore?.nodeSize ?? 0);
  }
  get last(): number {
    return this.head >= this.anchor ? this.head - (this.$head.nodeBefore?.nodeSize ?? 0) : this.head;
  }

  map(doc: Node, mapping: Mappable): Selection {
    const [from, to] = [doc.resolve(mapping.map(this.from, 1)), doc.resolve(mapping.map(this.to, -1))];
    if (!BlockSelection.holds(from, to) || from.pos > to.pos) return Selection.near(from);
    return this.head >= this.anchor ? new BlockSelection(from, to) : new BlockSelection(to, from);
  }

  override content(): Slice {
    const { $from, $to } = this;
    const nodes = $from.parent.children.slice($from.index(), $to.index());
    // Items are nothing without a list around them.
    const content =
      nodes[0]?.type.isInGroup("block") === false
        ? Fragment.from($from.parent.copy(Fragment.from(nodes)))
        : Fragment.from(nodes);
    return new Slice(content, 0, 0);
  }

  eq(other: Selection): boolean {
    return other instanceof BlockSelection && other.anchor === this.anchor && other.head === this.head;
  }

  toJSON(): { type: string; anchor: number; head: number } {
    return { type: "block", anchor: this.anchor, head: this.head };
  }

  static override fromJSON(doc: Node, json: { anchor: number; head: number }): Selection {
    const [$anchor, $head] = [doc.resolve(json.anchor), doc.resolve(json.head)];
    return BlockSelection.holds($anchor, $head) ? new BlockSelection($anchor, $head) : Selection.near($anchor);
  }

  override getBookmark() {
    return new Bookmark(this.anchor, this.head);
  }

  // What is typed or pasted comes in the place of the blocks.
  override replace(tr: Transaction, content: Slice = Slice.empty): void {
    const { from, to, $from } = this;
    if (content.size > 0) {
      tr.replaceRange(from, to, content);
      tr.setSelection(Selection.near(tr.doc.resolve(Math.min(tr.mapping.map(to), tr.doc.content.size)), -1));
      return;
    }
    remove(tr, $from.parent, from, to);
  }
}

BlockSelection.prototype.visible = false;
Selection.jsonID("block", BlockSelection);

class Bookmark {
  constructor(
    private readonly anchor: number,
    private readonly head: number,
  ) {}
  map(mapping: Mappable): Bookmark {
    return new Bookmark(mapping.map(this.anchor), mapping.map(this.head));
  }
  resolve(doc: Node): Selection {
    return BlockSelection.fromJSON(doc, { anchor: this.anchor, head: this.head });
  }
}

// remove takes the children of a node between two places away. What would be left empty goes with them, or gets a line
// to type into where it has a form of its own.
export function remove(tr: Transaction, parent: Node, from: number, to: number): void {
  let $from = tr.doc.resolve(from);
  let around = parent;
  while (around.type.name !== "doc" && goesWith(around) && to - from === around.content.size) {
    from -= 1;
    to += 1;
    $from = tr.doc.resolve(from);
    around = $from.parent;
  }
  const whole = to - from === around.content.size;
  if (whole) tr.replaceWith(from, to, around.type.schema.nodes["paragraph"]!.create());
  else tr.delete(from, to);
  const $at = tr.doc.resolve(Math.min(from, tr.doc.content.size));
  tr.setSelection(whole ? TextSelection.create(tr.doc, from + 1) : Selection.near($at, $at.nodeAfter ? 1 : -1));
}

const goesWith = (node: Node) =>
  node.type.isInGroup("list") || ["listItem", "taskItem", "blockquote", "stepper", "images"].includes(node.type.name);

// What comes without a key, as from an input method, a panel of emoji, dictation or the keyboard of a phone, comes
// where what is typed would come. The browser knows no selection of whole blocks: it would write beside them.
function beforeInput(view: EditorView, event: InputEvent): boolean {
  const { selection } = view.state;
  const text = event.inputType === "insertText" || event.inputType === "insertReplacementText" ? event.data : null;
  if (!text || selection instanceof TextSelection || !view.editable) return false;
  const { from, to } = selection;
  const usual = () => view.state.tr.insertText(text).scrollIntoView();
  if (!view.someProp("handleTextInput", (take) => take(view, from, to, text, usual))) view.dispatch(usual());
  event.preventDefault();
  return true;
}

// What is composed is composed in a line of its own, in place of the blocks. Chromium has counted before, by
// characters from the start of the text, where its cursor is to be after the first letter: that is elsewhere now.
// ProseMirror would take the text that the cursor is in for the composed one, draw the other anew, and so end it.
function compositionStart(view: EditorView): boolean {
  const { selection, schema, tr } = view.state;
  if (!(selection instanceof BlockSelection || selection instanceof NodeSelection) || !view.editable) return false;
  if (selection instanceof NodeSelection && selection.node.isInline) view.dispatch(tr.deleteSelection());
  else {
    // Items give way to an item, everything else to a paragraph.
    const { parent } = selection.$from;
    const item = parent.type.isInGroup("list") ? parent.type.contentMatch.defaultType?.createAndFill() : null;
    selection.replace(tr, new Slice(Fragment.from(item ?? schema.nodes["paragraph"]!.create()), 0, 0));
    view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(Math.min(selection.from + 1, tr.doc.content.size)))));
    cursorIn(view);
  }
  return false;
}

// cursorIn puts the browser's cursor behind the first text that comes into the empty line of the editor's cursor,
// before anybody else looks at it.
function cursorIn(view: EditorView): void {
  const { node: line } = view.domAtPos(view.state.selection.from);
  const put = () => {
    const cursor = view.dom.ownerDocument.getSelection();
    const text = line.firstChild;
    if (cursor && text instanceof Text && !line.contains(cursor.focusNode)) cursor.collapse(text, text.length);
  };
  addEventListener("input", put, { capture: true, once: true });
}

// choosing draws what is selected, and lets whatever is put in take its place.
export function choosing(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: { beforeinput: beforeInput, compositionstart: compositionStart },
      decorations({ selection, doc }) {
        if (!(selection instanceof BlockSelection)) return null;
        const shown: Decoration[] = [];
        const { $from, $to } = selection;
        let at = selection.from;
        for (const node of $from.parent.children.slice($from.index(), $to.index())) {
          shown.push(Decoration.node(at, at + node.nodeSize, { class: "is-chosen" }));
          at += node.nodeSize;
        }
        return DecorationSet.create(doc, shown);
      },
    },
  });
}
