// What can be done with the selected columns.
import {
  AlignLeft,
  ArrowDownAZ,
  ArrowLeft,
  ArrowRight,
  ArrowUpZA,
  ChevronLeft,
  ChevronRight,
  Copy,
  EyeOff,
  ImageIcon,
  Layers,
  Link,
  Moon,
  MoveHorizontal,
  Shapes,
  Star,
  Trash2,
} from "lucide-react";
import type { EditorView } from "@tiptap/pm/view";
import { MenuCheck, MenuChoice, MenuChoices, MenuItem, MenuSeparator, Submenu } from "../../look/Menu";
import { t } from "../../words/words";
import { columnOf, type View } from "../nodes/tables";
import {
  align,
  deleteColumns,
  duplicateColumns,
  insertColumn,
  moveColumns,
  setColumn,
  setHidden,
  setRole,
  setType,
  setWidth,
  sortRows,
} from "./commands";
import { cellAt, rectOf, titlesOf } from "./grid";
import { say } from "./note";
import { runner } from "./RowMenu";
import { columnTypes, type ColumnType } from "./values";

const step = 40;
const stars = [3, 4, 5, 6, 10];

export function ColumnMenu({ view }: { view: EditorView }) {
  const rect = rectOf(view.state);
  const title = rect && titlesOf(rect.table)[rect.left];
  if (!rect || !title) return null;
  const run = runner(view);
  const act = (command: Parameters<typeof run>[0]) => run(command).onClick();
  const column = columnOf(title);
  const cards = (rect.table.attrs["view"] as View).type === "cards";
  const { hidden, target, cover, coverDark, width } = title.attrs;
  const drawn = () => {
    const dom = view.nodeDOM(cellAt(view.state.doc, rect.tableStart - 1, 0, rect.left));
    return (width as number | null) ?? (dom instanceof HTMLElement ? dom.offsetWidth : 160);
  };
  const retype = (type: string) =>
    act(setType(type as ColumnType, (count) => say(view, t("editor.table.lost", { count }))));
  return (
    <>
      <MenuItem icon={<ArrowLeft aria-hidden />} {...run(insertColumn("before"))}>
        {t("editor.table.column.before")}
      </MenuItem>
      <MenuItem icon={<ArrowRight aria-hidden />} {...run(insertColumn("after"))}>
        {t("editor.table.column.after")}
      </MenuItem>
      <MenuItem icon={<Copy aria-hidden />} {...run(duplicateColumns)}>
        {t("editor.table.column.duplicate")}
      </MenuItem>
      <MenuItem icon={<ChevronLeft aria-hidden />} {...run(moveColumns(-1))}>
        {t("editor.table.column.back")}
      </MenuItem>
      <MenuItem icon={<ChevronRight aria-hidden />} {...run(moveColumns(1))}>
        {t("editor.table.column.on")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<ArrowDownAZ aria-hidden />} {...run(sortRows(1))}>{t("editor.table.sort.up")}</MenuItem>
      <MenuItem icon={<ArrowUpZA aria-hidden />} {...run(sortRows(-1))}>{t("editor.table.sort.down")}</MenuItem>
      <MenuSeparator />
      <Submenu label={t("editor.table.type")} icon={<Shapes aria-hidden />}>
        <MenuChoices value={column.type} onChange={retype}>
          {columnTypes.map((type) => (
            <MenuChoice key={type} value={type}>{t(`editor.table.type.${type}`)}</MenuChoice>
          ))}
        </MenuChoices>
      </Submenu>
      {column.type === "text" && (
        <Submenu label={t("editor.table.align")} icon={<AlignLeft aria-hidden />}>
          <MenuChoices value={column.textAlignment ?? "left"} onChange={(value) => act(align(value))}>
            {(["left", "center", "right"] as const).map((side) => (
              <MenuChoice key={side} value={side}>{t(`editor.table.align.${side}`)}</MenuChoice>
            ))}
          </MenuChoices>
        </Submenu>
      )}
      <Submenu label={t("editor.table.width")} icon={<MoveHorizontal aria-hidden />}>
        <MenuItem {...run(setWidth(Math.min(Math.round(drawn()) + step, 2000)))} closeOnClick={false}>
          {t("editor.table.wider")}
        </MenuItem>
        <MenuItem {...run(setWidth(Math.max(Math.round(drawn()) - step, 48)))} closeOnClick={false}>
          {t("editor.table.narrower")}
        </MenuItem>
        <MenuItem {...run(setWidth(null))} disabled={width === null}>
          {t("editor.table.width.reset")}
        </MenuItem>
      </Submenu>
      {column.type === "rating" && (
        <Submenu label={t("editor.table.stars")} icon={<Star aria-hidden />}>
          <MenuChoices value={String(column.max ?? 5)} onChange={(value) => act(setColumn({ max: Number(value) }))}>
            {[...new Set([...stars, column.max ?? 5])].sort((a, b) => a - b).map((count) => (
              <MenuChoice key={count} value={String(count)}>{count}</MenuChoice>
            ))}
          </MenuChoices>
        </Submenu>
      )}
      {(column.type === "select" || column.type === "users") && (
        <MenuCheck
          icon={<Layers aria-hidden />}
          checked={column.multiple === true}
          onChange={(multiple) => act(setColumn({ multiple }))}
        >
          {t("editor.table.several")}
        </MenuCheck>
      )}
      <MenuCheck icon={<EyeOff aria-hidden />} checked={hidden} onChange={(on) => act(setHidden(on))}>
        {t("editor.table.column.hide")}
      </MenuCheck>
      {cards && column.type === "content-ref" && (
        <MenuCheck icon={<Link aria-hidden />} checked={target} onChange={(on) => act(setRole("target", on))}>
          {t("editor.table.target.use")}
        </MenuCheck>
      )}
      {cards && /^(image|files)$/.test(column.type) && (
        <>
          <MenuCheck icon={<ImageIcon aria-hidden />} checked={cover} onChange={(on) => act(setRole("cover", on))}>
            {t("editor.table.cover.use")}
          </MenuCheck>
          <MenuCheck icon={<Moon aria-hidden />} checked={coverDark} onChange={(on) => act(setRole("coverDark", on))}>
            {t("editor.table.coverDark.use")}
          </MenuCheck>
        </>
      )}
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 aria-hidden />} {...run(deleteColumns)}>
        {t("editor.table.column.delete")}
      </MenuItem>
    </>
  );
}
