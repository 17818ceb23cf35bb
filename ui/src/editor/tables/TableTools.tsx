// The handles of the table with the cursor or the mouse: of its column, its row and the whole, each with a menu. On a
// phone they stand in a bar above the keyboard.
import { GripHorizontal, GripVertical, Plus, Settings2, X } from "lucide-react";
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactElement,
} from "react";
import { TextSelection } from "@tiptap/pm/state";
import { IconButton } from "../../look/Button";
import { Menu } from "../../look/Menu";
import { useMedia } from "../../look/useMedia";
import { t } from "../../words/words";
import type { Session } from "../session";
import { ColumnMenu } from "./ColumnMenu";
import { insertColumn, insertRow } from "./commands";
import { currentCell, goTo, cellAt, rectOf, selectPart } from "./grid";
import { noteKey, say } from "./note";
import { RowMenu } from "./RowMenu";
import { TableMenu } from "./TableMenu";
import styles from "./TableTools.module.css";
import { useCell, type Place } from "./useCell";

type Handle = "column" | "row" | "table";

// How broad the bars along the edges are.
const edge = 16;
// Above is the header of the page.
const highest = 64;

export function TableTools({ session }: { session: Session }) {
  const [open, setOpen] = useState<Handle | null>(null);
  const docked = useMedia("(max-width: 40rem)");
  const { view } = session;
  const { state, place } = useCell(session, open !== null);
  const note = useSyncExternalStore(session.subscribe, () => noteKey.getState(session.state()) ?? "");
  const tools = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = tools.current;
    if (!element || !place) return;
    const set = () => (docked ? dock(element) : stand(element, place));
    set();
    window.addEventListener("scroll", set, true);
    window.addEventListener("resize", set);
    window.visualViewport?.addEventListener("resize", set);
    return () => {
      window.removeEventListener("scroll", set, true);
      window.removeEventListener("resize", set);
      window.visualViewport?.removeEventListener("resize", set);
    };
  });

  // From a cell the handles are reached as toolbars of editors are.
  useEffect(() => {
    const reach = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "F10" || !event.altKey || !view.dom.contains(event.target as Node)) return;
      event.preventDefault();
      tools.current?.querySelector("button")?.focus();
    };
    document.addEventListener("keydown", reach);
    return () => document.removeEventListener("keydown", reach);
  }, [view]);

  const said = (
    <div role="status" className={styles.note} data-shown={note !== "" || undefined}>
      {note}
      {note && (
        <IconButton label={t("look.close")} onClick={() => say(view, "")}>
          <X />
        </IconButton>
      )}
    </div>
  );
  if (!state || !place) return said;
  const words = state.selection instanceof TextSelection && !state.selection.empty;
  if (!view.editable || (docked && (words || currentCell(state) === null))) return said;

  // A menu acts on what its handle stands at, unless that is selected among others.
  const begin = (handle: Handle) => {
    const rect = rectOf(view.state);
    const here = rect?.tableStart === place.tablePos + 1 ? rect : null;
    const table = view.state.doc.nodeAt(place.tablePos);
    if (!table) return;
    const { tr } = view.state;
    const { row, column, tablePos } = place;
    const columns = table.child(0).childCount;
    const cells = view.state.selection instanceof TextSelection ? null : here;
    if (handle === "table") {
      if (!here) view.dispatch(goTo(tr, cellAt(tr.doc, tablePos, row, column)));
    } else if (handle === "row") {
      const whole = cells && cells.left === 0 && cells.right === columns && row >= cells.top && row < cells.bottom;
      if (!whole) view.dispatch(selectPart(tr, tablePos, row, 0, row + 1, columns));
    } else {
      const whole =
        cells && cells.top === 0 && cells.bottom === table.childCount && column >= cells.left && column < cells.right;
      if (!whole) view.dispatch(selectPart(tr, tablePos, 0, column, table.childCount, column + 1));
    }
  };
  const menu = (handle: Handle, label: string, icon: ReactElement, body: ReactElement) => (
    <div className={styles.handle} data-handle={handle}>
      <Menu
        align={handle === "table" ? "end" : "start"}
        open={open === handle}
        returnsFocus={false}
        onOpenChange={(next) => {
          if (next) begin(handle);
          else view.focus();
          setOpen(next ? handle : null);
        }}
        trigger={
          <IconButton label={label}>
            {icon}
            {docked && <span className={styles.word}>{label}</span>}
          </IconButton>
        }
      >
        {body}
      </Menu>
    </div>
  );
  // A row or a column at the end, one press away.
  const add = (what: "row" | "column") => {
    const table = view.state.doc.nodeAt(place.tablePos);
    if (!table) return;
    const last =
      what === "row"
        ? cellAt(view.state.doc, place.tablePos, table.childCount - 1, 0)
        : cellAt(view.state.doc, place.tablePos, 0, table.child(0).childCount - 1);
    view.dispatch(goTo(view.state.tr, last));
    (what === "row" ? insertRow : insertColumn)("after")(view.state, view.dispatch, view);
    view.focus();
  };
  const adder = (what: "row" | "column") => (
    <div className={styles.adder} data-handle={`add-${what}`}>
      <IconButton label={t(`editor.table.${what}.add`)} onClick={() => add(what)}>
        <Plus />
      </IconButton>
    </div>
  );
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!(event.target as Element).closest("[data-handle]")) return;
    if (event.key === "Escape") return view.focus();
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-handle] button")];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (!by || at < 0) return;
    event.preventDefault();
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  return (
    <>
      {said}
      <div
        ref={tools}
        role="toolbar"
        aria-label={t("editor.table.tools")}
        data-table-tools=""
        data-docked={docked || undefined}
        className={styles.tools}
        onKeyDown={walk}
        onMouseDown={(event) => event.preventDefault()}
      >
        {!place.cards && menu("column", t("editor.table.column"), <GripHorizontal />, <ColumnMenu view={view} />)}
        {place.row > 0 &&
          menu(
            "row",
            t(place.cards ? "editor.table.card" : "editor.table.row"),
            <GripVertical />,
            <RowMenu view={view} />,
          )}
        {!docked && !place.cards && adder("column")}
        {!docked && !place.cards && adder("row")}
        {menu("table", t("editor.table"), <Settings2 />, <TableMenu view={view} />)}
      </div>
    </>
  );
}

// dock puts the handles above the keyboard.
function dock(element: HTMLElement): void {
  const viewport = window.visualViewport;
  element.style.top = `${(viewport ? viewport.offsetTop + viewport.height : window.innerHeight) - element.offsetHeight}px`;
}

// stand puts each handle where it belongs: above its column, beside its row, at the corner of the table.
function stand(element: HTMLElement, { scroll, line, title, cards }: Place): void {
  element.style.top = "";
  const box = scroll.getBoundingClientRect();
  const row = line.getBoundingClientRect();
  const column = title.getBoundingClientRect();
  const rtl = getComputedStyle(scroll).direction === "rtl";
  const put = (name: Handle, x: number, y: number, shown: boolean) => {
    const handle = element.querySelector<HTMLElement>(`[data-handle="${name}"]`);
    if (!handle) return;
    handle.style.left = `${Math.round(x - handle.offsetWidth / 2)}px`;
    handle.style.top = `${Math.round(y - handle.offsetHeight / 2)}px`;
    handle.style.visibility = shown ? "" : "hidden";
  };
  // The handles of a long table stay in sight, below the header of the page.
  const seen = box.bottom > highest;
  const below = (y: number) => Math.max(y, highest);
  const middle = (column.left + column.right) / 2;
  put("column", middle, below(box.top), seen && middle > box.left && middle < box.right);
  if (cards)
    put(
      "row",
      rtl ? row.left + 20 : row.right - 20,
      row.top + 20,
      row.top + 20 > highest && row.right > box.left && row.left < box.right,
    );
  else
    put(
      "row",
      rtl ? box.right : box.left,
      (row.top + row.bottom) / 2,
      (row.top + row.bottom) / 2 > highest && row.bottom > box.top && row.top < box.bottom,
    );
  // What adds to the table lies along its edges, below the row of titles, beside which its comments are.
  const along = (name: string, at: DOMRect, shown: boolean, near: boolean) => {
    const bar = element.querySelector<HTMLElement>(`[data-handle="${name}"]`);
    if (!bar) return;
    Object.assign(bar.style, {
      left: `${at.left}px`,
      top: `${at.top}px`,
      width: `${at.width}px`,
      height: `${at.height}px`,
      visibility: shown ? "" : "hidden",
    });
    bar.toggleAttribute("data-near", near);
  };
  const titles = below(column.bottom);
  along(
    "add-column",
    new DOMRect(rtl ? box.left - edge : box.right, titles, edge, Math.max(0, box.bottom - titles)),
    box.bottom - titles > edge,
    title.nextElementSibling === null,
  );
  along(
    "add-row",
    new DOMRect(box.left, box.bottom, box.width, edge),
    box.bottom > highest,
    line.nextElementSibling === null,
  );
  put("table", rtl ? box.left + 14 : box.right - 14, below(box.top - 20), seen);
}
