import { expect, it } from "vitest";
import { find, passageOf, quoteOf } from "./quote";

it("squeezes white space and says where characters were", () => {
  const { text, from } = passageOf("  One\n\ttwo ");
  expect(text).toBe("One two");
  expect(from).toEqual([2, 3, 4, 5, 7, 8, 9]);
});

it("quotes words with what is around them, without white space at the edges", () => {
  expect(quoteOf("One  two\nthree four", 3, 15)).toEqual({ quote: "two three", before: "One ", after: " four" });
  expect(quoteOf("One two", 3, 4)).toBeNull();
  expect(quoteOf("One", 3, 9)).toBeNull();
});

it.each([
  ["the only place", ["a", "b c d"], { quote: "c", before: "b ", after: " d" }, { index: 1, at: 2 }],
  [
    "the place most alike",
    ["a word here, a word there"],
    { quote: "word", before: "here, a ", after: "" },
    { index: 0, at: 15 },
  ],
  [
    "the same block before a longer one",
    ["one more", "one"],
    { quote: "one", before: "", after: "" },
    { index: 1, at: 0 },
  ],
  [
    "words whose surroundings have changed",
    ["x", "The slow fox"],
    { quote: "fox", before: "The quick ", after: "." },
    { index: 1, at: 9 },
  ],
])("finds %s", (_name, texts, quote, place) => expect(find(texts, quote)).toMatchObject(place));

it("does not find what is not there", () => {
  expect(find(["abc"], { quote: "d", before: "", after: "" })).toBeNull();
  expect(find(["abc"], { quote: "", before: "", after: "" })).toBeNull();
});

it("finds what it has quoted, wherever it is", () => {
  const text = "Same same, and  the same again:\nsame.";
  for (let start = 0; start < text.length; start++) {
    for (let end = start + 1; end <= text.length; end++) {
      const quote = quoteOf(text, start, end);
      if (!quote) continue;
      const { text: squeezed, from } = passageOf(text);
      const place = find(["other same", squeezed], quote)!;
      expect(place.index).toBe(1);
      expect(from[place.at]).toBeGreaterThanOrEqual(start);
      expect(from[place.at + quote.quote.length - 1]).toBeLessThan(end);
    }
  }
});
