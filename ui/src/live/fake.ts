// A server of one live session for tests, which keeps the rules of docs/adr/0054, and lines to it that can fail.
import { history } from "@tiptap/pm/history";
import { Node } from "@tiptap/pm/model";
import { EditorState, type Transaction } from "@tiptap/pm/state";
import { Step } from "@tiptap/pm/transform";
import { readDocument } from "../editor/convert";
import type { JsonDocument, JsonNode } from "../editor/document";
import { withLine } from "../editor/line";
import { schema } from "../editor/schema";
import { SharedText, sharedPlugins } from "./sharedText";
import { Live } from "./live";
import type { Begun, Line } from "./types";
import type { Cursor, FromClient, FromServer, Steps } from "./wire";

const paragraph = (text: string): JsonNode => ({
  object: "block",
  type: "paragraph",
  isVoid: false,
  data: {},
  nodes: text ? [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }] : [],
});

// documentOf is a document of paragraphs.
export const documentOf = (...lines: string[]): JsonDocument => ({ object: "document", nodes: lines.map(paragraph) });

export class Server {
  doc: Node;
  version = 0;
  session = "s1";
  batches: Steps[] = [];
  // refuses says why steps are not taken.
  refuses = "";
  // Messages to and from it take so long.
  delay = 10;
  reachable = true;
  readonly clients = new Map<string, { hear: (message: FromServer) => void; cursor: Cursor | null }>();
  flushed = 0;

  constructor(document: JsonDocument) {
    this.doc = withLine(readDocument(document));
  }

  texts(): string[] {
    return this.doc.children.map((block) => block.textContent);
  }

  // replace begins another session.
  replace(session: string, document: JsonDocument): void {
    Object.assign(this, { session, doc: withLine(readDocument(document)), version: 0, batches: [] });
  }

  all(message: FromServer): void {
    for (const { hear } of this.clients.values()) hear(message);
  }

  private people(): void {
    this.all({
      type: "people",
      people: [...this.clients].map(([client, { cursor }]) => ({
        client,
        user: { id: client, displayName: client },
        cursor,
      })),
    });
  }

  end(reason: "merged" | "closed" | "schema", message = ""): void {
    this.all({ type: "ended", reason, message });
    this.clients.clear();
  }

  leave(client: string): void {
    if (this.clients.delete(client)) this.people();
  }

  // insert takes steps in, in the name of a client.
  insert(client: string, id: string, steps: readonly unknown[]): void {
    this.doc = steps.map((each) => Step.fromJSON(schema, each)).reduce((doc, step) => {
      const { doc: next, failed } = step.apply(doc);
      if (!next) throw new Error(failed ?? "no");
      return next;
    }, this.doc);
    const batch: Steps = { type: "steps", version: this.version, id, client, steps: structuredClone([...steps]) };
    this.batches.push(batch);
    this.version += steps.length;
    this.all(batch);
  }

  take(message: FromClient, client: string, hear: (message: FromServer) => void): void {
    switch (message.type) {
      case "hello": {
        this.clients.set(client, { hear, cursor: null });
        if (message.session === this.session && message.version !== null && message.version <= this.version) {
          hear({ type: "resume", session: this.session, version: message.version, revision: "r0" });
          for (const batch of this.batches) if (batch.version >= message.version) hear(batch);
        } else
          hear({
            type: "state",
            session: this.session,
            version: this.version,
            node: this.doc.toJSON() as unknown,
            revision: "r0",
          });
        this.people();
        return;
      }
      case "steps": {
        const known = this.batches.find(({ id }) => id === message.id);
        if (known) hear(known);
        else if (message.version !== this.version) hear({ type: "behind", id: message.id, version: this.version });
        else if (this.refuses) hear({ type: "refused", id: message.id, message: this.refuses });
        else this.insert(client, message.id, message.steps);
        return;
      }
      case "cursor":
        for (const [other, { hear }] of this.clients) if (other !== client) hear({ client, ...message });
        return;
      case "flush":
        this.flushed++;
        this.all({ type: "revision", revision: `r${this.version}`, version: this.version });
        return;
      case "bye":
        this.leave(client);
    }
  }
}

// Wire is a line to a server whose messages can be lost.
export class Wire implements Line {
  // loses are the messages from the server that do not arrive.
  loses: (message: FromServer) => boolean = () => false;
  sent: FromClient[] = [];
  private open = 0;
  private up = false;

  constructor(
    private readonly server: Server,
    private readonly client: string,
    private readonly live: () => Live,
  ) {}

  start(): void {
    const attempt = ++this.open;
    this.up = false;
    setTimeout(() => {
      if (attempt !== this.open) return;
      if (!this.server.reachable) {
        this.live().down();
        setTimeout(() => attempt === this.open && this.start(), 500);
        return;
      }
      this.up = true;
      this.live().up("socket");
      this.send(this.live().hello());
    }, this.server.delay);
  }

  send(message: FromClient): boolean {
    if (!this.up || !this.server.reachable) return false;
    const attempt = this.open;
    this.sent.push(structuredClone(message));
    setTimeout(() => {
      if (attempt === this.open && this.server.reachable)
        this.server.take(structuredClone(message), this.client, (answer) => this.hear(attempt, answer));
    }, this.server.delay);
    return true;
  }

  private hear(attempt: number, message: FromServer): void {
    setTimeout(() => {
      if (attempt === this.open && this.server.reachable && !this.loses(message))
        this.live().message(structuredClone(message));
    }, this.server.delay);
  }

  // cut ends the connection; it is begun again.
  cut(): void {
    this.server.leave(this.client);
    this.start();
  }

  retry(): void {
    if (!this.up) this.start();
  }

  close(): void {
    setTimeout(() => this.server.leave(this.client), this.server.delay);
    this.open++;
    this.up = false;
  }
}

// Writer is a person with a text of a session, without a screen.
export class Writer {
  readonly shared: SharedText;
  readonly live: Live;
  readonly wire: Wire;
  state: EditorState;
  composing = false;
  unavailable: string | null = null;
  paged = 0;
  oversized = 0;

  dispatch(tr: Transaction): void {
    this.state = this.state.apply(tr);
  }

  constructor(
    readonly server: Server,
    readonly client: string,
    given: { document?: JsonDocument; doc?: Node; begun?: Begun; schema?: string } = {},
  ) {
    const doc = given.doc ?? withLine(readDocument(given.document ?? { object: "document", nodes: [] }));
    this.state = EditorState.create({ doc, plugins: [history(), ...sharedPlugins()] });
    this.shared = new SharedText(this);
    this.live = new Live({
      client,
      schema: given.schema ?? "x",
      shared: this.shared,
      begun: given.begun ?? null,
      revision: "r0",
      unavailable: (message) => (this.unavailable = message),
      oversized: () => this.oversized++,
      revised: () => undefined,
      paged: () => this.paged++,
      random: () => 0.5,
    });
    this.wire = new Wire(server, client, () => this.live);
  }

  connect(): this {
    this.live.connect(this.wire);
    return this;
  }

  texts(): string[] {
    return this.state.doc.children.map((block) => block.textContent);
  }

  // at is the place before a text, or behind it.
  at(text: string, behind = false): number {
    let found = -1;
    this.state.doc.descendants((node, pos) => {
      const at = node.isText ? node.text!.indexOf(text) : -1;
      if (at >= 0 && found < 0) found = pos + at + (behind ? text.length : 0);
    });
    if (found < 0) throw new Error(`no ${text}`);
    return found;
  }

  type(pos: number, text: string): void {
    this.state = this.state.apply(this.state.tr.insertText(text, pos));
    this.live.changed();
  }
}
