import { expect, test } from "vitest";
import { directionOf } from "./direction";

test.each([
  [undefined, [], "ltr"],
  ["en", [""], "ltr"],
  ["ar", [undefined], "rtl"],
  ["he", ["1.2.3"], "rtl"],
  ["ku-Arab", [], "rtl"],
  ["zz-zz-nothing of a tag", [], "ltr"],
  ["en", ["البدء السريع"], "rtl"],
  ["ar", ["Install the program"], "ltr"],
  [undefined, ["تثبيت Docker على الخادم"], "rtl"],
  [undefined, ["", "התחלה"], "rtl"],
] as const)("language %s with %j runs %s", (language, texts, want) =>
  expect(directionOf(language, ...texts)).toBe(want),
);
