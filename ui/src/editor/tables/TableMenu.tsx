// How a table shows, and what can be done with the selected cells and the whole.
import { Combine, Eraser, Split, Trash2 } from "lucide-react";
import type { EditorView } from "@tiptap/pm/view";
import { MenuCheck, MenuChoice, MenuChoices, MenuItem, MenuSeparator, Submenu } from "../../look/Menu";
import { t } from "../../words/words";
import type { View } from "../nodes/tables";
import { clear, deleteTable, merge, setTableData, setView, show, split } from "./commands";
import { rectOf } from "./grid";
import { runner } from "./RowMenu";

const searches = ["auto", "on", "off"] as const;

export function TableMenu({ view }: { view: EditorView }) {
  const rect = rectOf(view.state);
  if (!rect) return null;
  const shown = rect.table.attrs["view"] as View;
  const { fullWidth, search } = rect.table.attrs["data"] as { fullWidth?: boolean; search?: boolean };
  const run = runner(view);
  const act = (command: Parameters<typeof run>[0]) => run(command).onClick();
  const cards = shown.type === "cards";
  const merging = run(merge);
  const splitting = run(split);
  return (
    <>
      <MenuChoices
        label={t("editor.table.show")}
        value={shown.type}
        onChange={(type) => type !== shown.type && act(show(type as View["type"]))}
      >
        <MenuChoice value="grid">{t("editor.table.grid")}</MenuChoice>
        <MenuChoice value="cards">{t("editor.table.cards")}</MenuChoice>
      </MenuChoices>
      <MenuSeparator />
      {cards ? (
        <>
          <MenuCheck
            checked={shown.cardSize === "large"}
            onChange={(on) => act(setView({ cardSize: on ? "large" : "medium" }))}
          >
            {t("editor.table.large")}
          </MenuCheck>
          <MenuCheck checked={shown.wrap === false} onChange={(on) => act(setView({ wrap: on ? false : undefined }))}>
            {t("editor.table.oneRow")}
          </MenuCheck>
          <MenuCheck
            checked={shown.hideColumnTitle !== false}
            onChange={(on) => act(setView({ hideColumnTitle: on ? undefined : false }))}
          >
            {t("editor.table.titles.hide")}
          </MenuCheck>
        </>
      ) : (
        <>
          <MenuCheck checked={shown.hideHeader} onChange={(on) => act(setView({ hideHeader: on }))}>
            {t("editor.table.header.hide")}
          </MenuCheck>
          <MenuCheck
            checked={shown.stickyHeader === true}
            onChange={(on) => act(setView({ stickyHeader: on || undefined }))}
          >
            {t("editor.table.header.sticky")}
          </MenuCheck>
          <MenuCheck
            checked={shown.stickyFirstColumn === true}
            onChange={(on) => act(setView({ stickyFirstColumn: on || undefined }))}
          >
            {t("editor.table.first.sticky")}
          </MenuCheck>
        </>
      )}
      <MenuCheck checked={fullWidth === true} onChange={(on) => act(setTableData({ fullWidth: on || undefined }))}>
        {t("editor.table.full")}
      </MenuCheck>
      <Submenu label={t("editor.table.search")}>
        <MenuChoices
          value={search === undefined ? "auto" : search ? "on" : "off"}
          onChange={(value) => act(setTableData({ search: value === "auto" ? undefined : value === "on" }))}
        >
          {searches.map((each) => (
            <MenuChoice key={each} value={each}>{t(`editor.table.search.${each}`)}</MenuChoice>
          ))}
        </MenuChoices>
      </Submenu>
      <MenuSeparator />
      {!merging.disabled && (
        <MenuItem icon={<Combine aria-hidden />} {...merging}>
          {t("editor.table.merge")}
        </MenuItem>
      )}
      {!splitting.disabled && (
        <MenuItem icon={<Split aria-hidden />} {...splitting}>
          {t("editor.table.split")}
        </MenuItem>
      )}
      <MenuItem icon={<Eraser aria-hidden />} {...run(clear)}>
        {t("editor.table.empty")}
      </MenuItem>
      <MenuItem danger icon={<Trash2 aria-hidden />} {...run(deleteTable)}>
        {t("editor.table.delete")}
      </MenuItem>
    </>
  );
}
