// The one table of keys: what they do, for the list of keys, for tooltips, and for those who listen to them.
import type { Key } from "../words/words";

// "Mod" is Command on Apple's machines and Ctrl elsewhere; with a space between them, keys are pressed one after
// another.
export const shortcuts = {
  keyList: { keys: "?", does: "keys.list", where: "everywhere" },
  keyListText: { keys: "Mod+Shift+/", does: "keys.listText", where: "everywhere" },
  home: { keys: "G H", does: "nothing.home", where: "everywhere" },
  inbox: { keys: "G I", does: "keys.toInbox", where: "everywhere" },
  anything: { keys: "/", does: "keys.anything", where: "everywhere" },
  toSpace: { keys: "G S", does: "keys.toSpace", where: "space" },
  toChanges: { keys: "G C", does: "keys.toChanges", where: "space" },
  tree: { keys: "[", does: "keys.tree", where: "space" },
  palette: { keys: "Mod+K", does: "keys.palette", where: "everywhere" },
  find: { keys: "Mod+F", does: "keys.find", where: "text" },
  findInSpace: { keys: "Mod+Shift+F", does: "keys.findInSpace", where: "space" },
  save: { keys: "Mod+S", does: "keys.save", where: "text" },
  source: { keys: "Mod+Alt+S", does: "keys.source", where: "text" },
  panel: { keys: "]", does: "keys.panel", where: "space" },
  edit: { keys: "E", does: "keys.edit", where: "space" },
  newPage: { keys: "N", does: "space.newPage", where: "space" },
  search: { keys: "/", does: "tree.filter", where: "space" },
  bold: { keys: "Mod+B", does: "editor.bold", where: "text" },
  italic: { keys: "Mod+I", does: "editor.italic", where: "text" },
  inlineCode: { keys: "Mod+E", does: "editor.inlineCode", where: "text" },
  strikethrough: { keys: "Mod+Shift+S", does: "editor.strikethrough", where: "text" },
  link: { keys: "Mod+K", does: "editor.link", where: "text" },
  undo: { keys: "Mod+Z", does: "keys.undo", where: "text" },
  redo: { keys: "Mod+Shift+Z", does: "keys.redo", where: "text" },
  pastePlain: { keys: "Mod+Shift+V", does: "keys.pastePlain", where: "text" },
  nest: { keys: "Tab", does: "keys.nest", where: "text" },
  lift: { keys: "Shift+Tab", does: "keys.lift", where: "text" },
  leave: { keys: "Mod+Enter", does: "keys.leave", where: "text" },
  insert: { keys: "/", does: "editor.slash", where: "text" },
  text: { keys: "Mod+Alt+0", does: "editor.text", where: "blocks" },
  heading1: { keys: "Mod+Alt+1", does: "editor.heading1", where: "blocks" },
  heading2: { keys: "Mod+Alt+2", does: "editor.heading2", where: "blocks" },
  heading3: { keys: "Mod+Alt+3", does: "editor.heading3", where: "blocks" },
  codeBlock: { keys: "Mod+Alt+4", does: "editor.code", where: "blocks" },
  numbers: { keys: "Mod+Shift+7", does: "editor.numbers", where: "blocks" },
  bullets: { keys: "Mod+Shift+8", does: "editor.bullets", where: "blocks" },
  tasks: { keys: "Mod+Shift+9", does: "editor.tasks", where: "blocks" },
  blockMenu: { keys: "Mod+/", does: "blocks.menu", where: "blocks" },
  selectBlock: { keys: "Escape", does: "keys.selectBlock", where: "blocks" },
  extendBlocks: { keys: "Shift+ArrowDown", does: "keys.extendBlocks", where: "blocks" },
  moveUp: { keys: "Alt+ArrowUp", does: "blocks.up", where: "blocks" },
  moveDown: { keys: "Alt+ArrowDown", does: "blocks.down", where: "blocks" },
  duplicate: { keys: "Mod+D", does: "blocks.duplicate", where: "blocks" },
  comment: { keys: "Mod+Alt+M", does: "blocks.comment", where: "blocks" },
  pageUp: { keys: "Alt+ArrowUp", does: "blocks.up", where: "tree" },
  pageDown: { keys: "Alt+ArrowDown", does: "blocks.down", where: "tree" },
  nestPage: { keys: "Alt+Shift+ArrowRight", does: "tree.nest", where: "tree" },
  liftPage: { keys: "Alt+Shift+ArrowLeft", does: "tree.lift", where: "tree" },
  renamePage: { keys: "F2", does: "tree.rename", where: "tree" },
  selectPage: { keys: "Space", does: "tree.select", where: "tree" },
  extendPages: { keys: "Shift+ArrowDown", does: "tree.selectMore", where: "tree" },
  deletePage: { keys: "Delete", does: "tree.delete", where: "tree" },
  pageMenu: { keys: "Shift+F10", does: "tree.menu", where: "tree" },
  nextChange: { keys: "J", does: "diff.next", where: "changes" },
  previousChange: { keys: "K", does: "diff.previous", where: "changes" },
  viewed: { keys: "V", does: "keys.viewed", where: "changes" },
  commentChange: { keys: "C", does: "blocks.comment", where: "changes" },
  review: { keys: "R", does: "keys.review", where: "changes" },
  takeMain: { keys: "1", does: "keys.takeMain", where: "changes" },
  takeMine: { keys: "2", does: "keys.takeMine", where: "changes" },
  takeBoth: { keys: "3", does: "keys.takeBoth", where: "changes" },
} as const satisfies Record<
  string,
  { keys: string; does: Key; where: "everywhere" | "space" | "tree" | "text" | "blocks" | "changes" }
>;

export type ShortcutName = keyof typeof shortcuts;

// keysOf returns the keys of a shortcut, as <Keys> and tooltips show them.
export const keysOf = (name: ShortcutName): string => shortcuts[name].keys;

// bound is how ProseMirror names the keys of a shortcut.
export const bound = (name: ShortcutName): string =>
  keysOf(name)
    .replaceAll("+", "-")
    .replace(/-([A-Z])$/, (_all, letter: string) => `-${letter.toLowerCase()}`);
