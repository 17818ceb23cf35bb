// What the rows of the tree offer to those who may edit: the menu, the keys, the field for another name, the question
// before a page is deleted, and what is said when a page has moved.
import { type KeyboardEvent, useState } from "react";
import { keysOf, type ShortcutName } from "../look/shortcuts";
import { family, made, type Move, moved, type Where } from "./arrange";
import { DeletePage } from "./DeletePage";
import type { Page } from "./queries";
import { RowMenu } from "./RowMenu";
import { t } from "../words/words";
import { label, pathTo, type Row } from "./tree";
import { UndoBar } from "./UndoBar";
import { type Act, type Done, placed, type useArrange } from "./useArrange";

export type Editing = {
  space: string;
  change: number | undefined;
  // All pages, also while a filter hides some.
  roots: Page[];
  arrange: ReturnType<typeof useArrange>;
  onInside: (page: Page) => void;
};

type Tree = {
  list: Row[];
  // Opens pages, and gives the row of a page the focus as soon as it is there.
  open: (ids: string[]) => void;
  focus: (page: string) => void;
  // The element of a row.
  row: (page: string) => HTMLElement | null;
};

const moves: [ShortcutName, Move][] = [["pageUp", "up"], ["pageDown", "down"], ["nestPage", "nest"], ["liftPage", "lift"]];

// pressedKeys writes what was pressed as the table of keys does; key is what it means where text runs the other way.
const pressedKeys = (event: KeyboardEvent, key: string) =>
  [(event.ctrlKey || event.metaKey) && "Mod", event.altKey && "Alt", event.shiftKey && "Shift", key].filter(Boolean).join("+");

export function useRowEditing(editing: Editing | undefined, tree: Tree) {
  const [menu, setMenu] = useState<{ page: Page; anchor: { getBoundingClientRect: () => DOMRect } }>();
  const [naming, setNaming] = useState<string>();
  const [deleting, setDeleting] = useState<Page>();
  const [said, say] = useState("");
  // What was done last and can be taken back, in words.
  const [undo, setUndo] = useState<{ words: string; back: Act }>();
  const editable = (page: Page) => editing !== undefined && !page.computedSeed && !made(editing.roots, page.id);

  const run = (act: Act, then: (done: Done) => void) => {
    say("");
    setUndo(undefined);
    // The promise is told of success after the tree has the change; a failure is shown by who has the mutation.
    editing?.arrange.mutateAsync(act).then(then, () => tree.focus(act.page.id));
  };
  const onMove = (page: Page, move: Move) => {
    if (!editing || !moved(editing.roots, page.id, move)) return;
    run({ kind: "move", page, move }, ({ roots }) => show(roots, page));
  };
  // show leads to where a page stands now, and says it.
  const show = (roots: Page[], page: Page) => {
    const above = pathTo(roots, page.id).slice(0, -1);
    if (above.length > 0) tree.open(above);
    tree.focus(page.id);
    say(placed(roots, page.id));
  };
  const onDrop = (page: Page, on: Page, where: Where) =>
    run({ kind: "drop", page, on, where }, ({ roots, back }) => {
      show(roots, page);
      if (back) setUndo({ words: placed(roots, page.id), back });
    });
  const onNamed = (page: Page, title: string | undefined) => {
    setNaming(undefined);
    tree.focus(page.id);
    if (title !== undefined) run({ kind: "rename", page, title }, () => undefined);
  };
  const onDelete = (page: Page) => {
    setDeleting(undefined);
    const ids = family(page);
    const at = tree.list.findIndex((row) => row.page.id === page.id);
    const next = tree.list.slice(at).find((row) => !ids.includes(row.page.id)) ?? tree.list[at - 1];
    run({ kind: "delete", page }, ({ back }) => {
      if (next) tree.focus(next.page.id);
      if (back) setUndo({ words: t("tree.deleted", { title: label(page) || t("tree.untitled") }), back });
    });
  };

  // onKey does what a key means for a row, and reports whether it means anything.
  const onKey = (event: KeyboardEvent, row: Row, key: string): boolean => {
    const keys = pressedKeys(event, key);
    if (!editable(row.page)) return false;
    const move = moves.find(([name]) => keysOf(name) === keys);
    if (move) onMove(row.page, move[1]);
    else if (keys === keysOf("renamePage")) setNaming(row.page.id);
    else if (keys === keysOf("deletePage")) setDeleting(row.page);
    else if (keys === keysOf("pageMenu") || keys === "ContextMenu") onMenu(row);
    else return false;
    event.preventDefault();
    return true;
  };
  // onMenu opens the menu at the row, or at the place of the pointer.
  const onMenu = (row: Row, at?: { x: number; y: number }) => {
    const anchor = at && { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };
    setMenu({ page: row.page, anchor: anchor ?? { getBoundingClientRect: () => tree.row(row.page.id)?.getBoundingClientRect() ?? new DOMRect() } });
  };

  const overlays = editing && (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {undo && <UndoBar words={undo.words} onUndo={() => run(undo.back, ({ roots }) => show(roots, undo.back.page))} onClose={() => setUndo(undefined)} />}
      {menu && (
        <RowMenu
          page={menu.page}
          roots={editing.roots}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
          finalFocus={() => document.querySelector<HTMLElement>("[data-naming]") ?? tree.row(menu.page.id)}
          onInside={editing.onInside}
          onRename={(page) => setNaming(page.id)}
          onDuplicate={(page) => run({ kind: "duplicate", page }, (done) => tree.focus(done.page))}
          onMove={onMove}
          onHide={(page, hidden) => run({ kind: "hide", page, hidden }, () => tree.focus(page.id))}
          onDelete={setDeleting}
        />
      )}
      {deleting && (
        <DeletePage space={editing.space} change={editing.change} page={deleting} onDelete={() => onDelete(deleting)} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
  // While a name is on its way, the row shows it.
  const doing = editing?.arrange.isPending ? editing.arrange.variables : undefined;
  const renamed = doing?.kind === "rename" ? doing : undefined;
  return { editable, naming, renamed, onKey, onMenu, onNamed, onDrop, overlays };
}
