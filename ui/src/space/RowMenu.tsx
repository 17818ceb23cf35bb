import { ArrowDown, ArrowUp, CopyPlus, Eye, EyeOff, FilePlus, IndentDecrease, IndentIncrease, Pencil, Trash2 } from "lucide-react";
import { MenuAt, MenuItem, MenuSeparator } from "../look/Menu";
import { keysOf } from "../look/shortcuts";
import { t } from "../words/words";
import { holds, moved, type Move } from "./arrange";
import type { Page } from "./queries";
import { label } from "./tree";

export type RowActions = {
  onInside: (page: Page) => void;
  onRename: (page: Page) => void;
  onDuplicate: (page: Page) => void;
  onMove: (page: Page, move: Move) => void;
  onHide: (page: Page, hidden: boolean) => void;
  onDelete: (page: Page) => void;
};

type Props = RowActions & {
  page: Page;
  // All pages of the space, also while a filter hides some.
  roots: Page[];
  anchor: { getBoundingClientRect: () => DOMRect };
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
};

// RowMenu is what can be done with a page in the tree.
export function RowMenu({ page, roots, anchor, onClose, finalFocus, ...act }: Props) {
  const hidden = page.hidden === true;
  const move = (to: Move) => ({ disabled: !moved(roots, page.id, to), onClick: () => act.onMove(page, to) });
  return (
    <MenuAt label={`${t("tree.menu")}: ${label(page)}`} anchor={anchor} onClose={onClose} finalFocus={finalFocus}>
      {holds(page) && (
        <MenuItem icon={<FilePlus />} onClick={() => act.onInside(page)}>
          {t("tree.inside")}
        </MenuItem>
      )}
      <MenuItem icon={<Pencil />} keys={keysOf("renamePage")} onClick={() => act.onRename(page)}>
        {t("tree.rename")}
      </MenuItem>
      {(page.type === "document" || page.type === "link") && (
        <MenuItem icon={<CopyPlus />} onClick={() => act.onDuplicate(page)}>
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
      <MenuSeparator />
      <MenuItem icon={hidden ? <Eye /> : <EyeOff />} onClick={() => act.onHide(page, !hidden)}>
        {t(hidden ? "tree.show" : "tree.hide")}
      </MenuItem>
      <MenuItem danger icon={<Trash2 />} keys={keysOf("deletePage")} onClick={() => act.onDelete(page)}>
        {t("tree.delete")}
      </MenuItem>
    </MenuAt>
  );
}
