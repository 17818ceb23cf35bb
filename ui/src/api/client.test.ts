import { afterEach, expect, it, vi } from "vitest";
import { api, main } from "./client";

afterEach(() => vi.unstubAllGlobals());

it("asks for the content of main where a change request is named so", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return Promise.resolve(new Response("{}", { headers: { "Content-Type": "application/json" } }));
  });
  for (const changeRequestId of [main, "12"]) {
    const path = { spaceId: "space_1", changeRequestId };
    await api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}", {
      params: { path: { ...path, pageId: "page_1" } },
    });
    await api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
      params: { path },
      body: { changes: [] },
    });
    // Only content has a counterpart on main.
    await api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews", { params: { path } });
  }
  expect(asked).toEqual([
    "/v1/spaces/space_1/content/page/page_1",
    "/v1/spaces/space_1/content",
    "/v1/spaces/space_1/change-requests/main/reviews",
    "/v1/spaces/space_1/change-requests/12/content/page/page_1",
    "/v1/spaces/space_1/change-requests/12/content",
    "/v1/spaces/space_1/change-requests/12/reviews",
  ]);
});
