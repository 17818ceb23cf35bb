import { expect, it } from "vitest";
import { level } from "./level";

it("puts cards level with their words, none over another", () => {
  expect(level([])).toEqual([]);
  expect(level([{ wish: 10, height: 50 }, { wish: 20, height: 30 }, { wish: 300, height: 9 }])).toEqual([10, 68, 300]);
});

it("leaves the active one where its words are", () => {
  const cards = [{ wish: 10, height: 50 }, { wish: 20, height: 30 }, { wish: 30, height: 10 }];
  expect(level(cards, 1)).toEqual([-38, 20, 58]);
  expect(level(cards, 2)).toEqual([-66, -8, 30]);
});
