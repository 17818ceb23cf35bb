// What the rows of the tree offer to those who may edit: the menu, the keys, the field for another name, the question
// before a page is deleted, and what is said when a page has moved.
import { type KeyboardEvent, useState } from "react";
import { keysOf, type ShortcutName } from "../look/shortcuts";
import { family, made, type Move, movesOf, tops, type Where } from "./arrange";
import { DeletePage } from "./DeletePage";
import styles from "./PageTree.module.css";
import type { Page } from "./queries";
import { RowMenu } from "./RowMenu";
import { ChangeSource } from "./ChangeSource";
import type { Source } from "./sources";
import { t } from "../words/words";
import { label, pathTo, type Row } from "./tree";
import { TransferPages } from "./TransferPages";
import { UndoBar } from "./UndoBar";
import { type Act, type Done, placedAll, type useArrange } from "./useArrange";
import { useSelection } from "./useSelection";
import { SelectionBar } from "./SelectionBar";

export type Editing = {
  space: string;
  change: number | undefined;
  // All pages, also while a filter hides some.
  roots: Page[];
  arrange: ReturnType<typeof useArrange>;
  onInside: (page: Page) => void;
  // Pages have gone to another space, in this change request.
  onGone: (number: number, pages: string[]) => void;
};

type Tree = {
  list: Row[];
  // Opens pages, and gives the row of a page the focus as soon as it is there.
  open: (ids: string[]) => void;
  focus: (page: string) => void;
  // The element of a row.
  row: (page: string) => HTMLElement | null;
};

const moves: [ShortcutName, Move][] = [
  ["pageUp", "up"],
  ["pageDown", "down"],
  ["nestPage", "nest"],
  ["liftPage", "lift"],
];

// pressedKeys writes what was pressed as the table of keys does; key is what it means where text runs the other way.
const pressedKeys = (event: KeyboardEvent, key: string) =>
  [(event.ctrlKey || event.metaKey) && "Mod", event.altKey && "Alt", event.shiftKey && "Shift", key]
    .filter(Boolean)
    .join("+");

export function useRowEditing(editing: Editing | undefined, tree: Tree) {
  const [menu, setMenu] = useState<{ pages: Page[]; anchor: { getBoundingClientRect: () => DOMRect } }>();
  const [naming, setNaming] = useState<string>();
  const [deleting, setDeleting] = useState<Page[]>();
  const [leaving, setLeaving] = useState<Page[]>();
  const [from, setFrom] = useState<{ page: Page; source: Source }>();
  const [said, say] = useState("");
  // What was done last and can be taken back, in words.
  const [undo, setUndo] = useState<{ words: string; back: Act }>();
  const editable = (page: Page) => editing !== undefined && !page.computedSeed && !made(editing.roots, page.id);

  const selection = useSelection(tree.list, (row) => editable(row.page));
  // taken are the pages that something is done with from a row: all that are selected when it is one of them.
  const taken = (page: Page): Page[] => {
    if (!editing || !editable(page)) return [];
    return selection.ids.has(page.id) ? tops(editing.roots, selection.ids) : [page];
  };

  const run = (act: Act, then: (done: Done) => void) => {
    say("");
    setUndo(undefined);
    // The promise is told of success after the tree has the change; a failure is shown by who has the mutation.
    editing?.arrange.mutateAsync(act).then(then, () => act.pages[0] && tree.focus(act.pages[0].id));
  };
  const onMove = (pages: Page[], move: Move) => {
    if (!editing || movesOf(editing.roots, pages.map(({ id }) => id), move).length === 0) return;
    run({ kind: "move", pages, move }, ({ roots, back }) => {
      show(roots, pages);
      if (back) setUndo({ words: placedAll(roots, pages), back });
    });
  };
  // show leads to where pages stand now, and says it.
  const show = (roots: Page[], pages: Page[]) => {
    const [first] = pages;
    if (!first) return;
    const above = pages.flatMap(({ id }) => pathTo(roots, id).slice(0, -1));
    if (above.length > 0) tree.open(above);
    tree.focus(first.id);
    say(placedAll(roots, pages));
  };
  const onDrop = (pages: Page[], on: Page, where: Where) =>
    run({ kind: "drop", pages, on, where }, ({ roots, back }) => {
      show(roots, pages);
      if (back) setUndo({ words: placedAll(roots, pages), back });
    });
  const onNamed = (page: Page, title: string | undefined) => {
    setNaming(undefined);
    tree.focus(page.id);
    if (title !== undefined) run({ kind: "rename", pages: [page], title }, () => undefined);
  };
  const onHide = (pages: Page[], hidden: boolean) =>
    run({ kind: "hide", pages, hidden }, ({ back }) => {
      if (pages[0]) tree.focus(pages[0].id);
      if (back) setUndo({ words: t(hidden ? "tree.hiddenAll" : "tree.shownAll", { count: pages.length }), back });
    });
  const onDuplicate = (pages: Page[]) =>
    run({ kind: "duplicate", pages }, ({ made }) => {
      selection.clear();
      if (made[0]) tree.focus(made[0]);
    });
  const onDelete = (pages: Page[]) => {
    setDeleting(undefined);
    const ids = pages.flatMap(family);
    const at = tree.list.findIndex((row) => row.page.id === pages[0]?.id);
    const next = tree.list.slice(at).find((row) => !ids.includes(row.page.id)) ?? tree.list[at - 1];
    run({ kind: "delete", pages }, ({ back }) => {
      selection.clear();
      if (next) tree.focus(next.page.id);
      const [first] = pages;
      const words =
        first && pages.length === 1
          ? t("tree.deleted", { title: label(first) || t("tree.untitled") })
          : t("tree.deletedAll", { count: pages.length });
      if (back) setUndo({ words, back });
    });
  };

  // onKey does what a key means for a row, and reports whether it means anything.
  const onKey = (event: KeyboardEvent, row: Row, key: string): boolean => {
    const keys = pressedKeys(event, key);
    if (keys === "Escape" && selection.ids.size > 0) selection.clear();
    else if (editing && keys === "Mod+a") selection.all();
    else if (!editable(row.page)) return false;
    else if (keys === " ") selection.toggle(row.page.id);
    else {
      const move = moves.find(([name]) => keysOf(name) === keys);
      if (move) onMove(taken(row.page), move[1]);
      else if (keys === keysOf("renamePage")) setNaming(row.page.id);
      else if (keys === keysOf("deletePage")) setDeleting(taken(row.page));
      else if (keys === keysOf("pageMenu") || keys === "ContextMenu") onMenu(row);
      else return false;
    }
    event.preventDefault();
    return true;
  };
  // onMenu opens the menu at the row, or at the place of the pointer.
  const onMenu = (row: Row, at?: { x: number; y: number }) => {
    const anchor = at && { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };
    setMenu({
      pages: taken(row.page),
      anchor: anchor ?? {
        getBoundingClientRect: () => tree.row(row.page.id)?.getBoundingClientRect() ?? new DOMRect(),
      },
    });
  };

  const selected = editing && selection.ids.size > 0 ? tops(editing.roots, selection.ids) : [];
  const overlays = editing && (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <div className={styles.bars}>
        {undo && (
          <UndoBar
            words={undo.words}
            onUndo={() => run(undo.back, ({ roots }) => show(roots, undo.back.pages))}
            onClose={() => setUndo(undefined)}
          />
        )}
        {selected.length > 0 && (
          <SelectionBar
            count={selection.ids.size}
            onMenu={(anchor) => setMenu({ pages: selected, anchor })}
            onClear={selection.clear}
          />
        )}
      </div>
      {menu && (
        <RowMenu
          space={editing.space}
          change={editing.change}
          pages={menu.pages}
          roots={editing.roots}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
          finalFocus={() =>
            document.querySelector<HTMLElement>("[data-naming]") ?? (menu.pages[0] ? tree.row(menu.pages[0].id) : null)
          }
          onInside={editing.onInside}
          onRename={(page) => setNaming(page.id)}
          onSelect={(page) => selection.toggle(page.id)}
          onDuplicate={onDuplicate}
          onMove={onMove}
          onTransfer={setLeaving}
          onHide={onHide}
          onDelete={setDeleting}
          onSource={(page, source) => setFrom({ page, source })}
        />
      )}
      {from && (
        <ChangeSource
          space={editing.space}
          change={editing.change}
          {...from}
          onDone={(number) => editing.onGone(number, [])}
          onClose={() => setFrom(undefined)}
        />
      )}
      {leaving && leaving.length > 0 && (
        <TransferPages
          space={editing.space}
          change={editing.change}
          pages={leaving}
          onDone={({ number, moved }) => {
            selection.clear();
            setUndo(undefined);
            editing.onGone(number, (moved.pages ?? []).map(({ from }) => from));
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {deleting && deleting.length > 0 && (
        <DeletePage
          space={editing.space}
          change={editing.change}
          pages={deleting}
          onDelete={() => onDelete(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
  // While a name is on its way, the row shows it.
  const doing = editing?.arrange.isPending ? editing.arrange.variables : undefined;
  const renamed = doing?.kind === "rename" ? doing : undefined;
  return { editable, taken, selection, naming, renamed, onKey, onMenu, onNamed, onDrop, overlays };
}
