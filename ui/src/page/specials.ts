// What the editor asks of reusable contents and of specifications of APIs.
import type { QueryClient } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import { changeRequests, organizations } from "../api/queries";
import type { JsonDocument } from "../editor/document";
import type { Described, Part, Services } from "../editor/services";
import { space } from "../space/queries";
import { branchOf, pathOf, type Place, writing } from "./server";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

type Operations = Record<string, Record<string, { summary?: unknown } | undefined> | undefined>;

const parts = (all: unknown): Part[] =>
  Object.entries((all ?? {}) as Operations).flatMap(([path, item]) =>
    methods
      .filter((method) => typeof item?.[method] === "object")
      .map((method) => ({ path, method, summary: String(item?.[method]?.summary ?? "") })),
  );

// describe reads what an OpenAPI document has.
export function describe(document: unknown): Described {
  const { info, paths, webhooks, components } = (document ?? {}) as {
    info?: { title?: unknown };
    paths?: unknown;
    webhooks?: unknown;
    components?: { schemas?: object };
  };
  return {
    title: String(info?.title ?? ""),
    operations: parts(paths),
    webhooks: parts(webhooks),
    schemas: Object.keys(components?.schemas ?? {}),
  };
}

type Special = Pick<Services, "reusable" | "createReusable" | "saveReusable" | "described">;

export function specialsOf(queries: QueryClient, place: Place): Special {
  const path = pathOf(place);
  const key = [...changeRequests.one(place.space, branchOf(place)), "content"] as const;
  const changed = () => {
    void queries.invalidateQueries({ queryKey: [...key, "revision"] });
    void queries.invalidateQueries({ queryKey: changeRequests.changes(place.space, branchOf(place)) });
  };
  const write = (
    change:
      | { operation: "insert_reusable_content"; title: string }
      | { operation: "update_reusable_content"; reusableContent: string },
    document: JsonDocument,
  ) =>
    taken(
      api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
        params: writing(place),
        body: { changes: [{ ...change, document: { document } }] },
      }),
    );
  return {
    reusable: async (id) => {
      try {
        const query = { metadata: false };
        const { title, document: name } = await taken(
          api.GET(
            "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}",
            { params: { path: { ...path, reusableContentId: id }, query } },
          ),
        );
        const document = await taken(
          api.GET("/v1/spaces/{spaceId}/documents/{documentId}", {
            params: { path: { spaceId: place.space, documentId: name ?? id } },
          }),
        );
        return { id, title, document: document as unknown as JsonDocument };
      } catch (failure) {
        if ((failure as { status?: number }).status === 404) return null;
        throw failure;
      }
    },
    createReusable: async (title, document) => {
      const answer = (await write({ operation: "insert_reusable_content", title }, document)) as {
        changes?: { reusableContent?: string }[] | null;
      };
      changed();
      const id = answer.changes?.[0]?.reusableContent;
      if (!id) throw new Error(title);
      return { id, title };
    },
    saveReusable: async (id, document) => {
      await write({ operation: "update_reusable_content", reusableContent: id }, document);
      changed();
    },
    described: async (spec) => {
      const organizationId = (await queries.ensureQueryData(space(place.space))).organization;
      const asked = async () => {
        const content = await taken(
          api.GET("/v1/orgs/{organizationId}/openapi/{specSlug}/versions/latest/content", {
            params: { path: { organizationId, specSlug: spec } },
          }),
        );
        const files = Object.values(
          (content as unknown as { filesystem: Record<string, { isEntrypoint: boolean; specification: unknown }> })
            .filesystem,
        );
        return describe(files.find((file) => file.isEntrypoint)?.specification);
      };
      return queries
        .fetchQuery({
          queryKey: [...organizations.all, organizationId, "described", spec],
          queryFn: asked,
          staleTime: 60_000,
          retry: false,
        })
        .catch(() => null);
    },
  };
}
