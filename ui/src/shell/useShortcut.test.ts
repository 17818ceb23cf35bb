import { afterEach, expect, test } from "vitest";
import type { ShortcutName } from "../look/shortcuts";
import { pressed, setSingleKeys } from "./useShortcut";

afterEach(() => {
  localStorage.clear();
  document.body.replaceChildren();
});

const all: ShortcutName[] = ["panel", "source", "home", "keyList", "keyListText"];

function press(
  key: string,
  options: KeyboardEventInit & { modifierAltGraph?: boolean } = {},
  on: Element = document.body,
) {
  let found = null as ShortcutName | null;
  const listener = (event: Event) => (found = pressed(event as KeyboardEvent, all));
  window.addEventListener("keydown", listener);
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...options }));
  window.removeEventListener("keydown", listener);
  return found;
}

test("a letter works outside of text alone", () => {
  expect(press("]")).toBe("panel");
  const field = document.createElement("input");
  document.body.append(field);
  expect(press("]", {}, field)).toBeNull();
});

test("one key after another", () => {
  expect(press("h")).toBeNull();
  expect(press("g")).toBeNull();
  expect(press("h")).toBe("home");
  expect(press("h")).toBeNull();
});

test("the list of keys opens in and outside of text", () => {
  const field = document.createElement("input");
  document.body.append(field);
  expect(press("?", { shiftKey: true })).toBe("keyList");
  expect(press("?", { shiftKey: true, ctrlKey: true }, field)).toBe("keyListText");
});

test("letters can be switched off", () => {
  setSingleKeys(false);
  expect(press("]")).toBeNull();
  setSingleKeys(true);
  expect(press("]")).toBe("panel");
});

test("held AltGr, input methods and other modifiers fire nothing", () => {
  expect(press("]", { modifierAltGraph: true })).toBeNull();
  expect(press("]", { isComposing: true })).toBeNull();
  expect(press("]", { ctrlKey: true })).toBeNull();
});

test("Alt fires also where it makes other letters", () => {
  expect(press("ß", { metaKey: true, altKey: true, code: "KeyS" })).toBe("source");
  expect(press("s", { ctrlKey: true, altKey: true, code: "KeyS" })).toBe("source");
  expect(press("ß", { metaKey: true, altKey: true, code: "KeyS", modifierAltGraph: true })).toBeNull();
});
