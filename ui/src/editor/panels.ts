// What stands open beside a place in the text: one panel at a time. Commands and views, which know the view alone, open
// one; PanelHost.tsx draws it.
import type { EditorView, NodeViewConstructor } from "@tiptap/pm/view";
import type { ReactNode } from "react";
import { nobody, type Services } from "./services";

// Box is where something stands on the screen.
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Panel {
  // label says what it is, for those who listen.
  label: string;
  // anchor is what it stands beside. It is asked anew when the page moves.
  anchor: () => Box;
  // body is what is in it. close gives the focus back to the text.
  body: (close: () => void) => ReactNode;
}

export class Panels {
  private panel: Panel | null = null;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly get = (): Panel | null => this.panel;

  open(panel: Panel): void {
    this.panel = panel;
    for (const listener of this.listeners) listener();
  }

  readonly close = (): void => {
    this.panel = null;
    for (const listener of this.listeners) listener();
  };
}

interface Around {
  services: Services;
  panels: Panels;
  // onKey is who takes keys before the text while a list stands open; it reports whether it took one.
  onKey?: ((event: KeyboardEvent) => boolean) | null;
}

const known = new WeakMap<EditorView, Around>();

// around returns what commands and views of an editor may ask.
export function around(view: EditorView): Around {
  const found = known.get(view) ?? { services: nobody, panels: new Panels() };
  known.set(view, found);
  return found;
}

// surround says what there is around an editor; what it has said before stays.
export function surround(view: EditorView, services: Services): Panels {
  const found = known.get(view);
  if (found?.services === services) return found.panels;
  const panels = new Panels();
  known.set(view, { services, panels });
  return panels;
}

// surrounded makes views that know what there is around them as soon as they are drawn: those of the first text are
// drawn while the editor is being made, before anybody else has it.
export function surrounded(
  services: Services,
  views: Record<string, NodeViewConstructor>,
): Record<string, NodeViewConstructor> {
  const made = Object.entries(views).map(([name, construct]): [string, NodeViewConstructor] => [
    name,
    (node, view, ...rest) => {
      surround(view, services);
      return construct(node, view, ...rest);
    },
  ]);
  return Object.fromEntries(made);
}

// atSelection is the place of the selection, for a panel to stand beside.
export const atSelection = (view: EditorView) => (): Box => {
  const { from, to } = view.state.selection;
  const start = view.coordsAtPos(from);
  const end = view.coordsAtPos(to, -1);
  return {
    left: start.left,
    top: start.top,
    right: Math.max(end.right, start.left),
    bottom: Math.max(start.bottom, end.bottom),
  };
};
