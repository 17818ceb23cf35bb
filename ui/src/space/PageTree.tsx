// The pages of a space as a tree: rows that are seen alone are drawn, so that ten thousand pages scroll like ten. It
// follows the tree view pattern: one row has the focus, arrows walk, open and close, letters jump, Enter opens.
import { useVirtualizer, defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import type { User } from "../live/wire";
import { t } from "../words/words";
import styles from "./PageTree.module.css";
import type { Page } from "./queries";
import { TreeRow } from "./TreeRow";
import { label, openable, pathTo, readable, type Row, rows, step, typed } from "./tree";
import { useExpanded } from "./useExpanded";
import { useTreeDrag } from "./useTreeDrag";
import { type Editing, useRowEditing } from "./useRowEditing";

// Keys that extend the selection with Shift.
const selecting = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);

export type TreeHandle = { focus: () => void };

type Props = {
  space: string;
  pages: Page[];
  // The page that is shown.
  current: string | undefined;
  // Shows everything open, as while a filter holds.
  unfolded?: boolean;
  // Pages that the change request changes, marked with a dot.
  changed?: ReadonlySet<string>;
  // Who writes which page now.
  people?: ReadonlyMap<string, readonly User[]> | undefined;
  // The address of a page.
  href: (page: Page) => string;
  onOpen: (page: Page) => void;
  // What those need who may edit; without it the tree is to be read.
  editing?: Editing | undefined;
  // What stands there while there are no pages.
  empty?: ReactNode;
  ref?: React.Ref<TreeHandle>;
};

const alone: readonly User[] = [];

const rowHeight = () => (matchMedia("(pointer: coarse)").matches ? 44 : 32);

export function PageTree({
  space,
  pages,
  current,
  unfolded = false,
  changed,
  people,
  href,
  onOpen,
  editing,
  empty,
  ref,
}: Props) {
  const above = useMemo(() => (current ? pathTo(pages, current).slice(0, -1) : []), [pages, current]);
  const { expanded, open, close } = useExpanded(space, pages, above, current);
  const list = useMemo(() => rows(pages, unfolded ? new Set(openable(pages)) : expanded), [pages, unfolded, expanded]);
  // The row that has the focus, or would get it, by the page's id; the page that is shown until somebody walks.
  const [walked, setWalked] = useState<string>();
  const at = Math.max(0, indexOf(list, walked) ?? indexOf(list, current) ?? 0);

  const box = useRef<HTMLDivElement>(null);
  const height = useMemo(rowHeight, []);
  const focus = (index: number) => {
    const row = list[index];
    if (!row) return;
    setWalked(row.page.id);
    virtual.scrollToIndex(index, { align: "auto" });
    // The row may be drawn only now.
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true }),
    );
  };
  useImperativeHandle(ref, () => ({ focus: () => focus(at) }));

  const rowOf = (id: string) => box.current?.querySelector<HTMLElement>(`[data-page="${CSS.escape(id)}"]`) ?? null;
  const focusPage = (id: string) => {
    setWalked(id);
    const take = () => {
      // Who has gone on writing elsewhere, or a name here, is left there.
      const active = document.activeElement;
      const elsewhere = active && active !== document.body && !box.current?.contains(active);
      if (!elsewhere && !active?.matches("input")) rowOf(id)?.focus();
    };
    // A row that has moved may be drawn only two frames from now: when it is in the list, and scrolled to.
    requestAnimationFrame(() => requestAnimationFrame(take));
  };
  const rowEditing = useRowEditing(editing, { list, open, focus: focusPage, row: rowOf });
  const { selection } = rowEditing;

  const drag = useTreeDrag({
    box,
    list,
    height,
    roots: editing?.roots,
    taken: rowEditing.taken,
    open,
    onDrop: rowEditing.onDrop,
    onHeld: rowEditing.onMenu,
  });

  // The row with the focus and the one that is held stay in the document when they are scrolled away.
  const held = indexOf(list, drag.pressed) ?? at;
  const range = useCallback(
    (seen: Range) =>
      [...new Set([...defaultRangeExtractor(seen), at, held])]
        .filter((each) => each < seen.count)
        .sort((a, b) => a - b),
    [at, held],
  );
  const virtual = useVirtualizer({
    count: list.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    rangeExtractor: range,
    initialOffset: () => Math.max(0, (indexOf(list, current) ?? 0) - 4) * height,
  });

  const search = useRef({ text: "", time: 0 });
  const onKeyDown = (event: KeyboardEvent) => {
    const row = list[at];
    if (!row || rowEditing.onKey(event, row, turned(event))) return;
    if (editing && event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey && selecting.has(event.key)) {
      event.preventDefault();
      const next = list[step(list, at, event.key)?.focus ?? at];
      if (!next) return;
      selection.extend(row.page.id, next.page.id);
      focus(list.indexOf(next));
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      activate(row);
      return;
    }
    const next = step(list, at, turned(event));
    if (next) {
      event.preventDefault();
      if (next.open) open(next.open);
      if (next.close) close(next.close);
      if (next.focus !== undefined) focus(next.focus);
    } else if (event.key.length === 1) {
      const { text, time } = search.current;
      search.current = { text: (event.timeStamp - time < 800 ? text : "") + event.key, time: event.timeStamp };
      const found = typed(list, at, search.current.text);
      if (found !== undefined) focus(found);
    }
  };

  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const page = event.target.closest<HTMLElement>("[data-page]")?.dataset.page;
    if (page) setWalked(page);
  };

  // onSelect does what a click means for the selection: with Shift up to here, with Ctrl or Command this one, too.
  const onSelect = (row: Row, event: MouseEvent) => {
    if (event.shiftKey) selection.extend(list[at]?.page.id ?? row.page.id, row.page.id);
    else if (event.ctrlKey || event.metaKey || (selection.ids.size > 0 && matchMedia("(pointer: coarse)").matches))
      selection.toggle(row.page.id);
    else {
      selection.clear();
      return false;
    }
    setWalked(row.page.id);
    return true;
  };
  const activate = (row: Row) => {
    setWalked(row.page.id);
    if (row.page.type === "link" && row.page.href) window.open(row.page.href, "_blank", "noreferrer");
    else if (readable(row.page)) onOpen(row.page);
    else toggle(row);
  };
  const toggle = (row: Row) => {
    setWalked(row.page.id);
    if (row.expanded) close(row.page.id);
    else open([row.page.id]);
  };

  return (
    <div ref={box} className={styles.box}>
      {list.length === 0 && empty}
      <div
        role={list.length > 0 ? "tree" : undefined}
        aria-label={list.length > 0 ? t("tree.label") : undefined}
        aria-multiselectable={editing && list.length > 0 ? true : undefined}
        className={styles.tree}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onPointerDown={drag.onPointerDown}
        data-dragging={drag.dragging || undefined}
      >
        {virtual.getVirtualItems().map((item) => {
          const row = list[item.index];
          return (
            row && (
              <TreeRow
                key={row.page.id}
                row={row}
                index={item.index}
                top={item.start}
                height={height}
                current={row.page.id === current}
                tabbable={item.index === at}
                changed={changed?.has(row.page.id) ?? false}
                people={people?.get(row.page.id) ?? alone}
                href={readable(row.page) ? href(row.page) : (row.page.href ?? undefined)}
                onActivate={activate}
                selected={editing ? selection.ids.has(row.page.id) : undefined}
                onSelect={editing ? onSelect : undefined}
                onToggle={toggle}
                onMenu={rowEditing.editable(row.page) ? rowEditing.onMenu : undefined}
                title={
                  rowEditing.renamed?.pages[0].id === row.page.id
                    ? rowEditing.renamed.title
                    : label(row.page) || t("tree.untitled")
                }
                onNamed={rowEditing.naming === row.page.id ? (title) => rowEditing.onNamed(row.page, title) : undefined}
              />
            )
          );
        })}
        {drag.mark}
      </div>
      {drag.follower}
      {rowEditing.overlays}
    </div>
  );
}

function indexOf(list: Row[], id: string | undefined): number | undefined {
  if (id === undefined) return undefined;
  const index = list.findIndex((row) => row.page.id === id);
  return index < 0 ? undefined : index;
}

// turned is the key as it is meant: where text runs from right to left, left opens and right closes.
function turned(event: KeyboardEvent): string {
  if (getComputedStyle(event.currentTarget).direction !== "rtl") return event.key;
  return { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" }[event.key] ?? event.key;
}
