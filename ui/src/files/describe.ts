// Writing the alternative text of a picture where it stands: in the document of a page or reusable content.
import type { QueryClient } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import { bare, type JsonDocument, type JsonNode } from "../editor/document";
import { changed, type Change } from "../space/editing";
import type { Undescribed } from "./queries";

const pictures = new Set(["image", "inline-image"]);

export type Ref = Undescribed["ref"];

// shows says whether a node is a picture of what a reference names.
function shows(node: JsonNode, ref: Ref): boolean {
  const there = node.data?.["ref"] as Ref | undefined;
  if (!pictures.has(node.type ?? "") || there?.kind !== ref.kind) return false;
  return ref.kind === "file"
    ? there.file === ref.file && (there.space ?? "") === (ref.space ?? "")
    : there.url === ref.url;
}

const altOf = (node: JsonNode) => String(node.data?.["alt"] ?? "");

// textsOf lists the alternative texts that a picture has in a document, each once.
export function textsOf(document: JsonDocument, ref: Ref): string[] {
  const found = new Set<string>();
  const walk = (node: JsonNode): void => {
    if (shows(node, ref)) found.add(altOf(node));
    for (const each of [...(node.nodes ?? []), ...(node.fragments ?? [])]) walk(each);
  };
  document.nodes.forEach(walk);
  return [...found];
}

// described gives a picture an alternative text wherever it stands in a document with another one, none by itself, and
// says how often that was.
export function described(
  document: JsonDocument,
  ref: Ref,
  alt: string,
  was = "",
): { document: JsonDocument; count: number } {
  let count = 0;
  const walk = (node: JsonNode): JsonNode => {
    const next = { ...node };
    if (node.nodes) next.nodes = node.nodes.map(walk);
    if (node.fragments) next.fragments = node.fragments.map(walk);
    if (shows(node, ref) && altOf(node) === was) {
      count++;
      const { alt: _, ...rest } = node.data ?? {};
      next.data = alt === "" ? rest : { ...rest, alt };
    }
    return next;
  };
  return { document: { ...document, nodes: document.nodes.map(walk) }, count };
}

// documentIn asks for the document of a page or reusable content in a revision.
export async function documentIn(
  space: string,
  revision: string,
  { id, page }: { id: string; page: boolean },
): Promise<JsonDocument> {
  const at = { spaceId: space, revisionId: revision };
  const asked = page
    ? taken(
        api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/document", {
          params: { path: { ...at, pageId: id } },
        }),
      )
    : taken(
        api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document", {
          params: { path: { ...at, reusableContentId: id } },
        }),
      );
  return (await asked) as unknown as JsonDocument;
}

// describe writes the alternative text of a picture where it stands in a change request. What others change meanwhile
// is merged with it.
export async function describe(
  queries: QueryClient,
  space: string,
  change: number,
  { page, reusableContent, ref }: Pick<Undescribed, "page" | "reusableContent" | "ref">,
  alt: string,
  was = "",
): Promise<void> {
  const path = { spaceId: space, changeRequestId: String(change) };
  const { revision } = await taken(
    api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: { path } }),
  );
  const of = page ?? reusableContent;
  if (!of) return;
  const given = await documentIn(space, revision, { id: of.id, page: page !== undefined });
  const { document, count } = described({ object: "document", nodes: given.nodes.map(bare) }, ref, alt, was);
  if (count === 0) return;
  const one: Change = {
    ...(page
      ? { operation: "update_page", page: of.id }
      : { operation: "update_reusable_content", reusableContent: of.id }),
    document: { document },
  };
  await taken(
    api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
      params: { path, query: { compat: "false" } },
      body: { revision, changes: [one] },
    }),
  );
  await changed(queries, space, change);
}
