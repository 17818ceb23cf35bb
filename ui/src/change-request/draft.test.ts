import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startDraft } from "./draft";

// server answers as the API does, with the drafts that there are, and notes what it was asked.
function server(drafts: object[]) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const url = new URL(request.url);
    asked.push(`${request.method} ${url.pathname}${url.search}`);
    if (url.pathname === "/v1/user") return Response.json({ id: "ada" });
    if (request.method === "GET") return Response.json({ count: drafts.length, items: drafts });
    const made = { id: "new", number: 7, status: "draft" };
    drafts.unshift(made);
    return Response.json(made, { status: 201 });
  });
  return asked;
}

describe("startDraft", () => {
  let queries: QueryClient;
  beforeEach(() => {
    queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("goes on with my newest draft", async () => {
    const asked = server([{ id: "mine", number: 3, status: "draft" }]);
    expect((await startDraft(queries, "docs")).number).toBe(3);
    expect(asked).toEqual(["GET /v1/user", "GET /v1/spaces/docs/change-requests?status=draft&creator=ada&limit=1"]);
  });

  it("makes one when there is none, and only one for two presses", async () => {
    const asked = server([]);
    const both = await Promise.all([startDraft(queries, "docs"), startDraft(queries, "docs")]);
    expect(both.map((draft) => draft.number)).toEqual([7, 7]);
    expect(asked.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  it("says what the server said when it may not", async () => {
    vi.stubGlobal("fetch", async () =>
      Response.json({ error: { code: 403, message: "You need the role edit." } }, { status: 403 }),
    );
    await expect(startDraft(queries, "docs")).rejects.toThrow("You need the role edit.");
  });
});
