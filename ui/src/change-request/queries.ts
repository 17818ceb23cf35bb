// What the screens of change requests ask of the API.
import { queryOptions } from "@tanstack/react-query";
import { api, Failure, type Schemas, taken } from "../api/client";
import { changeRequests, spaces } from "../api/queries";
import type { ChangeRequest } from "./draft";

export type Comparison = Schemas["PageComparison"];
export type ComparedBlock = Schemas["ComparedBlock"];
export type Conflict = Schemas["ChangeRequestConflict"];
export type SemanticChange = Schemas["SemanticChange"];

const at = (space: string, number: string | number) => ({ path: { spaceId: space, changeRequestId: String(number) } });

// changeRequest asks for one.
export const changeRequest = (space: string, number: number) =>
  queryOptions({
    queryKey: changeRequests.one(space, number),
    queryFn: () => taken(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: at(space, number) })),
  });

// changesOf asks for what a change request changes. The number of pages is bounded by the API.
export const changesOf = (space: string, number: number) =>
  queryOptions({
    queryKey: changeRequests.changes(space, number),
    queryFn: () =>
      taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes", {
          params: { ...at(space, number), query: { limit: 1000, metadata: false } },
        }),
      ),
  });

// pageChanges asks for what a change request changes in a page. A revision never changes, so the answer stays good.
export const pageChanges = (space: string, request: ChangeRequest, page: string) =>
  queryOptions({
    queryKey: changeRequests.page(space, request.number, page, `${request.revision}/${request.revisionMerged ?? ""}`),
    queryFn: () => {
      const params = { path: { ...at(space, request.number).path, pageId: page } };
      return taken(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes/pages/{pageId}", { params }));
    },
  });

// Readiness is what a merge would meet: nothing, conflicts, or reasons why not, in the server's words.
export type Readiness = { conflicts: Conflict[]; reasons: string[] };

// readiness asks what a merge would do.
export const readiness = (space: string, number: number) =>
  queryOptions({
    queryKey: changeRequests.merge(space, number),
    queryFn: async (): Promise<Readiness> => {
      try {
        const params = { ...at(space, number), query: { dryRun: true } };
        const result = await taken(api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge", { params }));
        return { conflicts: result.conflicts ?? [], reasons: [] };
      } catch (failure) {
        if (!(failure instanceof Failure) || (failure.status !== 409 && failure.status !== 403)) throw failure;
        const named = failure.details.map((detail) => detail.message);
        return { conflicts: [], reasons: named.length > 0 ? named : [failure.message] };
      }
    },
  });

// reviewsOf asks for the reviews of a change request, the newest first.
export const reviewsOf = (space: string, number: number) =>
  queryOptions({
    queryKey: changeRequests.reviews(space, number),
    queryFn: async () => {
      const asked = api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews", { params: at(space, number) });
      return (await taken(asked)).items ?? [];
    },
  });

// The writes of a change request. Each returns when the server has done it.
export const write = {
  change: (space: string, number: number, body: { subject?: string; status?: "draft" | "open" | "archived" }) =>
    taken(api.PATCH("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: at(space, number), body })),
  merge: (space: string, number: number) =>
    taken(api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge", { params: at(space, number) })),
  update: (space: string, number: number) =>
    taken(api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update", { params: at(space, number) })),
  undo: (space: string, number: number) =>
    taken(api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/undo", { params: at(space, number), body: {} })),
  review: (space: string, number: number, status: "approved" | "changes-requested") =>
    taken(api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews", { params: at(space, number), body: { status } })),
};

// touched are the keys that a write of a change request makes stale: everything about it, and main after a merge.
export const touched = (space: string) => [changeRequests.of(space), spaces.one(space), spaces.pages(space), ["organizations"]];
