// Writing the alternative text of a picture where it stands: in the document of a page or reusable content.
import type { QueryClient } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import { bare, type JsonDocument, type JsonNode } from "../editor/document";
import { changed, type Change } from "../space/editing";
import type { Undescribed } from "./queries";

const pictures = new Set(["image", "inline-image"]);

// described gives a picture its alternative text wherever it stands in a document without one, and says how often that was.
export function described(document: JsonDocument, ref: Undescribed["ref"], alt: string): { document: JsonDocument; count: number } {
  let count = 0;
  const same = (node: JsonNode) => {
    const there = node.data?.["ref"] as Undescribed["ref"] | undefined;
    return there?.kind === ref.kind && (ref.kind === "file" ? there.file === ref.file && (there.space ?? "") === (ref.space ?? "") : there.url === ref.url);
  };
  const walk = (node: JsonNode): JsonNode => {
    const next = { ...node };
    if (node.nodes) next.nodes = node.nodes.map(walk);
    if (node.fragments) next.fragments = node.fragments.map(walk);
    if (pictures.has(node.type ?? "") && !node.data?.["alt"] && same(node)) {
      count++;
      next.data = { ...node.data, alt };
    }
    return next;
  };
  return { document: { ...document, nodes: document.nodes.map(walk) }, count };
}

// describe writes the alternative text of a picture where it stands in a change request. What others change meanwhile is
// merged with it.
export async function describe(queries: QueryClient, space: string, change: number, { page, reusableContent, ref }: Undescribed, alt: string): Promise<void> {
  const path = { spaceId: space, changeRequestId: String(change) };
  const { revision } = await taken(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: { path } }));
  const of = page ?? reusableContent;
  if (!of) return;
  const at = { spaceId: space, revisionId: revision };
  const given = (await (page
    ? taken(api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/document", { params: { path: { ...at, pageId: of.id } } }))
    : taken(api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document", { params: { path: { ...at, reusableContentId: of.id } } })))) as unknown as JsonDocument;
  const { document, count } = described({ object: "document", nodes: given.nodes.map(bare) }, ref, alt);
  if (count === 0) return;
  const one: Change = { ...(page ? { operation: "update_page", page: of.id } : { operation: "update_reusable_content", reusableContent: of.id }), document: { document } };
  await taken(api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", { params: { path, query: { compat: "false" } }, body: { revision, changes: [one] } }));
  await changed(queries, space, change);
}
