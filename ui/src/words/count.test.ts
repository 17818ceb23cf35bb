import { expect, test } from "vitest";
import { countWords } from "./count";

test.each([
  ["", 0],
  ["  — … ", 0],
  ["One two, three.", 3],
  ["It's a well-known fact", 4],
  ["Größe und Maße", 3],
  ["日本語の文章", 3],
  ["سلام دنیا", 2],
])("%j has %i words", (text, count) => expect(countWords(text)).toBe(count));
