// The menu of the selected blocks: what can be done with all of them, and the options of one.
import {
  ArrowDown,
  ArrowUp,
  Copy,
  Link as LinkIcon,
  MessageSquare,
  RefreshCw,
  Repeat2,
  Settings2,
  SquareDashed,
  Trash2,
} from "lucide-react";
import { useSyncExternalStore } from "react";
import type { Command } from "@tiptap/pm/state";
import { MenuAt, MenuItem, MenuSeparator, Submenu } from "../../look/Menu";
import { copy } from "../../look/copy";
import { keysOf } from "../../look/shortcuts";
import { t } from "../../words/words";
import { askAboutBlock, commented } from "../comments";
import { makeReusable } from "../forms/reusable";
import { icons } from "../icons";
import { anchorBefore } from "./anchor";
import { duplicate, move, removeBlocks } from "./change";
import type { Handling } from "./handling";
import { kindName } from "./kinds";
import { openOptions, optionsOf } from "./options";
import { turn, turns } from "./turn";
import { isItem, nodesOf, selectedRange, unitsAround } from "./units";

export function BlockMenu({ handling }: { handling: Handling }) {
  const menu = useSyncExternalStore(handling.subscribe, handling.menu);
  const { view } = handling;
  const range = menu && selectedRange(view.state);
  if (!menu || !range) return null;
  const nodes = nodesOf(range);
  const one = nodes.length === 1 ? nodes[0]! : null;
  const able = (command: Command) => command(view.state);
  const run = (command: Command) => () => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const anchor = anchorBefore(view.state.doc, range.from);
  const copyLink = () => void copy(`${location.origin}${location.pathname}${anchor ? `#${anchor}` : ""}`);
  // A numbered list is reached through its items.
  const configured =
    one && optionsOf(one) ? range.from : one && isItem(one) && optionsOf(range.parent) ? range.inside - 1 : null;
  const turnable = turns.filter(({ name }) => able(turn(name)));
  const containers = unitsAround(view.state.doc, range.from);
  const comments = one && commented(view).ask;
  return (
    <MenuAt label={t("blocks.menu")} anchor={menu.anchor} onClose={handling.closeMenu} finalFocus={() => view.dom}>
      {turnable.length > 0 && (
        <Submenu icon={<RefreshCw aria-hidden />} label={t("editor.turn")}>
          {turnable.map(({ name, icon, title }) => {
            const Icon = icons[icon]!;
            return (
              <MenuItem key={name} icon={<Icon aria-hidden />} onClick={run(turn(name))}>
                {t(title)}
              </MenuItem>
            );
          })}
        </Submenu>
      )}
      {configured !== null && (
        <MenuItem icon={<Settings2 aria-hidden />} onClick={() => openOptions(view, configured)}>
          {t("blocks.options", { kind: kindName(view.state.doc.nodeAt(configured)!) })}
        </MenuItem>
      )}
      <MenuItem icon={<Copy aria-hidden />} keys={keysOf("duplicate")} onClick={run(duplicate)}>
        {t("blocks.duplicate")}
      </MenuItem>
      <MenuItem
        icon={<ArrowUp aria-hidden />}
        keys={keysOf("moveUp")}
        disabled={!able(move(-1))}
        onClick={run(move(-1))}
      >
        {t("blocks.up")}
      </MenuItem>
      <MenuItem
        icon={<ArrowDown aria-hidden />}
        keys={keysOf("moveDown")}
        disabled={!able(move(1))}
        onClick={run(move(1))}
      >
        {t("blocks.down")}
      </MenuItem>
      <MenuItem icon={<LinkIcon aria-hidden />} onClick={copyLink}>
        {t("blocks.link")}
      </MenuItem>
      {comments && (
        <MenuItem
          icon={<MessageSquare aria-hidden />}
          keys={keysOf("comment")}
          onClick={() => askAboutBlock(view, range.from)}
        >
          {t("blocks.comment")}
        </MenuItem>
      )}
      {able(makeReusable) && (
        <MenuItem icon={<Repeat2 aria-hidden />} onClick={() => makeReusable(view.state, view.dispatch, view)}>
          {t("editor.reusable.make")}
        </MenuItem>
      )}
      {containers.map(({ node, pos }) => (
        <MenuItem
          key={pos}
          icon={<SquareDashed aria-hidden />}
          closeOnClick={false}
          onClick={() => handling.openMenuOf(pos)}
        >
          {t("blocks.around", { kind: kindName(node) })}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden />} danger keys="Del" onClick={run(removeBlocks)}>
        {nodes.length > 1 ? t("blocks.deleteMany", { count: nodes.length }) : t("blocks.delete")}
      </MenuItem>
    </MenuAt>
  );
}
