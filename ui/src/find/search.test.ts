import { expect, test } from "vitest";
import { mostMatches, pattern, search, type Query } from "./search";

const query = (text: string, more: Partial<Query> = {}): Query => ({
  text,
  matchCase: false,
  words: false,
  regex: false,
  ...more,
});
const found = (texts: string[], of: Query, replacement = "") =>
  search(texts, of, replacement).map(({ block, from, to }) => `${block}:${from}-${to}`);

test("finds words in all texts, with and without regard to capitals", () => {
  expect(found(["One two", "zwei one"], query("one"))).toEqual(["0:0-3", "1:5-8"]);
  expect(found(["One two", "zwei one"], query("one", { matchCase: true }))).toEqual(["1:5-8"]);
  expect(found(["Straße ÜBER"], query("über"))).toEqual(["0:7-11"]);
});

test("takes signs as they are", () => {
  expect(found(["a.b a-b a*b (c) \\d"], query("a.b"))).toEqual(["0:0-3"]);
  for (const sign of ["a-b", "a*b", "(c)", "\\d", "[", "$", "^", "{", "/"])
    expect(found([`x ${sign} y`], query(sign)), sign).toEqual([`0:2-${2 + sign.length}`]);
});

test("finds whole words in every language", () => {
  expect(found(["can cannot scan can't"], query("can", { words: true }))).toEqual(["0:0-3", "0:16-19"]);
  expect(found(["für fürs"], query("für", { words: true }))).toEqual(["0:0-3"]);
});

test("knows regular expressions and what they make of a match", () => {
  expect(
    search(["v1.2 v3.4"], query("v(\\d)\\.(\\d)", { regex: true }), "$2-$1 $& $$ $9").map(({ insert }) => insert),
  ).toEqual(["2-1 v1.2 $ ", "4-3 v3.4 $ "]);
  expect(found(["ab\nab"], query("^a", { regex: true }))).toEqual(["0:0-1", "0:3-4"]);
  expect(search(["a"], query("a"), "$&")[0]!.insert).toBe("$&");
  expect(pattern(query("(", { regex: true }))).toBeNull();
  expect(found(["aaa"], query("b*", { regex: true }))).toEqual([]);
});

test("is bounded", () => {
  expect(search(["a".repeat(20_000)], query("a"), "")).toHaveLength(mostMatches);
  expect(pattern(query("x".repeat(501)))).toBeNull();
});
