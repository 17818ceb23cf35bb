import { expect, test } from "vitest";
import { charactersOf } from "./characters";

test("an emoji is drawn by its code points, and what is none does not stop the page", () => {
  expect(charactersOf("1f604")).toBe("😄");
  expect(charactersOf("1f1e9-1f1ea")).toBe("🇩🇪");
  expect(charactersOf("ffffffff")).toBe("□");
  expect(charactersOf("-1f604-x")).toBe("□😄□");
});
