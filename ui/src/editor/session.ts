// A document while it is edited: ProseMirror's view, and those who listen to it. Components read it through
// useSyncExternalStore, so that typing draws nothing again but what shows it.
import type { Node } from "@tiptap/pm/model";
import { splitBlock } from "@tiptap/pm/commands";
import { TextSelection, type EditorState, type Plugin, type Transaction } from "@tiptap/pm/state";
import type { Mapping } from "@tiptap/pm/transform";
import { EditorView } from "@tiptap/pm/view";
import { Handling } from "./blocks/handling";
import { follow } from "./blocks/track";
import { readDocument, writeDocument } from "./convert";
import { exchange } from "./exchange";
import { keepingCursor } from "./browserSelection";
import { withLine } from "./line";
import type { JsonDocument } from "./document";
import { surround, surrounded, type Panels } from "./panels";
import type { Services } from "./services";
import { editorState } from "./state";
import { hint, step, taskItem } from "./views/boxes";
import { codeBlock } from "./views/codehead";
import { columns, stepper } from "./views/groups";
import { tableCell } from "./views/cells";
import { contentRef, embed, file } from "./views/cards";
import { drawing, image } from "./views/image";
import { lockable } from "./views/locked";
import { atom, rawInline } from "./views/media";
import { rawBlock } from "./views/raw";
import { tab, tabs } from "./views/tabs";
import { tableRow, tableTitle, tableView } from "./views/table";
import { specialViews } from "./views/specials";
import { atoms } from "./nodes/inlines";

// The editor hears of a key or a click within so many milliseconds.
const justNow = 500;

export interface Options {
  document: JsonDocument;
  editable: boolean;
  label: string;
  placeholder: { page: string; other: string };
  services: Services;
  // onChange is called with a function that writes the document, so that nobody pays for what is not looked at.
  onChange: (write: () => JsonDocument) => void;
  // onFirst is called when the cursor goes up out of the first line.
  onFirst?: (() => void) | undefined;
  // What those around the editor add to its state, and the document as it is in there when it is not read from the
  // JSON.
  plugins?: readonly Plugin[];
  begin?: Node | undefined;
}

export class Session {
  readonly view: EditorView;
  readonly handling: Handling;
  // panels are what opens beside a place in the text.
  readonly panels: Panels;
  private readonly listeners = new Set<() => void>();
  private readonly editListeners = new Set<() => void>();
  private readonly moves = new Set<(mapping: Mapping) => void>();
  linking = false;
  // When a key or the pointer was used in the text last.
  private touched = -justNow;

  constructor(
    place: HTMLElement,
    private readonly options: Options,
  ) {
    const { services, label } = options;
    this.view = new EditorView(place, {
      state: this.fresh(options.begin ?? readDocument(options.document)),
      editable: () => options.editable,
      attributes: () =>
        options.editable
          ? {
              role: "textbox",
              "aria-multiline": "true",
              "aria-label": label,
              class: "prose",
              spellcheck: "true",
              "data-editor": "",
            }
          : { class: "prose" },
      nodeViews: surrounded(
        services,
        lockable({
          hint,
          taskItem,
          tabs,
          tab,
          stepper,
          step,
          columns,
          codeBlock,
          image: image(services),
          drawing: drawing(services),
          file: file(services),
          embed: embed(),
          contentRef: contentRef(services),
          rawBlock,
          rawInline,
          table: tableView,
          tableHead: tableRow,
          tableRow,
          tableTitle,
          tableCell: tableCell(services),
          ...Object.fromEntries(Object.values(atoms).map((name) => [name, atom(services)])),
          ...specialViews,
        }),
      ),
      dispatchTransaction: (tr) => this.dispatch(tr),
      handleKeyDown: (view, event) => {
        const { selection, doc } = view.state;
        if (
          !options.onFirst ||
          event.key !== "ArrowUp" ||
          !selection.empty ||
          selection.$from.index(0) > 0 ||
          doc.resolve(selection.from).depth > 1 ||
          !view.endOfTextblock("up")
        )
          return false;
        options.onFirst();
        return true;
      },
    });
    for (const kind of ["keydown", "pointerdown", "pointerup"] as const)
      this.view.dom.addEventListener(kind, () => (this.touched = performance.now()), true);
    this.panels = surround(this.view, services);
    this.handling = new Handling(this.view);
    this.onMove(this.handling.moved);
  }

  private fresh(doc: Node): EditorState {
    return editorState(doc, {
      onLink: () => this.link(true),
      onMenu: () => this.handling.openMenu(),
      placeholder: this.options.placeholder,
      plugins: this.options.plugins ?? [],
    });
  }

  private dispatch(tr: Transaction): void {
    const before = this.view.state.doc;
    // Whatever in the text was drawn to change it: what is read is not changed but from elsewhere.
    if (tr.docChanged && !this.options.editable && !tr.getMeta("received")) return;
    // What others write does not change how this person goes on writing, as after a key for bold.
    const { storedMarks } = this.view.state;
    if (storedMarks && tr.getMeta("received") && !tr.selectionSet) tr.setStoredMarks(storedMarks);
    this.view.updateState(
      performance.now() - this.touched < justNow ? keepingCursor(this.view, tr) : this.view.state.apply(tr),
    );
    follow(this.view, tr);
    if (tr.docChanged && tr.getMeta("received")) for (const move of this.moves) move(tr.mapping);
    if (this.linking && tr.docChanged && !tr.getMeta("received")) this.linking = false;
    for (const listener of this.listeners) listener();
    if (this.view.state.doc === before) return;
    for (const listener of this.editListeners) listener();
    // What came from elsewhere is not a change of this person's.
    if (!this.view.state.doc.eq(before) && !tr.getMeta("received")) this.options.onChange(this.write);
  }

  // write returns the document as it is now.
  readonly write = (): JsonDocument => writeDocument(this.view.state.doc);

  // focus goes to where the cursor is, and types a text there, whose lines are paragraphs.
  focus(typed = ""): void {
    const { view } = this;
    view.focus();
    if (!typed) return;
    // Before a block that is no text there is a paragraph for it.
    if (!(view.state.selection instanceof TextSelection)) {
      const { tr, schema } = view.state;
      tr.insert(0, schema.nodes["paragraph"]!.create());
      view.dispatch(tr.setSelection(TextSelection.create(tr.doc, 1)));
    }
    typed.split("\n").forEach((line, i) => {
      if (i > 0) splitBlock(view.state, view.dispatch);
      if (line) view.dispatch(view.state.tr.insertText(line));
    });
  }

  // edit lets the text be changed from now on, or not any more.
  edit(editable: boolean): void {
    if (editable === this.options.editable) return;
    this.options.editable = editable;
    // What blocks are drawn with depends on it.
    this.view.setProps({ nodeViews: { ...this.view.props.nodeViews } });
    this.view.dispatch(this.view.state.tr);
  }

  // link opens the field for the address of a link, or closes it.
  link(open: boolean): void {
    this.linking = open;
    for (const listener of this.listeners) listener();
    if (!open) this.view.focus();
  }

  // receive puts blocks that came from elsewhere in the place of those that differ, and keeps the cursor and the undo.
  receive(document: JsonDocument): void {
    const tr = exchange(this.view.state.tr, withLine(readDocument(document)));
    if (tr.docChanged) this.view.dispatch(tr.setMeta("received", true).setMeta("addToHistory", false));
  }

  // replace begins again with another document.
  replace(document: JsonDocument): void {
    this.view.updateState(this.fresh(readDocument(document)));
    for (const listener of [...this.listeners, ...this.editListeners]) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  // onEdit calls back whenever the document has become another.
  readonly onEdit = (listener: () => void): (() => void) => {
    this.editListeners.add(listener);
    return () => this.editListeners.delete(listener);
  };

  // onMove tells how places move when others have changed the document.
  readonly onMove = (move: (mapping: Mapping) => void): (() => void) => {
    this.moves.add(move);
    return () => this.moves.delete(move);
  };

  readonly state = (): EditorState => this.view.state;
  readonly asksLink = (): boolean => this.linking;
}
