import { expect, it } from "vitest";
import { within } from "./links";

const here = new URL("https://docs.example/app/spaces/s1/pages/p1") as unknown as Location;

it.each([
  ["https://docs.example/app/spaces/s1/pages/p2#a", undefined, "/app/spaces/s1/pages/p2#a"],
  ["https://docs.example/app/spaces/s1/pages/p2#a", "7", "/app/spaces/s1/changes/7/pages/p2#a"],
  ["https://docs.example/app/spaces/s2/pages/p2", "7", "/app/spaces/s2/pages/p2"],
  ["https://docs.example/app/spaces/s1/pages/p1#a", undefined, ""],
  ["https://docs.example/apple", undefined, ""],
  ["https://docs.example/v1/downloads/x", undefined, ""],
  ["https://elsewhere.example/app/spaces/s1", undefined, ""],
  ["mailto:ada@example.org", undefined, ""],
])("%s in change request %s leads to %s", (href, number, want) => expect(within(href, "s1", number, here)).toBe(want));
