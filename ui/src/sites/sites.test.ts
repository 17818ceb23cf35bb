import { expect, test } from "vitest";
import { destinationOf } from "./queries";

test("reads where a redirect leads", () => {
  expect(destinationOf("https://example.org/a")).toEqual({ kind: "external", url: "https://example.org/a" });
  expect(destinationOf("guide/start")).toEqual({ kind: "path", path: "/guide/start" });
  expect(destinationOf("/x")).toEqual({ kind: "path", path: "/x" });
  expect(destinationOf("javascript:alert(1)")).toEqual({ kind: "path", path: "/javascript:alert(1)" });
});
