// Keys that work outside of text. Who can do something says so with useShortcut; of several, the one drawn last does
// it.
import { useEffect, useRef } from "react";
import { keysOf, type ShortcutName } from "../look/shortcuts";

const doers = new Map<ShortcutName, (() => void)[]>();

// useShortcut does something when its keys are pressed; nothing while run is undefined.
export function useShortcut(name: ShortcutName, run: (() => void) | undefined): void {
  const newest = useRef(run);
  newest.current = run;
  const able = run !== undefined;
  useEffect(() => {
    if (!able) return;
    const doer = () => newest.current?.();
    doers.set(name, [...(doers.get(name) ?? []), doer]);
    return () => void doers.set(name, (doers.get(name) ?? []).filter((each) => each !== doer));
  }, [name, able]);
}

const setting = "recto.keys.single";

// singleKeys reports whether keys work that are pressed without Ctrl, Command or Alt.
export const singleKeys = (): boolean => localStorage.getItem(setting) !== "off";

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(setting);
  else localStorage.setItem(setting, "off");
}

// What takes letters itself: text, lists that are searched by typing, and what lies on top of the screen.
const busy =
  "input, textarea, select, [contenteditable='true'], [contenteditable=''], [role=menu], [role=listbox], [role=tree], [role=dialog], [role=alertdialog]";

// How long the second of two keys is waited for, in milliseconds.
const patience = 1200;

let first: { key: string; at: number } | null = null;

// pressed returns the shortcut of a key, or null. Only those that somebody can do are looked at.
export function pressed(event: KeyboardEvent, able: readonly ShortcutName[]): ShortcutName | null {
  if (event.defaultPrevented || event.isComposing || event.repeat || event.getModifierState("AltGraph")) return null;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const mod = event.ctrlKey || event.metaKey;
  // With Alt some keyboards make other letters.
  const letter = event.altKey ? /^Key([A-Z])$/.exec(event.code)?.[1] : undefined;
  if (mod || event.altKey) {
    const name = [mod && "Mod", event.altKey && "Alt", event.shiftKey && "Shift", key === "?" ? "/" : (letter ?? key)]
      .filter(Boolean)
      .join("+");
    return able.find((each) => keysOf(each) === name) ?? null;
  }
  if (!singleKeys() || (event.target instanceof Element && event.target.closest(busy))) return null;
  const before = first && event.timeStamp - first.at < patience ? `${first.key} ` : "";
  const found = able.find((each) => keysOf(each) === before + key);
  first = !found && able.some((each) => keysOf(each).startsWith(`${key} `)) ? { key, at: event.timeStamp } : null;
  return found ?? null;
}

// listen begins to listen to the keys of the whole app, and returns what ends it.
export function listen(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const able = [...doers].filter(([, each]) => each.length > 0).map(([name]) => name);
    const name = pressed(event, able);
    if (!name) return;
    event.preventDefault();
    doers.get(name)?.at(-1)?.();
  };
  window.addEventListener("keydown", onKeyDown);
  return () => window.removeEventListener("keydown", onKeyDown);
}
