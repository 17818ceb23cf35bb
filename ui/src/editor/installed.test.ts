import { expect, test } from "vitest";
import { matches } from "./installed";

test.each([
  ["https://count.example.org/**", "https://count.example.org/a/b?c#d", true],
  ["https://count.example.org/*", "https://count.example.org/a", true],
  ["https://count.example.org/*", "https://count.example.org/a/b", false],
  ["https://*.example.org/x", "https://a.example.org/x", true],
  ["https://count.example.org/**", "https://count.example.org.evil.example/a", false],
  ["https://a.example/(x|y)+", "https://a.example/xy", false],
  ["https://A.example/X", "https://a.example/x", true],
  ["https://a.example/file/", "https://a.example/file/x/y", true],
  ["https://a.example/file/", "https://a.example/files", false],
  ["", "https://a.example/", false],
])("%s and %s", (pattern, address, is) => expect(matches(pattern, address)).toBe(is));

test("no pattern is slow", () => {
  const begun = performance.now();
  expect(matches(`${"a**".repeat(200)}b`, "a".repeat(4000))).toBe(false);
  expect(matches(`${"a*".repeat(200)}b`, "a".repeat(4000))).toBe(false);
  expect(performance.now() - begun).toBeLessThan(2000);
});
