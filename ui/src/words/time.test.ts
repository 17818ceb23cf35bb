import { expect, it } from "vitest";
import { ago } from "./time";

const now = Date.parse("2026-11-23T12:00:00Z");

it.each([
  ["2026-11-23T11:59:30Z", "now"],
  ["2026-11-23T12:00:05Z", "now"],
  ["2026-11-23T11:55:00Z", "5 minutes ago"],
  ["2026-11-23T09:00:00Z", "3 hours ago"],
  ["2026-11-22T11:00:00Z", "yesterday"],
  ["2026-03-12T12:00:00Z", "March 12"],
  ["2024-03-12T12:00:00Z", "March 12, 2024"],
])("says of %s %s", (moment, words) => expect(ago(moment, now, "en")).toBe(words));

it("speaks other languages", () => expect(ago("2026-11-22T11:00:00Z", now, "de")).toBe("gestern"));
