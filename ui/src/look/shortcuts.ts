// The one table of keys: what they do, for the list of keys, for tooltips, and for those who listen to them.
import type { Key } from "../words/words";

// "Mod" is Command on Apple's machines and Ctrl elsewhere; with a space between them, keys are pressed one after another.
export const shortcuts = {
  palette: { keys: "Mod+K", does: "keys.palette", where: "everywhere" },
  find: { keys: "Mod+F", does: "keys.find", where: "text" },
  findInSpace: { keys: "Mod+Shift+F", does: "keys.findInSpace", where: "space" },
  save: { keys: "Mod+S", does: "keys.save", where: "text" },
  source: { keys: "Mod+Alt+S", does: "keys.source", where: "text" },
  panel: { keys: "]", does: "keys.panel", where: "space" },
  blockMenu: { keys: "Mod+/", does: "blocks.menu", where: "blocks" },
  selectBlock: { keys: "Escape", does: "keys.selectBlock", where: "blocks" },
  extendBlocks: { keys: "Shift+ArrowDown", does: "keys.extendBlocks", where: "blocks" },
  moveUp: { keys: "Alt+ArrowUp", does: "blocks.up", where: "blocks" },
  moveDown: { keys: "Alt+ArrowDown", does: "blocks.down", where: "blocks" },
  duplicate: { keys: "Mod+D", does: "blocks.duplicate", where: "blocks" },
  comment: { keys: "Mod+Alt+M", does: "blocks.comment", where: "blocks" },
} as const satisfies Record<string, { keys: string; does: Key; where: "everywhere" | "space" | "text" | "blocks" | "changes" }>;

export type ShortcutName = keyof typeof shortcuts;

// keysOf returns the keys of a shortcut, as <Keys> and tooltips show them.
export const keysOf = (name: ShortcutName): string => shortcuts[name].keys;
