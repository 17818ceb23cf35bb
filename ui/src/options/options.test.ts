import { expect, test } from "vitest";
import { faultOf, pathIn, read } from "./queries";

test("reads what was typed as what is meant", () => {
  expect(["1.5", "-3", " 7 ", "007", "1e3", "true", " false", "True", "", " ", "1.2.3"].map(read)).toEqual([
    1.5,
    -3,
    7,
    "007",
    "1e3",
    true,
    false,
    "True",
    "",
    " ",
    "1.2.3",
  ]);
});

test("takes names that expressions can use, each once", () => {
  expect(["plan", "_a1", "1a", "a-b", "", "ä"].map((name) => faultOf(name, []))).toEqual([
    null,
    null,
    "name",
    "name",
    "name",
    "name",
  ]);
  expect(faultOf("plan", ["plan"])).toBe("taken");
});

test("takes the path of an address that was typed or pasted", () => {
  const typed = [
    "old/place",
    " /old/place/ ",
    "https://docs.example.org/alte/h%C3%A4fen?from=mail#top",
    "http://docs.example.org",
    "100%",
    "/",
    "a/b#c",
  ];
  expect(typed.map(pathIn)).toEqual(["old/place", "old/place", "alte/häfen", "", "100%", "", "a/b"]);
});
