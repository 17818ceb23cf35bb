import { expect, test } from "vitest";
import { day, dayOf } from "./days";

test("a day is said alike as a day and as the moment at which it begins", () => {
  for (const date of ["2026-02-03", "2026-02-03T00:00:00.000Z", "2026-02-03T00:00:00Z"]) {
    expect(dayOf(date)).toBe("2026-02-03");
    expect(day(date, "full", "en")).toBe("February 3, 2026");
    expect(day(date, "numeric", "en")).toBe("2026-02-03");
  }
  expect(day("soon", "full", "en")).toBe("soon");
});
