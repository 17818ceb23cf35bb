// What the screen of conflicts asks of the API.
import { queryOptions } from "@tanstack/react-query";
import { all } from "../../api/all";
import { api, type Schemas, taken } from "../../api/client";
import { changeRequests } from "../../api/queries";
import type { DocumentNode } from "../../document/node";
import { body, type Choice } from "./choices";

export type Part = Schemas["ConflictPart"];
export type Subject = Schemas["ConflictSubject"];

const at = (space: string, number: number) => ({ spaceId: space, changeRequestId: String(number) });

// conflictsOf asks for all open conflicts, also those that the next update would meet.
export const conflictsOf = (space: string, number: number) =>
  queryOptions({
    queryKey: changeRequests.conflicts(space, number),
    // Main moves without a word to the browser.
    staleTime: 0,
    queryFn: () =>
      all((piece) =>
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts", {
          params: { path: at(space, number), query: piece },
        }),
      ),
  });

// conflict asks for one in full. Its id is made of what is in conflict, so what was read stays good.
export const conflict = (space: string, number: number, id: string) =>
  queryOptions({
    queryKey: [...changeRequests.conflicts(space, number), id],
    queryFn: () =>
      taken(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/{conflictId}", {
          params: { path: { ...at(space, number), conflictId: id } },
        }),
      ),
    staleTime: Infinity,
  });

// settle sends a choice.
export const settle = (space: string, number: number, id: string, choice: Choice) =>
  taken(
    api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/{conflictId}", {
      params: { path: { ...at(space, number), conflictId: id } },
      body: body(choice),
    }),
  );

// Whole is a page, a file or a reusable content at a revision, to be looked at.
export type Whole = { title: string; path?: string; nodes?: DocumentNode[]; picture?: string };

// wholeAt asks for what something is at a revision. A revision never changes.
export const wholeAt = (space: string, revision: string, subject: Subject) =>
  queryOptions({
    queryKey: ["spaces", space, "revisions", revision, subject.kind, subject.id],
    staleTime: Infinity,
    queryFn: async (): Promise<Whole> => {
      const path = { spaceId: space, revisionId: revision };
      if (subject.kind === "file") {
        const file = await taken(
          api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/files/{fileId}", {
            params: { path: { ...path, fileId: subject.id } },
          }),
        );
        return { title: file.name, ...(file.contentType.startsWith("image/") ? { picture: file.downloadURL } : {}) };
      }
      if (subject.kind === "reusable-content") {
        const params = { path: { ...path, reusableContentId: subject.id } };
        const document = await taken(
          api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document", {
            params,
          }),
        );
        return { title: subject.title, nodes: (document.nodes ?? []) as DocumentNode[] };
      }
      const params = {
        path: { ...path, pageId: subject.id },
        query: { format: "document", computed: false, metadata: false } as const,
      };
      const page = await taken(api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}", { params }));
      return {
        title: page.title,
        path: `/${page.path}`,
        nodes: (page.document as { nodes?: DocumentNode[] } | undefined)?.nodes ?? [],
      };
    },
  });
