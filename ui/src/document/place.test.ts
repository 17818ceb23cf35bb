import { expect, test } from "vitest";
import { character } from "./place";

test("an emoji is drawn by its code points, and what is none does not stop the page", () => {
  expect(character("1f604")).toBe("😄");
  expect(character("1f1e9-1f1ea")).toBe("🇩🇪");
  expect(character("ffffffff")).toBe("□");
  expect(character("-1f604-x")).toBe("□😄□");
});
