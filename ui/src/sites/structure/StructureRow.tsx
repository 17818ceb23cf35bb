import {
  ArrowDown,
  ArrowRightFromLine,
  ArrowRightToLine,
  ArrowUp,
  Columns3,
  Ellipsis,
  FolderTree,
  Languages,
  NotebookText,
  Palette,
  Pencil,
  Star,
  Trash2,
} from "lucide-react";
import { Link } from "@tanstack/react-router";
import { type DragEvent, type KeyboardEvent, useState } from "react";
import { api, done, taken } from "../../api/client";
import { AskDialog } from "../../look/AskDialog";
import { IconButton } from "../../look/Button";
import { Menu, MenuItem, MenuSeparator, Submenu } from "../../look/Menu";
import { keysOf } from "../../look/shortcuts";
import { emojiText } from "../../space/tree";
import { t } from "../../words/words";
import { at, root } from "../queries";
import { useShown } from "../shown";
import { destinations, dropped, type Move, type Row, type Where } from "./rows";
import type { Dragged } from "./Structure";
import styles from "./Structure.module.css";

type Props = {
  row: Row;
  rows: Row[];
  dragged: Dragged | undefined;
  onDrag: (dragged: Dragged | undefined) => void;
  onDrop: (on: Row, where: Where) => void;
  onStep: (way: "up" | "down") => void;
  onMove: (move: Move) => void;
  onEdit: () => void;
};

// StructureRow is a section, a group or a space of a site, with what can be done with it.
export function StructureRow({ row, rows, dragged, onDrag, onDrop, onStep, onMove, onEdit }: Props) {
  const { organization, site, change } = useShown();
  const [removing, remove] = useState(false);
  const path = at(organization, site.id);
  const { edit } = site.permissions;
  const answers = row.kind === "site-section-group" ? false : row.of.default;
  const into = destinations(rows, row);
  const makeFirst = () =>
    change.mutate(() => {
      if (row.kind === "site-space" && row.parent)
        return taken(
          api.PATCH(`${root}/sections/{siteSectionId}`, {
            params: { path: { ...path, siteSectionId: row.parent } },
            body: { defaultSiteSpace: row.id },
          }),
        );
      return taken(
        api.PATCH(root, {
          params: { path },
          body: row.kind === "site-section" ? { defaultSiteSection: row.id } : { defaultSiteSpace: row.id },
        }),
      );
    });
  const takeOff = () =>
    change.mutate(() => {
      if (row.kind === "site-space")
        return done(
          api.DELETE(`${root}/site-spaces/{siteSpaceId}`, { params: { path: { ...path, siteSpaceId: row.id } } }),
        );
      if (row.kind === "site-section")
        return done(
          api.DELETE(`${root}/sections/{siteSectionId}`, { params: { path: { ...path, siteSectionId: row.id } } }),
        );
      return done(
        api.DELETE(`${root}/section-groups/{siteSectionGroupId}`, {
          params: { path: { ...path, siteSectionGroupId: row.id } },
        }),
      );
    });
  const whereIn = (event: DragEvent): Where => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientY - top) / height;
    const ways: Where[] =
      part < 0.3
        ? ["before", "inside"]
        : part > 0.7
          ? ["after", "inside"]
          : ["inside", part < 0.5 ? "before" : "after"];
    return ways.find((each) => dragged && dropped(rows, dragged.row, row, each)) ?? "inside";
  };
  const drag = {
    draggable: edit,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", row.title);
      onDrag({ row });
    },
    onDragEnd: () => onDrag(undefined),
    onDragOver: (event: DragEvent) => {
      if (!dragged) return;
      const where = whereIn(event);
      if (!dropped(rows, dragged.row, row, where)) return;
      event.preventDefault();
      if (dragged.over !== row.id || dragged.where !== where) onDrag({ row: dragged.row, over: row.id, where });
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      onDrop(row, whereIn(event));
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys = `${event.altKey ? "Alt+" : ""}${event.key}`;
    if (keys === keysOf("pageUp")) onStep("up");
    else if (keys === keysOf("pageDown")) onStep("down");
    else return;
    event.preventDefault();
  };
  const icon =
    row.kind === "site-space" ? (
      row.of.space.emoji ? (
        <span aria-hidden>{emojiText(row.of.space.emoji)}</span>
      ) : (
        <NotebookText aria-hidden />
      )
    ) : row.kind === "site-section" ? (
      <Columns3 aria-hidden />
    ) : (
      <FolderTree aria-hidden />
    );
  return (
    <li
      className={styles.row}
      data-kind={row.kind}
      data-over={dragged?.over === row.id ? dragged.where : undefined}
      data-dragged={dragged?.row.id === row.id || undefined}
      style={{ "--level": row.level - 1 } as React.CSSProperties}
      {...drag}
    >
      {icon}
      <button
        type="button"
        className={styles.name}
        disabled={!edit}
        onClick={onEdit}
        onKeyDown={onKeyDown}
        draggable={false}
      >
        <span className="visually-hidden">{t(`siteStructure.kind.${row.kind}`)} </span>
        {row.title}
      </button>
      {row.kind !== "site-section-group" && <span className={styles.path}>/{row.of.path}</span>}
      {row.kind === "site-space" && row.of.space.language && (
        <span className={styles.badge}>{row.of.space.language}</span>
      )}
      {answers && <span className={styles.badge}>{t("sites.default")}</span>}
      {row.kind !== "site-section-group" && row.of.condition && (
        <span className={styles.badge}>{t("siteStructure.conditional")}</span>
      )}
      {edit && (
        <Menu
          trigger={
            <IconButton label={t("files.menu", { name: row.title })} className={styles.more!}>
              <Ellipsis />
            </IconButton>
          }
        >
          <MenuItem icon={<Pencil />} onClick={onEdit}>
            {t("siteStructure.edit")}
          </MenuItem>
          <MenuItem icon={<ArrowUp />} keys={keysOf("pageUp")} disabled={row.index === 0} onClick={() => onStep("up")}>
            {t("blocks.up")}
          </MenuItem>
          <MenuItem
            icon={<ArrowDown />}
            keys={keysOf("pageDown")}
            disabled={row.index === row.siblings - 1}
            onClick={() => onStep("down")}
          >
            {t("blocks.down")}
          </MenuItem>
          {into.length > 0 && (
            <Submenu icon={<ArrowRightToLine />} label={t("siteStructure.into")}>
              {into.map((each) => (
                <MenuItem key={each.id} onClick={() => onMove(dropped(rows, row, each, "inside")!)}>
                  {each.title}
                </MenuItem>
              ))}
            </Submenu>
          )}
          {row.kind === "site-section" && row.parent && (
            <MenuItem icon={<ArrowRightFromLine />} onClick={() => onMove({ kind: "out", group: row.parent })}>
              {t("siteStructure.out")}
            </MenuItem>
          )}
          {row.kind !== "site-section-group" && (
            <MenuItem icon={<Star />} disabled={answers} onClick={makeFirst}>
              {t("sites.makeDefault")}
            </MenuItem>
          )}
          {row.kind === "site-space" && (
            <>
              <MenuItem
                icon={<Palette />}
                render={
                  <Link
                    to="/orgs/$organization/sites/$site/look"
                    params={{ organization, site: site.id }}
                    search={{ space: row.id }}
                  />
                }
              >
                {t("siteStructure.look")}
              </MenuItem>
              <MenuItem
                icon={<Languages />}
                render={<Link to="/spaces/$space/translations" params={{ space: row.of.space.id }} />}
              >
                {t("translations.title")}
              </MenuItem>
            </>
          )}
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 />} onClick={() => (row.kind === "site-space" ? takeOff() : remove(true))}>
            {t(row.kind === "site-section-group" ? "siteStructure.ungroup" : "sites.takeOff")}
          </MenuItem>
        </Menu>
      )}
      {removing && (
        <AskDialog
          title={t("siteStructure.remove", { title: row.title })}
          text={t(`siteStructure.remove.${row.kind === "site-section" ? "section" : "group"}`)}
          action={t(row.kind === "site-section-group" ? "siteStructure.ungroup" : "sites.takeOff")}
          onClose={() => remove(false)}
          onYes={() => {
            remove(false);
            takeOff();
          }}
        />
      )}
    </li>
  );
}
