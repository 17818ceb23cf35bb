// The text of one person in a live session: what the server has, and what was typed since then. It is the part of a
// live session that knows ProseMirror; the order of messages is in live.ts.
import { collab, getVersion, receiveTransaction, sendableSteps } from "prosemirror-collab";
import { Node } from "@tiptap/pm/model";
import type { EditorState, Plugin, Transaction } from "@tiptap/pm/state";
import { Mapping, Step, Transform, type StepMap } from "@tiptap/pm/transform";
import { readDocument, writeDocument } from "../editor/convert";
import type { JsonDocument } from "../editor/document";
import { exchange } from "../editor/exchange";
import { withLine } from "../editor/line";
import { schema } from "../editor/schema";
import { rich, type Rich } from "../page/forms";
import { change, cursors, type Change } from "./cursors";
import { mostBytes, mostSteps } from "./wire";

// Text is what is edited: a view, or a state alone once the view is gone.
export interface Text {
  readonly state: EditorState;
  dispatch(tr: Transaction): void;
  // composing is true while an input method is at work: changes around it would break off what it makes.
  readonly composing?: boolean;
}

// Waiting is what the server does not have yet, as it is kept: what the server has, its blocks as texts, and the steps.
export interface Waiting {
  attrs: Record<string, unknown> | null;
  blocks: string[];
  steps: string[];
}

const me = "me";
const other = "other";
// So many steps back a cursor may be.
const remembered = 400;

// sharedPlugins are what a state needs to be part of a live session.
export const sharedPlugins = (): Plugin[] => [collab({ clientID: me }), cursors()];

const texts = new WeakMap<Node, string>();

// Nodes never change, so each is written once.
function textOf(block: Node): string {
  const text = texts.get(block) ?? JSON.stringify(block.toJSON());
  texts.set(block, text);
  return text;
}

// kept returns the document and the steps of what was kept, null when this editor cannot read them.
export function kept({ attrs, blocks, steps }: Waiting): { doc: Node; steps: Step[] } | null {
  try {
    const doc = schema.nodes["doc"]!.createChecked(
      attrs,
      blocks.map((text) => Node.fromJSON(schema, JSON.parse(text))),
    );
    const read = steps.map((text) => Step.fromJSON(schema, JSON.parse(text)));
    read.reduce((now, step) => {
      const { doc } = step.apply(now);
      if (!doc) throw new Error("a step that does not fit");
      return doc;
    }, doc);
    return { doc, steps: read };
  } catch {
    return null;
  }
}

const titled = (doc: Node): Rich => ({ title: "", document: writeDocument(doc) });

export class SharedText {
  // What the server has at version.
  private confirmed: Node;
  private shift = 0;
  // How the last steps of the server moved what is behind them.
  private maps: StepMap[] = [];

  // text is as the server has it, at a version that begin or resume tells.
  constructor(private text: Text) {
    this.confirmed = text.state.doc;
  }

  get version(): number {
    return this.shift + getVersion(this.text.state);
  }

  get busy(): boolean {
    return this.text.composing ?? false;
  }

  // document is what is typed now, as the API takes it.
  readonly document = (): JsonDocument => writeDocument(this.text.state.doc);

  // reset takes what is there now for what the server has.
  reset(): void {
    const sendable = sendableSteps(this.text.state);
    if (sendable) this.text.dispatch(receiveTransaction(this.text.state, sendable.steps, sendable.steps.map(() => me)));
    this.confirmed = this.text.state.doc;
    this.maps = [];
  }

  // resume goes on with what was kept: the text is as the server has it at a version, steps are what was typed then.
  resume(version: number, steps: readonly Step[]): void {
    this.shift = version - getVersion(this.text.state);
    if (steps.length === 0) return;
    const { tr } = this.text.state;
    for (const step of steps) tr.step(step);
    this.text.dispatch(tr.setMeta("received", true).setMeta("addToHistory", false));
  }

  // pending returns how many steps the server does not have.
  get pending(): number {
    return sendableSteps(this.text.state)?.steps.length ?? 0;
  }

  // batch returns what can be sent at once: count steps, or as many as a batch holds; null when one step alone is more.
  batch(count = mostSteps): unknown[] | null {
    const steps: unknown[] = [];
    let bytes = 0;
    for (const step of sendableSteps(this.text.state)?.steps.slice(0, count) ?? []) {
      const json: unknown = step.toJSON();
      bytes += new TextEncoder().encode(JSON.stringify(json)).length;
      if (bytes > mostBytes) return steps.length > 0 ? steps : null;
      steps.push(json);
    }
    return steps;
  }

  // receive takes steps in that come next in the order, mine or those of a client. It fails when they do not fit.
  receive(json: readonly unknown[], mine: boolean, client = ""): void {
    const steps = json.map((each) => Step.fromJSON(schema, each));
    let { confirmed } = this;
    for (const step of steps) {
      const { doc, failed } = step.apply(confirmed);
      if (!doc) throw new Error(failed ?? "a step that does not fit");
      confirmed = doc;
    }
    const tr = receiveTransaction(
      this.text.state,
      steps,
      steps.map(() => (mine ? me : other)),
      { mapSelectionBackward: true },
    );
    if (!mine) change(tr, { by: client }).setMeta("received", true);
    this.text.dispatch(tr);
    this.confirmed = confirmed;
    this.maps = [...this.maps, ...steps.map((step) => step.getMap())].slice(-remembered);
  }

  // begin goes on from a document of the server's at a version. What was typed goes along: it reports false when both
  // have changed the same, and then changes nothing.
  begin(json: unknown, version: number, prefer?: "mine" | "theirs"): boolean {
    const theirs = Node.fromJSON(schema, json);
    theirs.check();
    const mine = this.text.state.doc;
    const typed = sendableSteps(this.text.state) !== null;
    let wanted: Node | null = null;
    if (typed && prefer !== "theirs" && !this.confirmed.eq(theirs)) {
      const [base, here, there] = [titled(this.confirmed), titled(mine), titled(theirs)];
      const merged = prefer === "mine" ? rich.mineFirst(base, here, there) : rich.merged(base, here, there);
      if (!merged) return false;
      wanted = withLine(readDocument(merged.document));
    }
    if (typed && prefer === "theirs") this.reset();
    this.follow(theirs);
    if (wanted) {
      const tr = exchange(this.text.state.tr, wanted);
      if (tr.docChanged) this.text.dispatch(tr.setMeta("received", true).setMeta("addToHistory", false));
    }
    this.shift = version - getVersion(this.text.state);
    this.maps = [];
    return true;
  }

  // follow makes another document the one that the server has.
  private follow(theirs: Node): void {
    if (this.confirmed.eq(theirs)) return;
    const way = exchange(new Transform(this.confirmed), theirs).steps;
    const received = receiveTransaction(this.text.state, way, way.map(() => other), { mapSelectionBackward: true });
    this.text.dispatch(received.setMeta("received", true));
    this.confirmed = theirs;
  }

  // waiting returns what the server does not have, as it is kept.
  waiting(): Waiting {
    const steps = sendableSteps(this.text.state)?.steps ?? [];
    return {
      attrs: this.confirmed.attrs,
      blocks: this.confirmed.children.map(textOf),
      steps: steps.map((step) => JSON.stringify(step.toJSON())),
    };
  }

  private typedMaps(): StepMap[] {
    return (sendableSteps(this.text.state)?.steps ?? []).map((step) => step.getMap());
  }

  // place returns where in the text a place is that was meant at a version; null when that is too long ago.
  place(pos: number, version: number): number | null {
    const since = this.version - version;
    if (since < 0 || since > this.maps.length) return null;
    const maps = since === 0 ? [] : this.maps.slice(-since);
    return new Mapping([...maps, ...this.typedMaps()]).map(pos, 1);
  }

  // selection is where this person is, in the document that the server has.
  selection(): { anchor: number; head: number } {
    const back = new Mapping(this.typedMaps()).invert();
    const { anchor, head } = this.text.state.selection;
    return { anchor: back.map(anchor), head: back.map(head) };
  }

  // show shows where others are.
  show(what: Change): void {
    this.text.dispatch(change(this.text.state.tr, what));
  }

  // detach goes on without a view.
  detach(): void {
    let { state } = this.text;
    this.text = {
      get state() {
        return state;
      },
      dispatch: (tr) => void (state = state.apply(tr)),
    };
  }
}
