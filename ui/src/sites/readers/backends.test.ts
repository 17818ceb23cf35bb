import { expect, it } from "vitest";
import { letIn } from "./backends";

it("offers integrations that may let visitors in, and no others", () => {
  const list = [
    { name: "parrot", title: "Parrot", scopes: ["site:visitor:auth"] },
    { name: "tickets", title: "Tickets", scopes: ["space:content:read"] },
    { name: "door", title: "Door", scopes: ["space:content:read", "site:visitor:auth"] },
    { name: "none", title: "None", scopes: null },
  ];
  expect(letIn(list).map(({ name }) => name)).toEqual(["door", "parrot"]);
});
