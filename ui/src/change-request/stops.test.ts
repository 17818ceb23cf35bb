import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onKey, step } from "./stops";

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  document.body.innerHTML = `<main><p data-stop tabindex="-1" id="a"></p><p></p><p data-stop tabindex="-1" id="b"></p></main><input>`;
});
afterEach(() => document.body.replaceChildren());

it("goes from change to change and stays at the ends", () => {
  const main = document.querySelector("main");
  const ids = [1, 1, 1, -1, -1].map((by) => {
    step(main, by as 1 | -1);
    return document.activeElement?.id;
  });
  expect(ids).toEqual(["a", "b", "b", "a", "a"]);
});

it("listens to J and K, but not where somebody writes", () => {
  const end = onKey(() => document.querySelector("main"));
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
  expect(document.activeElement?.id).toBe("a");
  document.querySelector("input")?.focus();
  document.querySelector("input")?.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
  expect(document.activeElement?.tagName).toBe("INPUT");
  end();
});
