// What a live session is to those around it.
import { nobody } from "./participants";
import type { Way } from "./connection";
import type { SharedText } from "./sharedText";
import type { EndReason, FromClient, Person } from "./wire";

// Line is a connection as a live session needs it.
export interface Line {
  start(): void;
  send(message: FromClient): boolean;
  retry(): void;
  close(): void;
}

// Underway is a batch that was sent, and may be on disk.
export interface Underway {
  id: string;
  version: number;
  count: number;
}

export type LiveState = {
  // saved: the server has all. saving: it has not said so yet. The others say why it does not have it.
  kind: "saved" | "saving" | "offline" | "refused" | "signedOut" | "conflict" | "ended";
  message: string;
  way: Way;
  people: Person[];
  ended: { reason: EndReason; message: string } | null;
};

// quiet is what there is before anything has happened.
export const quiet: LiveState = { kind: "saved", message: "", way: "none", people: nobody, ended: null };

export interface Begun {
  session: string;
  version: number;
  underway: Underway | null;
}

export interface Options {
  client: string;
  schema: string;
  shared: SharedText;
  // What goes on from an earlier time, null to begin anew.
  begun: Begun | null;
  revision: string;
  // unavailable: the server takes nobody in, or the app is too old for it.
  unavailable: (message: string) => void;
  // oversized: one thing that was typed is more than a session takes at once, such as a long text that was pasted.
  oversized: () => void;
  // revised: the branch has a revision that this page's text is in. paged: other fields of the page are others now.
  revised: () => void;
  paged: () => void;
  random?: () => number;
}
