import { expect, test } from "vitest";
import { type Entry, put, step } from "./entries";

const list: Entry[] = [
  { title: "Blog", links: [] },
  { title: "More", links: [{ title: "a" }, { title: "b" }] },
];
const titles = (all: Entry[]) =>
  all.map(({ title, links }) => [title, ...(links ?? []).map((each) => each.title)].join(" "));

test("sets, adds and takes away, also within an entry", () => {
  expect(titles(put(list, [0], { title: "News" }))).toEqual(["News", "More a b"]);
  expect(titles(put(list, [2], { title: "Last" }))).toEqual(["Blog", "More a b", "Last"]);
  expect(titles(put(list, [0, 0], { title: "c" }))).toEqual(["Blog c", "More a b"]);
  expect(titles(put(list, [1, 0], null))).toEqual(["Blog", "More b"]);
});

test("moves within a list and not out of it", () => {
  expect(titles(step(list, [1], -1))).toEqual(["More a b", "Blog"]);
  expect(titles(step(list, [1, 0], 1))).toEqual(["Blog", "More b a"]);
  expect(titles(step(list, [0], -1))).toEqual(titles(list));
  expect(titles(step(list, [1, 1], 1))).toEqual(titles(list));
});
