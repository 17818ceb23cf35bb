import {
  ArrowDown,
  ArrowRightLeft,
  ArrowUp,
  CopyPlus,
  Eye,
  EyeOff,
  FilePlus,
  IndentDecrease,
  IndentIncrease,
  Pencil,
  Settings2,
  SquareCheck,
  Trash2,
} from "lucide-react";
import { MenuAt, MenuItem, MenuSeparator } from "../look/Menu";
import { keysOf } from "../look/shortcuts";
import { t } from "../words/words";
import { holds, movesOf, type Move } from "./arrange";
import type { Page } from "./queries";
import type { Source } from "./sources";
import { label } from "./tree";
import { useSourceOf } from "./useSourceOf";

export type RowActions = {
  onInside: (page: Page) => void;
  onRename: (page: Page) => void;
  onSelect: (page: Page) => void;
  onDuplicate: (pages: Page[]) => void;
  onMove: (pages: Page[], move: Move) => void;
  onTransfer: (pages: Page[]) => void;
  onHide: (pages: Page[], hidden: boolean) => void;
  onDelete: (pages: Page[]) => void;
  // Opens the settings of what an integration makes a page from; the page is as it is kept.
  onSource: (page: Page, source: Source) => void;
};

type Props = RowActions & {
  space: string;
  change: number | undefined;
  // One page, or those that are selected.
  pages: Page[];
  // All pages of the space, also while a filter hides some.
  roots: Page[];
  anchor: { getBoundingClientRect: () => DOMRect };
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
};

// RowMenu is what can be done with a page in the tree, or with several.
export function RowMenu({ space, change, pages, roots, anchor, onClose, finalFocus, ...act }: Props) {
  const [first] = pages;
  const one = pages.length === 1 ? first : undefined;
  const from = useSourceOf(space, change, one);
  const hidden = pages.every((page) => page.hidden === true);
  const ids = pages.map(({ id }) => id);
  const move = (to: Move) => ({ disabled: movesOf(roots, ids, to).length === 0, onClick: () => act.onMove(pages, to) });
  return (
    <MenuAt
      label={one ? `${t("tree.menu")}: ${label(one)}` : t("tree.menuAll", { count: pages.length })}
      anchor={anchor}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      {one && holds(one) && (
        <MenuItem icon={<FilePlus />} onClick={() => act.onInside(one)}>
          {t("tree.inside")}
        </MenuItem>
      )}
      {one && (
        <MenuItem icon={<Pencil />} keys={keysOf("renamePage")} onClick={() => act.onRename(one)}>
          {t("tree.rename")}
        </MenuItem>
      )}
      {from && (
        <MenuItem icon={<Settings2 />} onClick={() => act.onSource(from.kept, from.source)}>
          {t("source.change")}
        </MenuItem>
      )}
      {one && (
        <MenuItem icon={<SquareCheck />} keys={keysOf("selectPage")} onClick={() => act.onSelect(one)}>
          {t("tree.select")}
        </MenuItem>
      )}
      {pages.every((page) => page.type === "document" || page.type === "link") && (
        <MenuItem icon={<CopyPlus />} onClick={() => act.onDuplicate(pages)}>
          {t("tree.duplicate")}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<ArrowUp />} keys={keysOf("pageUp")} {...move("up")}>
        {t("blocks.up")}
      </MenuItem>
      <MenuItem icon={<ArrowDown />} keys={keysOf("pageDown")} {...move("down")}>
        {t("blocks.down")}
      </MenuItem>
      <MenuItem icon={<IndentIncrease />} keys={keysOf("nestPage")} {...move("nest")}>
        {t("tree.nest")}
      </MenuItem>
      <MenuItem icon={<IndentDecrease />} keys={keysOf("liftPage")} {...move("lift")}>
        {t("tree.lift")}
      </MenuItem>
      <MenuItem icon={<ArrowRightLeft />} onClick={() => act.onTransfer(pages)}>
        {t("tree.transfer")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={hidden ? <Eye /> : <EyeOff />} onClick={() => act.onHide(pages, !hidden)}>
        {t(hidden ? "tree.show" : "tree.hide")}
      </MenuItem>
      <MenuItem danger icon={<Trash2 />} keys={keysOf("deletePage")} onClick={() => act.onDelete(pages)}>
        {t("tree.delete")}
      </MenuItem>
    </MenuAt>
  );
}
