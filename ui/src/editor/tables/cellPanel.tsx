// What opens beside a cell whose value is chosen: options, pages and addresses, images, files, people.
import type { Node } from "@tiptap/pm/model";
import type { EditorView } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { columnOf } from "../nodes/tables";
import { around } from "../panels";
import type { Services } from "../services";
import { EntriesPanel } from "./EntriesPanel";
import { ImagePanel } from "./ImagePanel";
import { OptionsPanel } from "./OptionsPanel";
import { ReferencePanel } from "./ReferencePanel";

// Cell is the cell that a panel is of. It may move while the panel is open.
export interface Cell {
  view: EditorView;
  services: Services;
  // node returns the cell, null when it is gone.
  node(): Node | null;
  set(value: unknown): void;
  close(): void;
}

export function openCell(view: EditorView, getPos: () => number | undefined, anchor: HTMLElement): void {
  if (!view.editable) return;
  const { panels, services } = around(view);
  const place = (): { pos: number; node: Node } | null => {
    const pos = getPos();
    const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
    return pos !== undefined && node?.type.name === "tableCell" ? { pos, node } : null;
  };
  const first = place();
  if (!first) return;
  const { type } = columnOf(first.node);
  panels.open({
    label: t(`editor.table.type.${type as "select"}`),
    anchor: () => anchor.getBoundingClientRect(),
    body: (close) => {
      const cell: Cell = {
        view,
        services,
        node: () => place()?.node ?? null,
        set: (value) => {
          const now = place();
          if (now) view.dispatch(view.state.tr.setNodeMarkup(now.pos, undefined, { ...now.node.attrs, value }));
        },
        close,
      };
      switch (type) {
        case "select":
          return <OptionsPanel cell={cell} />;
        case "content-ref":
          return <ReferencePanel cell={cell} />;
        case "image":
          return <ImagePanel cell={cell} />;
      }
      return <EntriesPanel cell={cell} type={type === "users" ? "users" : "files"} />;
    },
  });
}
