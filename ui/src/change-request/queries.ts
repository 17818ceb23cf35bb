// What the screens of change requests ask of the API.
import { type QueryKey, queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, done, Failure, type Schemas, taken } from "../api/client";
import { changeRequests, spaces } from "../api/queries";
import type { ChangeRequest } from "./draft";

// Comparison is what differs in a text: that of a page, which has attributes, too, or of a reusable content.
export type Comparison = Pick<
  Schemas["PageComparison"],
  "base" | "head" | "change" | "blocks" | "markdown" | "partial"
> & { changes?: Schemas["PageComparison"]["changes"] };
export type ComparedBlock = Schemas["ComparedBlock"];
export type Conflict = Schemas["ChangeRequestConflict"];
export type SemanticChange = Schemas["SemanticChange"];

const at = (space: string, number: string | number) => ({ path: { spaceId: space, changeRequestId: String(number) } });

// changeRequest asks for one.
export const changeRequest = (space: string, number: number) =>
  queryOptions({
    queryKey: changeRequests.one(space, number),
    queryFn: () =>
      taken(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: at(space, number) })),
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

// Compared is a page or a reusable content, whose texts can be compared.
export type Compared = { id: string; group: string };

// changesIn asks for what a change request changes in a text. A revision never changes, so the answer stays good.
export const changesIn = (space: string, request: ChangeRequest, { id, group }: Compared) =>
  queryOptions({
    queryKey: changeRequests.page(
      space,
      request.number,
      id,
      `${request.revision}/${request.revisionMerged ?? ""}`,
    ) as QueryKey,
    queryFn: (): Promise<Comparison> => {
      const { path } = at(space, request.number);
      if (group === "reusable") {
        return taken(
          api.GET(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes/reusable-contents/{reusableContentId}",
            { params: { path: { ...path, reusableContentId: id } } },
          ),
        );
      }
      return taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes/pages/{pageId}", {
          params: { path: { ...path, pageId: id } },
        }),
      );
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
        const result = await taken(
          api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge", { params }),
        );
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
      const asked = api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews", {
        params: at(space, number),
      });
      return (await taken(asked)).items ?? [];
    },
  });

export type Review = Schemas["ChangeRequestReview"];
export type MergeCheck = Schemas["MergeCheck"];
export type Revision = Schemas["RevisionSummary"];

// mergeChecks asks for every merge rule, met or not. It stands below the readiness, since the same makes both stale.
export const mergeChecks = (space: string, number: number) =>
  queryOptions({
    queryKey: [...changeRequests.merge(space, number), "checks"],
    queryFn: () =>
      taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge-checks", { params: at(space, number) }),
      ),
  });

export type Event = Schemas["ChangeRequestEvent"];
export type Preview = Schemas["ChangeRequestPreview"];

// eventsOf asks for what has happened to a change request beside what was written, said and reviewed, the oldest first.
export const eventsOf = (space: string, number: number) =>
  queryOptions({
    queryKey: [...changeRequests.one(space, number), "events"],
    queryFn: () =>
      all<Event>((piece) =>
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/events", {
          params: { ...at(space, number), query: piece },
        }),
      ),
  });

// previewsOf asks on which sites a change request can be looked at. Addresses have tickets that end, so they are asked
// for anew each time.
export const previewsOf = (space: string, number: number) =>
  queryOptions({
    queryKey: [...changeRequests.one(space, number), "previews"],
    staleTime: 0,
    queryFn: async () =>
      (
        await taken(
          api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/previews", { params: at(space, number) }),
        )
      ).items ?? [],
  });

// previewAs asks for the address at which a site shows a change request to a visitor with some claims.
export const previewAs = (space: string, number: number, siteSpace: string, claims: Record<string, unknown>) =>
  queryOptions({
    queryKey: [...changeRequests.one(space, number), "previews", siteSpace, claims] as QueryKey,
    staleTime: 0,
    gcTime: 0,
    queryFn: () =>
      taken(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/previews", {
          params: at(space, number),
          body: { siteSpace, claims },
        }),
      ),
  });

// brokenLinks asks for the links that the change request would break, with the first page that has each.
export const brokenLinks = (space: string, number: number) =>
  queryOptions({
    queryKey: [...changeRequests.changes(space, number), "broken-links"],
    queryFn: async () => {
      const params = { ...at(space, number), query: { added: true, limit: 1000 } };
      const list = await taken(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/links", { params }));
      return (list.items ?? []).map((each) => ({ page: each.locationReferences?.[0]?.page, target: each.written }));
    },
  });

// openRequests asks for the change requests of a space that one could write in: drafts and open ones, the newest first.
export const openRequests = (space: string) =>
  queryOptions({
    queryKey: changeRequests.list(space, { filter: "under way" }),
    queryFn: async () => {
      const lists = await Promise.all(
        (["draft", "open"] as const).map((status) =>
          taken(
            api.GET("/v1/spaces/{spaceId}/change-requests", {
              params: { path: { spaceId: space }, query: { status, limit: 20 } },
            }),
          ),
        ),
      );
      return lists.flatMap((list) => list.items ?? []).sort((a, b) => b.number - a.number).slice(0, 20);
    },
  });

// reviewersOf asks for who was asked for a review.
export const reviewersOf = (space: string, number: number) =>
  queryOptions({
    queryKey: [...changeRequests.reviews(space, number), "asked"],
    queryFn: () =>
      all((piece) =>
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers", {
          params: { ...at(space, number), query: piece },
        }),
      ),
  });

// authorsOf asks for who has written in a change request.
export const authorsOf = (space: string, number: number) =>
  queryOptions({
    queryKey: [...changeRequests.one(space, number), "authors"],
    queryFn: () =>
      all((piece) =>
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/contributors", {
          params: { ...at(space, number), query: piece },
        }),
      ),
  });

const reviewing = new Set(["admin", "create", "review"]);

// whoMayReview asks for the people who may review in a space.
export const whoMayReview = (space: string) =>
  queryOptions({
    queryKey: ["spaces", space, "reviewers"],
    queryFn: async () => {
      const people = await all((piece) =>
        api.GET("/v1/spaces/{spaceId}/permissions/aggregate", { params: { path: { spaceId: space }, query: piece } }),
      );
      return people.filter((each) => reviewing.has(each.permission)).map((each) => each.user);
    },
  });

// revisionsOf asks for what was written in a change request, the newest first.
export const revisionsOf = (space: string, number: number) =>
  queryOptions({
    queryKey: [...changeRequests.one(space, number), "revisions"],
    queryFn: () =>
      all((piece) =>
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/revisions", {
          params: { ...at(space, number), query: piece },
        }),
      ),
  });

// changesBetween asks for what differs from one revision to another. Revisions never change.
export const changesBetween = (space: string, from: string | undefined, to: string) =>
  queryOptions({
    queryKey: ["spaces", space, "between", from ?? "", to],
    staleTime: Infinity,
    queryFn: () =>
      taken(
        api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/changes", {
          params: {
            path: { spaceId: space, revisionId: to },
            query: { limit: 1000, metadata: false, ...(from ? { from } : {}) },
          },
        }),
      ),
  });

// differsIn asks for what differs in a text from one revision to another.
export const differsIn = (space: string, base: string, head: string, { id, group }: Compared) =>
  queryOptions({
    queryKey: ["spaces", space, "between", base, head, id] as QueryKey,
    staleTime: Infinity,
    queryFn: (): Promise<Comparison> => {
      const query = { base, head };
      if (group === "reusable") {
        return taken(
          api.GET("/v1/spaces/{spaceId}/compare/reusable-contents/{reusableContentId}", {
            params: { path: { spaceId: space, reusableContentId: id }, query },
          }),
        );
      }
      return taken(
        api.GET("/v1/spaces/{spaceId}/compare/pages/{pageId}", {
          params: { path: { spaceId: space, pageId: id }, query },
        }),
      );
    },
  });

// The writes of a change request. Each returns when the server has done it.
export const write = {
  change: (
    space: string,
    number: number,
    body: { subject?: string; description?: unknown; status?: "draft" | "open" | "archived" },
  ) => taken(api.PATCH("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: at(space, number), body })),
  // message is what the history of main says of it; without one the server names the change request.
  merge: (space: string, number: number, message = "") =>
    taken(
      api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge", {
        params: at(space, number),
        body: message ? { message } : {},
      }),
    ),
  update: (space: string, number: number) =>
    taken(api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update", { params: at(space, number) })),
  undo: (space: string, number: number) =>
    taken(
      api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/undo", { params: at(space, number), body: {} }),
    ),
  review: (space: string, number: number, status: "approved" | "changes-requested", words: string) => {
    const body = { status, ...(words ? { comment: { markdown: words } } : {}) };
    return taken(
      api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews", { params: at(space, number), body }),
    );
  },
  comment: (space: string, number: number, words: string) =>
    taken(
      api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments", {
        params: at(space, number),
        body: { body: { markdown: words } },
      }),
    ),
  askReview: (space: string, number: number, user: string) =>
    taken(
      api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers", {
        params: at(space, number),
        body: { users: [user] },
      }),
    ),
  unaskReview: async (space: string, number: number, user: string) => {
    const params = { path: { ...at(space, number).path, userId: user } };
    await done(
      api.DELETE("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}", { params }),
    );
  },
};

// touched are the keys that a write of a change request makes stale: everything about it, and main after a merge.
export const touched = (space: string) => [
  changeRequests.of(space),
  spaces.one(space),
  spaces.pages(space),
  ["organizations"],
];
