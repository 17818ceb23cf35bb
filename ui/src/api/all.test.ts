import { expect, it } from "vitest";
import { all } from "./all";

it("asks for every piece of a list, and no more", async () => {
  const asked: (string | undefined)[] = [];
  const list = await all<number>(async ({ page }) => {
    asked.push(page);
    const from = Number(page ?? 0);
    const next = from < 2 ? { next: { page: String(from + 1) } } : {};
    return { data: { items: [from], ...next }, response: new Response() };
  });
  expect([list, asked]).toEqual([[0, 1, 2], [undefined, "1", "2"]]);
});
