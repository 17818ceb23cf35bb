// What the browser and the server send each other about a live session (docs/adr/0054).

// Place is where somebody's cursor is, at a version of the session's document; null where the text has no focus.
export interface Cursor {
  version: number;
  anchor: number | null;
  head: number | null;
}

export interface User {
  id: string;
  displayName: string;
  photoURL?: string;
}

export interface Person {
  client: string;
  user: User;
  cursor?: Cursor | null;
}

export type EndReason = "merged" | "archived" | "deleted" | "access" | "schema" | "closed";

export interface Steps {
  type: "steps";
  // version is that before the steps.
  version: number;
  id: string;
  client: string;
  user?: User;
  steps: unknown[];
}

export type FromServer =
  | { type: "state"; session: string; version: number; node: unknown; revision: string }
  | { type: "resume"; session: string; version: number; revision: string }
  | Steps
  | { type: "behind"; id: string; version: number }
  | { type: "refused"; id: string; message: string }
  | { type: "people"; people: Person[] }
  | ({ type: "cursor"; client: string } & Cursor)
  | { type: "revision"; revision: string; version: number }
  | { type: "page" }
  | { type: "ended"; reason: EndReason; message: string };

export interface Hello {
  type: "hello";
  client: string;
  schema: string;
  session: string | null;
  version: number | null;
}

export type FromClient =
  | Hello
  | { type: "steps"; id: string; version: number; steps: unknown[] }
  | ({ type: "cursor" } & Cursor)
  | { type: "flush" }
  | { type: "bye" };

// The most that one batch may hold.
export const mostSteps = 200;
export const mostBytes = 900_000;
