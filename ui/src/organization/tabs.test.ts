import { expect, it } from "vitest";
import { span, validSettings } from "./tabs";

it("reads what the address names, and nothing else", () => {
  expect(
    validSettings({ show: "audit", action: "member.remove", from: "2026-11-01", to: "soon", actor: "a b", x: 1 }),
  ).toEqual({ show: "audit", action: "member.remove", from: "2026-11-01" });
  expect(validSettings({ show: "general" })).toEqual({});
  expect(validSettings({ show: "nothing" })).toEqual({});
});

it("takes days from the beginning of the first to the end of the last", () => {
  const { from, to } = span({ from: "2026-11-01", to: "2026-11-01" });
  expect(new Date(to!).getTime() - new Date(from!).getTime()).toBe(24 * 3_600_000);
  expect(new Date(from!).getHours()).toBe(0);
  expect(span({ from: "2026-13-45" })).toEqual({});
  expect(span({})).toEqual({});
});
